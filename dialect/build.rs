//! Generates the C++ classes and the Rust instruction table from the records, and compiles the C++.

use ptx_tile_build::Llvm;
use std::{env, fs, path::Path};

#[allow(dead_code, reason = "the library uses the rest")]
mod element;
mod records;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=ptx");
    let Some(llvm) = Llvm::find() else { return };
    for (td, generator, file) in [
        ("tile.td", "-gen-dialect-decls -dialect=tile", "TileDialect.h.inc"),
        ("tile.td", "-gen-dialect-defs -dialect=tile", "TileDialect.cpp.inc"),
        ("tile.td", "-gen-enum-decls", "TileEnums.h.inc"),
        ("tile.td", "-gen-enum-defs", "TileEnums.cpp.inc"),
        ("tile.td", "-gen-attrdef-decls -attrdefs-dialect=tile", "TileAttrs.h.inc"),
        ("tile.td", "-gen-attrdef-defs -attrdefs-dialect=tile", "TileAttrs.cpp.inc"),
        ("tile.td", "-gen-op-decls", "TileOps.h.inc"),
        ("tile.td", "-gen-op-defs", "TileOps.cpp.inc"),
        ("ptx.td", "-gen-dialect-decls -dialect=ptx", "PtxDialect.h.inc"),
        ("ptx.td", "-gen-dialect-defs -dialect=ptx", "PtxDialect.cpp.inc"),
        ("ptx.td", "-gen-op-decls", "PtxOps.h.inc"),
        ("ptx.td", "-gen-op-defs", "PtxOps.cpp.inc"),
    ] {
        llvm.tablegen(td, generator, file);
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let include = llvm.include();
    fs::write(Path::new(&out).join("axes.rs"), records::axes("tile.td", &include)).expect("OUT_DIR is writable");
    fs::write(Path::new(&out).join("instructions.rs"), records::instructions("ptx.td", &include))
        .expect("OUT_DIR is writable");

    for header in ["dialect.h", "dialect-c.h", "syntax.h"] {
        println!("cargo:rerun-if-changed={header}");
    }
    llvm.compile("ptx_tile_dialect", &["dialect.cpp"], &[Path::new(".")]);
    llvm.link();
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo:include={here}");
    println!("cargo:generated={out}");
}
