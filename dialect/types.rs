//! Types of values against the types of operands, and the words for what does not fit (R70, R71, R108, R118).
//!
//! An error names a way out: another opcode of the same shape whose types are those that there are, else the type that
//! this one works on. Another opcode of a load or store moves other memory, so that none is named there.

use crate::element::Element;
use crate::instruction::{Operand, Variant};
use crate::opcode::{self, alternatives};
use anyhow::{Result, bail, ensure};

/// The types that stand at the operands of an instruction.
pub(crate) struct Types<'a> {
    /// The instruction.
    pub variant: &'a Variant,
    /// One for each operand of its form; `None` where there is no value.
    pub elements: &'a [Option<Element>],
    /// They are of tiles, which can be viewed otherwise.
    pub of_tiles: bool,
}

impl Types<'_> {
    /// A value at an operand that is registers.
    pub fn value(&self, operand: &Operand, element: Element) -> Result<()> {
        let wanted = self.variant.type_of(operand);
        if wanted.takes(element) {
            return Ok(());
        }
        if !wanted.maybe_wider {
            self.width(operand, element, "R70")?;
        }
        bail!(
            "element type {element} is none of those that {} takes: {}{} ({})",
            self.of_operand(operand),
            alternatives(wanted.types.iter().map(Element::to_string)),
            self.instead(operand, element),
            if wanted.maybe_wider { "R118" } else { "R70" },
        )
    }

    /// Memory that an instruction moves: any type of the width.
    pub fn memory(&self, operand: &Operand, element: Element) -> Result<()> {
        self.width(operand, element, "R108")
    }

    fn width(&self, operand: &Operand, element: Element, rule: &str) -> Result<()> {
        let (found, wanted) = (element.width(), self.variant.type_of(operand).width);
        ensure!(
            found == wanted,
            "element type {element} is {found} {} wide, {} takes {wanted}{} ({rule})",
            if found == 1 { "bit" } else { "bits" },
            self.of_operand(operand),
            self.instead(operand, element),
        );
        Ok(())
    }

    /// `mov.b32`, or `mov.b64 (.b32 words)` where the operand has a type of its own.
    fn of_operand(&self, operand: &Operand) -> String {
        match operand.own_type() {
            Some(own) => format!("{} (.{} words)", self.variant, own.token),
            None => self.variant.to_string(),
        }
    }

    /// `; use mov.b64 or a tile.view`.
    fn instead(&self, operand: &Operand, element: Element) -> String {
        let wanted = self.variant.type_of(operand);
        let itself = self.variant.to_string();
        let takes_all = |other: &Variant| {
            let mut pairs = other.form.operands.iter().zip(self.elements);
            pairs.all(|(operand, its)| its.is_none_or(|it| other.type_of(operand).means(it)))
        };
        let others = self.variant.instruction.variants().filter(|it| self.has_shape(it) && it.to_string() != itself);
        let nearest = others.filter(takes_all).min_by_key(|other| self.distance(other));
        let can_view = self.of_tiles && element.width().is_multiple_of(8) && wanted.width.is_multiple_of(8);
        let view = if can_view { " or a tile.view" } else { "" };
        format!("; use {}{view}", nearest.map_or(wanted.types[0].to_string(), |other| other.to_string()))
    }

    /// How far another spelling is from this one: modifiers that differ, types narrower than what stands there, letters
    /// of types that differ.
    fn distance(&self, other: &Variant) -> (usize, usize, usize) {
        let mut rest: Vec<&str> = self.variant.tokens.iter().flatten().map(|token| token.text).collect();
        let mut new = 0;
        for token in other.tokens.iter().flatten() {
            match rest.iter().position(|its| *its == token.text) {
                Some(same) => drop(rest.swap_remove(same)),
                None => new += 1,
            }
        }
        let operands = other.form.operands.iter().zip(self.elements);
        let is_wider = |(operand, its): &(&Operand, &Option<Element>)| {
            its.is_some_and(|it| it.width() > other.type_of(operand).width)
        };
        let types = |variant: &Variant| variant.types().map(|its| its.token).collect::<String>();
        let letters = opcode::distance(&types(other), &types(self.variant));
        (new + rest.len(), operands.filter(is_wider).count(), letters)
    }

    /// Whether another spelling has operands like this one's, and moves no memory.
    fn has_shape(&self, other: &Variant) -> bool {
        let shapes = |variant: &Variant| variant.form.operands.iter().map(Operand::shape);
        shapes(other).eq(shapes(self.variant)) && other.address_space().is_none()
    }
}
