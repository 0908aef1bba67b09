//! Ops as MLIR text, many to a module, and what ptxas makes of each.
//!
//! - Inputs are arguments of the kernel or constants. Results are stored, else ptxas drops the instruction before it
//!   has looked at all of it.
//! - Before each op stands an asm statement that is a comment: it says in the PTX which op the next lines are.

use super::plan::enumerate::{Case, Source};
use super::plan::targets::{Target, header};
use super::ptxas;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::SYMBOL_KINDS;
use ptx_tile_dialect::named::SymbolKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

/// How many ops a kernel has: more take LLVM and ptxas longer than they save.
const OPS_OF_KERNEL: usize = 64;

/// An op as text, with the values that it needs.
#[derive(Clone, Debug)]
pub struct Op {
    /// `%r:2 = ptx.mov ...`
    pub text: String,
    /// The arguments that it uses, by name.
    arguments: BTreeMap<String, Element>,
    /// The constants that it uses, by name.
    constants: BTreeMap<String, String>,
    /// What stores the results.
    stores: Vec<String>,
}

impl Op {
    /// The op of a case.
    pub fn of(case: &Case) -> Op {
        let (variant, clauses) = (case.variant, case.clauses);
        let mut op = Op { text: String::new(), arguments: BTreeMap::new(), constants: BTreeMap::new(), stores: vec![] };
        let (mut inputs, mut input_types, mut results, mut old) = (vec![], vec![], vec![], vec![]);
        let mut sinkable = 0;
        for (operand, element) in variant.form.operands.iter().zip(case.elements()) {
            let registers = operand.registers;
            if operand.written {
                for _ in 0..registers {
                    let is_sunk = operand.sink && clauses.sink >> sinkable & 1 == 1;
                    sinkable += u32::from(operand.sink);
                    if !is_sunk {
                        results.push(element);
                        if clauses.preserves {
                            old.push(op.argument(element));
                        }
                    }
                }
                continue;
            }
            let offset = match clauses.offset {
                0 => String::new(),
                offset => format!(" + {offset}"),
            };
            match case.source {
                Source::Special(source) if operand.named.is_some() => inputs.push(format!("special \"{source}\"")),
                Source::Symbol(kind) if operand.named.is_some() => {
                    inputs.push(format!("symbol @{}{offset}", symbol(kind)));
                }
                _ if operand.address => {
                    let space = variant.address_space().expect("an address has a state space");
                    let pointer = Element::of(Scalar::Ptr(space));
                    inputs.push(op.argument(pointer) + &offset);
                    input_types.push(pointer);
                }
                _ => {
                    let not = if clauses.inverted && operand.negatable { "not " } else { "" };
                    let value = match operand.bounds {
                        _ if !(operand.constant || operand.immediate && clauses.constants) => op.argument(element),
                        Some((_, most)) if clauses.constants => op.constant(element, Some(most)),
                        bounds => op.constant(element, bounds.map(|(least, _)| least)),
                    };
                    inputs.extend(vec![format!("{not}{value}"); registers as usize]);
                    input_types.extend(vec![element; registers as usize]);
                }
            }
        }
        op.text = format!("ptx.{} \"{}\" {}", variant.instruction.mnemonic, variant.modifiers(), inputs.join(", "));
        if !results.is_empty() {
            op.text = format!("%r:{} = {}", results.len(), op.text);
        }
        if let Some(negated) = clauses.pred {
            let condition = op.argument(Element::of(Scalar::Int(1)));
            write!(op.text, " pred({}{condition})", if negated { "not " } else { "" }).expect("a String takes all");
        }
        if clauses.preserves {
            write!(op.text, " preserve({})", old.join(", ")).expect("a String takes all");
        }
        if clauses.sink != 0 {
            let sunk: Vec<u32> = (0..sinkable).filter(|word| clauses.sink >> word & 1 == 1).collect();
            write!(op.text, " sink {sunk:?}").expect("a String takes all");
        }
        write!(op.text, " : ({}) -> ({})", list(&input_types), list(&results)).expect("a String takes all");
        for (i, element) in results.iter().enumerate() {
            op.keep(&format!("%r#{i}"), *element);
        }
        op
    }

    /// An op that is written out, which uses `%i8`.
    pub fn raw(text: &str) -> Op {
        let byte = Element::of(Scalar::Int(8));
        let arguments = BTreeMap::from([("%i8".to_string(), byte)]);
        Op { text: text.into(), arguments, constants: BTreeMap::new(), stores: vec![] }
    }

