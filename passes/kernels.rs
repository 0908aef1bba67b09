//! `tile-prepare-kernels`: what the stock passes from here to the NVVM dialect would get wrong, they get otherwise.
//!
//! - MLIR's greedy driver merges equal blocks, asm with side effects included, and blocks that are alike but for the
//!   address of a register, which then stays in local memory. Asm made of `ptx` ops has a number that makes each unlike
//!   the next; what a user wrote and what reads and writes registers gets one here.
//! - `convert-gpu-to-nvvm` writes `.maxntid` for `known_block_size` beside an explicit `nvvm.maxntid` (a key twice,
//!   which does not parse again) or `nvvm.reqntid` (which ptxas refuses): of two ways to say a size the explicit one
//!   stays.
//! - It does not say which argument a bare pointer cannot stand for, or has no type of LLVM's.
//! - `convert-scf-to-cf` makes 32 bits of what `scf.index_switch` chooses by: 2^32 would take case 0.
//!
//! Ops without a use or an effect go last (passes.cpp).

use crate::launch::sizes;
use crate::{Reported, Severity, at_op, diagnose, ir, reference};
use anyhow::{Result, bail, ensure};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{AttributeLike, BlockLike, Identifier, Type, TypeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;

/// Checks and mends the functions of a `gpu.module`.
pub fn prepare(gpu_module: OperationRef, bare_pointers: bool) -> Result<(), Reported> {
    let prepared = ir::functions(gpu_module).into_iter().map(|function| {
        at_op(function, || {
            check_sizes(function)?;
            keep_explicit(function, "known_block_size", &["nvvm.reqntid", "nvvm.maxntid"]);
            keep_explicit(function, "known_cluster_size", &["nvvm.cluster_dim"]);
            let ops = ir::ops(function);
            number_asm(function, &ops);
            narrow_switches(&ops)?;
            check_arguments(function, bare_pointers)
        })
    });
    // All of them, so that each says what is wrong with it.
    prepared.fold(Ok(()), Result::and)
}

/// Numbers the first of each row of asm, of instructions that wait for their symbol, and of accesses of registers, but for
/// those in the first block of `function`, which is merged with none. What follows it directly is in its block for good.
fn number_asm<'c>(function: OperationRef<'c, '_>, ops: &[OperationRef<'c, '_>]) {
    let owner = function.context();
    let integer = IntegerType::new(unsafe { owner.to_ref() }, 64).into();
    let entry = ir::blocks(function).first().map(|block| block.to_raw().ptr);
    let (mut number, mut row) = (0, None);
    for op in ops {
        let is_alloca = |at| ir::definition(ir::operand_of(*op, at)).is_some_and(|op| op_name(op) == "llvm.alloca");
        let is_instruction = match op_name(*op) {
            "llvm.inline_asm" => true,
            "llvm.load" => is_alloca(0),
            "llvm.store" => is_alloca(1),
            name => name.starts_with("ptx."),
        };
        let block = is_instruction.then(|| ir::block_of(*op).to_raw().ptr);
        if block.is_some() && block != row && block != entry {
            let number = IntegerAttribute::new(integer, number);
            unsafe { mlirOperationSetAttributeByName(op.to_raw(), reference("instruction"), number.to_raw()) };
        }
        number += i64::from(is_instruction);
        row = block;
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

/// What no GPU launches more of, on x, y and z and in all (CUDA C++ Programming Guide, compute capabilities; clusters of
/// more than 8 blocks are a matter of the chip).
const LIMITS: [(&[&str], [i64; 3], i64); 3] = [
    (&["known_block_size", "nvvm.reqntid", "nvvm.maxntid"], [1024, 1024, 64], 1024),
    (&["known_cluster_size", "nvvm.cluster_dim"], [16; 3], 16),
    (&["known_grid_size"], [i32::MAX as i64, 65535, 65535], i64::MAX),
];

/// Refuses sizes that no launch has.
fn check_sizes(function: OperationRef) -> Result<()> {
    for name in SIZES {
        let Ok(attribute) = function.attribute(name) else { continue };
        let sizes = sizes(attribute);
        ensure!(sizes.iter().all(|size| *size > 0), "{name} is {attribute}; sizes are positive");
        let Some((_, each, all)) = LIMITS.into_iter().find(|(names, ..)| names.contains(&name)) else { continue };
        let product = sizes.iter().fold(1i64, |product, size| product.saturating_mul(*size));
        let [x, y, z] = each;
        ensure!(
            sizes.iter().zip(each).all(|(size, most)| *size <= most) && product <= all,
            "{name} is {attribute}; the most is {x}, {y}, {z}{}",
            if all < i64::MAX { format!(", and {all} in all") } else { String::new() }
        );
    }
    let both = function.has_attribute("nvvm.reqntid") && function.has_attribute("nvvm.maxntid");
    ensure!(!both, "has nvvm.reqntid and nvvm.maxntid, which PTX does not take together; take one out");
    let cluster = ["nvvm.cluster_dim", "known_cluster_size"].into_iter().find(|name| function.has_attribute(name));
    if let Some(cluster) = cluster.filter(|_| function.has_attribute("nvvm.cluster_max_blocks")) {
        bail!("has {cluster} and nvvm.cluster_max_blocks, which PTX does not take together; take one out");
    }
    Ok(())
}

/// Gives each `scf.index_switch` a choice of 32 bits: that of the default for an index that has more.
fn narrow_switches(ops: &[OperationRef]) -> Result<()> {
    for op in ops.iter().copied().filter(|op| op_name(*op) == "scf.index_switch") {
        let owner = op.context();
        let context = unsafe { owner.to_ref() };
        let (index, narrow) = (Type::index(context), IntegerType::new(context, 32).into());
        let cases = cases_of(op);
        if let Some(wide) = cases.iter().find(|case| i32::try_from(**case).is_err()) {
            bail!("has an scf.index_switch with the case {wide}; they have 32 bits");
        }
        let chosen = ir::operand_of(op, 0);
        if fits_32_bits(chosen) {
            continue;
        }
        let no_case = (0..).find(|number| !cases.contains(number)).expect("there are more numbers than cases");
        let builder = ir::Builder::before(context, op);
        let low = builder.value("arith.index_cast", &[chosen], narrow, &[]);
        let back = builder.value("arith.index_cast", &[low], index, &[]);
        let attribute = |name, value| (Identifier::new(context, name), value);
        let equal = attribute("predicate", IntegerAttribute::new(IntegerType::new(context, 64).into(), 0).into());
        let is_same = builder.value("arith.cmpi", &[chosen, back], IntegerType::new(context, 1).into(), &[equal]);
        let none = attribute("value", IntegerAttribute::new(index, no_case).into());
        let none = builder.value("arith.constant", &[], index, &[none]);
        let choice = builder.value("arith.select", &[is_same, chosen, none], index, &[]);
        unsafe { mlirOperationSetOperand(op.to_raw(), 0, choice.to_raw()) };
    }
    Ok(())
}

fn cases_of(switch: OperationRef) -> Vec<i64> {
    let Some(cases) = ir::attribute(switch, "cases").map(|cases| cases.to_raw()) else { return vec![] };
    let count = unsafe { mlirDenseArrayGetNumElements(cases) };
    (0..count).map(|i| unsafe { mlirDenseI64ArrayGetElement(cases, i) }).collect()
}

/// Whether an index is known to be one of 32 bits with a sign: what a launch counts, and what has been one.
fn fits_32_bits(index: Value) -> bool {
    let Some(op) = ir::definition(index) else { return false };
    let width = |value: Value| unsafe { mlirIntegerTypeGetWidth(value.r#type().to_raw()) };
    match op_name(op) {
        "arith.index_cast" => width(ir::operand_of(op, 0)) <= 32,
        // It counts the threads of all blocks.
        "gpu.global_id" => false,
        name => name.starts_with("gpu."),
    }
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
