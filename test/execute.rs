//! A tile program and what `tile-expand` makes of it, with and without forwarding, leave the same memory.
//!
//! - Random programs (execute/program.rs) run on random data by the reference executor, from their meaning and expanded.
//!   Every bit that the meaning defines must be the same; what it leaves undefined may be anything.
//! - The test is tested: faults planted into expanded programs are found.
//!
//! `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for other programs.

#[path = "execute/program.rs"]
mod program;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use program::{Program, Statement, THREADS};
use proptest::prelude::*;
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
        context.load_all_available_dialects();
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

    /// A program after `tile-expand`.
    fn expanded(&self, program: &Program, forward: bool) -> Result<Module<'_>, String> {
        let module = self.parse(&program.text)?;
        let expanded = expand::run(module.as_operation(), &Options { forward, limit: 1 << 20 });
        expanded.map_err(|_| format!("does not expand: {}", self.said.borrow().join("\n")))?;
        match module.as_operation().verify() {
            true => Ok(module),
            false => Err(format!("is not legal when expanded: {}", self.said.borrow().join("\n"))),
        }
    }

    /// A program before and after, for reading.
    fn text(&self, program: &Program) -> String {
        let expanded = self.expanded(program, true).map_or_else(|why| why, |module| module.as_operation().to_string());
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
        let buffer = match memory.is_output {
            true => Buffer::undefined(memory.size),
            false => Buffer::new((0..memory.size).map(|_| (next() >> 32) as u8).collect()),
        };
        arguments.push(Argument::Buffer(Buffer { alignment: memory.alignment, ..buffer }));
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

/// Runs a program in every way.
fn agrees(mlir: &Mlir, program: &Program) -> Result<Vec<Buffer>, String> {
    let meaning = mlir.run(&mlir.parse(&program.text)?, program)?;
    for forward in [true, false] {
        let way = |why: String| format!("tile-expand{{forward={forward}}}: {why}");
        let module = mlir.expanded(program, forward).map_err(way)?;
        let expanded = mlir.run(&module, program).map_err(way)?;
        if let Some(difference) = difference(&meaning, &expanded) {
            return Err(way(difference));
        }
    }
    Ok(meaning)
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    prop::collection::vec(prop::array::uniform24(any::<u16>()), 1..40)
}

fn runner(cases: u32) -> TestRunner {
    let mut config =
        ProptestConfig { failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() };
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
    let (ran, bits, instructions) = (RefCell::new(0), RefCell::new(0u64), RefCell::new(0));
    let outcome = runner(400).run(&statements(), |statements| {
        let program = program::program(&statements);
        let meaning =
            agrees(&mlir, &program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", mlir.text(&program))))?;
        *ran.borrow_mut() += 1;
        *bits.borrow_mut() +=
            meaning.iter().flat_map(|its| &its.defined).map(|its| u64::from(its.count_ones())).sum::<u64>();
        *instructions.borrow_mut() += program.text.matches("tile.apply").count();
        Ok(())
    });
    println!("{} programs of {} tile.apply agree on {} bits", ran.borrow(), instructions.borrow(), bits.borrow());
    match outcome {
        Ok(()) => {}
        // Not the numbers of the statements, which say nothing.
        Err(TestError::Fail(why, _)) => panic!("{why}"),
        Err(why) => panic!("{why}"),
    }
}
