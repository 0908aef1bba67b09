//! What is known of the alignment of memory.

use crate::ir::{definition, operand_of};
use anyhow::Result;
use melior::ir::attribute::{FlatSymbolRefAttribute, IntegerAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::layout::M;
use ptx_tile_dialect::verify::{op_name, read_tile};

/// A known alignment: the byte `zero_at` of the memref's buffer lies at a multiple of `bytes`.
pub struct Alignment {
    /// A power of two.
    pub bytes: i64,
    /// Counted from the buffer's aligned pointer.
    pub zero_at: i64,
    /// Who says so.
    pub source: &'static str,
}

/// The alignment of a memref: stated, or the width of an element.
pub fn of(memref: Value) -> Result<Alignment> {
    let tile = read_tile(memref.r#type())?;
    let width = i64::from(tile.element.width() / 8);
    let natural =
        Alignment { bytes: width.max(1), zero_at: 0, source: "the width of an element, as nothing states more" };
    let Some(op) = definition(memref) else {
        return Ok(stated(argument_attribute(memref), "llvm.align").unwrap_or(natural));
    };
    let alignment = |op: OperationRef| unsafe { Attribute::from_option_raw(attribute(op, "alignment")) };
    match op_name(op) {
        "memref.assume_alignment" => {
            let here = stated(alignment(op), "memref.assume_alignment");
            // It speaks of the first element of the memref.
            let first = tile.layout.place(0, M) * width;
            let below = of(operand_of(op, 0))?;
            Ok(here
                .map(|its| Alignment { zero_at: first, ..its })
                .filter(|its| its.bytes > below.bytes)
                .unwrap_or(below))
        }
        "memref.subview" | "memref.cast" | "memref.collapse_shape" | "memref.expand_shape" => of(operand_of(op, 0)),
        "memref.alloc" | "memref.alloca" => Ok(stated(alignment(op), "the allocation").unwrap_or(natural)),
        "memref.get_global" => {
            let global = global_of(op);
            Ok(global.and_then(|global| stated(alignment(global), "memref.global")).unwrap_or(natural))
        }
        _ => Ok(natural),
    }
}

fn stated(attribute: Option<Attribute>, source: &'static str) -> Option<Alignment> {
    let bytes = IntegerAttribute::try_from(attribute?).ok()?.value();
    (bytes > 0 && bytes.count_ones() == 1).then_some(Alignment { bytes, zero_at: 0, source })
}

fn attribute(op: OperationRef, name: &str) -> MlirAttribute {
    unsafe { mlirOperationGetAttributeByName(op.to_raw(), melior::StringRef::new(name).to_raw()) }
}

/// `llvm.align` of a function's argument.
fn argument_attribute<'c>(argument: Value<'c, '_>) -> Option<Attribute<'c>> {
    unsafe {
        let raw = argument.to_raw();
        let block = mlirBlockArgumentGetOwner(raw);
        let function = OperationRef::from_raw(mlirBlockGetParentOperation(block));
        // Other blocks have arguments too, and no attributes for these.
        if crate::ir::blocks(function).first().is_none_or(|entry| entry.to_raw().ptr != block.ptr) {
            return None;
        }
        let all = Attribute::from_option_raw(attribute(function, "arg_attrs"))?;
        let index = mlirBlockArgumentGetArgNumber(raw);
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
