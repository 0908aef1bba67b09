//! When a `ptx` op is legal: one instruction on the scalars of a thread.
//!
//! - The form follows from the numbers of inputs and results, and from what the op names instead of inputs (R6).
//! - What a symbol is, its module says: named.rs decides that once it is looked up.

use crate::element::{Element, Scalar};
use crate::instruction::{self, Instruction, Named, Variant};
use crate::legality::{inversion, predication, space_name, sunk_words};
use crate::named::{self, SpecialSource};
use crate::opcode::{self, alternatives};
use crate::types::Types;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::cell::RefCell;

/// A `ptx` op as plain data.
#[derive(Debug)]
pub struct Issue<'a> {
    /// `mov`.
    pub mnemonic: &'a str,
    /// `b32`.
    pub modifiers: &'a str,
    /// Types of the inputs in PTX order.
    pub inputs: &'a [Element],
    /// Types of the results: the written words that are not sunk.
    pub results: &'a [Element],
    /// Types of the preserved old values.
    pub old: &'a [Element],
    /// It has a predicate.
    pub predicated: bool,
    /// The sunk words.
    pub sink: &'a [i64],
    /// Bytes added to the address.
    pub offset: Option<i64>,
    /// The source is negated.
    pub inverted: bool,
    /// It names this special register.
    pub special: Option<&'a str>,
    /// It names a symbol.
    pub symbol: bool,
}

impl Issue<'_> {
    fn opcode(&self) -> String {
        let dot = if self.modifiers.is_empty() { "" } else { "." };
        format!("{}{dot}{}", self.mnemonic, self.modifiers)
    }
}

/// Decides a `ptx` op: the instruction it is, and the special register it reads.
pub fn decide(issue: &Issue) -> Result<(Variant, Option<SpecialSource>)> {
    let record = instruction::lookup(issue.mnemonic).expect("an op comes from a record");
    let named = match (issue.special, issue.symbol) {
        (Some(_), true) => bail!("names a special register and a symbol; it can read one of them"),
        (Some(_), false) => Some(Named::SpecialRegister),
        (None, true) => Some(Named::Symbol),
        (None, false) => None,
    };
    let special = issue.special.map(named::special).transpose()?;
    let counts = (issue.results.len() + issue.sink.len(), issue.inputs.len());
    let Some(variant) = chosen(record, issue.modifiers, named, counts) else {
        return Err(no_instruction(record, issue, named, special.as_ref()));
    };
    if let Some(source) = &special {
        named::special_fits(&variant, source)?;
    }

    sunk_words(&variant, issue.sink)?;
    words(&variant, issue)?;
    predication(&variant, issue.predicated, !issue.old.is_empty())?;
    ensure!(
        issue.old.is_empty() || issue.old == issue.results,
        "preserve takes one old value for each result, of its type: found {}, wanted {}",
        list(issue.old),
        list(issue.results),
    );
    inversion(&variant, issue.inverted)?;
    if let Some(offset) = issue.offset {
        offset_fits(&variant, named, offset)?;
    }
    Ok((variant, special))
}

/// The variant with these modifiers that writes and reads as many values. An expansion asks for the same one thousands
/// of times, and `ld` has many forms: what was found last is kept.
fn chosen(
    record: &'static Instruction,
    modifiers: &str,
    named: Option<Named>,
    counts: (usize, usize),
) -> Option<Variant> {
    struct Last {
        modifiers: String,
        named: Option<Named>,
        counts: (usize, usize),
        variant: Variant,
    }
    thread_local!(static LAST: RefCell<Option<Last>> = const { RefCell::new(None) });
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last.as_ref().filter(|last| {
            let is_same = std::ptr::eq(last.variant.instruction, record) && last.modifiers == modifiers;
            is_same && last.named == named && last.counts == counts
        }) {
            return Some(last.variant.clone());
        }
        let mut forms = record.forms.iter().filter(|form| form.named() == named && form.values() == counts);
        let variant = forms.find_map(|form| record.fit(form, modifiers))?;
        *last = Some(Last { modifiers: modifiers.into(), named, counts, variant: variant.clone() });
        Some(variant)
    })
}

