//! Programs for the pages: how each form is written, and one whole module.

use crate::words;
use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::instruction::{
    Form, INSTRUCTIONS, Instruction, Named, Needs, Operand, PtxType, SPECIAL_REGISTERS, SYMBOL_KINDS, Token, Variant,
};
use ptx_tile_dialect::legality::GLOBAL;
use ptx_tile_dialect::named::special_fits;

/// The oldest that today's ptxas assembles.
const FLOOR: Needs = Needs { ptx: 63, sm: 75, ..Needs::NOTHING };
/// How often an example applies its instruction.
const REPEATS: u32 = 4;
const PRIVATE: &str = "#gpu.address_space<private>";
/// The variable of which an address is taken.
const TABLE: &str = "table";

/// The variant of a form to show: without what may be left out, of 32 bits where it may be, and of the addresses that
/// all symbols have.
fn shown(instruction: &'static Instruction, form: &'static Form) -> Variant {
    let mut has_type = false;
    let is_good = |its: &PtxType| match form.named() {
        Some(Named::Symbol) => SYMBOL_KINDS.iter().all(|kind| kind.types.iter().any(|known| known.token == its.token)),
        _ => its.width == 32,
    };
    let tokens = form.positions.iter().map(|position| {
        let is_wanted = |token: &&&Token| !has_type && words::type_of(token).is_some_and(is_good);
        let wanted = position.tokens.iter().find(is_wanted);
        let token = *wanted.unwrap_or(&position.tokens[0]);
        has_type |= words::type_of(token).is_some();
        (!position.optional).then_some(token)
    });
    Variant { instruction, form, tokens: tokens.collect() }
}

/// Whether the variant to show is of 32 bits, if of any.
pub fn is_wide(instruction: &'static Instruction, form: &'static Form) -> bool {
    shown(instruction, form).opcode_type().is_none_or(|its| its.width == 32)
}

/// What stands at an operand of `tile.apply`.
enum Word {
    Registers,
    Memory,
    Scalar,
    Constant,
    Policy,
}

/// What to show there: tiles where they must be, and at the first register that is read, and scalars elsewhere.
fn words_of(variant: &Variant) -> Vec<Word> {
    let mut is_first = true;
    let word = |operand: &Operand| match operand {
        Operand { cache_policy: true, .. } => Word::Policy,
        Operand { address: true, .. } => Word::Memory,
        Operand { constant: true, .. } => Word::Constant,
        Operand { written: true, .. } | Operand { registers: 2.., .. } => Word::Registers,
        _ if element(variant, operand).width() > 1 && std::mem::take(&mut is_first) => Word::Registers,
        _ if has_memory(variant) => Word::Registers,
        _ => Word::Scalar,
    };
    variant.form.operands.iter().map(word).collect()
}

fn has_memory(variant: &Variant) -> bool {
    variant.form.operands.iter().any(|operand| operand.address)
}

/// The first MLIR type that an operand takes.
fn element(variant: &Variant, operand: &Operand) -> Element {
    variant.type_of(operand).types[0]
}

/// `%c = arith.constant 1 : i32` of an operand that is a constant.
fn constant(variant: &Variant, operand: &Operand) -> String {
    let (least, most) = operand.bounds.unwrap_or((0, 1));
    format!("%{} = arith.constant {} : {}", operand.name, most.min(least.max(1)), element(variant, operand))
}

/// A memref of an operand, `repeats` times its registers.
fn tile(variant: &Variant, operand: &Operand, repeats: u32, layout: &str, space: &str) -> String {
    format!("memref<{repeats}x{}x{}{layout}, {space}>", operand.registers, element(variant, operand))
}

