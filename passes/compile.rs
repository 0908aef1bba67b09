//! PTX in one call, for compilers that hold a module in memory.
//!
//! - The module stays as it is: a copy is compiled.
//! - What is wrong comes back as a value, with the texts and locations of MLIR's diagnostics. Warnings and remarks go
//!   where the context's own go.
//! - Threads with a context each compile side by side. In one context calls follow each other, as melior has it: errors
//!   of another thread would be taken for this one's. From C and C++ threads may share a context (passes.h).

use crate::pipeline::{self, Options};
use crate::{Reported, at_op, emit, error, gpu_modules, ir, pass, quoted, reference, register_passes};
use anyhow::{Result, anyhow, bail, ensure};
use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{AttributeLike, BlockLike, Location, Module, Operation};
use mlir_sys::*;
use ptx_tile_dialect::verify::op_name;
use std::collections::HashSet;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What is compiled for. Where it is `None`, the `#nvvm.target` of a `gpu.module` decides, else a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A chip that LLVM knows, `sm_90` by default.
    pub chip: Option<String>,
    /// The PTX version, such as `8.3`; by default the chip's own, raised to what the instructions need.
    pub ptx: Option<String>,
    /// LLVM's optimization level, 1 to 3, by default 2.
    pub level: Option<u8>,
    /// Memref arguments of kernels are pointers to their data, or else descriptors.
    pub bare_pointers: bool,
}

impl Default for Target {
    fn default() -> Target {
        Target { chip: None, ptx: None, level: None, bare_pointers: true }
    }
}

impl Target {
    /// A chip, and all else by default.
    pub fn chip(chip: &str) -> Target {
        Target { chip: Some(chip.into()), ..Target::default() }
    }

    fn options(&self) -> Options {
        Options {
            chip: self.chip.clone().unwrap_or_default(),
            ptx: self.ptx.clone().unwrap_or_default(),
            level: self.level.map_or(String::new(), |level| level.to_string()),
            bare_pointers: self.bare_pointers,
        }
    }
}

/// The errors that a module was refused for, one at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(pub Vec<Error>);

/// An error, or a note to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// `kernel.mlir:3:5`, or what MLIR prints of another kind of location.
    pub location: String,
    /// What is wrong, in a line.
    pub text: String,
    /// What there is to say beside it.
    pub notes: Vec<Error>,
}

