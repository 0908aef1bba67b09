//! Special registers, as far as a launch decides what they hold; no others are read.
//!
//! One table, by the names that the records of the dialect give them. What MLIR's own ops say of a thread is read from
//! it too.

use super::thread::Core;
use anyhow::{Context, Result, ensure};
use ptx_tile_dialect::named::{COMPONENTS, SpecialSource};
use std::fmt;

/// A thread in its launch.
#[derive(Clone, Copy)]
pub struct Who {
    pub thread: [u32; 3],
    pub threads: [u32; 3],
    pub block: [u32; 3],
    pub blocks: [u32; 3],
    /// Blocks of a cluster.
    pub cluster: [u32; 3],
    dynamic_shared: u64,
}

/// `thread 33 of block (0, 1, 0)`
impl fmt::Display for Who {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let [x, y, z] = self.block;
        write!(out, "thread {} of block ({x}, {y}, {z})", self.linear())
    }
}

impl Who {
    /// In its block, x fastest.
    pub fn linear(&self) -> u64 {
        row_major(self.thread, self.threads)
    }

    /// The place of its block in the cluster.
    pub fn in_cluster(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.block[axis] % self.cluster[axis])
    }

    /// The cluster in the grid.
    fn cluster_id(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.block[axis] / self.cluster[axis])
    }

    /// The same as one number, x fastest.
    pub fn rank(&self) -> u64 {
        row_major(self.in_cluster(), self.cluster)
    }

    /// All threads of its cluster.
    pub fn cluster_mates(&self) -> impl Iterator<Item = Who> {
        let (who, corner) = (*self, [0, 1, 2].map(|axis| self.block[axis] - self.in_cluster()[axis]));
        places(who.cluster).flat_map(move |at| {
            let block = [0, 1, 2].map(|axis| corner[axis] + at[axis]);
            places(who.threads).map(move |thread| Who { thread, block, ..who })
        })
    }

    fn lane(&self) -> u64 {
        self.linear() % 32
    }

    /// The lanes below.
    fn below(&self) -> u64 {
        (1 << self.lane()) - 1
    }
}

fn row_major(place: [u32; 3], extents: [u32; 3]) -> u64 {
    let [[x, y, z], [width, height, _]] = [place, extents].map(|its| its.map(u64::from));
    x + width * (y + height * z)
}

/// All places of an extent, x fastest.
pub fn places([width, height, depth]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let planes = (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)));
    planes.flat_map(move |(y, z)| (0..width).map(move |x| [x, y, z]))
}

/// What a register holds; the components of a vector.
type Holds = fn(&Who) -> [u64; 4];

/// The registers that are known.
const HELD: [(&str, Holds); 17] = [
    ("tid", |who| vector(who.thread)),
    ("ntid", |who| vector(who.threads)),
    ("ctaid", |who| vector(who.block)),
    ("nctaid", |who| vector(who.blocks)),
    ("clusterid", |who| vector(who.cluster_id())),
    ("nclusterid", |who| vector([0, 1, 2].map(|axis| who.blocks[axis] / who.cluster[axis]))),
    ("cluster_ctaid", |who| vector(who.in_cluster())),
    ("cluster_nctaid", |who| vector(who.cluster)),
    ("cluster_ctarank", |who| scalar(who.rank())),
    ("cluster_nctarank", |who| scalar(who.cluster.iter().map(|its| u64::from(*its)).product())),
    ("laneid", |who| scalar(who.lane())),
    ("lanemask_eq", |who| scalar(1 << who.lane())),
    ("lanemask_lt", |who| scalar(who.below())),
    ("lanemask_le", |who| scalar(who.below() | 1 << who.lane())),
    ("lanemask_ge", |who| scalar(u64::from(u32::MAX) & !who.below())),
    ("lanemask_gt", |who| scalar(u64::from(u32::MAX) & !(who.below() | 1 << who.lane()))),
    ("dynamic_smem_size", |who| scalar(who.dynamic_shared)),
];

/// The fourth component is unused, and 0 (ISA 10.1).
fn vector([x, y, z]: [u32; 3]) -> [u64; 4] {
    [x, y, z, 0].map(u64::from)
}

fn scalar(number: u64) -> [u64; 4] {
    [number, 0, 0, 0]
}

impl Core<'_, '_, '_> {
    /// What a `ptx` op reads that names a special register: one word, or all components.
    pub fn special(&self, source: &SpecialSource) -> Result<Vec<u64>> {
        let register = source.register;
        ensure!(!register.varies, "reads {source}, which is another number each time");
        let held = self.held(register.name).with_context(|| format!("reads {source}, which a launch here has not"))?;
        Ok(match source.component {
            _ if !register.vector => vec![held[0]],
            None => held.to_vec(),
            Some(component) => {
                COMPONENTS.iter().position(|its| *its == component).map(|axis| held[axis]).into_iter().collect()
            }
        })
    }

    /// What the register of a name holds.
    pub fn held(&self, name: &str) -> Option<[u64; 4]> {
        HELD.iter().find(|(its, _)| *its == name).map(|(_, holds)| holds(&self.who()))
    }

    /// The number of the thread in its block, and how many threads that has.
    pub fn place_in_block(&self) -> (u64, u64) {
        let who = self.who();
        (who.linear(), who.threads.iter().map(|its| u64::from(*its)).product())
    }

    /// The thread that runs.
    pub fn who(&self) -> Who {
        let launch = self.machine.launch;
        Who {
            thread: self.thread.id,
            threads: launch.block,
            block: self.block.id,
            blocks: launch.grid,
            cluster: launch.cluster,
            dynamic_shared: launch.dynamic_shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_tile_dialect::instruction::SPECIAL_REGISTERS;

    #[test]
    fn what_is_known_is_a_register_that_stays_the_same() {
        for (name, _) in HELD {
            let register = SPECIAL_REGISTERS.iter().find(|register| register.name == name);
            assert!(register.is_some_and(|register| !register.varies), "{name}");
        }
    }
}
