//! ptxas takes what the records have, and nothing near it that they have not.
//!
//! - Each spelling of each form, with its types and clauses, is assembled for each of its least targets. The way is
//!   that of a user: `ptx` ops, `tile-translate`, ptxas.
//! - What raises the least target does so: ptxas refuses one PTX version, one SM or another chip than needed.
//! - ptxas refuses near misses, but for what a record refuses by choice and says why; and it takes something of each
//!   that a record refuses so.
//! - Here a sample is looked at, which has each form, token, type and kind of clause; `./dev certify` looks at all, or at
//!   all of some instructions, and it alone can tell that ptxas takes nothing of what is refused.
//! - The tests are tested: what is planted is found, and legal instructions are taken in the notation of the near
//!   misses.

#[path = "variants/certify.rs"]
mod certify;
#[path = "variants/converse.rs"]
mod converse;
#[path = "variants/jobs.rs"]
mod jobs;
#[path = "variants/module.rs"]
mod module;
#[path = "variants/plan.rs"]
mod plan;
#[path = "ptxas.rs"]
mod ptxas;

use converse::Findings;
use module::Op;
use plan::enumerate::{self, Case};
use plan::misses::{self, Miss};
use plan::needs::{self, Trial};
use plan::targets::{self, CHIPS, Target};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Refused};

/// `./dev certify`, of the instructions that `CERTIFY` names, or of all.
#[test]
#[ignore = "takes minutes: ./dev certify"]
fn certify() {
    let names = std::env::var("CERTIFY").unwrap_or_default();
    let names: Vec<&str> = names.split_whitespace().collect();
    let unknown = names.iter().find(|name| !INSTRUCTIONS.iter().any(|it| it.mnemonic == **name));
    assert_eq!(unknown, None, "is no instruction of the records");
    let is_asked = |it: &Instruction| names.is_empty() || names.contains(&it.mnemonic);

    let cases: Vec<Case> = enumerate::cases().into_iter().filter(|case| is_asked(case.variant.instruction)).collect();
    let (ops, mut faults) = certify::assemble(&cases);
    let needs = needs::trials(&cases);
    faults.extend(certify::one_less(&needs.trials));
    let misses: Vec<Miss> = misses::misses().into_iter().filter(|miss| is_asked(miss.instruction)).collect();
    let taken = converse::taken(&misses);
    let ignored = converse::ignored();
    let refused = |it: &'static Instruction| if is_asked(it) { it.refused } else { &[] };
    let Findings { open, stale } = converse::judge(&taken, &ignored, refused);
    faults.extend(taken.iter().filter(|miss| miss.is_read()).map(|miss| format!("{miss} is legal after all")));
    faults.extend(open.into_iter().map(|miss| format!("ptxas takes {miss}, which no record has or refuses")));
    faults.extend(stale.into_iter().map(|refused| format!("ptxas takes nothing of what is refused of {refused}")));

    if names.is_empty() {
        let counts = plan::counts();
        assert_eq!((ops, needs.trials.len(), misses.len()), (counts.ops, counts.trials, counts.misses));
        println!("\n{counts}");
    }
    println!("Not shown, as a chip or the oldest target hides it, or another part of each op asks for as much:");
    needs.hidden.iter().for_each(|hidden| println!("  {hidden}"));
    println!(
        "{} near misses are taken and refused by choice; ptxas looks at none of the words {ignored:?}",
        taken.len()
    );
    println!("{} faults", faults.len());
    faults.iter().for_each(|fault| println!("  {fault}"));
    assert!(faults.is_empty(), "{} faults, see above", faults.len());
}

