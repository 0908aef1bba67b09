//! What tile-check accepts stays inside and aligned, whatever the launch and the arguments are.
//!
//! - Random programs slice at random arithmetic (sliced.rs). Those that tile-check accepts run by their meaning on launches and
//!   arguments of all kinds: no slice, view or instruction may then be outside or off its alignment (R36, R53, R112).
//! - After tile-expand they leave the same memory.
//! - What arithmetic does not define (a division by zero, a shift too far) is no fault of the check: such a run says nothing.

use super::mlir::{Mlir, Numbers, Pass, buffer, difference, runner};
use super::sliced::{Sliced, Statement, arguments, program};
use melior::ir::Module;
use proptest::prelude::*;
use proptest::test_runner::TestError;
use ptx_tile_passes::execute::{Argument, Buffer, Launch};
use std::cell::RefCell;

/// What became of the programs.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    accepted: usize,
    /// Accepted, with a slice at a value that something reads or writes.
    sliced: usize,
    runs: usize,
    /// Runs to the end.
    ended: usize,
}

/// One run of a program.
struct Run {
    launch: Launch,
    arguments: Vec<Argument>,
}

fn runs(program: &Sliced) -> Vec<Run> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let run = |round: usize| {
        let mut any =
            |sizes: &[[u32; 3]]| sizes[(numbers.next().expect("they do not end") >> 9) as usize % sizes.len()];
        let block = any(&[[1, 1, 1], [5, 1, 1], [2, 3, 1], [40, 1, 1]]);
        let grid = any(&[[1, 1, 1], [2, 1, 1], [1, 2, 2]]);
        let launch = Launch {
            block: program.block.unwrap_or(block),
            grid: program.grid.unwrap_or(grid),
            dynamic_shared: 128 + 2048,
            steps: 300_000,
        };
        let mut all: Vec<Argument> = arguments(round, &mut numbers).into_iter().map(Argument::Bits).collect();
        all.extend(program.memory.iter().map(|(size, alignment)| buffer(*size, *alignment, &mut numbers)));
        Run { launch, arguments: all }
    };
    (0..5).map(run).collect()
}

/// A fault of the check, or `None` where the run says nothing. Indices of single elements are the program's business, and so
/// are the begins of a `memref.subview` of memory (R39).
fn is_fault(why: &str) -> bool {
    ["'tile.slice' op ", "'tile.view' op ", "'tile.apply' op "].iter().any(|op| why.contains(op))
}

fn judge(mlir: &Mlir, program: &Sliced, counts: &mut Counts) -> Result<(), String> {
    let parsed = mlir.parse(&program.text)?;
    counts.programs += 1;
    if mlir.check(&parsed).is_err() {
        return Ok(());
    }
    counts.accepted += 1;
    let is_sliced = program.text.contains("?>") && program.text.contains("tile.apply");
    counts.sliced += usize::from(is_sliced);
    if !is_sliced {
        return Ok(());
    }
    let expanded: Vec<Module> =
        [[Pass::Expand { forward: true }].as_slice(), &[Pass::Simplify, Pass::Expand { forward: false }]]
            .iter()
            .map(|passes| mlir.after(&parsed, passes))
            .collect::<Result<_, _>>()?;
    for Run { launch, arguments } in runs(program) {
        counts.runs += 1;
        let run = |module: &Module| -> Result<Vec<Buffer>, String> { mlir.run(module, &launch, arguments.clone()) };
        let meaning = match run(&parsed) {
            Ok(meaning) => meaning,
            Err(why) if is_fault(&why) => return Err(format!("{launch:?}\n{:?}\n{why}", bits(&arguments))),
            Err(_) => continue,
        };
        counts.ended += 1;
        for module in &expanded {
            let found = run(module).map_err(|why| format!("expanded: {why}\n{}", module.as_operation()))?;
            if let Some(difference) = difference(&meaning, &found) {
                return Err(format!(
                    "{launch:?}\n{:?}\nexpanded: {difference}\n{}",
                    bits(&arguments),
                    module.as_operation()
                ));
            }
        }
    }
    Ok(())
}

fn bits(arguments: &[Argument]) -> Vec<u128> {
    arguments.iter().filter_map(|its| if let Argument::Bits(bits) = its { Some(*bits) } else { None }).collect()
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(prop::array::uniform24(any::<u16>()), 1..24)
}

#[test]
fn what_is_accepted_stays_inside_and_aligned() {
    let mlir = Mlir::new();
    let counts = RefCell::new(Counts::default());
    let outcome = runner(400).run(&statements(), |statements| {
        let program = program(&statements);
        judge(&mlir, &program, &mut counts.borrow_mut())
            .map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text)))
    });
    println!("{:?}", counts.borrow());
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, _)) => panic!("{why}"),
        Err(why) => panic!("{why}"),
    }
    let Counts { programs, sliced, ended, .. } = counts.into_inner();
    assert!(sliced * 10 >= programs && ended >= sliced, "{sliced} of {programs} programs are tried, in {ended} runs");
}
