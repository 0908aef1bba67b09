//! Floating-point arithmetic (ISA 9.7.3 to 9.7.5), lane by lane: each operation is exact and rounded once.
//!
//! - The ISA says that a result is NaN, and rarely which one. Then its exponent is defined, and the highest bit of its
//!   fraction, since operations give quiet NaN; so that whoever reads it knows that it is NaN. Where the ISA says
//!   canonical NaN, all of it is defined.
//! - An undefined bit in a source leaves the lane undefined, but beside a NaN.

use super::bits::logic;
use super::lanes::{Kind, Lane};
use super::number::{F64, Format, Number, Rounding, Top};
use super::{Executed, Word};
use crate::instruction::Variant;
use anyhow::{Result, ensure};

/// What the bits of a floating-point number say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// NaN, whichever.
    Nan,
    /// A number: these are its bits.
    Bits(u128),
    /// Nothing that is known.
    Unknown,
}

/// Reads a number, subnormal ones as zero if they are flushed.
pub(super) fn read(format: Format, word: Word, ftz: bool) -> Read {
    let word = word.part(0, format.width());
    let exponent = format.exponent_bits();
    let greatest = word.bits & word.defined & exponent == exponent;
    // Some other bits of a NaN may be undefined.
    if greatest && format.number(word.bits) == Number::Nan {
        return Read::Nan;
    }
    match word.known() {
        Some(bits) if ftz && format.is_subnormal(bits) => Read::Bits(bits & format.sign()),
        Some(bits) => Read::Bits(bits),
        None => Read::Unknown,
    }
}

/// A NaN of which no more is said. A format without NaN has its greatest number instead (ISA 9.7.9.21).
pub(super) fn nan(format: Format) -> Word {
    let all_but_sign = format.sign() - 1;
    let bits = match format.top {
        Top::Special => format.exponent_bits() | format.quiet(),
        Top::Nan => all_but_sign,
        Top::Numbers => return Word::new(format.width(), all_but_sign),
    };
    Word::partial(format.width(), bits, bits)
}

