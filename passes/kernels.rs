//! `tile-prepare-kernels`: what the stock passes from here to the NVVM dialect would get wrong, they get otherwise.
//!
//! - MLIR's greedy driver merges equal blocks, asm with side effects included. Those made of `ptx` ops have a number
//!   that makes each unlike the next; those that a user wrote get one here.
//! - `convert-gpu-to-nvvm` writes `.maxntid` for `known_block_size` beside an explicit `nvvm.maxntid` (a key twice,
//!   which does not parse again) or `nvvm.reqntid` (which ptxas refuses): of two ways to say a size the explicit one
//!   stays.
//! - It does not say which argument a bare pointer cannot stand for, or has no type of LLVM's.

use crate::launch::sizes;
use crate::{Reported, Severity, at_op, diagnose, ir, reference};
use anyhow::{Result, bail, ensure};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{AttributeLike, BlockLike, Type, TypeLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;

/// Checks and mends the functions of a `gpu.module`.
pub fn prepare(gpu_module: OperationRef, bare_pointers: bool) -> Result<(), Reported> {
    let prepared = ir::functions(gpu_module).into_iter().map(|function| {
        at_op(function, || {
            check_sizes(function)?;
            keep_explicit(function, "known_block_size", &["nvvm.reqntid", "nvvm.maxntid"]);
            keep_explicit(function, "known_cluster_size", &["nvvm.cluster_dim"]);
            number_asm(function);
            check_arguments(function, bare_pointers)
        })
    });
    // All of them, so that each says what is wrong with it.
    prepared.fold(Ok(()), Result::and)
}

/// Numbers each asm, and each instruction that waits for its symbol, that is not in the first block of `function`,
/// which is merged with none.
fn number_asm(function: OperationRef) {
    let owner = function.context();
    let integer = IntegerType::new(unsafe { owner.to_ref() }, 64).into();
    let entry = ir::blocks(function).first().map(|block| block.to_raw().ptr);
    let is_instruction = |op: &OperationRef| op_name(*op) == "llvm.inline_asm" || op_name(*op).starts_with("ptx.");
    let ops = ir::ops(function).into_iter().filter(is_instruction);
    for (number, op) in ops.filter(|op| op.block().map(|block| block.to_raw().ptr) != entry).enumerate() {
        let number = IntegerAttribute::new(integer, number as i64);
        unsafe { mlirOperationSetAttributeByName(op.to_raw(), reference("instruction"), number.to_raw()) };
    }
}

/// What a launch is told. Zero is none of it, and ptxas refuses it.
const SIZES: [&str; 9] = [
    "known_block_size",
    "known_grid_size",
    "known_cluster_size",
    "nvvm.reqntid",
    "nvvm.maxntid",
    "nvvm.cluster_dim",
    "nvvm.cluster_max_blocks",
    "nvvm.minctasm",
    "nvvm.maxnreg",
];

/// Refuses sizes that no launch has.
fn check_sizes(function: OperationRef) -> Result<()> {
    for name in SIZES {
        let Ok(attribute) = function.attribute(name) else { continue };
        ensure!(sizes(attribute).into_iter().all(|size| size > 0), "{name} is {attribute}; sizes are positive");
    }
    let both = function.has_attribute("nvvm.reqntid") && function.has_attribute("nvvm.maxntid");
    ensure!(!both, "has nvvm.reqntid and nvvm.maxntid, which PTX does not take together; take one out");
    let cluster = ["nvvm.cluster_dim", "known_cluster_size"].into_iter().find(|name| function.has_attribute(name));
    if let Some(cluster) = cluster.filter(|_| function.has_attribute("nvvm.cluster_max_blocks")) {
        bail!("has {cluster} and nvvm.cluster_max_blocks, which PTX does not take together; take one out");
    }
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
        unsafe { mlirOperationRemoveAttributeByName(function.to_raw(), reference(known)) };
    }
}

/// Refuses an argument that has no type of LLVM's, and a memref of which a bare pointer does not say all.
fn check_arguments(function: OperationRef, bare_pointers: bool) -> Result<()> {
    let Ok(signature) = function.attribute("function_type") else { return Ok(()) };
    let signature = unsafe { mlirTypeAttrGetValue(signature.to_raw()) };
    if !unsafe { mlirTypeIsAFunction(signature) } {
        // Of an llvm.func, whose arguments are pointers already.
        return Ok(());
    }
    for i in 0..unsafe { mlirFunctionTypeGetNumInputs(signature) } {
        let argument = unsafe { Type::from_raw(mlirFunctionTypeGetInput(signature, i)) };
        ensure!(
            !argument.to_string().starts_with("!nvgpu."),
            "argument #{i} is {argument}, which convert-gpu-to-nvvm has no type for; take an !llvm.ptr, and make that of it by \
             builtin.unrealized_conversion_cast"
        );
        match not_bare(argument).filter(|_| bare_pointers) {
            Some(Lack::Layout) => bail!(
                "argument #{i} is {argument}, whose layout tile ops alone can read; pass plain memory and take a tile.view \
                 of it"
            ),
            Some(Lack::Static(wanted)) => bail!(
                "argument #{i} is {argument}, and bare pointers need a static {wanted}; give it one, or pass descriptors \
                 with bare-pointers=false"
            ),
            None => {}
        }
    }
    Ok(())
}

/// What a bare pointer needs that a memref type lacks.
enum Lack {
    Layout,
    Static(&'static str),
}

fn not_bare(argument: Type) -> Option<Lack> {
    let raw = argument.to_raw();
    if unsafe { mlirTypeIsAUnrankedMemRef(raw) } {
        return Some(Lack::Static("rank"));
    }
    if !unsafe { mlirTypeIsAMemRef(raw) } {
        return None;
    }
    if !unsafe { mlirShapedTypeHasStaticShape(raw) } {
        return Some(Lack::Static("shape"));
    }
    let mut strides = vec![0i64; unsafe { mlirShapedTypeGetRank(raw) } as usize];
    let mut offset = 0i64;
    if unsafe { mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &mut offset) }.value == 0 {
        return Some(Lack::Layout);
    }
    strides.push(offset);
    let is_dynamic = strides.contains(&unsafe { mlirShapedTypeGetDynamicStrideOrOffset() });
    is_dynamic.then_some(Lack::Static("layout"))
}
