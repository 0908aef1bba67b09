//! `tile-expand`: each `tile.apply` becomes one `ptx` op for each repeat, row-major (R80), and registers become values.
//!
//! - Registers are slots of storages (storage.rs); nothing but the named instruction is inserted (R84).
//! - Within an instruction all sources are read before any destination word is written (R80); instruction k sees what
//!   k - 1 wrote (D31). Scalars and the predicate are evaluated once (D30).
//! - A memory operand is one pointer for all repeats, to which each instruction adds a constant offset.

use crate::access::{Access, Place};
use crate::begins::is_at_period;
use crate::growth::Growth;
use crate::ir::{self, Builder, Names};
use crate::provenance::memory_root;
use crate::ranges::Ranges;
use crate::shift::Shift;
use crate::storage::{Pointer, Storages};
use crate::{Reported, at_op, bind, check, destinations, unroll};
use anyhow::{Context as _, Result};
use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute};
use melior::ir::block::BlockRef;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Identifier, Type, Value, ValueLike};
use ptx_tile_dialect::instruction::{Form, Operand, Variant};
use ptx_tile_dialect::layout::{M, Slots, Swizzle};
use ptx_tile_dialect::legality::{GLOBAL, Tile};
use ptx_tile_dialect::verify::{ApplyOperands, op_name, read_apply, read_tile};
use std::collections::HashMap;

/// The options of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Follow slots as SSA values; otherwise every access stays a load or store of the storage's array.
    pub forward: bool,
    /// The most instructions of one `tile.apply`, and ops of a loop that is taken apart.
    pub limit: u64,
    /// The most of all these together.
    pub module_limit: u64,
}

/// Expands every function at and under `root`, after checking it.
pub fn run(root: OperationRef, options: &Options) -> Result<(), Reported> {
    check::in_kernels(root)?;
    bind::all(root)?;
    check::bound(root)?;
    let context = root.context();
    let context = unsafe { context.to_ref() };
    let mut growth = Growth::new(options.limit, options.module_limit);
    for function in ir::functions(root) {
        unroll::run(function, &mut growth)?;
        at_op(function, || {
            let storages = Storages::of(context, function, options.forward)?;
            let names = Names::new(context);
            let mut expansion =
                Expansion { context, storages, names, growth: &mut growth, failed: Ok(()), dead: vec![] };
            ir::blocks(function).into_iter().for_each(|block| expansion.block(block));
            Ok(expansion)
        })?
        .finish(function)?;
    }
    Ok(())
}

/// The expansion of one function.
struct Expansion<'c, 'g> {
    context: &'c Context,
    storages: Storages<'c>,
    names: Names<'c>,
    growth: &'g mut Growth,
    failed: Result<(), Reported>,
    /// Ops that are expanded.
    dead: Vec<OperationRef<'c, 'c>>,
}

