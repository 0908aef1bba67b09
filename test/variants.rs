//! A sample of the legal variants of every record, which has every token of every form, is assembled by ptxas, each at its
//! own least SM or chip and PTX version.
//!
//! - A variant is a spelling of an instruction with the MLIR types of its operands, or with each special register and kind
//!   of symbol that it reads; beside it, each spelling is taken with a predicate, negated, preserving, with constants where
//!   they may stand, with an offset, with a negated source, and with every sink.
//! - The way is that of a user: `ptx` ops, `tile-translate`, ptxas.
//! - What raises the least target does so: with one PTX version or one SM less, ptxas refuses it. Its own least, PTX 6.3
//!   and sm_75, hides the older needs.
//! - The test is tested: a variant that no record has, planted as the same asm, is refused by ptxas.

use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::instruction::{
    self, Form, INSTRUCTIONS, Named, Needs, Operand, OperandType, Position, PtxType, SPECIAL_REGISTERS, SYMBOL_KINDS,
    Token, TokenKind, Variant,
};
use ptx_tile_dialect::named::{SymbolKind, special_fits};
use ptx_tile_passes::lower_ptx::{self, Kind, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest that today's ptxas assembles.
const FLOOR: Needs = Needs { ptx: 63, sm: 75, ..Needs::NOTHING };

/// What an op has beside its operands.
#[derive(Clone, Copy, Default)]
struct Clauses<'a> {
    pred: &'a str,
    preserves: bool,
    constants: bool,
    offset: bool,
    inverted: bool,
    sink: &'a [i64],
}

/// What an op reads that is no value, as text, and what that needs.
#[derive(Clone)]
struct Source {
    text: String,
    needs: Needs,
}

#[test]
fn ptxas_assembles_every_variant() {
    let mut programs: BTreeMap<(String, u32), (Needs, Vec<String>)> = BTreeMap::new();
    let mut shapes = BTreeSet::new();
    for variant in sample() {
        // Clauses are the same for all forms with such operands.
        let shape = format!("{} {}", variant.instruction.mnemonic, variant.form.operands_text());
        let plain = |source: &Source| (variant.needs().max(source.needs).max(FLOOR), plain(&variant, source));
        let all = if shapes.insert(shape) { ops(&variant) } else { sources(&variant).iter().map(plain).collect() };
        for (needs, op) in all {
            programs.entry((chip(needs), needs.ptx)).or_insert((needs, vec![])).1.push(op);
        }
    }
    for ((chip, ptx), (needs, ops)) in programs {
        println!("{chip}, PTX {}.{}: {} variants", ptx / 10, ptx % 10, ops.len());
        if let Err(why) = assemble(&ptx_of(&module(&ops), needs), needs) {
            panic!("{chip}, PTX {}.{}:\n{why}", ptx / 10, ptx % 10);
        }
    }
}

/// Spellings that cover each token of each form.
fn sample() -> Vec<Variant> {
    let mut seen = BTreeSet::new();
    let mut is_new = |variant: &Variant| {
        let form = std::ptr::from_ref(variant.form) as usize;
        let tokens: Vec<_> = variant.tokens.iter().map(|token| token.map(|it| it.text)).enumerate().collect();
        tokens.into_iter().filter(|token| seen.insert((form, *token))).count() > 0
    };
    INSTRUCTIONS.iter().flat_map(instruction::Instruction::variants).filter(|variant| is_new(variant)).collect()
}

/// The least chip that has it.
fn chip(needs: Needs) -> String {
    needs.chips.names().and_then(|mut names| names.next()).map_or(format!("sm_{}", needs.sm), str::to_string)
}

/// The SMs of ptxas 13.5 up to the newest that a record asks for, each with its least PTX version.
const SMS: [(u32, u32); 7] = [(75, 63), (80, 70), (86, 71), (87, 74), (89, 78), (90, 78), (100, 86)];
/// PTX versions up to the newest that a record asks for.
const VERSIONS: [u32; 20] = [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87];

#[test]
fn ptxas_refuses_one_version_or_sm_less() {
    // One sample for each token and special register that raises the least target.
    let mut samples: BTreeMap<String, (Needs, String)> = BTreeMap::new();
    // What only some chips have is no matter of a least one.
    for variant in sample().into_iter().filter(|variant| variant.needs().chips == Needs::NOTHING.chips) {
        let tokens = variant.tokens.iter().flatten().filter(|token| FLOOR.max(token.needs) != FLOOR);
        let raised: Vec<&str> = tokens.map(|token| token.text).collect();
        for source in sources(&variant) {
            let needs = variant.needs().max(source.needs).max(FLOOR);
            if needs != FLOOR {
                let key = format!("{} {raised:?} {}", variant.instruction.mnemonic, source.text);
                samples.entry(key).or_insert_with(|| (needs, plain(&variant, &source)));
            }
        }
    }
    assert!(samples.len() > 20, "{}", samples.len());
    for (needs, op) in samples.into_values() {
        let ptx = ptx_of(&module(std::slice::from_ref(&op)), needs);
        assemble(&ptx, needs).unwrap();
        let less = one_less(needs);
        assert!(!less.is_empty(), "{op}");
        for less in less {
            let old = |needs: Needs| format!(".version {}.{}\n.target sm_{}", needs.ptx / 10, needs.ptx % 10, needs.sm);
            assert!(ptx.contains(&old(needs)), "{ptx}");
            let ptx = ptx.replace(&old(needs), &old(less));
            assert!(assemble(&ptx, less).is_err(), "ptxas takes {op} for {less:?}");
        }
    }
}

