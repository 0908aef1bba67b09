//! The page of a mnemonic.

use crate::example::{self, Example, Usage};
use crate::syntax::{self, Legend, Line, Shape, Syntax};
use crate::words::{self, Table, target};
use ptx_tile_dialect::instruction::{
    Form, Instruction, Named, Needs, Operand, OperandType, PtxType, Refused, Token,
};
use std::fmt::Write;

/// Where a page finds the rules.
const RULES: &str = "../rules.md";

/// The page, with what the programs make of the example: its expansion and its PTX.
pub fn page(instruction: &'static Instruction, example: &Example, expanded: &str, ptx: &str) -> String {
    let syntax = Syntax::of(instruction);
    let mut text = String::new();
    let mut part = |title: &str, body: String| {
        if !body.is_empty() {
            let title = if title.is_empty() { String::new() } else { format!("## {title}\n\n") };
            write!(text, "{title}{}\n\n", body.trim_end()).expect("a String takes all");
        }
    };
    part("", head(instruction, example));
    part("", words::linked(&outdented(instruction.description), RULES));
    part("Syntax", syntax_lines(instruction, &syntax));
    part("Qualifiers", qualifiers(&syntax));
    part("Operands", operands(instruction, &syntax));
    part("Types", types(instruction));
    part("What is checked", words::linked(&checked(instruction), RULES));
    part("Refused by choice", words::linked(&refused(instruction), RULES));
    part("What passes may do", words::linked(&effects(instruction), RULES));
    part("Example", example_text(example, expanded, ptx));
    text.trim_end().to_string() + "\n"
}

/// The title, and how lit runs the page.
fn head(instruction: &'static Instruction, example: &Example) -> String {
    let sections = sections(instruction);
    let least = words::least(instruction.variants().map(|variant| variant.needs())).unwrap_or(Needs::NOTHING);
    format!(
        "<!-- Made from the records in dialect/ptx by ./dev docs. lit runs the example:\n{}-->\n\n# {}\n\n{}.\n\n\
         PTX ISA {}; {}, {}; {}. [All instructions](README.md).",
        example.run_lines(),
        instruction.mnemonic,
        words::capitalized(instruction.summary),
        sections.join(", "),
        words::counted(instruction.forms.len(), "form"),
        words::counted(instruction.variants().count(), "spelling"),
        words::from(least),
    )
}

/// The sections of the ISA that its forms are of, in order.
fn sections(instruction: &Instruction) -> Vec<&'static str> {
    let mut sections: Vec<&str> = instruction.forms.iter().map(|form| form.section).collect();
    sections.sort_by_key(|section| crate::tables::numbers(section));
    sections.dedup();
    sections
}

/// Text of a record without its indentation.
fn outdented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(depth).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(least..).unwrap_or_default().trim_end());
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_string()
}

//===------------------------------------------------------------------------------------------------------------===//
// Syntax
//===------------------------------------------------------------------------------------------------------------===//

