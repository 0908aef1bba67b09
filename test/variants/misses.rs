//! Near misses: instructions that are almost one of a record, and that no record has.
//!
//! - Of an opcode: a word left out, exchanged for another, or put in. The words are those of all records and those of
//!   which a record says that it refuses them. Each form and word meet; the other words of the opcode take turns.
//! - Of the operands: another width, other registers of a group, one operand less or more, a constant, a sink or a
//!   negation where none may stand, and names that are not read so.
//! - Operands are what they are in PTX, registers of a width: which MLIR types a form takes beside is our own affair.
//!   So is that an instruction writes something at least, and no word comes twice.
//! - What ptxas takes of them a record refuses by choice, and says why, or it lacks a form.

use super::enumerate::spellings;
use super::targets::{self, CHIPS, NEWEST, Target};
use ptx_tile_dialect::instruction::{
    Form, INSTRUCTIONS, Instruction, Named, Operand, OperandType, Position, PtxType, Refused, SPECIAL_REGISTERS,
    SYMBOL_KINDS, Token, TokenKind, Variant,
};
use ptx_tile_dialect::named::{SpecialSource, SymbolKind, special_fits};
use ptx_tile_dialect::opcode;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

/// An instruction as PTX has it.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The mnemonic.
    pub instruction: &'static Instruction,
    /// `ld.global.b32`
    pub opcode: String,
    /// Its operands.
    pub slots: Arc<[Slot]>,
    /// What it is tried for: what it nearly is there, PTX has there.
    pub target: Target,
}

/// An operand as PTX has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// It is written; the text of an instruction does not say so.
    pub written: bool,
    joined: bool,
    negated: bool,
    /// One, or a group in braces.
    pub words: Vec<Word>,
}

/// What stands for one word of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// A register of so many bits.
    Register(u32),
    /// An address in a register of so many bits.
    Address(u32),
    /// An integer.
    Integer(i64),
    /// A float of so many bits.
    Float(u32),
    /// `_`
    Sink,
    /// A special register.
    Special(SpecialSource),
    /// The address of a symbol.
    Symbol(&'static SymbolKind),
}

impl Word {
    /// With registers by their widths.
    fn text(&self) -> String {
        match self {
            Word::Register(1) => "pred".into(),
            Word::Register(width) => format!("b{width}"),
            Word::Address(width) => format!("[b{width}]"),
            Word::Integer(value) => value.to_string(),
            Word::Float(64) => "0d3FF8000000000000".into(),
            Word::Float(_) => "0f3FC00000".into(),
            Word::Sink => "_".into(),
            Word::Special(source) => format!("%{source}"),
            Word::Symbol(kind) => symbol(kind),
        }
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.text() == other.text()
    }
}
impl Eq for Word {}
impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

/// The name of a symbol of this kind in the PTX of converse.rs.
pub fn symbol(kind: &SymbolKind) -> String {
    match kind.space {
        Some(space) => format!("variable{space}"),
        None if kind.kernel => "kernel".into(),
        None => "function".into(),
    }
}

/// `ld.global.v2.b32 {b32, b32}, [b64]`
impl fmt::Display for Miss {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} {}", self.opcode, arguments(&self.slots, |_, word| word.text()))
    }
}

/// The operands of an instruction, with a text for each word; the flag says that it is written.
pub fn arguments(slots: &[Slot], mut text: impl FnMut(bool, &Word) -> String) -> String {
    let mut all = String::new();
    for (i, slot) in slots.iter().enumerate() {
        let words: Vec<String> = slot.words.iter().map(|word| text(slot.written, word)).collect();
        let words = if let [word] = words.as_slice() { word.clone() } else { format!("{{{}}}", words.join(", ")) };
        let separator = if i == 0 {
            ""
        } else if slot.joined {
            "|"
        } else {
            ", "
        };
        write!(all, "{separator}{}{words}", if slot.negated { "!" } else { "" }).expect("a String takes all");
    }
    all
}

