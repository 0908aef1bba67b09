//! A reference executor: runs a kernel on the CPU from what its ops mean.
//!
//! - It runs tile programs by the contract's last paragraph: each thread, for each repeat in row-major order, evaluates
//!   the predicate; where it is true reads all source words, computes, writes the destination words; where it is false
//!   and nothing is preserved, the destination words become undefined, else they stay. It knows nothing of the
//!   expansion.
//! - It runs whole blocks: who is in a `tile.where`, whose turn a group coordinate is, and whose an element of
//!   registers is, each thread finds out by its own numbers (scope.rs), and knows nothing of what tile-check decides.
//! - It runs expanded programs too: `ptx` ops, and the ops of other dialects that the passes leave. One program before
//!   and after a pass gives the same memory, wherever its meaning defines it.
//! - What an instruction computes is the primitive that its record names (semantics.rs of the dialect). Pure ops of
//!   other dialects are evaluated by their own folders (fold.rs).
//! - Every bit of registers and of memory is defined or not. An undefined bit may be moved and stored; that an address,
//!   a predicate or a branch depends on one is an error, and so is an access outside of an allocation or off its
//!   alignment.
//! - Threads of a block run one after another from barrier to barrier, blocks one after another: what races is not
//!   seen.
//! - Every error names the op and its location. A program that does not end runs into [`Launch::steps`].

mod apply;
mod control;
mod memory;
mod memref;
mod pure;
mod scope;
mod special;
mod thread;
mod value;

use crate::ir;
use anyhow::{Context, Result, bail, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockLike, Value, ValueLike};
use memory::{GLOBAL, Memory};
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::verify::op_name;
use thread::Machine;
use value::{Datum, View, is_memref, is_pointer, width_of};

/// How a kernel is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y and z, of which the grid is made.
    pub cluster: [u32; 3],
    /// Bytes of `gpu.dynamic_shared_memory`.
    pub dynamic_shared: u64,
    /// The most ops and instructions that all threads may execute together.
    pub steps: u64,
}

impl Default for Launch {
    /// One thread.
    fn default() -> Launch {
        Launch { grid: [1; 3], block: [1; 3], cluster: [1; 3], dynamic_shared: 0, steps: 50_000_000 }
    }
}

/// Global memory that a kernel is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// What it holds, little endian; an i1 is a byte of its own.
    pub bytes: Vec<u8>,
    /// Which bits of each byte are defined; the others of `bytes` are 0 after a run.
    pub defined: Vec<u8>,
    /// Its address is a multiple of this power of two and of no greater one, so that nothing works by accident.
    pub alignment: u64,
}

impl Buffer {
    /// Memory that is defined, aligned as by `cudaMalloc`.
    pub fn new(bytes: Vec<u8>) -> Buffer {
        let defined = vec![0xff; bytes.len()];
        Buffer { bytes, defined, alignment: 256 }
    }

    /// Memory of which nothing is defined.
    pub fn undefined(bytes: usize) -> Buffer {
        Buffer { bytes: vec![0; bytes], defined: vec![0; bytes], alignment: 256 }
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The bits of an argument that is a scalar.
    Bits(u128),
    /// For an argument that is a memref or a pointer; what it holds afterwards is here after the run.
    Buffer(Buffer),
}

/// Runs a kernel (`gpu.func`, `llvm.func` or `func.func`) of a module that verifies.
///
/// Errors: what the executor does not know, what the program must not do, and arguments that do not fit; each with
/// location and name of the op. The buffers are then as they were.
pub fn run(kernel: OperationRef, launch: &Launch, arguments: &mut [Argument]) -> Result<()> {
    let kernel = unsafe { OperationRef::from_raw(kernel.to_raw()) };
    at(kernel, || {
        ensure!(ir::is_function(kernel), "is no function");
        let mut memory = Memory::default();
        let bases: Vec<Option<u64>> = arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| match argument {
                Argument::Bits(_) => Ok(None),
                Argument::Buffer(buffer) => place(&mut memory, index, buffer).map(Some),
            })
            .collect::<Result<_>>()?;
        let data = entry(kernel, arguments, &bases)?;
        let mut machine = Machine::new(launch, memory);
        machine.run(kernel, &data)?;
        for (argument, base) in arguments.iter_mut().zip(bases) {
            if let (Argument::Buffer(buffer), Some(base)) = (argument, base) {
                (buffer.bytes, buffer.defined) = machine.memory.take(base);
            }
        }
        Ok(())
    })
}

/// Puts a buffer into memory.
fn place(memory: &mut Memory, index: usize, buffer: &Buffer) -> Result<u64> {
    ensure!(
        buffer.bytes.len() == buffer.defined.len(),
        "argument #{index} has {} bytes and says of {} what is defined",
        buffer.bytes.len(),
        buffer.defined.len()
    );
    ensure!(
        buffer.alignment.is_power_of_two(),
        "argument #{index} is aligned to {}, no power of two",
        buffer.alignment
    );
    let base = memory.allocate(GLOBAL, buffer.bytes.len() as u64, buffer.alignment, &format!("argument #{index}"))?;
    memory.fill(base, &buffer.bytes, &buffer.defined);
    Ok(base)
}

/// The arguments as the values that the entry block begins with.
fn entry(kernel: OperationRef, arguments: &[Argument], bases: &[Option<u64>]) -> Result<Vec<Datum>> {
    let blocks = ir::blocks(kernel);
    let block = blocks.first().context("has no body")?;
    let attributions = control::attributions(kernel, block.argument_count());
    let wanted = block.argument_count() - attributions;
    ensure!(wanted == arguments.len(), "takes {wanted} arguments, {} are given", arguments.len());
    let datum = |(index, (argument, base)): (usize, (&Argument, &Option<u64>))| -> Result<Datum> {
        let value: Value = block.argument(index)?.into();
        let r#type = value.r#type();
        match (argument, base) {
            (Argument::Bits(bits), _) if !is_memref(r#type) => Ok(Word::new(width_of(r#type)?, *bits).into()),
            (Argument::Buffer(_), Some(base)) if is_memref(r#type) => Ok(View::of_type(*base, r#type)?.into()),
            (Argument::Buffer(_), Some(base)) if is_pointer(r#type) => Ok(Word::new(64, u128::from(*base)).into()),
            (Argument::Bits(_), _) => bail!("is {type}, and bits are given"),
            (Argument::Buffer(_), _) => bail!("is {type}, and a buffer is given"),
        }
    };
    let data = arguments.iter().zip(bases).enumerate();
    data.map(|its| datum(its).with_context(|| format!("argument #{}", its.0))).collect()
}

/// Runs `body`, whose error gets the location and the name of `op`, unless it has those of another op already.
fn at<T>(op: OperationRef, body: impl FnOnce() -> Result<T>) -> Result<T> {
    body().map_err(|why| match why.downcast::<Located>() {
        Ok(located) => located.into(),
        Err(why) => Located(format!("{}: '{}' op {why:#}", op.location(), op_name(op))).into(),
    })
}

/// An error that says where it is.
#[derive(Debug)]
struct Located(String);

impl std::fmt::Display for Located {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Located {}

#[cfg(test)]
#[path = "execute/execute_tests.rs"]
mod tests;
