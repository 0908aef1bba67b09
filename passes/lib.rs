//! From tile programs to PTX.
//!
//! The passes are declared in `passes.td`; `passes.cpp` has their classes, and each body is a function here:
//!
//! - what fails has emitted a diagnostic, which [`Reported`] stands for, and makes the pass fail;
//! - no panic crosses into C++: it becomes an internal error at the op;
//! - contexts share only tables that are constant or behind a lock: threads compile side by side.

mod access;
mod alignment;
mod begins;
mod bind;
pub mod check;
pub mod compile;
mod congruence;
mod destinations;
pub mod emit;
pub mod execute;
pub mod expand;
pub mod fold;
mod growth;
mod ir;
pub mod kernels;
mod launch;
mod loops;
pub mod lower_ptx;
mod memory;
mod numbers;
mod nvptx;
mod parts;
pub mod pass;
pub mod pipeline;
mod provenance;
pub mod ptx_text;
mod ranges;
mod remarks;
mod repack;
mod shift;
mod steps;
mod storage;
mod sum;
mod tally;
pub mod target;
#[cfg(test)]
mod test_support;
mod uniform;
mod unroll;

pub use compile::{Errors, Target, emit_each, emit_ptx};
pub use ptx_tile_dialect as dialect;

use melior::dialect::DialectRegistry;
use melior::ir::Location;
use melior::ir::operation::{OperationLike, OperationRef};
use mlir_sys::{MlirDialectRegistry, MlirLocation, MlirLogicalResult, MlirOperation, MlirStringRef};
use ptx_tile_dialect::verify::{op_name, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Something failed, and a diagnostic has said what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported;

//===------------------------------------------------------------------------------------------------------------===//
// Registration
//===------------------------------------------------------------------------------------------------------------===//

unsafe extern "C" {
    fn ptxTileDiagnose(location: MlirLocation, severity: u32, text: MlirStringRef);
    fn ptxTileRegisterDialects(registry: MlirDialectRegistry);
    fn ptxTileRegisterPasses();
}

/// All that a program needs of this project: [`register_dialects`] and [`register_passes`].
pub fn register(registry: &DialectRegistry) {
    register_dialects(registry);
    register_passes();
}

/// Makes both dialects known to a registry, with what lowers them to the LLVM dialect and translates them from there.
pub fn register_dialects(registry: &DialectRegistry) {
    unsafe { ptxTileRegisterDialects(registry.to_raw()) }
}

/// Registers the passes, the pipelines, and the passes of MLIR that these run; harmless when done before, by any thread.
pub fn register_passes() {
    unsafe { ptxTileRegisterPasses() }
}

//===------------------------------------------------------------------------------------------------------------===//
// Diagnostics
//===------------------------------------------------------------------------------------------------------------===//

/// How bad it is; the numbers are those of `mlir::DiagnosticSeverity`, which the C API numbers otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Severity {
    /// It is done, but perhaps not meant.
    Warning = 1,
    /// What was asked for is impossible.
    Error = 2,
    /// Something to know.
    Remark = 3,
}

/// Emits a diagnostic.
pub fn diagnose(location: Location, severity: Severity, text: &str) {
    unsafe { ptxTileDiagnose(location.to_raw(), severity as u32, reference(text)) }
}

/// Emits an error.
pub fn error(location: Location, text: &str) -> Reported {
    diagnose(location, Severity::Error, text);
    Reported
}

/// Runs `body`, whose error is emitted at `op` after its name: `'tile.apply' op ...`.
pub fn at_op<T>(op: OperationRef, body: impl FnOnce() -> anyhow::Result<T>) -> Result<T, Reported> {
    body().map_err(|why| error(op.location(), &format!("'{}' op {why:#}", op_name(op))))
}

/// Text of a user for a diagnostic: in quotes, with what does not print escaped.
pub fn quoted(text: &str) -> String {
    let escape = |c: char| if c == '\'' { c.to_string() } else { c.escape_debug().to_string() };
    let escaped: String = text.chars().take(200).map(escape).collect();
    let rest = if text.chars().count() > 200 { "..." } else { "" };
    format!("\"{escaped}{rest}\"")
}

/// The `gpu.module` ops directly in a module, which are those that pipelines reach.
pub fn gpu_modules<'c>(module: OperationRef<'c, '_>) -> Vec<OperationRef<'c, 'c>> {
    let ops = ir::blocks(module).into_iter().flat_map(ir::ops_in);
    ops.filter(|op| op_name(*op) == "gpu.module").collect()
}

//===------------------------------------------------------------------------------------------------------------===//
// What C++ calls
//===------------------------------------------------------------------------------------------------------------===//

/// Text as the C API takes it, for as long as `text` lives.
fn reference(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// Runs a pass on what C++ calls it with.
fn pass(root: MlirOperation, body: impl FnOnce(OperationRef) -> Result<(), Reported>) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(root) };
    // Asked before, since a panic may leave the op half changed; the context owns it.
    let location = op.location();
    let result = catch_unwind(AssertUnwindSafe(|| body(op)))
        .unwrap_or_else(|panic| Err(error(location, &format!("internal error: {}", panic_text(&*panic)))));
    MlirLogicalResult { value: result.is_ok().into() }
}

/// Text that C++ keeps for the call.
///
/// # Safety
///
/// `text` is UTF-8 or at least bytes that live as long as the result is used.
unsafe fn text<'a>(text: MlirStringRef) -> std::borrow::Cow<'a, str> {
    if text.length == 0 {
        return "".into();
    }
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) })
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileRunCheck(root: MlirOperation) -> MlirLogicalResult {
    pass(root, check::run)
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileRunExpand(root: MlirOperation, forward: bool, limit: u64, module_limit: u64) -> MlirLogicalResult {
    pass(root, |root| expand::run(root, &expand::Options { forward, limit, module_limit }))
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileRunAttachTarget(
    module: MlirOperation,
    chip: MlirStringRef,
    ptx: MlirStringRef,
    level: MlirStringRef,
) -> MlirLogicalResult {
    let (chip, ptx, level) = unsafe { (text(chip), text(ptx), text(level)) };
    pass(module, |module| target::attach(module, &chip, &ptx, &level))
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileRunPrepareKernels(gpu_module: MlirOperation, bare_pointers: bool) -> MlirLogicalResult {
    pass(gpu_module, |gpu_module| kernels::prepare(gpu_module, bare_pointers))
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileRunEmitPtx(module: MlirOperation) -> MlirLogicalResult {
    pass(module, emit::replace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::Context;
    use melior::ir::Module;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn a_panic_is_an_error_at_the_op() {
        let context = Context::new();
        let said = Rc::new(RefCell::new(vec![]));
        let listener = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            listener.borrow_mut().push(diagnostic.to_string());
            true
        });
        let module = Module::new(Location::unknown(&context));
        let result = pass(module.as_operation().to_raw(), |_| panic!("no {}", "way"));
        assert_eq!(result.value, 0);
        assert_eq!(*said.borrow(), ["internal error: no way"]);
    }

    #[test]
    fn text_of_a_user_prints_on_one_line() {
        assert_eq!(quoted("it's \"a\"\n\0\u{e9}"), "\"it's \\\"a\\\"\\n\\0\u{e9}\"");
        assert_eq!(quoted(&"a".repeat(1000)).len(), 205);
    }
}
