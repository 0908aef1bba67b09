//! What ptxas assembles for, as far as LLVM 22 emits for it too.

use ptx_tile_dialect::instruction::Needs;
use std::fmt;

/// A chip and a PTX version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// 83 is PTX 8.3.
    pub ptx: u32,
    /// `sm_90a`
    pub chip: &'static str,
}

/// The chips, each with its least PTX version: ascending, and what a number has beside its own before the next one.
pub const CHIPS: [(&str, u32); 23] = [
    ("sm_75", 63),
    ("sm_80", 70),
    ("sm_86", 71),
    ("sm_87", 74),
    ("sm_88", 90),
    ("sm_89", 78),
    ("sm_90", 78),
    ("sm_90a", 80),
    ("sm_100", 86),
    ("sm_100f", 88),
    ("sm_100a", 86),
    ("sm_103", 88),
    ("sm_103f", 88),
    ("sm_103a", 88),
    ("sm_110", 90),
    ("sm_110f", 90),
    ("sm_110a", 90),
    ("sm_120", 87),
    ("sm_120f", 88),
    ("sm_120a", 87),
    ("sm_121", 88),
    ("sm_121f", 88),
    ("sm_121a", 88),
];

/// The PTX versions, ascending. Older ones than the first have no chip here, so that a need below it is not measured.
pub const VERSIONS: [u32; 22] =
    [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90];

/// What every target here satisfies.
pub const FLOOR: Needs = Needs { ptx: VERSIONS[0], sm: 75, ..Needs::NOTHING };

/// The newest PTX version.
pub const NEWEST: u32 = VERSIONS[VERSIONS.len() - 1];

/// The least PTX version of a chip.
pub fn least_version(chip: &str) -> u32 {
    CHIPS.iter().find(|(known, _)| *known == chip).expect("a chip of the list").1
}

/// The least targets that satisfy the needs: each of the chips that alone do, or the first of all.
pub fn least(needs: Needs) -> Vec<Target> {
    let has = CHIPS.iter().filter(|(chip, _)| needs.has(chip));
    let count = if needs.chips.names().is_some() { CHIPS.len() } else { 1 };
    has.take(count).map(|(chip, least)| Target { chip, ptx: needs.ptx.max(*least) }).collect()
}

/// The PTX version before one.
pub fn version_before(ptx: u32) -> Option<u32> {
    VERSIONS.iter().copied().rev().find(|version| *version < ptx)
}

/// `sm_90a and PTX 8.3`
impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} and PTX {}.{}", self.chip, self.ptx / 10, self.ptx % 10)
    }
}

/// `.version 8.3` and `.target sm_90a`
pub fn header(target: Target) -> [String; 2] {
    let Target { ptx, chip } = target;
    [format!(".version {}.{}", ptx / 10, ptx % 10), format!(".target {chip}")]
}
