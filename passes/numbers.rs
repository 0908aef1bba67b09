//! The numbers of a thread as values: lanes, warps and CTAs, from the special registers and the block's real shape
//! (R23). Each is computed once, at the entry of the function (R29).

use crate::ir::Builder;
use melior::Context;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::OperationRef;
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Identifier, Type, Value};
use ptx_tile_dialect::threads::{GroupAxis, LANES, Launch, Part, WARPS_OF_GROUP};
use std::collections::HashMap;

/// What a thread is counted by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// The thread in its block.
    Thread,
    /// A part of its identity.
    Part(Part),
    /// The warpgroup in its block.
    Warpgroup,
    /// The rank of its CTA in the cluster.
    CtaRank,
}

/// The numbers that a function has computed.
pub struct Numbers<'c> {
    context: &'c Context,
    /// An op at the entry of the function, before which the numbers are computed.
    marker: OperationRef<'c, 'c>,
    launch: Launch,
    numbers: HashMap<Number, Value<'c, 'c>>,
    coordinates: HashMap<GroupAxis, Value<'c, 'c>>,
    flat: HashMap<Vec<GroupAxis>, Value<'c, 'c>>,
}

impl<'c> Numbers<'c> {
    /// None yet, of the threads of a launch.
    pub fn new(context: &'c Context, marker: OperationRef<'c, 'c>, launch: Launch) -> Numbers<'c> {
        let (numbers, coordinates) = (HashMap::new(), HashMap::new());
        Numbers { context, marker, launch, numbers, coordinates, flat: HashMap::new() }
    }

    /// Where the thread stands on a group axis, as an index; `None` where that is 0 for all.
    pub fn coordinate(&mut self, axis: &GroupAxis) -> Option<Value<'c, 'c>> {
        if axis.extent == 1 {
            return None;
        }
        if let Some(known) = self.coordinates.get(axis) {
            return Some(*known);
        }
        let mut coordinate = self.number(Number::Part(axis.part));
        if axis.begin > 0 {
            coordinate = self.arith("subi", coordinate, axis.begin);
        }
        // Of the active threads, who alone compute with it, the rest is what it was; and it is known to be in range.
        if axis.extent < self.count(Number::Part(axis.part)) {
            coordinate = self.arith("remui", coordinate, axis.extent);
        }
        self.coordinates.insert(*axis, coordinate);
        Some(coordinate)
    }

    /// Where it stands on all of the axes, counted through as one.
    pub fn flat(&mut self, axes: &[GroupAxis]) -> Option<Value<'c, 'c>> {
        if let Some(known) = self.flat.get(axes) {
            return Some(*known);
        }
        let mut sum: Option<Value<'c, 'c>> = None;
        for axis in axes {
            sum = sum.map(|sum| self.arith("muli", sum, axis.extent));
            if let Some(coordinate) = self.coordinate(axis) {
                sum = Some(sum.map_or(coordinate, |sum| self.binary("addi", sum, coordinate)));
            }
        }
        self.flat.insert(axes.to_vec(), sum?);
        sum
    }

    /// What a thread is counted by.
    pub fn number(&mut self, number: Number) -> Value<'c, 'c> {
        if let Some(known) = self.numbers.get(&number) {
            return *known;
        }
        let value = match number {
            Number::Thread => self.thread(),
            Number::CtaRank => self.cta_rank(),
            Number::Part(Part::Cta(axis)) => {
                let (rank, cluster) = (self.number(Number::CtaRank), self.launch.cluster());
                let [before, after] = [&cluster[..axis], &cluster[axis + 1..]].map(|its| its.iter().product::<i64>());
                let inner = if before == 1 { rank } else { self.arith("divui", rank, before) };
                if after == 1 { inner } else { self.arith("remui", inner, cluster[axis]) }
            }
            Number::Part(Part::Lane) => {
                let thread = self.number(Number::Thread);
                if self.launch.warps() == 1 { thread } else { self.arith("remui", thread, LANES) }
            }
            Number::Part(Part::Warp) => {
                let thread = self.number(Number::Thread);
                self.arith("divui", thread, LANES)
            }
            Number::Part(Part::WarpInGroup) => {
                let warp = self.number(Number::Part(Part::Warp));
                if self.launch.warps() <= WARPS_OF_GROUP { warp } else { self.arith("remui", warp, WARPS_OF_GROUP) }
            }
            Number::Warpgroup => {
                let thread = self.number(Number::Thread);
                self.arith("divui", thread, LANES * WARPS_OF_GROUP)
            }
        };
        self.numbers.insert(number, value);
        value
    }

    /// How many there are.
    pub fn count(&self, number: Number) -> i64 {
        let launch = &self.launch;
        match number {
            Number::Thread => launch.block().iter().product(),
            Number::Part(Part::Cta(axis)) => launch.cluster()[axis],
            Number::Part(Part::Warp) => launch.warps(),
            Number::Part(Part::WarpInGroup) => launch.warps().min(WARPS_OF_GROUP),
            Number::Part(Part::Lane) => launch.lanes(),
            Number::Warpgroup => launch.warpgroups(),
            Number::CtaRank => launch.cluster().iter().product(),
        }
    }

    /// R23: x + X (y + Y z), where an extent of 1 has nothing to add.
    fn thread(&self) -> Value<'c, 'c> {
        let (extents, mut sum): (_, Option<Value<'c, 'c>>) = (self.launch.block(), None);
        for axis in (0..3).rev() {
            sum = sum.map(|sum| self.arith("muli", sum, extents[axis]));
            if extents[axis] > 1 {
                let position = self.position(axis);
                sum = Some(sum.map_or(position, |sum| self.binary("addi", sum, position)));
            }
        }
        sum.unwrap_or_else(|| self.position(0))
    }

    fn position(&self, axis: usize) -> Value<'c, 'c> {
        let dimension = ["#gpu<dim x>", "#gpu<dim y>", "#gpu<dim z>"][axis];
        let dimension = Attribute::parse(self.context, dimension).expect("the gpu dialect is loaded");
        let name = Identifier::new(self.context, "dimension");
        self.entry().value("gpu.thread_id", &[], Type::index(self.context), &[(name, dimension)])
    }

    /// The hardware knows the rank, of which positions are digits; it would divide by extents that it reads.
    fn cta_rank(&self) -> Value<'c, 'c> {
        // The passes have it loaded; who calls the function of one may not.
        self.context.get_or_load_dialect("nvvm");
        let range = format!("#llvm.constant_range<i32, 0, {}>", self.count(Number::CtaRank));
        let range = Attribute::parse(self.context, &range).expect("the nvvm dialect is loaded");
        let (i32, name) = (IntegerType::new(self.context, 32).into(), Identifier::new(self.context, "range"));
        let rank = self.entry().value("nvvm.read.ptx.sreg.cluster.ctarank", &[], i32, &[(name, range)]);
        self.entry().value("arith.index_castui", &[rank], Type::index(self.context), &[])
    }

    fn arith(&self, op: &str, a: Value<'c, '_>, number: i64) -> Value<'c, 'c> {
        self.binary(op, a, self.constant(Type::index(self.context), number))
    }

    fn binary(&self, op: &str, a: Value<'c, '_>, b: Value<'c, '_>) -> Value<'c, 'c> {
        self.entry().value(&format!("arith.{op}"), &[a, b], Type::index(self.context), &[])
    }

    /// An i1: whether the threads are those whose number is in all of the ranges.
    pub fn are_in(&mut self, ranges: &[(Number, std::ops::Range<i64>)]) -> Value<'c, 'c> {
        let boolean: Type = IntegerType::new(self.context, 1).into();
        let mut all: Option<Value<'c, 'c>> = None;
        for (number, range) in ranges {
            let low = (range.start > 0).then_some(("uge", range.start));
            let high = (range.end < self.count(*number)).then_some(("ult", range.end));
            let ends = match (low, high) {
                (Some(_), Some(_)) if range.end - range.start == 1 => [Some(("eq", range.start)), None],
                ends => ends.into(),
            };
            for (predicate, end) in ends.into_iter().flatten() {
                let number = self.number(*number);
                let holds = self.compare(predicate, number, end);
                let both = |all| self.entry().value("arith.andi", &[all, holds], boolean, &[]);
                all = Some(all.map_or(holds, both));
            }
        }
        all.unwrap_or_else(|| self.constant(boolean, 1))
    }

    fn compare(&self, predicate: &str, number: Value<'c, '_>, end: i64) -> Value<'c, 'c> {
        let end = self.constant(Type::index(self.context), end);
        let predicate = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
            .iter()
            .position(|its| *its == predicate)
            .expect("a predicate of arith.cmpi");
        let predicate = IntegerAttribute::new(IntegerType::new(self.context, 64).into(), predicate as i64);
        let attributes = [(Identifier::new(self.context, "predicate"), predicate.into())];
        self.entry().value("arith.cmpi", &[number, end], IntegerType::new(self.context, 1).into(), &attributes)
    }

    fn constant(&self, r#type: Type<'c>, number: i64) -> Value<'c, 'c> {
        let value = (Identifier::new(self.context, "value"), IntegerAttribute::new(r#type, number).into());
        self.entry().value("arith.constant", &[], r#type, &[value])
    }

    /// Where the numbers are computed.
    fn entry(&self) -> Builder<'c> {
        Builder::before(self.context, self.marker)
    }
}
