//! `tile-check`: what an op alone cannot know.
//!
//! - Tile code stands in a function of a `gpu.module`.
//! - A register tile comes from an allocation through views (R31), and only ops that know registers use it: it
//!   has no address.
//! - A type with a tile layout is for `tile` ops only.
//! - Begins of slices that are no constants stay inside of their source, whatever they are then (begins.rs).
//! - The words of a memory operand are aligned to all of them together (memory.rs).
//! - Operands that PTX takes as constants alone are constants, and destinations are distinct registers
//!   (destinations.rs).

use crate::access::Access;
use crate::ir::{self, definition, operand_of};
use crate::lower_ptx::constant_of;
use crate::memory::memory_words;
use crate::provenance::{Roots, is_alias, register_operands};
use crate::ranges::Ranges;
use crate::steps::Limit;
use crate::{Reported, at_op, begins, bind, destinations};
use anyhow::{Context, Result, bail, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockLike, Value, ValueLike};
use mlir_sys::{mlirOperationClone, mlirOperationDestroy};
use ptx_tile_dialect::legality;
use ptx_tile_dialect::verify::{has_tile_layout, op_name, read_apply};
use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::c_void;

/// Checks everything at and under `root`; every fault is reported at its op. Nothing is changed: what is to be bound to
/// the threads of a scope is so in a copy.
pub fn run(root: OperationRef) -> Result<(), Reported> {
    in_kernels(root)?;
    if !ir::ops(root).into_iter().any(bind::is_bound) {
        return bound(root);
    }
    let copy = unsafe { OperationRef::from_raw(mlirOperationClone(root.to_raw())) };
    let outcome = bind::all(copy).and_then(|()| bound(copy));
    unsafe { mlirOperationDestroy(copy.to_raw()) };
    outcome
}

/// Tile code stands in a function of a `gpu.module`.
pub fn in_kernels(root: OperationRef) -> Result<(), Reported> {
    let tile_ops = ir::ops(root).into_iter().filter(|op| op_name(*op).starts_with("tile."));
    tile_ops.map(|op| at_op(op, || in_function_of_gpu_module(op))).fold(Ok(()), Result::and)
}

/// Checks what `bind` has been over.
pub fn bound(root: OperationRef) -> Result<(), Reported> {
    let ops = ir::ops(root);
    let tiles = Allocations::among(&ops);
    let ranges = Ranges::default();
    let limit = Limit::new();
    let mut outcome = Ok(());
    let mut gave_up = false;
    for op in ops {
        if ir::is_function(op) {
            limit.next_function();
            gave_up = limit.is_spent();
        }
        if !gave_up {
            let checked = check(op, &tiles, &ranges);
            // Without steps the checks say anything.
            let exceeded = limit.exceeded();
            gave_up = exceeded.is_some();
            outcome = at_op(op, || exceeded.map_or(checked, Err)).and(outcome);
        }
    }
    outcome
}

fn check<'c>(op: OperationRef<'c, 'c>, tiles: &Allocations<'c>, ranges: &Ranges) -> Result<()> {
    tile_layouts(op)?;
    if !op_name(op).starts_with("tile.") {
        tiles.not_used_by(op)?;
        let of_registers = || tiles.has(operand_of(op, 0));
        return match op_name(op) {
            "memref.subview" if of_registers() => begins::of_subview(op, ranges),
            "memref.cast" if of_registers() => begins::of_cast(op),
            _ => Ok(()),
        };
    }
    for tile in register_operands(op) {
        tiles.include(tile)?;
    }
    if let Some(access) = Access::of(op) {
        access.in_bounds()?;
    }
    match op_name(op) {
        "tile.slice" => begins::of_slice(op, ranges),
        "tile.view" => begins::of_view(op, ranges),
        "tile.apply" => {
            begins::of_registers(op, ranges)?;
            memory_words(op, ranges)?;
            operands_of_apply(op)
        }
        _ => Ok(()),
    }
}

/// What the values of a `tile.apply` must be, beside their types.
fn operands_of_apply<'c>(op: OperationRef<'c, 'c>) -> Result<()> {
    let (operands, tiles, application) = read_apply(op)?;
    let form = application.variant.form;
    for (index, (value, operand)) in operands.words.iter().zip(form.words()).enumerate() {
        legality::constant(operand, constant_of(*value)).with_context(|| format!("operand #{index}"))?;
    }
    destinations::distinct(&operands.words, &tiles, form, &operands.sink)
}

fn in_function_of_gpu_module(op: OperationRef) -> Result<()> {
    let mut parents = std::iter::successors(op.parent_operation(), |parent| parent.parent_operation());
    let function = parents.find(|parent| ir::is_function(*parent));
    let module = function.and_then(|function| function.parent_operation());
    ensure!(
        module.is_some_and(|module| op_name(module) == "gpu.module"),
        "is in no function of a gpu.module, where tile code stands (outline gpu.launch first)"
    );
    Ok(())
}

