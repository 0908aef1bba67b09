//! Compiles the mains and links what is built to the shared libMLIR.

use ptx_tile_build::Llvm;
use std::{env, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let Some(llvm) = Llvm::find() else { return };
    let passes = env::var("DEP_PTX_TILE_PASSES_INCLUDE").expect("ptx-tile-passes says where its headers are");
    llvm.compile("ptx_tile_mains", &["mains.cpp", "host.cpp", "stack.cpp"], &[Path::new(&passes)]);
    llvm.link();
    println!("cargo:rerun-if-changed=exports.map");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let version = |part| env::var(format!("CARGO_PKG_VERSION_{part}")).expect("cargo sets the version");
    // rustc hides all that is not Rust's by a version script of its own; lld reads two, GNU ld does not.
    for argument in [
        "-fuse-ld=lld".into(),
        format!("-B{}", llvm.bin().display()),
        format!("-Wl,--version-script={here}/exports.map"),
        format!("-Wl,-soname,libptx_tile.so.{}.{}", version("MAJOR"), version("MINOR")),
    ] {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
}