impl Miss {
    /// Whether a record has it.
    pub fn is_legal(&self) -> bool {
        spelled(&self.opcode).iter().any(|variant| deviations(variant, &self.slots).is_some_and(|all| all.is_empty()))
    }

    /// The same, asked of what reads opcodes, which takes longer.
    pub fn is_read(&self) -> bool {
        let is_legal = |variant: &Variant| deviations(variant, &self.slots).is_some_and(|all| all.is_empty());
        opcode::read(&self.opcode).is_ok_and(|variants| variants.iter().any(is_legal))
    }

    /// What its mnemonic says to refuse, if this is all that is wrong here: as places in `refused`.
    pub fn covered(&self, refused: &[Refused]) -> Vec<usize> {
        let place = |fits: &dyn Fn(&Refused) -> bool| refused.iter().position(fits);
        let text = self.to_string();
        let is_so = |it: &Refused| {
            let found = if it.opcode.contains(' ') { &text } else { &self.opcode };
            it.operands.is_empty() && opcode::is_like(found, it.opcode)
        };
        if let Some(place) = place(&is_so) {
            return vec![place];
        }
        let because = |what: &str| place(&|it| it.operands == what && opcode::is_like(&self.opcode, it.opcode));
        let all = |deviations: Vec<String>| deviations.iter().map(|what| because(what)).collect::<Option<Vec<_>>>();
        let of_operands = spelled(&self.opcode).iter().filter_map(|variant| deviations(variant, &self.slots));
        of_operands.filter_map(all).next().or_else(|| all(vec![self.lacking()?])).unwrap_or_default()
    }

    /// The words of its opcode.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.opcode.split('.').skip(1)
    }

    /// A legal instruction in this notation.
    pub fn none(variant: &Variant) -> Miss {
        let base = Base::of(variant.clone());
        let (instruction, opcode) = (variant.instruction, variant.to_string());
        Miss { instruction, opcode, slots: base.slots, target: base.target }
    }

    /// The same, where one word may stand elsewhere: a glob cannot say that the order is no matter.
    pub fn covered_in_any_order(&self, refused: &[Refused]) -> Vec<usize> {
        let words: Vec<&str> = self.opcode.split('.').collect();
        let moved = (1..words.len()).flat_map(|from| (1..words.len()).map(move |to| (from, to)));
        let moved = moved.map(|(from, to)| {
            let mut words = words.clone();
            let word = words.remove(from);
            words.insert(to, word);
            Miss { opcode: words.join("."), ..self.clone() }
        });
        let mut covered = [self.clone()].into_iter().chain(moved).map(|miss| miss.covered(refused));
        covered.find(|places| !places.is_empty()).unwrap_or_default()
    }

    /// `without a state space`, where one word of such a position would make it legal.
    fn lacking(&self) -> Option<String> {
        let positions = self.instruction.forms.iter().flat_map(|form| form.positions).filter(|it| !it.optional);
        let completes = |word: &str| {
            let whole = Miss { opcode: format!("{}.{word}", self.opcode), ..self.clone() };
            // The type would be the last one.
            !TYPES.contains_key(word) && whole.is_legal()
        };
        let lacks = |position: &&Position| position.tokens.iter().any(|token| completes(token.text));
        positions.filter(lacks).map(|position| format!("without a {}", position.name)).next()
    }
}

/// The variants of an opcode whose words may come in any order.
fn spelled(opcode: &str) -> &'static [&'static Variant] {
    static BY_WORDS: LazyLock<HashMap<String, Vec<&'static Variant>>> = LazyLock::new(|| {
        let mut by_words: HashMap<String, Vec<&'static Variant>> = HashMap::new();
        for variant in spellings() {
            by_words.entry(in_any_order(&variant.to_string())).or_default().push(variant);
        }
        by_words
    });
    BY_WORDS.get(&in_any_order(opcode)).map_or(&[], Vec::as_slice)
}

