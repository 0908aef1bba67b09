//! What a primitive reads and writes, seen through the types of the operands: lanes of numbers.

use super::number::{self, Format};
use super::{Executed, Word};
use crate::instruction::PtxType;
use anyhow::{Context, Result, ensure};

/// What the bits of a lane stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but bits.
    Bits,
    /// An integer of 0 and above.
    Unsigned,
    /// An integer with a sign.
    Signed,
    /// A floating-point number.
    Float(Format),
    /// A power of two, by its exponent alone.
    Scale,
}

/// The lanes of a type: `s16x2` has two of 16 bits with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What one is.
    pub kind: Kind,
    /// The bits of one, with those that it does not use.
    pub width: u32,
    /// How many.
    pub count: u32,
}

impl Shape {
    /// The lanes of a type.
    pub fn of(its: &PtxType) -> Result<Shape> {
        let (scalar, count) = match its.token.rsplit_once('x') {
            Some((scalar, count)) => (scalar, count.parse().ok()),
            None => (its.token, Some(1)),
        };
        let kind = match scalar {
            "f16" => Some(Kind::Float(number::F16)),
            "bf16" => Some(Kind::Float(number::BF16)),
            "tf32" => Some(Kind::Float(number::TF32)),
            "f32" => Some(Kind::Float(number::F32)),
            "f64" => Some(Kind::Float(number::F64)),
            "e5m2" => Some(Kind::Float(number::E5M2)),
            "e4m3" => Some(Kind::Float(number::E4M3)),
            "e3m2" => Some(Kind::Float(number::E3M2)),
            "e2m3" => Some(Kind::Float(number::E2M3)),
            "e2m1" => Some(Kind::Float(number::E2M1)),
            "ue8m0" => Some(Kind::Scale),
            "pred" => Some(Kind::Bits),
            _ => match (scalar.get(..1), scalar.get(1..).map(str::parse::<u32>)) {
                (Some("b"), Some(Ok(_))) => Some(Kind::Bits),
                (Some("u"), Some(Ok(_))) => Some(Kind::Unsigned),
                (Some("s"), Some(Ok(_))) => Some(Kind::Signed),
                _ => None,
            },
        };
        let (kind, count) = kind.zip(count).with_context(|| format!("nothing computes with {}", its.token))?;
        ensure!(count > 0 && its.width.is_multiple_of(count), "{} has no lanes", its.token);
        Ok(Shape { kind, width: its.width / count, count })
    }
}

/// A lane of an operand.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// What it is.
    pub kind: Kind,
    /// Its bits.
    pub word: Word,
}

impl Lane {
    /// As an integer, where all of it is defined.
    pub fn integer(&self) -> Option<i128> {
        let word = if self.kind == Kind::Signed { self.word.sign_extended(Word::MAX_WIDTH) } else { self.word };
        word.known().map(|bits| bits as i128)
    }
}

/// What a lane of a result is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// What it is.
    pub kind: Kind,
    /// How many bits.
    pub width: u32,
}

impl Executed<'_> {
    /// The words that are read, in PTX order, and the lanes of each. A register wider than its type counts with the
    /// bits of the type (ISA 9.4.1).
    pub(super) fn read(&self) -> Result<Vec<(Word, Shape)>> {
        let operands = self.variant.form.operands.iter().filter(|operand| !operand.written);
        let mut read = vec![];
        for (operand, words) in operands.zip(self.sources) {
            let its = self.variant.type_of(operand);
            for word in words {
                read.push((word.part(0, its.width), Shape::of(its)?));
            }
        }
        Ok(read)
    }

    /// The words that are read, where an instruction has this many.
    pub(super) fn words<const COUNT: usize>(&self) -> Result<[Word; COUNT]> {
        let words: Vec<Word> = self.read()?.into_iter().map(|(word, _)| word).collect();
        let found = words.len();
        words.try_into().ok().with_context(|| format!("{} reads {found} words, not {COUNT}", self.variant))
    }

    /// The lanes of what is written, operand by operand.
    pub(super) fn written(&self) -> Result<Vec<Shape>> {
        let operands = self.variant.form.operands.iter().filter(|operand| operand.written);
        operands.map(|operand| Shape::of(self.variant.type_of(operand))).collect()
    }

    /// The results, one word each. A register wider than its type gets the sign of a signed integer on top, else zeros
    /// (ISA 9.4.1).
    pub(super) fn give(&self, words: impl IntoIterator<Item = Word>) -> Result<Vec<Vec<Word>>> {
        let mut given = vec![];
        for ((word, shape), widths) in words.into_iter().zip(self.written()?).zip(self.results) {
            ensure!(widths.len() == 1, "{} writes {} words at once", self.variant, widths.len());
            let wide = match shape.kind {
                Kind::Signed if shape.count == 1 => word.sign_extended(widths[0]),
                _ => word.resized(widths[0]),
            };
            given.push(vec![wide]);
        }
        ensure!(given.len() == self.results.len(), "{} writes {} words", self.variant, self.results.len());
        Ok(given)
    }

    /// The one result, lane by lane from the lanes of what is read. An operand of one lane is read again for each.
    pub(super) fn lane_by_lane(&self, compute: impl Fn(&[Lane], Place) -> Word) -> Result<Vec<Vec<Word>>> {
        let read = self.read()?;
        let written = self.written()?;
        let shape = *written.first().with_context(|| format!("{} writes nothing", self.variant))?;
        let place = Place { kind: shape.kind, width: shape.width };
        let lane = |index: u32| {
            let lanes: Vec<Lane> = read
                .iter()
                .map(|(word, its)| {
                    let index = if its.count == 1 { 0 } else { index };
                    Lane { kind: its.kind, word: word.part(index * its.width, its.width) }
                })
                .collect();
            compute(&lanes, place).resized(shape.width)
        };
        self.give([Word::joined((0..shape.count).map(lane))])
    }
}
