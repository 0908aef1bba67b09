//! Lets the program find the shared libMLIR when it runs: Debian has it in no folder that the loader looks at.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let lib = std::env::var("DEP_PTX_TILE_PASSES_LIB").expect("ptx-tile-passes says where libMLIR is");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{lib}");
}
