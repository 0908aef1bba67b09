//! What is known of an index before the program runs: which values it may have (R37, R38).
//!
//! - MLIR's integer range analysis knows the least and the greatest value: from loops, launch sizes and arithmetic.
//!   What an index is a multiple of is followed through arithmetic here. Conditions of an enclosing `if` are no facts
//!   (R37, D27).
//! - Where that is not enough, an index is evaluated by MLIR's folders for each turn of the loops with constant bounds
//!   that decide it, and each value of whatever else it depends on (R38).

use crate::congruence::Congruence;
use crate::fold::{bits_of, constant_of_bits, fold_constants};
use crate::ir::{self, definition, operand_of};
use crate::loops::{Bound, Loop};
use crate::steps;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;

/// The most turns of loops that are looked at one by one.
pub const MAX_TURNS: u64 = 1 << 16;

/// The values of induction variables, and of whatever depends on them alone.
pub type Known = HashMap<*const c_void, i64>;

/// The deepest arithmetic that is followed.
const MAX_DEPTH: u32 = 1000;

/// The value of an integer that depends on constants and on what is in `known`, signed.
pub fn evaluate(value: Value, known: &mut Known) -> Option<i64> {
    evaluate_at(value, known, 0)
}

fn evaluate_at(value: Value, known: &mut Known, depth: u32) -> Option<i64> {
    let key = value.to_raw().ptr;
    if let Some(number) = known.get(&key) {
        return Some(*number);
    }
    let op = definition(value).filter(|op| op.result_count() > 0 && depth < MAX_DEPTH)?;
    steps::take(1)?;
    let result = unsafe { mlirOpResultGetResultNumber(value.to_raw()) } as usize;
    let operands = (0..op.operand_count() as isize).map(|index| operand_of(op, index));
    let constants: Option<Vec<Option<Attribute>>> = operands
        .map(|operand| {
            let number = evaluate_at(operand, known, depth + 1)?;
            constant_of_bits(operand.r#type(), number as u128).map(Some)
        })
        .collect();
    let (bits, width) = bits_of(fold_constants(op, &constants?)?.get(result).copied()?)?;
    let shift = 64u32.checked_sub(width)?;
    let number = ((bits as i64) << shift) >> shift;
    known.insert(key, number);
    Some(number)
}

/// A copy, which takes steps too where there is much.
pub fn copy(known: &Known) -> Option<Known> {
    steps::take(known.len() as u64 / KNOWN_IN_A_STEP)?;
    Some(known.clone())
}

/// About as many as are copied while an op is computed.
const KNOWN_IN_A_STEP: u64 = 32;

/// The value of an integer that depends on constants alone.
pub fn constant(value: Value) -> Option<i64> {
    evaluate(value, &mut Known::new())
}

/// The values that an index may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Exactly these, ascending; none where the program never gets there.
    Exactly(Vec<i64>),
    /// Some from `least` to `greatest`.
    Within { least: i64, greatest: i64, congruence: Congruence },
}

impl Values {
    /// The least that it may be.
    pub fn least(&self) -> i64 {
        match self {
            Values::Exactly(values) => values.first().copied().unwrap_or(0),
            Values::Within { least, .. } => *least,
        }
    }

    /// The greatest that it may be.
    pub fn greatest(&self) -> i64 {
        match self {
            Values::Exactly(values) => values.last().copied().unwrap_or(0),
            Values::Within { greatest, .. } => *greatest,
        }
    }

    /// What all are congruent to.
    pub fn congruence(&self) -> Congruence {
        match self {
            Values::Exactly(values) => Congruence::of(values.iter().copied()).unwrap_or(Congruence::constant(0)),
            Values::Within { congruence, .. } => *congruence,
        }
    }

    /// Each of them, where these are not too many.
    pub fn each(&self) -> Option<Vec<i64>> {
        match self {
            Values::Exactly(values) => Some(values.clone()),
            Values::Within { least, greatest, congruence } => {
                let step = congruence.modulus.max(1);
                let first = least.checked_add((congruence.residue.checked_sub(*least)?).rem_euclid(step))?;
                let count = greatest.checked_sub(first)? / step;
                (count < MAX_TURNS as i64).then(|| (first..=*greatest).step_by(step as usize).collect())
            }
        }
    }
}

/// What an index depends on.
pub enum Source<'c> {
    /// The induction variable of a counting loop.
    Loop(Loop<'c>),
    /// Something else.
    Other(Value<'c, 'c>),
}