/// How an opcode rounds; to the nearest if it does not say.
pub(super) fn rounding(variant: &Variant) -> Rounding {
    let modes = [("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up), ("rna", Rounding::NearestAway)];
    modes.iter().find(|(mode, _)| variant.has(mode)).map_or(Rounding::Nearest, |(_, rounding)| *rounding)
}

/// What becomes of a result after it is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    /// How it is rounded.
    pub rounding: Rounding,
    /// Subnormal results become zero. The ISA does not say which these are: sm_90 takes those of IEEE 754 after
    /// rounding, among which are some that would be rounded to the least normal number.
    pub ftz: bool,
    /// It is held between 0 and 1; NaN becomes 0.
    pub sat: bool,
    /// It is no less than 0; NaN becomes the canonical one.
    pub relu: bool,
}

impl Finish {
    /// What the opcode asks for.
    pub fn of(variant: &Variant) -> Finish {
        Finish {
            rounding: rounding(variant),
            ftz: variant.has("ftz"),
            sat: variant.has("sat"),
            relu: variant.has("relu"),
        }
    }

    /// The bits of a result; none for a NaN of which no more is said.
    pub fn bits(&self, format: Format, number: Number) -> Option<u128> {
        let bits = format.round(number, self.rounding);
        if number == Number::Nan {
            return if self.sat { Some(0) } else { self.relu.then_some(bits) };
        }
        let bits = if self.ftz && format.is_tiny(number, self.rounding) { bits & format.sign() } else { bits };
        let negative = bits & format.sign() != 0;
        Some(match () {
            () if negative && (self.sat || self.relu) => 0,
            () if self.sat => bits.min(format.one()),
            () => bits,
        })
    }
}

/// A result from numbers, lane by lane.
fn floats<const COUNT: usize>(
    executed: &Executed,
    compute: impl Fn([Number; COUNT], Rounding) -> Number,
) -> Result<Vec<Vec<Word>>> {
    floats_but(executed, |_| None, compute)
}

/// A result from numbers, lane by lane, but where their words say what it is.
fn floats_but<const COUNT: usize>(
    executed: &Executed,
    exception: impl Fn(&[(Lane, Format)]) -> Option<Word>,
    compute: impl Fn([Number; COUNT], Rounding) -> Number,
) -> Result<Vec<Vec<Word>>> {
    let finish = Finish::of(executed.variant);
    ensure!(executed.read()?.len() == COUNT, "{} does not read {COUNT} words", executed.variant);
    by_format(executed, |format, lanes| {
        if let Some(word) = exception(lanes) {
            return word;
        }
        let reads: Vec<Read> = lanes.iter().map(|(lane, its)| read(*its, lane.word, finish.ftz)).collect();
        let numbers: Vec<Number> = reads
            .iter()
            .zip(lanes)
            .map(|(read, (_, its))| if let Read::Bits(bits) = read { its.number(*bits) } else { Number::Nan })
            .collect();
        let known = !reads.contains(&Read::Unknown);
        let number = match numbers.try_into() {
            Ok(numbers) if known => compute(numbers, finish.rounding),
            _ if reads.contains(&Read::Nan) => Number::Nan,
            _ => return Word::undefined(format.width()),
        };
        match finish.bits(format, number) {
            Some(bits) => Word::new(format.width(), bits),
            None if known => payload(format, lanes, &reads).unwrap_or(nan(format)),
            None => nan(format),
        }
    })
}

/// Lane by lane, with the formats of the sources and the result; other types have none to compute with.
fn by_format(executed: &Executed, compute: impl Fn(Format, &[(Lane, Format)]) -> Word) -> Result<Vec<Vec<Word>>> {
    let is_float = |kind| matches!(kind, Kind::Float(_));
    let floats = executed.read()?.iter().all(|(_, shape)| is_float(shape.kind))
        && executed.written()?.iter().all(|shape| is_float(shape.kind));
    ensure!(floats, "{} is no operation on floating-point numbers", executed.variant);
    executed.lane_by_lane(|lanes, place| {
        let format = |kind| if let Kind::Float(format) = kind { Some(format) } else { None };
        let lanes: Option<Vec<(Lane, Format)>> = lanes.iter().map(|lane| Some((*lane, format(lane.kind)?))).collect();
        match (format(place.kind), lanes) {
            (Some(format), Some(lanes)) => compute(format, &lanes),
            _ => Word::undefined(place.width),
        }
    })
}

/// The NaN that comes of the only NaN among the sources: with f64 it has the same payload (ISA 9.7.3).
fn payload(format: Format, lanes: &[(Lane, Format)], reads: &[Read]) -> Option<Word> {
    let mut nans = lanes.iter().zip(reads).filter(|(_, read)| **read == Read::Nan);
    let (Some(((Lane { word, .. }, F64), _)), None, F64) = (nans.next(), nans.next(), format) else { return None };
    Some(Word::partial(64, word.bits | F64.quiet(), (word.defined | F64.quiet()) & !F64.sign()))
}

/// `add`, of numbers of one format or of two (ISA 9.7.3.3, 9.7.4.1, 9.7.5.1).
pub fn float_add(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a, b], rounding| a.plus(b, rounding))
}

/// `sub`, of numbers of one format or of two (ISA 9.7.3.4, 9.7.4.2, 9.7.5.2).
pub fn float_subtract(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a, b], rounding| a.plus(b.negated(), rounding))
}

/// `mul` (ISA 9.7.3.5, 9.7.4.3).
pub fn float_multiply(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a, b], _| a.times(b))
}

/// `fma`, and `mad`, which is the same: rounded once (ISA 9.7.3.6, 9.7.3.7, 9.7.4.4, 9.7.5.3). With `.oob` a factor
/// that is the NaN of what is out of bounds makes the result 0.
pub fn float_multiply_add(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let oob = executed.variant.has("oob");
    let exception =
        |lanes: &[(Lane, Format)]| lanes[..2].iter().filter(|_| oob).find_map(|(lane, _)| out_of_bounds(lane));
    floats_but(executed, exception, |[a, b, c], rounding| a.times(b).plus(c, rounding))
}