    fn argument(&mut self, element: Element) -> String {
        let name = match element.scalar {
            Scalar::Ptr(space) => format!("%ptr{space}"),
            _ => format!("%{}", name(element)),
        };
        self.arguments.insert(name.clone(), element);
        name
    }

    /// A constant of this value, or of one that is as good as any.
    fn constant(&mut self, element: Element, value: Option<i64>) -> String {
        let literal = match (element.scalar, value) {
            (Scalar::Ptr(_), _) => return self.argument(element),
            (Scalar::Int(1), _) => "true".into(),
            (Scalar::Int(_), value) => value.unwrap_or(17).to_string(),
            (_, value) => format!("{:?}", value.map_or(1.5, |value| value as f64)),
        };
        let name = format!("%c_{}_{}", name(element), literal.replace(['.', '-'], "_"));
        let typed = match element.lanes {
            Some(_) => format!("dense<{literal}> : {element}"),
            None if literal == "true" => literal,
            None => format!("{literal} : {element}"),
        };
        self.constants.insert(name.clone(), format!("{name} = arith.constant {typed}\n"));
        name
    }

    fn keep(&mut self, result: &str, element: Element) {
        let (mut value, mut stored) = (result.to_string(), element);
        // There is no store of 8-bit floats.
        if let Scalar::F8(_) = element.scalar {
            stored = Element::of(Scalar::Int(8));
            value = format!("%r_{}", self.stores.len());
            self.stores.push(format!("{value} = arith.bitcast {result} : {element} to {stored}"));
        }
        self.stores.push(format!("llvm.store volatile {value}, %out : {stored}, !llvm.ptr<1>"));
    }
}

/// `i32`, `v2f16`
fn name(element: Element) -> String {
    let lanes = element.lanes.map_or(String::new(), |lanes| format!("v{lanes}"));
    format!("{lanes}{}", Element::of(element.scalar))
}

fn list(types: &[Element]) -> String {
    types.iter().map(Element::to_string).collect::<Vec<_>>().join(", ")
}

/// Its name in [`text`].
fn symbol(kind: &SymbolKind) -> String {
    match kind.space {
        Some(space) => format!("variable{space}"),
        None if kind.kernel => "k0".into(),
        None => "function".into(),
    }
}

/// One of each kind; `k0` is the first kernel.
fn symbols() -> String {
    let definition = |kind: &SymbolKind| match kind.space {
        Some(space) => format!("memref.global \"private\" @{} : memref<4xi32, {space}>\n", symbol(kind)),
        None if kind.kernel => String::new(),
        None => format!("func.func @{}() {{\nreturn\n}}\n", symbol(kind)),
    };
    SYMBOL_KINDS.iter().map(definition).collect()
}

/// A module of the ops, and on which line each stands.
fn text(ops: &[&Op]) -> (String, Vec<usize>) {
    let mut text = format!("gpu.module @variants {{\n{}", symbols());
    let mut places = vec![];
    let mut line = text.lines().count();
    for (number, chunk) in ops.chunks(OPS_OF_KERNEL).enumerate() {
        let arguments: BTreeMap<_, _> = chunk.iter().flat_map(|op| &op.arguments).collect();
        let arguments: String = arguments.iter().map(|(name, element)| format!("{name}: {element}, ")).collect();
        let constants: BTreeSet<&String> = chunk.iter().flat_map(|op| op.constants.values()).collect();
        let mut kernel = format!("gpu.func @k{number}({arguments}%out: !llvm.ptr<1>) kernel {{\n");
        constants.iter().for_each(|constant| kernel += constant);
        let mut lines = kernel.lines().count();
        for op in chunk {
            let number = places.len();
            let own = |text: &str| text.replace("%r", &format!("%r{number}_"));
            writeln!(kernel, "llvm.inline_asm has_side_effects \"{MARK}{number}\", \"\" : () -> ()")
                .expect("a String takes all");
            places.push(line + lines + 1);
            writeln!(kernel, "{}", own(&op.text)).expect("a String takes all");
            op.stores.iter().for_each(|store| {
                kernel += &own(store);
                kernel.push('\n');
            });
            lines += 2 + op.stores.len();
        }
        kernel += "gpu.return\n}\n";
        line += lines + 2;
        text += &kernel;
    }
    (text + "}\n", places)
}

