//! What the records have ptxas asked, and how much that is.

pub mod enumerate;
pub mod misses;
pub mod needs;
pub mod targets;

use ptx_tile_dialect::instruction::INSTRUCTIONS;
use std::fmt;

/// How much `./dev certify` asks.
#[derive(Debug, PartialEq, Eq)]
pub struct Counts {
    /// Forms.
    pub forms: usize,
    /// Spellings of the forms.
    pub spellings: usize,
    /// Ops, each counted once for each of its least targets.
    pub ops: usize,
    /// Targets that are one less than something in an op asks for.
    pub trials: usize,
    /// Near misses.
    pub misses: usize,
}

/// The numbers of the records as they are.
pub fn counts() -> Counts {
    let cases = enumerate::cases();
    Counts {
        forms: INSTRUCTIONS.iter().map(|instruction| instruction.forms.len()).sum(),
        spellings: enumerate::spellings().len(),
        ops: cases.iter().map(|case| targets::least(case.needs()).len()).sum(),
        trials: needs::trials(&cases).trials.len(),
        misses: misses::misses().len(),
    }
}

/// A table in Markdown.
impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "| what ptxas is asked | how many | its answer |\n|---|---|---|")?;
        for (what, count, answer) in [
            ("forms of instructions", self.forms, ""),
            ("spellings of them", self.spellings, ""),
            ("ops: each spelling with types, constants, clauses", self.ops, "takes each, for its least targets"),
            ("targets that have one version, SM or chip less than needed", self.trials, "refuses each"),
            ("near misses", self.misses, "refuses each, but for what a record refuses by choice"),
        ] {
            writeln!(out, "| {what} | {} | {answer} |", with_commas(count))?;
        }
        Ok(())
    }
}

/// `1,234`
fn with_commas(count: usize) -> String {
    let digits = count.to_string();
    let comma = |(i, digit): (usize, char)| match i > 0 && (digits.len() - i).is_multiple_of(3) {
        true => format!(",{digit}"),
        false => digit.to_string(),
    };
    digits.chars().enumerate().map(comma).collect()
}
