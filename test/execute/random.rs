//! Random programs of every kind, to be run and expanded alike.

use super::mlir::Mlir;
use super::program::{self, Program};
use super::threads;
use super::whole::{self, Whole};
use melior::ir::Module;
use proptest::prelude::*;
use ptx_tile_passes::execute::Buffer;

/// A random program.
#[derive(Clone, Debug)]
pub enum Random {
    /// Of single threads; whether all of its instructions may run.
    Threads(Program, bool),
    /// Of blocks, all of whose instructions may run.
    Blocks(Whole),
}

impl Random {
    pub fn text(&self) -> &str {
        match self {
            Random::Threads(program, _) => &program.text,
            Random::Blocks(program) => &program.text,
        }
    }

    pub fn is_live(&self) -> bool {
        !matches!(self, Random::Threads(_, false))
    }

    /// The memory that the program leaves, whatever has become of it as a module.
    pub fn run(&self, mlir: &Mlir, module: &Module) -> Result<Vec<Buffer>, String> {
        match self {
            Random::Threads(program, _) => super::run(mlir, module, program),
            Random::Blocks(program) => threads::run(mlir, module, program),
        }
    }

    /// The memory that it leaves in every way.
    pub fn agrees(&self, mlir: &Mlir) -> Result<Vec<Buffer>, String> {
        match self {
            Random::Threads(program, _) => super::agrees(mlir, program),
            Random::Blocks(program) => threads::agrees(mlir, program),
        }
    }
}

/// Programs of all kinds; those of blocks take the longest.
pub fn programs() -> impl Strategy<Value = Random> {
    prop_oneof![
        2 => super::statements().prop_map(|statements| Random::Threads(program::program(&statements), false)),
        4 => super::statements().prop_map(|statements| Random::Threads(program::live(&statements), true)),
        1 => threads::statements().prop_map(|statements| Random::Blocks(whole::program(&statements, true))),
    ]
}
