//! The pipelines `tile-to-nvvm` and `tile-to-ptx`, as text that MLIR parses.
//!
//! An instruction that was asked for by name is neither merged nor dropped. `ptx` ops are pure, and MLIR's greedy
//! driver, which is in canonicalize and in half of the stages below, drops dead ops and merges equal blocks. So `ptx`
//! ops become asm with side effects, each with a number, before any stage that rewrites greedily. One that takes the
//! address of a symbol is lowered when that is (lowering.cpp); until then its number is its side effect.

use crate::{reference, target};
use anyhow::{Result, bail};
use mlir_sys::{MlirStringCallback, MlirStringRef};
use ptx_tile_dialect::verify::panic_text;
use std::ffi::c_void;
use std::panic::catch_unwind;

/// The options of both pipelines; empty text leaves the choice to `tile-attach-target`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The chip: `sm_90`.
    pub chip: String,
    /// The PTX version: `8.3`.
    pub ptx: String,
    /// LLVM's optimization level, 1 to 3.
    pub level: String,
    /// Memref arguments are pointers to their data, or else descriptors.
    pub bare_pointers: bool,
}

/// From `gpu.module` ops with tile ops to what MLIR translates to LLVM IR; the stages of `builtin.module`.
pub fn to_nvvm(options: &Options) -> Result<String> {
    let Options { chip, ptx, level, bare_pointers } = options;
    // Only words that these checks know go into the text.
    target::check_options(chip, ptx, level)?;
    let stages = [
        // Tile ops and registers of memrefs become ptx ops and values.
        "tile-expand".into(),
        "convert-ptx-to-llvm".into(),
        format!("tile-prepare-kernels{{bare-pointers={bare_pointers}}}"),
        // Vectors that do not fit a register become loops, so this comes before loops are taken apart.
        "convert-vector-to-scf".into(),
        "lower-affine".into(),
        "convert-scf-to-cf".into(),
        // Views become arithmetic on a base pointer, as affine.apply.
        "expand-strided-metadata".into(),
        "lower-affine".into(),
        // Transfers, shuffles and reductions, which the next conversion leaves.
        "convert-vector-to-llvm".into(),
        // Copies, matrices and barriers of a warp.
        "convert-nvgpu-to-nvvm".into(),
        // Everything else. Indices of 32 bits would wrap without a word.
        format!("convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv={bare_pointers} index-bitwidth=64}}"),
        // The ops of nvvm that have no intrinsic of LLVM's, as waiting at an mbarrier, are asm.
        "convert-nvvm-to-llvm".into(),
        "reconcile-unrealized-casts".into(),
    ];
    // The target first: checks go by it.
    Ok(format!("tile-attach-target{{chip={chip} ptx={ptx} O={level}}},gpu.module({})", stages.join(",")))
}

/// From `gpu.module` ops with tile ops to `gpu.binary` ops.
pub fn to_ptx(options: &Options) -> Result<String> {
    Ok(format!("{},tile-emit-ptx", to_nvvm(options)?))
}

#[repr(C)]
struct RawOptions {
    chip: MlirStringRef,
    ptx: MlirStringRef,
    level: MlirStringRef,
    bare_pointers: bool,
}

/// Gives `text` the pipeline, or the reason why there is none and returns false.
#[unsafe(no_mangle)]
unsafe extern "C" fn ptxTilePipeline(
    options: &RawOptions,
    emit: bool,
    text: MlirStringCallback,
    user: *mut c_void,
) -> bool {
    let own = |text| unsafe { crate::text(text) }.into_owned();
    let RawOptions { chip, ptx, level, bare_pointers } = *options;
    let options = Options { chip: own(chip), ptx: own(ptx), level: own(level), bare_pointers };
    let pipeline = catch_unwind(|| if emit { to_ptx(&options) } else { to_nvvm(&options) });
    let pipeline = pipeline.unwrap_or_else(|panic| bail!("internal error: {}", panic_text(&*panic)));
    let is_good = pipeline.is_ok();
    let result = pipeline.unwrap_or_else(|why| format!("{why:#}"));
    if let Some(text) = text {
        unsafe { text(reference(&result), user) };
    }
    is_good
}
