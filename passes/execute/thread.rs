//! A launch as blocks of threads, and the threads as stacks of frames that execute one op after another.
//!
//! A thread is data, not a call stack of ours: it may stop at a barrier and go on when the others are there.

use super::Launch;
use super::at;
use super::control::Frame;
use super::memory::Memory;
use super::special::places;
use super::value::{Datum, View};
use crate::{ir, launch};
use anyhow::{Context, Result, bail, ensure};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Value, ValueLike};
use ptx_tile_dialect::instruction::Variant;
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::threads::Narrowing;
use ptx_tile_dialect::verify::{IssueOperands, op_name};
use std::collections::HashMap;
use std::rc::Rc;

/// The identity of an op, a block or a value.
pub type Key = usize;

/// What values are, by value.
pub type Values = HashMap<Key, Datum>;

/// A launch.
pub struct Machine<'c, 'l> {
    pub launch: &'l Launch,
    pub memory: Memory,
    /// The memory of `memref.global`s outside of shared memory, by op.
    pub globals: HashMap<Key, u64>,
    /// The ops of blocks that were entered.
    pub ops: HashMap<Key, Rc<[OperationRef<'c, 'c>]>>,
    /// The ops that executed ops name.
    pub symbols: HashMap<Key, OperationRef<'c, 'c>>,
    /// Applications that were executed, as they were read.
    pub applications: HashMap<Key, Rc<super::apply::Application<'c>>>,
    /// Instructions that were executed, as they were read.
    pub issues: HashMap<Key, Rc<(IssueOperands<'c, 'c>, Variant)>>,
    /// The ranges of each `tile.where` that was reached.
    pub narrowings: HashMap<Key, Rc<Narrowing>>,
    steps: u64,
}

/// What the threads of a block share.
pub struct Block {
    pub id: [u32; 3],
    /// Shared memory, by who asks for it.
    pub shared: HashMap<Key, u64>,
}

/// A thread.
pub struct Thread<'c> {
    pub id: [u32; 3],
    pub frames: Vec<Frame<'c>>,
    /// The values of the function that runs.
    pub values: Values,
    /// What it allocated.
    pub own: Vec<u64>,
}

/// A thread with all that it can reach.
pub struct Core<'t, 'c, 'l> {
    pub machine: &'t mut Machine<'c, 'l>,
    pub block: &'t mut Block,
    pub thread: &'t mut Thread<'c>,
}

/// Why a thread stops.
#[derive(Clone, Copy)]
pub enum Event<'c> {
    /// It is done.
    Finished,
    /// It waits for the others at this op.
    Barrier(OperationRef<'c, 'c>),
}

impl<'c, 'l> Machine<'c, 'l> {
    pub fn new(launch: &'l Launch, memory: Memory) -> Machine<'c, 'l> {
        Machine {
            launch,
            memory,
            globals: HashMap::new(),
            ops: HashMap::new(),
            symbols: HashMap::new(),
            applications: HashMap::new(),
            issues: HashMap::new(),
            narrowings: HashMap::new(),
            steps: 0,
        }
    }

    /// Runs every block of the grid.
    pub fn run(&mut self, kernel: OperationRef<'c, 'c>, arguments: &[Datum]) -> Result<()> {
        self.may_start(kernel)?;
        places(self.launch.grid).try_for_each(|id| self.block(kernel, id, arguments))
    }

    /// What a GPU refuses to launch, and what the kernel says of its launches.
    fn may_start(&self, kernel: OperationRef<'c, 'c>) -> Result<()> {
        let Launch { grid, block, cluster, .. } = self.launch;
        for extent in [grid, block, cluster] {
            ensure!(extent.iter().all(|its| *its > 0), "a launch of extent {extent:?} has no thread");
        }
        let threads = block.iter().fold(1u64, |all, its| all.saturating_mul((*its).into()));
        ensure!(threads <= 1024, "a block of {threads} threads, more than the 1024 that a GPU has");
        ensure!(
            grid.iter().zip(cluster).all(|(blocks, its)| blocks % its == 0),
            "a grid of {grid:?} blocks is not made of clusters of {cluster:?}"
        );
        let told = [
            ("known_block_size", block),
            ("nvvm.reqntid", block),
            ("known_cluster_size", cluster),
            ("nvvm.cluster_dim", cluster),
            ("known_grid_size", grid),
        ];
        for (name, found) in told {
            if let Some(wanted) = launch::extents(kernel, name) {
                ensure!(wanted == found.map(i64::from), "has {name} {wanted:?} and is launched with {found:?}");
            }
        }
        Ok(())
    }

