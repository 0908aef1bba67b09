//! Loops that decide which registers are meant are taken apart: a register has no index when the program runs.
//!
//! - Where a tile of registers is an operand, its begins depend on constants and on counting loops with constant bounds
//!   alone; begins.rs has seen to that.
//! - Where one element is read or written at an index that such loops alone decide, they are taken apart too, if they
//!   make no more turns than the tile has elements. At any other index the registers stay in local memory.

use crate::access::Access;
use crate::begins::begins_of_registers;
use crate::growth::Growth;
use crate::ir;
use crate::loops::{Loop, Turns};
use crate::provenance::is_register_tile;
use crate::ranges::{deciding_loops, each_turn};
use crate::{Reported, at_op};
use anyhow::Result;
use melior::ir::ValueLike;
use melior::ir::operation::{OperationLike, OperationRef};
use ptx_tile_dialect::verify::read_tile;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;

/// Takes the loops apart that decide which registers `function` means, where that makes no more ops than may be. The
/// function has been checked.
pub fn run(function: OperationRef, growth: &mut Growth) -> Result<(), Reported> {
    loop {
        // Bounds of an inner loop may depend on those around it: round by round.
        let innermost = at_op(function, || innermost(function, growth.limit))?;
        if innermost.is_empty() {
            return Ok(());
        }
        for (its, turns) in innermost {
            let ops = Sizes::default().of(&its, turns);
            let what = || format!("decides which registers are meant, and would become {ops} ops");
            at_op(its.op, || growth.add(ops, &what()))?;
            its.unroll(turns);
        }
    }
}

/// The loops to take apart whose bounds are known, but for those around others of them.
fn innermost<'c>(function: OperationRef<'c, '_>, limit: u64) -> Result<Vec<(Loop<'c>, Turns)>> {
    let mut chosen: Vec<(Loop, Turns)> = vec![];
    let mut seen = HashSet::new();
    let mut sizes = Sizes::default();
    for op in ir::ops(function) {
        for its in [deciding_operands(op)?, deciding_access(op, limit, &mut sizes)?].concat() {
            if seen.insert(its.op.to_raw().ptr) {
                chosen.extend(its.constant_turns().map(|turns| (its, turns)));
            }
        }
    }
    let parents = |op: OperationRef<'c, 'c>| {
        let up =
            |op: &OperationRef<'c, 'c>| op.parent_operation().map(|op| unsafe { OperationRef::from_raw(op.to_raw()) });
        std::iter::successors(up(&op), up)
    };
    let around: HashSet<_> = chosen.iter().flat_map(|(its, _)| parents(its.op)).map(|op| op.to_raw().ptr).collect();
    chosen.retain(|(its, _)| !around.contains(&its.op.to_raw().ptr));
    Ok(chosen)
}

/// The loops that decide which registers a `tile.apply` takes.
fn deciding_operands<'c>(op: OperationRef<'c, 'c>) -> Result<Vec<Loop<'c>>> {
    let begins = begins_of_registers(op)?;
    Ok(deciding_loops(&begins).unwrap_or_default())
}

/// The loops that alone decide which register is read or written, where they make few turns.
fn deciding_access<'c>(op: OperationRef<'c, 'c>, limit: u64, sizes: &mut Sizes) -> Result<Vec<Loop<'c>>> {
    let Some(access) = Access::of(op).filter(|access| is_register_tile(access.tile)) else { return Ok(vec![]) };
    let Ok(loops) = deciding_loops(&access.deciding()?) else { return Ok(vec![]) };
    // First, as it bounds how often a turn is looked at.
    if !loops.iter().all(|its| its.constant_turns().is_none_or(|turns| sizes.of(its, turns) <= limit)) {
        return Ok(vec![]);
    }
    let mut left = read_tile(access.tile.r#type())?.size();
    let are_few = each_turn(&loops, |_| {
        left -= 1;
        (left >= 0).then_some(())
    });
    Ok(if are_few.is_some() { loops } else { vec![] })
}

/// How many ops are in a loop, counted once for all that is decided by it.
#[derive(Default)]
struct Sizes(HashMap<*const c_void, u64>);

impl Sizes {
    /// How many ops a loop becomes.
    fn of(&mut self, its: &Loop, turns: Turns) -> u64 {
        let ops = *self.0.entry(its.op.to_raw().ptr).or_insert_with(|| ir::ops(its.op).len() as u64);
        ops.saturating_mul(turns.count)
    }
}
