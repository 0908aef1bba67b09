//! Random inputs: whatever is read, what comes of it is a result or a diagnostic.
//!
//! - opcode.rs, layout.rs and legality.rs check what they say of any bytes, in this process; cargo-fuzz runs them too,
//!   from the folder `libfuzzer`.
//! - programs.rs gives mutated programs to our programs.
//! - `./dev fuzz` runs all for long. `FUZZ_SECONDS` asks for more time than the second that each has here, `FUZZ_SEED`
//!   for other inputs.

#[path = "fuzz/any_layout.rs"]
mod any_layout;
#[path = "fuzz/judge.rs"]
mod judge;
#[path = "fuzz/layout.rs"]
mod layout;
#[path = "fuzz/legality.rs"]
mod legality;
#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/opcode.rs"]
mod opcode;
#[path = "fuzz/planted.rs"]
mod planted;
#[path = "fuzz/programs.rs"]
mod programs;
#[path = "fuzz/pure.rs"]
mod pure;
#[path = "fuzz/said.rs"]
mod said;

use judge::Kind;
use programs::Fuzz;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

fn time() -> Duration {
    Duration::from_secs(number("FUZZ_SECONDS").unwrap_or(1))
}

fn seed() -> u64 {
    number("FUZZ_SEED").unwrap_or(0)
}

/// The folder of tests.
fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates are in the repository").join("test")
}

/// A folder for what makes a part fail.
fn kept(part: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in target").join("fuzz").join(part);
    fs::create_dir_all(&folder).unwrap_or_else(|why| panic!("cannot make {}: {why}", folder.display()));
    folder
}

/// MLIR's own.
fn mlir_opt() -> PathBuf {
    Path::new(&env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into())).join("bin/mlir-opt")
}

fn holds(target: &str) {
    match pure::run(&*pure::body(target), &tests().join("fuzz/corpus").join(target), time(), seed()) {
        Ok(tried) => println!("{target}: {tried} inputs tried, 0 faults"),
        Err((input, why)) => {
            let file = kept(target).join("fault");
            fs::write(&file, input).expect("target can be written");
            panic!("{why}\nthe input is in {}", file.display());
        }
    }
}

#[test]
fn opcodes() {
    holds("opcode");
}

#[test]
fn layouts() {
    holds("layout");
}

#[test]
fn legal_and_illegal_ops() {
    holds("legality");
}

#[test]
fn programs() {
    let programs = [
        ("tile-opt", env!("CARGO_BIN_EXE_tile-opt").into()),
        ("tile-translate", env!("CARGO_BIN_EXE_tile-translate").into()),
    ];
    let found = Fuzz::new(&tests(), programs, mlir_opt(), &kept("programs")).run(time(), seed());
    println!("{}", found.text());
    assert!(found.tried > 0 && found.ours.is_empty(), "programs show faults, see above");
}

/// What is told apart as MLIR's own, stock mlir-opt does on an input without an op of ours.
#[test]
fn what_is_known_is_mlirs_own() {
    let known = programs::known(&tests().join("fuzz/known"));
    assert!(!known.is_empty());
    let folder = kept("known");
    for known in known {
        let (input, path) = (folder.join("input.mlir"), known.path.display());
        assert!(!known.input.contains("tile.") && !known.input.contains("ptx."), "{path} has ops of ours");
        known.write(&mlir_opt(), &input).unwrap_or_else(|why| panic!("{path}: {why}"));
        let path_of_input = input.to_str().expect("the path of a checkout is text");
        let arguments: Vec<&str> = known.arguments.iter().map(String::as_str).collect();
        let fault = || {
            let all = [&arguments[..], &[path_of_input]].concat();
            let fault = judge::run(&mlir_opt(), &all, judge::LIMITS, &folder).expect("mlir-opt can be run").fault;
            match known.fault.kind {
                Kind::RoundTrip if fault.is_none() => {
                    judge::again(&mlir_opt(), &arguments, judge::LIMITS, &folder).expect("mlir-opt can be run")
                }
                _ => fault,
            }
        };
        // Some depend on what memory happens to hold.
        let mut faults = std::iter::repeat_with(fault).take(100);
        assert!(faults.any(|fault| fault.is_some_and(|fault| known.has(&fault))), "{path}: not what mlir-opt does");
    }
}
