//! PTX instructions as data: the records of `ptx.td`, and how modifiers are matched to them.
//!
//! - An opcode is a mnemonic and modifiers, each after a dot. Modifiers may come in any order; each takes the first free
//!   position that lists it, and they are printed in canonical order (R4).
//! - One opcode text may fit several forms (R6): which one is meant follows from the operands, in legality.rs.

use crate::element::{Element, Scalar};
use crate::named::{SpecialRegister, SymbolKind};
use crate::semantics::{self, Semantics};
use std::fmt;

mod table {
    use super::*;
    use Scalar::*;
    include!(concat!(env!("OUT_DIR"), "/instructions.rs"));
}
pub use table::{INSTRUCTIONS, SPECIAL_REGISTERS, SYMBOL_KINDS};

/// A mnemonic with its forms.
#[derive(Debug)]
pub struct Instruction {
    /// `mov`.
    pub mnemonic: &'static str,
    /// Its operand shapes.
    pub forms: &'static [Form],
    /// It reads memory.
    pub reads_memory: bool,
    /// It writes memory.
    pub writes_memory: bool,
    /// The threads of a warp execute it together.
    pub convergent: bool,
    /// What it computes; without it nothing can execute it but a GPU.
    pub semantics: Option<Semantics>,
}

/// One operand shape of a mnemonic.
#[derive(Debug)]
pub struct Form {
    /// A word or two that tell it from its siblings: `pack`.
    pub summary: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// The places of modifiers in canonical order.
    pub positions: &'static [Position],
    /// The operands in PTX order.
    pub operands: &'static [Operand],
    /// The least target.
    pub needs: Needs,
}

/// A place in the opcode where one of the tokens stands.
#[derive(Debug)]
pub struct Position {
    /// What stands there: `type`.
    pub name: &'static str,
    /// It may be left out.
    pub optional: bool,
    /// The choices.
    pub tokens: &'static [Token],
}

/// A modifier.
#[derive(Debug)]
pub struct Token {
    /// As written after the dot.
    pub text: &'static str,
    /// What it says.
    pub kind: TokenKind,
    /// What it asks for beyond its form.
    pub needs: Needs,
}

/// What a modifier says about operands.
#[derive(Debug)]
pub enum TokenKind {
    /// The type of the operands that have none of their own.
    Type(&'static PtxType),
    /// The state space of the address, by its number in NVPTX.
    StateSpace(u32),
    /// Nothing.
    Modifier,
}

/// A PTX type.
#[derive(Debug)]
pub struct PtxType {
    /// `b32`.
    pub token: &'static str,
    /// In bits.
    pub width: u32,
    /// Its constants are written `0f` or `0d`.
    pub float: bool,
    /// The MLIR types whose values it takes.
    pub types: &'static [Element],
    /// How a value gets into a register of exactly this width and back, where NVPTX has no such register.
    pub conversions: Option<Conversions>,
}

/// The opcodes between a register that NVPTX has and a narrower one that it has not.
#[derive(Clone, Copy, Debug)]
pub struct Conversions {
    /// Into the narrower one.
    pub narrow: &'static str,
    /// Out of it.
    pub widen: &'static str,
}

impl PtxType {
    /// Whether a value of this MLIR type may stand here; a pointer of any space stands for `!llvm.ptr`.
    pub fn takes(&self, element: Element) -> bool {
        let element = if let Scalar::Ptr(_) = element.scalar { Element::of(Scalar::Ptr(0)) } else { element };
        self.types.contains(&element)
    }
}

/// An operand of a form: registers, or an address of as many consecutive elements.
#[derive(Debug)]
pub struct Operand {
    /// The name that the PTX ISA gives it.
    pub name: &'static str,
    /// How many registers, or elements in memory.
    pub registers: u32,
    /// Its type where that is not the opcode's.
    pub own_type: Option<&'static PtxType>,
    /// The instruction writes it; otherwise it reads it.
    pub written: bool,
    /// It is an address.
    pub address: bool,
    /// Its words may be the sink symbol.
    pub sink: bool,
    /// A constant may stand for a register.
    pub immediate: bool,
    /// A register may be negated.
    pub negatable: bool,
    /// Its registers have exactly the width of its type; others may be wider.
    pub exact_width: bool,
    /// The op names it; it is no value.
    pub named: Option<Named>,
}

/// What an op names instead of taking it as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A special register.
    SpecialRegister,
    /// A symbol, whose address is read.
    Symbol,
}

impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Named::SpecialRegister => "special register",
            Named::Symbol => "address of a symbol",
        })
    }
}

impl Operand {
    /// How many values of an op it is, none of them sunk.
    pub fn values(&self) -> usize {
        match self {
            Operand { named: Some(_), .. } => 0,
            Operand { address: true, .. } => 1,
            Operand { registers, .. } => *registers as usize,
        }
    }

    /// What tells forms apart, apart from types.
    pub fn shape(&self) -> (u32, bool, bool, Option<Named>) {
        (self.registers, self.written, self.address, self.named)
    }
}