/// The address space of the memory of an opcode, as a memref has it.
fn space_of(variant: &Variant) -> String {
    match variant.address_space() {
        Some(5) => PRIVATE.into(),
        space => space.unwrap_or(GLOBAL).to_string(),
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// A line for each op
//===------------------------------------------------------------------------------------------------------------===//

/// How a form is written.
pub struct Usage {
    /// A line for each dialect that has it, and what must stand before.
    pub lines: Vec<String>,
    /// What each verifies in: functions from their arguments on.
    pub functions: Vec<String>,
}

/// Each op with this form.
pub fn usage(instruction: &'static Instruction, form: &'static Form) -> Usage {
    let variant = shown(instruction, form);
    let constants = form.operands.iter().filter(|operand| operand.constant);
    let mut lines: Vec<String> = constants.map(|operand| constant(&variant, operand)).collect();
    let constants = lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    let mut functions = vec![];
    let mut add = |(line, (arguments, allocs)): (String, (Vec<String>, String))| {
        functions.push(format!("({}) kernel {{\n{allocs}{constants}  {line}\n", arguments.join(", ")));
        lines.push(line);
    };
    if form.named().is_none() {
        add(apply(&variant));
    }
    add(op(&variant));
    Usage { lines, functions }
}

/// `tile.apply`, with the arguments and allocations that it takes.
fn apply(variant: &Variant) -> (String, (Vec<String>, String)) {
    let (mut names, mut types, mut arguments, mut allocs) = (vec![], vec![], vec![], String::new());
    let mut clause = String::new();
    for (operand, word) in variant.form.operands.iter().zip(words_of(variant)) {
        let name = operand.name;
        let r#type = match word {
            Word::Registers => {
                let r#type = tile(variant, operand, REPEATS, "", PRIVATE);
                allocs += &format!("  %{name} = tile.alloc : {type}\n");
                r#type
            }
            Word::Memory => {
                let r#type = tile(variant, operand, REPEATS, "", &space_of(variant));
                if space_of(variant) == PRIVATE {
                    allocs += &format!("  %{name} = tile.alloc : {type}\n");
                } else {
                    arguments.push(format!("%{name}: {type} {{llvm.align = 32 : i32}}"));
                }
                r#type
            }
            Word::Scalar => {
                arguments.push(format!("%{name}: {}", element(variant, operand)));
                element(variant, operand).to_string()
            }
            Word::Constant => element(variant, operand).to_string(),
            Word::Policy => {
                arguments.push(format!("%{name}: i64"));
                clause = format!(" cache_policy(%{name})");
                continue;
            }
        };
        names.push(format!("%{name}"));
        types.push(r#type);
    }
    let line = format!("tile.apply \"{variant}\"({}){clause} : {}", names.join(", "), types.join(", "));
    (line, (arguments, allocs))
}

/// The `ptx` op, with the arguments that it takes.
fn op(variant: &Variant) -> (String, (Vec<String>, String)) {
    let (mut inputs, mut input_types, mut results, mut result_types, mut arguments) =
        (vec![], vec![], vec![], vec![], vec![]);
    for operand in variant.form.operands {
        let its = element(variant, operand).to_string();
        match operand {
            Operand { named: Some(Named::SpecialRegister), .. } => {
                inputs.push(format!("special \"{}\"", special(variant)))
            }
            Operand { named: Some(Named::Symbol), .. } => inputs.push(format!("symbol @{TABLE} + 16")),
            Operand { address: true, name, .. } => {
                let pointer = format!("!llvm.ptr<{}>", variant.address_space().unwrap_or(GLOBAL));
                inputs.push(format!("%{name}"));
                arguments.push(format!("%{name}: {pointer}"));
                input_types.push(pointer);
            }
            Operand { written: true, name, registers, .. } => {
                results.extend(words(name, *registers));
                result_types.extend(vec![its; *registers as usize]);
            }
            Operand { name, registers, constant, .. } => {
                let names = words(name, *registers);
                if !constant {
                    arguments.extend(names.iter().map(|name| format!("{name}: {its}")));
                }
                inputs.extend(names);
                input_types.extend(vec![its; *registers as usize]);
            }
        }
    }
    let results = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
    let result_types = match result_types.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(", ")),
    };
    let line = format!(
        "{results}ptx.{} \"{}\" {} : ({}) -> {result_types}",
        variant.instruction.mnemonic,
        variant.modifiers(),
        inputs.join(", "),
        input_types.join(", ")
    );
    (line, (arguments, String::new()))
}

