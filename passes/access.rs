//! Accesses to one element of a tile: `tile.read`, `tile.write`, and `memref.load` and `memref.store` on strided tiles.

use crate::ir::{Builder, operand_of};
use crate::shift::Shift;
use crate::{ranges, shift};
use anyhow::Result;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::layout::M;
use ptx_tile_dialect::legality::Tile;
use ptx_tile_dialect::tiles;
use ptx_tile_dialect::verify::{op_name, read_indices, read_tile};

/// An index: a constant, or a value of type `index`.
#[derive(Clone, Copy)]
pub enum Index<'c> {
    /// Known when the program is compiled.
    Constant(i64),
    /// Known when it runs.
    Value(Value<'c, 'c>),
}

/// An access to one element.
pub struct Access<'c> {
    /// The memref.
    pub tile: Value<'c, 'c>,
    /// What a write puts there.
    pub written: Option<Value<'c, 'c>>,
    /// One for each axis.
    pub indices: Vec<Index<'c>>,
}

/// Which element of a storage.
#[derive(Clone, Copy)]
pub enum Place<'c> {
    /// A slot, counted in elements of the access.
    Slot(i64),
    /// A slot that is a value of type i64.
    Dynamic(Value<'c, 'c>),
}

impl<'c> Access<'c> {
    /// The access that an op is, if it is one.
    pub fn of(op: OperationRef<'c, 'c>) -> Option<Access<'c>> {
        let (writes, own) = match op_name(op) {
            "tile.read" => (false, true),
            "tile.write" => (true, true),
            "memref.load" => (false, false),
            "memref.store" => (true, false),
            _ => return None,
        };
        let first = writes as isize;
        let mut values = (first + 1..op.operand_count() as isize).map(|index| constant(operand_of(op, index)));
        let indices = match own {
            true => read_indices(op)
                .into_iter()
                .map(|fixed| fixed.map_or_else(|| values.next().expect("verified"), Index::Constant))
                .collect(),
            false => values.collect(),
        };
        Some(Access { tile: operand_of(op, first), written: writes.then(|| operand_of(op, 0)), indices })
    }

    /// Whether it is known which slot that is.
    pub fn is_constant(&self) -> bool {
        let begins_at_constant = || Shift::of(self.tile).is_ok_and(|shift| shift.constant().is_some());
        self.indices.iter().all(|index| matches!(index, Index::Constant(_))) && begins_at_constant()
    }

    /// The values that decide which slot that is.
    pub fn deciding(&self) -> Result<Vec<Value<'c, 'c>>> {
        let indices = self.indices.iter().filter_map(|it| if let Index::Value(it) = it { Some(*it) } else { None });
        Ok(indices.chain(Shift::of(self.tile)?.begins()).collect())
    }

    /// The indices that are constants, `None` for another.
    fn constants(&self) -> Vec<Option<i64>> {
        self.indices.iter().map(|it| if let Index::Constant(it) = it { Some(*it) } else { None }).collect()
    }

    /// Constants lie inside of the tile (R36), those too that only the program's constants made so.
    pub fn in_bounds(&self) -> Result<()> {
        tiles::in_bounds(&read_tile(self.tile.r#type())?.shape, &self.constants())
    }

    /// The slot, as a constant or computed before `at`.
    pub fn place(&self, tile: &Tile, at: Builder<'c>) -> Result<Place<'c>> {
        let width = i64::from(tile.element.width());
        let shift = Shift::of(self.tile)?;
        let fixed: Option<Vec<i64>> = self.constants().into_iter().collect();
        Ok(match (fixed, shift.constant()) {
            (Some(indices), Some(bits)) => {
                Place::Slot(tile.layout.place(flat(&indices, &tile.shape), M) + bits / width)
            }
            _ => Place::Dynamic(at.arith("addi", self.computed_slot(tile, at), shift.build_long(at, width))),
        })
    }

    /// Flattened row-major, then as the layout has it.
    fn computed_slot(&self, tile: &Tile, at: Builder<'c>) -> Value<'c, 'c> {
        let flat = self.indices.iter().zip(&tile.shape).fold(at.number(0), |flat, (index, extent)| {
            let coordinate = match index {
                Index::Constant(value) => at.number(*value),
                Index::Value(value) => at.as_number(*value),
            };
            at.arith("addi", at.arith_by("muli", flat, *extent), coordinate)
        });
        let offset = tile.layout.offset().iter().find(|offset| offset.axis == M).map_or(0, |offset| offset.value);
        at.arith_by("addi", shift::place(at, flat, &tile.layout), offset)
    }
}

/// Row-major.
fn flat(indices: &[i64], shape: &[i64]) -> i64 {
    indices.iter().zip(shape).fold(0, |flat, (index, extent)| flat * extent + index)
}

fn constant<'c>(value: Value<'c, 'c>) -> Index<'c> {
    ranges::constant(value).map_or(Index::Value(value), Index::Constant)
}
