//! The `tile` and `ptx` dialects: what the ops are, and when they are legal.
//!
//! The op classes are C++ made from `tile.td` and `ptx.td`; their verifiers call back into [`verify`], which reads an
//! op into plain data and asks [`legality`] and [`issue`]. [`instruction`] is the table made from the records of
//! `ptx.td`.

pub mod element;
pub mod instruction;
pub mod issue;
pub mod layout;
pub mod layout_text;
pub mod legality;
pub mod named;
pub mod ods;
pub mod opcode;
pub mod ownership;
pub mod ptx;
pub mod semantics;
pub mod symbols;
pub mod threads;
pub mod tile;
pub mod tiles;
mod types;
pub mod verify;

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;

unsafe extern "C" {
    fn ptxTileInsertDialects(registry: MlirDialectRegistry);
}

/// Makes both dialects known to a registry.
pub fn register(registry: &DialectRegistry) {
    unsafe { ptxTileInsertDialects(registry.to_raw()) }
}
