//! `tile-reduce`: MLIR's reducer of failing programs, with everything of MLIR and ours registered.

mod program;

use ptx_tile as _; // the mains
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn ptxTileReduceMain(argc: c_int, argv: *mut *mut c_char, version: *const c_char) -> c_int;
}

fn main() {
    program::run(|argc, argv| unsafe { ptxTileReduceMain(argc, argv, program::VERSION) })
}
