//! Registers that are read at another width than they were written: they are put together or taken apart. For remarks.

use crate::access::Access;
use crate::ir;
use crate::provenance::is_alias;
use anyhow::Result;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Location, Value, ValueLike};
use ptx_tile_dialect::verify::{op_name, read_apply, read_element};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::c_void;

/// The widths at which a storage is used.
#[derive(Default)]
pub struct Widths<'c> {
    written: BTreeSet<u32>,
    /// The first view that has a width.
    views: BTreeMap<u32, Location<'c>>,
    /// The view that gave each tile its width, as far as asked for.
    makers: HashMap<*const c_void, Option<Location<'c>>>,
}

impl<'c> Widths<'c> {
    /// Notes a tile of the storage that an op reads, or writes.
    pub fn note(&mut self, tile: Value<'c, 'c>, is_written: bool) -> Result<()> {
        let width = width_of(tile)?;
        if is_written {
            self.written.insert(width);
        }
        if let Some(view) = self.view_to_width(tile)? {
            self.views.entry(width).or_insert(view);
        }
        Ok(())
    }

    /// The view that gave a tile of registers the width it has, where its allocation has another.
    fn view_to_width(&mut self, tile: Value<'c, 'c>) -> Result<Option<Location<'c>>> {
        let (mut value, mut alike) = (tile, vec![]);
        let maker = loop {
            if let Some(known) = self.makers.get(&value.to_raw().ptr) {
                break *known;
            }
            alike.push(value.to_raw().ptr);
            let Some(op) = ir::definition(value).filter(|op| is_alias(*op)) else { break None };
            value = ir::operand_of(op, 0);
            if width_of(value)? != width_of(tile)? {
                break Some(op.location());
            }
        };
        self.makers.extend(alike.into_iter().map(|tile| (tile, maker)));
        Ok(maker)
    }

    /// The view that gives the storage a width; it has its own where it is allocated.
    pub fn view(&self, width: u32) -> Option<Location<'c>> {
        self.views.get(&width).copied()
    }
}

/// The tiles that an op writes.
pub fn written<'c>(op: OperationRef<'c, 'c>) -> Result<Vec<Value<'c, 'c>>> {
    if let Some(access) = Access::of(op) {
        return Ok(access.written.map(|_| access.tile).into_iter().collect());
    }
    if op_name(op) != "tile.apply" {
        return Ok(vec![]);
    }
    let (operands, _, application) = read_apply(op)?;
    let words = operands.words.iter().zip(application.variant.form.words());
    let written = words.filter(|(_, operand)| operand.written);
    Ok(written.map(|(word, _)| unsafe { Value::from_raw(word.to_raw()) }).collect())
}

/// What a block knows of its writes to storages of several widths. Places are counted in bits.
#[derive(Default)]
pub struct Writes {
    /// The last one to each bit, by storage and bit.
    last: HashMap<(usize, i64), Write>,
    count: usize,
    /// What was read at another width already, by storage, place and the number of the last write to it.
    repacked: HashSet<(usize, Place, usize)>,
}

/// The first bit, and the width.
type Place = (i64, u32);

#[derive(Clone, Copy)]
struct Write {
    place: Place,
    number: usize,
}

impl Writes {
    /// Something is written.
    pub fn write(&mut self, storage: usize, place: Place) {
        self.count += 1;
        let write = Write { place, number: self.count };
        self.last.extend(bits(place).map(|bit| ((storage, bit), write)));
    }

    /// Whether what is read there has to be repacked: once after each write.
    pub fn repacks(&mut self, storage: usize, place: Place, widths: &Widths) -> bool {
        let last: Vec<_> = bits(place).map(|bit| self.last.get(&(storage, bit))).collect();
        let is_alike = last.iter().all(|write| match write {
            Some(write) => write.place == place,
            // Of another block.
            None => widths.written.iter().all(|width| *width == place.1),
        });
        let number = last.into_iter().flatten().map(|write| write.number).max().unwrap_or_default();
        !is_alike && self.repacked.insert((storage, place, number))
    }

    /// Others may have written to these storages.
    pub fn forget(&mut self, storages: &HashSet<usize>) {
        self.last.retain(|(storage, _), _| !storages.contains(storage));
        self.repacked.retain(|(storage, ..)| !storages.contains(storage));
    }
}

fn bits((begin, width): Place) -> std::ops::Range<i64> {
    begin..begin + i64::from(width)
}

fn width_of(tile: Value) -> Result<u32> {
    Ok(read_element(ir::element_type(tile.r#type()))?.width())
}
