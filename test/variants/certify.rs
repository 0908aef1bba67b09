//! What ptxas says of ops for their least targets, and for targets that are one less.

use super::jobs;
use super::module::{self, Assembly, Op};
use super::plan::enumerate::Case;
use super::plan::needs::Trial;
use super::plan::targets::{self, Target};
use std::collections::{BTreeMap, BTreeSet};

/// How many ops a module has.
const OPS_OF_MODULE: usize = 2048;

/// Assembles each op for each of its least targets: how many that are, and what went wrong.
pub fn assemble(cases: &[Case]) -> (usize, Vec<String>) {
    let mut of_targets: BTreeMap<Target, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        targets::least(case.needs()).into_iter().for_each(|target| of_targets.entry(target).or_default().push(case));
    }
    let jobs: Vec<(Target, &[&Case])> = of_targets
        .iter()
        .flat_map(|(target, cases)| cases.chunks(OPS_OF_MODULE).map(|chunk| (*target, chunk)))
        .collect();
    let faults = jobs::all(
        "ops",
        &jobs,
        |(_, cases)| cases.len(),
        |(target, cases)| {
            let ops: Vec<Op> = cases.iter().map(|case| Op::of(case)).collect();
            let failed = module::assemble(&ops.iter().collect::<Vec<_>>(), *target);
            let fault = |(i, why): (usize, String)| format!("for {target}, {}: {why}", ops[i].text);
            failed.into_iter().map(fault).collect::<Vec<_>>()
        },
    );
    (jobs.iter().map(|(_, cases)| cases.len()).sum(), faults.into_iter().flatten().collect())
}

/// The trials whose op ptxas takes nevertheless, or refuses for its own target too.
pub fn one_less(trials: &[Trial]) -> Vec<String> {
    let mut groups: BTreeMap<(Target, Target), Vec<&Trial>> = BTreeMap::new();
    let mut faults = vec![];
    for trial in trials {
        // Where several chips alone have it, one stands for all.
        match targets::least(trial.case.needs()).first() {
            Some(own) => groups.entry((*own, trial.less)).or_default().push(trial),
            None => faults.push(format!("no chip of the list has {}", trial.case.variant)),
        }
    }
    let jobs: Vec<_> = groups.into_iter().collect();
    let found = jobs::all(
        "targets",
        &jobs,
        |(_, trials)| trials.len(),
        |((own, less), trials)| of_group(*own, *less, trials).unwrap_or_else(|why| vec![why]),
    );
    faults.extend(found.into_iter().flatten());
    faults
}

fn of_group(own: Target, less: Target, trials: &[&Trial]) -> Result<Vec<String>, String> {
    let ops: Vec<Op> = trials.iter().map(|trial| Op::of(&trial.case)).collect();
    let assembly = Assembly::translate(&ops.iter().collect::<Vec<_>>(), own).map_err(|(_, why)| why)?;
    // The lines of the ops themselves: what LLVM writes beside them does not count.
    let refused = |target: Target| -> Result<BTreeSet<usize>, String> {
        let lines = assembly.refused(target)?.into_iter();
        let is_op = |op: &usize, text: &str| text.contains(&format!("{} ", trials[*op].case.variant));
        Ok(lines.filter_map(|line| line.op.filter(|op| is_op(op, line.text))).collect())
    };
    let (of_own, of_less) = (refused(own)?, refused(less)?);
    let fault = |(i, trial): (usize, &&Trial)| {
        let variant = trial.case.variant;
        if of_own.contains(&i) {
            return Some(format!("ptxas refuses {variant} for {own}, its own least target"));
        }
        (!of_less.contains(&i)).then(|| format!("ptxas takes {variant} for {less}, but {}", trial.asked))
    };
    Ok(trials.iter().enumerate().filter_map(fault).collect())
}
