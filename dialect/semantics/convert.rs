//! Conversions between types of numbers (ISA 9.7.9.21, 9.7.9.22).

use super::float::{Finish, Read, nan, read, rounding};
use super::integer::{clamped, range};
use super::lanes::{Kind, Lane, Place};
use super::number::{BF16, F16, F32, F64, Format, Number, Rounding, TF32, Top};
use super::{Executed, Word};
use crate::instruction::Variant;
use anyhow::{Context, Result, ensure};

/// `cvt`. What becomes lanes comes from as many words, the first of which becomes the highest lane, or from the lanes
/// of one. With `.rs` random bits are read last.
pub fn convert(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let mut sources = executed.read()?;
    let shape = *executed.written()?.first().context("cvt writes a register")?;
    let random = if executed.variant.has("rs") { sources.pop().map(|(word, _)| word) } else { None };
    let lanes: Vec<Lane> = match sources.as_slice() {
        [(word, its)] => {
            let lanes = (0..its.count).rev().map(|index| word.part(index * its.width, its.width));
            lanes.map(|word| Lane { kind: its.kind, word }).collect()
        }
        words => words.iter().map(|(word, its)| Lane { kind: its.kind, word: *word }).collect(),
    };
    ensure!(lanes.len() == shape.count as usize, "{} makes {} lanes of {}", executed.variant, shape.count, lanes.len());
    let place = Place { kind: shape.kind, width: shape.width };
    let converted = lanes.iter().enumerate().map(|(index, lane)| {
        // Each half of the random bits is for one half of the lanes.
        let random = random.map(|bits| bits.part(if 2 * index < lanes.len() { 16 } else { 0 }, 16));
        converted(executed.variant, *lane, place, random)
    });
    let converted: Vec<Word> = converted.collect();
    executed.give([Word::joined(converted.into_iter().rev())])
}

/// One number in another type.
fn converted(variant: &Variant, from: Lane, to: Place, random: Option<Word>) -> Word {
    let ftz = variant.has("ftz") && from.kind == Kind::Float(F32);
    let word = flushing(variant, from, to, random, ftz);
    match to.kind {
        // The ISA says that f32 is flushed here, and sm_90 does not.
        Kind::Float(F16) if ftz => either(word, flushing(variant, from, to, random, false)),
        _ => word,
    }
}

/// One number in another type, where subnormal ones are flushed or not.
fn flushing(variant: &Variant, from: Lane, to: Place, random: Option<Word>, ftz: bool) -> Word {
    let saturates = variant.has("sat");
    let source = match from.kind {
        Kind::Float(format) => match read(format, from.word, ftz) {
            Read::Nan => Some(Number::Nan),
            Read::Bits(bits) => Some(format.number(bits)),
            Read::Unknown => None,
        },
        Kind::Scale => from.word.known().map(scale),
        // Bits stay what they are, known or not.
        Kind::Signed if is_integer(to.kind) && !saturates => return from.word.sign_extended(to.width),
        _ if is_integer(to.kind) && !saturates => return from.word.resized(to.width),
        _ => from.integer().map(Number::of),
    };
    let Some(source) = source else { return Word::undefined(to.width) };
    let source = match integer_rounding(variant) {
        Some(rounding) => source.to_integral(rounding),
        None => source,
    };
    match to.kind {
        Kind::Float(format) => in_place(float(variant, from, source, format, random), to.width, format),
        Kind::Scale => scale_bits(source, rounding(variant), variant.has("satfinite")),
        Kind::Bits | Kind::Unsigned | Kind::Signed => integer(from.kind, source, to),
    }
}

