//! Where a tile comes from: the allocation behind its views, and which operands of an op are tiles.

use crate::ir::{definition, operand_of, result_of};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{TypeLike, Value, ValueLike};
use mlir_sys::mlirTypeIsAMemRef;
use ptx_tile_dialect::legality::Space;
use ptx_tile_dialect::verify::{op_name, read_apply, read_space_of};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;

/// Whether an op names the storage of its operand 0 again, for registers.
pub fn is_alias(op: OperationRef) -> bool {
    match op_name(op) {
        "tile.view" | "tile.slice" | "memref.subview" => true,
        // What canonicalize makes of a memref.subview of all there is; not to a type without a rank.
        "memref.cast" => is_register_tile(result_of(op, 0)),
        _ => false,
    }
}

/// The value at the start of a chain of views and slices.
pub fn allocation<'c>(tile: Value<'c, '_>) -> Value<'c, 'c> {
    let mut value = unsafe { Value::from_raw(tile.to_raw()) };
    while let Some(op) = definition(value).filter(|op| is_alias(*op)) {
        value = operand_of(op, 0);
    }
    value
}

/// The allocations behind tiles, remembered while their views stay as they are: chains of views may be long.
#[derive(Default)]
pub struct Roots<'c>(RefCell<HashMap<*const c_void, Value<'c, 'c>>>);

impl<'c> Roots<'c> {
    /// What [`allocation`] gives.
    pub fn of(&self, tile: Value<'c, '_>) -> Value<'c, 'c> {
        let mut known = self.0.borrow_mut();
        let mut views = vec![];
        let mut value = unsafe { Value::from_raw(tile.to_raw()) };
        while let Some(op) = definition(value).filter(|op| is_alias(*op)) {
            if let Some(root) = known.get(&value.to_raw().ptr) {
                value = *root;
                break;
            }
            views.push(value.to_raw().ptr);
            value = operand_of(op, 0);
        }
        known.extend(views.into_iter().map(|view| (view, value)));
        value
    }
}

/// The memref that a memory operand is a tile view of: the first that no `tile` op made.
pub fn memory_root<'c>(tile: Value<'c, '_>) -> Value<'c, 'c> {
    let mut value = unsafe { Value::from_raw(tile.to_raw()) };
    while let Some(op) = definition(value).filter(|op| matches!(op_name(*op), "tile.view" | "tile.slice")) {
        value = operand_of(op, 0);
    }
    value
}

/// The operands of a `tile` op that are tiles of registers.
pub fn register_operands<'c>(op: OperationRef<'c, '_>) -> Vec<Value<'c, 'c>> {
    if !op_name(op).starts_with("tile.") {
        return vec![];
    }
    (0..op.operand_count() as isize)
        .map(|index| operand_of(op, index))
        .filter(|value| is_register_tile(*value))
        .collect()
}

/// The registers whose address a `tile.apply` takes: `ld.local` and `st.local` do.
pub fn addressed_registers<'c>(op: OperationRef<'c, 'c>) -> Vec<Value<'c, 'c>> {
    if op_name(op) != "tile.apply" {
        return vec![];
    }
    let Ok((operands, _, application)) = read_apply(op) else { return vec![] };
    let words = operands.words.iter().zip(application.variant.form.operands);
    let addressed = words.filter(|(word, operand)| operand.address && is_register_tile(**word));
    addressed.map(|(word, _)| unsafe { Value::from_raw(word.to_raw()) }).collect()
}

/// Whether a value is a memref in registers.
pub fn is_register_tile(value: Value) -> bool {
    let r#type = value.r#type();
    let is_memref = unsafe { mlirTypeIsAMemRef(r#type.to_raw()) };
    is_memref && read_space_of(r#type).is_ok_and(|space| space == Space::Register)
}
