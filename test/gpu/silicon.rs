//! Instructions on a GPU against the primitives of their records: kernels and expectations for run.py of the GPU tests.
//!
//! - A sample of spellings covers every form and every token of it that the chip has. Each is a kernel in which a
//!   thread executes it once, on its own inputs: edge values of the types, asymmetric, so that swapped operands show.
//! - Expected is what semantics.rs gives, bit by bit where it defines them; of approximations, f64 arithmetic within
//!   the error that the ISA allows (approximate.rs).
//! - `SILICON=DIR` writes the tests beside those that pack.py makes, for `SILICON_CHIP` or sm_90. Without it they are
//!   written to a scratch folder and assembled, so that the writer itself is tested where there is no GPU.

#[path = "silicon/approximate.rs"]
mod approximate;
#[path = "silicon/kernel.rs"]
mod kernel;
#[path = "silicon/values.rs"]
mod values;

use kernel::Kernel;
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Variant};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests are for.
fn chip() -> String {
    std::env::var("SILICON_CHIP").unwrap_or("sm_90".into())
}

#[test]
fn silicon() {
    let given = std::env::var_os("SILICON").map(PathBuf::from);
    let folder = given.clone().unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("silicon"));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut tests, mut left_out) = (vec![], vec![]);
    for instruction in INSTRUCTIONS {
        let (kernels, without): (Vec<_>, Vec<_>) =
            sample(instruction).iter().flat_map(kernels).partition(Result::is_ok);
        left_out.extend(without.into_iter().filter_map(Result::err));
        let kernels: Vec<Kernel> = kernels.into_iter().flatten().collect();
        if kernels.is_empty() {
            continue;
        }
        let name = format!("silicon_{}", instruction.mnemonic);
        compile(&kernels, &folder.join(format!("{name}.ptx")));
        tests.extend(kernels.iter().enumerate().map(|(number, kernel)| kernel.test(&name, number)));
    }
    std::fs::write(folder.join("silicon.json"), format!("[{}]\n", tests.join(",\n"))).unwrap();
    left_out.iter().for_each(|why| println!("left out: {why}"));
    println!("{} kernels for {} in {}", tests.len(), chip(), folder.display());
    assert!(tests.len() > 10);
}

/// The kernel of a spelling; where registers may be wider than their types, another with wide ones.
fn kernels(variant: &Variant) -> Vec<Result<Kernel, String>> {
    let has_wide = variant.form.operands.iter().any(|operand| variant.type_of(operand).maybe_wider);
    let of = |widest| Kernel::of(variant.clone(), widest);
    if has_wide { vec![of(false), of(true)] } else { vec![of(false)] }
}

/// Spellings that cover each token of each form, with what the chip has.
fn sample(instruction: &'static Instruction) -> Vec<Variant> {
    let (chip, mut seen) = (chip(), HashSet::new());
    let mut is_new = |variant: &Variant| {
        let form: *const _ = variant.form;
        let tokens: Vec<_> = variant.tokens.iter().map(|token| token.map(|it| it.text)).enumerate().collect();
        tokens.into_iter().filter(|token| seen.insert((form, *token))).count() > 0
    };
    instruction.variants().filter(|variant| variant.needs().has(&chip) && is_new(variant)).collect()
}

/// The kernels of one instruction as a user would have them compiled.
fn compile(kernels: &[Kernel], ptx: &Path) {
    let text: String = kernels.iter().enumerate().map(|(number, kernel)| kernel.text(number)).collect();
    let mlir = ptx.with_extension("mlir");
    std::fs::write(&mlir, format!("gpu.module @silicon {{\n{text}}}\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tile-translate"))
        .args(["--mlir-to-ptx", "--chip", &chip()])
        .arg(&mlir)
        .arg("-o")
        .arg(ptx)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {}", mlir.display(), String::from_utf8_lossy(&output.stderr));
}