impl<'c> Expansion<'c, '_> {
    fn block(&mut self, block: BlockRef<'c, 'c>) {
        self.storages.enter_block();
        let ops = ir::ops_in(block);
        for op in &ops {
            if self.growth.is_too_large() {
                return;
            }
            let expanded = match op_name(*op) {
                "tile.apply" => at_op(*op, || self.apply(*op)),
                "tile.read" | "tile.write" | "memref.load" | "memref.store" => at_op(*op, || self.access(*op)),
                _ => {
                    if op.region_count() > 0 {
                        let outer = self.storages.suspend(*op);
                        ir::blocks(*op).into_iter().for_each(|block| self.block(block));
                        self.storages.resume(outer);
                    }
                    Ok(())
                }
            };
            self.failed = std::mem::replace(&mut self.failed, Ok(())).and(expanded);
        }
        if let Some(last) = ops.last() {
            self.storages.flush(Builder::before(self.context, *last));
        }
    }

    /// One element: its slot, and no instruction. A load or store of memory is left alone.
    fn access(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let access = Access::of(op).expect("called for accesses");
        let Some(storage) = self.storages.storage_of(access.tile) else { return Ok(()) };
        let at = Builder::before(self.context, op);
        let place = access.place(&read_tile(access.tile.r#type())?, at)?;
        match access.written {
            Some(value) => self.storages.write(at, storage, place, value),
            None => {
                let result = ir::result_of(op, 0);
                let value = self.storages.read(at, storage, place, result.r#type());
                ir::replace_uses(result, value);
            }
        }
        self.dead.push(op);
        Ok(())
    }

    /// One `ptx` op for each repeat.
    fn apply(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let (operands, tiles, application) = read_apply(op)?;
        let repeats = application.repeats as u64;
        self.growth.add(repeats, &format!("expands to {repeats} instructions"))?;
        destinations::distinct(&operands.words, &tiles, application.variant.form, &operands.sink)?;
        let at = Builder::before(self.context, op);
        let mut words = vec![];
        for ((value, tile), operand) in operands.words.iter().zip(&tiles).zip(application.variant.form.words()) {
            words.push(self.word(
                at,
                unsafe { Value::from_raw(value.to_raw()) },
                tile.as_ref(),
                operand,
                &application.variant,
            )?);
        }
        // It is the last input of an instruction.
        words.extend(operands.cache_policy.map(|policy| Words::Scalar(unsafe { Value::from_raw(policy.to_raw()) })));
        let mut issuer = Issuer::new(at, &self.names, &application.variant, &operands);
        for _ in 0..application.repeats {
            issuer.issue(&mut self.storages, &mut words);
        }
        if let Some(tally) = &mut self.storages.tally {
            let Variant { instruction, .. } = &application.variant;
            let opcode = format!("{}.{}", instruction.mnemonic, application.variant.modifiers());
            tally.instructions(op, &opcode, application.repeats as u64);
        }
        self.dead.push(op);
        Ok(())
    }

    /// Where the words of an operand come from, repeat after repeat.
    fn word(
        &mut self,
        at: Builder<'c>,
        value: Value<'c, 'c>,
        tile: Option<&Tile>,
        operand: &'static Operand,
        variant: &Variant,
    ) -> Result<Words<'c>> {
        let Some(tile) = tile else { return Ok(Words::Scalar(value)) };
        let (slots, width) = (tile.layout.slots(), i64::from(tile.element.width()));
        if operand.address {
            let space = variant.address_space().expect("a record with an address names a state space");
            if let Some(swizzle) = tile.layout.swizzle()
                && !is_at_period(value, &Ranges::default())?
            {
                let buffer = self.buffer(at, value, space);
                let places = tile.layout.clone().without_swizzle().slots();
                // Swizzling changes bits below the period alone.
                let reach = tile.layout.span(M).saturating_add(swizzle.period());
                let begin = Shift::of(value)?.build(at, width, reach);
                let pointers = HashMap::new();
                let bytes = width / BITS_OF_A_BYTE;
                return Ok(Words::Swizzled(Swizzled { buffer, begin, swizzle, places, operand, bytes, pointers }));
            }
            let reach = tile.layout.span(M).saturating_mul(width / BITS_OF_A_BYTE);
            let (base, begin) = self.address(at, value, space, reach)?;
            return Ok(Words::Memory { base, begin, places: slots, operand, bytes: width / BITS_OF_A_BYTE });
        }
        let storage = self.storages.storage_of(value).expect("checked: a register tile has an allocation");
        let begin = Shift::of(value)?.constant().context("takes registers at a begin that is not known")? / width;
        Ok(Words::Registers { storage, slots, begin, operand, r#type: ir::element_type(value.r#type()) })
    }

    /// Where the storage of a memory operand begins.
    fn buffer(&mut self, at: Builder<'c>, tile: Value<'c, 'c>, space: u32) -> Value<'c, 'c> {
        let root = memory_root(tile);
        match self.storages.storage_of(tile) {
            Some(storage) => self.storages.address(at, storage, space),
            None => self.storages.pointer(root, Pointer::Buffer, || address(at, root, space)),
        }
    }

    /// The address that the layout of a memory operand counts from, made once in a block, and bytes to add to it: with
    /// the `reach` of the layout, what the 32 bits of an instruction's offset hold (ISA 6.4.1).
    fn address(
        &mut self,
        at: Builder<'c>,
        tile: Value<'c, 'c>,
        space: u32,
        reach: i64,
    ) -> Result<(Value<'c, 'c>, i64)> {
        let buffer = self.buffer(at, tile, space);
        let shift = Shift::of(tile)?;
        let (moving, fixed) = match shift.constant() {
            Some(bits) => (Shift::default(), bits / BITS_OF_A_BYTE),
            None => shift.split(BITS_OF_A_BYTE),
        };
        let fits = fixed.saturating_add(reach) <= i32::MAX.into();
        let (moving, fixed) = if fits { (moving, fixed) } else { (Shift::of(tile)?, 0) };
        if moving.constant() == Some(0) {
            return Ok((buffer, fixed));
        }
        let make = || {
            // Addresses of shared memory have 32 bits themselves: there nothing is gained by multiplying last.
            let grain = if space == GLOBAL { moving.grain(BITS_OF_A_BYTE) } else { BITS_OF_A_BYTE };
            moved(at, buffer, moving.build_long(at, grain), grain / BITS_OF_A_BYTE)
        };
        Ok((self.storages.pointer(tile, Pointer::Origin, make), fixed))
    }

    /// Removes what was expanded, and then the tiles. Says what it came to.
    fn finish(mut self, function: OperationRef<'c, 'c>) -> Result<(), Reported> {
        self.failed?;
        self.dead.into_iter().for_each(ir::erase);
        let is_tile = |op: &OperationRef<'c, 'c>| match op_name(*op) {
            "tile.alloc" | "tile.view" | "tile.slice" => true,
            "memref.alloca" | "memref.subview" | "memref.cast" => {
                self.storages.storage_of(ir::result_of(*op, 0)).is_some()
            }
            _ => false,
        };
        // Users come after what they use; where blocks stand in another order, a later round gets the rest.
        let mut tiles: Vec<_> = ir::ops(function).into_iter().filter(is_tile).collect();
        let mut before = usize::MAX;
        while tiles.len() < before {
            before = tiles.len();
            tiles.reverse();
            tiles.retain(|op| {
                let unused = ir::uses(ir::result_of(*op, 0)).is_empty();
                if unused {
                    ir::erase(*op);
                }
                !unused
            });
            tiles.reverse();
        }
        self.storages.count();
        if let Some(tally) = self.storages.tally {
            tally.remark(function);
        }
        Ok(())
    }
}

const BITS_OF_A_BYTE: i64 = 8;

/// The address that a memref begins at, as a pointer into a state space. A generic address of global memory is the
/// global address.
fn address<'c>(at: Builder<'c>, memref: Value<'c, 'c>, space: u32) -> Value<'c, 'c> {
    let context = at.context();
    let index = at.value("memref.extract_aligned_pointer_as_index", &[memref], Type::index(context), &[]);
    let number = at.value("arith.index_cast", &[index], IntegerType::new(context, 64).into(), &[]);
    at.value("llvm.inttoptr", &[number], ir::pointer_type(context, space), &[])
}

/// The words of an operand, repeat after repeat.
enum Words<'c> {
    Scalar(Value<'c, 'c>),
    Registers { storage: usize, slots: Slots, begin: i64, operand: &'static Operand, r#type: Type<'c> },
    Memory { base: Value<'c, 'c>, begin: i64, places: Slots, operand: &'static Operand, bytes: i64 },
    Swizzled(Swizzled<'c>),
}

/// Memory under a swizzle, from a begin that is no multiple of its period.
struct Swizzled<'c> {
    buffer: Value<'c, 'c>,
    /// In elements from the buffer, before the swizzle.
    begin: Value<'c, 'c>,
    swizzle: Swizzle,
    /// From the begin, before the swizzle.
    places: Slots,
    operand: &'static Operand,
    /// Of an element.
    bytes: i64,
    /// The addresses of places below the period, from which all that lie periods further differ by a constant.
    pointers: HashMap<i64, Value<'c, 'c>>,
}

impl<'c> Swizzled<'c> {
    /// The address of the next instruction, and bytes to add to it.
    fn next(&mut self, at: Builder<'c>) -> (Value<'c, 'c>, i64) {
        let place = self.places.next().expect("a place for each repeat");
        self.places.by_ref().take(self.operand.registers as usize - 1).for_each(drop);
        let rest = place % self.swizzle.period();
        let Swizzled { buffer, begin, swizzle, bytes, .. } = *self;
        let number = || at.extended(swizzled(at, at.arith_by("addi", begin, rest), swizzle));
        let pointer = *self.pointers.entry(rest).or_insert_with(|| moved(at, buffer, number(), bytes));
        (pointer, (place - rest) * self.bytes)
    }
}

/// R49 in arithmetic.
fn swizzled<'c>(at: Builder<'c>, m: Value<'c, 'c>, swizzle: Swizzle) -> Value<'c, 'c> {
    let (read, changed) = swizzle.ends();
    let bits = at.arith_by("andi", at.arith_by("shrui", m, read.into()), (1 << swizzle.swizzle) - 1);
    at.arith("xori", m, at.arith_by("shli", bits, changed.into()))
}

/// An address and so many times `bytes`. The number, not the product, is what blocks share: ptxas multiplies and adds in
/// one instruction, and a number of 32 bits is one register.
fn moved<'c>(at: Builder<'c>, address: Value<'c, 'c>, number: Value<'c, 'c>, bytes: i64) -> Value<'c, 'c> {
    let byte = IntegerType::new(at.context(), 8).into();
    let element = if bytes == 1 { byte } else { ir::array_type(byte, bytes) };
    at.element_pointer(address, element, &[ir::DYNAMIC], &[number])
}