/// What an index depends on, through arithmetic, each once; the bounds of loops too.
pub fn sources<'c>(value: Value<'c, 'c>) -> Vec<Source<'c>> {
    let (mut found, mut seen, mut left) = (vec![], std::collections::HashSet::new(), vec![value]);
    while let Some(value) = left.pop() {
        if !seen.insert(value.to_raw().ptr) {
            continue;
        }
        match definition(value) {
            Some(op) if is_arithmetic(op) => left.extend((0..op.operand_count() as isize).map(|i| operand_of(op, i))),
            Some(_) => found.push(Source::Other(value)),
            None => match Loop::of_variable(value) {
                Some(its) => {
                    left.extend(its.bound_values());
                    found.push(Source::Loop(its));
                }
                None => found.push(Source::Other(value)),
            },
        }
    }
    found
}

/// The loops that alone decide indices, outermost first; or something else that they depend on.
pub fn deciding_loops<'c>(indices: &[Value<'c, 'c>]) -> Result<Vec<Loop<'c>>, Value<'c, 'c>> {
    let mut loops: Vec<Loop> = vec![];
    for source in indices.iter().flat_map(|index| sources(*index)) {
        match source {
            Source::Other(value) => return Err(value),
            Source::Loop(its) if loops.iter().any(|known| known.variable == its.variable) => {}
            Source::Loop(its) => loops.push(its),
        }
    }
    loops.sort_by_key(|its| its.depth());
    Ok(loops)
}

/// Calls `each` for every turn of the loops, outermost first. `None` where these are more than [`MAX_TURNS`], a bound
/// is not known, or `each` gives it.
pub fn each_turn(loops: &[Loop], mut each: impl FnMut(Known) -> Option<()>) -> Option<()> {
    fn go(loops: &[Loop], known: &Known, left: &mut u64, each: &mut impl FnMut(Known) -> Option<()>) -> Option<()> {
        let Some((outer, inner)) = loops.split_first() else {
            *left = left.checked_sub(1)?;
            return each(copy(known)?);
        };
        let turns = outer.turns(known)?;
        if turns.count > MAX_TURNS {
            return None;
        }
        (0..turns.count as i64).try_for_each(|turn| {
            let mut known = copy(known)?;
            steps::take(1)?;
            known.insert(outer.variable.to_raw().ptr, turns.lower + turn * turns.step);
            go(inner, &known, left, each)
        })
    }
    let mut left = MAX_TURNS;
    go(loops, &Known::new(), &mut left, &mut each)
}

const AFFINE: [&str; 5] =
    ["affine.apply", "affine.min", "affine.max", "affine.delinearize_index", "affine.linearize_index"];

/// Ops whose results depend on their operands alone.
fn is_arithmetic(op: OperationRef) -> bool {
    let name = op_name(op);
    name.starts_with("arith.") || name.starts_with("index.") || AFFINE.contains(&name)
}

unsafe extern "C" {
    fn ptxTileRangesOf(function: MlirOperation) -> *mut c_void;
    fn ptxTileRangesFree(ranges: *mut c_void);
    fn ptxTileRangeOf(ranges: *mut c_void, value: MlirValue, least: &mut i64, greatest: &mut i64) -> bool;
}

/// MLIR's analysis of one function.
struct Analysis(*mut c_void);

impl Drop for Analysis {
    fn drop(&mut self) {
        if !self.0.is_null() {
            unsafe { ptxTileRangesFree(self.0) }
        }
    }
}

/// What is known of indices, while the IR does not change. A function is analysed when something is first asked of it.
#[derive(Default)]
pub struct Ranges(RefCell<HashMap<*const c_void, Analysis>>);