/// The words of an opcode in an order that is the same for all that mean the same: only types keep theirs.
fn in_any_order(text: &str) -> String {
    let (types, mut others): (Vec<&str>, Vec<&str>) = text.split('.').partition(|word| TYPES.contains_key(word));
    others[1..].sort_unstable();
    [others, types].concat().join(".")
}

/// The types by their words.
static TYPES: LazyLock<HashMap<&str, &PtxType>> = LazyLock::new(|| {
    let tokens = INSTRUCTIONS.iter().flat_map(tokens);
    tokens
        .filter_map(|token| if let TokenKind::Type(its) = token.kind { Some((token.text, its)) } else { None })
        .collect()
});

/// Whether a form of the mnemonic has a word.
pub fn knows(instruction: &'static Instruction, word: &str) -> bool {
    tokens(instruction).any(|token| token.text == word)
}

fn tokens(instruction: &'static Instruction) -> impl Iterator<Item = &'static Token> {
    instruction.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens.iter().copied())
}

/// The width of the registers of an operand of a type.
fn width(operand: &Operand, its: &PtxType) -> u32 {
    match its.width {
        // NVPTX has no register of 8 bits, so that one of them is declared only where it must be.
        8 if operand.exact_width && its.conversions.is_some() => 8,
        2..16 => 16,
        width => width,
    }
}

/// What is wrong with the operands for a variant, each once; `None` where they are too many or too few.
fn deviations(variant: &Variant, slots: &[Slot]) -> Option<Vec<String>> {
    let operands = variant.form.operands;
    if operands.len() != slots.len() {
        return None;
    }
    let mut all: Vec<String> = vec![];
    for what in operands.iter().zip(slots).flat_map(|(operand, slot)| deviation(variant, operand, slot)) {
        if !all.iter().any(|known| known == what) {
            all.push(what.into());
        }
    }
    Some(all)
}

fn deviation(variant: &Variant, operand: &Operand, slot: &Slot) -> Vec<&'static str> {
    let its = variant.type_of(operand);
    let count = if operand.address || operand.named.is_some() { 1 } else { operand.registers as usize };
    let of_word = |word: &Word| match word {
        Word::Special(source) if operand.named == Some(Named::SpecialRegister) => {
            (special_fits(variant, source).is_err()).then_some("with another special register")
        }
        Word::Symbol(kind) if operand.named == Some(Named::Symbol) => {
            let is_taken = kind.types.iter().any(|taken| taken.token == its.token);
            (!is_taken).then_some("with another symbol")
        }
        Word::Address(width) if operand.address => (*width != 64).then_some("with an address of 32 bits"),
        _ if operand.named.is_some() || operand.address => Some("with another operand"),
        Word::Register(_) if operand.constant => Some("with a register"),
        Word::Register(found) => {
            let is_fit = match its.maybe_wider {
                true => its.types.iter().any(|element| element.width().max(16) == *found),
                false => width(operand, its) == *found,
            };
            (!is_fit).then_some(if *found > its.width { "with a wider register" } else { "with a narrower register" })
        }
        Word::Integer(_) | Word::Float(_) if !operand.immediate => Some("with a constant"),
        Word::Integer(value) if !its.float => {
            let is_within = operand.bounds.is_none_or(|(least, most)| (least..=most).contains(value));
            (!is_within).then_some("with a constant out of bounds")
        }
        Word::Float(_) if its.float => None,
        Word::Sink => (!operand.sink).then_some("with a sink"),
        _ => Some("with another operand"),
    };
    let words = slot.words.iter().filter_map(of_word);
    let count = (slot.words.len() != count).then_some("with another number of registers");
    let joined = (slot.joined != operand.joined).then_some("with a |");
    let negated = (slot.negated && !operand.negatable).then_some("with a negation");
    words.chain(count).chain(joined).chain(negated).collect()
}

