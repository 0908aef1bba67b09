//! Applications over the threads of a scope become those of one thread, which `tile-check` and `tile-expand` know.
//!
//! - A tile of registers is viewed as what this thread has of it, once it is shown that each element belongs to the thread
//!   that acts on it (R55). Memory is sliced at the coordinates of the thread in its group (R60), which numbers.rs
//!   computes.
//! - `tile.where` becomes the guard that it states (R30).

use crate::ir::{self, Builder};
use crate::numbers::{Number, Numbers};
use crate::{Reported, at_op, launch, uniform};
use anyhow::{Context as _, Result, bail, ensure};
use melior::Context;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, Identifier, Region, RegionLike, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::*;
use ptx_tile_dialect::layout::{DYNAMIC, Layout};
use ptx_tile_dialect::legality::{Space, Tile, coordinates};
use ptx_tile_dialect::ownership::owned;
use ptx_tile_dialect::threads::{Active, GroupAxis, Launch, Part, Scope};
use ptx_tile_dialect::verify::{op_name, read_apply, read_narrowing, scope_of};
use std::collections::HashMap;
use std::ffi::c_void;

/// Whether an op is over the threads of a scope.
pub fn is_bound(op: OperationRef) -> bool {
    match op_name(op) {
        "tile.apply" => !scope_of(op).is_ok_and(|scope| scope == Scope::Thread),
        name => name == "tile.where",
    }
}

/// Binds every `tile.apply` at and under `root`, and lowers every `tile.where`.
pub fn all(root: OperationRef) -> Result<(), Reported> {
    ir::functions(root).into_iter().map(function).fold(Ok(()), Result::and)
}

fn function(function: OperationRef) -> Result<(), Reported> {
    let context = function.context();
    let context = unsafe { context.to_ref() };
    let function = unsafe { OperationRef::from_raw(function.to_raw()) };
    let ops = ir::ops(function);
    let Some(first) = ops.iter().find(|op| is_bound(**op)) else { return Ok(()) };
    let launch = at_op(*first, || launch::of_kernel(function))?;
    at_op(function, || launch::hold_to_block_size(function))?;
    let zero = (Identifier::new(context, "value"), IntegerAttribute::new(Type::index(context), 0).into());
    let entry = Builder::at_entry(context, function, function.location());
    let marker = entry.op("arith.constant", &[], &[Type::index(context)], &[zero]);
    let numbers = Numbers::new(context, marker, launch);
    let outcome = Binder { context, launch, numbers, active: HashMap::new() }.all(&ops);
    ir::erase(marker);
    outcome
}

struct Binder<'c> {
    context: &'c Context,
    launch: Launch,
    numbers: Numbers<'c>,
    /// The threads that each `tile.where` leaves; `None` where it has been refused.
    active: HashMap<*const c_void, Option<Active>>,
}

