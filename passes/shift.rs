//! Where a tile with a dynamic offset begins: the sum of what each slice on the way to it adds.
//!
//! - Counted in bits from the storage, or from the buffer of a memref, so that views of other widths change nothing.
//! - A begin moves its slice by a place of its axis alone, which [`Layout::dimensions`] gives; begins.rs proves that
//!   the slice has the same layout wherever it begins.

use crate::congruence::{Congruence, gcd};
use crate::ir::{Builder, definition, element_type, operand_of, result_of};
use crate::ranges::{Known, Ranges, constant, deciding_loops, each_turn, evaluate};
use crate::steps;
use crate::sum::Sum;
use anyhow::{Context, Result, ensure};
use melior::ir::operation::OperationRef;
use melior::ir::r#type::IntegerType;
use melior::ir::{Type, TypeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::layout::{DYNAMIC, Layout, M};
use ptx_tile_dialect::verify::{has_tile_layout, index_list, op_name, read_element, read_tile};

/// The ops that make another type of a memref, which begins where it did.
pub const SAME_PLACE: [&str; 5] =
    ["tile.view", "memref.assume_alignment", "memref.collapse_shape", "memref.expand_shape", "memref.transpose"];

/// Where a tile begins.
#[derive(Default)]
pub struct Shift<'c> {
    /// In bits, beside the rest.
    constant: i64,
    terms: Vec<Term<'c>>,
    /// A memref whose own offset, in elements of so many bits, is known when the program runs.
    base: Option<(Value<'c, 'c>, i64)>,
}

/// What a begin adds.
struct Term<'c> {
    begin: Value<'c, 'c>,
    along: Along,
    /// Of an element.
    bits: i64,
    /// The most that it adds, in bits, where it adds nothing less than 0 (R36).
    most: Option<i64>,
}

/// Where the elements of an axis lie, in elements.
enum Along {
    /// Element i at i times it.
    Stride(i64),
    /// Where a layout of one dimension has it.
    Places(Layout),
}

impl Along {
    fn of(axis: Layout) -> Along {
        axis.slope().map_or(Along::Places(axis), Along::Stride)
    }

    /// How many elements there are, where division finds the place of one.
    fn divided(&self) -> Option<i64> {
        match self {
            Along::Stride(_) => None,
            Along::Places(axis) => Some(axis.size()),
        }
    }

    fn place(&self, begin: i64) -> Option<i64> {
        match self {
            Along::Stride(stride) => begin.checked_mul(*stride),
            Along::Places(axis) => (0..axis.size()).contains(&begin).then(|| axis.place(begin, M)),
        }
    }
}