fn syntax_lines(instruction: &Instruction, syntax: &Syntax) -> String {
    // Once for the legend to know all, once for the names in it.
    let mut legend = Legend::default();
    for line in &syntax.lines {
        syntax.opcode(line, &mut legend);
    }
    let several = sections(instruction).len() > 1;
    let rows: Vec<[String; 3]> = syntax
        .lines
        .iter()
        .map(|line| {
            let section = if several { line.forms[0].section } else { "" };
            let opcode = format!("{} {}", syntax.opcode(line, &mut legend), operands_of(line));
            [target(least(line)), section.into(), opcode]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (targets, sections) = (width(0), width(1) + if several { 2 } else { 0 });
    let head = format!("{:targets$}  {:sections$}", "PTX, SM", if several { "ISA" } else { "" });
    let mut text = format!("```\n{}\n", head.trim_end());
    for [target, section, opcode] in &rows {
        writeln!(text, "{target:targets$}  {section:sections$}{opcode}").expect("a String takes all");
    }
    let legend = legend.lines();
    if !legend.is_empty() {
        writeln!(text, "\n{}", legend.join("\n")).expect("a String takes all");
    }
    text + "```\n"
}

/// `{d0, d1}, [a]{, policy}`.
fn operands_of(line: &Line) -> String {
    let mut text = String::new();
    for (i, (operand, column)) in line.operands.iter().enumerate() {
        let separator = if i == 0 {
            ""
        } else if operand.joined {
            "|"
        } else {
            ", "
        };
        let mut counts =
            line.shapes.iter().map(|shape| shape.form.operands[place(shape.form.operands, operand)].registers);
        let first = counts.next().unwrap_or(1);
        let its = if operand.named.is_none() && !operand.address && counts.any(|count| count != first) {
            operand.name.to_string()
        } else {
            operand.text()
        };
        text += &if column.is_some() { format!("{{{separator}{its}}}") } else { format!("{separator}{its}") };
    }
    text
}

/// Where a form has the operand of this name.
fn place(operands: &[Operand], operand: &Operand) -> usize {
    operands.iter().position(|its| its.name == operand.name).unwrap_or_default()
}

/// The least target of what a line shows.
fn least(line: &Line) -> Needs {
    let of_choices = |choices: &Vec<Option<&'static Token>>| {
        let needs = choices.iter().map(|token| token.map_or(Needs::NOTHING, |token| token.needs));
        words::least(needs).unwrap_or(Needs::NOTHING)
    };
    let all = |choices: &[Vec<Option<&'static Token>>]| choices.iter().map(of_choices).fold(line.needs, Needs::max);
    let of_shapes = words::least(line.shapes.iter().map(|shape| all(&shape.choices))).unwrap_or(Needs::NOTHING);
    all(&line.choices).max(of_shapes)
}

//===------------------------------------------------------------------------------------------------------------===//
// Qualifiers and types
//===------------------------------------------------------------------------------------------------------------===//

fn qualifiers(syntax: &Syntax) -> String {
    let mut table = Table::new(&["position", "qualifier", "means", "PTX, SM"]);
    let mut last = "";
    for (name, text) in syntax.qualifiers() {
        let mut tokens: Vec<&Token> = vec![];
        for (_, token) in syntax.lines.iter().flat_map(|line| line.tokens()).filter(|(_, token)| token.text == text) {
            if !tokens.iter().any(|known| known.needs == token.needs) {
                tokens.push(token);
            }
        }
        let needs = tokens.iter().enumerate().map(|(i, token)| match i {
            0 => raised(token.needs),
            _ => format!("; {}{}", raised(token.needs), only_with(syntax, token)),
        });
        let position = if name == last { "" } else { name };
        table.row([position.into(), format!("`.{text}`"), tokens[0].summary.into(), needs.collect()]);
        last = name;
    }
    if last.is_empty() { String::new() } else { table.text() }
}

/// With which types a token stands that asks for more than another of its text.
fn only_with(syntax: &Syntax, token: &Token) -> String {
    let lines = syntax.lines.iter().filter(|line| line.tokens().any(|(_, it)| std::ptr::eq(it, token)));
    let types = lines.flat_map(|line| line.tokens()).filter(|(_, it)| words::type_of(it).is_some());
    let types = types.map(|(_, it)| format!("`.{}`", it.text)).collect::<Vec<_>>();
    format!(" with {}", unique(types.iter().map(String::as_str).collect()).join(" "))
}

/// What something asks for that not every target has.
fn raised(needs: Needs) -> String {
    if needs == Needs::NOTHING { String::new() } else { target(needs) }
}

fn types(instruction: &'static Instruction) -> String {
    let tokens = instruction.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    let mut tokens: Vec<&Token> = tokens.copied().filter(|token| words::type_of(token).is_some()).collect();
    syntax::sort_types(&mut tokens);
    let of_tokens = tokens.iter().filter_map(|token| words::type_of(token).map(|its| (its, token.needs)));
    let own = instruction.forms.iter().flat_map(|form| form.operands).filter_map(|operand| operand.own_type());
    let mut known: Vec<(&'static PtxType, Needs)> = vec![];
    for (its, needs) in of_tokens.chain(own.map(|its| (its, Needs::NOTHING))) {
        if !known.iter().any(|(other, _)| other.token == its.token) {
            known.push((its, needs));
        }
    }
    let is_wider = known.iter().any(|(its, _)| its.maybe_wider);
    let mut table = Table::new(&["PTX", "MLIR", "PTX, SM"]);
    // Types that take the same share a row.
    let mut rows: Vec<(Vec<String>, String, String)> = vec![];
    for (its, needs) in known {
        let takes = its.types.iter().map(|element| format!("`{element}`")).collect::<Vec<_>>().join(", ");
        let (name, needs) = (format!("`.{}`", its.token), raised(needs));
        match rows.iter_mut().find(|(_, other, of)| *other == takes && *of == needs) {
            Some((names, ..)) => names.push(name),
            None => rows.push((vec![name], takes, needs)),
        }
    }
    rows.into_iter().for_each(|(names, takes, needs)| table.row([names.join(" "), takes, needs]));
    let note = if is_wider { "\nRegisters may be wider than the type.\n" } else { "" };
    format!("The MLIR types whose values an operand of each type takes ([R70]({RULES}#r70)).\n\n{}{note}", table.text())
}

//===------------------------------------------------------------------------------------------------------------===//
// Operands
//===------------------------------------------------------------------------------------------------------------===//

/// Lines whose operands have the same parts.
fn groups(syntax: &Syntax) -> Vec<Vec<&Line>> {
    let mut groups: Vec<Vec<&Line>> = vec![];
    for line in &syntax.lines {
        match groups.iter_mut().find(|group| group[0].has_parts_of(line)) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    groups
}

fn operands(instruction: &'static Instruction, syntax: &Syntax) -> String {
    let groups = groups(syntax);
    let mut text = String::new();
    for group in &groups {
        // The most operands that a line of the group has.
        let longest = group.iter().rev().max_by_key(|line| line.operands.len()).expect("a group has lines");
        if groups.len() > 1 {
            let kinds: Vec<&str> = group.iter().flat_map(|line| &line.forms).map(|form| form.summary).collect();
            let operands = unique_texts(group.iter().map(|line| format!("`{}`", operands_of(line)))).join(" or ");
            writeln!(text, "### {}: {operands}\n", unique(kinds).join(", ")).expect("a String takes all");
        }
        let mut table = Table::new(&["operand", "role", "registers"]);
        for (operand, column) in &longest.operands {
            let all: Vec<Use> = group.iter().flat_map(|line| uses(line, operand)).collect();
            let when = column.map_or(String::new(), |_| "; stands there where its modifier does".into());
            let name = if operand.address { format!("`[{}]`", operand.name) } else { format!("`{}`", operand.name) };
            table.row([name, format!("{}{when}", role(&all)), registers(syntax, &all)]);
        }
        text += &table.text();
        let lines = usages_of(instruction, group).into_iter().flat_map(|usage| usage.lines).collect::<Vec<_>>();
        write!(text, "\n```mlir\n{}\n```\n\n", lines.join("\n")).expect("a String takes all");
    }
    text
}

/// How the forms of a group are written: one for each number of operands, with single registers and with several.
fn usages_of(instruction: &'static Instruction, group: &[&Line]) -> Vec<Usage> {
    let kind = |form: &Form| (form.operands.len(), form.operands.iter().map(|operand| operand.registers > 1).collect());
    let mut kinds: Vec<((usize, Vec<bool>), &'static Form)> = vec![];
    for form in group.iter().flat_map(|line| line.forms.iter().copied()) {
        match kinds.iter_mut().find(|(known, _)| *known == kind(form)) {
            Some((_, known)) if !example::is_wide(instruction, known) && example::is_wide(instruction, form) => {
                *known = form
            }
            Some(_) => {}
            None => kinds.push((kind(form), form)),
        }
    }
    kinds.sort_by(|(a, _), (b, _)| a.cmp(b));
    kinds.into_iter().map(|(_, form)| example::usage(instruction, form)).collect()
}

/// All that the page of an instruction shows.
pub fn usages(instruction: &'static Instruction) -> Vec<Usage> {
    groups(&Syntax::of(instruction)).iter().flat_map(|group| usages_of(instruction, group)).collect()
}

fn unique(all: Vec<&str>) -> Vec<&str> {
    let mut unique: Vec<&str> = vec![];
    all.into_iter().for_each(|it| {
        if !unique.contains(&it) {
            unique.push(it)
        }
    });
    unique
}

fn unique_texts(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut unique: Vec<String> = vec![];
    all.for_each(|it| {
        if !unique.contains(&it) {
            unique.push(it)
        }
    });
    unique
}

/// An operand in one shape of a line.
struct Use<'a> {
    operand: &'static Operand,
    shape: &'a Shape,
}

/// The operand of this name in each shape of a line.
fn uses<'a>(line: &'a Line, operand: &Operand) -> Vec<Use<'a>> {
    let of_shape = |shape: &'a Shape| {
        // Where it comes with a modifier, the form of the shape may lack it.
        let its = shape.form.operands.iter().find(|its| its.name == operand.name);
        let of_line = || line.operands.iter().map(|(its, _)| *its).find(|its| its.name == operand.name);
        Some(Use { operand: its.or_else(of_line)?, shape })
    };
    line.shapes.iter().filter_map(of_shape).collect()
}

/// What tells some uses from others, in words: ` with .v2`, ` but not with .b128`; nothing where there are no others.
fn when(these: &[&Use], others: &[&Use]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let texts = |uses: &[&Use], is_type: bool| {
        let tokens = uses.iter().flat_map(|it| it.shape.choices.iter().flatten().flatten());
        let tokens = tokens.filter(|token| words::type_of(token).is_some() == is_type);
        unique_texts(tokens.map(|token| format!("`.{}`", token.text)))
    };
    let list = |texts: Vec<String>| texts.join(" ");
    for is_type in [false, true] {
        let (mine, theirs) = (texts(these, is_type), texts(others, is_type));
        if mine.iter().any(|text| theirs.contains(text)) {
            continue;
        }
        match (mine.len(), theirs.len()) {
            (0, 0) => {}
            (0, _) => return format!(" without {}", list(theirs)),
            (mine_count, count) if count > 0 && count < mine_count => {
                return format!(", but not with {}", list(theirs));
            }
            _ => return format!(" with {}", list(mine)),
        }
    }
    let forms = these.iter().map(|it| it.shape.form.summary).collect();
    format!(" in some forms: {}", unique(forms).join(", "))
}

/// What an operand is, in words.
fn role(uses: &[Use]) -> String {
    let first = uses[0].operand;
    let mut words: Vec<String> = vec![];
    words.push(match first {
        Operand { constant: Some((least, most)), .. } => format!("a constant from {least} to {most}"),
        Operand { named: Some(Named::SpecialRegister), .. } => {
            "[special register](../special-registers.md) that the op names".into()
        }
        Operand { named: Some(Named::Symbol), .. } => {
            "symbol that the op names, and a constant added to its address".into()
        }
        Operand { cache_policy: true, .. } => "cache policy; a clause of `tile.apply`".into(),
        Operand { address: true, .. } => "address; the `ptx` op may add a constant: `%a + 16`".into(),
        Operand { written: true, .. } => "written".into(),
        _ => "read".into(),
    });
    if first.joined {
        words.push("stands after a `|`".into());
    }
    if first.negatable {
        words.push("`not` negates it".into());
    }
    let mut add = |holds: &dyn Fn(&Operand) -> bool, what: &str| {
        let (these, others): (Vec<&Use>, Vec<&Use>) = uses.iter().partition(|it| holds(it.operand));
        if !these.is_empty() {
            words.push(format!("{what}{}", when(&these, &others)));
        }
    };
    add(&|it| it.immediate && it.constant.is_none(), "a constant is an immediate");
    add(&|it| it.sink, "`sink` discards words");
    words.join("; ")
}

/// How many registers an operand is, and of which type.
fn registers(syntax: &Syntax, uses: &[Use]) -> String {
    let way = |operand: &Operand| {
        let count = match operand {
            Operand { address: true, registers: 1, .. } => "1 element".into(),
            Operand { address: true, registers, .. } => format!("{registers} elements"),
            Operand { named: Some(_), registers: 1, .. } => "1 component or scalar".into(),
            Operand { named: Some(_), registers, .. } => format!("all {registers} components"),
            Operand { registers, .. } => registers.to_string(),
        };
        match operand.r#type {
            _ if operand.named == Some(Named::Symbol) => String::new(),
            OperandType::First => count,
            OperandType::Second => format!("{count} of `.{}`", syntax.second_type()),
            OperandType::Own(own) => format!("{count} of `.{}`", own.token),
        }
    };
    let ways = unique_texts(uses.iter().map(|it| way(it.operand)));
    let text = |text: &String| {
        let (these, others): (Vec<&Use>, Vec<&Use>) = uses.iter().partition(|it| way(it.operand) == *text);
        // What is not said of vectors is said of no vector.
        let when = when(&these, &others);
        if when.starts_with(" without") { text.clone() } else { format!("{text}{when}") }
    };
    ways.iter().map(text).collect::<Vec<_>>().join("; ")
}

