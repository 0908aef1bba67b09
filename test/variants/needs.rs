//! What raises the least target: for each of these an op, and a target that has one PTX version or one SM less than
//! that asks for, or is of a chip that has not got it.
//!
//! - Each form, token, special register and kind of symbol is tried where nothing else in the op asks for as much.
//! - What the oldest target hides is not measured, nor what a chip hides that is younger than the PTX version.

use super::enumerate::{Case, Clauses, Source};
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

/// The trials of some ops.
#[derive(Debug, Default)]
pub struct Trials {
    /// One for each form and each that raises its least target, and for each such target.
    pub trials: Vec<Trial>,
    /// What asks for more than the oldest target and is not shown to, in any form of its mnemonic.
    pub hidden: Vec<String>,
}

/// The trials of ops, in the order of what asks.
pub fn trials(cases: &[Case]) -> Trials {
    let mut found: BTreeMap<(String, Dimension, usize), Vec<Trial>> = BTreeMap::new();
    let mut all: BTreeSet<(String, Dimension)> = BTreeSet::new();
    for case in cases.iter().filter(|case| case.clauses == Clauses::default()) {
        let parts = parts(case);
        for (i, (name, needs)) in parts.iter().enumerate() {
            if FLOOR.max(*needs) == FLOOR {
                continue;
            }
            let rest = parts.iter().enumerate().filter(|(other, _)| *other != i);
            let rest = rest.fold(FLOOR, |rest, (_, (_, needs))| rest.max(*needs));
            for dimension in Dimension::ALL.into_iter().filter(|dimension| dimension.is_raised(*needs, FLOOR)) {
                all.insert((name.clone(), dimension));
                let key = (name.clone(), dimension, std::ptr::from_ref(case.variant.form) as usize);
                if dimension.is_raised(*needs, rest) && !found.contains_key(&key) {
                    let asked = format!("{name} asks for {}", dimension.text(*needs));
                    let less = dimension.less(*needs, rest).into_iter();
                    let trials: Vec<_> = less.map(|less| Trial { case: *case, less, asked: asked.clone() }).collect();
                    if !trials.is_empty() {
                        found.insert(key, trials);
                    }
                }
            }
        }
    }
    let shown: BTreeSet<_> = found.keys().map(|(name, dimension, _)| (name.clone(), *dimension)).collect();
    let hidden = all.difference(&shown).map(|(name, dimension)| format!("{name}: {dimension:?}"));
    Trials { hidden: hidden.collect(), trials: found.into_values().flatten().collect() }
}

/// What asks for a target in an op.
fn parts(case: &Case) -> Vec<(String, Needs)> {
    let (form, mnemonic) = (case.variant.form, case.variant.instruction.mnemonic);
    let mut parts = vec![(format!("{mnemonic} ({})", form.summary), form.needs)];
    let tokens = case.variant.tokens.iter().flatten();
    parts.extend(tokens.map(|token| (format!(".{} of {mnemonic}", token.text), token.needs)));
    match case.source {
        Source::Values => {}
        Source::Special(source) => parts.push((format!("%{}", source.register.name), source.register.needs)),
        Source::Symbol(kind) => parts.push((kind.summary.into(), kind.needs)),
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
            Dimension::Chips => {
                needs.chips.names().map(|names| names.collect::<Vec<_>>().join(", ")).unwrap_or_default()
            }
        }
    }
}