impl Ranges {
    /// The values that an index may have, as a quick look tells.
    pub fn of<'c>(&self, index: Value<'c, 'c>) -> Values {
        if let Some(number) = constant(index) {
            return Values::Exactly(vec![number]);
        }
        let makes_no_turn = |source: &Source| match source {
            Source::Loop(its) => its.constant_turns().is_some_and(|turns| turns.count == 0),
            Source::Other(_) => false,
        };
        if sources(index).iter().any(makes_no_turn) {
            return Values::Exactly(vec![]);
        }
        let (least, greatest) = self.limits(index).unwrap_or((i64::MIN, i64::MAX));
        if least > greatest {
            return Values::Exactly(vec![]);
        }
        Values::Within { least, greatest, congruence: Congruences::new(self).of(index, 0) }
    }

    /// The values that an index has, one by one, if these are few: at every turn of the loops that decide it (R38), or
    /// where all else that it depends on has any of its own values. Where arithmetic takes a remainder in steps, as
    /// canonicalize writes it, a quick look knows less than that.
    pub fn exactly<'c>(&self, index: Value<'c, 'c>) -> Option<Values> {
        let mut found = match deciding_loops(&[index]) {
            Ok(loops) => {
                let mut found = vec![];
                each_turn(&loops, |mut known| {
                    found.push(evaluate(index, &mut known)?);
                    Some(())
                })?;
                found
            }
            Err(_) => self.of_any_sources(index)?,
        };
        found.sort_unstable();
        found.dedup();
        Some(Values::Exactly(found))
    }

    fn of_any_sources<'c>(&self, index: Value<'c, 'c>) -> Option<Vec<i64>> {
        let (mut free, mut turns) = (vec![], 1u64);
        for source in sources(index) {
            let value = match source {
                Source::Loop(its) => its.variable,
                Source::Other(value) => value,
            };
            let values = self.of(value).each()?;
            turns = turns.checked_mul(values.len() as u64).filter(|turns| *turns <= MAX_TURNS)?;
            free.push((value, values));
        }
        let of_turn = |turn: u64| {
            let mut rest = turn as usize;
            let mut known = Known::new();
            for (value, values) in &free {
                known.insert(value.to_raw().ptr, values[rest % values.len()]);
                rest /= values.len();
            }
            evaluate(index, &mut known)
        };
        (0..turns).map(of_turn).collect()
    }

    /// The least and the greatest value, where the analysis knows of the index at all; the least is greater where the
    /// program never gets there.
    fn limits(&self, index: Value) -> Option<(i64, i64)> {
        let function = enclosing_function(index)?;
        let mut all = self.0.borrow_mut();
        let analysis =
            all.entry(function.to_raw().ptr).or_insert_with(|| Analysis(unsafe { ptxTileRangesOf(function.to_raw()) }));
        let (mut least, mut greatest) = (0, 0);
        let has =
            !analysis.0.is_null() && unsafe { ptxTileRangeOf(analysis.0, index.to_raw(), &mut least, &mut greatest) };
        has.then_some((least, greatest))
    }

    /// The first of what an index depends on of which nothing is known, in words.
    pub fn unknown_source<'c>(&self, index: Value<'c, 'c>) -> Option<String> {
        sources(index).into_iter().find_map(|source| match source {
            Source::Loop(its) => (its.constant_turns().is_none() && self.is_unlimited(its.variable))
                .then(|| format!("the induction variable of {}, {}", op_name(its.op), its.lack())),
            Source::Other(value) => self.is_unlimited(value).then(|| describe(value)),
        })
    }

    fn is_unlimited(&self, value: Value) -> bool {
        // An index of 64 bits, and what is cast from 32.
        let wide = |(least, greatest)| least <= i64::from(i32::MIN) || greatest >= i64::from(i32::MAX);
        self.limits(value).is_none_or(wide)
    }
}

/// What makes a value that arithmetic begins with.
pub fn origin(value: Value) -> String {
    match (definition(value), ir::parent_of_argument(value)) {
        (Some(op), _) => match op.attribute("special") {
            Ok(register) => format!("{} of {register}", op_name(op)),
            Err(_) => op_name(op).into(),
        },
        (None, Some(parent)) if ir::is_function(parent) => "an argument of the function".into(),
        (None, Some(parent)) => format!("an argument of a block of {}", op_name(parent)),
        (None, None) => "an argument of a block".into(),
    }
}

/// A value that nothing is known of, and what would say more.
fn describe(value: Value) -> String {
    let origin = origin(value);
    let size = match origin.as_str() {
        "gpu.thread_id" => "known_block_size",
        "gpu.block_id" => "known_grid_size",
        _ => return origin,
    };
    format!("{origin}, which {size} on the kernel limits")
}

fn enclosing_function<'c>(value: Value<'c, '_>) -> Option<OperationRef<'c, 'c>> {
    let mut next = definition(value).or_else(|| ir::parent_of_argument(value));
    while let Some(op) = next {
        if ir::is_function(op) {
            return Some(op);
        }
        next = op.parent_operation().map(|op| unsafe { OperationRef::from_raw(op.to_raw()) });
    }
    None
}

