//! The registers that a `tile.apply` writes as several operands, as `setp` with two predicates does: all are distinct
//! (R61).

use crate::provenance::allocation;
use crate::shift::Shift;
use anyhow::{Result, bail};
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::instruction::{Form, Operand};
use ptx_tile_dialect::legality::{Tile, repeat_name};
use std::ffi::c_void;

/// A word that is written.
struct Word {
    allocation: *const c_void,
    /// Its bits in the allocation.
    begin: i64,
    end: i64,
    index: usize,
    operand: &'static Operand,
    /// Of the operand's words, row-major.
    flat: usize,
}

/// Decides it, where the tiles begin at places that are known; expansion asks again when all are.
pub fn distinct<'c>(values: &[Value<'c, 'c>], tiles: &[Option<Tile>], form: &Form, sink: &[i64]) -> Result<()> {
    let written: Vec<_> = form.words().enumerate().filter(|(_, operand)| operand.written).collect();
    if written.len() < 2 {
        return Ok(());
    }
    let mut words = vec![];
    for (index, operand) in written {
        let (value, Some(tile)) = (values[index], &tiles[index]) else { continue };
        let Some(begin) = Shift::of(value)?.constant() else { return Ok(()) };
        let (allocation, width) = (allocation(value).to_raw().ptr, i64::from(tile.element.width()));
        let of_word = |(flat, slot): (usize, i64)| {
            let begin = begin + slot * width;
            Word { allocation, begin, end: begin + width, index, operand, flat }
        };
        let is_sunk = |flat: usize| form.is_sunk(operand, flat % operand.registers as usize, sink);
        words.extend(tile.layout.slots().enumerate().filter(|(flat, _)| !is_sunk(*flat)).map(of_word));
    }
    words.sort_by_key(|word| (word.allocation, word.begin));
    // Words of one operand are distinct: where two overlap, two neighbours do, and are of two operands.
    let overlap = words.windows(2).find(|pair| pair[0].allocation == pair[1].allocation && pair[1].begin < pair[0].end);
    let named = |word: &Word| {
        let tile = tiles[word.index].as_ref().expect("it has words");
        let repeat = repeat_name(word.flat / word.operand.registers as usize, &tile.shape);
        format!("{repeat} of operand #{} ({})", word.index, word.operand.name)
    };
    if let Some([a, b]) = overlap {
        let (first, second) = if a.index < b.index { (a, b) } else { (b, a) };
        bail!(
            "{} and {} write one register; all that an application writes are distinct registers (R61)",
            named(first),
            named(second)
        );
    }
    Ok(())
}
