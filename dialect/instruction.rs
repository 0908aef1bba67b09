//! PTX instructions as data: the records of `ptx.td`, and how modifiers are matched to them.
//!
//! - An opcode is a mnemonic and modifiers, each after a dot. Modifiers may come in any order; each takes the first
//!   free position that lists it, and they are printed in canonical order (R4). Types alone keep their order: `f16.f32`
//!   is another conversion than `f32.f16`.
//! - One opcode text may fit several forms (R6): which one is meant follows from the operands, in legality.rs.

use crate::element::{Element, Scalar};
use crate::named::{SpecialRegister, SymbolKind};
use crate::semantics::{self, Semantics};
use std::fmt;
use std::ptr;

#[allow(non_upper_case_globals, dead_code, reason = "a static is named after its record; some stand in no opcode")]
mod table {
    use super::*;
    use Scalar::*;
    include!(concat!(env!("OUT_DIR"), "/instructions.rs"));
}
pub use table::{CHIPS, INSTRUCTIONS, LACKING, SPECIAL_REGISTERS, SYMBOL_KINDS};

/// A mnemonic with its forms.
#[derive(Debug)]
pub struct Instruction {
    /// `mov`.
    pub mnemonic: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What there is to know of it, in Markdown, as its record has it.
    pub description: &'static str,
    /// Its operand shapes.
    pub forms: &'static [Form],
    /// It reads memory.
    pub reads_memory: bool,
    /// It writes memory.
    pub writes_memory: bool,
    /// The threads of a warp execute it together.
    pub convergent: bool,
    /// All lanes of a warp issue it as one, so that they are no group axis (R26).
    pub collective: bool,
    /// The modifiers that make another thread see it happen.
    pub ordering: &'static [&'static str],
    /// What ptxas takes and no form has, by choice.
    pub refused: &'static [Refused],
}

/// What is no variant of an instruction here, though ptxas takes it.
#[derive(Debug)]
pub struct Refused {
    /// A glob over the opcode, `ld.*`; with a space in it, over the operands too.
    pub opcode: &'static str,
    /// What of the operands is refused, `with a wider register`; empty where the opcode itself is.
    pub operands: &'static str,
    /// Why it is refused.
    pub reason: &'static str,
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
    /// What it computes; without it nothing can execute it but a GPU.
    pub semantics: Option<Semantics>,
}

/// A place in the opcode where one of the tokens stands.
#[derive(Debug)]
pub struct Position {
    /// What stands there: `type`.
    pub name: &'static str,
    /// It may be left out.
    pub optional: bool,
    /// The choices.
    pub tokens: &'static [&'static Token],
}

/// A modifier.
#[derive(Debug)]
pub struct Token {
    /// As written after the dot.
    pub text: &'static str,
    /// What it means, in a few words.
    pub summary: &'static str,
    /// What it says of operands.
    pub kind: TokenKind,
    /// Of a load or store: another thread may see it happen.
    pub ordered: bool,
    /// What it asks for beyond its form.
    pub needs: Needs,
}

/// What a modifier says about operands.
#[derive(Debug)]
pub enum TokenKind {
    /// The type of operands that have none of their own.
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
    /// A register may be wider than the type: its class follows the value.
    pub maybe_wider: bool,
    /// The fundamental type of a register of this width.
    pub container: &'static str,
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

    /// Whether it takes such a value as what it is: not an integer as the bits of a float, or of several numbers.
    pub fn means(&self, element: Element) -> bool {
        let is_bits = |own: &Element| matches!(own, Element { scalar: Scalar::Int(_), lanes: None });
        self.takes(element) && self.types.first().is_some_and(|own| is_bits(own) || *own == element)
    }
}

/// An operand of a form: registers, or an address of as many consecutive elements.
#[derive(Debug)]
pub struct Operand {
    /// The name that the PTX ISA gives it.
    pub name: &'static str,
    /// How many registers, or elements in memory.
    pub registers: u32,
    /// Of which type they are.
    pub r#type: OperandType,
    /// The instruction writes it; otherwise it reads it.
    pub written: bool,
    /// It is an address.
    pub address: bool,
    /// Its words may be the sink symbol.
    pub sink: bool,
    /// A constant may stand for a register.
    pub immediate: bool,
    /// The least and the greatest constant that may, where not all do.
    pub bounds: Option<(i64, i64)>,
    /// Only a constant may.
    pub constant: bool,
    /// A register may be negated.
    pub negatable: bool,
    /// Its registers have exactly the width of its type; others may be wider.
    pub exact_width: bool,
    /// It stands after the one before it and a `|`.
    pub joined: bool,
    /// `tile.apply` takes it by its clause `cache_policy`.
    pub cache_policy: bool,
    /// The op names it; it is no value.
    pub named: Option<Named>,
}

