//! What must not change the meaning of a program does not: its memory stays the same, as it is and expanded.
//!
//! - Applications that have nothing to do with each other change places; one of several repeats becomes two; the axes of
//!   repeats and the layouts are permuted; tiles are viewed otherwise and back (changes.rs); a program is written and
//!   read again, as text and as bytecode.
//! - The programs are random ones of single threads and of blocks.
//! - The test is tested: of each change there is one that is nearly right, and that is found.

use super::changes::{CHANGES, Change};
use super::mlir::{Mlir, Pass, difference, outcome, runner};
use super::random::{Random, programs};
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use ptx_tile_passes::execute::Buffer;
use std::cell::RefCell;

const WAYS: [&[Pass]; 2] = [&[], &[Pass::Expand { forward: true }]];

/// Whether a changed program means what `meaning` is, as it is and expanded.
fn is_same(mlir: &Mlir, program: &Random, meaning: &[Buffer], changed: &Module) -> Result<(), String> {
    for passes in WAYS {
        let way = |why: String| format!("after {passes:?}: {why}");
        let memory = mlir.after(changed, passes).and_then(|module| program.run(mlir, &module)).map_err(way)?;
        let less = difference(meaning, &memory);
        // Without expansion it is not more defined either.
        let more = if passes.is_empty() { difference(&memory, meaning) } else { None };
        if let Some(difference) = less.or(more) {
            return Err(way(difference));
        }
    }
    Ok(())
}

/// Changes a program wherever that can be: in how many places, and whether it means the same then.
fn changed(
    mlir: &Mlir,
    program: &Random,
    meaning: &[Buffer],
    change: Change,
    is_wrong: bool,
) -> (usize, Result<(), String>) {
    let module = mlir.parse(program.text()).expect("it was read");
    let places = change(mlir.context(), &module, is_wrong);
    let same = match (places, mlir.verify(&module)) {
        (0, _) => Ok(()),
        (_, Ok(())) => is_same(mlir, program, meaning, &module),
        (_, Err(why)) => Err(why),
    };
    (places, same.map_err(|why| format!("{why}\n{}", module.as_operation())))
}

/// Makes each change that there is, in so many places.
pub fn changes_agree(mlir: &Mlir, program: &Random, meaning: &[Buffer]) -> Result<[usize; CHANGES.len()], String> {
    let mut places = [0; CHANGES.len()];
    for ((what, change), places) in CHANGES.iter().zip(&mut places) {
        let (count, same) = changed(mlir, program, meaning, *change, false);
        same.map_err(|why| format!("{what}: {why}"))?;
        *places = count;
    }
    Ok(places)
}

#[test]
fn changes_leave_the_meaning() {
    let mlir = Mlir::new();
    let all = RefCell::new([0; CHANGES.len()]);
    let found = runner(40).run(&programs(), |program| {
        let meaning = mlir.parse(program.text()).and_then(|module| program.run(&mlir, &module));
        let places = meaning.and_then(|meaning| changes_agree(&mlir, &program, &meaning));
        let places = places.map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text())))?;
        all.borrow_mut().iter_mut().zip(places).for_each(|(all, places)| *all += places);
        Ok(())
    });
    for ((what, _), places) in CHANGES.iter().zip(all.borrow().iter()) {
        println!("{what}: in {places} places");
    }
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
    assert!(all.borrow().iter().all(|places| *places >= 20), "{:?}", all.borrow());
}

#[test]
fn changes_that_are_nearly_right_are_found() {
    const ENOUGH: usize = 30;
    let mlir = Mlir::new();
    let mut runner = runner(1);
    let mut counts = [(0, 0); CHANGES.len()];
    let mut tried = 0;
    while counts.iter().any(|(_, all)| *all < ENOUGH) {
        tried += 1;
        assert!(tried <= 1000, "so many programs have too few places: {counts:?}");
        let program = programs().new_tree(&mut runner).expect("it has values").current();
        let meaning = mlir.parse(program.text()).and_then(|module| program.run(&mlir, &module)).expect("it runs");
        for ((_, change), count) in CHANGES.iter().zip(&mut counts).filter(|(_, (_, all))| *all < ENOUGH) {
            let (places, same) = changed(&mlir, &program, &meaning, *change, true);
            // By its memory: nothing about it is illegal.
            let is_legal = same.as_ref().map_or_else(|why| why.contains("by the meaning"), |()| true);
            assert!(is_legal, "{}", same.unwrap_err());
            *count = (count.0 + usize::from(same.is_err()), count.1 + usize::from(places > 0));
        }
    }
    for ((what, _), (found, all)) in CHANGES.iter().zip(counts) {
        println!("{what}, nearly: found {found} of {all}");
    }
    // What nothing reads afterwards is no fault.
    assert!(counts.iter().all(|(found, all)| 4 * found >= *all), "{counts:?}");
}

