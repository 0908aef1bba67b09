//! Loops that count: their turns, and taking them apart.

use crate::ir;
use crate::ranges::{Known, evaluate};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Value, ValueLike};
use mlir_sys::{MlirOperation, MlirValue};

/// A bound of a loop.
#[derive(Clone, Copy)]
pub enum Bound<'c> {
    /// Known when the program is compiled.
    Constant(i64),
    /// A value, which may be known.
    Value(Value<'c, 'c>),
}

impl<'c> Bound<'c> {
    /// One of two functions of it.
    pub fn either<T>(self, constant: impl FnOnce(i64) -> T, value: impl FnOnce(Value<'c, 'c>) -> T) -> T {
        match self {
            Bound::Constant(number) => constant(number),
            Bound::Value(its) => value(its),
        }
    }
}

/// A loop of one induction variable: `scf.for`, `affine.for`.
#[derive(Clone, Copy)]
pub struct Loop<'c> {
    /// The loop.
    pub op: OperationRef<'c, 'c>,
    /// Its induction variable.
    pub variable: Value<'c, 'c>,
    /// Lower bound, upper bound and step.
    pub bounds: [Bound<'c>; 3],
}

/// The values of an induction variable: `lower`, `lower + step`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The first.
    pub lower: i64,
    /// Positive.
    pub step: i64,
    /// How many.
    pub count: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawBound {
    value: MlirValue,
    constant: i64,
}

unsafe extern "C" {
    fn ptxTileLoop(op: MlirOperation, bounds: *mut RawBound, variable: &mut MlirValue) -> bool;
    fn ptxTileUnroll(op: MlirOperation, lower: i64, step: i64, count: i64);
}

impl<'c> Loop<'c> {
    /// The loop that `value` is the induction variable of.
    pub fn of_variable(value: Value<'c, 'c>) -> Option<Loop<'c>> {
        let op = ir::parent_of_argument(value)?;
        let null = MlirValue { ptr: std::ptr::null() };
        let (mut bounds, mut variable) = ([RawBound { value: null, constant: 0 }; 3], null);
        let is_loop = unsafe { ptxTileLoop(op.to_raw(), bounds.as_mut_ptr(), &mut variable) };
        (is_loop && variable.ptr == value.to_raw().ptr).then(|| Loop {
            op,
            variable: value,
            bounds: bounds.map(|bound| match bound.value.ptr.is_null() {
                true => Bound::Constant(bound.constant),
                false => Bound::Value(unsafe { Value::from_raw(bound.value) }),
            }),
        })
    }

    /// Bounds that are values.
    pub fn bound_values(&self) -> impl Iterator<Item = Value<'c, 'c>> + use<'c> {
        self.bounds.into_iter().filter_map(|bound| bound.either(|_| None, Some))
    }

    /// The turns, where the bounds are constants or depend on what is in `known`.
    pub fn turns(&self, known: &Known) -> Option<Turns> {
        let mut bounds = [0; 3];
        for (number, bound) in bounds.iter_mut().zip(self.bounds) {
            *number = bound.either(Some, |value| evaluate(value, &mut known.clone()))?;
        }
        let [lower, upper, step] = bounds;
        // Bounds that are compared without a sign differ from these where they are negative.
        if step <= 0 || (lower.min(upper) < 0 && self.op.has_attribute("unsignedCmp")) {
            return None;
        }
        let span = upper.checked_sub(lower)?.max(0) as u64;
        Some(Turns { lower, step, count: span.div_ceil(step as u64) })
    }

    /// The turns, where the bounds are constants.
    pub fn is_constant(&self) -> Option<Turns> {
        self.turns(&Known::new())
    }

    /// How many ops it is nested in.
    pub fn depth(&self) -> usize {
        std::iter::successors(self.op.parent_operation(), |op| op.parent_operation()).count()
    }

    /// Puts a copy of the body in its place for each turn. The op is gone afterwards.
    pub fn unroll(self, turns: Turns) {
        unsafe { ptxTileUnroll(self.op.to_raw(), turns.lower, turns.step, turns.count as i64) }
    }
}
