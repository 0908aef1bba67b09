//! Bits: logic, shifts, fields and selections (ISA 9.7.1, 9.7.6, 9.7.8, 9.7.9). A bit of a result is defined where the
//! bits that it is made of decide it.

use super::lanes::Kind;
use super::{Executed, Word, low};
use anyhow::Result;

/// The result of a function of three bits at every place. Bit `4 * a + 2 * b + c` of the table says what becomes of
/// `a`, `b` and `c`, as in the constant of `lop3`.
pub(super) fn logic(table: u8, [a, b, c]: [Word; 3]) -> Word {
    let (mut may_be_0, mut may_be_1) = (0, 0);
    for entry in 0..8u8 {
        let may_be = |word: Word, bit: u8| {
            let same = if entry >> bit & 1 == 1 { word.bits } else { !word.bits };
            same | !word.defined
        };
        let here = may_be(a, 2) & may_be(b, 1) & may_be(c, 0);
        if table >> entry & 1 == 1 { may_be_1 |= here } else { may_be_0 |= here }
    }
    Word::partial(a.width, may_be_1, !(may_be_0 & may_be_1))
}

/// The table of `a & b`.
const AND: u8 = 0xf0 & 0xcc;
/// The table of `a | b`.
const OR: u8 = 0xf0 | 0xcc;
/// The table of `a ^ b`.
const XOR: u8 = 0xf0 ^ 0xcc;
/// The table of `!a`.
const NOT: u8 = !0xf0;
/// The table of `c ? a : b`.
const SELECT: u8 = 0xf0 & 0xaa | 0xcc & !0xaa;

/// `a` where the condition holds, else `b`; where it is not known, the bits that are the same in both.
pub(super) fn select(condition: Word, a: Word, b: Word) -> Word {
    logic(SELECT, [a, b, condition.sign_extended(a.width)])
}

/// A condition that is known or not.
pub(super) fn truth(known: Option<bool>) -> Word {
    known.map_or(Word::undefined(1), |truth| Word::new(1, truth.into()))
}

/// A truth combined with another, where the opcode says how: `and`, `or`, `xor` (ISA 9.3.2).
pub(super) fn combined(executed: &Executed, truth: Word, other: Word) -> Word {
    let table = match () {
        () if executed.variant.has("and") => AND,
        () if executed.variant.has("or") => OR,
        () => XOR,
    };
    logic(table, [truth, other, other])
}

/// `and` (ISA 9.7.8.1).
pub fn bits_and(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b] = executed.words()?;
    executed.give([logic(AND, [a, b, b])])
}

/// `or` (ISA 9.7.8.2).
pub fn bits_or(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b] = executed.words()?;
    executed.give([logic(OR, [a, b, b])])
}

/// `xor` (ISA 9.7.8.3).
pub fn bits_xor(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b] = executed.words()?;
    executed.give([logic(XOR, [a, b, b])])
}

/// `not` (ISA 9.7.8.4).
pub fn bits_not(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a] = executed.words()?;
    executed.give([logic(NOT, [a, a, a])])
}

/// `cnot`: whether all bits are 0 (ISA 9.7.8.5).
pub fn bits_are_zero(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a] = executed.words()?;
    executed.give([truth(not_zero(a).map(|any| !any)).resized(a.width)])
}

/// `lop3`: the table is the fourth source; with a predicate, whether any bit of the result is 1 as well (ISA 9.7.8.6).
pub fn bits_by_table(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    if executed.results.len() == 1 {
        let [a, b, c, table] = executed.words()?;
        return executed.give([by_table(table, [a, b, c])]);
    }
    let [a, b, c, table, q] = executed.words()?;
    let d = by_table(table, [a, b, c]);
    executed.give([d, combined(executed, truth(not_zero(d)), q)])
}

fn by_table(table: Word, words: [Word; 3]) -> Word {
    table.known().map_or(Word::undefined(words[0].width), |table| logic(table as u8, words))
}

/// Whether any bit is 1.
fn not_zero(word: Word) -> Option<bool> {
    if word.bits != 0 { Some(true) } else { word.known().map(|_| false) }
}

