//! What the symbol of a `ptx` op is: its definition in the nearest symbol table, read into plain data.

use crate::instruction::Variant;
use crate::legality::Space;
use crate::named::{self, Definition, SymbolKind};
use crate::verify::{guard, inherent, op_name, read_issue, read_space_of, text};
use anyhow::Result;
use melior::StringRef;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, Type};
use mlir_sys::*;

unsafe extern "C" {
    fn ptxTileSymbolDefinition(op: MlirOperation, attribute: MlirStringRef) -> MlirOperation;
}

/// The op that an attribute of `op` names, in the nearest symbol table.
pub fn definition<'c>(op: OperationRef<'c, '_>, attribute: &str) -> Option<OperationRef<'c, 'c>> {
    let found = unsafe { ptxTileSymbolDefinition(op.to_raw(), StringRef::new(attribute).to_raw()) };
    (!found.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(found) })
}

/// The kind of the symbol that an op names; `None` where it names none.
pub fn kind(op: OperationRef, variant: &Variant, offset: Option<i64>) -> Result<Option<&'static SymbolKind>> {
    if inherent(op, "symbol").is_none() {
        return Ok(None);
    }
    decide(op, variant, offset, definition(op, "symbol")).map(Some)
}

fn decide(
    op: OperationRef,
    variant: &Variant,
    offset: Option<i64>,
    definition: Option<OperationRef>,
) -> Result<&'static SymbolKind> {
    let definition = definition.map(read).transpose()?;
    let symbol = inherent(op, "symbol").expect("the op names one");
    let name = text(unsafe { mlirFlatSymbolRefAttrGetValue(symbol.to_raw()) });
    named::symbol(variant, &name, definition.as_ref(), offset)
}

fn read(op: OperationRef) -> Result<Definition> {
    Ok(match op_name(op) {
        "memref.global" => {
            let r#type = op.attribute("type")?;
            Definition::Variable(read_space_of(unsafe { Type::from_raw(mlirTypeAttrGetValue(r#type.to_raw())) })?)
        }
        "llvm.mlir.global" => {
            let space = op.attribute("addr_space").map_or(0, |it| unsafe { mlirIntegerAttrGetValueInt(it.to_raw()) });
            Definition::Variable(Space::Memory(space as u32))
        }
        "gpu.func" => Definition::Function { kernel: op.has_attribute("gpu.kernel") || op.has_attribute("kernel") },
        "llvm.func" => Definition::Function { kernel: op.has_attribute("nvvm.kernel") },
        "func.func" => Definition::Function { kernel: false },
        other => Definition::Other(other.into()),
    })
}

/// Verifies the symbol of a `ptx` op against its definition, null where there is none.
#[unsafe(no_mangle)]
extern "C" fn ptxTileVerifySymbol(raw: MlirOperation, definition: MlirOperation) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(raw) };
    guard(op, || {
        // What the op alone gets wrong its own verifier reports.
        let Ok((operands, variant)) = read_issue(op) else { return Ok(()) };
        let definition = (!definition.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(definition) });
        decide(op, &variant, operands.offset, definition).map(drop)
    })
}
