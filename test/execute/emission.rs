//! Random programs go all the way: every pass of the pipeline with MLIR's verifier behind it, the emitter, ptxas.
//!
//! - PTX names the instructions that expansion made, each as often. Of those that never run some may be missing.
//!   So it is after all stages, and as `emit_ptx` makes it, which leaves out some of them.
//! - A program is emitted for the first of a few chips that has all of its instructions; ptxas is asked for that chip.
//! - The test is tested: instructions left out, said twice or exchanged are found, and what ptxas cannot read.

use super::mlir::{Mlir, Pass, outcome, seeded};
use super::random::{Random, programs};
use super::{metamorphic, program};
use crate::ptxas::{self, Verdict};
use melior::ir::Module;
use melior::ir::operation::{OperationLike, WalkOrder, WalkResult};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use ptx_tile_dialect::instruction::Needs;
use ptx_tile_dialect::verify::{needs_of, op_name, read_issue};
use ptx_tile_passes::ptx_text::{BEGIN_ASM, END_ASM, functions};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The default, and what each generation has at most.
const CHIPS: [&str; 7] = ["sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"];

/// What an 8-bit value takes where NVPTX has no register for it: beside the instruction that was asked for.
const CONVERSIONS: [&str; 2] = ["cvt.u8.u16", "cvt.u16.u8"];

/// The instructions of a program, by opcode.
type Instructions = BTreeMap<String, u64>;

/// A program as PTX.
struct Emitted {
    chip: &'static str,
    /// What expansion made.
    wanted: Instructions,
    /// After all stages, and as `emit_ptx` makes it; with the marks of asm statements.
    texts: [String; 2],
}

impl Emitted {
    /// `None` where no chip has all that a program names.
    fn of(mlir: &Mlir, program: &Module) -> Result<Option<Emitted>, String> {
        let needs = needs(program);
        let Some(chip) = CHIPS.into_iter().find(|chip| needs.has(chip)) else { return Ok(None) };
        let wanted = instructions(&mlir.after(program, &[Pass::Expand { forward: true }])?);
        Ok(Some(Emitted { chip, wanted, texts: mlir.ptx(program, chip)? }))
    }

    /// Compares with what expansion made, all of which may run or not, and asks ptxas.
    fn judge(&self, is_live: bool) -> Result<(), String> {
        let [whole, short] = &self.texts;
        self.judge_text(whole, is_live)?;
        if short == whole { Ok(()) } else { self.judge_text(short, is_live).map_err(|why| format!("emit_ptx: {why}")) }
    }

    fn judge_text(&self, text: &str, is_live: bool) -> Result<(), String> {
        compare(&self.wanted, text, is_live)?;
        if !ptxas::is_there() {
            return Ok(());
        }
        let Verdict { refused, rest } = ptxas::assemble(text.lines().map(String::from).collect(), self.chip);
        let lines: Vec<&str> = text.lines().collect();
        let said = refused.iter().map(|(line, why)| format!("{why}: {}", lines[*line])).chain(rest);
        let said: Vec<String> = said.collect();
        if said.is_empty() { Ok(()) } else { Err(format!("ptxas says for {}: {}", self.chip, said.join("\n"))) }
    }
}

/// The instructions of an expanded program.
fn instructions(expanded: &Module) -> Instructions {
    let mut all = Instructions::new();
    expanded.as_operation().walk(WalkOrder::PreOrder, |op| {
        if op_name(op).starts_with("ptx.") {
            let (_, variant) = read_issue(op).expect("it verifies");
            *all.entry(variant.to_string()).or_insert(0) += 1;
        }
        WalkResult::Advance
    });
    all
}

/// What the instructions of a program need.
fn needs(program: &Module) -> Needs {
    let mut all = Needs::NOTHING;
    program.as_operation().walk(WalkOrder::PreOrder, |op| {
        all = needs_of(op).map_or(all, |needs| all.max(needs));
        WalkResult::Advance
    });
    all
}

/// Whether PTX names these instructions, each as often, or else fewer at most, and nothing else.
fn compare(wanted: &Instructions, text: &str, is_live: bool) -> Result<(), String> {
    let mut found = BTreeMap::new();
    let named = functions(text).into_iter().flat_map(|function| function.named);
    named.for_each(|(opcode, count)| *found.entry(opcode).or_insert(0) += count);
    let statements = text.lines().filter(|line| line.trim() == BEGIN_ASM).count() as u64;
    let is_conversion = |opcode: &str| CONVERSIONS.contains(&opcode);
    let opcodes: BTreeSet<&str> = wanted.keys().map(String::as_str).chain(found.keys().copied()).collect();
    let wrong = opcodes.into_iter().filter_map(|opcode| {
        let (wanted, found) = (wanted.get(opcode).copied().unwrap_or(0), found.get(opcode).copied().unwrap_or(0));
        let is_right = found == wanted || (found < wanted && !is_live) || (found > wanted && is_conversion(opcode));
        (!is_right).then(|| format!("{found} {opcode}, not {wanted}"))
    });
    let mut wrong: Vec<String> = wrong.collect();
    // Each is one statement, with its conversions.
    let all: u64 = wanted.values().sum();
    if statements > all || (statements < all && is_live) {
        wrong.push(format!("{statements} asm statements, not {all}"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("PTX has {}", wrong.join("; "))) }
}

/// What was tried.
#[derive(Default)]
struct Counts {
    programs: usize,
    instructions: u64,
    no_chip: usize,
    /// `emit_ptx` makes another text than all stages.
    other_text: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Counts { programs, instructions, no_chip, other_text } = self;
        write!(out, "{programs} programs, {instructions} instructions of PTX, ")?;
        write!(out, "{other_text} otherwise by emit_ptx, {no_chip} skipped as no chip has all of theirs")
    }
}

