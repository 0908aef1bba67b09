//! Programs of whole blocks mean the same after expansion, and what tile-check says of ownership is so.
//!
//! - Random programs (whole.rs) run as written, where each thread finds out by itself who it is and what it has, and as
//!   expanded.
//! - Programs with a layout that is likely wrong: of those that tile-check accepts no thread touches what another has,
//!   and of those that it refuses one does. No run can find what tile-check refuses because the program does not say it
//!   or says it twice: an axis of the grid (R56), axes that count the same threads (R45), the owner of a sunk word (R94),
//!   and threads that are active and never come by. The programs here have none of that.
//! - The test is tested: faults planted into the coordinates and guards of expanded programs are found.

use super::mlir::{Mlir, Numbers, Pass, buffer, difference, outcome, runner};
use super::tile::Choices;
use super::whole::{Statement, Whole, program};
use super::{Fault, planted};
use melior::ir::Module;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use ptx_tile_passes::execute::Buffer;
use std::cell::RefCell;

pub fn run(mlir: &Mlir, module: &Module, program: &Whole) -> Result<Vec<Buffer>, String> {
    let mut numbers = Numbers(0x1357_9bdf_2468_ace1);
    let arguments = program.memory.iter().map(|memory| buffer(memory.size, memory.alignment, &mut numbers));
    mlir.run(module, &program.launch, arguments.collect())
}

/// What is done to a program, one pass after another.
const WAYS: [&[Pass]; 3] = [
    &[Pass::Expand { forward: true }],
    &[Pass::Expand { forward: false }],
    // As users may do (D33).
    &[Pass::Simplify, Pass::Expand { forward: true }, Pass::Simplify],
];

/// Runs a program as it is and in every way.
pub fn agrees(mlir: &Mlir, program: &Whole) -> Result<Vec<Buffer>, String> {
    let parsed = mlir.parse(&program.text)?;
    let meaning = run(mlir, &parsed, program)?;
    for passes in WAYS {
        let way = |why: String| format!("after {passes:?}: {why}");
        let module = mlir.after(&parsed, passes).map_err(way)?;
        let memory = run(mlir, &module, program).map_err(way)?;
        if let Some(difference) = difference(&meaning, &memory) {
            return Err(way(format!("{difference}\n{}", module.as_operation())));
        }
    }
    Ok(meaning)
}

pub fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(proptest::array::uniform::<_, 48>(any::<u16>()), 2..14)
}

#[test]
fn blocks_mean_the_same_after_expansion() {
    let mlir = Mlir::new();
    let counts = RefCell::new([0; 5]);
    let found = runner(80).run(&statements(), |statements| {
        let program = program(&statements, true);
        agrees(&mlir, &program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text)))?;
        let mut counts = counts.borrow_mut();
        for (count, what) in counts.iter_mut().zip(["tile.apply", " scope(", "tile.where", "tile.swizzle", "shared."]) {
            *count += program.text.matches(what).count();
        }
        Ok(())
    });
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
    let [applies, scopes, wheres, swizzles, shared] = counts.into_inner();
    println!("{applies} tile.apply, {scopes} over threads, {shared} in shared memory");
    println!("{wheres} tile.where, {swizzles} swizzles");
}

//===------------------------------------------------------------------------------------------------------------===//
// The test is tested
//===------------------------------------------------------------------------------------------------------------===//

/// The other of two texts that a line has one of.
fn turned(line: &str, one: &str, other: &str) -> Option<String> {
    match (line.contains(one), line.contains(other)) {
        (true, _) => Some(line.replacen(one, other, 1)),
        (_, true) => Some(line.replacen(other, one, 1)),
        _ => None,
    }
}

/// What the coordinates and the guards of an expansion may get wrong.
const FAULTS: [(&str, Fault); 8] = [
    ("a group begins elsewhere", |line| line.contains(" arith.subi ").then(|| line.replace("subi", "addi"))),
    ("a part is another", |line| turned(line, " arith.remui ", " arith.divui ")),
    ("an axis is scaled otherwise", |line| line.contains(" arith.muli ").then(|| line.replace("muli", "addi"))),
    ("a guard begins one later", |line| line.contains(" uge, ").then(|| line.replace(" uge, ", " ugt, "))),
    ("a guard ends one later", |line| line.contains(" ult, ").then(|| line.replace(" ult, ", " ule, "))),
    ("a guard is for one of the others", |line| line.contains("cmpi eq, ").then(|| line.replace(" eq, ", " ne, "))),
    ("one guard of two is enough", |line| line.contains(" arith.andi ").then(|| line.replace("andi", "ori"))),
    ("the cluster stands for the block in it", |line| {
        line.contains(".cluster.ctarank ").then(|| line.replace(".cluster.ctarank ", ".clusterid.x "))
    }),
];

