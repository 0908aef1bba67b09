//! Runs the lit suite from `cargo test`, with the programs that Cargo has just built.

use std::{fs, path::Path, process::Command, time::SystemTime};

#[test]
fn lit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_tile-opt")).parent().unwrap();
    let lit = root.join(".venv/bin/lit");
    assert!(lit.exists(), "lit is not installed in .venv: run ./dev setup");
    assert!(plugin_is_fresh(programs), "no libptx_tile.so as new as its sources: run cargo build first, or ./dev test");

    // lit inherits standard output, past the capture of Rust's tests: its counts show even when all is well.
    let mut suite = Command::new(lit);
    suite.arg("-v").arg(format!("-Dprograms={}", programs.display())).arg(root.join("test"));
    let passed = suite.status().expect("lit can be started").success();
    assert!(passed, "lit failed: see its output above; ./dev test REGEX runs the lit tests that match");
}

/// For a test Cargo builds the programs but leaves an old plugin where it is (tried with 1.95), which lit would then
/// test. What the plugin was made from is in the dependency file that Cargo writes beside it.
fn plugin_is_fresh(programs: &Path) -> bool {
    let modified = |file: &Path| fs::metadata(file).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let built = modified(&programs.join("libptx_tile.so"));
    let sources = fs::read_to_string(programs.join("libptx_tile.d")).unwrap_or_default();
    built > SystemTime::UNIX_EPOCH && sources.split_whitespace().skip(1).all(|file| modified(Path::new(file)) <= built)
}