/// What the instructions of one application have in common.
struct Issuer<'c, 'n> {
    at: Builder<'c>,
    names: &'n Names<'c>,
    form: &'static Form,
    op: String,
    modifiers: Attribute<'c>,
    pred: Option<Value<'c, 'c>>,
    negated: bool,
    preserve_dst: bool,
    sink: Vec<i64>,
    inverted: bool,
    /// The one that was made first: the others are copies, with operands and an offset of their own.
    first: Option<OperationRef<'c, 'c>>,
}

impl<'c, 'n> Issuer<'c, 'n> {
    fn new(at: Builder<'c>, names: &'n Names<'c>, variant: &Variant, operands: &ApplyOperands<'c, '_>) -> Self {
        Issuer {
            at,
            names,
            form: variant.form,
            op: format!("ptx.{}", variant.instruction.mnemonic),
            modifiers: ir::string(at.context(), &variant.modifiers()),
            pred: operands.pred.map(|pred| unsafe { Value::from_raw(pred.to_raw()) }),
            negated: operands.negated,
            preserve_dst: operands.preserve_dst,
            sink: operands.sink.clone(),
            inverted: operands.inverted,
            first: None,
        }
    }

    /// Makes the `ptx` op of the next repeat.
    fn issue(&mut self, storages: &mut Storages<'c>, words: &mut [Words<'c>]) {
        let (mut inputs, mut written, mut offset) = (vec![], vec![], 0);
        for word in words {
            match word {
                Words::Scalar(value) => inputs.push(*value),
                Words::Memory { base, begin, places, operand, bytes } => {
                    let mut these = places.by_ref().take(operand.registers as usize);
                    offset = *begin + these.next().expect("a place for each repeat") * *bytes;
                    these.for_each(drop);
                    inputs.push(*base);
                }
                Words::Swizzled(its) => {
                    let (base, bytes) = its.next(self.at);
                    offset = bytes;
                    inputs.push(base);
                }
                Words::Registers { storage, slots, begin, operand, r#type } => {
                    for (index, slot) in slots.by_ref().take(operand.registers as usize).enumerate() {
                        let slot = *begin + slot;
                        if !operand.written {
                            inputs.push(storages.read(self.at, *storage, Place::Slot(slot), *r#type));
                        } else if !self.form.is_sunk(operand, index, &self.sink) {
                            written.push((*storage, slot, *r#type));
                        }
                    }
                }
            }
        }
        let old: Vec<_> = match self.preserve_dst {
            true => written
                .iter()
                .map(|(storage, slot, r#type)| storages.read(self.at, *storage, Place::Slot(*slot), *r#type))
                .collect(),
            false => vec![],
        };
        let segments = [inputs.len() as i32, self.pred.is_some() as i32, old.len() as i32];
        let operands = [inputs, self.pred.into_iter().collect(), old].concat();
        let op = match self.first {
            Some(first) => self.at.again(first, &operands),
            None => {
                let results: Vec<Type> = written.iter().map(|(_, _, r#type)| *r#type).collect();
                *self.first.insert(self.at.op(&self.op, &operands, &results, &self.attributes(segments)))
            }
        };
        ir::set_inherent(op, self.names.offset, (offset != 0).then(|| self.number(offset)));
        for (index, (storage, slot, _)) in written.into_iter().enumerate() {
            storages.write(self.at, storage, Place::Slot(slot), ir::result_of(op, index as isize));
        }
    }

    fn number(&self, number: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.at.context(), 64).into(), number).into()
    }

    fn attributes(&self, segments: [i32; 3]) -> Vec<(Identifier<'c>, Attribute<'c>)> {
        let context = self.at.context();
        let mut attributes = vec![
            (self.names.modifiers, self.modifiers),
            (self.names.segments, DenseI32ArrayAttribute::new(context, &segments).into()),
        ];
        if self.negated {
            attributes.push((self.names.negated, Attribute::unit(context)));
        }
        if self.inverted {
            attributes.push((self.names.inverted, Attribute::unit(context)));
        }
        if !self.sink.is_empty() {
            attributes.push((self.names.sink, DenseI64ArrayAttribute::new(context, &self.sink).into()));
        }
        attributes
    }
}
