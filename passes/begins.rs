//! Begins that are no constants, as `tile-check` looks at them.
//!
//! - A region lies inside of its source for every value that a begin may have (R36, R37, R38). A `memref.subview` of
//!   memory is the program's promise instead (R39, D28).
//! - Wherever it begins it has one layout, the one of its type.
//! - Registers are known when the program is compiled: what decides about them are constants and counting loops.

use crate::ir::{definition, element_type, operand_of, result_of};
use crate::provenance::{addressed_registers, is_alias, is_register_tile, register_operands};
use crate::ranges::{MAX_TURNS, Ranges, Source, Values, deciding_loops, origin, sources};
use crate::shift::{self, Begin, Shift, axes};
use crate::steps;
use anyhow::{Context, Result, anyhow, bail, ensure};
use melior::ir::operation::OperationRef;
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::layout::{Iter, Layout};
use ptx_tile_dialect::legality::Tile;
use ptx_tile_dialect::verify::{index_list, op_name, read_element, read_tile};

/// A `tile.slice`.
pub fn of_slice<'c>(op: OperationRef<'c, 'c>, ranges: &Ranges) -> Result<()> {
    let begins = Begin::of(op, "static_begins");
    if begins.iter().all(|begin| matches!(begin, Begin::Constant(_))) {
        return Ok(());
    }
    let values = in_bounds(op, &begins, ranges)?;
    let extents = read_tile(result_of(op, 0).r#type())?.shape;
    for (position, ((axis, extent), values)) in axes(op)?.iter().zip(extents).zip(values).enumerate() {
        if let (Some(values), Begin::Value(begin), None) = (values, begins[position], axis.slope()) {
            // A quick look may think of values that it does not have.
            let exactly = || one_layout(axis, extent, &ranges.exactly(begin)?).ok();
            let looked = one_layout(axis, extent, &values);
            looked.or_else(|why| exactly().ok_or(why)).with_context(|| format!("begin of axis {position}"))?;
        }
    }
    Ok(())
}

/// A `memref.subview` of registers.
pub fn of_subview<'c>(op: OperationRef<'c, 'c>, ranges: &Ranges) -> Result<()> {
    in_bounds(op, &Begin::of(op, "static_offsets"), ranges).map(|_| ())
}