//===------------------------------------------------------------------------------------------------------------===//
// Written and read again
//===------------------------------------------------------------------------------------------------------------===//

/// A module as it comes back from text, from text without the syntax of its ops, and from bytecode.
pub fn read_again<'c>(mlir: &'c Mlir, module: &Module) -> Result<[Module<'c>; 3], String> {
    let op = module.as_operation();
    let flags = OperationPrintingFlags::new().print_generic_operation_form();
    let generic = op.to_string_with_flags(flags).map_err(|why| why.to_string())?;
    Ok([mlir.parse(&op.to_string())?, mlir.parse(&generic)?, mlir.read(&op.write_bytecode())?])
}

/// A program, and what expansion makes of it, are what they were.
pub fn round_trips(mlir: &Mlir, program: &Random, meaning: &[Buffer]) -> Result<(), String> {
    let parsed = mlir.parse(program.text())?;
    let expanded = mlir.after(&parsed, &[Pass::Expand { forward: true }])?;
    for module in [&parsed, &expanded] {
        let again = read_again(mlir, module)?;
        again.iter().try_for_each(|again| is_text(again, module))?;
        for again in again {
            if let Some(difference) = difference(meaning, &program.run(mlir, &again)?) {
                return Err(format!("{difference}\n{}", again.as_operation()));
            }
        }
    }
    Ok(())
}

fn is_text(again: &Module, module: &Module) -> Result<(), String> {
    let [again, wanted] = [again, module].map(|module| module.as_operation().to_string());
    let different = again.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    different.map_or(Ok(()), |(found, wanted)| Err(format!("comes back as {found}, not {wanted}")))
}

#[test]
fn programs_come_back_from_text_and_bytecode() {
    let mlir = Mlir::new();
    let found = runner(25).run(&programs(), |program| {
        let meaning = mlir.parse(program.text()).and_then(|module| program.run(&mlir, &module));
        let same = meaning.and_then(|meaning| round_trips(&mlir, &program, &meaning));
        same.map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text())))
    });
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
}

/// What may be lost on the way, and what is there then.
const LOST: [(&str, &str); 2] = [(" preserve_dst", ""), ("pred(not ", "pred(")];

#[test]
fn what_is_lost_on_the_way_is_found() {
    const ENOUGH: usize = 30;
    let mlir = Mlir::new();
    let mut runner = runner(1);
    let mut counts = [(0, 0); LOST.len()];
    let mut tried = 0;
    while counts.iter().any(|(_, all)| *all < ENOUGH) {
        tried += 1;
        assert!(tried <= 1000, "so many programs have too few places: {counts:?}");
        let program = programs().new_tree(&mut runner).expect("it has values").current();
        let module = mlir.parse(program.text()).expect("it is legal");
        let text = module.as_operation().to_string();
        for ((from, to), (found, all)) in LOST.iter().zip(&mut counts).filter(|(_, (_, all))| *all < ENOUGH) {
            // What is illegal then is no fault that passes unseen.
            let Ok(lost) = mlir.parse(&text.replace(from, to)) else { continue };
            if text.contains(from) {
                assert!(is_text(&lost, &module).is_err());
                let [meaning, memory] = [&module, &lost].map(|module| program.run(&mlir, module));
                let is_same = memory.is_ok_and(|memory| difference(&meaning.expect("it runs"), &memory).is_none());
                (*found, *all) = (*found + usize::from(!is_same), *all + 1);
            }
        }
    }
    println!("{LOST:?}: found {counts:?}");
    assert!(counts.iter().all(|(found, all)| 4 * found >= *all), "{counts:?}");
}