/// The result that the NaN of what is out of bounds has (ISA 5.5), if it is that one. The ISA does not say which of 16
/// bits it is; sm_90 has this one, with either sign.
fn out_of_bounds(factor: &Lane) -> Option<Word> {
    let (nan, all_but_sign) = (0x7ff7, 0x7fff);
    let differs = (factor.word.bits ^ nan) & factor.word.defined & all_but_sign;
    let known = factor.word.defined & all_but_sign == all_but_sign;
    (differs == 0).then(|| if known { Word::new(16, 0) } else { Word::undefined(16) })
}

/// `div` with a rounding (ISA 9.7.3.8).
pub fn float_divide(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a, b], _| a.over(b))
}

/// `rcp` with a rounding (ISA 9.7.3.13).
pub fn float_reciprocal(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a], _| Number::ONE.over(a))
}

/// `sqrt` with a rounding (ISA 9.7.3.15).
pub fn float_root(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a], _| a.root())
}

/// `abs` (ISA 9.7.3.9, 9.7.4.6). With f64 a NaN passes through, the ISA says, which leaves its sign open.
pub fn float_absolute(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    signed(executed, |_| false)
}

/// `neg` (ISA 9.7.3.10, 9.7.4.5).
pub fn float_negate(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    signed(executed, |negative| !negative)
}

/// A number with another sign.
fn signed(executed: &Executed, negative: impl Fn(bool) -> bool) -> Result<Vec<Vec<Word>>> {
    floats(executed, |[a], _| a.with_sign(negative(a.is_negative())))
}

/// `copysign`: the sign of the first source and the rest of the second (ISA 9.7.3.2).
pub fn float_copy_sign(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let [a, b] = executed.words()?;
    executed.give([Word::joined([b.part(0, b.width - 1), a.part(a.width - 1, 1)])])
}

/// `min` of two or three (ISA 9.7.3.11, 9.7.4.7).
pub fn float_min(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    extremum(executed, |a, b| a < b)
}

/// `max` of two or three (ISA 9.7.3.12, 9.7.4.8).
pub fn float_max(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    extremum(executed, |a, b| a > b)
}

/// The number that comes before the others, where -0 is less than 0. NaN does not count beside a number, or with `.NaN`
/// makes the result the canonical NaN. With `.abs` magnitudes are compared, and with `.xorsign` the sign is whether
/// those of the sources differ.
fn extremum(executed: &Executed, before: fn(i128, i128) -> bool) -> Result<Vec<Vec<Word>>> {
    let has = |token| executed.variant.has(token);
    let (ftz, nan_wins, of_magnitudes, signs_differ) = (has("ftz"), has("NaN"), has("abs"), has("xorsign"));
    by_format(executed, |format, lanes| {
        let place = |bits: u128| {
            let magnitude = (bits & (format.sign() - 1)) as i128;
            if bits & format.sign() == 0 { magnitude } else { -1 - magnitude }
        };
        let source = |(lane, _): &(Lane, Format)| match read(format, lane.word, ftz) {
            Read::Bits(bits) if of_magnitudes => Read::Bits(bits & (format.sign() - 1)),
            other => other,
        };
        let first = lanes.iter().map(source).reduce(|a, b| match (a, b) {
            (Read::Nan, Read::Nan) => Read::Nan,
            (Read::Nan, _) | (_, Read::Nan) if nan_wins => Read::Nan,
            (Read::Unknown, _) | (_, Read::Unknown) => Read::Unknown,
            (Read::Nan, number) | (number, Read::Nan) => number,
            (Read::Bits(a), Read::Bits(b)) => Read::Bits(if before(place(a), place(b)) { a } else { b }),
        });
        match first {
            Some(Read::Nan) if nan_wins => Word::new(format.width(), format.round(Number::Nan, Rounding::Nearest)),
            Some(Read::Nan) => nan(format),
            Some(Read::Bits(bits)) => {
                let word = Word::new(format.width(), bits);
                let sign = |(lane, _): &(Lane, Format)| lane.word.part(format.width() - 1, 1);
                match lanes {
                    [a, b] if signs_differ => {
                        let differ = logic(0xf0 ^ 0xcc, [sign(a), sign(b), sign(b)]);
                        Word::joined([word.part(0, format.width() - 1), differ])
                    }
                    _ => word,
                }
            }
            Some(Read::Unknown) | None => Word::undefined(format.width()),
        }
    })
}

#[cfg(test)]
#[path = "float_tests.rs"]
mod tests;