impl<'c> Shift<'c> {
    /// Where the layout of `tile` counts from: 0 unless that has a dynamic offset.
    pub fn of(tile: Value<'c, 'c>) -> Result<Shift<'c>> {
        if offset(tile.r#type()).is_some() {
            return Ok(Shift::default());
        }
        Ok(Shift::walk(tile, None)?.expect("the walk ends at the buffer"))
    }

    /// How far the layout of `tile`, which has a dynamic offset, counts from the first element of `stop`, which the
    /// tile comes from by slices and views. `None` where that is not known.
    pub fn since(tile: Value<'c, 'c>, stop: Value<'c, 'c>) -> Result<Option<Shift<'c>>> {
        Shift::walk(tile, Some(stop))
    }

    fn walk(tile: Value<'c, 'c>, stop: Option<Value<'c, 'c>>) -> Result<Option<Shift<'c>>> {
        let mut shift = Shift::default();
        let mut value = tile;
        loop {
            if stop == Some(value) {
                return Ok(Some(shift));
            }
            steps::take(1).context("begins too many views from its buffer")?;
            let bits = bits(value.r#type())?;
            if let Some(here) = offset(value.r#type()) {
                // From here on both count from the buffer.
                let Some(first) = stop.map_or(Some(0), |stop| offset(stop.r#type())) else { return Ok(None) };
                shift.add(here.checked_sub(first), bits)?;
                return Ok(Some(shift));
            }
            let next = match definition(value) {
                Some(op) if SAME_PLACE.contains(&op_name(op)) => Some(op),
                // Of a type whose offset is known, it may be.
                Some(op) if op_name(op) == "memref.cast" && is_memref(operand_of(op, 0)) => Some(op),
                Some(op) if op_name(op) == "tile.slice" => {
                    shift.slice(op, bits)?;
                    Some(op)
                }
                Some(op) if op_name(op) == "memref.subview" && shift.subview(op, bits)? => Some(op),
                _ => None,
            };
            let Some(op) = next else {
                shift.base = Some((value, bits));
                return Ok(stop.is_none().then_some(shift));
            };
            value = operand_of(op, 0);
        }
    }

    fn add(&mut self, elements: Option<i64>, bits: i64) -> Result<()> {
        let sum = elements.and_then(|elements| elements.checked_mul(bits)?.checked_add(self.constant));
        self.constant = sum.context("begins beyond what 64 bits can count")?;
        Ok(())
    }

    fn slice(&mut self, op: OperationRef<'c, 'c>, bits: i64) -> Result<()> {
        for (begin, axis) in Begin::of(op, "static_begins").into_iter().zip(axes(op)?) {
            let most = (axis.span(M) - 1).checked_mul(bits);
            self.begin(begin, Along::of(axis), bits, most)?;
        }
        Ok(())
    }

    /// Whether the source has strides that are constants; else nothing is added.
    fn subview(&mut self, op: OperationRef<'c, 'c>, bits: i64) -> Result<bool> {
        let source = operand_of(op, 0).r#type();
        let Some((strides, _)) = strides_and_offset(source) else { return Ok(false) };
        if strides.contains(&DYNAMIC) {
            return Ok(false);
        }
        for (begin, stride) in Begin::of(op, "static_offsets").into_iter().zip(strides) {
            // That it lies inside of the source is only promised (R39).
            self.begin(begin, Along::Stride(stride), bits, None)?;
        }
        Ok(true)
    }

    fn begin(&mut self, begin: Begin<'c>, along: Along, bits: i64, most: Option<i64>) -> Result<()> {
        match begin.known() {
            Begin::Constant(number) => self.add(along.place(number), bits),
            Begin::Value(begin) => {
                let stride = if let Along::Stride(stride) = along { stride } else { 1 };
                ensure!(stride.checked_mul(bits).is_some(), "begins beyond what 64 bits can count");
                self.terms.push(Term { begin, along, bits, most });
                Ok(())
            }
        }
    }

    /// The begins that it depends on.
    pub fn begins(&self) -> Vec<Value<'c, 'c>> {
        self.terms.iter().map(|term| term.begin).collect()
    }

    /// In bits, where all that it depends on is a constant.
    pub fn constant(&self) -> Option<i64> {
        self.evaluate(&mut Known::new())
    }

    /// What depends on values, and the rest in units of so many bits, of which each begin adds a multiple.
    pub fn split(self, unit: i64) -> (Shift<'c>, i64) {
        let fixed = self.sum().constant.max(self.constant);
        (Shift { constant: self.constant.wrapping_sub(fixed), ..self }, fixed / unit)
    }

    fn evaluate(&self, known: &mut Known) -> Option<i64> {
        if self.base.is_some() {
            return None;
        }
        self.terms.iter().try_fold(self.constant, |sum, term| {
            let place = term.along.place(evaluate(term.begin, known)?)?;
            place.checked_mul(term.bits)?.checked_add(sum)
        })
    }

    /// What it is congruent to, in bits, as a quick look tells.
    pub fn congruence(&self, ranges: &Ranges) -> Congruence {
        let constant = Congruence::constant(self.constant);
        let base = self.base.map_or(constant, |(_, bits)| constant.plus(Congruence::multiple_of(bits)));
        self.terms.iter().map(|term| term.congruence(ranges)).fold(base, Congruence::plus)
    }

    /// The same from each turn of the loops that decide it, where begins that belong together are seen together.
    pub fn exact_congruence(&self) -> Option<Congruence> {
        let loops = deciding_loops(&self.begins()).ok()?;
        let mut all: Option<Congruence> = None;
        each_turn(&loops, |mut known| {
            let here = Congruence::constant(self.evaluate(&mut known)?);
            all = Some(all.map_or(here, |all| all.or(here)));
            Some(())
        })?;
        all
    }

    /// Whether it is known to be a multiple of so many bits.
    pub fn is_multiple_of(&self, ranges: &Ranges, bits: i64) -> bool {
        let exact = || self.exact_congruence().is_some_and(|its| its.is_multiple_of(bits));
        self.congruence(ranges).is_multiple_of(bits) || exact()
    }

    /// The constants, and the values of begins along strides, in bits.
    fn sum(&self) -> Sum<'c> {
        let along_stride = |term: &Term<'c>| match term.along {
            Along::Stride(stride) => Some((term.begin, term.bits * stride)),
            Along::Places(_) => None,
        };
        Sum::of(self.constant, self.terms.iter().filter_map(along_stride))
    }

    /// What the numbers that are computed are multiplied by, in bits.
    fn weights(&self, sum: &Sum<'c>) -> Vec<i64> {
        let places = self.terms.iter().filter(|term| matches!(term.along, Along::Places(_)));
        let others = places.map(|term| term.bits).chain(self.base.map(|(_, bits)| bits));
        sum.parts.iter().map(|(_, weight)| *weight).chain(others).collect()
    }

    /// The largest multiple of `unit` bits that all of it is seen to be a multiple of, or else `unit`; no more units than
    /// an array has elements.
    pub fn grain(&self, unit: i64) -> i64 {
        let sum = self.sum();
        let grain = self.weights(&sum).into_iter().fold(sum.constant, gcd);
        if grain > 0 && grain % unit == 0 && grain / unit <= u32::MAX.into() { grain } else { unit }
    }

    /// Whether in units of so many bits, with up to `reach` of them added, it is known to fit 32 bits with a sign.
    fn is_short(&self, unit: i64, reach: i64) -> bool {
        let mut mosts = self.terms.iter().map(|term| term.most);
        let most = mosts.try_fold(self.constant, |sum, most| sum.checked_add(most?));
        let fits = |bits: i64| i32::try_from((bits / unit).saturating_add(reach)).is_ok();
        // What is divided to find its place must fit itself; the rest may wrap before it is added up.
        let divided = self.terms.iter().filter_map(|term| term.along.divided());
        let are_short = divided.map(i32::try_from).all(|size| size.is_ok());
        self.base.is_none() && i32::try_from(self.constant / unit).is_ok() && most.is_some_and(fits) && are_short
    }

    /// Computed before `at` in units of so many bits, of which it is a multiple: as an i32 where it and `reach` units
    /// more are known to fit, else as an i64.
    pub fn build(&self, at: Builder<'c>, unit: i64, reach: i64) -> Value<'c, 'c> {
        let sum = self.sum();
        // In the largest unit that divides each part; their sum is then a multiple of the one asked for.
        let fine = self.weights(&sum).into_iter().chain([sum.constant]).fold(unit, gcd);
        let width = if self.is_short(fine, reach.saturating_mul(unit / fine)) { 32 } else { 64 };
        let integer: Type = IntegerType::new(at.context(), width).into();
        if let Some(bits) = self.constant() {
            return at.number_of(integer, bits / unit);
        }
        let mut all: Option<Value> = None;
        let mut add = |value, bits: i64| {
            let scaled = if bits == fine { value } else { at.arith_by("muli", value, bits / fine) };
            all = Some(all.map_or(scaled, |all| at.arith("addi", all, scaled)));
        };
        let cast = |index| at.value("arith.index_cast", &[index], integer, &[]);
        if let Some((memref, bits)) = self.base {
            add(metadata_offset(at, memref), bits);
        }
        sum.parts.iter().for_each(|(value, weight)| add(cast(*value), *weight));
        for term in &self.terms {
            if let Along::Places(axis) = &term.along {
                add(place(at, cast(term.begin), axis), term.bits);
            }
        }
        let fixed = sum.constant / fine;
        let all = match all {
            Some(all) if fixed == 0 => all,
            Some(all) => at.arith_by("addi", all, fixed),
            None => at.number_of(integer, fixed),
        };
        if fine == unit { all } else { at.arith_by("divsi", all, unit / fine) }
    }

    /// The same as an i64, without more units to add.
    pub fn build_long(&self, at: Builder<'c>, unit: i64) -> Value<'c, 'c> {
        let number = self.build(at, unit, 0);
        // What fits 32 bits are the constant and begins that add nothing less than 0.
        let is_negative = self.constant < 0;
        if is_negative { at.extended(number) } else { at.extended_by_zeros(number) }
    }
}