/// `%a`, or `%a0, %a1` of a group.
fn words(name: &str, registers: u32) -> Vec<String> {
    match registers {
        1 => vec![format!("%{name}")],
        several => (0..several).map(|word| format!("%{name}{word}")).collect(),
    }
}

/// A special register that an opcode reads.
fn special(variant: &Variant) -> String {
    let mut sources = SPECIAL_REGISTERS.iter().flat_map(|register| register.sources());
    let source = sources.find(|source| special_fits(variant, source).is_ok());
    source.map_or(String::new(), |source| source.to_string())
}

/// A module in which the functions verify.
pub fn module(functions: &[String]) -> String {
    let space = SYMBOL_KINDS.iter().find_map(|kind| kind.space).unwrap_or(GLOBAL);
    let table = format!("memref.global \"private\" @{TABLE} : memref<64xi32, {space}>\n");
    let functions =
        functions.iter().enumerate().map(|(i, function)| format!("gpu.func @f{i}{function}  gpu.return\n}}\n"));
    format!("gpu.module @usage {{\n{table}{}}}\n", functions.collect::<String>())
}

//===------------------------------------------------------------------------------------------------------------===//
// A whole module
//===------------------------------------------------------------------------------------------------------------===//

/// A program that applies an instruction.
pub struct Example {
    /// What it applies.
    pub variant: Variant,
    /// The least target of all instructions in it that today's ptxas assembles.
    pub needs: Needs,
    /// The module.
    pub module: String,
}

impl Example {
    /// One whose inputs and results are in global memory, or scalars.
    pub fn of(instruction: &'static Instruction) -> Example {
        let forms = || instruction.forms.iter().filter(|form| form.named().is_none());
        let form =
            forms().find(|form| is_wide(instruction, form)).or_else(|| forms().next()).unwrap_or(&instruction.forms[0]);
        let variant = shown(instruction, form);
        let (mut program, line) = Program::around(&variant);
        program.before.push(line);
        program.before.append(&mut program.after);
        let types: String = program.aliases.iter().map(|(name, its)| format!("!{name} = {its}\n")).collect();
        let globals: String = program.globals.iter().map(|line| format!("  {line}\n")).collect();
        let body: String = program.before.iter().map(|line| format!("    {line}\n")).collect();
        let arguments = program.arguments.join(", ");
        let module = format!(
            "{types}\ngpu.module @kernels {{\n{globals}  gpu.func @example({arguments}) kernel {{\n{body}    gpu.return\n  \
             }}\n}}\n"
        );
        let needs = program.needs;
        Example { variant, needs, module }
    }

    /// `sm_75`
    pub fn chip(&self) -> String {
        let named = self.needs.chips.names().and_then(|mut names| names.next());
        named.map_or_else(|| format!("sm_{}", self.needs.sm), str::to_string)
    }

    /// How tile-translate is asked for the PTX.
    pub fn options(&self) -> [String; 5] {
        ["--mlir-to-ptx".into(), "--chip".into(), self.chip(), "--ptx".into(), words::version(self.needs)]
    }

    /// What lit does with the page.
    pub fn run_lines(&self) -> String {
        let opcode = &self.variant;
        format!(
            "RUN: %example %s > %t.mlir\n\
             RUN: tile-translate {} %t.mlir -o %t.ptx\n\
             RUN: FileCheck %s --input-file=%t.ptx\n\
             RUN: %if ptxas %{{ %ptxas -arch={} %t.ptx -o %t.cubin %}}\n\
             CHECK-COUNT-{REPEATS}: {opcode} {{{{.*}}}};\n\
             CHECK-NOT: {opcode} {{{{.*}}}};\n",
            self.options().join(" "),
            self.chip(),
        )
    }
}