impl fmt::Display for Errors {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let Error { location, text, notes } = error;
            write!(out, "{}{location}: error: {text}", if i > 0 { "\n" } else { "" })?;
            for note in notes {
                write!(out, "\n{}: note: {}", note.location, note.text)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// The PTX of the one `gpu.module` in a module.
///
/// Its context has the dialects of [`register`](crate::register).
///
/// Errors: a module that does not verify, what the checks and LLVM refuse, a target that is none, and a module with no
/// `gpu.module` or several, for which there is [`emit_each`].
///
/// ```
/// use melior::{Context, dialect::DialectRegistry, ir::Module};
/// use ptx_tile_passes::{Target, emit_ptx};
///
/// let registry = DialectRegistry::new();
/// ptx_tile_passes::register(&registry);
/// let context = Context::new();
/// context.append_dialect_registry(&registry);
///
/// let text = r#"
///   !tile = memref<4x1xi32, #gpu.address_space<private>>
///   gpu.module @kernels {
///     gpu.func @fill(%out: memref<4x1xi32, 1>, %n: i32) kernel {
///       %a = tile.alloc : !tile
///       tile.apply "mov.b32"(%a, %n) : !tile, i32
///       tile.apply "st.global.b32"(%out, %a) : memref<4x1xi32, 1>, !tile
///       gpu.return
///     }
///   }"#;
/// let module = Module::parse(&context, text).unwrap();
/// let ptx = emit_ptx(&module, &Target::chip("sm_80")).unwrap();
/// assert!(ptx.contains(".target sm_80"));
/// assert_eq!(ptx.matches("st.global.b32").count(), 4);
///
/// let errors = emit_ptx(&module, &Target::chip("sm_0")).unwrap_err();
/// assert!(errors.to_string().contains("chip \"sm_0\""));
/// ```
pub fn emit_ptx(module: &Module, target: &Target) -> Result<String, Errors> {
    let mut all = collected(module, target, true)?;
    Ok(all.pop().map(|(_, ptx)| ptx).expect("there is one"))
}

/// The PTX of each `gpu.module` in a module, by name.
///
/// Errors: those of [`emit_ptx`], but for their number.
pub fn emit_each(module: &Module, target: &Target) -> Result<Vec<(String, String)>, Errors> {
    collected(module, target, false)
}

fn collected(module: &Module, target: &Target, only_one: bool) -> Result<Vec<(String, String)>, Errors> {
    let owner = module.context();
    let root = module.as_operation();
    collecting(unsafe { owner.to_ref() }, root.location(), || compile(root, &target.options(), only_one))
}

/// The PTX of each `gpu.module` of a copy of `root`, or of `root` alone, by name.
fn compile(root: OperationRef, options: &Options, only_one: bool) -> Result<Vec<(String, String)>, Reported> {
    let at_root = |why: anyhow::Error| error(root.location(), &format!("{why:#}"));
    register_passes();
    pipeline::attach_target(options).map_err(at_root)?;
    // Without it, gpu.module may be an op that nobody knows.
    let gpu = unsafe { mlirContextGetOrLoadDialect(mlirOperationGetContext(root.to_raw()), reference("gpu")) };
    if gpu.ptr.is_null() {
        return Err(at_root(anyhow!("the gpu dialect is not registered in the context")));
    }
    if !root.verify() {
        return Err(Reported);
    }
    let copy = copy_of(root)?;
    let root = copy.as_operation();
    let found = named_modules(root).map_err(at_root)?;
    if only_one && found.len() > 1 {
        let names: Vec<String> = found.iter().map(|(name, _)| quoted(name)).collect();
        let (count, names) = (names.len(), names.join(", "));
        let why = format!(
            "there are {count} gpu.modules ({names}), and the PTX of one is asked for; there is a call for all"
        );
        return Err(error(root.location(), &why));
    }
    refuse_host_code(root)?;
    found.into_iter().map(|(name, its)| Ok((name, gpu_module(root, its, options)?))).collect()
}

/// A module like `root`, or around it.
fn copy_of<'c>(root: OperationRef<'c, '_>) -> Result<Module<'c>, Reported> {
    let copy = Operation::clone(&root);
    match op_name(root) {
        "builtin.module" => Ok(Module::from_operation(copy).expect("the clone of a module is one")),
        "gpu.module" => {
            let module = Module::new(root.location());
            module.body().append_operation(copy);
            Ok(module)
        }
        _ => at_op(root, || bail!("is neither a builtin.module nor a gpu.module, which are what PTX is made of")),
    }
}

/// The `gpu.module` ops directly in a module, one at least, with their names.
pub fn named_modules<'c>(root: OperationRef<'c, '_>) -> Result<Vec<(String, OperationRef<'c, 'c>)>> {
    let named = |its| (emit::symbol(its).unwrap_or_default(), its);
    let found: Vec<_> = gpu_modules(root).into_iter().map(named).collect();
    ensure!(!found.is_empty(), "there is no gpu.module directly in the module; kernels are gpu.func ops in one");
    Ok(found)
}

/// Runs `body`, and takes the errors that it emits.
fn collecting<T>(
    context: &Context,
    location: Location,
    body: impl FnOnce() -> Result<T, Reported>,
) -> Result<T, Errors> {
    // Passes may run on threads of MLIR's.
    let errors = Arc::new(Mutex::new(vec![]));
    let list = errors.clone();
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let is_error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
        if is_error {
            list.lock().unwrap_or_else(PoisonError::into_inner).push(read(&diagnostic));
        }
        is_error
    });
    let outcome = body();
    context.detach_diagnostic_handler(handler);
    outcome.map_err(|_| {
        let mut all = std::mem::take(&mut *errors.lock().unwrap_or_else(PoisonError::into_inner));
        if all.is_empty() {
            let text = "failed without a word, which is a fault of ptx-tile".into();
            all.push(Error { location: place(location), text, notes: vec![] });
        }
        Errors(all)
    })
}