fn example_text(example: &Example, expanded: &str, ptx: &str) -> String {
    let variant = &example.variant;
    let op = format!("ptx.{} \"{}\"", variant.instruction.mnemonic, variant.modifiers());
    let ops: Vec<&str> = expanded.lines().map(str::trim).filter(|line| line.contains(&op)).collect();
    let start = format!("{variant} ");
    let ptx: Vec<&str> = ptx.lines().map(str::trim).filter(|line| line.starts_with(&start)).collect();
    format!(
        "```mlir\n{}```\n\n`tile-expand` makes {} of the application, the first of which is\n\n```mlir\n{}\n```\n\n\
         For {} and PTX {}, `tile-translate` prints\n\n```ptx\n{}\n```\n",
        example.module,
        words::counted(ops.len(), "op"),
        ops.first().unwrap_or(&""),
        example.chip(),
        words::version(example.needs),
        ptx.join("\n"),
    )
}

//===------------------------------------------------------------------------------------------------------------===//
// What is checked, and what passes may do
//===------------------------------------------------------------------------------------------------------------===//

/// What this instruction asks for beyond what all do.
fn checked(instruction: &Instruction) -> String {
    let operands = || instruction.forms.iter().flat_map(|form| form.operands);
    let mut items: Vec<String> = vec![];
    if operands().any(|operand| operand.address) {
        items.push(
            "Memory is in the state space of the opcode (R107), its elements are as wide as the type (R108).".into(),
        );
        items.push("An address is aligned to all elements of one instruction together (R112).".into());
        if operands().any(|operand| operand.address && operand.registers > 1) {
            items.push("The elements of one instruction are consecutive in memory (R112).".into());
        }
        items.push("What is moved is a tile, no scalar (R105).".into());
    }
    if operands().any(|operand| operand.cache_policy) {
        items.push("A cache policy stands there where the opcode has a cache hint, and nowhere else (R111).".into());
    }
    if operands().any(|operand| operand.sink) {
        items.push("Sunk words are named in ascending order, each once, and not all of them (R94).".into());
    }
    for operand in operands() {
        if let Some((least, most)) = operand.constant {
            let item = format!("`{}` is a constant from {least} to {most}.", operand.name);
            if !items.contains(&item) {
                items.push(item);
            }
        }
    }
    if instruction.convergent {
        items.push("The threads of a warp execute it together.".into());
    }
    let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
    format!("Beside [what holds for all](README.md#what-holds-for-all):\n\n{items}").replace(":\n\n\n", ".\n")
}

