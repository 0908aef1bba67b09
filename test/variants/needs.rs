//! What raises the least target does so: with one PTX version or one SM less, or on a chip that has not got it, ptxas
//! refuses the op.
//!
//! - Each form, token, special register and kind of symbol is tried where nothing else in the op asks for as much.
//! - What the oldest target hides is not measured, nor what a chip hides that is younger than the PTX version.

use super::enumerate::{Case, Clauses, Source};
use super::jobs;
use super::module::{Assembly, Op};
use super::targets::{self, CHIPS, FLOOR, NEWEST, Target};
use ptx_tile_dialect::instruction::{Needs, sm_of};
use std::collections::{BTreeMap, BTreeSet};

/// An op and a target that is one less than something in it asks for.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The op.
    pub case: Case,
    /// The target.
    pub less: Target,
    /// What asks for more: `.L2::64B of ld (weak scalar) asks for PTX 7.4`.
    pub asked: String,
}

/// The trials of some ops, and what no trial shows.
pub fn trials(cases: &[Case]) -> (Vec<Trial>, Vec<String>) {
    // In order of their names, so that what comes out has an order.
    let mut open: BTreeMap<(String, Dimension), Option<Vec<Trial>>> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.clauses == Clauses::default()) {
        let parts = parts(case);
        for (i, (name, needs)) in parts.iter().enumerate() {
            let rest = parts.iter().enumerate().filter(|(other, _)| *other != i);
            let rest = rest.fold(FLOOR, |rest, (_, (_, needs))| rest.max(*needs));
            for dimension in Dimension::ALL {
                if !dimension.is_raised(*needs, FLOOR) {
                    continue;
                }
                let known = open.entry((name.clone(), dimension)).or_default();
                if known.is_some() || !dimension.is_raised(*needs, rest) {
                    continue;
                }
                let asked = format!("{name} asks for {}", dimension.text(*needs));
                let less = dimension.less(*needs, rest).into_iter();
                let trials: Vec<_> = less.map(|less| Trial { case: *case, less, asked: asked.clone() }).collect();
                if !trials.is_empty() {
                    *known = Some(trials);
                }
            }
        }
    }
    let hidden = open.iter().filter(|(_, trials)| trials.is_none());
    let hidden = hidden.map(|((name, dimension), _)| format!("{name}: {dimension:?}")).collect();
    (open.into_values().flatten().flatten().collect(), hidden)
}

/// What asks for a target in an op.
fn parts(case: &Case) -> Vec<(String, Needs)> {
    let (form, mnemonic) = (case.variant.form, case.variant.instruction.mnemonic);
    // Forms of one name may need differently.
    let number = case.variant.instruction.forms.iter().position(|its| std::ptr::eq(its, form)).unwrap_or_default();
    let of_form = format!("{mnemonic} ({}, form {number})", form.summary);
    let mut parts = vec![(of_form.clone(), form.needs)];
    let tokens = case.variant.tokens.iter().flatten();
    parts.extend(tokens.map(|token| (format!(".{} of {of_form}", token.text), token.needs)));
    match case.source {
        Source::Values => {}
        Source::Special(source) => parts.push((format!("%{} of {of_form}", source.register.name), source.register.needs)),
        Source::Symbol(kind) => parts.push((format!("{} of {of_form}", kind.summary), kind.needs)),
    }
    parts
}

/// What of a target may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dimension {
    Version,
    Sm,
    Chips,
}

impl Dimension {
    const ALL: [Dimension; 3] = [Dimension::Version, Dimension::Sm, Dimension::Chips];

    /// Whether more is asked for than all the rest asks for.
    fn is_raised(self, needs: Needs, rest: Needs) -> bool {
        match self {
            Dimension::Version => needs.ptx > rest.ptx,
            Dimension::Sm => needs.sm > rest.sm,
            Dimension::Chips => rest.max(needs).chips != rest.chips,
        }
    }

    /// The targets that are one less.
    fn less(self, needs: Needs, rest: Needs) -> Vec<Target> {
        match self {
            Dimension::Version => {
                let both = rest.max(needs);
                let Some(ptx) = targets::version_before(needs.ptx) else { return vec![] };
                let mut chips = CHIPS.iter().filter(|(chip, least)| both.has(chip) && *least <= ptx);
                chips.next().map(|(chip, _)| Target { chip, ptx }).into_iter().collect()
            }
            Dimension::Sm => {
                let before = CHIPS.iter().map(|(chip, _)| sm_of(chip)).filter(|sm| *sm < needs.sm).max();
                let chips = CHIPS.iter().filter(|(chip, _)| Some(sm_of(chip)) == before);
                chips.map(|(chip, _)| Target { chip, ptx: NEWEST }).collect()
            }
            Dimension::Chips => {
                let lack = CHIPS.iter().filter(|(chip, _)| rest.has(chip) && !needs.chips.contain(chip));
                lack.map(|(chip, _)| Target { chip, ptx: NEWEST }).collect()
            }
        }
    }

    fn text(self, needs: Needs) -> String {
        match self {
            Dimension::Version => format!("PTX {}.{}", needs.ptx / 10, needs.ptx % 10),
            Dimension::Sm => format!("sm_{}", needs.sm),
            Dimension::Chips => needs.chips.names().map(|names| names.collect::<Vec<_>>().join(", ")).unwrap_or_default(),
        }
    }
}

/// The trials whose op ptxas takes nevertheless, or refuses for its own target too.
pub fn faults(trials: &[Trial]) -> Vec<String> {
    let mut groups: BTreeMap<(Target, Target), Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        // Where several chips alone have it, one stands for all.
        if let Some(own) = targets::least(trial.case.needs()).first() {
            groups.entry((*own, trial.less)).or_default().push(trial);
        }
    }
    let jobs: Vec<_> = groups.into_iter().collect();
    let faults = jobs::all("needs", &jobs, |(_, trials)| trials.len(), |((own, less), trials)| {
        let ops: Vec<Op> = trials.iter().map(|trial| Op::of(&trial.case)).collect();
        let ops: Vec<&Op> = ops.iter().collect();
        let assembly = match Assembly::translate(&ops, *own) {
            Ok(assembly) => assembly,
            Err((_, why)) => return vec![why],
        };
        // The lines of the ops themselves: what LLVM writes beside them does not count.
        let refused = |target: Target| -> Result<BTreeSet<usize>, String> {
            let lines = assembly.refused(target)?.into_iter();
            let is_op = |op: &usize, text: &str| text.contains(&format!("{} ", trials[*op].case.variant));
            Ok(lines.filter_map(|line| line.op.filter(|op| is_op(op, line.text))).collect())
        };
        let (of_own, of_less) = match (refused(*own), refused(*less)) {
            (Ok(of_own), Ok(of_less)) => (of_own, of_less),
            (Err(why), _) | (_, Err(why)) => return vec![why],
        };
        let fault = |(i, trial): (usize, &&Trial)| {
            let version = |target: &Target| format!("{} and PTX {}.{}", target.chip, target.ptx / 10, target.ptx % 10);
            if of_own.contains(&i) {
                return Some(format!("ptxas refuses {} for {}, its own least target", trial.case.variant, version(own)));
            }
            (!of_less.contains(&i))
                .then(|| format!("ptxas takes {} for {}, but {}", trial.case.variant, version(less), trial.asked))
        };
        trials.iter().enumerate().filter_map(fault).collect()
    });
    faults.into_iter().flatten().collect()
}
