//! Loops that count: their turns, and taking them apart.

use crate::fold::evaluate_map;
use crate::ir;
use crate::ranges::{Known, copy, evaluate};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Value, ValueLike};
use mlir_sys::*;

/// A bound of a loop.
#[derive(Clone)]
pub enum Bound<'c> {
    /// Known when the program is compiled.
    Constant(i64),
    /// A value, which may be known.
    Value(Value<'c, 'c>),
    /// The greatest of the results of an affine map of these values, or the least.
    Map { map: Attribute<'c>, inputs: Vec<Value<'c, 'c>>, greatest: bool },
}

impl<'c> Bound<'c> {
    /// The values that it depends on.
    fn values(&self) -> Vec<Value<'c, 'c>> {
        match self {
            Bound::Constant(_) => vec![],
            Bound::Value(value) => vec![*value],
            Bound::Map { inputs, .. } => inputs.clone(),
        }
    }

    fn evaluate(&self, known: &Known) -> Option<i64> {
        let number = |value: &Value<'c, 'c>| evaluate(*value, &mut copy(known)?);
        match self {
            Bound::Constant(number) => Some(*number),
            Bound::Value(value) => number(value),
            Bound::Map { map, inputs, greatest } => {
                let inputs: Option<Vec<i64>> = inputs.iter().map(number).collect();
                let results = evaluate_map(*map, &inputs?)?;
                if *greatest { results.into_iter().max() } else { results.into_iter().min() }
            }
        }
    }
}

/// A loop of one induction variable: `scf.for`, `affine.for`.
#[derive(Clone)]
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
    map: MlirAttribute,
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
        let (null, no_map) = (MlirValue { ptr: std::ptr::null() }, MlirAttribute { ptr: std::ptr::null() });
        let (mut raw, mut variable) = ([RawBound { value: null, map: no_map, constant: 0 }; 3], null);
        let is_loop = unsafe { ptxTileLoop(op.to_raw(), raw.as_mut_ptr(), &mut variable) };
        if !is_loop || variable.ptr != value.to_raw().ptr {
            return None;
        }
        let mut operands = (0..op.operand_count() as isize).map(|index| ir::operand_of(op, index));
        let mut greatest = true;
        let bounds = raw.map(|raw| match unsafe { Attribute::from_option_raw(raw.map) } {
            Some(map) => {
                let count = unsafe { mlirAffineMapGetNumInputs(mlirAffineMapAttrGetValue(map.to_raw())) };
                let inputs = operands.by_ref().take(count as usize).collect();
                Bound::Map { map, inputs, greatest: std::mem::replace(&mut greatest, false) }
            }
            None if raw.value.ptr.is_null() => Bound::Constant(raw.constant),
            None => Bound::Value(unsafe { Value::from_raw(raw.value) }),
        });
        Some(Loop { op, variable: value, bounds })
    }

    /// Values that the bounds depend on.
    pub fn bound_values(&self) -> impl Iterator<Item = Value<'c, 'c>> + use<'c> {
        let values: Vec<_> = self.bounds.iter().flat_map(Bound::values).collect();
        values.into_iter()
    }

    /// The turns, where the bounds are constants or depend on what is in `known`.
    pub fn turns(&self, known: &Known) -> Option<Turns> {
        let mut bounds = [0; 3];
        for (number, bound) in bounds.iter_mut().zip(&self.bounds) {
            *number = bound.evaluate(known)?;
        }
        let [lower, upper, step] = bounds;
        // Bounds that are compared without a sign differ from these where they are negative.
        if step <= 0 || (lower.min(upper) < 0 && self.op.has_attribute("unsignedCmp")) {
            return None;
        }
        let span = upper.checked_sub(lower)?.max(0) as u64;
        let count = span.div_ceil(step as u64);
        // The variable must not wrap before it reaches the bound.
        let end = i128::from(lower) + i128::from(count) * i128::from(step);
        (end < 1 << (ir::integer_width(self.variable) - 1)).then_some(Turns { lower, step, count })
    }

    /// The turns, where the bounds are constants.
    pub fn constant_turns(&self) -> Option<Turns> {
        self.turns(&Known::new())
    }

    /// Why its turns are not known.
    pub fn lack(&self) -> &'static str {
        let are_constants = self.bounds.iter().all(|bound| bound.evaluate(&Known::new()).is_some());
        if are_constants { "whose variable wraps or never gets to its bound" } else { "whose bounds are no constants" }
    }

    /// How many ops it is nested in.
    pub fn depth(&self) -> usize {
        std::iter::successors(self.op.parent_operation(), |op| op.parent_operation()).count()
    }

    /// Puts a copy of the body in its place for each turn. The op is gone afterwards.
    pub fn unroll(&self, turns: Turns) {
        unsafe { ptxTileUnroll(self.op.to_raw(), turns.lower, turns.step, turns.count as i64) }
    }
}