/// The type of an operand.
#[derive(Clone, Copy, Debug)]
pub enum OperandType {
    /// The first that stands in the opcode.
    First,
    /// The second that stands in the opcode.
    Second,
    /// One of its own.
    Own(&'static PtxType),
}

/// What an op names instead of taking it as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Its type where that does not stand in the opcode.
    pub fn own_type(&self) -> Option<&'static PtxType> {
        if let OperandType::Own(own) = self.r#type { Some(own) } else { None }
    }

    /// Whether a constant, lane 0 lowest, may stand for a register.
    pub fn takes_constant(&self, bits: u64) -> bool {
        let is_within = |(least, most)| i64::try_from(bits).is_ok_and(|value| (least..=most).contains(&value));
        self.immediate && self.bounds.is_none_or(is_within)
    }

    /// How many values of an op it is, none of them sunk.
    pub fn values(&self) -> usize {
        match self {
            Operand { named: Some(_), .. } => 0,
            Operand { address: true, .. } => 1,
            Operand { registers, .. } => *registers as usize,
        }
    }

    /// As PTX writes it: `d`, `{a0, a1}`, `{!}c`, `[a]`, `%a` for a special register.
    pub fn text(&self) -> String {
        let name = self.name;
        match (self.named, self.registers) {
            (Some(Named::SpecialRegister), _) => format!("%{name}"),
            (Some(Named::Symbol), _) => format!("{name}+imm"),
            (None, _) if self.address => format!("[{name}]"),
            (None, _) if self.negatable => format!("{{!}}{name}"),
            (None, 1) => name.into(),
            (None, count) => format!("{{{}}}", (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ")),
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

    /// The operands as PTX writes them: `d, {a0, a1}`, `d|p, a, {!}c`, `[a]`.
    pub fn operands_text(&self) -> String {
        let mut text = String::new();
        for operand in self.operands {
            let separator = if operand.joined { "|" } else { ", " };
            text += if text.is_empty() { "" } else { separator };
            text += &operand.text();
        }
        text
    }

    /// Lays modifiers (`global.b32`, in any order) on the positions.
    pub fn place(&'static self, modifiers: &str) -> Placement {
        let mut tokens: Vec<Option<&'static Token>> = vec![None; self.positions.len()];
        let (mut strays, mut after_types) = (vec![], 0);
        for (i, word) in modifiers.split('.').filter(|_| !modifiers.is_empty()).enumerate() {
            let place = self.positions.iter().enumerate().find_map(|(place, position)| {
                let token = position.tokens.iter().copied().find(|token| token.text == word)?;
                let is_type = matches!(token.kind, TokenKind::Type(_));
                (tokens[place].is_none() && (!is_type || place >= after_types)).then_some((place, token, is_type))
            });
            let Some((place, token, is_type)) = place else {
                strays.push(i);
                continue;
            };
            tokens[place] = Some(token);
            if is_type {
                after_types = place + 1;
            }
        }
        Placement { form: self, tokens, strays }
    }

    /// The operands that are words of a `tile.apply`: all but those that a clause gives.
    pub fn words(&self) -> impl Iterator<Item = &'static Operand> {
        self.operands.iter().filter(|operand| !operand.cache_policy)
    }

    /// Whether `tile.apply` gives it a cache policy.
    pub fn has_cache_policy(&self) -> bool {
        self.operands.iter().any(|operand| operand.cache_policy)
    }

    /// The words that may be sunk: those of all operands that have such, numbered in order.
    pub fn sinkable(&self) -> usize {
        self.operands.iter().filter(|operand| operand.sink).map(Operand::values).sum()
    }

    /// Whether a clause `sink` names a word of an operand.
    pub fn is_sunk(&self, operand: &Operand, word: usize, sink: &[i64]) -> bool {
        if !operand.sink || sink.is_empty() {
            return false;
        }
        let before = self.operands.iter().take_while(|its| !std::ptr::eq(*its, operand)).filter(|its| its.sink);
        let first: usize = before.map(Operand::values).sum();
        sink.contains(&((first + word) as i64))
    }

    /// The values that it writes and reads, none of them sunk.
    pub fn values(&self) -> (usize, usize) {
        self.operands.iter().fold((0, 0), |(written, read), operand| match operand.written {
            true => (written + operand.values(), read),
            false => (written, read + operand.values()),
        })
    }
}

/// A least target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// PTX version, major times ten plus minor: 63 is 6.3.
    pub ptx: u32,
    /// SM version; every newer one has the instruction too.
    pub sm: u32,
    /// The chips that have it.
    pub chips: Chips,
}

impl Needs {
    /// What every target satisfies.
    pub const NOTHING: Needs = Needs { ptx: 10, sm: 0, chips: Chips::ANY };

    /// What satisfies both.
    pub fn max(self, other: Needs) -> Needs {
        let chips = Chips(self.chips.0 & other.chips.0);
        Needs { ptx: self.ptx.max(other.ptx), sm: self.sm.max(other.sm), chips }
    }

    /// Whether a chip has the instruction, given a PTX version that is new enough.
    pub fn has(&self, chip: &str) -> bool {
        sm_of(chip) >= self.sm && self.chips.contain(chip)
    }
}

/// `sm_90 and PTX 8.3`; `PTX 8.3` where every SM will do.
impl fmt::Display for Needs {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.chips.names() {
            None if self.sm == 0 => {}
            None => write!(out, "sm_{} and ", self.sm)?,
            Some(names) => write!(out, "{} and ", crate::opcode::alternatives(names.map(str::to_string)))?,
        }
        write!(out, "PTX {}.{}", self.ptx / 10, self.ptx % 10)
    }
}

