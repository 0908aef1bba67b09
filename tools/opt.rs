//! `tile-opt`: MLIR's opt tool with everything of MLIR and ours registered.

mod program;

use ptx_tile as _; // the mains
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn ptxTileOptMain(argc: c_int, argv: *mut *mut c_char, version: *const c_char) -> c_int;
}

fn main() {
    program::run(|argc, argv| unsafe { ptxTileOptMain(argc, argv, program::VERSION) })
}