/// The near misses, each once, in the order of the records.
pub fn misses() -> Vec<Miss> {
    let mut all = Misses { seen: HashSet::new(), misses: vec![] };
    for instruction in INSTRUCTIONS {
        let words = Words::of(instruction);
        for (number, form) in instruction.forms.iter().enumerate() {
            let bases = bases(instruction, form);
            opcodes(&bases, &words, number, &mut all);
            let mut shapes = HashSet::new();
            for base in &bases {
                let types = form.operands.iter().map(|operand| base.variant.type_of(operand).token);
                if shapes.insert(types.collect::<Vec<_>>()) {
                    operands(base, &mut all);
                }
            }
        }
    }
    all.misses
}

/// Each word at the end of a few opcodes whose mnemonics do not know it.
pub fn probes() -> Vec<(&'static str, Miss)> {
    const EACH: usize = 12;
    let mut words: Vec<&str> = INSTRUCTIONS.iter().flat_map(tokens).map(|token| token.text).collect();
    unique(&mut words);
    let firsts: Vec<&Variant> = INSTRUCTIONS
        .iter()
        .filter_map(|it| spellings().iter().find(|variant| std::ptr::eq(variant.instruction, it)))
        .collect();
    let of_word = |(turn, word): (usize, &'static str)| {
        let strangers: Vec<&Variant> = firsts.iter().copied().filter(|it| !knows(it.instruction, word)).collect();
        let some = (0..EACH).map(move |i| strangers[(turn + i * strangers.len() / EACH) % strangers.len()]);
        some.map(move |variant| (word, Miss { opcode: format!("{variant}.{word}"), ..Miss::none(variant) }))
    };
    words.into_iter().enumerate().flat_map(of_word).collect()
}

/// One of many of the near misses.
pub fn sample(all: &[Miss]) -> Vec<Miss> {
    const MANY: usize = 41;
    all.iter().step_by(MANY).cloned().collect()
}

/// What is found so far.
struct Misses {
    seen: HashSet<u64>,
    misses: Vec<Miss>,
}

impl Misses {
    fn add(&mut self, base: &Base, opcode: &str, slots: &Arc<[Slot]>) {
        let mut hasher = DefaultHasher::new();
        (opcode, slots, base.target).hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return;
        }
        let instruction = base.variant.instruction;
        let miss = Miss { instruction, opcode: opcode.into(), slots: slots.clone(), target: base.target };
        if !miss.is_legal() {
            self.misses.push(miss);
        }
    }
}

/// A variant of which near misses are made.
struct Base {
    variant: Variant,
    words: Vec<&'static str>,
    slots: Arc<[Slot]>,
    target: Target,
}

impl Base {
    fn of(variant: Variant) -> Base {
        let words = variant.tokens.iter().flatten().map(|token| token.text).collect();
        let types = [variant.types().next(), variant.types().nth(1)];
        let slots = slots(variant.form, types).expect("a variant has the types of its operands");
        let target = newest(&variant);
        Base { variant, words, slots, target }
    }
}

/// Variants that together have each token of a form at its position, and each position empty that may be.
fn bases(instruction: &'static Instruction, form: &'static Form) -> Vec<Base> {
    let choices: Vec<Vec<Option<&'static Token>>> = form
        .positions
        .iter()
        .map(|position| {
            position.optional.then_some(None).into_iter().chain(position.tokens.iter().copied().map(Some)).collect()
        })
        .collect();
    let most = choices.iter().map(Vec::len).max().unwrap_or(1);
    let base = |i: usize| {
        let tokens = choices.iter().map(|choices| choices[i % choices.len()]).collect();
        Base::of(Variant { instruction, form, tokens })
    };
    (0..most).map(base).collect()
}

/// The newest PTX on a chip that has the variant: sm_100a, which has most.
fn newest(variant: &Variant) -> Target {
    const CHIP: &str = "sm_100a";
    let needs = variant.needs();
    let chip =
        if needs.has(CHIP) { CHIP } else { CHIPS.iter().map(|it| it.0).find(|it| needs.has(it)).unwrap_or(CHIP) };
    Target { ptx: NEWEST.max(targets::least_version(chip)), chip }
}