/// Chips: all, or some of [`CHIPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chips(u64);

impl Chips {
    /// All that there are.
    pub const ANY: Chips = Chips(u64::MAX);

    /// Those of [`CHIPS`] whose bits are set.
    const fn of(bits: u64) -> Chips {
        Chips(bits)
    }

    /// Whether this chip is one of them.
    pub fn contain(self, chip: &str) -> bool {
        self == Chips::ANY || CHIPS.iter().position(|known| *known == chip).is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// Their names, where they are not all.
    pub fn names(self) -> Option<impl Iterator<Item = &'static str>> {
        let named = || CHIPS.iter().copied().enumerate().filter(move |(bit, _)| self.0 >> bit & 1 == 1);
        (self != Chips::ANY).then(|| named().map(|(_, chip)| chip))
    }
}

/// The number of a chip: 90 of `sm_90a`.
pub fn sm_of(chip: &str) -> u32 {
    let digits = chip.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(0)
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

/// The same spelling of the same record: there is one of each in the process.
impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        let is_same = |(a, b): (&Option<&Token>, &Option<&Token>)| a.map(ptr::from_ref) == b.map(ptr::from_ref);
        ptr::eq(self.form, other.form) && self.tokens.iter().zip(&other.tokens).all(is_same)
    }
}

/// How modifiers lie on the positions of a form.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The form.
    pub form: &'static Form,
    /// The token at each position; `None` where nothing stands.
    pub tokens: Vec<Option<&'static Token>>,
    /// The indices of modifiers that fit no free position.
    pub strays: Vec<usize>,
}

impl Placement {
    /// The positions where a token must stand and none does.
    pub fn missing(&self) -> impl Iterator<Item = &'static Position> {
        self.free().filter(|position| !position.optional)
    }

    /// The positions where nothing stands.
    pub fn free(&self) -> impl Iterator<Item = &'static Position> {
        self.form.positions.iter().zip(&self.tokens).filter(|(_, token)| token.is_none()).map(|(position, _)| position)
    }
}

/// The instruction of this mnemonic.
pub fn lookup(mnemonic: &str) -> Option<&'static Instruction> {
    INSTRUCTIONS.iter().find(|instruction| instruction.mnemonic == mnemonic)
}

impl Instruction {
    /// Whether modifiers make another thread see it happen, whatever form they fit.
    pub fn is_ordered(&self, modifiers: &str) -> bool {
        modifiers.split('.').any(|word| self.ordering.contains(&word))
    }

    /// The variant of a form that modifiers (`global.b32`, in any order) name, if they fit it.
    pub fn fit(&'static self, form: &'static Form, modifiers: &str) -> Option<Variant> {
        let Placement { tokens, strays, .. } = form.place(modifiers);
        let is_whole = form.positions.iter().zip(&tokens).all(|(position, token)| position.optional || token.is_some());
        (strays.is_empty() && is_whole).then_some(Variant { instruction: self, form, tokens })
    }

    /// Every legal spelling, form by form.
    pub fn variants(&'static self) -> impl Iterator<Item = Variant> {
        self.forms.iter().flat_map(move |form| {
            let mut spellings: Vec<Vec<Option<&'static Token>>> = vec![vec![]];
            for position in form.positions {
                let choices =
                    position.optional.then_some(None).into_iter().chain(position.tokens.iter().copied().map(Some));
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
    /// The type of an operand of the form.
    pub fn type_of(&self, operand: &Operand) -> &'static PtxType {
        let r#type = match operand.r#type {
            OperandType::First => self.opcode_type(),
            OperandType::Second => self.types().nth(1),
            OperandType::Own(own) => Some(own),
        };
        r#type.expect("a record names a type for every operand")
    }

    /// The first type that stands in the opcode.
    pub fn opcode_type(&self) -> Option<&'static PtxType> {
        self.types().next()
    }

    /// The types that stand in the opcode.
    pub fn types(&self) -> impl Iterator<Item = &'static PtxType> {
        self.kinds().filter_map(|kind| if let TokenKind::Type(its) = kind { Some(*its) } else { None })
    }

    /// Whether this modifier stands in the opcode.
    pub fn has(&self, token: &str) -> bool {
        self.tokens.iter().flatten().any(|its| its.text == token)
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