/// Tries the program of a seed; with `is_executed` by all that the executor can tell, too. `Err` with the least program
/// that is found to fail.
fn try_program(mlir: &Mlir, seed: u64, is_executed: bool, counts: &RefCell<Counts>) -> Result<(), String> {
    let judge = |program: &Random| {
        if is_executed {
            let meaning = program.agrees(mlir)?;
            metamorphic::changes_agree(mlir, program, &meaning)?;
            metamorphic::round_trips(mlir, program, &meaning)?;
        }
        let emitted = Emitted::of(mlir, &mlir.parse(program.text())?)?;
        let judged = emitted.as_ref().map_or(Ok(()), |emitted| emitted.judge(program.is_live()));
        judged.map(|()| emitted)
    };
    outcome(seeded(seed).run(&programs(), |program| {
        let emitted = judge(&program).map_err(|why| TestCaseError::fail(format!("{why}\n{}", program.text())))?;
        let mut counts = counts.borrow_mut();
        counts.programs += 1;
        let Some(Emitted { wanted, texts: [whole, short], .. }) = emitted else {
            counts.no_chip += 1;
            return Ok(());
        };
        counts.instructions += wanted.values().sum::<u64>();
        counts.other_text += usize::from(whole != short);
        Ok(())
    }))
}

#[test]
fn random_programs_are_assembled() {
    let (mlir, counts) = (Mlir::new(), RefCell::default());
    for seed in 0..16 {
        try_program(&mlir, seed, false, &counts).unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{}", counts.borrow());
}

/// `FUZZ_SEED` says where to begin, `FUZZ_SECONDS` how long to go on.
#[test]
#[ignore = "takes as long as it is told: FUZZ_SECONDS=60 cargo test --release --test execute fuzz -- --ignored --nocapture"]
fn fuzz() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("it is a number"));
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()) << 20;
    let (begin, time) = (Instant::now(), Duration::from_secs(number("FUZZ_SECONDS").unwrap_or(1)));
    let (mlir, counts, mut faults) = (Mlir::new(), RefCell::default(), 0);
    for seed in number("FUZZ_SEED").unwrap_or_else(now).. {
        if let Err(why) = try_program(&mlir, seed, true, &counts) {
            faults += 1;
            println!("FUZZ_SEED={seed}: {why}\n");
        }
        if begin.elapsed() >= time {
            break;
        }
    }
    println!("{}, {faults} faults", counts.borrow());
    assert!(faults == 0, "{faults} faults, see above");
}

//===------------------------------------------------------------------------------------------------------------===//
// The test is tested
//===------------------------------------------------------------------------------------------------------------===//

/// What may be wrong with an asm statement: what stands there instead.
type Fault = fn(&str) -> String;

/// ptxas alone finds the last one.
const FAULTS: [(&str, Fault); 4] = [
    ("an instruction is left out", |_| String::new()),
    ("an instruction is there twice", |statement| format!("{statement}{statement}")),
    ("another opcode", |statement| statement.replacen('.', ".another.", 1)),
    ("a register that there is not", |statement| statement.replacen('%', "%nowhere", 1)),
];

/// A text before, in and behind its last asm statement that is one instruction with registers.
fn around_statement(text: &str) -> Option<[&str; 3]> {
    let (mark, end) = (format!("\t{BEGIN_ASM}\n"), format!("\t{END_ASM}\n"));
    let statements = text.match_indices(&mark).map(|(begin, _)| {
        let length = text[begin..].find(&end).expect("it ends") + end.len();
        [&text[..begin], &text[begin..begin + length], &text[begin + length..]]
    });
    statements.filter(|[_, statement, _]| !statement.contains(".reg ") && statement.contains('%')).last()
}

#[test]
fn faults_planted_in_ptx_are_found() {
    let mlir = Mlir::new();
    let mut planted = 0;
    for seed in 0..12 {
        let statements = super::statements().new_tree(&mut seeded(seed)).expect("it has values").current();
        let program = mlir.parse(&program::live(&statements).text).expect("it is legal");
        let emitted = Emitted::of(&mlir, &program).expect("it is emitted").expect("a chip has all");
        let Some([front, statement, rest]) = around_statement(&emitted.texts[0]) else { continue };
        planted += 1;
        for (what, fault) in &FAULTS[..if ptxas::is_there() { 4 } else { 3 }] {
            let text = format!("{front}{}{rest}", fault(statement));
            assert!(emitted.judge_text(&text, true).is_err(), "not found: {what}\n{statement}");
        }
    }
    assert!(planted >= 6, "{planted}");
}
