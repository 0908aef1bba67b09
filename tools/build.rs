//! Compiles the mains and links what is built to the shared libMLIR.

use ptx_tile_build::Llvm;
use std::{env, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let Some(llvm) = Llvm::find() else { return };
    let passes = env::var("DEP_PTX_TILE_PASSES_INCLUDE").expect("ptx-tile-passes says where its headers are");
    llvm.compile("ptx_tile_mains", &["mains.cpp"], &[Path::new(&passes)]);
    llvm.link();
}