    fn block(&mut self, kernel: OperationRef<'c, 'c>, id: [u32; 3], arguments: &[Datum]) -> Result<()> {
        let mut block = Block { id, shared: HashMap::new() };
        let mut threads = vec![];
        for id in places(self.launch.block) {
            let mut thread = Thread { id, frames: vec![], values: Values::new(), own: vec![] };
            Core { machine: self, block: &mut block, thread: &mut thread }.start(kernel, arguments.to_vec())?;
            threads.push(thread);
        }
        loop {
            let (mut waits, mut finished) = (None, 0);
            for thread in threads.iter_mut() {
                let event = match thread.frames.is_empty() {
                    true => Event::Finished,
                    false => Core { machine: self, block: &mut block, thread }.run()?,
                };
                match event {
                    Event::Finished => finished += 1,
                    Event::Barrier(op) => waits = Some(op),
                }
            }
            let Some(op) = waits else { break };
            at(op, || {
                ensure!(finished == 0, "waits for {finished} of {} threads, which have returned", threads.len());
                Ok(())
            })?;
        }
        for base in threads.iter().flat_map(|thread| &thread.own).chain(block.shared.values()) {
            self.memory.take(*base);
        }
        Ok(())
    }

    /// Counts what is executed.
    pub fn count(&mut self) -> Result<()> {
        self.steps += 1;
        let most = self.launch.steps;
        ensure!(self.steps <= most, "is step {} of the launch, more than the {most} that it may take", self.steps);
        Ok(())
    }
}

impl<'c> Core<'_, 'c, '_> {
    /// Executes ops until there is a reason to stop.
    fn run(&mut self) -> Result<Event<'c>> {
        while let Some(frame) = self.thread.frames.last_mut() {
            let Some(op) = frame.next() else {
                self.end_without_terminator()?;
                continue;
            };
            let event = at(op, || {
                self.machine.count()?;
                self.execute(op)
            })?;
            if let Some(event) = event {
                return Ok(event);
            }
        }
        Ok(Event::Finished)
    }

    fn execute(&mut self, op: OperationRef<'c, 'c>) -> Result<Option<Event<'c>>> {
        let name = op_name(op);
        if name == "gpu.barrier" {
            return Ok(Some(Event::Barrier(op)));
        }
        if self.control(op, name)? {
            return Ok(None);
        }
        let (dialect, _) = name.split_once('.').unwrap_or((name, ""));
        let results = match dialect {
            "tile" => self.tile(op, name)?,
            "ptx" => Some(self.issue(op)?),
            "memref" | "affine" | "llvm" | "gpu" => self.memory_op(op, name)?,
            _ => None,
        };
        let results = match results {
            Some(results) => results,
            None => self.pure(op, name)?,
        };
        self.bind(op, results)?;
        Ok(None)
    }

    /// What an operand of an op is.
    pub fn operand(&self, op: OperationRef<'c, '_>, index: usize) -> Result<Datum> {
        ensure!(index < op.operand_count(), "has no operand #{index}");
        self.value(ir::operand_of(op, index as isize)).with_context(|| format!("operand #{index}"))
    }

    /// What all operands from `first` on are.
    pub fn operands(&self, op: OperationRef<'c, '_>, first: usize) -> Result<Vec<Datum>> {
        (first..op.operand_count()).map(|index| self.operand(op, index)).collect()
    }

    /// What a value is.
    pub fn value(&self, value: Value<'c, '_>) -> Result<Datum> {
        let datum = self.thread.values.get(&(value.to_raw().ptr as Key));
        datum.cloned().context("comes from an op that was not executed")
    }

    /// A word that is an operand.
    pub fn word(&self, op: OperationRef<'c, '_>, index: usize) -> Result<Word> {
        self.operand(op, index)?.word().with_context(|| format!("operand #{index}"))
    }

    /// A view that is an operand.
    pub fn view(&self, op: OperationRef<'c, '_>, index: usize) -> Result<Rc<View>> {
        Ok(self.operand(op, index)?.view().with_context(|| format!("operand #{index}"))?.clone())
    }

    /// A number that is an operand and decides something, so that it must be defined.
    pub fn number(&self, op: OperationRef<'c, '_>, index: usize) -> Result<i64> {
        number(self.word(op, index)?).with_context(|| format!("operand #{index}"))
    }

    /// A condition that is an operand.
    pub fn condition(&self, op: OperationRef<'c, '_>, index: usize) -> Result<bool> {
        truth(self.word(op, index)?).with_context(|| format!("operand #{index}"))
    }

    /// Gives the results of an op their values.
    pub fn bind(&mut self, op: OperationRef<'c, 'c>, results: Vec<Datum>) -> Result<()> {
        ensure!(results.len() == op.result_count(), "has {} results and gets {}", op.result_count(), results.len());
        for (index, datum) in results.into_iter().enumerate() {
            self.thread.values.insert(ir::result_of(op, index as isize).to_raw().ptr as Key, datum);
        }
        Ok(())
    }
}

/// A number that decides something.
pub fn number(word: Word) -> Result<i64> {
    let number = super::value::signed(word).context("is undefined where a number is wanted")?;
    number.try_into().ok().with_context(|| format!("is {number}, out of range"))
}

/// An i1 that decides something.
pub fn truth(word: Word) -> Result<bool> {
    match word.known() {
        Some(bits) => Ok(bits & 1 == 1),
        None => bail!("is undefined where a condition is wanted"),
    }
}

/// An address.
pub fn address(word: Word) -> Result<u64> {
    let bits = word.known().context("is undefined where an address is wanted")?;
    Ok(bits as u64)
}
