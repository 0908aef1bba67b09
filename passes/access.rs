//! Accesses to one element of a tile: `tile.read`, `tile.write`, and `memref.load` and `memref.store` on strided tiles.

use crate::ir::{Builder, definition, operand_of};
use anyhow::Result;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Identifier, Type, Value, ValueLike};
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

    /// Whether every index is a constant.
    pub fn is_constant(&self) -> bool {
        self.indices.iter().all(|index| matches!(index, Index::Constant(_)))
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
    pub fn place(&self, tile: &Tile, at: Builder<'c>) -> Place<'c> {
        let fixed: Option<Vec<i64>> = self.constants().into_iter().collect();
        match fixed {
            Some(indices) => Place::Slot(tile.layout.place(flat(&indices, &tile.shape), M)),
            None => Place::Dynamic(self.computed_slot(tile, at)),
        }
    }

    /// R42 in arithmetic: flatten row-major, split over the shard, sum what lies on m.
    fn computed_slot(&self, tile: &Tile, at: Builder<'c>) -> Value<'c, 'c> {
        let i64: Type = IntegerType::new(at.context(), 64).into();
        let number = |value: i64| {
            let its: Attribute = IntegerAttribute::new(i64, value).into();
            at.value("arith.constant", &[], i64, &[(Identifier::new(at.context(), "value"), its)])
        };
        let binary = |op: &str, a: Value<'c, 'c>, b: i64| at.value(op, &[a, number(b)], i64, &[]);
        let coordinates: Vec<Value> = self
            .indices
            .iter()
            .map(|index| match index {
                Index::Constant(value) => number(*value),
                Index::Value(value) => at.value("arith.index_cast", &[*value], i64, &[]),
            })
            .collect();
        let add = |a: Value<'c, 'c>, b: Value<'c, 'c>| at.value("arith.addi", &[a, b], i64, &[]);
        let flat = coordinates
            .iter()
            .zip(&tile.shape)
            .fold(number(0), |flat, (coordinate, extent)| add(binary("arith.muli", flat, *extent), *coordinate));
        let offset = tile.layout.offset().iter().find(|offset| offset.axis == M).map_or(0, |offset| offset.value);
        let (mut slot, mut inner) = (number(offset), 1);
        for iter in tile.layout.shard().iter().rev() {
            if iter.axis == M && iter.extent > 1 {
                let part = binary("arith.remui", binary("arith.divui", flat, inner), iter.extent);
                slot = add(slot, binary("arith.muli", part, iter.stride));
            }
            inner *= iter.extent;
        }
        slot
    }
}

/// Row-major.
fn flat(indices: &[i64], shape: &[i64]) -> i64 {
    indices.iter().zip(shape).fold(0, |flat, (index, extent)| flat * extent + index)
}

fn constant<'c>(value: Value<'c, 'c>) -> Index<'c> {
    let known = definition(value).filter(|op| op_name(*op) == "arith.constant").and_then(|op| {
        let value = op.attribute("value").ok()?;
        IntegerAttribute::try_from(value).ok().map(|number| number.value())
    });
    known.map_or(Index::Value(value), Index::Constant)
}