/// The operands of a form where its opcode has these types.
fn slots(form: &Form, types: [Option<&'static PtxType>; 2]) -> Option<Arc<[Slot]>> {
    let slot = |operand: &Operand| {
        let its = match operand.r#type {
            OperandType::First => types[0]?,
            OperandType::Second => types[1]?,
            OperandType::Own(own) => own,
        };
        let word = match (operand.named, operand.bounds) {
            (Some(Named::SpecialRegister), _) => Word::Special(example(its, operand.registers > 1)?),
            (Some(Named::Symbol), _) => {
                let mut kinds = SYMBOL_KINDS.iter();
                Word::Symbol(kinds.find(|kind| kind.types.iter().any(|taken| taken.token == its.token))?)
            }
            _ if operand.address => Word::Address(64),
            (_, bounds) if operand.constant => Word::Integer(bounds.map_or(1, |(least, _)| least)),
            _ => Word::Register(width(operand, its)),
        };
        let is_one = operand.address || operand.named.is_some();
        let words = vec![word; if is_one { 1 } else { operand.registers as usize }];
        Some(Slot { written: operand.written, joined: operand.joined, negated: false, words })
    };
    form.operands.iter().map(slot).collect()
}

/// A special register that a type reads.
fn example(its: &PtxType, whole: bool) -> Option<SpecialSource> {
    let registers = SPECIAL_REGISTERS.iter().filter(|it| it.types.iter().any(|by| by.token == its.token));
    registers.flat_map(|it| it.sources()).find(|it| whole == (it.register.vector && it.component.is_none()))
}

/// The words that may come into an opcode of a mnemonic.
struct Words {
    /// Types: its own, and those of others.
    types: Vec<&'static str>,
    own_types: usize,
    /// Other words of its own, and those that it refuses.
    own: Vec<&'static str>,
    /// Other words of others.
    others: Vec<&'static str>,
    /// Which word comes before which in a form.
    order: HashSet<(&'static str, &'static str)>,
    /// The words of each form.
    of_forms: Vec<HashSet<&'static str>>,
}

impl Words {
    fn of(instruction: &'static Instruction) -> Words {
        let refused = instruction.refused.iter().filter_map(|refused| refused.opcode.split(' ').next());
        let refused = refused.flat_map(|opcode| opcode.split(['.', '*']).skip(1));
        let mut own: Vec<&str> = tokens(instruction).map(|token| token.text).chain(refused).collect();
        own.retain(|word| !word.is_empty());
        let mut others: Vec<&str> = INSTRUCTIONS.iter().flat_map(tokens).map(|token| token.text).collect();
        unique(&mut own);
        unique(&mut others);
        // A part of a word is none.
        own.retain(|word| others.contains(word) || !others.iter().any(|whole| whole.contains(word)));
        others.retain(|word| !own.contains(word));
        let is_type = |word: &&str| TYPES.contains_key(word);
        let (mut types, own): (Vec<&str>, Vec<&str>) = own.into_iter().partition(is_type);
        let own_types = types.len();
        let (more, others): (Vec<&str>, Vec<&str>) = others.into_iter().partition(is_type);
        types.extend(more);
        let mut order = HashSet::new();
        for positions in instruction.forms.iter().map(|form| form.positions) {
            for (i, second) in positions.iter().enumerate() {
                let pairs = positions[..i]
                    .iter()
                    .flat_map(|it| it.tokens)
                    .flat_map(|first| second.tokens.iter().map(|second| (first.text, second.text)));
                order.extend(pairs);
            }
        }
        let words_of =
            |form: &Form| form.positions.iter().flat_map(|position| position.tokens).map(|token| token.text).collect();
        let of_forms = instruction.forms.iter().map(words_of).collect();
        Words { types, own_types, own, others, order, of_forms }
    }