impl<'c> Binder<'c> {
    fn all(&mut self, ops: &[OperationRef<'c, 'c>]) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for op in ops {
            // Inside of what is refused nothing is known, and nothing more is said.
            let bound = match (op_name(*op), self.around(*op)) {
                ("tile.where", Some(active)) => {
                    let narrowed = at_op(*op, || active.narrowed(&read_narrowing(*op)));
                    let outcome = narrowed.as_ref().map(drop).map_err(|why| *why);
                    self.active.insert(op.to_raw().ptr, narrowed.ok());
                    outcome
                }
                ("tile.where", None) => {
                    self.active.insert(op.to_raw().ptr, None);
                    Ok(())
                }
                ("tile.apply", Some(active)) => at_op(*op, || self.apply(*op, &active)),
                ("gpu.barrier", Some(active)) => at_op(*op, || {
                    ensure!(
                        active.has_whole_blocks(),
                        "is in a tile.where that leaves out threads of the block, which it waits for; put it behind"
                    );
                    Ok(())
                }),
                _ => Ok(()),
            };
            outcome = outcome.and(bound);
        }
        outcome?;
        // Inner ones first, so that what is moved out of an outer one has none left.
        let guarded = ops.iter().rev().filter(|op| op_name(**op) == "tile.where");
        guarded.into_iter().try_for_each(|op| at_op(*op, || self.guard(*op)))
    }

    /// The threads that are active at most where an op stands.
    fn around(&self, op: OperationRef) -> Option<Active> {
        let parent = |op: &OperationRef| op.parent_operation().map(|op| unsafe { OperationRef::from_raw(op.to_raw()) });
        let enclosing = std::iter::successors(parent(&op), parent).find(|op| op_name(*op) == "tile.where");
        enclosing.map_or(Some(self.launch.all()), |op| self.active[&op.to_raw().ptr.cast_const()].clone())
    }

    fn apply(&mut self, op: OperationRef<'c, 'c>, active: &Active) -> Result<()> {
        let scope = scope_of(op)?;
        if scope == Scope::Thread {
            return Ok(());
        }
        let (operands, tiles, application) = read_apply(op)?;
        let group = match application.variant.instruction.collective {
            true => {
                uniform::issued_together(op, operands.pred)?;
                active.group_of_warps(scope)?
            }
            false => active.group(scope)?,
        };
        let at = Builder::before(self.context, op);
        for ((i, tile), operand) in tiles.iter().enumerate().zip(application.variant.form.words()) {
            let Some(tile) = tile else { continue };
            let value = unsafe { Value::from_raw(operands.words[i].to_raw()) };
            let own = has_group_axes(tile, scope, &group).and_then(|()| match tile.space {
                Space::Register if operand.address => {
                    bail!("is local memory, which each thread has of its own; use scope(thread) (R60)")
                }
                Space::Register => self.registers(at, value, tile, scope, &group, active),
                _ => self.memory(at, value, tile, &group),
            });
            let own = own.with_context(|| format!("operand #{i}"))?;
            unsafe { mlirOperationSetOperand(op.to_raw(), i as isize, own.to_raw()) };
        }
        let thread = Attribute::parse(self.context, "#tile.scope<thread>").context("the attribute is known")?;
        unsafe { mlirOperationSetInherentAttributeByName(op.to_raw(), crate::reference("scope"), thread.to_raw()) };
        Ok(())
    }

    /// The registers of this thread.
    fn registers(
        &self,
        at: Builder<'c>,
        value: Value<'c, 'c>,
        tile: &Tile,
        scope: Scope,
        group: &[GroupAxis],
        active: &Active,
    ) -> Result<Value<'c, 'c>> {
        owned(&tile.layout, &tile.shape, scope, group, active)?;
        let shape = of_one_thread(&tile.shape, group.len());
        let layout = tile.layout.slice(&tile.shape, &vec![0; shape.len()], &shape)?.of_one_thread();
        let result = self.type_like(value.r#type(), &shape, &layout)?;
        Ok(at.value("tile.view", &[value], result, &[]))
    }

    /// The memory at the coordinates of this thread. Where an iter goes over several group axes, these are one.
    fn memory(
        &mut self,
        at: Builder<'c>,
        value: Value<'c, 'c>,
        tile: &Tile,
        group: &[GroupAxis],
    ) -> Result<Value<'c, 'c>> {
        let r#type = value.r#type();
        let mut shape = tile.shape.clone();
        let (mut source, mut begins) = (value, vec![None; shape.len()]);
        if tile.layout.dimensions(&shape).is_some() {
            for (begin, axis) in begins.iter_mut().zip(group) {
                *begin = self.numbers.coordinate(axis);
            }
        } else {
            shape[0] = shape[..group.len()].iter().product();
            shape[1..group.len()].fill(1);
            tile.layout.dimensions(&shape).context(
                "layout of memory has an iter that goes from the group axes into the repeats, so that what a thread has \
                 is no region; let an iter end where the group axes do (R60)",
            )?;
            source = at.value("tile.view", &[value], self.type_like(r#type, &shape, &tile.layout)?, &[]);
            begins[0] = self.numbers.flat(group);
        }
        let extents = of_one_thread(&shape, group.len());
        let region = tile.layout.slice(&shape, &vec![0; shape.len()], &extents)?;
        let is_dynamic = begins.iter().any(Option::is_some) || tile.layout.has_dynamic_offset();
        let region = if is_dynamic { region.with_dynamic_offset() } else { region };
        let numbers: Vec<i64> = begins.iter().map(|begin| if begin.is_some() { DYNAMIC } else { 0 }).collect();
        let attributes = [("static_begins", &numbers), ("extents", &extents)].map(|(name, numbers)| {
            (Identifier::new(self.context, name), DenseI64ArrayAttribute::new(self.context, numbers).into())
        });
        let operands: Vec<Value> = [source].into_iter().chain(begins.into_iter().flatten()).collect();
        Ok(at.value("tile.slice", &operands, self.type_like(r#type, &extents, &region)?, &attributes))
    }

    /// The type of a memref with another shape and layout.
    fn type_like(&self, r#type: Type<'c>, shape: &[i64], layout: &Layout) -> Result<Type<'c>> {
        let text = layout.as_type_parameter(shape);
        let attribute = Attribute::parse(self.context, &text).with_context(|| format!("{text} is no layout"))?;
        let raw = r#type.to_raw();
        Ok(unsafe {
            Type::from_raw(mlirMemRefTypeGet(
                mlirShapedTypeGetElementType(raw),
                shape.len() as isize,
                shape.as_ptr(),
                attribute.to_raw(),
                mlirMemRefTypeGetMemorySpace(raw),
            ))
        })
    }

    /// The guard that a `tile.where` states.
    fn guard(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let narrowing = read_narrowing(op);
        let ranges = narrowing.ranges().map(|(name, range)| {
            let number = match name {
                "lanes" => Number::Part(Part::Lane),
                "warps" => Number::Part(Part::Warp),
                "warps_in_group" => Number::Part(Part::WarpInGroup),
                "warpgroups" => Number::Warpgroup,
                _ => Number::CtaRank,
            };
            (number, range.clone())
        });
        let guard = self.numbers.are_in(&ranges.collect::<Vec<_>>());
        let (body, otherwise) = (Region::new(), Region::new());
        unsafe { mlirRegionTakeBody(body.to_raw(), mlirOperationGetRegion(op.to_raw(), 0)) };
        let block = body.first_block().context("a tile.where has a body")?;
        let end = OperationBuilder::new("scf.yield", op.location()).build().context("scf is loaded")?;
        block.append_operation(end);
        let guarded = OperationBuilder::new("scf.if", op.location())
            .add_operands(&[guard])
            .add_regions([body, otherwise])
            .build()
            .context("scf is loaded")?;
        ir::block_of(op).insert_operation_before(op, guarded);
        ir::erase(op);
        Ok(())
    }
}

/// That a tile begins with the group axes.
fn has_group_axes(tile: &Tile, scope: Scope, group: &[GroupAxis]) -> Result<()> {
    let extents: Vec<i64> = group.iter().map(|axis| axis.extent).collect();
    let found = tile.shape.get(..group.len()).filter(|_| tile.shape.len() > group.len());
    let found = found
        .with_context(|| format!("has rank {}; the {1} group axes of scope({scope}) come first, then the repeats, then the registers of the instruction (R14)", tile.shape.len(), group.len()))?;
    if found != extents {
        let parts: Vec<String> = group.iter().map(|axis| axis.part.to_string()).collect();
        let has_more = found.iter().zip(&extents).all(|(found, extent)| found >= extent);
        bail!(
            "has the leading extents {}, the group axes of scope({scope}) are {} here ({}){} (R24)",
            coordinates(found),
            coordinates(&extents),
            parts.join(", "),
            if has_more {
                "; take a tile.slice of it"
            } else {
                "; tile.where makes fewer threads active, an scf.if does not"
            }
        );
    }
    Ok(())
}

/// What one thread has of a shape.
fn of_one_thread(shape: &[i64], group: usize) -> Vec<i64> {
    let mut shape = shape.to_vec();
    shape[..group].fill(1);
    shape
}
