//! Every legal variant of every record is assembled by ptxas, each at its own least SM and PTX version.
//!
//! - A variant is a spelling of an instruction with the MLIR types of its operands; beside it, each spelling is taken
//!   with a predicate, negated, preserving, with constants where they may stand, with an offset, and with every sink.
//! - The way is that of a user: `ptx` ops, `tile-translate`, ptxas.
//! - The test is tested: a variant that no record has, planted as the same asm, is refused by ptxas.

use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{
    self, Form, INSTRUCTIONS, Needs, Operand, Position, PtxType, Token, TokenKind, Variant,
};
use ptx_tile_passes::lower_ptx::{self, Kind, Shape, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest that today's ptxas assembles.
const FLOOR: Needs = Needs { ptx: 63, sm: 75 };

/// What an op has beside its operands.
#[derive(Clone, Copy, Default)]
struct Clauses<'a> {
    pred: &'a str,
    preserves: bool,
    constants: bool,
    offset: bool,
    sink: &'a [i64],
}

#[test]
fn ptxas_assembles_every_variant() {
    let mut programs: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for variant in INSTRUCTIONS.iter().flat_map(instruction::Instruction::variants) {
        let needs = variant.needs().max(FLOOR);
        programs.entry((needs.sm, needs.ptx)).or_default().extend(ops(&variant));
    }
    for ((sm, ptx), ops) in programs {
        println!("sm_{sm}, PTX {}.{}: {} variants", ptx / 10, ptx % 10, ops.len());
        let needs = Needs { ptx, sm };
        if let Err(why) = assemble(&ptx_of(&module(&ops), needs), needs) {
            panic!("sm_{sm}, PTX {}.{}:\n{why}", ptx / 10, ptx % 10);
        }
    }
}

#[test]
fn a_planted_variant_is_refused() {
    static B8: PtxType = PtxType { token: "b8", width: 8, float: false, types: &[Element::of(Scalar::Int(8))] };
    static NEEDS: Needs = Needs { ptx: 10, sm: 0 };
    static TOKENS: [Token; 1] = [Token { text: "b8", kind: TokenKind::Type(&B8), needs: NEEDS }];
    static POSITIONS: [Position; 1] = [Position { name: "type", optional: false, tokens: &TOKENS }];
    static OPERANDS: [Operand; 2] = [operand("d", true), operand("a", false)];
    static FORM: Form =
        Form { summary: "planted", section: "none", positions: &POSITIONS, operands: &OPERANDS, needs: NEEDS };
    let planted =
        Variant { instruction: instruction::lookup("mov").unwrap(), form: &FORM, tokens: vec![Some(&TOKENS[0])] };
    let asm = lower_ptx::asm(&planted, &Shape { sources: vec![Source::Register(Kind::Bits)], ..Shape::default() });
    let op =
        format!("%v = llvm.inline_asm has_side_effects \"{}\", \"{}\" %i8 : (i8) -> i8", asm.text, asm.constraints);
    let why = assemble(&ptx_of(&module(&[op]), FLOOR), FLOOR).expect_err("mov has no type b8");
    assert!(why.contains("mov.b8"), "{why}");
}

const fn operand(name: &'static str, written: bool) -> Operand {
    Operand { name, registers: 1, own_type: None, written, address: false, sink: false, immediate: false }
}

/// The ops that stand for a variant: all types, and each clause with the first of them.
fn ops(variant: &Variant) -> Vec<String> {
    let types: Vec<&[Element]> = variant.form.operands.iter().map(|operand| variant.type_of(operand).types).collect();
    let mut ops: Vec<String> = product(&types).iter().map(|types| op(variant, types, Clauses::default())).collect();
    let operands = || variant.form.operands.iter();
    let writes = operands().any(|operand| operand.written);
    let mut also =
        vec![Clauses { pred: "%i1", ..Clauses::default() }, Clauses { pred: "not %i1", ..Clauses::default() }];
    if writes {
        also.push(Clauses { pred: "%i1", preserves: true, ..Clauses::default() });
    }
    if operands().any(|operand| operand.address) {
        also.push(Clauses { offset: true, ..Clauses::default() });
    }
    let first: Vec<Element> = types.iter().map(|types| types[0]).collect();
    ops.extend(also.iter().map(|clauses| op(variant, &first, *clauses)));
    if operands().any(|operand| operand.immediate) {
        ops.extend(
            product(&types).iter().map(|types| op(variant, types, Clauses { constants: true, ..Clauses::default() })),
        );
    }
    if let Some(group) = operands().find(|operand| operand.sink) {
        for mask in 1..(1 << group.registers) - 1 {
            let sink: Vec<i64> = (0..i64::from(group.registers)).filter(|word| mask >> word & 1 == 1).collect();
            for pred in ["", "not %i1"] {
                ops.push(op(
                    variant,
                    &first,
                    Clauses { pred, preserves: !pred.is_empty(), sink: &sink, ..Clauses::default() },
                ));
            }
        }
    }
    ops
}

