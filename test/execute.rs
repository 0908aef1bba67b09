//! A tile program and what `tile-expand` makes of it, with and without forwarding, leave the same memory.
//!
//! - Random programs (execute/program.rs) run on random data by the reference executor, from their meaning and expanded.
//!   Every bit that the meaning defines must be the same; what it leaves undefined may be anything.
//! - The test is tested: faults planted into expanded programs are found.
//!
//! `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for other programs.

#[path = "execute/program.rs"]
mod program;
#[path = "execute/tile.rs"]
mod tile;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::{Operation, OperationLike};
use melior::pass::PassManager;
use melior::pass::transform::{create_canonicalizer, create_cse};
use program::{Memory, Program, Statement, THREADS};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestError, TestRunner};
use ptx_tile_passes::execute::{self, Argument, Buffer, Launch};
use ptx_tile_passes::expand::{self, Options};
use std::cell::RefCell;
use std::rc::Rc;

/// MLIR, and what it said.
struct Mlir {
    context: Context,
    said: Rc<RefCell<Vec<String>>>,
}

impl Mlir {
    fn new() -> Mlir {
        let registry = DialectRegistry::new();
        melior::utility::register_all_dialects(&registry);
        ptx_tile_passes::register_dialects(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        // Not all dialects: what prints a type asks each that is loaded.
        for dialect in ["arith", "cf", "gpu", "llvm", "memref", "ptx", "scf", "tile"] {
            context.get_or_load_dialect(dialect);
        }
        let said = Rc::new(RefCell::new(vec![]));
        let listener = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            listener.borrow_mut().push(format!("{}: {diagnostic}", diagnostic.location()));
            true
        });
        Mlir { context, said }
    }

    fn parse(&self, text: &str) -> Result<Module<'_>, String> {
        self.said.borrow_mut().clear();
        Module::parse(&self.context, text).ok_or_else(|| format!("is not legal: {}", self.said.borrow().join("\n")))
    }

    /// The memory that a program leaves.
    fn run(&self, module: &Module, program: &Program) -> Result<Vec<Buffer>, String> {
        let gpu_module = *ptx_tile_passes::gpu_modules(module.as_operation()).first().ok_or("has no gpu.module")?;
        let kernel = gpu_module.region(0).ok().and_then(|region| {
            use melior::ir::{BlockLike, RegionLike};
            region.first_block()?.first_operation()
        });
        let mut arguments = arguments(program);
        let launch = Launch { block: [THREADS, 1, 1], ..Launch::default() };
        execute::run(kernel.ok_or("has no kernel")?, &launch, &mut arguments).map_err(|why| format!("{why:#}"))?;
        let buffers =
            arguments.into_iter().filter_map(|its| if let Argument::Buffer(its) = its { Some(its) } else { None });
        Ok(buffers.collect())
    }

    /// A copy of a program after passes.
    fn after<'c>(&'c self, program: &Module<'c>, passes: &[Pass]) -> Result<Module<'c>, String> {
        self.said.borrow_mut().clear();
        let mut module = Module::from_operation(Operation::clone(&program.as_operation())).ok_or("is no module")?;
        for pass in passes {
            let done = match pass {
                Pass::Expand { forward } => {
                    expand::run(module.as_operation(), &Options { forward: *forward, limit: 1 << 20 }).is_ok()
                }
                Pass::Simplify => {
                    let manager = PassManager::new(&self.context);
                    manager.add_pass(create_canonicalizer());
                    manager.add_pass(create_cse());
                    manager.run(&mut module).is_ok()
                }
            };
            if !done || !module.as_operation().verify() {
                return Err(format!("{pass:?} fails: {}", self.said.borrow().join("\n")));
            }
        }
        Ok(module)
    }

    /// A program before and after, for reading.
    fn text(&self, program: &Program) -> String {
        let expanded =
            self.parse(&program.text).and_then(|module| self.after(&module, &[Pass::Expand { forward: true }]));
        let expanded = expanded.map_or_else(|why| why, |module| module.as_operation().to_string());
        let dumps = |line: &&str| !line.contains("%dump");
        let text = program.text.lines().filter(dumps).collect::<Vec<_>>().join("\n");
        format!("{text}\nexpanded:\n{expanded}")
    }
}