/// `shl`: by more than the width is by the width (ISA 9.7.8.8).
pub fn bits_shift_left(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, by] = executed.words()?;
    executed.give([amount(by).map_or(Word::undefined(a.width), |by| {
        let by = by.min(a.width);
        Word::joined([Word::new(by, 0), a.part(0, a.width - by)])
    })])
}

/// `shr`: by more than the width is by the width, and what comes in is the sign of a signed type, else 0 (ISA 9.7.8.9).
pub fn bits_shift_right(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let read = executed.read()?;
    let [a, by] = executed.words()?;
    executed.give([amount(by).map_or(Word::undefined(a.width), |by| match read[0].1.kind {
        Kind::Signed => a.sign_extended(Word::MAX_WIDTH).part(by.min(a.width), a.width),
        _ => a.part(by.min(a.width), a.width),
    })])
}

/// `shf`: 32 bits of two registers, shifted together (ISA 9.7.8.7).
pub fn bits_funnel_shift(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b, by] = executed.words()?;
    let both = Word::joined([a, b]);
    executed.give([amount(by).map_or(Word::undefined(a.width), |by| {
        let by = if executed.variant.has("wrap") { by % a.width } else { by.min(a.width) };
        both.part(if executed.variant.has("l") { a.width - by } else { by }, a.width)
    })])
}

/// An amount, where it is known.
fn amount(word: Word) -> Option<u32> {
    word.known().map(|bits| bits.try_into().unwrap_or(u32::MAX))
}

/// Which byte a mode of `prmt` takes, by the two low bits of its control and the byte that it becomes.
type Permutation = fn(u32, u32) -> u32;

const PERMUTATIONS: [(&str, Permutation); 6] = [
    ("f4e", |n, i| n + i),
    ("b4e", |n, i| 8 + n - i),
    ("rc8", |n, _| n),
    ("ecl", |n, i| n.max(i)),
    ("ecr", |n, i| n.min(i)),
    ("rc16", |n, i| n % 2 * 2 + i % 2),
];

/// `prmt`: four bytes of the eight of two registers (ISA 9.7.9.7).
pub fn bits_permute(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b, control] = executed.words()?;
    let both = Word::joined([a, b]);
    let source = |index: u32| both.part(8 * (index % 8), 8);
    let bytes = match PERMUTATIONS.iter().find(|(mode, _)| executed.variant.has(mode)) {
        Some((_, index)) => {
            let n = amount(control.part(0, 2));
            [0, 1, 2, 3].map(|i| n.map_or(Word::undefined(8), |n| source(index(n, i))))
        }
        None => [0, 1, 2, 3].map(|i| {
            let selector = amount(control.part(4 * i, 4));
            selector.map_or(Word::undefined(8), |selector| match selector {
                // The sign of a byte, as often as it has bits.
                8.. => source(selector).part(7, 1).sign_extended(8),
                _ => source(selector),
            })
        }),
    };
    executed.give([Word::joined(bytes)])
}

/// `selp`: one of two by a predicate (ISA 9.7.6.3).
pub fn bits_select(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b, condition] = executed.words()?;
    executed.give([select(condition, a, b)])
}

/// `brev`: the other way round (ISA 9.7.1.18).
pub fn bits_reverse(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a] = executed.words()?;
    executed.give([Word::joined((0..a.width).rev().map(|bit| a.part(bit, 1)))])
}

/// `bfe`: a field of bits; above it the highest of them or, beyond the register, the highest of the register, if the
/// type is signed (ISA 9.7.1.19). Place and length are less than 256.
pub fn bits_extract(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let signed = executed.read()?[0].1.kind == Kind::Signed;
    let [a, from, length] = executed.words()?;
    let field = byte(from).zip(byte(length)).map(|(from, length)| {
        // Beyond the register a field goes on with the sign: that the register is widened says so.
        let wide = if signed { a.sign_extended(Word::MAX_WIDTH) } else { a };
        let field = wide.part(from.min(a.width), length.min(a.width));
        if signed { field.sign_extended(a.width) } else { field.resized(a.width) }
    });
    executed.give([field.unwrap_or(Word::undefined(a.width))])
}

/// An amount that the ISA restricts to 8 bits. Of others sm_90 takes the lower 8 bits, or all of them.
fn byte(word: Word) -> Option<u32> {
    amount(word).filter(|amount| *amount < 256)
}