    /// The opcode with a word more, in each place where its order is least unlike that of the forms.
    fn with(&self, words: &[&'static str], word: &'static str) -> Vec<Vec<&'static str>> {
        let is_after =
            |first: &str, second: &str| self.order.contains(&(second, first)) && !self.order.contains(&(first, second));
        let faults = |gap: usize| {
            let (before, after) = words.split_at(gap);
            before.iter().filter(|it| is_after(it, word)).count() + after.iter().filter(|it| is_after(word, it)).count()
        };
        let least = (0..=words.len()).map(faults).min().unwrap_or_default();
        let gaps = (0..=words.len()).filter(|gap| faults(*gap) == least);
        gaps.map(|gap| [&words[..gap], &[word], &words[gap..]].concat()).collect()
    }
}

fn unique(words: &mut Vec<&str>) {
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(*word));
}

/// With more forms, the other words of an opcode take turns.
const FEW_FORMS: usize = 24;

/// The near misses of the opcodes of a form, of which these are `bases`; it is that of this number.
fn opcodes(bases: &[Base], words: &Words, number: usize, all: &mut Misses) {
    let mut add = |base: &Base, opcode: Vec<&'static str>| {
        let is_twice =
            opcode.iter().enumerate().any(|(i, word)| opcode[..i].contains(word) && !TYPES.contains_key(word));
        if !is_twice {
            for slots in operand_lists(base, &opcode, words) {
                let mnemonic = base.variant.instruction.mnemonic;
                all.add(base, &[&[mnemonic], opcode.as_slice()].concat().join("."), &slots);
            }
        }
    };
    let without = |base: &Base, place: usize| [&base.words[..place], &base.words[place + 1..]].concat();
    for base in bases {
        (0..base.words.len()).for_each(|place| add(base, without(base, place)));
    }
    let turns =
        |i: usize| if words.of_forms.len() > FEW_FORMS { &bases[(i + number) % bases.len()..][..1] } else { bases };
    for (base, word) in words.own.iter().enumerate().flat_map(|(i, word)| turns(i).iter().map(|base| (base, *word))) {
        words.with(&base.words, word).into_iter().for_each(|opcode| add(base, opcode));
        for place in (0..base.words.len()).filter(|place| !TYPES.contains_key(base.words[*place])) {
            words.with(&without(base, place), word).into_iter().for_each(|opcode| add(base, opcode));
        }
    }
    for (i, word) in words.types.iter().copied().enumerate() {
        let base = &bases[(i + number) % bases.len()];
        let types: Vec<usize> = (0..base.words.len()).filter(|place| TYPES.contains_key(base.words[*place])).collect();
        for place in &types {
            let (before, after) = (&base.words[..*place], &base.words[*place + 1..]);
            add(base, [before, &[word], after].concat());
        }
        // A second type before and after the one that there is.
        if let ([place], true) = (types.as_slice(), i < words.own_types) {
            for gap in [*place, *place + 1] {
                add(base, [&base.words[..gap], &[word], &base.words[gap..]].concat());
            }
        }
    }
    for (i, word) in words.others.iter().copied().enumerate() {
        let base = &bases[(i + number) % bases.len()];
        let gap = (i / bases.len() + number) % (base.words.len() + 1);
        add(base, [&base.words[..gap], &[word], &base.words[gap..]].concat());
    }
}

