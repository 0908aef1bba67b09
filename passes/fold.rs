//! MLIR's own folders, for evaluating pure ops whose operands are known, and constants as bits.
//!
//! - Nothing of the IR changes, whatever a folder does ([`fold`]).
//! - A folder sees integers, floats and dense lists of these, of the operand's own type; every other constant counts as
//!   unknown. What a folder does not know it does not answer, so that `None` is no error by itself.

use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::{MlirAttribute, MlirOperation, MlirType};
use std::ffi::c_void;

/// What a result comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Folded<'c> {
    /// A constant.
    Constant(Attribute<'c>),
    /// The operand of this index, which is not known: `select true, %a, %b` is `%a`.
    Operand(usize),
}

/// `PtxTileFolded` of fold.cpp.
#[repr(C)]
#[derive(Clone, Copy)]
struct RawFolded {
    constant: MlirAttribute,
    operand: isize,
}

unsafe extern "C" {
    fn ptxTileFold(op: MlirOperation, constants: *const MlirAttribute, results: *mut RawFolded) -> bool;
    fn ptxTileConstantOfBits(r#type: MlirType, words: *const u64) -> MlirAttribute;
    fn ptxTileBitsOfConstant(constant: MlirAttribute, each: EachBits, user: *mut c_void) -> bool;
    fn ptxTileEvaluateMap(map: MlirAttribute, inputs: *const i64, count: isize, results: *mut i64) -> bool;
}

type EachBits = unsafe extern "C" fn(words: *const u64, width: u32, user: *mut c_void);

/// The results of an op whose operands are `constants` (`None` where unknown, and where the list ends early), by the
/// op's own folder. `None` where the folder gives nothing; never for an op with regions, which is not asked.
pub fn fold<'c>(op: OperationRef<'c, '_>, constants: &[Option<Attribute<'c>>]) -> Option<Vec<Folded<'c>>> {
    let null = MlirAttribute { ptr: std::ptr::null() };
    let known = |index: usize| constants.get(index).copied().flatten().map_or(null, |constant| constant.to_raw());
    let known: Vec<MlirAttribute> = (0..op.operand_count()).map(known).collect();
    let mut results = vec![RawFolded { constant: null, operand: -1 }; op.result_count()];
    unsafe { ptxTileFold(op.to_raw(), known.as_ptr(), results.as_mut_ptr()) }.then(|| {
        let folded = |raw: RawFolded| match unsafe { Attribute::from_option_raw(raw.constant) } {
            Some(constant) => Folded::Constant(constant),
            None => Folded::Operand(raw.operand as usize),
        };
        results.into_iter().map(folded).collect()
    })
}

/// [`fold`] where every result is a constant.
pub fn fold_constants<'c>(op: OperationRef<'c, '_>, constants: &[Option<Attribute<'c>>]) -> Option<Vec<Attribute<'c>>> {
    let constant = |folded| if let Folded::Constant(constant) = folded { Some(constant) } else { None };
    fold(op, constants)?.into_iter().map(constant).collect()
}

/// The constant of a type with these bits, lane 0 lowest; bits beyond the type do not count. `None` for a type other
/// than integers, `index`, floats and vectors of these, of at most 128 bits.
pub fn constant_of_bits<'c>(r#type: Type<'c>, bits: u128) -> Option<Attribute<'c>> {
    let words = [bits as u64, (bits >> 64) as u64];
    unsafe { Attribute::from_option_raw(ptxTileConstantOfBits(r#type.to_raw(), words.as_ptr())) }
}

/// The bits of each number of a constant in order, with their width. `None` for other attributes than integers, floats
/// and dense lists of these, and for numbers of more than 128 bits.
pub fn numbers_of(constant: Attribute) -> Option<Vec<(u128, u32)>> {
    unsafe extern "C" fn push(words: *const u64, width: u32, user: *mut c_void) {
        let (all, words) = unsafe { (&mut *user.cast::<Vec<(u128, u32)>>(), std::slice::from_raw_parts(words, 2)) };
        all.push((u128::from(words[0]) | u128::from(words[1]) << 64, width));
    }
    let mut all: Vec<(u128, u32)> = vec![];
    let known = unsafe { ptxTileBitsOfConstant(constant.to_raw(), push, (&raw mut all).cast()) };
    known.then_some(all)
}

/// The bits of a scalar or vector constant of at most 128 bits, lane 0 lowest, with their width.
pub fn bits_of(constant: Attribute) -> Option<(u128, u32)> {
    numbers_of(constant)?.into_iter().try_fold((0, 0u32), |(bits, shift), (number, width)| {
        let end = shift.checked_add(width).filter(|end| *end <= 128)?;
        Some((bits | number.checked_shl(shift)?, end))
    })
}

/// The results of an affine map attribute at a point, dimensions first. `None` for another attribute, another number of
/// inputs, and where the map has no value.
pub fn evaluate_map(map: Attribute, inputs: &[i64]) -> Option<Vec<i64>> {
    if !map.is_affine_map() {
        return None;
    }
    let count = unsafe { mlir_sys::mlirAffineMapGetNumResults(mlir_sys::mlirAffineMapAttrGetValue(map.to_raw())) };
    let mut results = vec![0; count as usize];
    let has = unsafe { ptxTileEvaluateMap(map.to_raw(), inputs.as_ptr(), inputs.len() as isize, results.as_mut_ptr()) };
    has.then_some(results)
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
