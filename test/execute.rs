//! A tile program and what `tile-expand` makes of it, with and without forwarding, leave the same memory.
//!
//! - Random programs (execute/program.rs) run on random data by the reference executor, from their meaning and
//!   expanded. Every bit that the meaning defines must be the same; what it leaves undefined may be anything.
//! - Changes that leave the meaning leave the memory (execute/metamorphic.rs).
//! - They go on to PTX, which has the same instructions, and to ptxas (execute/emission.rs).
//! - The test is tested: faults planted into expanded programs are found.
//!
//! `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for other programs.

#[path = "execute/arithmetic.rs"]
mod arithmetic;
#[path = "execute/changes.rs"]
mod changes;
#[path = "execute/emission.rs"]
mod emission;
#[path = "execute/examples.rs"]
mod examples;
#[path = "execute/metamorphic.rs"]
mod metamorphic;
#[path = "execute/mlir.rs"]
mod mlir;
#[path = "execute/program.rs"]
mod program;
#[path = "ptxas.rs"]
mod ptxas;
#[path = "execute/random.rs"]
mod random;
#[path = "execute/sliced.rs"]
mod sliced;
#[path = "execute/soundness.rs"]
mod soundness;
#[path = "execute/spread.rs"]
mod spread;
#[path = "execute/threads.rs"]
mod threads;
#[path = "execute/tile.rs"]
mod tile;
#[path = "execute/whole.rs"]
mod whole;

use melior::ir::Module;
use mlir::{Mlir, Numbers, Pass, buffer, difference, outcome, runner};
use program::{Memory, Program, Statement, THREADS};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use ptx_tile_passes::execute::{Argument, Buffer, Launch};
use std::cell::RefCell;

/// The memory that a program leaves. Its arguments are always the same.
fn run(mlir: &Mlir, module: &Module, program: &Program) -> Result<Vec<Buffer>, String> {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut number = || u128::from(numbers.next().expect("they do not end"));
    let mut arguments = [number(), number(), 0, 1].map(Argument::Bits).to_vec();
    arguments.extend(program.memory.iter().map(|memory| buffer(memory.size, memory.alignment, &mut numbers)));
    mlir.run(
        module,
        &Launch { block: [THREADS, 1, 1], dynamic_shared: program.dynamic_shared, ..Launch::default() },
        arguments,
    )
}

/// A program before and after, for reading.
fn text(mlir: &Mlir, program: &Program) -> String {
    let expanded = mlir.parse(&program.text).and_then(|module| mlir.after(&module, &[Pass::Expand { forward: true }]));
    let expanded = expanded.map_or_else(|why| why, |module| module.as_operation().to_string());
    let dumps = |line: &&str| !line.contains("%dump");
    let text = program.text.lines().filter(dumps).collect::<Vec<_>>().join("\n");
    format!("{text}\nexpanded:\n{expanded}")
}

/// What is done to a program, one pass after another.
const WAYS: [&[Pass]; 4] = [
    &[Pass::Expand { forward: true }],
    &[Pass::Expand { forward: false }],
    // As users may do (D33).
    &[Pass::Expand { forward: true }, Pass::Simplify],
    &[Pass::Simplify, Pass::Expand { forward: true }],
];

/// Runs a program as it is and in every way.
fn agrees(mlir: &Mlir, program: &Program) -> Result<Vec<Buffer>, String> {
    let parsed = mlir.parse(&program.text)?;
    let meaning = run(mlir, &parsed, program)?;
    for passes in WAYS {
        let way = |why: String| format!("after {passes:?}: {why}");
        let module = mlir.after(&parsed, passes).map_err(way)?;
        let memory = run(mlir, &module, program).map_err(way)?;
        if let Some(difference) = difference(&meaning, &memory) {
            return Err(way(difference));
        }
    }
    Ok(meaning)
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(prop::array::uniform24(any::<u16>()), 1..40)
}