impl Term<'_> {
    fn congruence(&self, ranges: &Ranges) -> Congruence {
        let values = ranges.of(self.begin);
        let strides = match &self.along {
            Along::Stride(stride) => return values.congruence().times(*stride).times(self.bits),
            Along::Places(axis) => axis.shard().iter().map(|iter| iter.stride).fold(0, gcd),
        };
        let places =
            values.each().and_then(|all| Congruence::of(all.into_iter().filter_map(|it| self.along.place(it))));
        places.unwrap_or(Congruence { modulus: strides.max(1), residue: 0 }).times(self.bits)
    }
}

/// Where a slice begins on an axis.
#[derive(Clone, Copy)]
pub enum Begin<'c> {
    /// Known when the program is compiled.
    Constant(i64),
    /// A value of type `index`.
    Value(Value<'c, 'c>),
}

impl<'c> Begin<'c> {
    /// A constant where that is what the value comes to.
    fn known(self) -> Begin<'c> {
        match self {
            Begin::Value(value) => constant(value).map_or(self, Begin::Constant),
            Begin::Constant(_) => self,
        }
    }

    /// Those of a `tile.slice` or `memref.subview`, whose operands after the first they are; `list` has the constants.
    pub fn of(op: OperationRef<'c, 'c>, list: &str) -> Vec<Begin<'c>> {
        let mut next = 0;
        let begins = index_list(op, list).into_iter().map(|fixed| match fixed {
            Some(number) => Begin::Constant(number),
            None => {
                next += 1;
                Begin::Value(operand_of(op, next))
            }
        });
        begins.collect()
    }
}