/// A `memref.cast` of registers: what the result says that the source does not is known to be so.
pub fn of_cast<'c>(op: OperationRef<'c, 'c>) -> Result<()> {
    let source = read_tile(operand_of(op, 0).r#type()).context("operand #0")?;
    let result = read_tile(result_of(op, 0).r#type()).context("result")?;
    let (has, says) = (source.layout.has_dynamic_offset(), result.layout.has_dynamic_offset());
    if has && !says {
        let begins = Shift::of(operand_of(op, 0))?.constant();
        let offset = shift::offset(result_of(op, 0).r#type()).unwrap_or(0);
        ensure!(
            begins == offset.checked_mul(i64::from(result.element.width())),
            "result has the offset {offset}, which the source is not known to have; leave it ?"
        );
    }
    Ok(())
}

/// A swizzle is applied to the place in memory: it looks the same from multiples of its period only. Whether a tile is
/// known to begin at one.
pub fn is_at_period<'c>(tile: Value<'c, 'c>, ranges: &Ranges) -> Result<bool> {
    let Tile { layout, element, .. } = read_tile(tile.r#type())?;
    let Some(swizzle) = layout.swizzle().filter(|_| layout.has_dynamic_offset()) else { return Ok(true) };
    let begin = Shift::of(tile)?;
    let period = swizzle.period().checked_mul(element.width().into());
    Ok(period.is_some_and(|period| begin.is_multiple_of(ranges, period)))
}

/// Views count from where the swizzle does.
fn whole_swizzle<'c>(tile: Value<'c, 'c>, ranges: &Ranges) -> Result<()> {
    let Some(swizzle) = read_tile(tile.r#type())?.layout.swizzle() else { return Ok(()) };
    ensure!(
        is_at_period(tile, ranges)?,
        "begins where it is not known to be a multiple of {} elements, after which the swizzle of its layout repeats; take the \
         view first and slice that",
        swizzle.period()
    );
    Ok(())
}

/// A `tile.view`: its elements begin where elements of its width do (R53), and have the places that the source has.
pub fn of_view<'c>(op: OperationRef<'c, 'c>, ranges: &Ranges) -> Result<()> {
    whole_swizzle(operand_of(op, 0), ranges).context("source")?;
    whole_swizzle(result_of(op, 0), ranges).context("result")?;
    let element = |value: Value| read_element(element_type(value.r#type()));
    let (from, to) = (element(operand_of(op, 0))?.width(), element(result_of(op, 0))?.width());
    if from >= to {
        return Ok(());
    }
    ensure!(
        leaves_source(operand_of(op, 0), ranges) || Shift::of(operand_of(op, 0))?.is_multiple_of(ranges, to.into()),
        "source begins at a number of bits that is not known to be a multiple of {to}, the width of an element of the result; \
         make its begin such a multiple, by arith.muli for example (R53)"
    );
    Ok(())
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
        if these.is_empty() {
            continue;
        }
        // A tile may be an address and, as another operand, registers.
        let addressed = addressed.get_or_insert_with(|| addressed_registers(op));
        match addressed.iter().position(|its| *its == tile) {
            Some(place) => {
                addressed.swap_remove(place);
            }
            None => begins.extend(these),
        }
    }
    Ok(begins)
}

/// Whether a slice that a tile comes from is refused.
pub fn leaves_source<'c>(tile: Value<'c, 'c>, ranges: &Ranges) -> bool {
    let is_view = |op: &OperationRef| is_alias(*op) || op_name(*op) == "memref.assume_alignment";
    let mut next = definition(tile).filter(is_view);
    while let Some(op) = next.filter(|_| steps::take(1).is_some()) {
        let checked = match op_name(op) {
            "tile.slice" => of_slice(op, ranges),
            "memref.subview" if is_register_tile(tile) => of_subview(op, ranges),
            _ => Ok(()),
        };
        if checked.is_err() {
            return true;
        }
        next = definition(operand_of(op, 0)).filter(is_view);
    }
    false
}

/// What keeps a begin inside.
const OF_RANGES: &str = "constant loop bounds, launch sizes and arithmetic such as arith.remui and arith.minui give a range, \
                         a condition around it does not";

/// What chooses registers.
const OF_REGISTERS: &str = "registers have no index when the program runs: begins of a register tile may depend on constants \
                            and on loops with constant bounds, which are unrolled";

/// What each begin may be, where it is no constant, all of it inside of the source.
fn in_bounds<'c>(op: OperationRef<'c, 'c>, begins: &[Begin<'c>], ranges: &Ranges) -> Result<Vec<Option<Values>>> {
    let source = read_tile(operand_of(op, 0).r#type())?.shape;
    let extents = match op_name(op) {
        // It has steps, and may drop axes, all of extent 1.
        "memref.subview" => {
            let (sizes, steps) = (index_list(op, "static_sizes"), index_list(op, "static_strides"));
            let reach = |(size, step): (Option<i64>, Option<i64>)| (size? - 1).checked_mul(step?)?.checked_add(1);
            let reaches: Option<Vec<i64>> = sizes.into_iter().zip(steps).map(reach).collect();
            reaches.context("has sizes or steps that are no constants; those of registers are constants (R16)")?
        }
        _ => read_tile(result_of(op, 0).r#type())?.shape,
    };
    let mut all = vec![];
    for (axis, ((begin, size), extent)) in begins.iter().zip(source).zip(extents).enumerate() {
        let Begin::Value(begin) = begin else {
            all.push(None);
            continue;
        };
        let last = size - extent;
        let is_inside = |values: &Values| values.least() >= 0 && values.greatest() <= last;
        let mut values = ranges.of(*begin);
        if !is_inside(&values) {
            values = ranges.exactly(*begin).unwrap_or(values);
        }
        if !is_inside(&values) {
            let (least, greatest) = (values.least(), values.greatest());
            let source = ranges.unknown_source(*begin).map(|source| format!(": it depends on {source}"));
            if source.is_some() || (least, greatest) == (i64::MIN, i64::MAX) {
                let way = if is_register_tile(operand_of(op, 0)) { OF_REGISTERS } else { OF_RANGES };
                bail!(
                    "begin of axis {axis} must be 0 to {last}, for {extent} of {size} elements, and that is not known (R36){}; \
                     {way}",
                    source.unwrap_or_default()
                );
            }
            let known = if matches!(values, Values::Exactly(_)) { "" } else { " as far as is known" };
            bail!(
                "begin of axis {axis} is {least} to {greatest}{known}, and must be 0 to {last} for {extent} of {size} elements \
                 (R36); arith.minui or arith.remui keep it there, a condition around it does not"
            );
        }
        all.push(Some(values));
    }
    Ok(all)
}

/// The regions of one axis, wherever they begin, have the same iters.
fn one_layout(axis: &Layout, extent: i64, values: &Values) -> Result<()> {
    let size = [axis.size()];
    let iters = |begin| axis.slice(&size, &[begin], &[extent]).map(|region| moving(&region));
    let wanted = iters(0)?;
    let begins = values.each().context("has more values than are compared; the iters of the axis are several")?;
    for begin in begins {
        let found = iters(begin).with_context(|| format!("may be {begin}"))?;
        ensure!(
            found == wanted,
            "may be {begin}, where {extent} elements have another layout than from 0; take runs of the innermost iter"
        );
    }
    Ok(())
}

fn moving(region: &Layout) -> Vec<Iter> {
    region.shard().iter().copied().filter(|iter| iter.extent > 1).collect()
}

/// The registers that a `tile.apply` takes are known when the program is compiled.
pub fn of_registers<'c>(op: OperationRef<'c, 'c>, ranges: &Ranges) -> Result<()> {
    let begins = begins_of_registers(op)?;
    // A begin that may lie outside is an error already.
    if begins.is_empty() || register_operands(op).into_iter().any(|tile| leaves_source(tile, ranges)) {
        return Ok(());
    }
    for begin in begins {
        let depends = |what: String| anyhow!("takes registers at a begin that depends on {what}; {OF_REGISTERS}");
        for source in sources(begin) {
            match source {
                Source::Other(value) => return Err(depends(origin(value))),
                Source::Loop(its) => {
                    let bounds: Vec<Value> = its.bound_values().collect();
                    let what = || format!("the induction variable of {}, {}", op_name(its.op), its.lack());
                    deciding_loops(&bounds).map_err(|_| depends(what()))?;
                }
            }
        }
        ensure!(
            ranges.exactly(begin).is_some(),
            "takes registers at a begin whose value cannot be computed for each turn of the loops that decide it: it divides \
             by zero or overflows, or the turns are more than {MAX_TURNS}"
        );
    }
    Ok(())
}
