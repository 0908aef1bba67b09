//! Integer arithmetic (ISA 9.7.1), lane by lane. It wraps, save where `.sat` holds a result at the ends of its type. An
//! undefined bit anywhere leaves the whole lane undefined.

use super::lanes::{Kind, Lane, Place};
use super::{Executed, Word, low};
use anyhow::{Result, ensure};
use std::ops::RangeInclusive;

/// The integers of a type.
pub(super) fn range(kind: Kind, width: u32) -> RangeInclusive<i128> {
    match kind {
        Kind::Signed => -(1 << (width - 1))..=(1 << (width - 1)) - 1,
        _ => 0..=low(width) as i128,
    }
}

/// An integer at the ends of a range where it is beyond them.
pub(super) fn clamped(integer: i128, range: RangeInclusive<i128>) -> i128 {
    integer.clamp(*range.start(), *range.end())
}

/// A result from integers, lane by lane.
fn integers<const COUNT: usize>(
    executed: &Executed,
    compute: impl Fn([i128; COUNT], Place) -> Option<i128>,
) -> Result<Vec<Vec<Word>>> {
    let saturates = executed.variant.has("sat");
    let rectifies = executed.variant.has("relu");
    executed.words::<COUNT>()?;
    executed.lane_by_lane(|lanes, place| {
        let integers: Option<Vec<i128>> = lanes.iter().map(Lane::integer).collect();
        let result = integers.and_then(|integers| compute(integers.try_into().ok()?, place));
        result.map_or(Word::undefined(place.width), |result| {
            let result = if saturates { clamped(result, range(place.kind, place.width)) } else { result };
            let result = if rectifies { result.max(0) } else { result };
            Word::new(place.width, result as u128)
        })
    })
}

/// `add` (ISA 9.7.1.1).
pub fn integer_add(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], _| Some(a + b))
}

/// `sub` (ISA 9.7.1.2).
pub fn integer_subtract(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], _| Some(a - b))
}

/// `mul` and `mad`: the low half of a product, the high half or all of it, and a third integer added to it
/// (ISA 9.7.1.3, 9.7.1.4).
pub fn integer_multiply(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let width = executed.read()?.first().map_or(0, |(_, shape)| shape.width);
    product(executed, width, width)
}

/// `mul24` and `mad24`: of factors of 24 bits, the low 32 bits of their product of 48 or the high ones (ISA 9.7.1.5,
/// 9.7.1.6). The factors are the low bits of their registers.
pub fn integer_multiply_24(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    product(executed, 24, 16)
}

/// A product of factors of `width` bits, the high part of which begins at bit `high`, and what is added to it.
fn product(executed: &Executed, width: u32, high: u32) -> Result<Vec<Vec<Word>>> {
    let factor = |lane: &Lane| Lane { word: lane.word.part(0, width), ..*lane }.integer();
    let (takes_high, saturates) = (executed.variant.has("hi"), executed.variant.has("sat"));
    ensure!(executed.read()?.len() >= 2, "{} has no factors", executed.variant);
    executed.lane_by_lane(|lanes, place| {
        let compute = || {
            // As integers of 128 bits that wrap, since the product of two of 64 bits without a sign has so many.
            let product = factor(&lanes[0])?.wrapping_mul(factor(&lanes[1])?) as u128;
            let whole = Lane { kind: lanes[0].kind, word: Word::new((2 * width).min(Word::MAX_WIDTH), product) };
            let part = whole.word.part(if takes_high { high } else { 0 }, place.width);
            let part = Lane { word: part, ..whole }.integer()?;
            let added = if lanes.len() > 2 { lanes[2].integer()? } else { 0 };
            let sum = part.wrapping_add(added);
            Some(if saturates { clamped(sum, range(place.kind, place.width)) } else { sum })
        };
        compute().map_or(Word::undefined(place.width), |result| Word::new(place.width, result as u128))
    })
}

/// `sad`: the distance of two integers, added to a third (ISA 9.7.1.7).
pub fn integer_distance(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b, c], _| Some((a - b).abs() + c))
}

/// `div`, towards zero (ISA 9.7.1.8). The ISA leaves division by zero open, and so is a quotient that its type does not
/// have.
pub fn integer_divide(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], place| {
        let quotient = a.checked_div(b)?;
        range(place.kind, place.width).contains(&quotient).then_some(quotient)
    })
}

/// `rem`, with the sign of the dividend (ISA 9.7.1.9). The ISA leaves division by zero open. It leaves to the machine
/// how a negative quotient is rounded: towards zero on all that there are, which is what LLVM has `rem` for.
pub fn integer_remainder(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], _| a.checked_rem(b))
}

/// `abs` (ISA 9.7.1.10).
pub fn integer_absolute(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a], _| Some(a.abs()))
}

/// `neg` (ISA 9.7.1.11).
pub fn integer_negate(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a], _| Some(-a))
}

/// `min`; with `.relu` no less than 0 (ISA 9.7.1.12).
pub fn integer_min(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], _| Some(a.min(b)))
}

/// `max`; with `.relu` no less than 0 (ISA 9.7.1.13).
pub fn integer_max(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    integers(executed, |[a, b], _| Some(a.max(b)))
}

/// `dp4a`: the sum of the products of four bytes each, and of a third integer (ISA 9.7.1.23).
pub fn integer_dot_bytes(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    dot(executed, 4, 8, 0)
}

/// `dp2a`: the sum of the products of two halves and the two low or high bytes, and of a third integer (ISA 9.7.1.24).
pub fn integer_dot_halves(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    dot(executed, 2, 16, if executed.variant.has("hi") { 2 } else { 0 })
}

/// A dot product of `count` integers of `width` bits and bytes from a place on.
fn dot(executed: &Executed, count: u32, width: u32, first_byte: u32) -> Result<Vec<Vec<Word>>> {
    executed.words::<3>()?;
    executed.lane_by_lane(|lanes, place| {
        let part = |lane: &Lane, from, width| Lane { word: lane.word.part(from, width), ..*lane }.integer();
        let compute = || {
            (0..count).try_fold(lanes[2].integer()?, |sum, i| {
                Some(sum + part(&lanes[0], i * width, width)? * part(&lanes[1], (first_byte + i) * 8, 8)?)
            })
        };
        compute().map_or(Word::undefined(place.width), |sum| Word::new(place.width, sum as u128))
    })
}

#[cfg(test)]
#[path = "integer_tests.rs"]
mod tests;