/// `bfi`: a field of bits put into others (ISA 9.7.1.20). Place and length are less than 256.
pub fn bits_insert(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b, at, length] = executed.words()?;
    let inserted = byte(at).zip(byte(length)).map(|(at, length)| {
        let at = at.min(b.width);
        let length = length.min(b.width - at);
        let above = at + length;
        Word::joined([b.part(0, at), a.part(0, length), b.part(above, b.width - above)])
    });
    executed.give([inserted.unwrap_or(Word::undefined(b.width))])
}

/// `szext`: the low bits, with their sign or zeros on top (ISA 9.7.1.21). How many is taken modulo the width, or, if it
/// is at least the width and clamped, all of them.
pub fn bits_extend(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let signed = executed.read()?[0].1.kind == Kind::Signed;
    let [a, length] = executed.words()?;
    let extended = amount(length).map(|length| {
        let length = if executed.variant.has("wrap") { length % a.width } else { length.min(a.width) };
        let field = a.part(0, length);
        if signed { field.sign_extended(a.width) } else { field.resized(a.width) }
    });
    executed.give([extended.unwrap_or(Word::undefined(a.width))])
}

/// `bmsk`: ones from a place on (ISA 9.7.1.22). Place and number are taken modulo the width, or, if clamped, all ones
/// from the place on where the number is at least the width, and none where the place is.
pub fn bits_mask(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [from, length] = executed.words()?;
    let width = from.width;
    let mask = amount(from).zip(amount(length)).map(|(from, length)| {
        let (from, length) = match executed.variant.has("wrap") {
            true => (from % width, length % width),
            false => (from.min(width), length.min(width)),
        };
        Word::new(width, low(length).checked_shl(from).unwrap_or(0))
    });
    executed.give([mask.unwrap_or(Word::undefined(width))])
}

/// `popc`: how many bits are 1 (ISA 9.7.1.14).
pub fn bits_count(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    number(executed, |a| a.bits.count_ones())
}

/// `clz`: how many bits are 0 above the highest that is 1 (ISA 9.7.1.15).
pub fn bits_leading_zeros(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    number(executed, |a| a.bits.leading_zeros() + a.width - Word::MAX_WIDTH)
}

/// `bfind`: the place of the highest bit that is unlike the sign, or how far it is from the top; all ones where there
/// is none (ISA 9.7.1.16).
pub fn bits_find(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let signed = executed.read()?[0].1.kind == Kind::Signed;
    let from_top = executed.variant.has("shiftamt");
    number(executed, |a| {
        let negative = signed && a.bits >> (a.width - 1) == 1;
        let bits = if negative { !a.bits & low(a.width) } else { a.bits };
        match bits.checked_ilog2() {
            None => u32::MAX,
            Some(place) if from_top => a.width - 1 - place,
            Some(place) => place,
        }
    })
}

/// `fns`: the place of the n-th 1 from a place on, upwards or downwards; all ones where there is none (ISA 9.7.1.17).
/// The place is in the register, and n has an absolute value of 32 bits.
pub fn bits_find_nth(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [mask, base, offset] = executed.words()?;
    let known = mask.known().zip(amount(base)).zip(offset.known());
    let known = known.map(|((bits, base), offset)| (bits, base, offset as u32 as i32));
    let known = known.filter(|(_, base, offset)| *base < mask.width && *offset != i32::MIN);
    let found = known.map(|(mask_bits, base, offset)| {
        let set = |place: &u32| mask_bits >> place & 1 == 1;
        let skipped = (offset.unsigned_abs() as usize).saturating_sub(1);
        match offset {
            0 => set(&base).then_some(base),
            1.. => (base..mask.width).filter(set).nth(skipped),
            _ => (0..=base).rev().filter(set).nth(skipped),
        }
        .unwrap_or(u32::MAX)
    });
    executed.give([found.map_or(Word::undefined(32), |place| Word::new(32, place.into()))])
}

/// A number of 32 bits, of a word that is known.
fn number(executed: &Executed, of: impl Fn(Word) -> u32) -> Result<Vec<Vec<Word>>> {
    let [a] = executed.words()?;
    executed.give([a.known().map_or(Word::undefined(32), |_| Word::new(32, of(a).into()))])
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
