//! Programs of whole blocks mean the same after expansion, and what tile-check says of ownership is so.
//!
//! - Random programs (whole.rs) run as written, where each thread finds out by itself who it is and what it has, and as
//!   expanded.
//! - Programs with a layout that is likely wrong: of those that tile-check accepts no thread touches what another has,
//!   and of those that it refuses one does.
//! - The test is tested: faults planted into the coordinates and guards of expanded programs are found.

use super::mlir::{Mlir, Numbers, Pass, buffer, difference, runner};
use super::tile::Choices;
use super::whole::{Statement, Whole, program};
use super::{Fault, WAYS, planted};
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestError;
use ptx_tile_passes::execute::Buffer;
use std::cell::RefCell;

fn run(mlir: &Mlir, module: &Module, program: &Whole) -> Result<Vec<Buffer>, String> {
    let mut numbers = Numbers(0x1357_9bdf_2468_ace1);
    let arguments = program.memory.iter().map(|memory| buffer(memory.size, memory.alignment, &mut numbers));
    mlir.run(module, &program.launch, arguments.collect())
}

/// Runs a program as it is and in every way.
fn agrees(mlir: &Mlir, program: &Whole) -> Result<Vec<Buffer>, String> {
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

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(proptest::array::uniform::<_, 48>(any::<u16>()), 2..14)
}

fn fail(outcome: Result<(), TestError<Vec<Statement>>>) {
    match outcome {
        Ok(()) => {}
        // Not the numbers of the statements, which say nothing.
        Err(TestError::Fail(why, _)) => panic!("{why}"),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn blocks_mean_the_same_after_expansion() {
    let mlir = Mlir::new();
    let counts = RefCell::new([0; 3]);
    fail(runner(100).run(&statements(), |statements| {
        let program = program(&statements, true);
        agrees(&mlir, &program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text)))?;
        let mut counts = counts.borrow_mut();
        for (count, what) in counts.iter_mut().zip(["tile.apply", " scope(", "tile.where"]) {
            *count += program.text.matches(what).count();
        }
        Ok(())
    }));
    let [applies, scopes, wheres] = counts.into_inner();
    println!("{applies} tile.apply, {scopes} of them over threads, {wheres} tile.where");
}
