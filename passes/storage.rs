//! The registers behind tiles, and their slots as values.
//!
//! - A storage is made by a `tile.alloc`, or a private `memref.alloca` that tile ops use; every view, slice and subview
//!   of it names the same slots.
//! - Inside a block a slot is the value last written to it. Across blocks it lives in an `llvm.alloca` of its own in the
//!   entry block, which LLVM's SROA removes: a block loads what it reads first and stores what it wrote last, before its
//!   end and before an op whose regions use the storage.
//! - A storage that is used at several widths, at an index that is no constant, or by its address, is one `llvm.alloca`
//!   of an array throughout; so is every storage without forwarding. At several widths all that goes in and out is an
//!   integer: SROA takes a part of an integer out of registers, a part of a float or a vector it leaves in memory.

use crate::access::{Access, Place};
use crate::ir::{self, Builder, DYNAMIC};
use crate::provenance::{Roots, addressed_registers, register_operands};
use crate::remarks::{self, Kind, Remark};
use crate::repack::{self, Widths, Writes};
use crate::tally::{self, Tally};
use crate::{Severity, alignment, diagnose, emit};
use anyhow::Result;
use melior::Context;
use melior::ir::attribute::{IntegerAttribute, TypeAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Identifier, Location, Type, Value, ValueLike};
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::layout::M;
use ptx_tile_dialect::verify::{op_name, read_element, read_tile};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The identity of a value.
type Key = usize;

fn key(value: Value) -> Key {
    value.to_raw().ptr as Key
}

/// The storages of one function, and what is known of their slots at the point that expansion has come to.
pub struct Storages<'c> {
    context: &'c Context,
    function: OperationRef<'c, 'c>,
    index: HashMap<Key, usize>,
    roots: Roots<'c>,
    all: Vec<Storage<'c>>,
    known: Known<'c>,
    /// The allocas of slots, by storage and slot.
    places: HashMap<(usize, i64), Value<'c, 'c>>,
    /// The number of elements of an alloca.
    one: Option<Value<'c, 'c>>,
    /// Counts for remarks, where there may be any.
    pub tally: Option<Tally<'c>>,
}

/// What a block knows.
#[derive(Default)]
pub struct Known<'c> {
    /// By storage and slot; ordered, so that what is made of it is the same in every run.
    slots: BTreeMap<(usize, i64), Slot<'c>>,
    /// Pointers made in this block.
    pointers: HashMap<(Key, Pointer), Value<'c, 'c>>,
    /// What slots hold that were never written, by storage.
    undefined: HashMap<usize, Value<'c, 'c>>,
    /// For remarks.
    writes: Writes,
}

/// A pointer of a memref.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pointer {
    /// To the buffer that it shares with its subviews.
    Buffer,
    /// To where its layout counts from, when the program runs.
    Origin,
}

struct Storage<'c> {
    /// Where it is allocated: the array is known by it.
    location: Location<'c>,
    element: Element,
    /// The type of the value that a slot holds.
    slot: Type<'c>,
    span: i64,
    /// Slots are followed as values.
    forwarded: bool,
    /// Some view has elements of another width.
    mixed: bool,
    /// For remarks.
    widths: Widths<'c>,
    /// Something reads or writes it.
    used: bool,
    /// Another block than the allocation's uses it.
    crosses: bool,
    /// It is local memory, as something takes its address, or names a slot when the program runs.
    local: bool,
    array: Option<Value<'c, 'c>>,
}

#[derive(Clone, Copy)]
struct Slot<'c> {
    value: Value<'c, 'c>,
    /// The array does not have it yet.
    dirty: bool,
}

