//! Applications over the threads of a scope become those of one thread, which `tile-check` and `tile-expand` know.
//!
//! - The coordinates of a thread in its group are computed once, at the entry of the function, from the special registers
//!   and the block's real shape (R23, R29). One that all active threads share is a constant.
//! - A tile of registers is viewed as what this thread has of it, once it is shown that each element belongs to the thread
//!   that acts on it (R55). Memory is sliced at the coordinates (R60).
//! - `tile.where` becomes the guard that it states (R30).

use crate::ir::{self, Builder};
use crate::{Reported, at_op, kernels, uniform};
use anyhow::{Context as _, Result, bail, ensure};
use melior::Context;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{
    Attribute, AttributeLike, BlockLike, Identifier, Region, RegionLike, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::*;
use ptx_tile_dialect::layout::{DYNAMIC, Layout};
use ptx_tile_dialect::legality::{Space, Tile, coordinates};
use ptx_tile_dialect::ownership::owned;
use ptx_tile_dialect::threads::{Active, GroupAxis, LANES, Launch, Part, Scope, WARPS_OF_GROUP};
use ptx_tile_dialect::verify::{op_name, read_apply, read_narrowing, scope_of};
use std::collections::HashMap;

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
    if !ops.iter().any(|op| is_bound(*op)) {
        return Ok(());
    }
    at_op(function, || hold_to_block_size(function))?;
    let entry = Builder::at_entry(context, function, function.location());
    let marker = entry.op("arith.constant", &[], &[Type::index(context)], &[index_value(context, 0)]);
    let mut binder = Binder { context, function, marker, numbers: HashMap::new(), coordinates: HashMap::new() };
    let outcome = binder.all(&ops);
    ir::erase(marker);
    outcome
}

fn index_value<'c>(context: &'c Context, number: i64) -> (Identifier<'c>, Attribute<'c>) {
    (Identifier::new(context, "value"), IntegerAttribute::new(Type::index(context), number).into())
}

/// Who acts depends on the shape of the block: a launch must have it, and not only at most as many threads.
fn hold_to_block_size(function: OperationRef) -> Result<()> {
    if ir::attribute(function, "nvvm.reqntid").is_some() {
        return Ok(());
    }
    ensure!(
        ir::attribute(function, "nvvm.maxntid").is_none(),
        "has nvvm.maxntid, which bounds the block, and ops over its threads, which need its shape; give it nvvm.reqntid \
         instead (R24)"
    );
    if let Some(known) = ir::attribute(function, "known_block_size") {
        unsafe { mlirOperationSetAttributeByName(function.to_raw(), crate::reference("nvvm.reqntid"), known.to_raw()) };
    }
    Ok(())
}

/// The launch of a kernel, as far as the kernel says it (R24, R25).
fn launch_of(function: OperationRef) -> Result<Launch> {
    let sizes = |names: [&str; 2]| names.iter().find_map(|name| kernels::extents(function, name));
    let block = sizes(["nvvm.reqntid", "known_block_size"]).context(
        "needs the shape of the block; give the kernel known_block_size or nvvm.reqntid, or use scope(thread) (R24)",
    )?;
    Launch::new(block, sizes(["nvvm.cluster_dim", "known_cluster_size"]))
}

/// The threads that are active at most where an op stands, or that the op itself leaves.
fn active(op: OperationRef, launch: &Launch, itself: bool) -> Result<Active> {
    let parent = |op: &OperationRef| op.parent_operation().map(|op| unsafe { OperationRef::from_raw(op.to_raw()) });
    let first = if itself { Some(unsafe { OperationRef::from_raw(op.to_raw()) }) } else { parent(&op) };
    let enclosing = std::iter::successors(first, parent).filter(|op| op_name(*op) == "tile.where");
    let all: Vec<OperationRef> = enclosing.collect();
    all.iter().rev().try_fold(launch.all(), |active, op| active.narrowed(&read_narrowing(*op)))
}

