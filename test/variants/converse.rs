//! What ptxas says of near misses.
//!
//! - They are written as PTX, thousands to a file: ptxas says of each line what is wrong with it. What it takes then is
//!   assembled again, with inputs that are read and results that are stored, else it drops the instruction unseen.

use super::jobs;
use super::plan::misses::{self, Miss, Word};
use super::plan::targets::{Target, header};
use super::ptxas;
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction, Refused, SYMBOL_KINDS};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// How many near misses a file has, and a function of it.
const OF_FILE: usize = 20_000;
const OF_FUNCTION: usize = 500;
/// How many registers of each width there are.
const REGISTERS: usize = 40;
const WIDTHS: [u32; 6] = [1, 8, 16, 32, 64, 128];

/// Those of the near misses that ptxas takes.
pub fn taken(misses: &[Miss]) -> Vec<&Miss> {
    let mut of_targets: BTreeMap<Target, Vec<&Miss>> = BTreeMap::new();
    misses.iter().for_each(|miss| of_targets.entry(miss.target).or_default().push(miss));
    let jobs: Vec<(Target, &[&Miss])> =
        of_targets.iter().flat_map(|(target, misses)| misses.chunks(OF_FILE).map(|chunk| (*target, chunk))).collect();
    let taken = jobs::all(
        "near misses",
        &jobs,
        |(_, misses)| misses.len(),
        |(target, misses)| {
            let taken = accepted(misses, *target, false);
            accepted(&taken, *target, true)
        },
    );
    taken.into_iter().flatten().collect()
}

/// Those that ptxas takes; halves of the rest are tried where it names no line.
fn accepted<'a>(misses: &[&'a Miss], target: Target, computes: bool) -> Vec<&'a Miss> {
    let (lines, places) = file(misses, target, computes);
    let verdict = ptxas::assemble(lines, target.chip);
    let is_left = |place: &Range<usize>| verdict.refused.range(place.clone()).next().is_none();
    let left: Vec<&Miss> = misses.iter().zip(&places).filter(|(_, place)| is_left(place)).map(|it| *it.0).collect();
    match verdict.rest {
        None => left,
        Some(_) if left.len() < 2 => vec![],
        Some(_) => {
            let (first, second) = left.split_at(left.len() / 2);
            [accepted(first, target, computes), accepted(second, target, computes)].concat()
        }
    }
}

/// A file of near misses, and the lines of each. With `computes` each reads what it was given and its results are
/// stored.
fn file(misses: &[&Miss], target: Target, computes: bool) -> (Vec<String>, Vec<Range<usize>>) {
    let mut lines = header(target).to_vec();
    lines.push(".address_size 64".into());
    for kind in SYMBOL_KINDS {
        let name = misses::symbol(kind);
        lines.push(match kind.space {
            Some(1) => format!(".global .align 16 .b8 {name}[16];"),
            Some(3) => format!(".shared .align 16 .b8 {name}[16];"),
            Some(_) => format!(".const .align 16 .b8 {name}[16];"),
            None if kind.kernel => format!(".entry {name}() {{ ret; }}"),
            None => format!(".func {name}() {{ ret; }}"),
        });
    }
    let mut places = vec![];
    for (number, chunk) in misses.chunks(OF_FUNCTION).enumerate() {
        lines.push(format!(".visible .entry k{number}(.param .b64 memory) {{"));
        lines.push(".reg .b64 at; ld.param.b64 at, [memory];".into());
        lines.extend(WIDTHS.map(|width| format!(".reg {} {}<{REGISTERS}>;", register_type(width), prefix(width))));
        for miss in chunk {
            let begin = lines.len();
            instruction(miss, computes, &mut lines);
            places.push(begin..lines.len());
        }
        lines.push("ret; }".into());
    }
    (lines, places)
}