/// How often each fault is planted.
const ENOUGH: usize = 12;

#[test]
fn faults_planted_in_coordinates_and_guards_are_found() {
    let mlir = Mlir::new();
    let mut runner = runner(1);
    let mut counts = [(0, 0); FAULTS.len()];
    let mut programs = 0;
    while counts.iter().any(|(_, all)| *all < ENOUGH) {
        programs += 1;
        assert!(programs <= 2000, "so many programs have too few places for a fault: {counts:?}");
        let program = program(&statements().new_tree(&mut runner).expect("it has values").current(), true);
        let parsed = mlir.parse(&program.text).expect("it is legal");
        let expanded = mlir.after(&parsed, &[Pass::Expand { forward: true }]).expect("it expands");
        let expanded = expanded.as_operation().to_string();
        let mut meaning = None;
        for ((_, fault), count) in FAULTS.iter().zip(&mut counts).filter(|(_, (_, all))| *all < ENOUGH) {
            let mutants = planted(&expanded, *fault);
            for mutant in mutants.iter().step_by(mutants.len().div_ceil(2).max(1)) {
                let meaning = meaning.get_or_insert_with(|| run(&mlir, &parsed, &program).expect("it runs"));
                let module = mlir.parse(mutant).unwrap_or_else(|why| panic!("{why}\n{mutant}"));
                let found = run(&mlir, &module, &program).map_or(true, |memory| difference(meaning, &memory).is_some());
                *count = (count.0 + usize::from(found), count.1 + 1);
            }
        }
    }
    for ((what, _), (found, all)) in FAULTS.iter().zip(counts) {
        println!("{what}: found {found} of {all}");
    }
    for ((what, _), (found, all)) in FAULTS.iter().zip(counts) {
        // What nothing uses, and what all threads have alike, is no fault.
        assert!(3 * found >= all, "{what}: found {found} of {all}");
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// Ownership
//===------------------------------------------------------------------------------------------------------------===//

/// What became of programs with another layout.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    accepted: usize,
    /// By tile-check: another thread would act, and does.
    owner: usize,
    /// By tile-check, for something else.
    other: usize,
}

/// The program with another layout that verifies, if one is found soon.
fn perturbed(mlir: &Mlir, program: &Whole, how: &[u16]) -> Option<Whole> {
    let mut all = how.chunks(8).filter_map(|how| program.perturbed(&mut Choices(how)));
    all.find(|program| mlir.parse(&program.text).is_ok())
}

fn judge(mlir: &Mlir, program: &Whole, counts: &mut Counts) -> Result<(), String> {
    counts.programs += 1;
    let parsed = mlir.parse(&program.text)?;
    let checked = mlir.check(&parsed);
    let meaning = run(mlir, &parsed, program);
    let found = meaning.as_ref().is_err_and(|why| why.contains("(R55)"));
    match checked {
        Ok(()) => {
            counts.accepted += 1;
            let meaning = meaning.map_err(|why| format!("is accepted, and {why}"))?;
            let module = mlir.after(&parsed, &[Pass::Expand { forward: true }])?;
            let memory = run(mlir, &module, program)?;
            difference(&meaning, &memory).map_or(Ok(()), Err)
        }
        // An owner is another thread, is one of several, or is no thread of the block.
        Err(said) if ["(R55)", "(R56", "layout goes up to"].iter().any(|why| said.contains(why)) => {
            counts.owner += 1;
            match found {
                true => Ok(()),
                false => Err(format!("is refused for its owners, and runs: {said}\n{:?}", meaning.err())),
            }
        }
        Err(_) => {
            counts.other += 1;
            Ok(())
        }
    }
}

#[test]
fn owners_are_as_tile_check_says() {
    let mlir = Mlir::new();
    let counts = RefCell::new(Counts::default());
    let cases = (statements(), proptest::array::uniform32(any::<u16>()));
    let found = runner(450).run(&cases, |(statements, how)| {
        // All that are active come by.
        let program = program(&statements, false);
        let Some(program) = perturbed(&mlir, &program, &how) else { return Ok(()) };
        judge(&mlir, &program, &mut counts.borrow_mut())
            .map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text)))
    });
    let counts = counts.into_inner();
    println!("{counts:?}");
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
    let Counts { programs, accepted, owner, .. } = counts;
    assert!(5 * owner >= programs && 20 * accepted >= programs, "of {programs} programs too few say something");
}