struct Binder<'c> {
    context: &'c Context,
    function: OperationRef<'c, 'c>,
    /// An op at the entry of the function, before which the numbers of a thread are computed.
    marker: OperationRef<'c, 'c>,
    /// Lanes, warps and what else a thread is counted by, as indices.
    numbers: HashMap<Number, Value<'c, 'c>>,
    /// Of group axes.
    coordinates: HashMap<(Part, i64, i64), Value<'c, 'c>>,
}

/// What a thread is counted by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Number {
    Thread,
    Part(Part),
    Warpgroup,
    CtaRank,
}

impl<'c> Binder<'c> {
    fn all(&mut self, ops: &[OperationRef<'c, 'c>]) -> Result<(), Reported> {
        let mut outcome = Ok(());
        for op in ops {
            let bound = match op_name(*op) {
                "tile.apply" => at_op(*op, || self.apply(*op)),
                "tile.where" => at_op(*op, || active(*op, &launch_of(self.function)?, true).map(|_| ())),
                _ => Ok(()),
            };
            outcome = outcome.and(bound);
        }
        outcome?;
        // Inner ones first, so that what is moved out of an outer one has none left.
        let guarded = ops.iter().rev().filter(|op| op_name(**op) == "tile.where");
        guarded.into_iter().try_for_each(|op| at_op(*op, || self.guard(*op, &launch_of(self.function)?)))
    }

    fn apply(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let scope = scope_of(op)?;
        if scope == Scope::Thread {
            return Ok(());
        }
        ensure!(
            ir::attribute(self.function, "gpu.kernel").is_some()
                || ir::attribute(self.function, "nvvm.kernel").is_some(),
            "scope({scope}) stands in a kernel; in other functions is scope(thread) alone"
        );
        let (operands, tiles, application) = read_apply(op)?;
        let active = active(op, &launch_of(self.function)?, false)?;
        let group = match application.variant.instruction.collective {
            true => {
                uniform::issued_together(op, operands.pred)?;
                active.group_of_warps(scope)?
            }
            false => active.group(scope)?,
        };
        let at = Builder::before(self.context, op);
        for (i, tile) in tiles.iter().enumerate() {
            let Some(tile) = tile else { continue };
            let value = unsafe { Value::from_raw(operands.words[i].to_raw()) };
            let own = self.own(at, value, tile, scope, &group, &active).with_context(|| format!("operand #{i}"))?;
            unsafe { mlirOperationSetOperand(op.to_raw(), i as isize, own.to_raw()) };
        }
        let thread = Attribute::parse(self.context, "#tile.scope<thread>").context("the attribute is known")?;
        unsafe { mlirOperationSetInherentAttributeByName(op.to_raw(), crate::reference("scope"), thread.to_raw()) };
        Ok(())
    }

