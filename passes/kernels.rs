//! `tile-prepare-kernels`: launch attributes and arguments that `convert-gpu-to-nvvm` gets right.
//!
//! - It writes `.maxntid` for `known_block_size` beside an explicit `nvvm.maxntid` (a key twice, which does not parse
//!   again) or `nvvm.reqntid` (which ptxas refuses): of the two ways to say a size the explicit one stays.
//! - It does not say which argument a bare pointer cannot stand for.

use crate::{Reported, Severity, at_op, diagnose, ir};
use anyhow::{Result, bail, ensure};
use melior::ir::attribute::AttributeLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, Type, TypeLike};
use mlir_sys::*;

/// Checks and mends the functions of a `gpu.module`.
pub fn prepare(gpu_module: OperationRef, bare_pointers: bool) -> Result<(), Reported> {
    let prepared = ir::functions(gpu_module).into_iter().map(|function| {
        at_op(function, || {
            check_sizes(function)?;
            keep_explicit(function, "known_block_size", &["nvvm.reqntid", "nvvm.maxntid"]);
            keep_explicit(function, "known_cluster_size", &["nvvm.cluster_dim"]);
            if bare_pointers { check_arguments(function) } else { Ok(()) }
        })
    });
    // All of them, so that each says what is wrong with it.
    prepared.fold(Ok(()), Result::and)
}

/// Refuses sizes that no launch has.
fn check_sizes(function: OperationRef) -> Result<()> {
    for name in [
        "known_block_size",
        "known_grid_size",
        "known_cluster_size",
        "nvvm.reqntid",
        "nvvm.maxntid",
        "nvvm.cluster_dim",
    ] {
        let Ok(attribute) = function.attribute(name) else { continue };
        let least = sizes(attribute).into_iter().min();
        ensure!(least.is_none_or(|least| least > 0), "{name} is {attribute}; sizes are positive");
    }
    let both = function.has_attribute("nvvm.reqntid") && function.has_attribute("nvvm.maxntid");
    ensure!(!both, "has nvvm.reqntid and nvvm.maxntid, which PTX does not take together; take one out");
    Ok(())
}

/// Takes `known` out where an `explicit` attribute says the same thing.
fn keep_explicit(function: OperationRef, known: &str, explicit: &[&str]) {
    let Ok(ours) = function.attribute(known) else { return };
    for name in explicit {
        let Ok(theirs) = function.attribute(name) else { continue };
        if sizes(theirs) != sizes(ours) {
            let text = format!("{name} ({theirs}) is used; {known} says {ours}");
            diagnose(function.location(), Severity::Warning, &text);
        }
        let name = MlirStringRef { data: known.as_ptr().cast(), length: known.len() };
        unsafe { mlirOperationRemoveAttributeByName(function.to_raw(), name) };
    }
}

/// The numbers of an array of i32; none of another attribute, which the NVVM dialect's verifier refuses.
fn sizes(attribute: Attribute) -> Vec<i32> {
    let raw = attribute.to_raw();
    if !unsafe { mlirAttributeIsADenseI32Array(raw) } {
        return vec![];
    }
    (0..unsafe { mlirDenseArrayGetNumElements(raw) }).map(|i| unsafe { mlirDenseI32ArrayGetElement(raw, i) }).collect()
}

/// Refuses a memref argument of which the pointer does not say all.
fn check_arguments(function: OperationRef) -> Result<()> {
    let Ok(signature) = function.attribute("function_type") else { return Ok(()) };
    let signature = unsafe { mlirTypeAttrGetValue(signature.to_raw()) };
    if !unsafe { mlirTypeIsAFunction(signature) } {
        // Of an llvm.func, whose arguments are pointers already.
        return Ok(());
    }
    for i in 0..unsafe { mlirFunctionTypeGetNumInputs(signature) } {
        let argument = unsafe { Type::from_raw(mlirFunctionTypeGetInput(signature, i)) };
        if let Some(wanted) = not_bare(argument) {
            bail!(
                "argument #{i} is {argument}, and bare pointers need {wanted}; give it one, or pass descriptors with \
                 bare-pointers=false"
            );
        }
    }
    Ok(())
}

/// What a bare pointer needs that a memref type lacks.
fn not_bare(argument: Type) -> Option<&'static str> {
    let raw = argument.to_raw();
    if unsafe { mlirTypeIsAUnrankedMemRef(raw) } {
        return Some("a rank");
    }
    if !unsafe { mlirTypeIsAMemRef(raw) } {
        return None;
    }
    if !unsafe { mlirShapedTypeHasStaticShape(raw) } {
        return Some("a static shape");
    }
    let mut strides = vec![0i64; unsafe { mlirShapedTypeGetRank(raw) } as usize];
    let mut offset = 0i64;
    let known = unsafe { mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &mut offset) }.value != 0;
    let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
    strides.push(offset);
    if known && !strides.contains(&dynamic) { None } else { Some("static strides and a static offset") }
}