/// The layouts of the axes of the source of a `tile.slice`.
pub fn axes(op: OperationRef) -> Result<Vec<Layout>> {
    let source = read_tile(operand_of(op, 0).r#type())?;
    source.layout.dimensions(&source.shape).with_context(|| {
        format!(
            "begins are no constants, and the iters of the source's layout {} do not end where its axes do; give each axis \
             iters of its own",
            source.layout
        )
    })
}

/// R42 in arithmetic: a coordinate is split over the iters, and what lies on m is summed.
pub fn place<'c>(at: Builder<'c>, coordinate: Value<'c, 'c>, layout: &Layout) -> Value<'c, 'c> {
    let (mut sum, mut inner) = (at.number_of(coordinate.r#type(), 0), 1);
    for iter in layout.shard().iter().rev() {
        if iter.axis == M && iter.extent > 1 {
            let part = at.arith_by("remui", at.arith_by("divui", coordinate, inner), iter.extent);
            sum = at.arith("addi", sum, at.arith_by("muli", part, iter.stride));
        }
        inner *= iter.extent;
    }
    sum
}

/// The offset of a memref as an i64.
fn metadata_offset<'c>(at: Builder<'c>, memref: Value<'c, 'c>) -> Value<'c, 'c> {
    let r#type = memref.r#type();
    let index = Type::index(at.context());
    let rank = unsafe { mlirShapedTypeGetRank(r#type.to_raw()) } as usize;
    let buffer = unsafe {
        let element = mlirShapedTypeGetElementType(r#type.to_raw());
        let (layout, space) = (mlirAttributeGetNull(), mlirMemRefTypeGetMemorySpace(r#type.to_raw()));
        Type::from_raw(mlirMemRefTypeGet(element, 0, std::ptr::null(), layout, space))
    };
    let results = [vec![buffer], vec![index; 1 + 2 * rank]].concat();
    let op = at.op("memref.extract_strided_metadata", &[memref], &results, &[]);
    at.as_number(result_of(op, 1))
}

/// The offset of a memref type, before a swizzle; `None` where it is no constant.
pub fn offset(r#type: Type) -> Option<i64> {
    if has_tile_layout(r#type) {
        let layout = read_tile(r#type).ok()?.layout;
        let on_m = layout.offset().iter().find(|offset| offset.axis == M).map_or(0, |offset| offset.value);
        return (!layout.has_dynamic_offset()).then_some(on_m);
    }
    strides_and_offset(r#type).map(|(_, offset)| offset).filter(|offset| *offset != DYNAMIC)
}

/// Whether a value is a ranked memref.
pub fn is_memref(value: Value) -> bool {
    unsafe { mlirTypeIsAMemRef(value.r#type().to_raw()) }
}

fn strides_and_offset(r#type: Type) -> Option<(Vec<i64>, i64)> {
    let raw = r#type.to_raw();
    if !unsafe { mlirTypeIsAMemRef(raw) } {
        return None;
    }
    let (mut strides, mut offset) = (vec![0; unsafe { mlirShapedTypeGetRank(raw) } as usize], 0);
    let has = unsafe { mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &mut offset) }.value != 0;
    has.then_some((strides, offset))
}

fn bits(memref: Type) -> Result<i64> {
    Ok(read_element(element_type(memref))?.width().into())
}
