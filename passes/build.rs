//! Generates the pass classes from passes.td and compiles the C++.

use ptx_tile_build::Llvm;
use std::{env, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let Some(llvm) = Llvm::find() else { return };
    llvm.tablegen("passes.td", "-gen-pass-decls -name=Tile", "Passes.h.inc");
    for header in ["machine.h", "passes.h", "passes-c.h", "shared.h"] {
        println!("cargo:rerun-if-changed={header}");
    }
    let dialect = |what| env::var(what).expect("ptx-tile-dialect says where its headers are");
    let (headers, generated) = (dialect("DEP_PTX_TILE_INCLUDE"), dialect("DEP_PTX_TILE_GENERATED"));
    llvm.compile(
        "ptx_tile_passes",
        &[
            "passes.cpp",
            "b128.cpp",
            "copies.cpp",
            "fold.cpp",
            "loops.cpp",
            "lowering.cpp",
            "nvptx.cpp",
            "parts.cpp",
            "ranges.cpp",
            "remarks.cpp",
        ],
        &[Path::new("."), Path::new(&headers), Path::new(&generated)],
    );
    llvm.link();
    println!("cargo:include={}", env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    println!("cargo:lib={}", llvm.lib().display());
}