#[test]
fn programs_mean_the_same_after_expansion() {
    let mlir = Mlir::new();
    let (ran, instructions) = (RefCell::new(0), RefCell::new(0));
    let found = runner(200).run(&statements(), |statements| {
        let program = program::program(&statements);
        agrees(&mlir, &program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", text(&mlir, &program))))?;
        *ran.borrow_mut() += 1;
        *instructions.borrow_mut() += program.text.matches("tile.apply").count();
        Ok(())
    });
    println!("{} programs of {} tile.apply", ran.borrow(), instructions.borrow());
    outcome(found).unwrap_or_else(|why| panic!("{why}"));
}

//===------------------------------------------------------------------------------------------------------------===//
// The test is tested
//===------------------------------------------------------------------------------------------------------------===//

/// A fault: a line of an expanded program to what stands there instead, where the fault can be planted in it.
type Fault = fn(&str) -> Option<String>;

/// What an expansion may get wrong.
const FAULTS: [(&str, Fault); 7] = [
    ("a store is left out", |line| {
        let is_store = line.starts_with("ptx.st") || line.starts_with("llvm.store");
        is_store.then(String::new)
    }),
    ("two words are swapped", |line| {
        let (result, rest) = line.split_once(" = ptx.mov \"")?;
        let (modifiers, rest) = rest.split_once("\" ")?;
        let end = rest.find(" pred(").or(rest.find(" sink ")).or(rest.find(" : "))?;
        let mut words: Vec<&str> = rest[..end].split(", ").collect();
        let last = words.len() - 1;
        words.swap(0, last);
        (last > 0 && words[0] != words[last])
            .then(|| format!("{result} = ptx.mov \"{modifiers}\" {}{}", words.join(", "), &rest[end..]))
    }),
    ("a load begins one element off", |line| line.contains(" = ptx.ld ").then(|| without_offset(line))?),
    ("a store begins one element off", |line| line.starts_with("ptx.st ").then(|| without_offset(line))?),
    ("another slot is meant", |line| {
        let (front, rest) = line.split_once(" = llvm.getelementptr ")?;
        let (base, rest) = rest.split_once("[0, ")?;
        let (slot, rest) = rest.split_once(']')?;
        let slot: u32 = slot.parse().ok()?;
        Some(format!("{front} = llvm.getelementptr {base}[0, {}]{rest}", slot.checked_sub(1)?))
    }),
    ("a predicate is negated", |line| match line.contains("pred(not ") {
        true => Some(line.replace("pred(not ", "pred(")),
        false => line.contains(" pred(").then(|| line.replace(" pred(", " pred(not ")),
    }),
    ("another word is sunk", |line| {
        let pairs = [("sink [0] ", "sink [1] "), ("sink [1] ", "sink [0] ")];
        pairs.into_iter().find(|(from, _)| line.contains(from)).map(|(from, to)| line.replace(from, to))
    }),
];

/// The address of an access without the bytes that are added to it.
fn without_offset(line: &str) -> Option<String> {
    let (front, rest) = line.split_once(" + ")?;
    Some(format!("{front}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// Every program with one fault planted.
fn planted(expanded: &str, fault: Fault) -> Vec<String> {
    let lines: Vec<&str> = expanded.lines().collect();
    let faulty = |(index, line): (usize, &&str)| {
        let other = fault(line.trim_start())?;
        Some([&lines[..index], &[other.as_str()], &lines[index + 1..]].concat().join("\n"))
    };
    lines.iter().enumerate().filter_map(faulty).collect()
}

/// Whether the fault of a mutant of a program's expansion is seen.
fn is_found(mlir: &Mlir, program: &Program, meaning: &[Buffer], mutant: &str) -> bool {
    let module = mlir.parse(mutant).unwrap_or_else(|why| panic!("{why}\n{mutant}"));
    run(mlir, &module, program).map_or(true, |memory| difference(meaning, &memory).is_some())
}

/// How often each fault is planted.
const ENOUGH: usize = 40;

#[test]
fn faults_planted_in_random_programs_are_found() {
    let mlir = Mlir::new();
    let mut runner = runner(1);
    let mut counts = [(0, 0); FAULTS.len()];
    // As many programs as it takes for the rarest of them.
    let mut programs = 0;
    while counts.iter().any(|(_, all)| *all < ENOUGH) {
        programs += 1;
        assert!(programs <= 2000, "so many programs have too few places for a fault: {counts:?}");
        let program = program::program(&statements().new_tree(&mut runner).expect("it has values").current());
        let parsed = mlir.parse(&program.text).expect("it is legal");
        let meaning = run(&mlir, &parsed, &program).expect("it runs");
        let expanded =
            mlir.after(&parsed, &[Pass::Expand { forward: false }]).expect("it expands").as_operation().to_string();
        for ((_, fault), count) in FAULTS.iter().zip(&mut counts).filter(|(_, (_, all))| *all < ENOUGH) {
            let mutants = planted(&expanded, *fault);
            for mutant in mutants.iter().step_by(mutants.len().div_ceil(2).max(1)) {
                let found = is_found(&mlir, &program, &meaning, mutant);
                *count = (count.0 + usize::from(found), count.1 + 1);
            }
        }
    }
    for ((what, _), (found, all)) in FAULTS.iter().zip(counts) {
        println!("{what}: found {found} of {all}");
    }
    for ((what, _), (found, all)) in FAULTS.iter().zip(counts) {
        // What nothing reads afterwards is no fault.
        assert!(5 * found >= all, "{what}: found {found} of {all}");
    }
}

/// A program that reads all that it writes.
const EXACT: &str = "
!quads = memref<2x4xi16, #gpu.address_space<private>>
!wides = memref<2x1xi64, #gpu.address_space<private>>
!halves = memref<2x2xi32, strided<[1, 2]>, #gpu.address_space<private>>
!column = memref<2x1xi32, strided<[1, 2]>, #gpu.address_space<private>>
!second = memref<2x1xi32, strided<[1, 2], offset: 2>, #gpu.address_space<private>>
!words = memref<2x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @k(%s0: i32, %s1: i64, %p0: i1, %p1: i1, %in: memref<2x4xi16, 1> {llvm.align = 8 : i64}, %also: memref<2x1xi64, 1>,
              %out: memref<2x2xi32, 1> {llvm.align = 8 : i64}, %more: memref<2x2xi32, 1> {llvm.align = 8 : i64},
              %some: memref<2x1xi32, 1>, %other: memref<2x1xi32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    %q = tile.alloc : !quads
    %w = tile.alloc : !wides
    %u = tile.alloc : !wides
    %h = tile.alloc : !halves
    %g = tile.alloc : !halves
    %x = tile.alloc : !words
    tile.apply \"ld.global.v4.b16\"(%q, %in) : !quads, memref<2x4xi16, 1>
    tile.apply \"ld.global.b64\"(%u, %also) : !wides, memref<2x1xi64, 1>
    tile.apply \"mov.b64\"(%w, %q) : !wides, !quads
    tile.apply \"mov.b64\"(%h, %w) : !halves, !wides
    tile.apply \"mov.b64\"(%g, %u) sink [1] : !halves, !wides
    tile.apply \"mov.b64\"(%g, %w) sink [0] : !halves, !wides
    %lo = tile.slice %h[0, 0] [2, 1] : !halves to !column
    %hi = tile.slice %h[0, 1] [2, 1] : !halves to !second
    tile.apply \"mov.b32\"(%x, %lo) : !words, !column
    tile.apply \"mov.b32\"(%x, %hi) pred(not %first) preserve_dst : !words, !second
    tile.apply \"st.global.v2.b32\"(%out, %h) : memref<2x2xi32, 1>, !halves
    tile.apply \"st.global.v2.b32\"(%more, %g) : memref<2x2xi32, 1>, !halves
    tile.apply \"st.global.b32\"(%some, %x) pred(%first) : memref<2x1xi32, 1>, !words
    tile.apply \"st.global.b32\"(%other, %x) pred(not %first) : memref<2x1xi32, 1>, !words
    gpu.return
  }
}";

#[test]
fn every_fault_planted_in_an_exact_program_is_found() {
    let mlir = Mlir::new();
    let memory = [16, 16, 16, 16, 8, 8].map(|size| Memory { size, alignment: 8 }).to_vec();
    let program = Program { text: EXACT.into(), memory, dynamic_shared: 0 };
    let meaning = agrees(&mlir, &program).unwrap_or_else(|why| panic!("{why}"));
    assert!(meaning.iter().all(|buffer| buffer.defined.iter().all(|byte| *byte == 0xff)));
    let parsed = mlir.parse(&program.text).unwrap();
    for forward in [true, false] {
        let expanded = mlir.after(&parsed, &[Pass::Expand { forward }]).unwrap().as_operation().to_string();
        for (what, fault) in FAULTS {
            let mutants = planted(&expanded, fault);
            let there = forward && what == "another slot is meant" || !mutants.is_empty();
            assert!(there, "no place for: {what}\n{expanded}");
            for mutant in mutants {
                assert!(is_found(&mlir, &program, &meaning, &mutant), "not found: {what}\n{mutant}");
            }
        }
    }
}