#[test]
fn ptxas_takes_a_sample_of_the_ops() {
    let cases = enumerate::cases();
    let sample = enumerate::sample(&cases);
    assert!(20 * sample.len() < cases.len(), "{} of {}", sample.len(), cases.len());
    let (_, faults) = certify::assemble(&sample);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn ptxas_refuses_one_version_sm_or_chip_less() {
    let trials = needs::trials(&enumerate::cases()).trials;
    assert!(trials.len() > 100, "{}", trials.len());
    let faults = certify::one_less(&trials);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn ptxas_refuses_a_sample_of_the_near_misses() {
    let sample = misses::sample(&misses::misses());
    assert!(sample.iter().all(|miss| !miss.is_read()), "what is legal is no near miss");
    let taken = converse::taken(&sample);
    let Findings { open, .. } = converse::judge(&taken, &converse::ignored(), |instruction| instruction.refused);
    assert!(open.is_empty(), "no record has or refuses what ptxas takes:\n{}", open.join("\n"));
}

#[test]
fn chips_and_their_versions_are_those_of_ptxas() {
    let takes = |target: Target| {
        let kernel = [".address_size 64", ".entry k() { ret; }"].map(String::from);
        let lines = [targets::header(target).to_vec(), kernel.to_vec()].concat();
        let verdict = ptxas::assemble(lines, target.chip);
        verdict.refused.is_empty() && verdict.rest.is_none()
    };
    for (chip, ptx) in CHIPS {
        assert!(takes(Target { chip, ptx }), "{chip}");
        let before = targets::version_before(ptx);
        assert!(before.is_none_or(|ptx| !takes(Target { chip, ptx })), "{chip}");
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// The tests are tested
//===------------------------------------------------------------------------------------------------------------===//

/// The first op without a clause of a spelling.
fn plain(opcode: &str) -> Case {
    let cases = enumerate::cases();
    *cases.iter().find(|case| case.variant.to_string() == opcode).expect("a record has it")
}

#[test]
fn a_planted_op_is_found_among_others() {
    let target = Target { chip: "sm_75", ptx: 63 };
    let good = Op::of(&plain("mov.b32"));
    for (planted, complaint) in [
        // What no record has, as the asm that it would be.
        ("%r = llvm.inline_asm has_side_effects \"mov.b8 $0, $1;\", \"=h,h\" %i8 : (i8) -> i8", "mov.b8"),
        ("%r = llvm.inline_asm has_side_effects \"mov.u64 $0, %laneid;\", \"=l\" : () -> i64", "mov.u64"),
        ("%r = llvm.inline_asm has_side_effects \"mov.u64 $0, nosuch;\", \"=l\" : () -> i64", "nosuch"),
        // What LLVM writes as it is told and ptxas cannot read.
        ("%r = llvm.inline_asm has_side_effects \"mov.b32 $0, {$0;\", \"=r\" : () -> i32", "mov.b32"),
        // What the verifier refuses, and the parser.
        ("%r = ptx.mov \"b8\" %i8 : (i8) -> i8", "b8"),
        ("%r = ptx.mov \"b32\" %i8 pred : (i8) -> i8", "expected"),
    ] {
        let planted = Op::raw(planted);
        let ops = [&good, &good, &planted, &good];
        let failed = module::assemble(&ops, target);
        assert_eq!(failed.keys().collect::<Vec<_>>(), [&2], "{failed:?}");
        assert!(failed[&2].contains(complaint), "{failed:?}");
    }
}

#[test]
fn a_need_that_is_none_is_found() {
    let case = plain("mov.b32");
    let trial = |less| Trial { case, less, asked: "a planted record asks for more".into() };
    let newer = trial(Target { chip: "sm_80", ptx: 70 });
    assert_eq!(
        certify::one_less(&[newer]),
        ["ptxas takes mov.b32 for sm_80 and PTX 7.0, but a planted record asks for more"]
    );
}

#[test]
fn what_is_not_refused_by_choice_is_found_and_what_is_so_in_vain() {
    static VAIN: [Refused; 1] = [Refused { opcode: "mov.b8", operands: "", reason: "planted" }];
    let of_mov: Vec<Miss> = misses::misses().into_iter().filter(|miss| miss.instruction.mnemonic == "mov").collect();
    let taken = converse::taken(&of_mov);
    let findings = converse::judge(&taken, &converse::ignored(), |instruction| match instruction.mnemonic {
        "mov" => &VAIN,
        _ => &[],
    });
    assert!(findings.open.contains(&"mov.b128 b128, b128".into()), "{:?}", findings.open);
    assert_eq!(findings.stale, ["mov: mov.b8"]);
}

#[test]
fn legal_instructions_are_taken_as_near_misses_are_written() {
    let legal: Vec<Miss> = enumerate::sample(&enumerate::cases()).iter().map(|case| Miss::none(case.variant)).collect();
    assert!(legal.iter().all(Miss::is_legal));
    assert_eq!(converse::taken(&legal).len(), legal.len());
}
