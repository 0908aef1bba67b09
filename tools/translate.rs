//! `tile-translate`: MLIR's translation tool with everything of MLIR registered, `--mlir-to-ptx`, and the drawings of
//! layouts.rs. Of `--mlir-to-ptx`:
//!
//! - A `gpu.module` is translated by itself: what else is in the file, host code for example, has no part in it.
//! - Standard output takes the PTX of one `gpu.module`; `--output-dir` takes a file each.
//! - Nothing is written before everything has been translated.

mod draw;
mod draw_svg;
mod draw_text;
mod layouts;
mod program;

use anyhow::{Context as _, Result, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use mlir_sys::*;
use ptx_tile as _; // the mains
use ptx_tile_dialect::verify::panic_text;
use ptx_tile_passes::pipeline::{self, Options};
use ptx_tile_passes::{Reported, compile, error, quoted};
use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, slice};

/// The options of `--mlir-to-ptx`, as mains.cpp parses them; empty text where one is not given.
#[repr(C)]
struct RawOptions {
    chip: MlirStringRef,
    ptx: MlirStringRef,
    level: MlirStringRef,
    module: MlirStringRef,
    output_dir: MlirStringRef,
    bare_pointers: bool,
    has_output_file: bool,
}

type Translate = unsafe extern "C" fn(MlirOperation, &RawOptions, MlirStringCallback, *mut c_void) -> MlirLogicalResult;

unsafe extern "C" {
    fn ptxTileTranslateMain(
        argc: c_int,
        argv: *mut *mut c_char,
        version: *const c_char,
        to_ptx: Translate,
        draw: layouts::Draw,
    ) -> c_int;
}

fn main() {
    program::run(|argc, argv| unsafe { ptxTileTranslateMain(argc, argv, program::VERSION, translate, layouts::draw) })
}

/// What mains.cpp calls for PTX.
unsafe extern "C" fn translate(
    root: MlirOperation,
    options: &RawOptions,
    print: MlirStringCallback,
    user: *mut c_void,
) -> MlirLogicalResult {
    unsafe { answer(root, print, user, |root| options.read().translate(root)) }
}

/// Prints the text that a translation makes of a module. What fails has emitted a diagnostic; a panic is one here.
///
/// # Safety
///
/// The module lives, and `print` takes `user`.
unsafe fn answer(
    root: MlirOperation,
    print: MlirStringCallback,
    user: *mut c_void,
    translate: impl FnOnce(OperationRef) -> Result<Option<String>, Reported>,
) -> MlirLogicalResult {
    let root = unsafe { OperationRef::from_raw(root) };
    let location = root.location();
    let translated = catch_unwind(AssertUnwindSafe(|| translate(root)));
    let translated =
        translated.unwrap_or_else(|panic| Err(error(location, &format!("internal error: {}", panic_text(&*panic)))));
    if let (Ok(Some(text)), Some(print)) = (&translated, print) {
        unsafe { print(MlirStringRef { data: text.as_ptr().cast(), length: text.len() }, user) }
    }
    MlirLogicalResult { value: translated.is_ok().into() }
}

/// Text of an option.
///
/// # Safety
///
/// It lives.
unsafe fn text(text: MlirStringRef) -> String {
    match text.length {
        0 => String::new(),
        length => String::from_utf8_lossy(unsafe { slice::from_raw_parts(text.data.cast(), length) }).into_owned(),
    }
}

/// The options of `--mlir-to-ptx`.
struct Translation {
    pipeline: Options,
    module: String,
    output_dir: String,
    has_output_file: bool,
}

impl RawOptions {
    /// # Safety
    ///
    /// The texts live.
    unsafe fn read(&self) -> Translation {
        let text = |option| unsafe { text(option) };
        Translation {
            pipeline: Options {
                chip: text(self.chip),
                ptx: text(self.ptx),
                level: text(self.level),
                bare_pointers: self.bare_pointers,
            },
            module: text(self.module),
            output_dir: text(self.output_dir),
            has_output_file: self.has_output_file,
        }
    }
}

impl Translation {
    /// The text for standard output, if any.
    fn translate(&self, root: OperationRef) -> Result<Option<String>, Reported> {
        let at_root = |why: anyhow::Error| error(root.location(), &format!("{why:#}"));
        pipeline::attach_target(&self.pipeline).map_err(at_root)?;
        let chosen = self.choose(root).map_err(at_root)?;
        compile::refuse_host_code(root)?;

        let compiled = chosen
            .into_iter()
            .map(|(name, gpu_module)| Ok((name, compile::gpu_module(root, gpu_module, &self.pipeline)?)));
        let mut texts = compiled.collect::<Result<Vec<_>, _>>()?;
        if self.output_dir.is_empty() {
            return Ok(texts.pop().map(|(_, text)| text));
        }
        self.write(&texts).map_err(at_root)?;
        Ok(None)
    }

    /// The `gpu.module` ops to translate, by name: one where there is no folder for several.
    fn choose<'c>(&self, root: OperationRef<'c, '_>) -> Result<Vec<(String, OperationRef<'c, 'c>)>> {
        let mut found = compile::named_modules(root)?;
        let names: Vec<String> = found.iter().map(|(name, _)| quoted(name)).collect();
        let names = names.join(", ");
        if !self.module.is_empty() {
            found.retain(|(name, _)| *name == self.module);
            ensure!(!found.is_empty(), "there is no gpu.module {}; there is {names}", quoted(&self.module));
        }
        if self.output_dir.is_empty() {
            ensure!(
                found.len() == 1,
                "there are {} gpu.modules ({names}); --module NAME translates one, --output-dir DIR writes a file each",
                found.len()
            );
            return Ok(found);
        }
        ensure!(!self.has_output_file, "--output-dir and -o exclude each other");
        for (name, _) in &found {
            let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$-.".contains(&byte));
            let is_file_name = is_plain && !name.starts_with('.') && (1..=200).contains(&name.len());
            ensure!(
                is_file_name,
                "gpu.module {} is no file name; --module translates it to standard output",
                quoted(name)
            );
        }
        Ok(found)
    }

    /// A file for each; with --split-input-file, this comes again for each part of the input.
    fn write(&self, texts: &[(String, String)]) -> Result<()> {
        static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Path::new(&self.output_dir);
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", quoted(&self.output_dir)))?;
        for (name, text) in texts {
            let path = folder.join(format!("{name}.ptx"));
            ensure!(
                written.insert(path.clone()),
                "an earlier part of the input has a gpu.module {} too, whose file this one would take; give them different names",
                quoted(name)
            );
            fs::write(&path, text).with_context(|| format!("cannot write {}", quoted(&path.to_string_lossy())))?;
        }
        Ok(())
    }
}
