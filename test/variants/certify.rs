//! Every op of a list is assembled for each of its least targets.

use super::enumerate::Case;
use super::jobs;
use super::module::{self, Op};
use super::targets::{self, Target};
use std::collections::BTreeMap;

/// How many ops a module has.
const OPS_OF_MODULE: usize = 2048;

/// An op that is not assembled.
#[derive(Debug)]
pub struct Fault {
    /// The op.
    pub op: String,
    /// For which target.
    pub target: Target,
    /// What tile-translate or ptxas says.
    pub why: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Target { ptx, chip } = self.target;
        write!(out, "{chip}, PTX {}.{}: {}\n    {}", ptx / 10, ptx % 10, self.op, self.why)
    }
}

/// How many ops are assembled, once for each target, and the faults.
pub fn assemble(cases: &[Case]) -> (usize, Vec<Fault>) {
    let mut of_targets: BTreeMap<Target, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        targets::least(case.needs()).into_iter().for_each(|target| of_targets.entry(target).or_default().push(case));
    }
    let jobs: Vec<(Target, &[&Case])> = of_targets
        .iter()
        .flat_map(|(target, cases)| cases.chunks(OPS_OF_MODULE).map(|chunk| (*target, chunk)))
        .collect();
    let faults = jobs::all("ops", &jobs, |(_, cases)| cases.len(), |(target, cases)| {
        let ops: Vec<Op> = cases.iter().map(|case| Op::of(case)).collect();
        let failed = module::assemble(&ops.iter().collect::<Vec<_>>(), *target);
        let fault = |(i, why): (usize, String)| Fault { op: ops[i].text.clone(), target: *target, why };
        failed.into_iter().map(fault).collect::<Vec<_>>()
    });
    (jobs.iter().map(|(_, cases)| cases.len()).sum(), faults.into_iter().flatten().collect())
}
