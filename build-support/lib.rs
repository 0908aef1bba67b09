//! What the build scripts of the workspace share.
//!
//! - LLVM 22 is found once, by `MLIR_SYS_220_PREFIX` as mlir-sys does; a missing one ends the build with what to do.
//! - C++ is compiled with LLVM's own clang++, as libMLIR was: with g++ the TypeIDs of op traits have other names, and a
//!   plugin's traits are unknown to stock `mlir-opt`.
//! - One MLIR in a process: everything links the shared libMLIR. Debian ships its C API only as archives, so a linker
//!   script named `libMLIR-C.so` stands in for the library that mlir-sys asks for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The major version of LLVM that all of ptx-tile is for.
const WANTED: &str = "22";

/// An installation of LLVM and MLIR 22.
pub struct Llvm {
    prefix: PathBuf,
    out: PathBuf,
}

impl Llvm {
    /// The installation that `MLIR_SYS_220_PREFIX` names, `/usr/lib/llvm-22` without it. `None` on docs.rs, which has
    /// no LLVM: the build script then has nothing to do. Ends the build where there is no LLVM 22.
    pub fn find() -> Option<Llvm> {
        println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
        println!("cargo:rerun-if-env-changed=DOCS_RS");
        if env::var_os("DOCS_RS").is_some() {
            return None;
        }
        let prefix = PathBuf::from(env::var_os("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
        for needed in ["bin/mlir-tblgen", "bin/clang++", "lib/libMLIR.so", "include/mlir/IR/OpBase.td"] {
            if !prefix.join(needed).exists() {
                fail(&format!(
                    "{} has no {needed}: install Debian's libmlir-22-dev, mlir-22-tools, llvm-22-dev, llvm-22-tools, \
                     libclang-22-dev, libpolly-22-dev and clang-22 (./dev setup does), or let MLIR_SYS_220_PREFIX name \
                     another LLVM 22",
                    prefix.display()
                ));
            }
        }
        let config = prefix.join("include/llvm/Config/llvm-config.h");
        println!("cargo:rerun-if-changed={}", config.display());
        let found = version(&fs::read_to_string(&config).unwrap_or_default());
        if found.split('.').next() != Some(WANTED) {
            fail(&format!("{} has LLVM {found}, and ptx-tile is for LLVM {WANTED}", prefix.display()));
        }
        Some(Llvm { prefix, out: PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")) })
    }

    /// MLIR's headers and `.td` files.
    pub fn include(&self) -> PathBuf {
        self.prefix.join("include")
    }

    /// LLVM's programs.
    pub fn bin(&self) -> PathBuf {
        self.prefix.join("bin")
    }

    /// LLVM's shared libraries.
    pub fn lib(&self) -> PathBuf {
        self.prefix.join("lib")
    }

    /// Runs `mlir-tblgen` with `generator` (its flags, separated by spaces) on `td` and writes `OUT_DIR/file`.
    pub fn tablegen(&self, td: &str, generator: &str, file: &str) {
        println!("cargo:rerun-if-changed={td}");
        let run = Command::new(self.prefix.join("bin/mlir-tblgen"))
            .args(generator.split(' '))
            .args([Path::new(td), Path::new("-I"), Path::new("."), Path::new("-I"), &self.include(), Path::new("-o")])
            .arg(self.out.join(file))
            .status();
        if !run.is_ok_and(|status| status.success()) {
            fail(&format!("mlir-tblgen {generator} failed on {td}"));
        }
    }

    /// Compiles C++ `files` into the static library `name`, with `includes` before MLIR's own.
    pub fn compile(&self, name: &str, files: &[&str], includes: &[&Path]) {
        let mut build = cc::Build::new();
        build
            .cpp(true)
            .compiler(self.prefix.join("bin/clang++"))
            .std("c++17")
            .opt_level(1)
            .include(&self.out)
            .includes(includes);
        // MLIR's headers are not ours to warn about.
        build.flag("-isystem").flag(self.include()).flags(["-fno-rtti", "-fno-exceptions", "-Wno-unused-parameter"]);
        // As libMLIR was: an assertion in its headers would end the process.
        build.define("NDEBUG", None);
        for file in files {
            println!("cargo:rerun-if-changed={file}");
            build.file(file);
        }
        build.compile(name);
    }

    /// Makes what this package builds link to and find the shared libMLIR.
    pub fn link(&self) {
        let lib = self.lib();
        if !lib.join("libMLIR-C.so").exists() {
            fs::write(self.out.join("libMLIR-C.so"), c_api_script(&lib)).expect("OUT_DIR is writable");
        }
        println!("cargo:rustc-link-search={}", self.out.display());
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", lib.display());
    }
}

/// `22.1.8`, as `llvm-config.h` says.
fn version(header: &str) -> String {
    let define = "#define LLVM_VERSION_STRING ";
    let text = header.lines().find_map(|line| line.strip_prefix(define)).unwrap_or("of no known version");
    text.trim_matches('"').into()
}

/// A linker script that is the archives of MLIR's C API over the shared libraries.
fn c_api_script(lib: &Path) -> String {
    let mut archives: Vec<String> = fs::read_dir(lib)
        .expect("LLVM's lib folder is readable")
        .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
        .filter(|path| path.contains("/libMLIRCAPI") && path.ends_with(".a"))
        .collect();
    archives.sort();
    format!("GROUP ( {} AS_NEEDED ( -lMLIR -lLLVM ) )\n", archives.join(" "))
}

/// Ends the build script with one line instead of a backtrace.
fn fail(why: &str) -> ! {
    eprintln!("error: {why}");
    std::process::exit(1)
}
