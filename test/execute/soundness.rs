//! What tile-check accepts stays inside and aligned, whatever the launch and the arguments are.
//!
//! - Random programs slice at random arithmetic (sliced.rs). Those that tile-check accepts run by their meaning on
//!   launches and arguments of all kinds: no slice, view or instruction may then be outside or off its alignment (R36,
//!   R53, R112).
//! - After tile-expand they leave the same memory.
//! - What arithmetic does not define (a division by zero, a shift too far) is no fault of the check: such a run says
//!   nothing.

use super::mlir::{Mlir, Numbers, Pass, buffer, difference, outcome, runner};
use super::sliced::{DYNAMIC_SHARED, Sliced, Statement, arguments, program};
use melior::ir::Module;
use proptest::prelude::*;
use ptx_tile_passes::execute::{Argument, Launch};
use std::cell::RefCell;

/// What became of the programs.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    /// Slices, views and instructions that tile-check refused.
    refused: usize,
    /// Programs that were refused, and do what they must not in some run.
    caught: usize,
    /// What is left of a program is accepted.
    accepted: usize,
    /// Accepted, with a slice at a value that something reads or writes.
    sliced: usize,
    runs: usize,
    /// Runs to the end.
    ended: usize,
}

/// What a program may take; many loops never end.
const STEPS: u64 = 20_000;

/// One run of a program.
struct Run {
    launch: Launch,
    arguments: Vec<Argument>,
}

impl Run {
    fn launch(&self, steps: u64) -> Launch {
        Launch { steps, ..self.launch.clone() }
    }
}

fn runs(program: &Sliced) -> Vec<Run> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let run = |round: usize| {
        let mut any =
            |sizes: &[[u32; 3]]| sizes[(numbers.next().expect("they do not end") >> 9) as usize % sizes.len()];
        let block = any(&[[1, 1, 1], [5, 1, 1], [2, 3, 1], [3, 1, 1]]);
        let grid = any(&[[1, 1, 1], [2, 1, 1], [1, 2, 2]]);
        let launch = Launch {
            block: program.block.unwrap_or(block),
            grid: program.grid.unwrap_or(grid),
            dynamic_shared: DYNAMIC_SHARED,
            ..Launch::default()
        };
        let mut all: Vec<Argument> = arguments(round, &mut numbers).into_iter().map(Argument::Bits).collect();
        all.extend(program.memory.iter().map(|(size, alignment)| buffer(*size, *alignment, &mut numbers)));
        Run { launch, arguments: all }
    };
    (0..5).map(run).collect()
}

/// Whether the end of a run is a fault of the check. Indices of single elements are the program's business, and so are
/// the begins of a `memref.subview` of memory (R39).
fn is_fault(why: &str) -> bool {
    !why.contains("is step ")
        && ["'tile.slice' op ", "'tile.view' op ", "'tile.apply' op "].iter().any(|op| why.contains(op))
}

/// The program of those statements that tile-check accepts: the others are taken out, one fault after another.
fn accepted(mlir: &Mlir, mut statements: Vec<Statement>, counts: &mut Counts) -> Result<Option<Sliced>, String> {
    let mut is_first = true;
    loop {
        let program = program(&statements);
        let parsed = mlir.parse(&program.text).map_err(|why| format!("{why}\n{}", program.text))?;
        let Err(said) = mlir.check(&parsed) else { return Ok(Some(program)) };
        if is_first {
            let caught = |run: &Run| {
                mlir.run(&parsed, &run.launch(STEPS), run.arguments.clone()).is_err_and(|why| is_fault(&why))
            };
            counts.caught += usize::from(runs(&program).iter().any(caught));
            is_first = false;
        }
        let lines =
            said.lines().filter_map(|line| line.strip_prefix("loc(\"-\":")?.split(':').next()?.parse::<usize>().ok());
        let mut refused: Vec<usize> = lines.filter_map(|line| program.statements.get(line - 1).copied()).collect();
        counts.refused += refused.len();
        refused.sort_unstable();
        refused.dedup();
        let all = statements.len();
        for index in refused.iter().rev().filter(|index| **index < all) {
            statements.remove(*index);
        }
        if refused.is_empty() || statements.is_empty() {
            return Ok(None);
        }
    }
}

fn judge(mlir: &Mlir, program: &Sliced, counts: &mut Counts) -> Result<(), String> {
    counts.accepted += 1;
    let is_moving = |line: &str| line.contains("tile.apply") && (line.contains("offset: ?") || line.contains("[?]"));
    if !program.text.lines().any(is_moving) {
        return Ok(());
    }
    counts.sliced += 1;
    let parsed = mlir.parse(&program.text)?;
    let mut expanded = vec![mlir.after(&parsed, &[Pass::Expand { forward: true }])?];
    // What canonicalize makes of arithmetic may say less: it writes mod as a difference.
    expanded.extend(mlir.after(&parsed, &[Pass::Simplify, Pass::Expand { forward: false }]));
    for run in runs(program) {
        counts.runs += 1;
        let Run { launch, arguments } = &run;
        let memory = |module: &Module, steps: u64| mlir.run(module, &run.launch(steps), arguments.clone());
        let meaning = match memory(&parsed, STEPS) {
            Ok(meaning) => meaning,
            Err(why) if is_fault(&why) => return Err(format!("{launch:?}\n{:?}\n{why}", bits(arguments))),
            Err(_) => continue,
        };
        counts.ended += 1;
        for module in &expanded {
            let found = match memory(module, 100 * STEPS) {
                // canonicalize puts affine maps together, and products that fit then overflow.
                Err(why) if why.contains("its map has no value") => continue,
                found => found.map_err(|why| format!("expanded: {why}\n{}", module.as_operation()))?,
            };
            if let Some(difference) = difference(&meaning, &found) {
                return Err(format!(
                    "{launch:?}\n{:?}\nexpanded: {difference}\n{}",
                    bits(arguments),
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
    prop::collection::vec(prop::array::uniform24(any::<u16>()), 6..24)
}

#[test]
fn what_is_accepted_stays_inside_and_aligned() {
    let mlir = Mlir::new();
    let counts = RefCell::new(Counts::default());
    let found = runner(60).run(&statements(), |statements| {
        let mut counts = counts.borrow_mut();
        counts.programs += 1;
        let Some(program) = accepted(&mlir, statements, &mut counts).map_err(TestCaseError::fail)? else {
            return Ok(());
        };
        judge(&mlir, &program, &mut counts).map_err(|why| {
            let text = program.text.lines().filter(|line| !line.contains("%dump")).collect::<Vec<_>>().join("\n");
            TestCaseError::fail(format!("{why}\n{text}"))
        })
    });
    println!("{:?}", counts.borrow());
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
    let Counts { programs, caught, sliced, ended, .. } = counts.into_inner();
    // The test is tested: what the check refuses, and would be wrong, a run finds.
    assert!(caught * 20 >= programs, "of {programs} programs only {caught} are seen to be rightly refused");
    assert!(sliced * 10 >= programs && ended >= sliced, "{sliced} of {programs} programs are tried, in {ended} runs");
}
