//! What instructions compute, on plain data: the primitives that the records of `ptx.td` name as their `semantics`.
//!
//! - A primitive is a function from words to words. It knows no opcode: what depends on one, it takes from the form and
//!   the tokens of the variant.
//! - Words are given and returned operand by operand in PTX order. An address stands for the elements of memory there:
//!   among what is read where the instruction reads memory, among what is written where it writes memory.
//! - Every bit is defined or not. A primitive returns a defined bit only where the defined bits that it was given
//!   decide it: packing an undefined word leaves the other words defined (D35).
//! - Where the PTX ISA leaves bits open, they are not defined: the quotient of a division by zero, the payload of most
//!   NaN. Where it only leaves open how, comments say what sm_90 does.
//! - Predicates, sinks and where words lie are no concern of a primitive.
//!
//! To add a family, write its primitive in a room of this module, with tests of its values, and name it in its records.

mod bits;
mod compare;
mod convert;
mod float;
mod integer;
mod lanes;
pub mod number;
#[cfg(test)]
mod test_support;

pub use bits::*;
pub use compare::*;
pub use convert::*;
pub use float::*;
pub use integer::*;

use crate::instruction::Variant;
use anyhow::{Result, ensure};
use std::fmt;

/// The bits of one register, or of one element of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// How many bits, at most 128.
    pub width: u32,
    /// The bits; those beyond the width and those that are not defined are 0.
    pub bits: u128,
    /// Which of them are defined.
    pub defined: u128,
}

impl Word {
    /// The widest word, in bits.
    pub const MAX_WIDTH: u32 = 128;

    /// A word whose bits are all defined; those beyond the width do not count.
    pub fn new(width: u32, bits: u128) -> Word {
        Word::partial(width, bits, u128::MAX)
    }

    /// A word of which nothing is defined.
    pub fn undefined(width: u32) -> Word {
        Word::partial(width, 0, 0)
    }

    /// A word of which some bits are defined.
    pub fn partial(width: u32, bits: u128, defined: u128) -> Word {
        assert!(width <= Word::MAX_WIDTH, "a word of {width} bits");
        let defined = defined & low(width);
        Word { width, bits: bits & defined, defined }
    }

    /// The bits, where all of them are defined.
    pub fn known(&self) -> Option<u128> {
        (self.defined == low(self.width)).then_some(self.bits)
    }

    /// The low bits as a word of another width: cut off, or with zeros on top.
    pub fn resized(&self, width: u32) -> Word {
        Word::partial(width, self.bits, self.defined | !low(self.width))
    }

    /// The low bits as a word of another width: cut off, or with the highest bit again and again on top; no bits are 0.
    pub fn sign_extended(&self, width: u32) -> Word {
        let Some(highest) = self.width.checked_sub(1) else { return Word::new(width, 0) };
        let above = low(width) & !low(self.width);
        let top = |bits: u128| if bits >> highest & 1 == 1 { above } else { 0 };
        Word::partial(width, self.bits | top(self.bits), self.defined | top(self.defined))
    }

    /// `width` bits from a place on, with zeros beyond the highest.
    pub fn part(&self, from: u32, width: u32) -> Word {
        let shifted = |bits: u128| bits.checked_shr(from).unwrap_or(0);
        Word { width: self.width.saturating_sub(from), bits: shifted(self.bits), defined: shifted(self.defined) }
            .resized(width)
    }

    /// These words next to each other, the first lowest.
    pub fn joined(words: impl IntoIterator<Item = Word>) -> Word {
        words.into_iter().fold(Word::new(0, 0), |below, word| {
            let above = |bits: u128| bits.checked_shl(below.width).unwrap_or(0);
            Word::partial(below.width + word.width, below.bits | above(word.bits), below.defined | above(word.defined))
        })
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (self.known(), self.defined) {
            (Some(bits), _) => write!(out, "{bits:#x}:{}", self.width),
            (None, 0) => write!(out, "undefined:{}", self.width),
            (None, defined) => write!(out, "{:#x} of {defined:#x}:{}", self.bits, self.width),
        }
    }
}

/// `width` ones.
fn low(width: u32) -> u128 {
    1u128.checked_shl(width).map_or(u128::MAX, |end| end - 1)
}

/// An instruction that executes.
#[derive(Debug)]
pub struct Executed<'a> {
    /// Which one.
    pub variant: &'a Variant,
    /// What it reads: the words of each operand.
    pub sources: &'a [Vec<Word>],
    /// The widths of what it writes, in bits: of each word of each operand.
    pub results: &'a [Vec<u32>],
}

/// A primitive: what is written, in the shape of [`Executed::results`].
pub type Semantics = fn(&Executed) -> Result<Vec<Vec<Word>>>;

/// The bits of the source words, word 0 lowest, are the bits of the result words (R89): copies, packs and unpacks, and
/// loads and stores, whose words are alike on both sides.
pub fn same_bits(executed: &Executed) -> Result<Vec<Vec<Word>>> {
    let width = |widths: &mut dyn Iterator<Item = u32>| widths.map(u64::from).sum::<u64>();
    let read = width(&mut executed.sources.iter().flatten().map(|word| word.width));
    let written = width(&mut executed.results.iter().flatten().copied());
    ensure!(read == written, "{} reads {read} bits and writes {written}", executed.variant);
    let mut sources = executed.sources.iter().flatten().copied();
    let mut rest = Word::new(0, 0);
    let mut next = |width: u32| {
        let (mut bits, mut defined, mut filled) = (0, 0, 0);
        while filled < width {
            if rest.width == 0 {
                rest = sources.next().expect("as many bits are read as written");
            }
            let part = rest.width.min(width - filled);
            bits |= (rest.bits & low(part)) << filled;
            defined |= (rest.defined & low(part)) << filled;
            filled += part;
            let shifted = |bits: u128| bits.checked_shr(part).unwrap_or(0);
            rest = Word::partial(rest.width - part, shifted(rest.bits), shifted(rest.defined));
        }
        Word::partial(width, bits, defined)
    };
    Ok(executed.results.iter().map(|widths| widths.iter().map(|width| next(*width)).collect()).collect())
}

#[cfg(test)]
#[path = "semantics_tests.rs"]
mod tests;