fn instruction(miss: &Miss, computes: bool, lines: &mut Vec<String>) {
    let mut counts = [0; WIDTHS.len()];
    let (mut before, mut after) = (vec![], vec![]);
    let mut register = |written: bool, width: u32| {
        let count = &mut counts[WIDTHS.iter().position(|its| *its == width).expect("a width of the list")];
        *count = (*count + 1) % REGISTERS;
        let name = format!("{}{count}", prefix(width));
        if written {
            after.push(store(width, &name))
        } else {
            before.push(load(width, &name))
        }
        name
    };
    let arguments = misses::arguments(&miss.slots, |written, word| match word {
        Word::Register(width) => register(written, *width),
        Word::Address(width) => format!("[{}]", register(false, *width)),
        Word::Integer(value) => value.to_string(),
        Word::Float(64) => "0d3FF8000000000000".into(),
        Word::Float(_) => "0f3FC00000".into(),
        Word::Sink => "_".into(),
        Word::Special(source) => format!("%{source}"),
        Word::Symbol(kind) => misses::symbol(kind),
    });
    let text = format!("{} {arguments};", miss.opcode);
    if computes {
        lines.extend(before);
        lines.push(text);
        lines.extend(after);
    } else {
        lines.push(text);
    }
}

fn register_type(width: u32) -> String {
    if width == 1 { ".pred".into() } else { format!(".b{width}") }
}

fn prefix(width: u32) -> String {
    if width == 1 { "%p".into() } else { format!("%r{width}_") }
}

fn load(width: u32, name: &str) -> String {
    match width {
        1 => format!("ld.volatile.global.b32 %r32_0, [at]; setp.ne.b32 {name}, %r32_0, 0;"),
        // Volatile came to 128 bits late, and only these can be such a load.
        128 => format!("ld.relaxed.gpu.global.b128 {name}, [at];"),
        _ => format!("ld.volatile.global.b{width} {name}, [at];"),
    }
}

fn store(width: u32, name: &str) -> String {
    match width {
        1 => format!("selp.b32 %r32_0, 1, 0, {name}; st.volatile.global.b32 [at], %r32_0;"),
        128 => format!("st.relaxed.gpu.global.b128 [at], {name};"),
        _ => format!("st.volatile.global.b{width} [at], {name};"),
    }
}

/// What follows from the near misses that ptxas takes.
#[derive(Debug, Default)]
pub struct Findings {
    /// Near misses that ptxas takes and no record refuses.
    pub open: Vec<String>,
    /// What records refuse though ptxas takes none of it.
    pub stale: Vec<String>,
}

/// Compares what ptxas takes with what records refuse by choice. It looks at no word that is ignored.
pub fn judge(
    taken: &[&Miss],
    ignored: &BTreeSet<&str>,
    refused: impl Fn(&'static Instruction) -> &'static [Refused],
) -> Findings {
    let mut findings = Findings::default();
    let mut used: HashSet<(&str, usize)> = HashSet::new();
    for miss in taken {
        let mnemonic = miss.instruction.mnemonic;
        let is_foreign = |word: &str| ignored.contains(word) && !misses::knows(miss.instruction, word);
        let places = miss.covered_in_any_order(refused(miss.instruction));
        if places.is_empty() && !miss.words().any(is_foreign) {
            findings.open.push(miss.to_string());
        }
        used.extend(places.into_iter().map(|place| (mnemonic, place)));
    }
    for instruction in INSTRUCTIONS {
        for (place, it) in refused(instruction).iter().enumerate() {
            if !used.contains(&(instruction.mnemonic, place)) {
                let text = format!("{}: {} {}", instruction.mnemonic, it.opcode, it.operands);
                findings.stale.push(text.trim_end().into());
            }
        }
    }
    findings
}

/// Words that ptxas does not look at beside instructions that they do not belong to: it takes them in each that is
/// tried.
pub fn ignored() -> BTreeSet<&'static str> {
    let probes = misses::probes();
    let taken: HashSet<String> = taken(&probes.iter().map(|(_, miss)| miss.clone()).collect::<Vec<_>>())
        .into_iter()
        .map(Miss::to_string)
        .collect();
    let (mut ignored, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (word, miss) in &probes {
        let words = if taken.contains(&miss.to_string()) { &mut ignored } else { &mut others };
        words.insert(*word);
    }
    ignored.difference(&others).copied().collect()
}
