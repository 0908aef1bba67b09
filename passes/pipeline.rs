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

/// A stage of `tile-to-nvvm`.
#[derive(Debug)]
pub struct Stage {
    /// A pass on `gpu.module`, with its options.
    pub pass: String,
    /// The dialects without any of which there is nothing to do.
    pub lowers: Option<&'static [&'static str]>,
}

/// What comes before the stages on the `builtin.module`: checks go by the target.
pub fn attach_target(options: &Options) -> Result<String> {
    let Options { chip, ptx, level, .. } = options;
    // Only words that these checks know go into the text.
    target::check_options(chip, ptx, level)?;
    Ok(format!("tile-attach-target{{chip={chip} ptx={ptx} O={level}}}"))
}

/// From `gpu.module` ops with tile ops to what MLIR translates to LLVM IR.
pub fn stages(options: &Options) -> Vec<Stage> {
    let always = |pass: &str| Stage { pass: pass.into(), lowers: None };
    let lowers = |dialects, pass: &str| Stage { pass: pass.into(), lowers: Some(dialects) };
    let bare_pointers = options.bare_pointers;
    vec![
        // Tile ops and registers of memrefs become ptx ops and values.
        always("tile-expand"),
        always("convert-ptx-to-llvm"),
        always(&format!("tile-prepare-kernels{{bare-pointers={bare_pointers}}}")),
        // Vectors that do not fit a register become loops, so this comes before loops are taken apart. Its driver folds
        // affine loops, too.
        lowers(&["vector", "affine"], "convert-vector-to-scf"),
        lowers(&["affine"], "lower-affine"),
        lowers(&["scf"], "convert-scf-to-cf"),
        // Views become arithmetic on a base pointer, as affine.apply.
        lowers(&["memref"], "expand-strided-metadata"),
        lowers(&["affine"], "lower-affine"),
        // Transfers, shuffles and reductions, which the next conversion leaves.
        lowers(&["vector"], "convert-vector-to-llvm"),
        // Copies, matrices and barriers of a warp.
        lowers(&["nvgpu"], "convert-nvgpu-to-nvvm"),
        // Everything else. Indices of 32 bits would wrap without a word.
        always(&format!("convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv={bare_pointers} index-bitwidth=64}}")),
        // The ops of nvvm that have no intrinsic of LLVM's, as waiting at an mbarrier, are asm.
        lowers(&["nvvm"], "convert-nvvm-to-llvm"),
        lowers(&["builtin"], "reconcile-unrealized-casts"),
    ]
}

/// `tile-to-nvvm`, a pipeline on `builtin.module`.
pub fn to_nvvm(options: &Options) -> Result<String> {
    let target = attach_target(options)?;
    let stages: Vec<String> = stages(options).into_iter().map(|stage| stage.pass).collect();
    Ok(format!("{target},gpu.module({})", stages.join(",")))
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