impl Form {
    /// What an op of this form names, if anything.
    pub fn named(&self) -> Option<Named> {
        self.operands.iter().find_map(|operand| operand.named)
    }

    /// The values that it writes and reads, none of them sunk.
    pub fn values(&self) -> (usize, usize) {
        self.operands.iter().fold((0, 0), |(written, read), operand| match operand.written {
            true => (written + operand.values(), read),
            false => (written, read + operand.values()),
        })
    }
}

/// A least target: PTX version (63 is 6.3) and SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// PTX version, major times ten plus minor.
    pub ptx: u32,
    /// SM version; every newer one has the instruction too.
    pub sm: u32,
}

impl Needs {
    /// What satisfies both.
    pub fn max(self, other: Needs) -> Needs {
        Needs { ptx: self.ptx.max(other.ptx), sm: self.sm.max(other.sm) }
    }
}

/// A form with a token chosen at each position: one spelling of one instruction.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The mnemonic.
    pub instruction: &'static Instruction,
    /// The form.
    pub form: &'static Form,
    /// The token at each position of the form; `None` where an optional one is left out.
    pub tokens: Vec<Option<&'static Token>>,
}

/// Why modifiers do not fit a form.
#[derive(Clone, Copy, Debug)]
pub enum Misfit {
    /// The modifier of this index fits no free position.
    Stray(usize),
    /// Nothing stands where a modifier must.
    Missing(&'static Position),
}

/// The instruction of this mnemonic.
pub fn lookup(mnemonic: &str) -> Option<&'static Instruction> {
    INSTRUCTIONS.iter().find(|instruction| instruction.mnemonic == mnemonic)
}

impl Instruction {
    /// Fits modifiers (`global.b32`, in any order) to a form.
    pub fn fit(&'static self, form: &'static Form, modifiers: &str) -> Result<Variant, Misfit> {
        let mut tokens: Vec<Option<&'static Token>> = vec![None; form.positions.len()];
        for (i, word) in modifiers.split('.').filter(|_| !modifiers.is_empty()).enumerate() {
            let place = form.positions.iter().zip(&mut tokens).find_map(|(position, place)| {
                let token = position.tokens.iter().find(|token| token.text == word)?;
                place.is_none().then_some((place, token))
            });
            let (place, token) = place.ok_or(Misfit::Stray(i))?;
            *place = Some(token);
        }
        let missing =
            form.positions.iter().zip(&tokens).find(|(position, token)| !position.optional && token.is_none());
        match missing {
            Some((position, _)) => Err(Misfit::Missing(position)),
            None => Ok(Variant { instruction: self, form, tokens }),
        }
    }

    /// Every legal spelling, form by form.
    pub fn variants(&'static self) -> impl Iterator<Item = Variant> {
        self.forms.iter().flat_map(move |form| {
            let mut spellings: Vec<Vec<Option<&'static Token>>> = vec![vec![]];
            for position in form.positions {
                let choices = position.optional.then_some(None).into_iter().chain(position.tokens.iter().map(Some));
                let choices: Vec<_> = choices.collect();
                spellings = spellings
                    .iter()
                    .flat_map(|front| choices.iter().map(|choice| [front.as_slice(), &[*choice]].concat()))
                    .collect();
            }
            spellings.into_iter().map(move |tokens| Variant { instruction: self, form, tokens })
        })
    }
}

impl Variant {
    /// The type of an operand of the form: its own, or the opcode's.
    pub fn type_of(&self, operand: &Operand) -> &'static PtxType {
        operand.own_type.or_else(|| self.opcode_type()).expect("a record names a type for every operand")
    }

    /// The type that stands in the opcode.
    pub fn opcode_type(&self) -> Option<&'static PtxType> {
        self.kinds().find_map(|kind| if let TokenKind::Type(its) = kind { Some(*its) } else { None })
    }

    /// The state space of the address, by its number in NVPTX.
    pub fn address_space(&self) -> Option<u32> {
        self.kinds().find_map(|kind| if let TokenKind::StateSpace(its) = kind { Some(*its) } else { None })
    }

    /// The least target of the form and all its tokens.
    pub fn needs(&self) -> Needs {
        self.tokens.iter().flatten().fold(self.form.needs, |needs, token| needs.max(token.needs))
    }

    /// The modifiers in canonical order: `global.b32`.
    pub fn modifiers(&self) -> String {
        self.tokens.iter().flatten().map(|token| token.text).collect::<Vec<_>>().join(".")
    }

    fn kinds(&self) -> impl Iterator<Item = &'static TokenKind> {
        self.tokens.iter().flatten().map(|token| &token.kind)
    }
}

/// The opcode in canonical order: `ld.global.b32`.
impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.instruction.mnemonic)?;
        self.tokens.iter().flatten().try_for_each(|token| write!(out, ".{}", token.text))
    }
}

#[cfg(test)]
#[path = "instruction_tests.rs"]
mod tests;