impl<'c> Storages<'c> {
    /// Finds the storages of a function and how each is used. The function has been checked.
    pub fn of(context: &'c Context, function: OperationRef<'c, 'c>, forward: bool) -> Result<Storages<'c>> {
        let tally = remarks::are_on(function).then(Tally::default);
        let mut storages = Storages {
            context,
            function,
            index: HashMap::new(),
            roots: Roots::default(),
            all: vec![],
            known: Known::default(),
            places: HashMap::new(),
            one: None,
            tally,
        };
        let ops = ir::ops(function);
        for op in &ops {
            if op_name(*op) == "tile.alloc" {
                storages.add(ir::result_of(*op, 0), forward)?;
            }
            for tile in register_operands(*op) {
                storages.add(storages.roots.of(tile), forward)?;
            }
        }
        for op in ops {
            for (tile, fixed) in storages.accesses(op) {
                storages.note_use(op, tile, fixed)?;
            }
            if storages.tally.is_some() {
                storages.note_widths(op)?;
            }
            for tile in addressed_registers(op) {
                storages.note_address(op, tile);
            }
        }
        Ok(storages)
    }

    fn add(&mut self, root: Value<'c, 'c>, forward: bool) -> Result<()> {
        if self.index.contains_key(&key(root)) {
            return Ok(());
        }
        let tile = read_tile(root.r#type())?;
        self.index.insert(key(root), self.all.len());
        self.all.push(Storage {
            location: ir::definition(root).unwrap_or(self.function).location(),
            element: tile.element,
            slot: ir::element_type(root.r#type()),
            span: tile.layout.span(M),
            forwarded: forward,
            mixed: false,
            widths: Widths::default(),
            used: false,
            crosses: false,
            local: false,
            array: None,
        });
        Ok(())
    }

    /// The tiles of this function's storages that an op accesses, and whether at constant indices.
    fn accesses(&self, op: OperationRef<'c, 'c>) -> Vec<(Value<'c, 'c>, bool)> {
        let mut tiles: Vec<_> = match Access::of(op) {
            Some(access) => vec![(access.tile, access.is_constant())],
            None => register_operands(op).into_iter().map(|tile| (tile, true)).collect(),
        };
        tiles.retain(|(tile, _)| self.storage_of(*tile).is_some());
        tiles
    }

    fn note_use(&mut self, op: OperationRef<'c, 'c>, tile: Value<'c, 'c>, fixed: bool) -> Result<()> {
        let index = self.storage_of(tile).expect("accesses are of storages");
        let home = ir::definition(self.roots.of(tile)).map(ir::block_of);
        let element = read_element(ir::element_type(tile.r#type()))?;
        let storage = &mut self.all[index];
        storage.used = true;
        storage.crosses |= home != Some(ir::block_of(op));
        let is_pointer = |element: &Element| matches!(element.scalar, Scalar::Ptr(_));
        let alike = element == storage.element
            || (element.width() == storage.element.width() && !is_pointer(&element) && !is_pointer(&storage.element));
        storage.forwarded &= alike && fixed;
        storage.mixed |= element.width() != storage.element.width();
        if !fixed {
            let why = format!("{} names an element by an index that is known only when the program runs", op_name(op));
            self.leave_in_memory(tile, &why);
        }
        Ok(())
    }

    fn note_address(&mut self, op: OperationRef<'c, 'c>, tile: Value<'c, 'c>) {
        self.all[self.index[&key(self.roots.of(tile))]].forwarded = false;
        let taker = op.attribute("opcode").map(|opcode| opcode.to_string()).unwrap_or_default();
        self.leave_in_memory(tile, &format!("{taker} takes its address"));
    }

    /// Registers have no address and no index: these are local memory, which a remark says once.
    fn leave_in_memory(&mut self, tile: Value<'c, 'c>, why: &str) {
        let storage = &mut self.all[self.index[&key(self.roots.of(tile))]];
        if !std::mem::replace(&mut storage.local, true)
            && let Some(made) = ir::definition(self.roots.of(tile))
        {
            let bytes = (storage.span * i64::from(storage.element.width()) + 7) / 8;
            let its = Remark {
                kind: Kind::Missed,
                category: tally::CATEGORY,
                name: "local-memory",
                function: &emit::symbol(self.function).unwrap_or_default(),
                arguments: &[("Bytes", bytes.to_string()), ("Reason", why.into())],
            };
            // It may cost so much that it is said where nobody asked for remarks, too.
            if !remarks::remark(made.location(), &its) {
                let text = format!("'{}' op stays in local memory: {why}", op_name(made));
                diagnose(made.location(), Severity::Remark, &text);
            }
        }
    }

    /// Notes at which widths an op uses registers.
    fn note_widths(&mut self, op: OperationRef<'c, 'c>) -> Result<()> {
        let written = repack::written(op)?;
        for (tile, _) in self.accesses(op) {
            let index = self.storage_of(tile).expect("accesses are of storages");
            self.all[index].widths.note(tile, written.contains(&tile))?;
        }
        Ok(())
    }

    /// Counts what remarks say of the registers of this function.
    pub fn count(&mut self) {
        let Some(tally) = &mut self.tally else { return };
        for storage in self.all.iter().filter(|storage| storage.used && !storage.local) {
            tally.registers(storage.location, storage.slot, storage.span as u64);
        }
    }

    /// The bits that an access of several widths is to, where anyone wants to know.
    fn counted_bits(&self, storage: usize, place: Place, r#type: Type<'c>) -> Option<(i64, u32)> {
        let Storage { mixed, local, .. } = self.all[storage];
        let Place::Slot(slot) = place else { return None };
        if self.tally.is_none() || !mixed || local {
            return None;
        }
        let width = read_element(r#type).ok()?.width();
        Some((slot * i64::from(width), width))
    }

    fn count_read(&mut self, storage: usize, place: Place, r#type: Type<'c>) {
        let Some(bits) = self.counted_bits(storage, place, r#type) else { return };
        let Storage { widths, location, .. } = &self.all[storage];
        if self.known.writes.repacks(storage, bits, widths)
            && let Some(tally) = &mut self.tally
        {
            tally.repacked(widths.view(bits.1).unwrap_or(*location), r#type);
        }
    }

    fn count_write(&mut self, storage: usize, place: Place, r#type: Type<'c>) {
        if let Some(bits) = self.counted_bits(storage, place, r#type) {
            self.known.writes.write(storage, bits);
        }
    }

    /// The address of a storage in local memory, as a pointer into `space`.
    pub fn address(&mut self, at: Builder<'c>, storage: usize, space: u32) -> Value<'c, 'c> {
        let array = self.array(storage);
        at.value("llvm.addrspacecast", &[array], ir::pointer_type(self.context, space), &[])
    }

    /// The storage of a tile, where it is one of this function's.
    pub fn storage_of(&self, tile: Value<'c, '_>) -> Option<usize> {
        self.index.get(&key(self.roots.of(tile))).copied()
    }

    /// The value at a place of a storage.
    pub fn read(&mut self, at: Builder<'c>, storage: usize, place: Place<'c>, r#type: Type<'c>) -> Value<'c, 'c> {
        let Place::Slot(slot) = place else { return self.load(at, storage, place, r#type) };
        if !self.all[storage].forwarded {
            return self.load(at, storage, place, r#type);
        }
        let value = match self.known.slots.get(&(storage, slot)) {
            Some(known) => known.value,
            None => {
                let value = match self.all[storage].crosses {
                    true => self.load(at, storage, place, self.all[storage].slot),
                    false => self.undefined(at, storage),
                };
                self.known.slots.insert((storage, slot), Slot { value, dirty: false });
                value
            }
        };
        at.bitcast(value, r#type)
    }

    /// A value for all slots of a storage of this block alone that were never written: read from the array, that nobody
    /// stores to. llvm.mlir.undef would be a constant, on which folders of arith crash.
    fn undefined(&mut self, at: Builder<'c>, storage: usize) -> Value<'c, 'c> {
        if let Some(value) = self.known.undefined.get(&storage) {
            return *value;
        }
        let value = self.load(at, storage, Place::Slot(0), self.all[storage].slot);
        self.known.undefined.insert(storage, value);
        value
    }

    /// Writes a value to a place of a storage.
    pub fn write(&mut self, at: Builder<'c>, storage: usize, place: Place<'c>, value: Value<'c, '_>) {
        let Place::Slot(slot) = place else { return self.store(at, storage, place, value) };
        if !self.all[storage].forwarded {
            return self.store(at, storage, place, value);
        }
        let value = at.bitcast(value, self.all[storage].slot);
        self.known.slots.insert((storage, slot), Slot { value, dirty: true });
    }

    /// A pointer made once in this block for `memref`.
    pub fn pointer(
        &mut self,
        memref: Value<'c, 'c>,
        which: Pointer,
        make: impl FnOnce() -> Value<'c, 'c>,
    ) -> Value<'c, 'c> {
        *self.known.pointers.entry((key(memref), which)).or_insert_with(make)
    }

    /// Stores what the array does not have yet: before the end of a block.
    pub fn flush(&mut self, at: Builder<'c>) {
        let slots = std::mem::take(&mut self.known.slots);
        for ((storage, slot), known) in slots {
            if known.dirty && self.all[storage].crosses {
                self.store(at, storage, Place::Slot(slot), known.value);
            }
        }
    }

    /// Before the regions of `op` are expanded: the array gets what they may read, and what they may write is unknown
    /// afterwards. Returns what the block still knows then.
    pub fn suspend(&mut self, op: OperationRef<'c, 'c>) -> Known<'c> {
        let ops = ir::ops(op);
        let touched: HashSet<usize> =
            ops.into_iter().flat_map(|op| self.accesses(op)).filter_map(|(tile, _)| self.storage_of(tile)).collect();
        let slots = std::mem::take(&mut self.known.slots);
        let (lost, kept) = slots.into_iter().partition(|((storage, _), _)| touched.contains(storage));
        self.known.slots = lost;
        self.flush(Builder::before(self.context, op));
        let mut known = Known { slots: kept, ..std::mem::take(&mut self.known) };
        known.writes.forget(&touched);
        known
    }

    /// After the regions of an op are expanded.
    pub fn resume(&mut self, known: Known<'c>) {
        self.known = known;
    }

    /// Forgets what the last block knew.
    pub fn enter_block(&mut self) {
        self.known = Known::default();
    }

    fn load(&mut self, at: Builder<'c>, storage: usize, place: Place<'c>, r#type: Type<'c>) -> Value<'c, 'c> {
        self.count_read(storage, place, r#type);
        let wire = self.wire_type(storage, r#type);
        let pointer = self.slot_pointer(at, storage, place, wire);
        let value = at.value("llvm.load", &[pointer], wire, &[]);
        at.bitcast(value, r#type)
    }

    fn store(&mut self, at: Builder<'c>, storage: usize, place: Place<'c>, value: Value<'c, '_>) {
        self.count_write(storage, place, value.r#type());
        let wire = self.wire_type(storage, value.r#type());
        let value = at.bitcast(value, wire);
        let pointer = self.slot_pointer(at, storage, place, wire);
        at.op("llvm.store", &[value, pointer], &[], &[]);
    }

    /// What goes in and out of the array for a value of `r#type`.
    fn wire_type(&self, storage: usize, r#type: Type<'c>) -> Type<'c> {
        let integer = |width| IntegerType::new(self.context, width).into();
        match read_element(r#type) {
            Ok(Element { scalar: Scalar::F8(_), lanes: None }) => integer(8),
            Ok(element) if self.all[storage].mixed && !matches!(element.scalar, Scalar::Ptr(_)) => {
                integer(element.width())
            }
            _ => r#type,
        }
    }

    /// The address of a slot, counted in elements of `wire`.
    fn slot_pointer(&mut self, at: Builder<'c>, storage: usize, place: Place<'c>, wire: Type<'c>) -> Value<'c, 'c> {
        let same_width = read_element(wire).is_ok_and(|its| its.width() == self.all[storage].element.width());
        match place {
            // SROA takes its time over the parts of an array.
            Place::Slot(index) if self.all[storage].forwarded => match self.places.get(&(storage, index)) {
                Some(place) => *place,
                None => {
                    let place = self.alloca(storage, self.wire_type(storage, self.all[storage].slot), None);
                    self.places.insert((storage, index), place);
                    place
                }
            },
            Place::Slot(index) if same_width => {
                let array = self.array(storage);
                at.element_pointer(array, self.array_type(storage), &[0, index as i32], &[])
            }
            Place::Slot(index) => at.element_pointer(self.array(storage), wire, &[index as i32], &[]),
            Place::Dynamic(index) => at.element_pointer(self.array(storage), wire, &[DYNAMIC], &[index]),
        }
    }

    fn array_type(&self, storage: usize) -> Type<'c> {
        let Storage { slot, span, .. } = self.all[storage];
        ir::array_type(self.wire_type(storage, slot), span)
    }

    /// The array of a storage, made at the entry of the function when it is first needed.
    fn array(&mut self, storage: usize) -> Value<'c, 'c> {
        if let Some(array) = self.all[storage].array {
            return array;
        }
        // SROA leaves an array of a single i1 as it is: the type of its place has more bits than the i1.
        let is_one_bit = self.all[storage].span == 1 && self.all[storage].element.width() == 1;
        let its = if is_one_bit { self.all[storage].slot } else { self.array_type(storage) };
        // That of the widest view.
        let has_views = self.all[storage].mixed || self.all[storage].local;
        let array = self.alloca(storage, its, has_views.then_some(alignment::LOCAL));
        self.all[storage].array = Some(array);
        array
    }

    /// An `llvm.alloca` of one `element`, at the entry of the function.
    fn alloca(&mut self, storage: usize, element: Type<'c>, alignment: Option<i64>) -> Value<'c, 'c> {
        let Storages { context, function, .. } = *self;
        let one = *self.one.get_or_insert_with(|| {
            let at = Builder::at_entry(context, function, function.location());
            at.constant(IntegerType::new(context, 32).into(), 1)
        });
        let name = |text| Identifier::new(context, text);
        let mut attributes = vec![(name("elem_type"), TypeAttribute::new(element).into())];
        attributes.extend(alignment.map(|alignment| {
            let i64 = IntegerType::new(context, 64).into();
            (name("alignment"), IntegerAttribute::new(i64, alignment).into())
        }));
        let at = Builder::after(context, one, self.all[storage].location);
        at.value("llvm.alloca", &[one], ir::pointer_type(context, 0), &attributes)
    }
}