/// The PTX of a module, or what tile-translate says.
fn translate(module: &str, target: Target) -> Result<String, String> {
    let version = format!("{}.{}", target.ptx / 10, target.ptx % 10);
    let arguments = ["--mlir-to-ptx", "--chip", target.chip, "--ptx", &version, "-"];
    ptxas::run(Command::new(env!("CARGO_BIN_EXE_tile-translate")).args(arguments), module)
}

/// The comment before each op.
const MARK: &str = "// op ";

/// A line of PTX that ptxas refuses.
pub struct RefusedLine<'a> {
    /// The op that it was made for.
    pub op: Option<usize>,
    /// The line.
    pub text: &'a str,
    /// What ptxas says.
    pub why: String,
}

/// What each op became in the PTX of a module of them.
pub struct Assembly {
    lines: Vec<String>,
    /// The op that each line belongs to.
    ops: Vec<Option<usize>>,
}

impl Assembly {
    /// The PTX of ops for a target, or what was said and of which of them.
    pub fn translate(ops: &[&Op], target: Target) -> Result<Assembly, (Option<usize>, String)> {
        let (text, places) = text(ops);
        let ptx = translate(&text, target).map_err(|said| {
            // `<stdin>:7:8: error: ...`
            let error = said.lines().find(|line| line.contains(": error: ")).unwrap_or(&said);
            let line = error.split(':').nth(1).and_then(|line| line.parse::<usize>().ok());
            let op = line.and_then(|line| places.iter().position(|place| *place + 1 == line));
            (op, error.split_once("error: ").map_or(error, |(_, why)| why).trim().to_string())
        })?;
        let mut op = None;
        let lines: Vec<String> = ptx.lines().map(str::to_string).collect();
        let ops = lines.iter().map(|line| {
            if let Some(number) = line.trim().strip_prefix(MARK) {
                op = number.parse().ok();
            }
            if line.starts_with('}') {
                op = None;
            }
            op
        });
        Ok(Assembly { ops: ops.collect(), lines })
    }

    /// The lines that ptxas refuses for a target. `Err` where it does not take the rest either and names no line.
    pub fn refused(&self, target: Target) -> Result<Vec<RefusedLine<'_>>, String> {
        let mut lines = self.lines.clone();
        for line in &mut lines {
            let [version, chip] = header(target);
            if line.starts_with(".version ") {
                *line = version;
            } else if line.starts_with(".target ") {
                *line = chip;
            }
        }
        let verdict = ptxas::assemble(lines, target.chip);
        if let Some(why) = verdict.rest {
            return Err(why);
        }
        let line =
            |(line, why): (usize, String)| RefusedLine { op: self.ops[line], text: self.lines[line].trim(), why };
        Ok(verdict.refused.into_iter().map(line).collect())
    }
}

/// The ops that are not assembled for a target, and why. Where nobody says which of them are wrong, halves are tried.
pub fn assemble(ops: &[&Op], target: Target) -> BTreeMap<usize, String> {
    let mut failed = BTreeMap::new();
    let mut left: Vec<usize> = (0..ops.len()).collect();
    let why = loop {
        let these: Vec<&Op> = left.iter().map(|i| ops[*i]).collect();
        match Assembly::translate(&these, target) {
            Err((Some(op), why)) => {
                failed.insert(left.remove(op), why);
                // So many are one fault of a record.
                if failed.len() > MOST_FAULTS {
                    let untried = left.into_iter().map(|i| (i, "not tried after so many faults".into()));
                    return failed.into_iter().chain(untried).collect();
                }
            }
            Err((None, why)) => break why,
            Ok(assembly) => match assembly.refused(target) {
                Ok(refused) => {
                    let mut stray = None;
                    for line in refused {
                        let why = format!("{}: {}", line.why, line.text);
                        match line.op {
                            Some(op) => drop(failed.entry(left[op]).or_insert(why)),
                            None => stray = Some(why),
                        }
                    }
                    match stray {
                        None => return failed,
                        Some(why) => break why,
                    }
                }
                Err(why) => break why,
            },
        }
    };
    if let [only] = left.as_slice() {
        failed.insert(*only, why);
        return failed;
    }
    for half in [&left[..left.len() / 2], &left[left.len() / 2..]] {
        let these: Vec<&Op> = half.iter().map(|i| ops[*i]).collect();
        failed.extend(assemble(&these, target).into_iter().map(|(op, why)| (half[op], why)));
    }
    failed
}

/// After so many ops of one module that tile-translate refuses, the rest is not tried: it names one at a time.
const MOST_FAULTS: usize = 8;