/// The parts of a module.
struct Program {
    needs: Needs,
    /// Type aliases: name and type.
    aliases: Vec<(String, String)>,
    globals: Vec<String>,
    arguments: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
}

impl Program {
    /// A program around one application, and the application.
    fn around(variant: &Variant) -> (Program, String) {
        let needs = FLOOR.max(variant.needs());
        let mut program =
            Program { needs, aliases: vec![], globals: vec![], arguments: vec![], before: vec![], after: vec![] };
        let mut clause = String::new();
        let mut words: Vec<(usize, &Operand, Word)> = variant
            .form
            .operands
            .iter()
            .zip(words_of(variant))
            .enumerate()
            .map(|(i, (it, word))| (i, it, word))
            .collect();
        // What is read comes first in the program.
        words.sort_by_key(|(_, operand, _)| operand.written);
        let mut texts: Vec<(usize, String, String)> = vec![];
        for (i, operand, word) in words {
            let name = operand.name;
            let its = match word {
                Word::Registers if operand.written => program.result(variant, operand),
                Word::Registers => program.source(variant, operand),
                Word::Memory => program.memory(variant, operand),
                Word::Scalar => {
                    let its = element(variant, operand).to_string();
                    program.arguments.push(format!("%{name}: {its}"));
                    its
                }
                Word::Constant => {
                    program.before.push(constant(variant, operand));
                    element(variant, operand).to_string()
                }
                Word::Policy => {
                    program.arguments.push(format!("%{name}: i64"));
                    clause = format!(" cache_policy(%{name})");
                    continue;
                }
            };
            texts.push((i, format!("%{name}"), its));
        }
        texts.sort_by_key(|(i, ..)| *i);
        let (names, types): (Vec<String>, Vec<String>) = texts.into_iter().map(|(_, name, its)| (name, its)).unzip();
        let line = format!("tile.apply \"{variant}\"({}){clause} : {}", names.join(", "), types.join(", "));
        (program, line)
    }

    /// A tile that is written, two registers apart where they are single, and then stored.
    fn result(&mut self, variant: &Variant, operand: &Operand) -> String {
        let name = operand.name;
        let layout = if operand.registers == 1 { ", strided<[2, 1]>" } else { "" };
        let its = self.alias(name, tile(variant, operand, REPEATS, layout, PRIVATE));
        self.before.push(format!("%{name} = tile.alloc : {its}"));
        if element(variant, operand).width() < 8 {
            self.use_predicate(variant, operand, &its);
            return its;
        }
        let (words, words_type) = match operand.registers {
            1 => (name.to_string(), its.clone()),
            _ => {
                let words_type = self.words(variant, operand, PRIVATE);
                self.after.push(format!("%{name}_words = tile.view %{name} : {its} to {words_type}"));
                (format!("{name}_words"), words_type)
            }
        };
        let memory = self.words(variant, operand, "#gpu.address_space<global>");
        let store = self.mover(element(variant, operand).width(), true);
        self.arguments.push(format!("%{name}_out: {memory}"));
        self.after.push(format!("tile.apply \"{store}\"(%{name}_out, %{words}) : {memory}, {words_type}"));
        its
    }

    /// Stores a source where the first predicate of a result holds.
    fn use_predicate(&mut self, variant: &Variant, operand: &Operand, r#type: &str) {
        let operands = variant.form.operands.iter().zip(words_of(variant));
        let mut sources =
            operands.filter(|(it, word)| matches!(word, Word::Registers) && !it.written && it.registers == 1);
        let Some((source, _)) = sources.next() else { return };
        let (name, of) = (operand.name, source.name);
        let memory = self.words(variant, source, "#gpu.address_space<global>");
        let words_type = self.words(variant, source, PRIVATE);
        let store = self.mover(element(variant, source).width(), true);
        self.arguments.push(format!("%{name}_out: {memory}"));
        self.after.push(format!("%{name}0 = tile.read %{name}[0, 0] : {type}"));
        self.after.push(format!("tile.apply \"{store}\"(%{name}_out, %{of}) pred(%{name}0) : {memory}, {words_type}"));
    }

