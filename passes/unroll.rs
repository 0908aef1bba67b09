//! Loops that decide which registers are meant are taken apart: a register has no index when the program runs.
//!
//! - Where a tile of registers is an operand, its begins depend on constants and on counting loops with constant bounds
//!   alone; check.rs has seen to that.
//! - Where one element is read or written at an index that such loops alone decide, they are taken apart too, if they make
//!   no more turns than the tile has elements. At any other index the registers stay in local memory.

use crate::access::Access;
use crate::ir;
use crate::loops::{Loop, Turns};
use crate::provenance::{addressed_registers, is_register_tile, register_operands};
use crate::ranges::{Known, deciding_loops, each_turn};
use crate::shift::Shift;
use crate::{Reported, at_op};
use anyhow::{Result, ensure};
use melior::ir::operation::OperationRef;
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::verify::{op_name, read_tile};

/// Takes the loops apart that decide which registers `function` means, where that makes at most `limit` ops of one. The
/// function has been checked.
pub fn run(function: OperationRef, limit: u64) -> Result<(), Reported> {
    while let Some((its, turns)) = at_op(function, || next(function, limit))? {
        at_op(its.op, || {
            let ops = size(its, turns);
            ensure!(
                ops <= limit,
                "decides which registers are meant, and would become {ops} ops, more than the limit of {limit}; make it \
                 shorter, or raise that by tile-expand{{limit=...}}"
            );
            Ok(())
        })?;
        its.unroll(turns);
    }
    Ok(())
}

/// A loop to take apart: an inner one before those around it, since its bounds may depend on none of them.
fn next<'c>(function: OperationRef<'c, '_>, limit: u64) -> Result<Option<(Loop<'c>, Turns)>> {
    let mut chosen: Option<(usize, Loop, Turns)> = None;
    for op in ir::ops(function) {
        for its in [deciding_operands(op)?, deciding_access(op, limit)?].concat() {
            let Some(turns) = its.is_constant() else { continue };
            if chosen.as_ref().is_none_or(|(depth, ..)| its.depth() > *depth) {
                chosen = Some((its.depth(), its, turns));
            }
        }
    }
    Ok(chosen.map(|(_, its, turns)| (its, turns)))
}

/// The loops that decide which registers a `tile.apply` takes.
fn deciding_operands<'c>(op: OperationRef<'c, 'c>) -> Result<Vec<Loop<'c>>> {
    let begins = begins_of_registers(op)?;
    Ok(deciding_loops(&begins).unwrap_or_default())
}

/// The begins, not known yet, of the operands of a `tile.apply` that are registers.
pub fn begins_of_registers<'c>(op: OperationRef<'c, 'c>) -> Result<Vec<Value<'c, 'c>>> {
    if op_name(op) != "tile.apply" {
        return Ok(vec![]);
    }
    let mut begins = vec![];
    let mut addressed = None;
    for tile in register_operands(op) {
        let these = Shift::of(tile)?.begins();
        if !these.is_empty() && !addressed.get_or_insert_with(|| addressed_registers(op)).contains(&tile) {
            begins.extend(these);
        }
    }
    Ok(begins)
}

/// The loops that alone decide which register is read or written, where they make few turns.
fn deciding_access<'c>(op: OperationRef<'c, 'c>, limit: u64) -> Result<Vec<Loop<'c>>> {
    let Some(access) = Access::of(op).filter(|access| is_register_tile(access.tile)) else { return Ok(vec![]) };
    let Ok(loops) = deciding_loops(&access.deciding()?) else { return Ok(vec![]) };
    let mut turns = 0;
    let all = each_turn(&loops, &Known::new(), &mut |_| {
        turns += 1;
        Some(())
    });
    let is_small = |its: &Loop| its.is_constant().is_none_or(|turns| size(*its, turns) <= limit);
    let few = all.is_some() && turns <= read_tile(access.tile.r#type())?.size();
    Ok(if few && loops.iter().all(is_small) { loops } else { vec![] })
}

/// How many ops a loop becomes.
fn size(its: Loop, turns: Turns) -> u64 {
    (ir::ops(its.op).len() as u64).saturating_mul(turns.count)
}
