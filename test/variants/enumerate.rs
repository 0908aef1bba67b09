//! The ops that stand for the variants of the records.
//!
//! - A variant is a spelling of an instruction; each is taken without a clause and with each kind of clause that it can
//!   have. What the spelling names, special registers and kinds of symbols, it names one after the other.
//! - The MLIR types of operands take turns, so that all come by. Spellings whose operands are of the same PTX types do
//!   not differ in the MLIR types they take: of the first of them, each kind of clause is taken with all.
//! - So with the sinks.

use super::targets::FLOOR;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{
    INSTRUCTIONS, Instruction, Named, Needs, Operand, SPECIAL_REGISTERS, SYMBOL_KINDS, Variant,
};
use ptx_tile_dialect::named::{SpecialSource, SymbolKind, special_fits};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// Every spelling of every form.
pub fn spellings() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> =
        LazyLock::new(|| INSTRUCTIONS.iter().flat_map(Instruction::variants).collect());
    &ALL
}

/// An op.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its spelling.
    pub variant: &'static Variant,
    /// What it names.
    pub source: Source,
    /// Which types its operands have: the first takes the type of this number, and each the next of its own, as an
    /// odometer turns.
    types: u32,
    /// What else it has.
    pub clauses: Clauses,
}

/// What an op reads that is no value.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// Nothing: it reads values.
    Values,
    /// This.
    Special(SpecialSource),
    /// The address of such a symbol.
    Symbol(&'static SymbolKind),
}

impl Source {
    fn needs(&self) -> Needs {
        match self {
            Source::Values => Needs::NOTHING,
            Source::Special(source) => source.register.needs,
            Source::Symbol(kind) => kind.needs,
        }
    }
}

/// What an op has beside its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clauses {
    /// A predicate; whether it is negated.
    pub pred: Option<bool>,
    /// The old values are kept where the predicate is false.
    pub preserves: bool,
    /// Constants stand where they may; where they must stand, the greatest instead of the least.
    pub constants: bool,
    /// Bytes added to the address.
    pub offset: i32,
    /// Sources that can be are negated.
    pub inverted: bool,
    /// A bit for each word that may be sunk.
    pub sink: u32,
}

impl Clauses {
    /// The kind, apart from numbers.
    pub fn kind(&self) -> impl Hash + use<> {
        Clauses { offset: self.offset.signum(), sink: self.sink.min(1), ..*self }
    }
}

impl Case {
    /// The least target.
    pub fn needs(&self) -> Needs {
        self.variant.needs().max(self.source.needs()).max(FLOOR)
    }

    /// The type at each operand.
    pub fn elements(&self) -> Vec<Element> {
        let mut rest = self.types as usize;
        let choices = types(self.variant);
        let digit = |choices: &'static [Element]| {
            let element = choices[rest % choices.len()];
            rest /= choices.len();
            element
        };
        choices.into_iter().map(digit).collect()
    }

    /// What this op shows that another may not: each in a number of its own.
    pub fn features(&self) -> Vec<u64> {
        let form = std::ptr::from_ref(self.variant.form) as usize;
        let kind = || self.clauses.kind();
        let mut features = vec![hash((form, kind()))];
        for token in self.variant.tokens.iter().flatten() {
            features.push(hash((form, token.text)));
            features.push(hash((self.variant.instruction.mnemonic, token.text, kind())));
        }
        for (i, (operand, element)) in self.variant.form.operands.iter().zip(self.elements()).enumerate() {
            let its = self.variant.type_of(operand).token;
            features.push(hash((self.variant.instruction.mnemonic, operand.registers, i, its, element)));
        }
        features.push(match self.source {
            Source::Values => 0,
            Source::Special(source) => hash((form, source.register.name, source.component)),
            Source::Symbol(kind) => hash((form, kind.summary)),
        });
        features
    }
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The ops, in the order of the records.
pub fn cases() -> Vec<Case> {
    let mut of_types: HashSet<(usize, Vec<&str>)> = HashSet::new();
    let mut turns: HashMap<usize, u32> = HashMap::new();
    let mut all = vec![];
    for variant in spellings() {
        let form = std::ptr::from_ref(variant.form) as usize;
        let tokens = variant.form.operands.iter().map(|operand| variant.type_of(operand).token).collect();
        let is_first = of_types.insert((form, tokens));
        let turn = turns.entry(form).or_default();
        let sources = sources(variant);
        let rows = rows(variant);
        let kinds = clauses(variant);
        let mut add = |source: Source, row: usize, clauses: Clauses| {
            all.push(Case { variant, source, types: rows[row % rows.len()], clauses });
        };
        if is_first {
            for clauses in &kinds {
                (0..rows.len()).for_each(|row| add(sources[0], row, *clauses));
            }
            for sink in sinks(variant) {
                add(sources[0], 0, Clauses { sink, ..Clauses::default() });
                add(sources[0], 0, Clauses { sink, pred: Some(true), preserves: true, ..Clauses::default() });
            }
        } else {
            for clauses in &kinds {
                add(sources[0], *turn as usize, *clauses);
                *turn += 1;
            }
            let sinks = sinks(variant);
            if let Some(sink) = sinks.get(*turn as usize % sinks.len().max(1)) {
                add(sources[0], *turn as usize, Clauses { sink: *sink, ..Clauses::default() });
            }
        }
        sources[1..].iter().for_each(|source| add(*source, 0, Clauses::default()));
    }
    all
}

