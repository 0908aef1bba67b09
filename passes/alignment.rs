//! What is known of the alignment of memory.

use crate::congruence::Congruence;
use crate::ir::{self, definition, element_type, operand_of};
use crate::provenance::is_register_tile;
use crate::ranges::Ranges;
use crate::shift::{self, SAME_PLACE, Shift, is_memref};
use crate::steps;
use anyhow::{Context as _, Result};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::{Attribute, Value, ValueLike};
use ptx_tile_dialect::symbols;
use ptx_tile_dialect::verify::{op_name, read_element};

/// A known alignment of a tile of memory: the places of its layout count from `origin` bytes after a multiple of
/// `bytes`.
pub struct Alignment {
    /// A power of two.
    pub bytes: i64,
    /// In bytes.
    pub origin: Congruence,
    /// Who says so.
    pub source: String,
}

/// The alignment of an array that tile-expand makes for registers whose address is taken.
pub const LOCAL: i64 = 16;
/// What convert-gpu-to-nvvm aligns dynamic shared memory to.
const DYNAMIC_SHARED: i64 = 16;

/// What is known of the alignment of a tile of memory: each statement on the way to it, and that elements are aligned
/// to their width. By a quick look, or where that is asked for by each turn of the loops that decide begins.
pub fn of<'c>(tile: Value<'c, 'c>, ranges: &Ranges, is_exact: bool) -> Result<Vec<Alignment>> {
    let of_bytes = |shift: &Shift<'c>| {
        let exact = if is_exact { shift.exact_congruence() } else { None };
        exact.unwrap_or_else(|| shift.congruence(ranges)).over(8)
    };
    // From the buffer that all memrefs on the way share.
    let mut origin = of_bytes(&Shift::of(tile)?);
    let mut is_same_buffer = true;
    let mut source = "the width of an element, as nothing states more".to_string();
    let mut known = vec![];
    let mut state = |bytes: Option<i64>, origin, source: &str| {
        known.extend(bytes.map(|bytes| Alignment { bytes, origin, source: source.into() }));
    };
    let mut value = tile;
    loop {
        steps::take(1).context("comes through too many views")?;
        let Some(op) = definition(value) else {
            state(number(ir::argument_attribute(value, "llvm.align")), origin, "llvm.align");
            break;
        };
        let stated = number(ir::attribute(op, "alignment"));
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
            "tile.slice" | "memref.subview" | "memref.cast" => {}
            name if SAME_PLACE.contains(&name) => {}
            // Of the buffer it is a view like another, wherever its source begins.
            "memref.reinterpret_cast" if shift::offset(value.r#type()).is_some() && is_memref(operand_of(op, 0)) => {
                is_same_buffer = false;
            }
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
                let global = symbols::definition(op, "name").and_then(|global| ir::attribute(global, "alignment"));
                state(number(global), origin, "memref.global");
                break;
            }
            "gpu.dynamic_shared_memory" => {
                state(Some(DYNAMIC_SHARED), origin, "gpu.dynamic_shared_memory");
                break;
            }
            name => {
                source = format!("the width of an element, as nothing states more of what {name} makes");
                break;
            }
        }
        value = operand_of(op, 0);
    }
    let width = read_element(element_type(value.r#type()))?.width() / 8;
    known.push(Alignment { bytes: i64::from(width).max(1), origin, source });
    Ok(known)
}

/// A stated alignment.
fn number(attribute: Option<Attribute>) -> Option<i64> {
    let bytes = IntegerAttribute::try_from(attribute?).ok()?.value();
    (bytes > 0 && bytes.count_ones() == 1).then_some(bytes)
}
