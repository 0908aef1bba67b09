//! Indices as sums: the values that arithmetic multiplies by constants and adds up, and what it adds beside them.
//!
//! A quotient and a remainder of a value by the same constant, weighed as the digits that they are, come to that value:
//! where warps and lanes lie in one row, their place is that of the thread.

use crate::ir::{definition, operand_of};
use crate::ranges::constant;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;
use std::collections::HashMap;
use std::ffi::c_void;
use std::mem;

/// The deepest arithmetic that is taken apart. What it is made of may occur often: twice as often for each addition.
const MAX_DEPTH: u32 = 8;

/// The most digits of a number that are joined.
const MAX_DIGITS: usize = 8;

/// A sum. What 64 bits cannot count stays apart, as the values that it is made of.
#[derive(Default)]
pub struct Sum<'c> {
    /// What is the same whatever the values are.
    pub constant: i64,
    /// Values, each but once where its multiples can be counted, and what they are multiplied by.
    pub parts: Vec<(Value<'c, 'c>, i64)>,
    /// The place of each value in the parts.
    places: HashMap<*const c_void, usize>,
}

impl<'c> Sum<'c> {
    /// A constant and multiples of indices.
    pub fn of(constant: i64, indices: impl IntoIterator<Item = (Value<'c, 'c>, i64)>) -> Sum<'c> {
        let mut sum = Sum { constant, ..Sum::default() };
        indices.into_iter().for_each(|(index, weight)| sum.add_at(index, weight, 0));
        for _ in 1..MAX_DIGITS {
            if !sum.join_digits() {
                break;
            }
        }
        sum.parts.retain(|(_, weight)| *weight != 0);
        sum
    }

    fn add_at(&mut self, index: Value<'c, 'c>, weight: i64, depth: u32) {
        let is_constant = constant(index).is_some_and(|number| self.add_constant(number, weight));
        if !is_constant && (depth == MAX_DEPTH || !self.take_apart(index, weight, depth + 1)) {
            self.add_value(index, weight);
        }
    }

    /// Not where the sum is beyond what 64 bits can count.
    fn add_constant(&mut self, number: i64, weight: i64) -> bool {
        let sum = number.checked_mul(weight).and_then(|number| self.constant.checked_add(number));
        self.constant = sum.unwrap_or(self.constant);
        sum.is_some()
    }

    fn add_value(&mut self, value: Value<'c, 'c>, weight: i64) {
        let place = self.places.entry(value.to_raw().ptr).or_insert(self.parts.len());
        match self.parts.get_mut(*place) {
            Some((_, its)) if let Some(sum) = its.checked_add(weight) => *its = sum,
            _ => {
                *place = self.parts.len();
                self.parts.push((value, weight));
            }
        }
    }

    /// Adds what an index is the sum of; not where it is none.
    fn take_apart(&mut self, index: Value<'c, 'c>, weight: i64, depth: u32) -> bool {
        let Some(op) = definition(index) else { return false };
        let operands = || (operand_of(op, 0), operand_of(op, 1));
        match op_name(op) {
            "arith.addi" | "index.add" => {
                let (a, b) = operands();
                self.add_at(a, weight, depth);
                self.add_at(b, weight, depth);
                true
            }
            "arith.subi" | "index.sub" => {
                let (a, b) = operands();
                let Some(opposite) = weight.checked_neg() else { return false };
                self.add_at(a, weight, depth);
                self.add_at(b, opposite, depth);
                true
            }
            "arith.muli" | "index.mul" => {
                let (a, b) = operands();
                let (value, factor) = match (constant(a), constant(b)) {
                    (_, Some(factor)) => (a, factor),
                    (Some(factor), _) => (b, factor),
                    _ => return false,
                };
                let Some(weight) = weight.checked_mul(factor) else { return false };
                self.add_at(value, weight, depth);
                true
            }
            "affine.apply" => {
                let Ok(map) = op.attribute("map") else { return false };
                let map = unsafe { mlirAffineMapAttrGetValue(map.to_raw()) };
                let mut its = Sum::default();
                let is_sum = its.add_expression(op, map, unsafe { mlirAffineMapGetResult(map, 0) }, weight, depth);
                let is_sum = is_sum && self.add_constant(its.constant, 1);
                if is_sum {
                    its.parts.into_iter().for_each(|(value, weight)| self.add_value(value, weight));
                }
                is_sum
            }
            _ => false,
        }
    }

    fn add_expression(
        &mut self,
        op: OperationRef<'c, 'c>,
        map: MlirAffineMap,
        raw: MlirAffineExpr,
        weight: i64,
        depth: u32,
    ) -> bool {
        unsafe {
            if mlirAffineExprIsAConstant(raw) {
                return self.add_constant(mlirAffineConstantExprGetValue(raw), weight);
            } else if mlirAffineExprIsADim(raw) {
                self.add_at(operand_of(op, mlirAffineDimExprGetPosition(raw)), weight, depth);
                return true;
            } else if mlirAffineExprIsASymbol(raw) {
                let position = mlirAffineMapGetNumDims(map) + mlirAffineSymbolExprGetPosition(raw);
                self.add_at(operand_of(op, position), weight, depth);
                return true;
            } else if depth == MAX_DEPTH {
                return false;
            }
            let (a, b) = (mlirAffineBinaryOpExprGetLHS(raw), mlirAffineBinaryOpExprGetRHS(raw));
            if mlirAffineExprIsAAdd(raw) {
                self.add_expression(op, map, a, weight, depth + 1) && self.add_expression(op, map, b, weight, depth + 1)
            } else if mlirAffineExprIsAMul(raw) && mlirAffineExprIsAConstant(b) {
                let weight = weight.checked_mul(mlirAffineConstantExprGetValue(b));
                weight.is_some_and(|weight| self.add_expression(op, map, a, weight, depth + 1))
            } else {
                false
            }
        }
    }

    /// Joins quotients and remainders, and says whether there were any.
    fn join_digits(&mut self) -> bool {
        let mut remainders = HashMap::new();
        for (low, (remainder, weight)) in self.parts.iter().enumerate() {
            if let Some((value, by)) = by_constant(*remainder, "arith.remui")
                && let Some(high) = weight.checked_mul(by)
            {
                remainders.insert((value.to_raw().ptr, by, high), low);
            }
        }
        let mut is_any = false;
        for high in 0..self.parts.len() {
            let (quotient, weight) = self.parts[high];
            if let Some((value, by)) = by_constant(quotient, "arith.divui")
                && let Some(low) = remainders.remove(&(value.to_raw().ptr, by, weight))
            {
                let weight = mem::take(&mut self.parts[low].1);
                self.parts[high].1 = 0;
                // Itself perhaps a digit.
                self.add_value(value, weight);
                is_any = true;
            }
        }
        is_any
    }
}

/// What an op divides by a constant of at least 2, and that constant.
fn by_constant<'c>(value: Value<'c, 'c>, name: &str) -> Option<(Value<'c, 'c>, i64)> {
    let op = definition(value).filter(|op| op_name(*op) == name)?;
    let by = constant(operand_of(op, 1)).filter(|by| *by >= 2)?;
    Some((operand_of(op, 0), by))
}