/// One op as text; its values are those of `module`.
fn op(variant: &Variant, types: &[Element], clauses: Clauses) -> String {
    let (mut inputs, mut input_types, mut results, mut old) = (vec![], vec![], vec![], vec![]);
    for (operand, element) in variant.form.operands.iter().zip(types) {
        let registers = operand.registers as usize;
        if operand.written {
            let kept = registers - if operand.sink { clauses.sink.len() } else { 0 };
            results.extend(vec![element.to_string(); kept]);
            old.extend(vec![value(*element, false); kept]);
        } else if operand.address {
            let space = variant.address_space().unwrap();
            inputs.push(format!("%ptr{space}{}", if clauses.offset { " + 16" } else { "" }));
            input_types.push(format!("!llvm.ptr<{space}>"));
        } else {
            inputs.extend(vec![value(*element, clauses.constants && operand.immediate); registers]);
            input_types.extend(vec![element.to_string(); registers]);
        }
    }
    let mut text = format!("ptx.{} \"{}\" {}", variant.instruction.mnemonic, variant.modifiers(), inputs.join(", "));
    if !results.is_empty() {
        text = format!("%v:{} = {text}", results.len());
    }
    if !clauses.pred.is_empty() {
        write!(text, " pred({})", clauses.pred).unwrap();
    }
    if clauses.preserves {
        write!(text, " preserve({})", old.join(", ")).unwrap();
    }
    if !clauses.sink.is_empty() {
        write!(text, " sink {:?}", clauses.sink).unwrap();
    }
    format!("{text} : ({}) -> ({})", input_types.join(", "), results.join(", "))
}

/// `%i32`, `%v2f16`; `%c_i32` for the constant.
fn value(element: Element, constant: bool) -> String {
    let lanes = element.lanes.map_or(String::new(), |lanes| format!("v{lanes}"));
    let scalar = match element.scalar {
        Scalar::Ptr(_) => return "%p".into(),
        scalar => Element::of(scalar),
    };
    format!("%{}{lanes}{scalar}", if constant { "c_" } else { "" })
}

/// A module with each op in a kernel of its own, which has a value of every type as an argument and a constant of each.
fn module(ops: &[String]) -> String {
    let mut elements: Vec<Element> = vec![];
    for variant in INSTRUCTIONS.iter().flat_map(instruction::Instruction::variants) {
        for element in variant.form.operands.iter().flat_map(|operand| variant.type_of(operand).types) {
            if !elements.contains(element) {
                elements.push(*element);
            }
        }
    }
    let arguments = elements.iter().map(|element| format!("{}: {element}", value(*element, false)));
    let pointers = spaces().into_iter().map(|space| format!("%ptr{space}: !llvm.ptr<{space}>"));
    let arguments = arguments.chain(pointers).collect::<Vec<_>>().join(", ");
    let constants: String = elements.iter().filter_map(|element| constant(*element)).collect();
    let kernels = ops
        .iter()
        .enumerate()
        .map(|(i, op)| format!("gpu.func @k{i}({arguments}) kernel {{\n{constants}{op}\ngpu.return\n}}\n"));
    format!("gpu.module @variants {{\n{}}}\n", kernels.collect::<String>())
}

/// The state spaces of addresses, by their numbers in NVPTX.
fn spaces() -> BTreeSet<u32> {
    let variants = INSTRUCTIONS.iter().flat_map(instruction::Instruction::variants);
    variants.filter_map(|variant| variant.address_space()).collect()
}

fn constant(element: Element) -> Option<String> {
    let number = match element.scalar {
        Scalar::Int(1) => "true",
        Scalar::Int(_) => "17",
        Scalar::Ptr(_) => return None,
        _ => "1.5",
    };
    let literal = if element.lanes.is_some() { format!("dense<{number}>") } else { number.into() };
    let typed = if number == "true" { literal } else { format!("{literal} : {element}") };
    Some(format!("{} = arith.constant {typed}\n", value(element, true)))
}

fn product(choices: &[&[Element]]) -> Vec<Vec<Element>> {
    choices.iter().fold(vec![vec![]], |fronts, choice| {
        fronts.iter().flat_map(|front| choice.iter().map(|last| [front.as_slice(), &[*last]].concat())).collect()
    })
}

fn ptx_of(module: &str, needs: Needs) -> String {
    let chip = format!("sm_{}", needs.sm);
    let version = format!("{}.{}", needs.ptx / 10, needs.ptx % 10);
    run(
        Command::new(env!("CARGO_BIN_EXE_tile-translate")).args([
            "--mlir-to-ptx",
            "--chip",
            &chip,
            "--ptx",
            &version,
            "-",
        ]),
        module,
    )
    .unwrap_or_else(|why| panic!("tile-translate: {why}"))
}

/// `Err` has what ptxas said, each line that it names with its text.
fn assemble(ptx: &str, needs: Needs) -> Result<(), String> {
    let chip = format!("sm_{}", needs.sm);
    let said = match run(Command::new(ptxas()).args(["-arch", &chip, "-o", "/dev/null", "/dev/stdin"]), ptx) {
        Ok(_) => return Ok(()),
        Err(said) => said,
    };
    let line_of = |message: &str| message.split("line ").nth(1)?.split(';').next()?.trim().parse::<usize>().ok();
    Err(said
        .lines()
        .map(|message| match line_of(message).and_then(|line| ptx.lines().nth(line - 1)) {
            Some(text) => format!("{message}: {}\n", text.trim()),
            None => format!("{message}\n"),
        })
        .collect())
}

/// Runs a program on an input: what it printed, or what it complained of.
fn run(command: &mut Command, input: &str) -> Result<String, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| format!("{command:?}: {why}"))?;
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_string());
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into()),
        false => Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))),
    }
}

/// The ptxas that `./dev setup` installs, else the one on PATH.
fn ptxas() -> PathBuf {
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/lib");
    let pythons = std::fs::read_dir(lib).into_iter().flatten().filter_map(Result::ok);
    let own =
        pythons.map(|python| python.path().join("site-packages/nvidia/cu13/bin/ptxas")).find(|path| path.exists());
    own.unwrap_or("ptxas".into())
}
