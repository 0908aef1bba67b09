//! Indices as sums: the values that arithmetic multiplies by constants and adds up, and what it adds beside them.
//!
//! A quotient and a remainder of a value by the same constant, weighed as the digits that they are, come to that value:
//! where warps and lanes lie in one row, their place is that of the thread.

use crate::ir::{definition, operand_of};
use crate::ranges::constant;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, Value};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;

/// The deepest arithmetic that is taken apart. What it is made of may occur often: twice as often for each addition.
const MAX_DEPTH: u32 = 8;

/// A sum, which wraps as arithmetic on `index` does.
#[derive(Default)]
pub struct Sum<'c> {
    /// What is the same whatever the values are.
    pub constant: i64,
    /// Each value once, and what it is multiplied by.
    pub parts: Vec<(Value<'c, 'c>, i64)>,
}

impl<'c> Sum<'c> {
    /// Adds a multiple of an index.
    pub fn add(&mut self, index: Value<'c, 'c>, weight: i64) {
        self.add_at(index, weight, 0);
        self.join_digits();
        self.parts.retain(|(_, weight)| *weight != 0);
    }

    fn add_at(&mut self, index: Value<'c, 'c>, weight: i64, depth: u32) {
        if let Some(number) = constant(index) {
            self.constant = self.constant.wrapping_add(number.wrapping_mul(weight));
        } else if depth == MAX_DEPTH || !self.take_apart(index, weight, depth + 1) {
            self.add_value(index, weight);
        }
    }

    fn add_value(&mut self, value: Value<'c, 'c>, weight: i64) {
        match self.parts.iter_mut().find(|(its, _)| *its == value) {
            Some((_, its)) => *its = its.wrapping_add(weight),
            None => self.parts.push((value, weight)),
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
                if is_sum {
                    self.constant = self.constant.wrapping_add(its.constant);
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
                let number = mlirAffineConstantExprGetValue(raw);
                self.constant = self.constant.wrapping_add(number.wrapping_mul(weight));
                return true;
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

    fn join_digits(&mut self) {
        let joined = self.parts.iter().enumerate().find_map(|(high, (quotient, weight))| {
            let (value, by) = by_constant(*quotient, "arith.divui")?;
            let low = self.parts.iter().position(|(remainder, its)| {
                by_constant(*remainder, "arith.remui") == Some((value, by)) && its.checked_mul(by) == Some(*weight)
            })?;
            Some((value, high, low))
        });
        if let Some((value, high, low)) = joined {
            let (_, weight) = self.parts[low];
            self.parts.remove(high.max(low));
            self.parts.remove(high.min(low));
            // Itself perhaps a digit.
            self.add_value(value, weight);
            self.join_digits();
        }
    }
}

/// What an op divides by a constant of at least 2, and that constant.
fn by_constant<'c>(value: Value<'c, 'c>, name: &str) -> Option<(Value<'c, 'c>, i64)> {
    let op = definition(value).filter(|op| op_name(*op) == name)?;
    let by = constant(operand_of(op, 1)).filter(|by| *by >= 2)?;
    Some((operand_of(op, 0), by))
}