/// The types of inputs and results.
fn words(variant: &Variant, issue: &Issue) -> Result<()> {
    let (mut inputs, mut results) = (issue.inputs.iter(), issue.results.iter());
    let groups: Vec<Vec<Element>> = variant
        .form
        .operands
        .iter()
        .map(|operand| {
            let kept = (0..operand.values()).filter(|word| !variant.form.is_sunk(operand, *word, issue.sink)).count();
            let types = if operand.written { &mut results } else { &mut inputs };
            types.take(kept).copied().collect()
        })
        .collect();
    let elements: Vec<Option<Element>> = groups.iter().map(|group| group.first().copied()).collect();
    let types = Types { variant, elements: &elements, of_tiles: false };
    for (operand, element) in
        variant.form.operands.iter().zip(&groups).flat_map(|(it, group)| group.iter().map(move |e| (it, e)))
    {
        let fault = if operand.address { pointer(variant, *element) } else { types.value(operand, *element) };
        fault.with_context(|| format!("operand {}", operand.name))?;
    }
    Ok(())
}

/// ISA 6.4.1. Of a symbol ptxas 13.5 reads a minus sign as a syntax error.
fn offset_fits(variant: &Variant, named: Option<Named>, offset: i64) -> Result<()> {
    let has_address = named == Some(Named::Symbol) || variant.form.operands.iter().any(|operand| operand.address);
    ensure!(has_address, "{variant} has no address, and so no offset");
    ensure!(i32::try_from(offset).is_ok(), "offset {offset} does not fit the 32 bits that PTX gives it (ISA 6.4.1)");
    ensure!(
        named.is_none() || offset >= 0,
        "offset {offset} of a symbol is negative; PTX adds constants from 0 to 2147483647 to it (ISA 6.4.1)"
    );
    Ok(())
}

/// Why no form of `record` is this op: the modifiers, what it names, or the number of words.
fn no_instruction(
    record: &'static Instruction,
    issue: &Issue,
    named: Option<Named>,
    special: Option<&SpecialSource>,
) -> anyhow::Error {
    let mut fitting = match opcode::read(&issue.opcode()) {
        Err(why) => return why,
        Ok(fitting) => fitting,
    };
    let opcode = fitting[0].clone();
    fitting.retain(|variant| variant.form.named() == named);
    if fitting.is_empty() {
        let by = record.variants().filter(|variant| variant.form.named() == named).map(|variant| variant.to_string());
        let by: Vec<String> = by.collect();
        return match (named, special, opcode.opcode_type()) {
            (None, ..) => anyhow!("{opcode} reads no value; name what it reads"),
            (Some(named), ..) if by.is_empty() => anyhow!("{} reads no {named}", record.mnemonic),
            (_, Some(source), Some(its)) if named::read_by(record, its, source).is_err() => {
                named::read_by(record, its, source).expect_err("it was asked")
            }
            (Some(named), ..) => anyhow!("{opcode} reads no {named}; {} do", opcode::enumerated(by.into_iter(), "and")),
        };
    }
    let shapes = fitting.iter().map(|variant| {
        let (written, read) = variant.form.values();
        values(read, written)
    });
    anyhow!(
        "{}.{} takes {}; found {}{}",
        record.mnemonic,
        issue.modifiers,
        alternatives(shapes),
        values(issue.inputs.len(), issue.results.len()),
        if issue.sink.is_empty() { String::new() } else { format!(" and {} sunk", issue.sink.len()) },
    )
}

/// `2 inputs and 1 result`
fn values(inputs: usize, results: usize) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{inputs} input{} and {results} result{}", plural(inputs), plural(results))
}

/// An address in the state space of the opcode.
fn pointer(variant: &Variant, element: Element) -> Result<()> {
    let wanted = variant.address_space().expect("a record with an address names a state space");
    ensure!(
        element == Element::of(Scalar::Ptr(wanted)),
        "is {element}, {variant} wants an address in {} memory, !llvm.ptr<{wanted}>",
        space_name(wanted)
    );
    Ok(())
}

fn list(types: &[Element]) -> String {
    format!("({})", types.iter().map(Element::to_string).collect::<Vec<_>>().join(", "))
}