/// The next lower PTX version, where the SM has it, and the next lower SM that has the version.
fn one_less(needs: Needs) -> Vec<Needs> {
    let least = |sm: u32| SMS.iter().find(|(it, _)| *it == sm).expect("a record's SM is one of ptxas").1;
    let ptx = VERSIONS.iter().rev().find(|version| **version < needs.ptx);
    let ptx = ptx.filter(|version| **version >= least(needs.sm)).map(|version| Needs { ptx: *version, ..needs });
    let sm = SMS.iter().rev().find(|(sm, _)| *sm < needs.sm);
    let sm = sm.filter(|(_, version)| *version <= needs.ptx).map(|(sm, _)| Needs { sm: *sm, ..needs });
    ptx.into_iter().chain(sm).collect()
}

#[test]
fn a_planted_variant_is_refused() {
    static B8: PtxType = PtxType {
        token: "b8",
        width: 8,
        float: false,
        types: &[Element::of(Scalar::Int(8))],
        maybe_wider: false,
        container: "b8",
        conversions: None,
    };
    static TOKEN: Token =
        Token { text: "b8", summary: "", kind: TokenKind::Type(&B8), ordered: false, needs: Needs::NOTHING };
    static TOKENS: [&Token; 1] = [&TOKEN];
    static POSITIONS: [Position; 1] = [Position { name: "type", optional: false, tokens: &TOKENS }];
    static OPERANDS: [Operand; 2] = [operand("d", true), operand("a", false)];
    static FORM: Form = Form {
        summary: "planted",
        section: "none",
        positions: &POSITIONS,
        operands: &OPERANDS,
        needs: Needs::NOTHING,
        semantics: None,
    };
    let planted = Variant { instruction: instruction::lookup("mov").unwrap(), form: &FORM, tokens: vec![Some(&TOKEN)] };
    let asm =
        lower_ptx::asm(&planted, &Shape { sources: vec![lower_ptx::Source::Register(Kind::Bits)], ..Shape::default() });
    let op =
        format!("%v = llvm.inline_asm has_side_effects \"{}\", \"{}\" %i8 : (i8) -> i8", asm.text, asm.constraints);
    // Beside it what legality refuses of names: another width, a component too many, a symbol that is not there.
    let planted = |text: &str, constraint: &str, result: &str| {
        format!("%v = llvm.inline_asm has_side_effects \"{text}\", \"{constraint}\" : () -> {result}")
    };
    for (op, complaint) in [
        (op, "mov.b8"),
        (planted("mov.u64 $0, %laneid;", "=l", "i64"), "mov.u64"),
        (planted("mov.u32 $0, %tid;", "=r", "i32"), "mov.u32"),
        (planted("mov.u32 $0, %laneid.x;", "=r", "i32"), "mov.u32"),
        (planted("mov.u64 $0, variable1-4;", "=l", "i64"), "mov.u64"),
        (planted("mov.u64 $0, nosuch;", "=l", "i64"), "mov.u64"),
    ] {
        let why = assemble(&ptx_of(&module(&[op]), FLOOR), FLOOR).expect_err("it is no PTX");
        assert!(why.contains(complaint), "{why}");
    }
}

const fn operand(name: &'static str, written: bool) -> Operand {
    Operand {
        name,
        registers: 1,
        r#type: OperandType::First,
        written,
        address: false,
        sink: false,
        immediate: false,
        constant: false,
        bounds: None,
        negatable: false,
        exact_width: false,
        joined: false,
        cache_policy: false,
        named: None,
    }
}