    /// What this thread has of a tile.
    fn own(
        &mut self,
        at: Builder<'c>,
        value: Value<'c, 'c>,
        tile: &Tile,
        scope: Scope,
        group: &[GroupAxis],
        active: &Active,
    ) -> Result<Value<'c, 'c>> {
        let extents: Vec<i64> = group.iter().map(|axis| axis.extent).collect();
        let found = tile.shape.get(..group.len()).filter(|_| tile.shape.len() > group.len());
        let found = found
            .with_context(|| format!("has rank {}, scope({scope}) has {} group axes", tile.shape.len(), group.len()))?;
        if found != extents {
            let parts: Vec<String> = group.iter().map(|axis| axis.part.to_string()).collect();
            bail!(
                "has the leading extents {}, the group axes of scope({scope}) are {} here ({}) (R24)",
                coordinates(found),
                coordinates(&extents),
                parts.join(", ")
            );
        }
        let mut shape = tile.shape.clone();
        shape[..group.len()].fill(1);
        if tile.space == Space::Register {
            owned(&tile.layout, &tile.shape, scope, group, active)?;
            let layout = tile.layout.slice(&tile.shape, &vec![0; shape.len()], &shape)?.of_one_thread();
            let result = self.type_like(value.r#type(), &shape, &layout)?;
            return Ok(at.value("tile.view", &[value], result, &[]));
        }
        let begins: Vec<Option<Value>> = group.iter().map(|axis| self.coordinate(axis, active.launch())).collect();
        let is_constant = begins.iter().all(Option::is_none);
        let region = tile.layout.slice(&tile.shape, &vec![0; shape.len()], &shape)?;
        let is_dynamic = !is_constant || tile.layout.has_dynamic_offset();
        let region = if is_dynamic { region.with_dynamic_offset() } else { region };
        let result = self.type_like(value.r#type(), &shape, &region)?;
        let numbers = begins.iter().map(|begin| if begin.is_some() { DYNAMIC } else { 0 });
        let numbers: Vec<i64> = numbers.chain(vec![0; shape.len() - group.len()]).collect();
        let attributes = [("static_begins", numbers), ("extents", shape)].map(|(name, numbers)| {
            (Identifier::new(self.context, name), DenseI64ArrayAttribute::new(self.context, &numbers).into())
        });
        let operands: Vec<Value> = [value].into_iter().chain(begins.into_iter().flatten()).collect();
        Ok(at.value("tile.slice", &operands, result, &attributes))
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

    /// Where the thread stands on a group axis, as an index; `None` where that is 0 for all.
    fn coordinate(&mut self, axis: &GroupAxis, launch: &Launch) -> Option<Value<'c, 'c>> {
        if axis.extent == 1 {
            return None;
        }
        let key = (axis.part, axis.begin, axis.extent);
        if let Some(known) = self.coordinates.get(&key) {
            return Some(*known);
        }
        let number = self.number(Number::Part(axis.part), launch);
        let mut coordinate = number;
        if axis.begin > 0 {
            coordinate = self.arith("subi", coordinate, axis.begin);
        }
        // Of the active threads, who alone compute with it, the rest is what it was; and it is known to be in range.
        if axis.extent < size_of(axis.part, launch) {
            coordinate = self.arith("remui", coordinate, axis.extent);
        }
        self.coordinates.insert(key, coordinate);
        Some(coordinate)
    }

    /// What a thread is counted by, computed at the entry.
    fn number(&mut self, number: Number, launch: &Launch) -> Value<'c, 'c> {
        if let Some(known) = self.numbers.get(&number) {
            return *known;
        }
        let value = match number {
            Number::Thread => self.row_major("gpu.thread_id", launch.block()),
            Number::CtaRank => self.row_major("gpu.cluster_block_id", launch.cluster()),
            Number::Part(Part::Cta(axis)) => self.position("gpu.cluster_block_id", axis),
            Number::Part(Part::Lane) => {
                let thread = self.number(Number::Thread, launch);
                if launch.warps() == 1 { thread } else { self.arith("remui", thread, LANES) }
            }
            Number::Part(Part::Warp) => {
                let thread = self.number(Number::Thread, launch);
                self.arith("divui", thread, LANES)
            }
            Number::Part(Part::WarpInGroup) => {
                let warp = self.number(Number::Part(Part::Warp), launch);
                if launch.warps() <= WARPS_OF_GROUP { warp } else { self.arith("remui", warp, WARPS_OF_GROUP) }
            }
            Number::Warpgroup => {
                let thread = self.number(Number::Thread, launch);
                self.arith("divui", thread, LANES * WARPS_OF_GROUP)
            }
        };
        self.numbers.insert(number, value);
        value
    }

    /// R23: x + X (y + Y z), where an extent of 1 has nothing to add.
    fn row_major(&self, op: &str, extents: [i64; 3]) -> Value<'c, 'c> {
        let mut sum: Option<Value<'c, 'c>> = None;
        for axis in (0..3).rev() {
            sum = sum.map(|sum| self.arith("muli", sum, extents[axis]));
            if extents[axis] > 1 {
                let position = self.position(op, axis);
                sum = Some(sum.map_or(position, |sum| self.binary("addi", sum, position)));
            }
        }
        sum.unwrap_or_else(|| self.position(op, 0))
    }

    fn position(&self, op: &str, axis: usize) -> Value<'c, 'c> {
        let dimension = ["#gpu<dim x>", "#gpu<dim y>", "#gpu<dim z>"][axis];
        let dimension = Attribute::parse(self.context, dimension).expect("the gpu dialect is loaded");
        let name = Identifier::new(self.context, "dimension");
        self.entry().value(op, &[], Type::index(self.context), &[(name, dimension)])
    }

    fn arith(&self, op: &str, a: Value<'c, '_>, number: i64) -> Value<'c, 'c> {
        let index = Type::index(self.context);
        let number = self.entry().value("arith.constant", &[], index, &[index_value(self.context, number)]);
        self.binary(op, a, number)
    }

    fn binary(&self, op: &str, a: Value<'c, '_>, b: Value<'c, '_>) -> Value<'c, 'c> {
        self.entry().value(&format!("arith.{op}"), &[a, b], Type::index(self.context), &[])
    }

    /// Where the numbers of a thread are computed.
    fn entry(&self) -> Builder<'c> {
        Builder::before(self.context, self.marker)
    }

    /// The guard that a `tile.where` states.
    fn guard(&mut self, op: OperationRef<'c, 'c>, launch: &Launch) -> Result<()> {
        let boolean: Type = IntegerType::new(self.context, 1).into();
        let mut guard: Option<Value<'c, 'c>> = None;
        for (name, range) in read_narrowing(op).ranges() {
            let (number, size) = match name {
                "lanes" => (Number::Part(Part::Lane), size_of(Part::Lane, launch)),
                "warps" => (Number::Part(Part::Warp), launch.warps()),
                "warps_in_group" => (Number::Part(Part::WarpInGroup), size_of(Part::WarpInGroup, launch)),
                "warpgroups" => (Number::Warpgroup, launch.warpgroups()),
                _ => (Number::CtaRank, launch.cluster().iter().product()),
            };
            let ends = [(range.start > 0, "uge", range.start), (range.end < size, "ult", range.end)];
            for (_, predicate, end) in ends.into_iter().filter(|(is_needed, ..)| *is_needed) {
                let number = self.number(number, launch);
                let holds = self.compare(predicate, number, end);
                let both = |guard| self.entry().value("arith.andi", &[guard, holds], boolean, &[]);
                guard = Some(guard.map_or(holds, both));
            }
        }
        let guard = guard.unwrap_or_else(|| {
            let value = (Identifier::new(self.context, "value"), IntegerAttribute::new(boolean, 1).into());
            self.entry().value("arith.constant", &[], boolean, &[value])
        });
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

    fn compare(&self, predicate: &str, number: Value<'c, '_>, end: i64) -> Value<'c, 'c> {
        let at = self.entry();
        let index = Type::index(self.context);
        let end = at.value("arith.constant", &[], index, &[index_value(self.context, end)]);
        let predicate = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
            .iter()
            .position(|its| *its == predicate)
            .expect("a predicate of arith.cmpi");
        let predicate = IntegerAttribute::new(IntegerType::new(self.context, 64).into(), predicate as i64);
        let attributes = [(Identifier::new(self.context, "predicate"), predicate.into())];
        at.value("arith.cmpi", &[number, end], IntegerType::new(self.context, 1).into(), &attributes)
    }
}

/// How many there are of a part.
fn size_of(part: Part, launch: &Launch) -> i64 {
    match part {
        Part::Cta(axis) => launch.cluster()[axis],
        Part::Warp => launch.warps(),
        Part::WarpInGroup => launch.warps().min(WARPS_OF_GROUP),
        Part::Lane => launch.lanes(),
    }
}
