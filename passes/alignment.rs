//! What is known of the alignment of memory.

use crate::congruence::Congruence;
use crate::ir::{definition, element_type, operand_of};
use crate::provenance::is_register_tile;
use crate::ranges::Ranges;
use crate::shift::{self, Shift};
use anyhow::Result;
use melior::ir::attribute::{FlatSymbolRefAttribute, IntegerAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::verify::{op_name, read_element};

/// A known alignment of a tile of memory: the places of its layout count from `origin` bytes after a multiple of `bytes`.
pub struct Alignment {
    /// A power of two.
    pub bytes: i64,
    /// In bytes.
    pub origin: Congruence,
    /// Who says so.
    pub source: &'static str,
}

/// The alignment of an array that tile-expand makes for registers whose address is taken.
pub const LOCAL: i64 = 16;
/// What convert-gpu-to-nvvm aligns dynamic shared memory to.
const DYNAMIC_SHARED: i64 = 16;

/// What is known of the alignment of a tile of memory: each statement on the way to it, and that elements are aligned to
/// their width. By a quick look, or where that is asked for by each turn of the loops that decide begins.
pub fn of<'c>(tile: Value<'c, 'c>, ranges: &Ranges, is_exact: bool) -> Result<Vec<Alignment>> {
    let of_bytes = |shift: &Shift<'c>| {
        let exact = if is_exact { shift.exact_congruence() } else { None };
        exact.unwrap_or_else(|| shift.congruence(ranges)).over(8)
    };
    // From the buffer that all memrefs on the way share.
    let mut origin = of_bytes(&Shift::of(tile)?);
    let mut is_same_buffer = true;
    let mut known = vec![];
    let mut state = |bytes: Option<i64>, origin, source| {
        known.extend(bytes.map(|bytes| Alignment { bytes, origin, source }));
    };
    let mut value = tile;
    loop {
        let Some(op) = definition(value) else {
            state(number(argument_attribute(value)), origin, "llvm.align");
            break;
        };
        let stated = number(unsafe { Attribute::from_option_raw(attribute(op, "alignment")) });
        match op_name(op) {
            // It speaks of the first element of the memref.
            "memref.assume_alignment" => {
                let bytes = i64::from(read_element(element_type(value.r#type()))?.width() / 8);
                let since = match shift::offset(value.r#type()) {
                    Some(first) => Some(origin.plus(Congruence::constant(first.saturating_mul(-bytes)))),
                    None if is_same_buffer => Shift::since(tile, value)?.map(|shift| of_bytes(&shift)),
                    None => None,
                };
                if let Some(since) = since {
                    state(stated, since, "memref.assume_alignment");
                }
            }
            "tile.view"
            | "tile.slice"
            | "memref.subview"
            | "memref.cast"
            | "memref.collapse_shape"
            | "memref.expand_shape" => {}
            "memref.view" => {
                origin = origin.plus(ranges.of(operand_of(op, 1)).congruence());
                is_same_buffer = false;
            }
            "tile.alloc" => {
                state(Some(LOCAL), origin, "registers in local memory");
                break;
            }
            "memref.alloca" if is_register_tile(value) => {
                state(Some(LOCAL), origin, "registers in local memory");
                break;
            }
            "memref.alloc" | "memref.alloca" => {
                state(stated, origin, "the allocation");
                break;
            }
            "memref.get_global" => {
                let global = global_of(op).map(|global| attribute(global, "alignment"));
                let global = global.and_then(|raw| unsafe { Attribute::from_option_raw(raw) });
                state(number(global), origin, "memref.global");
                break;
            }
            "gpu.dynamic_shared_memory" => {
                state(Some(DYNAMIC_SHARED), origin, "gpu.dynamic_shared_memory");
                break;
            }
            _ => break,
        }
        value = operand_of(op, 0);
    }
    let width = read_element(element_type(value.r#type()))?.width() / 8;
    let source = "the width of an element, as nothing states more";
    known.push(Alignment { bytes: i64::from(width).max(1), origin, source });
    Ok(known)
}

/// A stated alignment.
fn number(attribute: Option<Attribute>) -> Option<i64> {
    let bytes = IntegerAttribute::try_from(attribute?).ok()?.value();
    (bytes > 0 && bytes.count_ones() == 1).then_some(bytes)
}

fn attribute(op: OperationRef, name: &str) -> MlirAttribute {
    unsafe { mlirOperationGetAttributeByName(op.to_raw(), melior::StringRef::new(name).to_raw()) }
}

/// `llvm.align` of an argument of a function, or of the memory that a `gpu.func` declares after them.
fn argument_attribute<'c>(argument: Value<'c, '_>) -> Option<Attribute<'c>> {
    unsafe {
        let raw = argument.to_raw();
        let block = mlirBlockArgumentGetOwner(raw);
        let function = OperationRef::from_raw(mlirBlockGetParentOperation(block));
        // Other blocks have arguments too, and no attributes for these.
        if crate::ir::blocks(function).first().is_none_or(|entry| entry.to_raw().ptr != block.ptr) {
            return None;
        }
        let signature =
            mlirTypeAttrGetValue(Attribute::from_option_raw(attribute(function, "function_type"))?.to_raw());
        let inputs = if mlirTypeIsAFunction(signature) { mlirFunctionTypeGetNumInputs(signature) } else { isize::MAX };
        let index = mlirBlockArgumentGetArgNumber(raw);
        let (list, index) =
            if index < inputs { ("arg_attrs", index) } else { ("workgroup_attrib_attrs", index - inputs) };
        let all = Attribute::from_option_raw(attribute(function, list))?;
        if !mlirAttributeIsAArray(all.to_raw()) || index >= mlirArrayAttrGetNumElements(all.to_raw()) {
            return None;
        }
        let its = mlirArrayAttrGetElement(all.to_raw(), index);
        Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
            its,
            melior::StringRef::new("llvm.align").to_raw(),
        ))
    }
}

/// The `memref.global` of a `memref.get_global`.
fn global_of<'c>(op: OperationRef<'c, '_>) -> Option<OperationRef<'c, 'c>> {
    let name = FlatSymbolRefAttribute::try_from(op.attribute("name").ok()?).ok()?;
    let mut table = op.parent_operation();
    while let Some(parent) = table {
        let found = crate::ir::blocks(parent).into_iter().flat_map(crate::ir::ops_in).find(|global| {
            op_name(*global) == "memref.global"
                && unsafe { Attribute::from_option_raw(attribute(*global, "sym_name")) }
                    .is_some_and(|symbol| symbol.to_string() == format!("\"{}\"", name.value()))
        });
        if found.is_some() {
            return found;
        }
        table = parent.parent_operation();
    }
    None
}
