//! Control flow: functions, branches between blocks, and the structured ops of scf and affine.

use super::memory::SHARED;
use super::memref::elements;
use super::thread::{Block, Core, Key, Values};
use super::value::{Datum, View, signed};
use crate::fold::evaluate_map;
use crate::ir;
use anyhow::{Context, Result, bail, ensure};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::block::BlockRef;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, BlockLike, RegionLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::symbols;
use ptx_tile_dialect::verify::{inherent, numbers, op_name, read_narrowing};
use std::rc::Rc;

/// The most frames of a thread, calls of functions among them.
const MAX_FRAMES: usize = 1000;

/// A region that is being executed.
pub struct Frame<'c> {
    ops: Rc<[OperationRef<'c, 'c>]>,
    next: usize,
    kind: Kind<'c>,
}

impl<'c> Frame<'c> {
    /// The op that comes next.
    pub fn next(&mut self) -> Option<OperationRef<'c, 'c>> {
        self.next += 1;
        self.ops.get(self.next - 1).copied()
    }
}

/// What the end of a region means.
enum Kind<'c> {
    /// Returns to the call, where there is one, with the values of the caller.
    Function(Option<(OperationRef<'c, 'c>, Values)>),
    /// A round of a loop.
    Loop { op: OperationRef<'c, 'c>, round: Round },
    /// What is yielded are the results of the op.
    Once(OperationRef<'c, 'c>),
    /// The first region of an `scf.while`.
    Before(OperationRef<'c, 'c>),
    /// Its second.
    After(OperationRef<'c, 'c>),
    /// The body of a `tile.where`, which nothing ends.
    Where,
}

/// Where a loop is.
#[derive(Clone, Copy)]
struct Round {
    at: i128,
    end: i128,
    step: i128,
    width: u32,
}

impl<'c> Core<'_, 'c, '_> {
    /// Begins the kernel.
    pub fn start(&mut self, kernel: OperationRef<'c, 'c>, arguments: Vec<Datum>) -> Result<()> {
        self.function(kernel, arguments, None)
    }