/// The operands that an opcode may be meant with: those of the form that it nearly is, and of the other forms of the
/// mnemonic that have all but one of its words.
fn operand_lists(base: &Base, opcode: &[&'static str], words: &Words) -> Vec<Arc<[Slot]>> {
    let mut types = opcode.iter().filter_map(|word| TYPES.get(word).copied());
    let own = [base.variant.types().next(), base.variant.types().nth(1)];
    let types = [types.next().or(own[0]), types.next().or(own[1])];
    let forms = base.variant.instruction.forms.iter().zip(&words.of_forms);
    let is_near = |(form, has): &(&Form, &HashSet<&str>)| {
        !std::ptr::eq(*form, base.variant.form) && opcode.iter().filter(|word| !has.contains(*word)).count() <= 1
    };
    let forms = [base.variant.form].into_iter().chain(forms.filter(is_near).map(|(form, _)| form));
    let mut lists: Vec<Arc<[Slot]>> = vec![];
    for slots in forms.filter_map(|form| slots(form, types)) {
        if !lists.contains(&slots) {
            lists.push(slots);
        }
    }
    lists
}

/// The near misses of the operands of `base`.
fn operands(base: &Base, all: &mut Misses) {
    let opcode = base.variant.to_string();
    let mut add = |slots: Vec<Slot>| {
        let mut written = slots.iter().filter(|slot| slot.written).flat_map(|slot| &slot.words).peekable();
        if written.peek().is_none() || written.any(|word| *word != Word::Sink) {
            all.add(base, &opcode, &slots.into());
        }
    };
    let with = |i: usize, change: &dyn Fn(&mut Slot)| {
        let mut slots = base.slots.to_vec();
        change(&mut slots[i]);
        slots
    };
    for (i, (slot, operand)) in base.slots.iter().zip(base.variant.form.operands).enumerate() {
        let its = base.variant.type_of(operand);
        match slot.words[0] {
            word @ (Word::Register(_) | Word::Integer(_)) => {
                // Where NVPTX has no register of 8 bits, PTX has one all the same.
                let has_byte = its.width != 8 && word != Word::Register(8);
                for width in [1, 8, 16, 32, 64, 128].into_iter().filter(|width| *width != 8 || has_byte) {
                    add(with(i, &|slot| slot.words.fill(Word::Register(width))));
                }
                for count in [1, 2, 3, 4, 8, 16] {
                    add(with(i, &|slot| slot.words = vec![slot.words[0]; count]));
                }
            }
            Word::Address(_) => {
                add(with(i, &|slot| slot.words = vec![Word::Address(32)]));
                add(with(i, &|slot| slot.words = vec![Word::Register(64)]));
            }
            Word::Special(_) => {
                for source in SPECIAL_REGISTERS.iter().flat_map(|register| register.sources()) {
                    add(with(i, &|slot| slot.words = vec![Word::Special(source)]));
                }
            }
            Word::Symbol(_) => {
                for kind in SYMBOL_KINDS {
                    add(with(i, &|slot| slot.words = vec![Word::Symbol(kind)]));
                }
            }
            Word::Float(_) | Word::Sink => {}
        }
        if slot.written {
            add(with(i, &|slot| slot.words[0] = Word::Sink));
            add(with(i, &|slot| slot.words.fill(Word::Sink)));
        } else {
            // Of a constant `!` makes another one.
            if !operand.constant {
                add(with(i, &|slot| slot.negated = true));
            }
            let constant = if its.float { Word::Float(its.width) } else { Word::Integer(1) };
            add(with(i, &|slot| slot.words.fill(constant)));
            if let Some((least, most)) = operand.bounds {
                add(with(i, &|slot| slot.words.fill(Word::Integer(least - 1))));
                add(with(i, &|slot| slot.words.fill(Word::Integer(most + 1))));
            }
        }
        let mut fewer = base.slots.to_vec();
        fewer.remove(i);
        if let Some(first) = fewer.first_mut() {
            first.joined = false;
            add(fewer);
        }
    }
    let more = |written: bool, joined: bool, width: u32| Slot {
        written,
        joined,
        negated: false,
        words: vec![Word::Register(width)],
    };
    for width in [1, 32, 64] {
        add([&base.slots[..], &[more(false, false, width)]].concat());
    }
    let after = base.slots.iter().position(|slot| !slot.written).unwrap_or(base.slots.len());
    for joined in [true, false].into_iter().filter(|_| after > 0) {
        let (written, read) = base.slots.split_at(after);
        add([written, &[more(true, joined, 1)], read].concat());
    }
}