fn read(diagnostic: &Diagnostic) -> Error {
    let notes = (0..diagnostic.note_count()).filter_map(|index| Some(read(&diagnostic.note(index).ok()?)));
    Error { location: place(diagnostic.location()), text: diagnostic.to_string(), notes: notes.collect() }
}

fn place(location: Location) -> String {
    if !location.is_file_line_col_range() {
        return location.to_string();
    }
    let name = location.file_line_col_range_filename();
    let name = unsafe { crate::text(name.as_string_ref().to_raw()) };
    format!("{name}:{}:{}", location.file_line_col_range_start_line(), location.file_line_col_range_start_column())
}

/// Refuses tile code of a module where nothing would translate it.
pub fn refuse_host_code(root: OperationRef) -> Result<(), Reported> {
    let outside = ir::blocks(root).into_iter().flat_map(ir::ops_in).filter(|op| op_name(*op) != "gpu.module");
    let is_ours = |op: &OperationRef| ["tile.", "ptx."].iter().any(|dialect| op_name(*op).starts_with(dialect));
    let is_left_out = |op: &OperationRef| is_ours(op) || op_name(*op) == "gpu.module";
    match outside.flat_map(ir::ops).find(is_left_out) {
        Some(op) if op_name(op) == "gpu.module" => at_op(op, || {
            bail!(
                "is not directly in the module, and only those that are are translated; move it, or translate its module"
            )
        }),
        Some(op) => at_op(op, || {
            bail!(
                "is outside of every gpu.module, and only these are translated; symbol-dce takes out a private function that \
                 nothing calls any more"
            )
        }),
        None => Ok(()),
    }
}

/// The PTX of a `gpu.module` of `root`, which is taken out of it.
///
/// The options are those that [`pipeline::attach_target`] takes.
pub fn gpu_module(root: OperationRef, gpu_module: OperationRef, options: &Options) -> Result<String, Reported> {
    let module = lowered(root, gpu_module, options)?;
    let only = gpu_modules(module.as_operation());
    emit::ptx(only[0])
}

/// A module of a `gpu.module` of `root` alone, which is taken out of it: runs `tile-to-nvvm`, but for the stages that
/// find nothing to do. MLIR's conversions cost a step for each op, whatever it is.
pub fn lowered<'c>(
    root: OperationRef<'c, '_>,
    gpu_module: OperationRef,
    options: &Options,
) -> Result<Module<'c>, Reported> {
    let module = Module::new(root.location());
    // What the module says of data layout counts.
    for (name, value) in root.attributes() {
        unsafe {
            mlirOperationSetAttributeByName(
                module.as_operation().to_raw(),
                mlirIdentifierStr(name.to_raw()),
                value.to_raw(),
            )
        };
    }
    let moved = unsafe {
        mlirOperationRemoveFromParent(gpu_module.to_raw());
        module.body().append_operation(Operation::from_raw(gpu_module.to_raw()))
    };
    let target = pipeline::attach_target(options).map_err(|why| error(root.location(), &format!("{why:#}")))?;
    run(module.as_operation(), &target)?;
    // Those of now, where they are known.
    let mut dialects = None;
    for stage in pipeline::stages(options) {
        let mut is_there = |dialect: &&str| dialects.get_or_insert_with(|| dialects_in(moved)).contains(*dialect);
        let is_needed = |lowered: &[&str]| lowered.iter().any(&mut is_there);
        if stage.lowers.is_none_or(is_needed) {
            run(module.as_operation(), &format!("gpu.module({})", stage.pass))?;
            dialects = None;
        }
    }
    // Once: after each stage it would be the third part of all the time.
    if !module.as_operation().verify() {
        return Err(Reported);
    }
    Ok(module)
}

