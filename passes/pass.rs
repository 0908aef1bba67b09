//! The passes as functions, with their default options, in the manner of `melior::pass`. By name, with options, melior's
//! `parse_pass_pipeline` reads them: `gpu.module(tile-expand{forward=false})`.

use melior::pass::Pass;
use mlir_sys::MlirPass;

unsafe extern "C" {
    fn ptxTileCreateCheck() -> MlirPass;
    fn ptxTileCreateExpand() -> MlirPass;
    fn ptxTileCreateConvertToLLVM() -> MlirPass;
    fn ptxTileCreateAttachTarget() -> MlirPass;
    fn ptxTileCreatePrepareKernels() -> MlirPass;
    fn ptxTileCreateEmitPtx() -> MlirPass;
}

/// `tile-check`: refuses what an op alone cannot know to be illegal. On any op; the IR stays as it is.
///
/// ```
/// use melior::{Context, dialect::DialectRegistry, ir::Module, pass::PassManager};
/// use ptx_tile_passes::pass;
///
/// let registry = DialectRegistry::new();
/// ptx_tile_passes::register(&registry);
/// let context = Context::new();
/// context.append_dialect_registry(&registry);
/// let mut module = Module::parse(&context, "gpu.module @m {}").unwrap();
/// let manager = PassManager::new(&context);
/// manager.add_pass(pass::check());
/// manager.nested_under("gpu.module").add_pass(pass::expand());
/// manager.run(&mut module).unwrap();
/// ```
pub fn check() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreateCheck) }
}

/// `tile-expand`: a `ptx` op for each repeat of a `tile.apply`. On any op.
pub fn expand() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreateExpand) }
}

/// `convert-ptx-to-llvm`: an `llvm.inline_asm` for each `ptx` op. On any op.
pub fn convert_ptx_to_llvm() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreateConvertToLLVM) }
}

/// `tile-attach-target`: the `#nvvm.target` of each `gpu.module`. On a `builtin.module`.
pub fn attach_target() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreateAttachTarget) }
}

/// `tile-prepare-kernels`: what comes between expansion and `convert-gpu-to-nvvm`. On a `gpu.module`.
pub fn prepare_kernels() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreatePrepareKernels) }
}

/// `tile-emit-ptx`: a `gpu.binary` with PTX for each `gpu.module` in the NVVM dialect. On a `builtin.module`.
pub fn emit_ptx() -> Pass {
    unsafe { Pass::from_raw_fn(ptxTileCreateEmitPtx) }
}