/// The ops that stand for a variant, each with its least target: all types and all that it may name, and each clause with
/// the first of them.
fn ops(variant: &Variant) -> Vec<(Needs, String)> {
    let types = types(variant);
    let sources = sources(variant);
    let first_types: Vec<Element> = types.iter().map(|types| types[0]).collect();
    let mut all: Vec<(Needs, String)> = vec![];
    let mut add = |source: &Source, types: &[Element], clauses: Clauses| {
        all.push((variant.needs().max(source.needs).max(FLOOR), op(variant, source, types, clauses)));
    };
    for source in &sources {
        product(&types).iter().for_each(|types| add(source, types, Clauses::default()));
    }
    let first = &sources[0];
    let operands = || variant.form.operands.iter();
    let mut also =
        vec![Clauses { pred: "%i1", ..Clauses::default() }, Clauses { pred: "not %i1", ..Clauses::default() }];
    if operands().any(|operand| operand.written) {
        also.push(Clauses { pred: "%i1", preserves: true, ..Clauses::default() });
    }
    if operands().any(|operand| operand.address || operand.named == Some(Named::Symbol)) {
        also.push(Clauses { offset: true, ..Clauses::default() });
    }
    if operands().any(|operand| operand.negatable) {
        also.push(Clauses { inverted: true, ..Clauses::default() });
        also.push(Clauses { inverted: true, constants: true, pred: "not %i1", ..Clauses::default() });
    }
    also.iter().for_each(|clauses| add(first, &first_types, *clauses));
    if operands().any(|operand| operand.immediate) {
        product(&types).iter().for_each(|types| add(first, types, Clauses { constants: true, ..Clauses::default() }));
    }
    if let Some(group) = operands().find(|operand| operand.sink) {
        for mask in 1..(1 << group.registers) - 1 {
            let sink: Vec<i64> = (0..i64::from(group.registers)).filter(|word| mask >> word & 1 == 1).collect();
            for pred in ["", "not %i1"] {
                let clauses = Clauses { pred, preserves: !pred.is_empty(), sink: &sink, ..Clauses::default() };
                add(first, &first_types, clauses);
            }
        }
    }
    all
}

/// The types that each operand takes; what is named takes none, which is one choice.
fn types(variant: &Variant) -> Vec<&'static [Element]> {
    let types = |operand: &Operand| match operand.named {
        Some(_) => &variant.type_of(operand).types[..1],
        None => variant.type_of(operand).types,
    };
    variant.form.operands.iter().map(types).collect()
}

/// The op of a variant with the first types and no clause.
fn plain(variant: &Variant, source: &Source) -> String {
    let first: Vec<Element> = types(variant).iter().map(|types| types[0]).collect();
    op(variant, source, &first, Clauses::default())
}

/// All that an op of the variant may name; of most, that is nothing, which is one choice.
fn sources(variant: &Variant) -> Vec<Source> {
    match variant.form.named() {
        None => vec![Source { text: String::new(), needs: FLOOR }],
        Some(Named::SpecialRegister) => SPECIAL_REGISTERS
            .iter()
            .flat_map(|register| register.sources())
            .filter(|source| special_fits(variant, source).is_ok())
            .map(|source| Source { text: format!("special \"{source}\""), needs: source.register.needs })
            .collect(),
        Some(Named::Symbol) => {
            let takes =
                |kind: &&SymbolKind| kind.types.iter().any(|its| its.token == variant.opcode_type().unwrap().token);
            let kinds = SYMBOL_KINDS.iter().filter(takes);
            let mut all: Vec<_> = kinds.map(|kind| (kind.space.is_none(), kind)).collect();
            // The first has every clause, an offset too.
            all.sort_by_key(|(is_function, _)| *is_function);
            let text = |kind: &SymbolKind| format!("symbol @{}", symbol(kind));
            all.into_iter().map(|(_, kind)| Source { text: text(kind), needs: kind.needs }).collect()
        }
    }
}

/// Its name in [`module`].
fn symbol(kind: &SymbolKind) -> String {
    match kind.space {
        Some(space) => format!("variable{space}"),
        None if kind.kernel => "k0".into(),
        None => "function".into(),
    }
}

/// One op as text; its values are those of `module`.
fn op(variant: &Variant, source: &Source, types: &[Element], clauses: Clauses) -> String {
    let (mut inputs, mut input_types, mut results, mut old) = (vec![], vec![], vec![], vec![]);
    for (operand, element) in variant.form.operands.iter().zip(types) {
        let registers = operand.registers as usize;
        if operand.written {
            let kept = registers - if operand.sink { clauses.sink.len() } else { 0 };
            results.extend(vec![element.to_string(); kept]);
            old.extend(vec![value(*element, false); kept]);
        } else if operand.named.is_some() {
            inputs.push(format!("{}{}", source.text, if clauses.offset { " + 16" } else { "" }));
        } else if operand.address {
            let space = variant.address_space().unwrap();
            inputs.push(format!("%ptr{space}{}", if clauses.offset { " + 16" } else { "" }));
            input_types.push(format!("!llvm.ptr<{space}>"));
        } else {
            let not = if clauses.inverted && operand.negatable { "not " } else { "" };
            let value = format!("{not}{}", value(*element, operand.constant || clauses.constants && operand.immediate));
            inputs.extend(vec![value; registers]);
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
    let kernels: String = kernels.collect();
    format!("gpu.module @variants {{\n{}{kernels}}}\n", symbols())
}

/// One of each kind; `k0` is the kernel.
fn symbols() -> String {
    let definition = |kind: &SymbolKind| match kind.space {
        Some(space) => format!("memref.global \"private\" @{} : memref<4xi32, {space}>\n", symbol(kind)),
        None if kind.kernel => String::new(),
        None => format!("func.func @{}() {{\nreturn\n}}\n", symbol(kind)),
    };
    SYMBOL_KINDS.iter().map(definition).collect()
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
    let chip = chip(needs);
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
    let chip = chip(needs);
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