/// The dialects of the ops under `root`. The address of a memref is not counted: what is to be done about it is a matter
/// of the op that made the memref.
fn dialects_in(root: OperationRef) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut last = String::new();
    let counts = |op: &OperationRef| op_name(*op) != "memref.extract_aligned_pointer_as_index";
    for op in ir::ops(root).into_iter().skip(1).filter(counts) {
        let dialect = op_name(op).split('.').next().unwrap_or_default();
        // Most are of the dialect of the one before.
        if dialect != last {
            last = dialect.into();
            found.insert(last.clone());
        }
    }
    found
}

fn run(module: OperationRef, passes: &str) -> Result<(), Reported> {
    extern "C" fn ignore(_: MlirStringRef, _: *mut c_void) {}
    unsafe {
        let context = mlirOperationGetContext(module.to_raw());
        let manager = mlirPassManagerCreateOnOperation(context, reference("builtin.module"));
        mlirPassManagerEnableVerifier(manager, false);
        let list = mlirPassManagerGetAsOpPassManager(manager);
        let parsed = mlirOpPassManagerAddPipeline(list, reference(passes), Some(ignore), std::ptr::null_mut());
        assert!(parsed.value != 0, "MLIR reads {passes}");
        let run = mlirPassManagerRunOnOp(manager, module.to_raw());
        mlirPassManagerDestroy(manager);
        if run.value != 0 { Ok(()) } else { Err(Reported) }
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// For C and C++
//===------------------------------------------------------------------------------------------------------------===//

/// `PtxTileTarget` of passes-c.h.
#[repr(C)]
struct RawTarget {
    chip: MlirStringRef,
    ptx: MlirStringRef,
    level: u32,
    descriptors: bool,
}

/// Calls `each` with the name and the PTX of each `gpu.module`; what fails has emitted a diagnostic.
#[unsafe(no_mangle)]
unsafe extern "C" fn ptxTileEmitEach(
    module: MlirOperation,
    target: &RawTarget,
    only_one: bool,
    each: unsafe extern "C" fn(name: MlirStringRef, ptx: MlirStringRef, user: *mut c_void),
    user: *mut c_void,
) -> MlirLogicalResult {
    let own = |text| unsafe { crate::text(text) }.into_owned();
    let options = Options {
        chip: own(target.chip),
        ptx: own(target.ptx),
        level: if target.level == 0 { String::new() } else { target.level.to_string() },
        bare_pointers: !target.descriptors,
    };
    pass(module, |root| {
        for (name, ptx) in compile(root, &options, only_one)? {
            unsafe { each(reference(&name), reference(&ptx), user) };
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{context, parse};
    use std::cell::RefCell;
    use std::fs;
    use std::path::Path;
    use std::rc::Rc;

    const KERNEL: &str = "gpu.func @k(%out: memref<1x1xi32, 1>, %n: i32) kernel {
        %a = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
        tile.apply \"mov.b32\"(%a, %n) : memref<1x1xi32, #gpu.address_space<private>>, i32
        tile.apply \"st.global.b32\"(%out, %a) : memref<1x1xi32, 1>, memref<1x1xi32, #gpu.address_space<private>>
        gpu.return
      }";

    #[test]
    fn each_module_has_its_text_and_stays() {
        let context = context();
        let module = parse(&context, &format!("gpu.module @a {{ {KERNEL} }} gpu.module @b {{ {KERNEL} }}"));
        let before = module.as_operation().to_string();
        let each = emit_each(&module, &Target::chip("sm_80")).unwrap();
        assert_eq!(each.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(each.iter().all(|(_, ptx)| ptx.contains(".target sm_80") && ptx.contains("st.global.b32")));
        let why = emit_ptx(&module, &Target::default()).unwrap_err().to_string();
        assert!(why.contains("there are 2 gpu.modules (\"a\", \"b\"), and the PTX of one is asked for"), "{why}");
        assert_eq!(module.as_operation().to_string(), before);
    }

    /// A stage is left out where it would change nothing: the whole pipeline makes the same text.
    #[test]
    fn stages_that_are_left_out_change_nothing() {
        let context = context();
        let folders = ["../examples", "../test/gpu", "../test/interplay"];
        let files = folders.map(|folder| fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap());
        let paths = files.into_iter().flatten().map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "mlir"));
        let texts = paths.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()));
        // Expansion leaves such a loop of what is only done to registers that nobody reads.
        let loop_in_vain = KERNEL.replace("%a = ", "affine.for %i = 0 to 3 {} %a = ");
        let mut compared = 0;
        for (name, text) in texts.chain([("loop".into(), format!("gpu.module @m {{ {loop_in_vain} }}"))]) {
            let Some(module) = Module::parse(&context, &text) else { continue };
            let texts = emit_each(&module, &Target::default());
            let stages = pipeline::to_nvvm(&Target::default().options()).unwrap();
            if run(module.as_operation(), &stages).is_err() {
                continue;
            }
            let modules = gpu_modules(module.as_operation()).into_iter();
            let Ok(whole) = modules.map(emit::ptx).collect::<Result<Vec<_>, _>>() else { continue };
            let texts: Vec<String> = texts.unwrap_or_default().into_iter().map(|(_, text)| text).collect();
            assert_eq!(texts, whole, "{name}");
            compared += 1;
        }
        assert!(compared > 20, "only {compared} files have a program");
    }

    #[test]
    fn errors_say_what_and_where() {
        let context = context();
        let refused = |program: &str, target: &Target| emit_ptx(&parse(&context, program), target).unwrap_err();
        let none = refused("", &Target::default());
        assert!(none.to_string().contains("there is no gpu.module directly in the module"), "{none}");
        let outside = refused(
            &format!(
                "func.func @h() {{ %t = ptx.mov \"u32\" special \"tid.x\" : () -> i32\n return }}\n gpu.module @a {{ {KERNEL} }}"
            ),
            &Target::default(),
        );
        assert_eq!(outside.0.len(), 1, "{outside}");
        assert_eq!(outside.0[0].location, "-:1:23");
        assert!(outside.0[0].text.starts_with("'ptx.mov' op is outside of every gpu.module"), "{outside}");
        let level = Target { level: Some(9), ..Target::default() };
        let level = refused(&format!("gpu.module @a {{ {KERNEL} }}"), &level);
        assert!(level.to_string().contains("error: "), "{level}");
        // All of them, with their notes behind.
        let note = Error { location: "b".into(), text: "y".into(), notes: vec![] };
        let one = Error { location: "a".into(), text: "x".into(), notes: vec![note.clone()] };
        assert_eq!(Errors(vec![one, note]).to_string(), "a: error: x\nb: note: y\nb: error: y");
    }

    #[test]
    fn a_context_without_the_gpu_dialect_is_told() {
        let context = Context::new();
        context.set_allow_unregistered_dialects(true);
        let module = Module::parse(&context, "\"gpu.module\"() ({}) {sym_name = \"m\"} : () -> ()").unwrap();
        let why = emit_ptx(&module, &Target::default()).unwrap_err().to_string();
        assert!(why.ends_with("error: the gpu dialect is not registered in the context"), "{why}");
    }

    #[test]
    fn the_handler_of_the_context_hears_no_errors_and_is_back_afterwards() {
        let context = context();
        let heard = Rc::new(RefCell::new(0));
        let count = heard.clone();
        context.attach_diagnostic_handler(move |_| {
            *count.borrow_mut() += 1;
            true
        });
        let module = parse(&context, "");
        emit_ptx(&module, &Target::default()).unwrap_err();
        assert_eq!(*heard.borrow(), 0);
        error(Location::unknown(&context), "for the context");
        assert_eq!(*heard.borrow(), 1);
    }
}