    /// Executes an op of control flow; `false` for any other op.
    pub fn control(&mut self, op: OperationRef<'c, 'c>, name: &str) -> Result<bool> {
        match name {
            "gpu.return" | "func.return" | "llvm.return" => self.return_from(op)?,
            "func.call" | "llvm.call" => self.call(op)?,
            "cf.br" | "llvm.br" => self.branch(op, 0, 0)?,
            "cf.cond_br" | "llvm.cond_br" => {
                let taken = self.condition(op, 0)?;
                let to_first = segment(op, 1)?;
                if taken { self.branch(op, 0, 1)? } else { self.branch(op, 1, 1 + to_first)? }
            }
            "scf.if" => {
                let region = if self.condition(op, 0)? { 0 } else { 1 };
                self.enter_once(op, region)?;
            }
            "tile.where" => self.where_(op)?,
            "scf.execute_region" => self.enter_once(op, 0)?,
            "scf.index_switch" => {
                let value = self.number(op, 0)?;
                let case = numbers(op, "cases").iter().position(|case| *case == value);
                self.enter_once(op, case.map_or(0, |case| case + 1))?;
            }
            "scf.for" => self.scf_for(op)?,
            "affine.for" => self.affine_for(op)?,
            "scf.while" => {
                let inits = self.operands(op, 0)?;
                self.enter(op, 0, inits, Kind::Before(op))?;
            }
            "scf.condition" => self.scf_condition(op)?,
            "scf.yield" | "affine.yield" => self.end_of_region(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Functions
    //===--------------------------------------------------------------------------------------------------------===//

    fn function(
        &mut self,
        function: OperationRef<'c, 'c>,
        mut arguments: Vec<Datum>,
        caller: Option<(OperationRef<'c, 'c>, Values)>,
    ) -> Result<()> {
        let entry = *ir::blocks(function).first().context("has no body")?;
        let (given, all) = (arguments.len(), entry.argument_count());
        let shared = integer(function, "workgroup_attributions").unwrap_or(0) as usize;
        for index in given..all {
            let value: Value = entry.argument(index)?.into();
            arguments.push(self.attribution(value, index - given < shared)?);
        }
        self.push(entry, arguments, Kind::Function(caller))
    }

    /// Memory that a `gpu.func` asks for.
    fn attribution(&mut self, value: Value<'c, 'c>, shared: bool) -> Result<Datum> {
        let view = View::of_type(0, value.r#type())?;
        let bytes = (elements(&view)? as u64).saturating_mul(view.bytes());
        let stated = ir::argument_attribute(value, "llvm.align").and_then(|its| IntegerAttribute::try_from(its).ok());
        let alignment = stated.map_or(view.bytes(), |its| view.bytes().max(its.value().max(1) as u64));
        let base = match shared {
            true => self.shared_memory(value.to_raw().ptr as Key, bytes, alignment, "a workgroup attribution")?,
            false => self.local_memory(bytes, alignment, "a private attribution")?,
        };
        Ok(View { base, ..view }.into())
    }

    /// Shared memory of this block, which the first thread that asks for it makes.
    pub fn shared_memory(&mut self, who: Key, bytes: u64, alignment: u64, name: &str) -> Result<u64> {
        let Block { shared, .. } = self.block;
        if let Some(base) = shared.get(&who) {
            return Ok(*base);
        }
        let base = self.machine.memory.allocate(SHARED, bytes, alignment, name)?;
        shared.insert(who, base);
        Ok(base)
    }

    /// The op that an op names by an attribute.
    pub fn named(&mut self, op: OperationRef<'c, 'c>, attribute: &str) -> Result<OperationRef<'c, 'c>> {
        let key = op.to_raw().ptr as Key;
        if let Some(found) = self.machine.symbols.get(&key) {
            return Ok(*found);
        }
        let found =
            symbols::definition(op, attribute).with_context(|| format!("names no {attribute} that is there"))?;
        self.machine.symbols.insert(key, found);
        Ok(found)
    }

    fn call(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let callee = self.named(op, "callee")?;
        ensure!(ir::is_function(callee), "calls '{}', which is no function", op_name(callee));
        let arguments = self.operands(op, 0)?;
        let values = std::mem::take(&mut self.thread.values);
        self.function(callee, arguments, Some((op, values)))
    }

    fn return_from(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let results = self.operands(op, 0)?;
        match self.thread.frames.pop().map(|frame| frame.kind) {
            Some(Kind::Function(None)) => Ok(()),
            Some(Kind::Function(Some((call, values)))) => {
                self.thread.values = values;
                self.bind(call, results)
            }
            _ => bail!("is not in the region of a function"),
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Blocks and regions
    //===--------------------------------------------------------------------------------------------------------===//

    fn ops_of(&mut self, block: BlockRef<'c, 'c>) -> Rc<[OperationRef<'c, 'c>]> {
        let key = block.to_raw().ptr as Key;
        self.machine.ops.entry(key).or_insert_with(|| ir::ops_in(block).into()).clone()
    }

    fn push(&mut self, block: BlockRef<'c, 'c>, arguments: Vec<Datum>, kind: Kind<'c>) -> Result<()> {
        ensure!(self.thread.frames.len() < MAX_FRAMES, "is {MAX_FRAMES} calls and regions deep");
        self.bind_arguments(block, arguments)?;
        let ops = self.ops_of(block);
        self.thread.frames.push(Frame { ops, next: 0, kind });
        Ok(())
    }

    fn bind_arguments(&mut self, block: BlockRef<'c, 'c>, arguments: Vec<Datum>) -> Result<()> {
        let wanted = block.argument_count();
        ensure!(wanted == arguments.len(), "gives {} values to a block of {wanted} arguments", arguments.len());
        for (index, datum) in arguments.into_iter().enumerate() {
            self.thread.values.insert(block.argument(index)?.to_raw().ptr as Key, datum);
        }
        Ok(())
    }

    /// Begins the region of an op, which must have a block.
    fn enter(&mut self, op: OperationRef<'c, 'c>, region: usize, arguments: Vec<Datum>, kind: Kind<'c>) -> Result<()> {
        let block = first_block(op, region).context("has no such region")?;
        self.push(block, arguments, kind)
    }

    /// Begins a region whose yields are the results; one that is left out gives none.
    fn enter_once(&mut self, op: OperationRef<'c, 'c>, region: usize) -> Result<()> {
        match first_block(op, region) {
            Some(block) => self.push(block, vec![], Kind::Once(op)),
            None => self.bind(op, vec![]),
        }
    }

    /// Goes to a successor with the operands from `first` on, as many as it has arguments.
    fn branch(&mut self, op: OperationRef<'c, 'c>, successor: isize, first: usize) -> Result<()> {
        let block = unsafe { BlockRef::from_raw(mlirOperationGetSuccessor(op.to_raw(), successor)) };
        let arguments = (first..first + block.argument_count()).map(|index| self.operand(op, index));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        self.bind_arguments(block, arguments)?;
        let ops = self.ops_of(block);
        let frame = self.thread.frames.last_mut().context("is in no region")?;
        (frame.ops, frame.next) = (ops, 0);
        Ok(())
    }

    fn end_of_region(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let yielded = self.operands(op, 0)?;
        match self.thread.frames.pop().map(|frame| frame.kind) {
            Some(Kind::Loop { op, round }) => {
                self.round(op, Round { at: round.at.saturating_add(round.step), ..round }, yielded)
            }
            Some(Kind::Once(op)) => self.bind(op, yielded),
            Some(Kind::After(op)) => self.enter(op, 0, yielded, Kind::Before(op)),
            _ => bail!("ends no region of '{}'", op.parent_operation().map_or("?", op_name)),
        }
    }

    /// The body, for a thread that is in all ranges.
    fn where_(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let key = op.to_raw().ptr as Key;
        let its = self.machine.narrowings.entry(key).or_insert_with(|| Rc::new(read_narrowing(op))).clone();
        match first_block(op, 0) {
            Some(body) if self.who().is_in(&its) => self.push(body, vec![], Kind::Where),
            _ => Ok(()),
        }
    }

    /// What comes after the last op of a block.
    pub fn end_without_terminator(&mut self) -> Result<()> {
        match self.thread.frames.pop().map(|frame| frame.kind) {
            Some(Kind::Where) => Ok(()),
            _ => bail!("a block ends without a terminator"),
        }
    }

    fn scf_condition(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let goes_on = self.condition(op, 0)?;
        let passed = self.operands(op, 1)?;
        match self.thread.frames.pop().map(|frame| frame.kind) {
            Some(Kind::Before(op)) if goes_on => self.enter(op, 1, passed, Kind::After(op)),
            Some(Kind::Before(op)) => self.bind(op, passed),
            _ => bail!("is not in the first region of an 'scf.while'"),
        }
    }

    //===--------------------------------------------------------------------------------------------------------===//
    // Loops
    //===--------------------------------------------------------------------------------------------------------===//

    fn scf_for(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let is_unsigned = inherent(op, "unsignedCmp").is_some();
        let bound = |index: usize| -> Result<(i128, u32)> {
            let word = self.word(op, index)?;
            let number = if is_unsigned { word.known().map(|bits| bits as i128) } else { signed(word) };
            Ok((number.with_context(|| format!("operand #{index} is undefined"))?, word.width))
        };
        let ((at, width), (end, _), (step, _)) = (bound(0)?, bound(1)?, bound(2)?);
        ensure!(step > 0, "has a step of {step}, which is not positive");
        let inits = self.operands(op, 3)?;
        self.round(op, Round { at, end, step, width }, inits)
    }

    fn affine_for(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let (lower, upper) = (segment(op, 0)?, segment(op, 1)?);
        let bound = |name: &str, first: usize, count: usize| -> Result<Vec<i64>> {
            let inputs = (first..first + count).map(|index| self.number(op, index)).collect::<Result<Vec<_>>>()?;
            let map = inherent(op, name).context("has no bound")?;
            evaluate_map(map, &inputs).with_context(|| format!("its {name} has no value"))
        };
        let at = bound("lowerBoundMap", 0, lower)?.into_iter().max().context("has no lower bound")?;
        let end = bound("upperBoundMap", lower, upper)?.into_iter().min().context("has no upper bound")?;
        let step = integer(op, "step").filter(|step| *step > 0).context("has a step that is not positive")?;
        let inits = self.operands(op, lower + upper)?;
        self.round(op, Round { at: at.into(), end: end.into(), step: step.into(), width: 64 }, inits)
    }

    /// Begins a round, or ends the loop with what is carried.
    fn round(&mut self, op: OperationRef<'c, 'c>, round: Round, carried: Vec<Datum>) -> Result<()> {
        if round.at >= round.end {
            return self.bind(op, carried);
        }
        let induction = Word::new(round.width, round.at as u128);
        let arguments = [vec![induction.into()], carried].concat();
        self.enter(op, 0, arguments, Kind::Loop { op, round })
    }
}

fn first_block<'c>(op: OperationRef<'c, 'c>, region: usize) -> Option<BlockRef<'c, 'c>> {
    let block = op.region(region).ok()?.first_block()?;
    Some(unsafe { BlockRef::from_raw(block.to_raw()) })
}

/// How many operands a group has.
pub fn segment(op: OperationRef, group: isize) -> Result<usize> {
    let sizes = inherent(op, "operandSegmentSizes").context("has no groups of operands")?;
    let sizes = sizes.to_raw();
    ensure!(
        unsafe { mlirAttributeIsADenseI32Array(sizes) && group < mlirDenseArrayGetNumElements(sizes) },
        "has no group"
    );
    Ok(unsafe { mlirDenseI32ArrayGetElement(sizes, group) } as usize)
}

/// An attribute that is an integer.
pub fn integer(op: OperationRef, name: &str) -> Option<i64> {
    ir::attribute(op, name).and_then(|its| IntegerAttribute::try_from(its).ok()).map(|its| its.value())
}

/// How many of the arguments of a function's entry block are memory that it asks for.
pub fn attributions(function: OperationRef, arguments: usize) -> usize {
    let inputs = function.attribute("function_type").ok().and_then(|its| unsafe {
        let raw = its.to_raw();
        let r#type = mlirAttributeIsAType(raw).then(|| mlirTypeAttrGetValue(raw))?;
        mlirTypeIsAFunction(r#type).then(|| mlirFunctionTypeGetNumInputs(r#type) as usize)
    });
    arguments.saturating_sub(inputs.unwrap_or(arguments))
}