fn is_integer(kind: Kind) -> bool {
    matches!(kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
}

/// How a number becomes an integer, if it does.
fn integer_rounding(variant: &Variant) -> Option<Rounding> {
    let modes = [("rni", Rounding::Nearest), ("rzi", Rounding::Zero), ("rmi", Rounding::Down), ("rpi", Rounding::Up)];
    modes.iter().find(|(mode, _)| variant.has(mode)).map(|(_, rounding)| *rounding)
}

/// An integral number as an integer, at the ends of the type where it is beyond them. NaN is 0, or the highest bit
/// where 64 bits are on either side.
fn integer(from: Kind, number: Number, to: Place) -> Word {
    let range = range(to.kind, to.width);
    let bits = match number.clamped(*range.start(), *range.end()) {
        Some(integer) => integer as u128,
        None if from == Kind::Float(F64) || to.width == 64 => 1 << (to.width - 1),
        None => 0,
    };
    Word::new(to.width, bits)
}

/// A number in a floating-point format.
fn float(variant: &Variant, from: Lane, number: Number, format: Format, random: Option<Word>) -> Word {
    let finish = Finish { ftz: variant.has("ftz") && format == F32, ..Finish::of(variant) };
    let rounded = |rounding| {
        let bits = Finish { rounding, ..finish }.bits(format, number)?;
        let infinite = bits & !format.sign() > format.greatest() && number != Number::Nan;
        let held = infinite && variant.has("satfinite");
        Some(if held { bits & format.sign() | format.greatest() } else { bits })
    };
    let word = |bits: Option<u128>| bits.map_or_else(|| nan_of(from, format), |bits| Word::new(format.width(), bits));
    match random {
        None => word(rounded(finish.rounding)),
        Some(random) => match carries(from.kind, number, format, random) {
            Some(carries) => word(rounded(if carries { Rounding::Away } else { Rounding::Zero })),
            None => either(word(rounded(Rounding::Zero)), word(rounded(Rounding::Away))),
        },
    }
}

/// What a NaN becomes: a quiet one stays quiet, while of another the fraction may be anything. With tf32 sm_90 gives
/// NaN that are not quiet, and numbers for those that were not.
fn nan_of(from: Lane, format: Format) -> Word {
    let quiet = match from.kind {
        Kind::Float(its) => its.top != Top::Special || from.word.bits & its.quiet() != 0,
        _ => false,
    };
    let exponent = Word::partial(format.width(), format.exponent_bits(), format.exponent_bits());
    match (format, format.top) {
        (TF32, _) if quiet => exponent,
        (TF32, _) => Word::undefined(format.width()),
        (_, Top::Special) if !quiet => exponent,
        _ => nan(format),
    }
}

/// The bits that two words have in common.
fn either(a: Word, b: Word) -> Word {
    Word::partial(a.width, a.bits, a.defined & b.defined & !(a.bits ^ b.bits))
}

/// Whether random bits and the bits that are dropped carry into those that are kept, which rounds away from zero. The
/// ISA says where the random bits are added for f16, which takes 13 of them, and bf16, which takes 16, as long as a
/// number is not so small that more is dropped.
fn carries(from: Kind, number: Number, format: Format, random: Word) -> Option<bool> {
    let count = match format {
        F16 => 13,
        BF16 => 16,
        _ => return None,
    };
    let Number::Finite { significand, .. } = number else { return Some(false) };
    let Some(dropped) = format.dropped(number) else { return Some(false) };
    if from != Kind::Float(F32) || dropped != count {
        return None;
    }
    let rest = significand & ((1 << count) - 1);
    let carried = rest + random.part(0, count as u32).known()?;
    Some(carried >> count == 1)
}

/// The power of two that a scale is; all ones are NaN.
fn scale(bits: u128) -> Number {
    match bits {
        0xff => Number::Nan,
        _ => Number::Finite { negative: false, significand: 1, exponent: bits as i32 - 127 },
    }
}

/// The power of two next to the magnitude of a number, from 2^-127 on. What is too great is NaN, or the greatest if
/// that is asked for.
fn scale_bits(number: Number, rounding: Rounding, satfinite: bool) -> Word {
    let too_great = if satfinite { 0xfe } else { 0xff };
    Word::new(
        8,
        match number {
            Number::Nan => 0xff,
            Number::Infinite { .. } => too_great,
            Number::Finite { significand: 0, .. } => 0,
            Number::Finite { significand, exponent, .. } => {
                let below = exponent + significand.ilog2() as i32;
                let power = if rounding == Rounding::Up && !significand.is_power_of_two() { below + 1 } else { below };
                if power > 127 { too_great } else { (power + 127).max(0) as u128 }
            }
        },
    )
}

/// A number where it lies in its register: tf32 has the highest bits of 32, and the ISA leaves the rest open; others
/// have the lowest, and zeros above.
fn in_place(number: Word, width: u32, format: Format) -> Word {
    match format {
        TF32 => Word::joined([Word::undefined(width - number.width), number]),
        _ => number.resized(width),
    }
}

/// `cvt.pack`: two integers held at the ends of a narrow type, the second lowest, and the low bits of a third above
/// them (ISA 9.7.9.22).
pub fn convert_pack(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let words = executed.read()?;
    let narrow = executed.variant.opcode_type().context("cvt.pack has a type")?;
    let kind = super::lanes::Shape::of(narrow)?.kind;
    let lane = |index: usize| {
        let (word, its) = words[index];
        let integer = Lane { kind: its.kind, word }.integer();
        let held = integer.map(|integer| clamped(integer, range(kind, narrow.width)));
        held.map_or(Word::undefined(narrow.width), |held| Word::new(narrow.width, held as u128))
    };
    ensure!(words.len() >= 2, "{} packs {} words", executed.variant, words.len());
    let above = words.get(2).map(|(word, _)| *word);
    let packed = Word::joined([lane(1), lane(0)].into_iter().chain(above));
    executed.give([packed.resized(32)])
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