/// What values are congruent to, as far as arithmetic shows. Where that may wrap, it shows no more than powers of two.
struct Congruences<'r> {
    ranges: &'r Ranges,
    known: HashMap<*const c_void, Congruence>,
}

impl Congruences<'_> {
    fn new(ranges: &Ranges) -> Congruences<'_> {
        Congruences { ranges, known: HashMap::new() }
    }

    fn of(&mut self, value: Value, depth: u32) -> Congruence {
        let key = value.to_raw().ptr;
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let mut found = if depth < MAX_DEPTH { self.found(value, depth + 1) } else { Congruence::multiple_of(1) };
        if let Some(bits) = self.wraps_at(value) {
            found = found.plus(Congruence::multiple_of(1 << bits.min(62)));
        }
        self.known.insert(key, found);
        found
    }

    /// A value is what arithmetic without limits gives but for multiples of 2 to this power; `None` where it is that.
    fn wraps_at(&self, value: Value) -> Option<u32> {
        let width = ir::integer_width;
        let Some(op) = definition(value) else {
            let is_unsigned = Loop::of_variable(value).is_some_and(|its| its.op.has_attribute("unsignedCmp"));
            return is_unsigned.then_some(width(value));
        };
        let limits = |index| self.ranges.limits(operand_of(op, index)).map(|(a, b)| [a, b].map(i128::from));
        let fits = |all: [i128; 4]| {
            let end = 1i128 << (width(value).min(64) - 1);
            all.into_iter().all(|number| (-end..end).contains(&number))
        };
        let of_both = |compute: fn(i128, i128) -> i128| -> bool {
            let (Some([a, b]), Some([c, d])) = (limits(0), limits(1)) else { return false };
            fits([compute(a, c), compute(a, d), compute(b, c), compute(b, d)])
        };
        let is_exact = match op_name(op).split_once('.').map_or("", |(_, name)| name) {
            "addi" | "add" => of_both(|a, b| a + b),
            "subi" | "sub" => of_both(|a, b| a - b),
            "muli" | "mul" => of_both(|a, b| a * b),
            "shli" | "shl" => of_both(|a, b| a << b.clamp(0, 63)),
            // What has no sign is more by a power of two where it has one.
            "remui" | "remu" => limits(0).is_some_and(|[least, _]| least >= 0),
            "index_castui" | "extui" | "castu" => {
                limits(0).is_some_and(|[least, greatest]| least >= 0 && fits([least, greatest, least, greatest]))
            }
            "index_cast" | "casts" => {
                limits(0).is_some_and(|[least, greatest]| fits([least, greatest, least, greatest]))
            }
            _ => true,
        };
        (!is_exact).then(|| width(value).min(width(operand_of(op, 0))))
    }

    fn found(&mut self, value: Value, depth: u32) -> Congruence {
        let unknown = Congruence::multiple_of(1);
        if let Some(number) = constant(value) {
            return Congruence::constant(number);
        }
        let Some(op) = definition(value) else {
            let Some(its) = Loop::of_variable(value) else { return unknown };
            let [lower, _, step] = &its.bounds;
            let mut of = |bound: &Bound| match bound {
                Bound::Constant(number) => Congruence::constant(*number),
                Bound::Value(value) => self.of(*value, depth),
                Bound::Map { .. } => unknown,
            };
            return of(lower).plus(Congruence::multiple_of(of(step).divisor()));
        };
        if op_name(op) == "affine.apply" {
            let map = op.attribute("map").ok().map(|map| unsafe { mlirAffineMapAttrGetValue(map.to_raw()) });
            return map
                .map_or(unknown, |map| self.of_expression(op, unsafe { mlirAffineMapGetResult(map, 0) }, map, depth));
        }
        let mut operand = |index| self.of(operand_of(op, index), depth);
        // arith and index have the same arithmetic under nearly the same names.
        match op_name(op).split_once('.').map_or("", |(_, name)| name) {
            "addi" | "add" => operand(0).plus(operand(1)),
            "subi" | "sub" => operand(0).plus(operand(1).times(-1)),
            "muli" | "mul" => operand(0).product(operand(1)),
            "shli" | "shl" => match operand(1) {
                Congruence { modulus: 0, residue: residue @ 0..62 } => operand(0).times(1 << residue),
                _ => unknown,
            },
            "remsi" | "remui" | "rems" | "remu" => operand(0).plus(Congruence::multiple_of(operand(1).divisor())),
            "andi" | "and" => Congruence::multiple_of(operand(0).low_bit().max(operand(1).low_bit())),
            "minsi" | "maxsi" | "minui" | "maxui" | "mins" | "maxs" | "minu" | "maxu" => operand(0).or(operand(1)),
            "select" => operand(1).or(operand(2)),
            "index_cast" | "index_castui" | "extsi" | "extui" | "casts" | "castu" => operand(0),
            _ => unknown,
        }
    }

    fn of_expression(&mut self, op: OperationRef, raw: MlirAffineExpr, map: MlirAffineMap, depth: u32) -> Congruence {
        let mut operand = |index: isize| self.of(operand_of(op, index), depth);
        unsafe {
            if depth > MAX_DEPTH {
                return Congruence::multiple_of(1);
            } else if mlirAffineExprIsAConstant(raw) {
                return Congruence::constant(mlirAffineConstantExprGetValue(raw));
            } else if mlirAffineExprIsADim(raw) {
                return operand(mlirAffineDimExprGetPosition(raw));
            } else if mlirAffineExprIsASymbol(raw) {
                return operand(mlirAffineMapGetNumDims(map) + mlirAffineSymbolExprGetPosition(raw));
            }
            let (a, b) = (mlirAffineBinaryOpExprGetLHS(raw), mlirAffineBinaryOpExprGetRHS(raw));
            let (a, b) = (self.of_expression(op, a, map, depth + 1), self.of_expression(op, b, map, depth + 1));
            if mlirAffineExprIsAAdd(raw) {
                // Products do not overflow (lower-affine says nsw), sums wrap.
                let [least, greatest] = self.limits_of_expression(op, raw, map, depth);
                let is_exact = i64::try_from(least).is_ok() && i64::try_from(greatest).is_ok();
                a.plus(b).plus(if is_exact { Congruence::constant(0) } else { Congruence::multiple_of(1 << 62) })
            } else if mlirAffineExprIsAMul(raw) {
                a.product(b)
            } else if mlirAffineExprIsAMod(raw) {
                a.plus(Congruence::multiple_of(b.divisor()))
            } else {
                Congruence::multiple_of(1)
            }
        }
    }

    /// The least and the greatest value of an expression whose parts have values of 64 bits, itself perhaps beyond.
    fn limits_of_expression(&self, op: OperationRef, raw: MlirAffineExpr, map: MlirAffineMap, depth: u32) -> [i128; 2] {
        const ANY: [i128; 2] = [i64::MIN as i128, i64::MAX as i128];
        let operand = |index: isize| {
            self.ranges.limits(operand_of(op, index)).map_or(ANY, |(least, greatest)| [least, greatest].map(i128::from))
        };
        let part = |raw| {
            let its = self.limits_of_expression(op, raw, map, depth + 1);
            if its[0] < ANY[0] || its[1] > ANY[1] { ANY } else { its }
        };
        unsafe {
            if depth > MAX_DEPTH {
                return ANY;
            } else if mlirAffineExprIsAConstant(raw) {
                return [mlirAffineConstantExprGetValue(raw).into(); 2];
            } else if mlirAffineExprIsADim(raw) {
                return operand(mlirAffineDimExprGetPosition(raw));
            } else if mlirAffineExprIsASymbol(raw) {
                return operand(mlirAffineMapGetNumDims(map) + mlirAffineSymbolExprGetPosition(raw));
            }
            let (a, b) = (mlirAffineBinaryOpExprGetLHS(raw), mlirAffineBinaryOpExprGetRHS(raw));
            let ([a, b], [c, d]) = (part(a), part(b));
            if mlirAffineExprIsAAdd(raw) {
                [a + c, b + d]
            } else if mlirAffineExprIsAMul(raw) {
                let all = [a * c, a * d, b * c, b * d];
                let least = all.into_iter().fold(ANY[1], i128::min).max(ANY[0]);
                [least, all.into_iter().fold(ANY[0], i128::max).min(ANY[1])]
            } else if mlirAffineExprIsAMod(raw) {
                [0, d - 1]
            } else {
                ANY
            }
        }
    }
}

#[cfg(test)]
#[path = "ranges_tests.rs"]
mod tests;