/// A few of the ops that together show each feature that one of them shows.
pub fn sample(cases: &[Case]) -> Vec<Case> {
    let mut shown = HashSet::new();
    let is_new = |case: &&Case| {
        let before = shown.len();
        shown.extend(case.features());
        shown.len() > before
    };
    cases.iter().filter(is_new).copied().collect()
}

/// The kinds of clauses that a variant can have, none first.
fn clauses(variant: &Variant) -> Vec<Clauses> {
    let none = Clauses::default();
    let any = |has: fn(&Operand) -> bool| variant.form.operands.iter().any(has);
    let mut all = vec![none, Clauses { pred: Some(false), ..none }, Clauses { pred: Some(true), ..none }];
    if any(|operand| operand.written) {
        all.push(Clauses { pred: Some(false), preserves: true, ..none });
    }
    if any(|operand| operand.address || operand.named == Some(Named::Symbol)) {
        all.push(Clauses { offset: 16, ..none });
    }
    if any(|operand| operand.address) {
        all.push(Clauses { offset: -16, ..none });
    }
    if any(|operand| operand.negatable) {
        all.push(Clauses { inverted: true, ..none });
        all.push(Clauses { inverted: true, constants: true, pred: Some(true), ..none });
    }
    if any(|operand| operand.immediate) {
        all.push(Clauses { constants: true, ..none });
    }
    all
}

/// Sets of sunk words: all sets where there are few words, else one, all but one, and every second. One word is written
/// at least.
fn sinks(variant: &Variant) -> Vec<u32> {
    let count = |operand: &Operand| if operand.sink { operand.registers } else { 0 };
    let words: u32 = variant.form.operands.iter().map(count).sum();
    let all = (1u32 << words) - 1;
    let mut sets: Vec<u32> = if words <= 4 {
        (1..all).collect()
    } else {
        let ones = (0..words).map(|word| 1 << word);
        ones.clone().chain(ones.map(|one| all ^ one)).chain([all & 0x5555_5555, all & 0xAAAA_AAAA]).collect()
    };
    if words > 0 && variant.form.operands.iter().any(|operand| operand.written && !operand.sink) {
        sets.push(all);
    }
    sets
}

/// The types that each operand takes; what is named takes none, which is one choice, and so is an address.
fn types(variant: &Variant) -> Vec<&'static [Element]> {
    const POINTER: &[Element] = &[Element::of(Scalar::Ptr(0))];
    let of = |operand: &Operand| match operand.named {
        None if !operand.address => variant.type_of(operand).types,
        _ => POINTER,
    };
    variant.form.operands.iter().map(of).collect()
}

/// Choices of types: all together where these are few, else as few as have each type at each operand, next to other
/// ones and next to the same.
fn rows(variant: &Variant) -> Vec<u32> {
    const FEW: usize = 40;
    let sizes: Vec<usize> = types(variant).iter().map(|choices| choices.len()).collect();
    let all: usize = sizes.iter().product();
    if all <= FEW {
        return (0..all as u32).collect();
    }
    let most = sizes.iter().copied().max().unwrap_or(1);
    let row = |i: usize, step: usize| {
        let digits = sizes.iter().enumerate().rev();
        digits.fold(0, |number, (place, size)| number * size + (i + place * step) % size) as u32
    };
    (0..most).flat_map(|i| [row(i, 0), row(i, 1)]).collect()
}

/// All that an op of the variant may name; of most, that is nothing, which is one choice.
fn sources(variant: &Variant) -> Vec<Source> {
    match variant.form.named() {
        None => vec![Source::Values],
        Some(Named::SpecialRegister) => {
            let all = SPECIAL_REGISTERS.iter().flat_map(|register| register.sources());
            all.filter(|source| special_fits(variant, source).is_ok()).map(Source::Special).collect()
        }
        Some(Named::Symbol) => {
            let its = variant.opcode_type().expect("an address has a type").token;
            let kinds = SYMBOL_KINDS.iter().filter(|kind| kind.types.iter().any(|taken| taken.token == its));
            let mut kinds: Vec<_> = kinds.collect();
            // The first has every clause, an offset too.
            kinds.sort_by_key(|kind| kind.space.is_none());
            kinds.into_iter().map(Source::Symbol).collect()
        }
    }
}
