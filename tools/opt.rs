//! `tile-opt`: MLIR's opt tool with everything of MLIR and ours registered, and `--list-instructions`.

mod list;
mod program;

use ptx_tile as _; // the mains
use std::ffi::{c_char, c_int};
use std::process::ExitCode;

unsafe extern "C" {
    fn ptxTileOptMain(argc: c_int, argv: *mut *mut c_char, version: *const c_char) -> c_int;
}

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    match list::asked(arguments) {
        Some(patterns) => list::list(&patterns),
        None => program::run(|argc, argv| unsafe { ptxTileOptMain(argc, argv, program::VERSION) }),
    }
}
