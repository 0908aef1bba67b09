//! What a kernel says of its launch: the shape of its blocks and clusters, and which threads are active (R24, R25).

use crate::ir;
use anyhow::{Context, Result, bail, ensure};
use melior::ir::operation::OperationRef;
use melior::ir::{Attribute, AttributeLike};
use mlir_sys::*;
use ptx_tile_dialect::threads::Launch;
use ptx_tile_dialect::verify::op_name;

/// Whether launches start a function: an entry of PTX.
pub fn is_kernel(function: OperationRef) -> bool {
    let has = |name| ir::attribute(function, name).is_some();
    let has_convention =
        || ir::attribute(function, "CConv").is_some_and(|its| its.to_string().contains("ptx_kernelcc"));
    has("nvvm.kernel") || (op_name(function) == "gpu.func" && has("gpu.kernel")) || has_convention()
}

/// The launch of a kernel, as far as the kernel says it (R24, R25).
///
/// Errors: a function that is none, no shape of the block or one that is malformed, and sizes that contradict each
/// other.
pub fn of_kernel(function: OperationRef) -> Result<Launch> {
    ensure!(
        is_kernel(function),
        "is over the threads of a block, and stands in a function that is no kernel; there is scope(thread) alone"
    );
    let block = agreed(function, ["nvvm.reqntid", "known_block_size"])?;
    let block =
        block.context("needs the shape of the block; give the kernel known_block_size or nvvm.reqntid (R24)")?;
    Launch::new(block, agreed(function, ["nvvm.cluster_dim", "known_cluster_size"])?)
}

/// Who acts depends on the shape of the block: a launch must have it, and not only at most as many threads.
///
/// Errors: a kernel that bounds its block instead.
pub fn hold_to_block_size(function: OperationRef) -> Result<()> {
    if ir::attribute(function, "nvvm.reqntid").is_none() {
        require_block_size(function)?;
    }
    // Of both, convert-gpu-to-nvvm makes PTX that ptxas refuses.
    unsafe { mlirOperationRemoveAttributeByName(function.to_raw(), crate::reference("known_block_size")) };
    Ok(())
}

fn require_block_size(function: OperationRef) -> Result<()> {
    ensure!(
        ir::attribute(function, "nvvm.maxntid").is_none(),
        "has nvvm.maxntid, which bounds the block, and ops over its threads, which need its shape; give it nvvm.reqntid \
         instead (R24)"
    );
    if let Some(known) = ir::attribute(function, "known_block_size") {
        unsafe { mlirOperationSetAttributeByName(function.to_raw(), crate::reference("nvvm.reqntid"), known.to_raw()) };
    }
    Ok(())
}

/// What two attributes say, of which there may be both.
fn agreed(function: OperationRef, names: [&str; 2]) -> Result<Option<[i64; 3]>> {
    let [first, second] = names.map(|name| read(function, name));
    match (first?, second?) {
        (Some(first), Some(second)) if first != second => {
            bail!("is in a kernel whose {} is {first:?} and whose {} is {second:?}; take one out", names[0], names[1])
        }
        (first, second) => Ok(first.or(second)),
    }
}

fn read(function: OperationRef, name: &str) -> Result<Option<[i64; 3]>> {
    let Some(attribute) = ir::attribute(function, name) else { return Ok(None) };
    let is_list = unsafe { mlirAttributeIsADenseI32Array(attribute.to_raw()) };
    let extents = extents(function, name).filter(|_| is_list);
    extents.map(Some).with_context(|| format!("is in a kernel whose {name} is {attribute}; write array<i32: x, y, z>"))
}

/// The extents on x, y and z that an attribute of a function says.
pub fn extents(function: OperationRef, name: &str) -> Option<[i64; 3]> {
    let mut all = sizes(ir::attribute(function, name)?);
    // Those that are left out are 1.
    (1..=3).contains(&all.len()).then(|| all.resize(3, 1));
    all.try_into().ok()
}

/// The numbers of an integer or of an array of i32; none of another attribute, which the NVVM dialect's verifier
/// refuses.
pub fn sizes(attribute: Attribute) -> Vec<i64> {
    let raw = attribute.to_raw();
    if unsafe { mlirAttributeIsAInteger(raw) } {
        return vec![unsafe { mlirIntegerAttrGetValueInt(raw) }];
    }
    if !unsafe { mlirAttributeIsADenseI32Array(raw) } {
        return vec![];
    }
    let count = unsafe { mlirDenseArrayGetNumElements(raw) };
    (0..count).map(|i| unsafe { mlirDenseI32ArrayGetElement(raw, i) }.into()).collect()
}