/// Arguments of a program: always the same, and no two words of memory alike.
fn arguments(program: &Program) -> Vec<Argument> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut arguments =
        vec![Argument::Bits(next().into()), Argument::Bits(next().into()), Argument::Bits(0), Argument::Bits(1)];
    for memory in &program.memory {
        // Defined everywhere, so that a store too many is seen.
        let bytes = (0..memory.size).map(|_| (next() >> 32) as u8).collect();
        arguments.push(Argument::Buffer(Buffer { alignment: memory.alignment, ..Buffer::new(bytes) }));
    }
    arguments
}

/// The first difference in what is defined.
fn difference(meaning: &[Buffer], expanded: &[Buffer]) -> Option<String> {
    for (index, (wanted, found)) in meaning.iter().zip(expanded).enumerate() {
        for byte in 0..wanted.bytes.len() {
            let defined = wanted.defined[byte];
            let same =
                found.defined[byte] & defined == defined && (found.bytes[byte] ^ wanted.bytes[byte]) & defined == 0;
            if !same {
                return Some(format!(
                    "byte {byte} of memory {index} is {:#04x} (defined {:#04x}), by the meaning {:#04x} (defined {defined:#04x})",
                    found.bytes[byte], found.defined[byte], wanted.bytes[byte]
                ));
            }
        }
    }
    None
}

/// What is done to a program, one pass after another.
const WAYS: [&[Pass]; 4] = [
    &[Pass::Expand { forward: true }],
    &[Pass::Expand { forward: false }],
    // As users may do (D33).
    &[Pass::Expand { forward: true }, Pass::Simplify],
    &[Pass::Simplify, Pass::Expand { forward: true }],
];

#[derive(Clone, Copy, Debug)]
enum Pass {
    /// `tile-expand`.
    Expand { forward: bool },
    /// `canonicalize` and `cse`.
    Simplify,
}

/// Runs a program as it is and in every way.
fn agrees(mlir: &Mlir, program: &Program) -> Result<Vec<Buffer>, String> {
    let parsed = mlir.parse(&program.text)?;
    let meaning = mlir.run(&parsed, program)?;
    for passes in WAYS {
        let way = |why: String| format!("after {passes:?}: {why}");
        let module = mlir.after(&parsed, passes).map_err(way)?;
        let memory = mlir.run(&module, program).map_err(way)?;
        if let Some(difference) = difference(&meaning, &memory) {
            return Err(way(difference));
        }
    }
    Ok(meaning)
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(prop::array::uniform24(any::<u16>()), 1..40)
}

fn runner(cases: u32) -> TestRunner {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(17);
    }
    TestRunner::new(config)
}

#[test]
fn programs_mean_the_same_after_expansion() {
    let mlir = Mlir::new();
    let (ran, instructions) = (RefCell::new(0), RefCell::new(0));
    let outcome = runner(250).run(&statements(), |statements| {
        let program = program::program(&statements);
        agrees(&mlir, &program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", mlir.text(&program))))?;
        *ran.borrow_mut() += 1;
        *instructions.borrow_mut() += program.text.matches("tile.apply").count();
        Ok(())
    });
    println!("{} programs of {} tile.apply", ran.borrow(), instructions.borrow());
    match outcome {
        Ok(()) => {}
        // Not the numbers of the statements, which say nothing.
        Err(TestError::Fail(why, _)) => panic!("{why}"),
        Err(why) => panic!("{why}"),
    }
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
    mlir.run(&module, program).map_or(true, |memory| difference(meaning, &memory).is_some())
}

#[test]
fn faults_planted_in_random_programs_are_found() {
    let mlir = Mlir::new();
    let mut runner = runner(1);
    let mut counts = [(0, 0); FAULTS.len()];
    for _ in 0..30 {
        let program = program::program(&statements().new_tree(&mut runner).expect("it has values").current());
        let parsed = mlir.parse(&program.text).expect("it is legal");
        let meaning = mlir.run(&parsed, &program).expect("it runs");
        let expanded =
            mlir.after(&parsed, &[Pass::Expand { forward: false }]).expect("it expands").as_operation().to_string();
        for ((_, fault), count) in FAULTS.iter().zip(&mut counts) {
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
        assert!(found >= 2 && 5 * found >= all, "{what}: found {found} of {all}");
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
    let program = Program { text: EXACT.into(), memory };
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