fn refused(instruction: &Instruction) -> String {
    let mut table = Table::new(&["opcode", "why"]);
    for reason in unique(instruction.refused.iter().map(|refused| refused.reason).collect()) {
        let opcodes = instruction.refused.iter().filter(|refused| refused.reason == reason);
        let text = |it: &Refused| format!("`{}` {}", it.opcode, it.operands).trim_end().to_string();
        table.row([opcodes.map(text).collect::<Vec<_>>().join(", "), reason.into()]);
    }
    if instruction.refused.is_empty() {
        return String::new();
    }
    format!("`ptxas` takes these, and no form has them; `*` is any text.\n\n{}", table.text())
}

fn effects(instruction: &'static Instruction) -> String {
    let mut items: Vec<String> = vec![];
    let own = "The pipelines and the emitter here keep what was named, as often as it was named; this is what the `ptx` op \
               tells passes of yours.\n\n";
    items.push(
        match (instruction.convergent, instruction.reads_memory, instruction.writes_memory) {
            (true, ..) => "It is convergent, and has an effect: nothing merges, drops or moves it.",
            (_, false, false) => {
                "It is pure: `cse` may merge two of them, `canonicalize` may drop one whose results are not used, and \
                 `loop-invariant-code-motion` may move it (D33)."
            }
            (_, true, false) => {
                "It reads memory: nothing moves it over what may write, and `cse` may merge two with nothing between them \
                 that may."
            }
            (_, false, true) => "It writes memory: nothing merges, drops or moves it.",
            (_, true, true) => "It reads and writes memory: nothing merges, drops or moves it.",
        }
        .into(),
    );
    let tokens = instruction.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    let ordered: Vec<String> = tokens.filter(|token| token.ordered).map(|token| format!("`.{}`", token.text)).collect();
    let ordered = unique(ordered.iter().map(String::as_str).collect());
    if !ordered.is_empty() && !instruction.writes_memory {
        items.push(format!("With {} nothing merges, drops or moves it.", ordered.join(", ")));
    }
    if instruction.forms.iter().any(|form| form.named() == Some(Named::SpecialRegister)) {
        items.push("A read of a special register that varies has an effect, and stays where it is.".into());
    }
    let (with, without): (Vec<_>, Vec<_>) = instruction.forms.iter().partition(|form| form.semantics.is_some());
    items.push(match (with.is_empty(), without.is_empty()) {
        (_, true) => "The executor of the tests (`passes/execute`) computes it.".into(),
        (true, _) => "The executor of the tests (`passes/execute`) does not compute it; only a GPU does.".into(),
        _ => {
            let kinds = unique(without.iter().map(|form| form.summary).collect());
            format!("The executor of the tests (`passes/execute`) computes it, but for: {}.", kinds.join(", "))
        }
    });
    let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
    format!("{own}{items}")
}
