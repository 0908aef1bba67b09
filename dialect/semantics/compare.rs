//! Comparisons, and selections by a sign (ISA 9.7.6, 9.7.7). What is compared with undefined bits may be anything, but
//! for NaN and signs that the others decide.

use super::bits::{combined, select, truth};
use super::float::{Read, read};
use super::lanes::{Kind, Lane};
use super::number::Number;
use super::{Executed, Word};
use anyhow::{Context, Result, bail};
use std::cmp::Ordering;

/// What a comparison asks of an order; without one, a NaN is among the two.
type Asks = fn(Option<Ordering>) -> bool;

/// The comparisons (ISA 9.3.1). Those of floating-point numbers that end in `u` hold for NaN too.
const COMPARISONS: [(&str, Asks); 18] = [
    ("eq", |order| order == Some(Ordering::Equal)),
    ("ne", |order| order.is_some_and(Ordering::is_ne)),
    ("lt", |order| order.is_some_and(Ordering::is_lt)),
    ("le", |order| order.is_some_and(Ordering::is_le)),
    ("gt", |order| order.is_some_and(Ordering::is_gt)),
    ("ge", |order| order.is_some_and(Ordering::is_ge)),
    ("lo", |order| order.is_some_and(Ordering::is_lt)),
    ("ls", |order| order.is_some_and(Ordering::is_le)),
    ("hi", |order| order.is_some_and(Ordering::is_gt)),
    ("hs", |order| order.is_some_and(Ordering::is_ge)),
    ("equ", |order| order.is_none_or(Ordering::is_eq)),
    ("neu", |order| order.is_none_or(Ordering::is_ne)),
    ("ltu", |order| order.is_none_or(Ordering::is_lt)),
    ("leu", |order| order.is_none_or(Ordering::is_le)),
    ("gtu", |order| order.is_none_or(Ordering::is_gt)),
    ("geu", |order| order.is_none_or(Ordering::is_ge)),
    ("num", |order| order.is_some()),
    ("nan", |order| order.is_none()),
];

/// Whether the comparison of the opcode holds, lane by lane, combined with the predicate that is the third source if
/// there is one: for each lane as it is, and for its contrary.
fn compared(executed: &Executed) -> Result<Vec<[Word; 2]>> {
    let asks = COMPARISONS.iter().find(|(name, _)| executed.variant.has(name));
    let (_, asks) = asks.with_context(|| format!("{} compares nothing", executed.variant))?;
    let ftz = executed.variant.has("ftz");
    let read = executed.read()?;
    let (with, pair) = match read.as_slice() {
        [a, b] => (None, [a, b]),
        [a, b, (c, _)] => (Some(*c), [a, b]),
        _ => bail!("{} compares {} words", executed.variant, read.len()),
    };
    let lane = |index: u32| {
        let [a, b] = pair.map(|(word, its)| Lane { kind: its.kind, word: word.part(index * its.width, its.width) });
        let holds = truth(order(a, b, ftz).map(asks));
        let contrary = Word::partial(1, !holds.bits, holds.defined);
        [holds, contrary].map(|truth| with.map_or(truth, |with| combined(executed, truth, with)))
    };
    Ok((0..pair[0].1.count).map(lane).collect())
}

/// The order of two lanes, if there is one; nothing where undefined bits decide it.
fn order(a: Lane, b: Lane, ftz: bool) -> Option<Option<Ordering>> {
    let Kind::Float(format) = a.kind else { return Some(Some(a.integer()?.cmp(&b.integer()?))) };
    // Magnitudes are in the order of their bits, and both zeros are the same number.
    let place = |bits: u128| {
        let magnitude = (bits & (format.sign() - 1)) as i128;
        if bits & format.sign() == 0 { magnitude } else { -magnitude }
    };
    match (read(format, a.word, ftz), read(format, b.word, ftz)) {
        (Read::Nan, _) | (_, Read::Nan) => Some(None),
        (Read::Bits(a), Read::Bits(b)) => Some(Some(place(a).cmp(&place(b)))),
        _ => None,
    }
}

/// `setp`: whether a comparison holds, and whether its contrary does; of two lanes, whether it holds for the low one
/// and for the high one (ISA 9.7.6.2, 9.7.7.2).
pub fn compare_to_predicates(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let compared = compared(executed)?;
    let truths: Vec<Word> = match compared.as_slice() {
        [both] => both.to_vec(),
        lanes => lanes.iter().map(|[holds, _]| *holds).collect(),
    };
    executed.give(truths.into_iter().take(executed.results.len()))
}

/// `set`: all ones, or 1.0, where a comparison holds, and 0 elsewhere (ISA 9.7.6.1, 9.7.7.1).
pub fn compare_to_value(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let compared = compared(executed)?;
    let its = *executed.written()?.first().context("it writes a value")?;
    let width = its.width * its.count / compared.len() as u32;
    let value = match its.kind {
        Kind::Float(format) => Word::new(width, format.one()),
        _ => Word::new(width, u128::MAX),
    };
    executed.give([Word::joined(compared.iter().map(|[holds, _]| select(*holds, value, Word::new(width, 0))))])
}

/// `slct`: one of two, by whether the third is 0 or more, which NaN is not (ISA 9.7.6.4).
pub fn select_by_sign(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let ftz = executed.variant.has("ftz");
    let kind = executed.read()?.get(2).context("it has a third source")?.1.kind;
    let [a, b, c] = executed.words()?;
    let takes_first = match kind {
        Kind::Float(format) => match read(format, c, ftz) {
            Read::Nan => Some(false),
            Read::Bits(bits) => Some(bits & format.sign() == 0 || bits == format.sign()),
            Read::Unknown => None,
        },
        _ => {
            let sign = c.part(c.width - 1, 1);
            sign.known().map(|negative| negative == 0)
        }
    };
    executed.give([select(truth(takes_first), a, b)])
}

/// `testp`: a property of a number (ISA 9.7.3.1). Zeros are among the normal ones.
pub fn float_test(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let its = executed.read()?.first().context("it has a source")?.1;
    let Kind::Float(format) = its.kind else { bail!("{} is no test of a floating-point number", executed.variant) };
    let [a] = executed.words()?;
    // The tests that hold for it.
    let holding: Option<&[&str]> = match read(format, a, false) {
        Read::Unknown => None,
        Read::Nan => Some(&["notanumber"]),
        Read::Bits(bits) => Some(match format.number(bits) {
            Number::Nan => &["notanumber"],
            Number::Infinite { .. } => &["number", "infinite"],
            Number::Finite { significand: 1.., .. } if format.is_subnormal(bits) => &["number", "finite", "subnormal"],
            Number::Finite { .. } => &["number", "finite", "normal"],
        }),
    };
    executed.give([truth(holding.map(|tests| tests.iter().any(|test| executed.variant.has(test))))])
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