/// Tile layouts admit every shape of their size, so that other dialects misread them.
fn tile_layouts(op: OperationRef) -> Result<()> {
    let blocks = ir::blocks(op);
    let arguments = blocks.iter().flat_map(|block| (0..block.argument_count()).filter_map(|i| block.argument(i).ok()));
    for argument in arguments {
        let r#type = argument.r#type();
        ensure!(
            !has_tile_layout(r#type),
            "argument of type {type}: a tile layout is for tile ops only; take a strided memref and view it by tile.view"
        );
    }
    if op_name(op).starts_with("tile.") {
        return Ok(());
    }
    for value in operands(op).chain((0..op.result_count() as isize).map(|index| ir::result_of(op, index))) {
        let r#type = value.r#type();
        ensure!(
            !has_tile_layout(r#type),
            "uses a value of type {type}: a tile layout is for tile ops only; {}",
            match op_name(op) {
                "memref.alloca" | "memref.alloc" => "use tile.alloc",
                "memref.get_global" => "declare the global with a plain layout, and take a tile.view of it",
                _ => "use tile.read, tile.write, tile.slice or tile.view",
            }
        );
    }
    Ok(())
}

/// What makes register tiles: every `tile.alloc`, and every private `memref.alloca` that a tile op uses.
struct Allocations<'c> {
    all: HashSet<*const c_void>,
    roots: Roots<'c>,
    /// What is none of these, and was refused.
    refused: RefCell<HashSet<*const c_void>>,
}

impl<'c> Allocations<'c> {
    fn among(ops: &[OperationRef<'c, 'c>]) -> Allocations<'c> {
        let roots = Roots::default();
        let own = ops.iter().filter(|op| op_name(**op) == "tile.alloc").map(|op| ir::result_of(*op, 0));
        let used = ops
            .iter()
            .flat_map(|op| register_operands(*op))
            .map(|tile| roots.of(tile))
            .filter(|root| definition(*root).is_some_and(|op| op_name(op) == "memref.alloca"));
        let all = own.chain(used).map(|root| root.to_raw().ptr).collect();
        Allocations { all, roots, refused: RefCell::default() }
    }

    fn has(&self, value: Value<'c, '_>) -> bool {
        self.all.contains(&self.roots.of(value).to_raw().ptr)
    }

    /// A register tile is a name for registers, no pointer: its allocation is known.
    fn include(&self, tile: Value<'c, 'c>) -> Result<()> {
        const WANTED: &str = "it must come from a tile.alloc through tile.view, tile.slice and memref.subview";
        if self.has(tile) {
            return Ok(());
        }
        let root = self.roots.of(tile);
        let source = definition(root);
        // The op that made a value of registers may be refused itself: one fault, one error.
        let maker = source.or_else(|| ir::parent_of_argument(root));
        let is_refused = maker.is_some_and(|maker| self.passes_on(maker)) || has_tile_layout(root.r#type());
        if is_refused || !self.refused.borrow_mut().insert(root.to_raw().ptr) {
            return Ok(());
        }
        match source {
            None => bail!("uses a register tile that is a block argument; {WANTED}"),
            Some(op) => bail!("uses a register tile that comes from '{}'; {WANTED}", op_name(op)),
        }
    }

    /// Whether an op takes a register tile, or a block of its ends with one.
    fn passes_on(&self, op: OperationRef<'c, 'c>) -> bool {
        let ends = ir::blocks(op).into_iter().filter_map(|block| ir::ops_in(block).pop());
        [unsafe { OperationRef::from_raw(op.to_raw()) }]
            .into_iter()
            .chain(ends)
            .any(|op| operands(op).any(|operand| self.has(operand)))
    }

    /// Registers have no address: of other dialects, only ops that name a slot or a view of slots may use them. What
    /// tile ops make of memory has a layout that is theirs.
    fn not_used_by(&self, op: OperationRef<'c, 'c>) -> Result<()> {
        let access = Access::of(op).filter(|access| self.has(access.tile));
        if let Some(access) = &access {
            access.in_bounds()?;
        }
        let slot = access.map(|access| access.tile.to_raw().ptr);
        for (index, value) in operands(op).enumerate().filter(|(_, value)| !self.has(*value)) {
            let made = definition(value).map(op_name).filter(|name| name.starts_with("tile.") && *name != "tile.read");
            if let Some(name) = made {
                let instead = match op_name(op) {
                    "memref.subview" => "use tile.slice",
                    _ => "use memref.subview or memref.reinterpret_cast",
                };
                bail!("operand #{index} comes from {name}, which only tile ops read; {instead}");
            }
        }
        for (index, value) in operands(op).enumerate().filter(|(_, value)| self.has(*value)) {
            let goes_on = op.region_count() > 0 || op.successor_count() > 0 || op_name(op).ends_with(".yield");
            ensure!(
                !goes_on,
                "operand #{index} passes on a tile of registers, which is no value; allocate it before the loop or branch, and \
                 write it inside"
            );
            let instead = match op_name(op) {
                name if name.ends_with(".call") => "inline the call, or pass elements by tile.read, or memory",
                name if name.starts_with("affine.") => "run lower-affine first",
                _ => "use tile.read and tile.write, or memory",
            };
            ensure!(
                is_alias(op) || slot == Some(value.to_raw().ptr),
                "operand #{index} is a tile of registers, which have no address; {instead}"
            );
        }
        Ok(())
    }
}

fn operands<'c>(op: OperationRef<'c, '_>) -> impl Iterator<Item = Value<'c, 'c>> {
    (0..op.operand_count() as isize).map(move |index| operand_of(op, index))
}