    /// A tile that is loaded and then read.
    fn source(&mut self, variant: &Variant, operand: &Operand) -> String {
        let name = operand.name;
        let its = self.alias(name, tile(variant, operand, REPEATS, "", PRIVATE));
        let memory = self.words(variant, operand, "#gpu.address_space<global>");
        let load = self.mover(element(variant, operand).width(), false);
        self.arguments.push(format!("%{name}_in: {memory}"));
        let words = if operand.registers == 1 { name.to_string() } else { format!("{name}_words") };
        let words_type = self.words(variant, operand, PRIVATE);
        self.before.push(format!("%{words} = tile.alloc : {words_type}"));
        self.before.push(format!("tile.apply \"{load}\"(%{words}, %{name}_in) : {words_type}, {memory}"));
        if operand.registers > 1 {
            self.before.push(format!("%{name} = tile.view %{words} : {words_type} to {its}"));
        }
        its
    }

    /// Memory in the state space of the opcode.
    fn memory(&mut self, variant: &Variant, operand: &Operand) -> String {
        let name = operand.name;
        let space = variant.address_space().unwrap_or(GLOBAL);
        let text = match space {
            GLOBAL => "#gpu.address_space<global>".into(),
            3 => "#gpu.address_space<workgroup>".into(),
            5 => PRIVATE.into(),
            other => other.to_string(),
        };
        let its = self.alias(name, tile(variant, operand, REPEATS, "", &text));
        let bytes = operand.registers * element(variant, operand).width() / 8;
        match space {
            GLOBAL if operand.registers == 1 => self.arguments.push(format!("%{name}: {its}")),
            GLOBAL => self.arguments.push(format!("%{name}: {its} {{llvm.align = {bytes} : i32}}")),
            5 => self.before.push(format!("%{name} = tile.alloc : {its}")),
            _ => {
                self.globals.push(format!("memref.global \"private\" @memory : {its} {{alignment = {bytes}}}"));
                self.before.push(format!("%{name} = memref.get_global @memory : {its}"));
            }
        }
        its
    }

    /// The words of an operand of all repeats, one below the other.
    fn words(&mut self, variant: &Variant, operand: &Operand, space: &str) -> String {
        let what = if space == PRIVATE { "words" } else { "memory" };
        let count = REPEATS * operand.registers;
        self.alias(what, format!("memref<{count}x1x{}, {space}>", element(variant, operand)))
    }

    /// The plainest instruction that loads a register of this width from global memory, or stores one there.
    fn mover(&mut self, width: u32, stores: bool) -> Variant {
        let moves = INSTRUCTIONS.iter().filter(|it| it.writes_memory == stores && it.reads_memory != stores);
        let mut variants = moves.flat_map(|instruction| instruction.variants()).filter(|variant| {
            variant.address_space() == Some(GLOBAL)
                && variant.tokens.iter().flatten().count() == 2
                && variant.opcode_type().is_some_and(|its| its.width == width)
                && variant.form.operands.len() == 2
        });
        let variant = variants.next().expect("memory is loaded and stored");
        self.needs = self.needs.max(variant.needs());
        variant
    }

    /// An alias of a type: the one that it has, or a new one of this name.
    fn alias(&mut self, name: &str, r#type: String) -> String {
        if let Some((known, _)) = self.aliases.iter().find(|(_, its)| *its == r#type) {
            return format!("!{known}");
        }
        let is_taken = |name: &str| self.aliases.iter().any(|(known, _)| known == name);
        let free = (2..).map(|i| format!("{name}{i}")).find(|name| !is_taken(name));
        let name = if is_taken(name) { free.unwrap_or_default() } else { name.to_string() };
        self.aliases.push((name.clone(), r#type));
        format!("!{name}")
    }
}
