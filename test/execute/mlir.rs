//! What the tests of random programs share: MLIR, passes, runs, and proptest.

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::operation::{Operation, OperationLike};
use melior::ir::{BlockLike, Module, RegionLike};
use melior::pass::PassManager;
use melior::pass::transform::{create_canonicalizer, create_cse};
use melior::utility::parse_pass_pipeline;
use mlir_sys::{MlirStringRef, mlirModuleCreateParse};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestError, TestRunner};
use ptx_tile_dialect::verify::op_name;
use ptx_tile_passes::execute::{self, Argument, Buffer, Launch};
use ptx_tile_passes::expand::{self, Options};
use ptx_tile_passes::pipeline::{self, Options as Pipeline};
use ptx_tile_passes::{check, compile, emit, gpu_modules};
use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

/// MLIR, and what it said.
pub struct Mlir {
    context: Context,
    said: Rc<RefCell<Vec<String>>>,
}

impl Mlir {
    pub fn new() -> Mlir {
        let registry = DialectRegistry::new();
        melior::utility::register_all_dialects(&registry);
        ptx_tile_passes::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        // Not all dialects: what prints a type asks each that is loaded.
        for dialect in ["affine", "arith", "cf", "gpu", "index", "llvm", "memref", "ptx", "scf", "tile"] {
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

    pub fn parse(&self, text: &str) -> Result<Module<'_>, String> {
        self.said.borrow_mut().clear();
        Module::parse(&self.context, text).ok_or_else(|| format!("is not legal: {}", self.said.borrow().join("\n")))
    }

    /// A module from text or bytecode.
    pub fn read(&self, bytes: &[u8]) -> Result<Module<'_>, String> {
        self.said.borrow_mut().clear();
        let bytes = MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
        let module = unsafe { Module::from_option_raw(mlirModuleCreateParse(self.context.to_raw(), bytes)) };
        module.ok_or_else(|| format!("is not legal: {}", self.said.borrow().join("\n")))
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    pub fn verify(&self, module: &Module) -> Result<(), String> {
        self.said.borrow_mut().clear();
        let is_good = module.as_operation().verify();
        if is_good { Ok(()) } else { Err(format!("does not verify: {}", self.said.borrow().join("\n"))) }
    }

    /// The memory that the one kernel of a program leaves, a buffer for each of its arguments that is one.
    pub fn run(&self, module: &Module, launch: &Launch, mut arguments: Vec<Argument>) -> Result<Vec<Buffer>, String> {
        let gpu_module = *gpu_modules(module.as_operation()).first().ok_or("has no gpu.module")?;
        let block = gpu_module.region(0).ok().and_then(|region| region.first_block());
        let mut next = block.and_then(|block| block.first_operation());
        while next.is_some_and(|op| op_name(op) != "gpu.func") {
            next = next.and_then(|op| op.next_in_block());
        }
        execute::run(next.ok_or("has no kernel")?, launch, &mut arguments).map_err(|why| format!("{why:#}"))?;
        let buffers =
            arguments.into_iter().filter_map(|its| if let Argument::Buffer(its) = its { Some(its) } else { None });
        Ok(buffers.collect())
    }

    /// Whether `tile-check` accepts a program, else what it says.
    pub fn check(&self, module: &Module) -> Result<(), String> {
        self.said.borrow_mut().clear();
        check::run(module.as_operation()).map_err(|_| self.said.borrow().join("\n"))
    }

    /// The PTX of a program for a chip, with the marks of asm statements: after all stages, each verified, and as
    /// `emit_ptx` makes it, which leaves out some.
    pub fn ptx(&self, program: &Module, chip: &str) -> Result<[String; 2], String> {
        self.said.borrow_mut().clear();
        let fails = |what: &str| format!("{what}: {}", self.said.borrow().join("\n"));
        let options = Pipeline { chip: chip.into(), ptx: "".into(), level: "".into(), bare_pointers: true };
        let copy = || Module::from_operation(Operation::clone(&program.as_operation())).expect("it is a module");
        let only = |module: &Module| emit::marked_ptx(gpu_modules(module.as_operation())[0]);
        let mut whole = copy();
        let manager = PassManager::new(&self.context);
        manager.enable_verifier(true);
        let stages = pipeline::to_nvvm(&options).map_err(|why| why.to_string())?;
        parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({stages})"))
            .map_err(|why| why.to_string())?;
        manager.run(&mut whole).map_err(|_| fails("tile-to-nvvm"))?;
        let root = copy();
        let lowered = compile::lowered(root.as_operation(), gpu_modules(root.as_operation())[0], &options);
        let lowered = lowered.map_err(|_| fails("emit_ptx"))?;
        Ok([only(&whole).map_err(|_| fails("PTX"))?, only(&lowered).map_err(|_| fails("PTX of emit_ptx"))?])
    }

    /// A copy of a program after passes.
    pub fn after<'c>(&'c self, program: &Module<'c>, passes: &[Pass]) -> Result<Module<'c>, String> {
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
}

/// A pass that a program goes through.
#[derive(Clone, Copy, Debug)]
pub enum Pass {
    /// `tile-expand`.
    Expand { forward: bool },
    /// `canonicalize` and `cse`.
    Simplify,
}

/// The first difference in what is defined.
pub fn difference(meaning: &[Buffer], expanded: &[Buffer]) -> Option<String> {
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

/// Runs so many cases, always the same, unless the environment says otherwise.
pub fn runner(cases: u32) -> TestRunner {
    let mut config = ProptestConfig { failure_persistence: None, max_shrink_iters: 1000, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(17);
    }
    TestRunner::new(config)
}

/// Runs the one case of a seed.
pub fn seeded(seed: u64) -> TestRunner {
    let (rng_seed, max_shrink_time) = (RngSeed::Fixed(seed), 20_000);
    TestRunner::new(ProptestConfig { cases: 1, rng_seed, max_shrink_time, ..runner(1).config().clone() })
}

/// What a runner found, without the numbers of the statements, which say nothing.
pub fn outcome<T: Debug>(found: Result<(), TestError<T>>) -> Result<(), String> {
    found.map_err(|why| if let TestError::Fail(why, _) = why { why.to_string() } else { why.to_string() })
}

/// Numbers that look random, always the same for a seed.
pub struct Numbers(pub u64);

impl Iterator for Numbers {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Some(self.0)
    }
}

/// Memory of which all is defined, so that a store too many is seen, and no two words are alike.
pub fn buffer(size: usize, alignment: u64, numbers: &mut Numbers) -> Argument {
    let bytes = numbers.take(size).map(|number| (number >> 32) as u8).collect();
    Argument::Buffer(Buffer { alignment, ..Buffer::new(bytes) })
}
