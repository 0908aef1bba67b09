//! The page of a mnemonic.

use crate::example::{self, Example, Usage};
use crate::syntax::{self, Legend, Line, Shape, Syntax};
use crate::tables;
use crate::words::{self, Table, target};
use ptx_tile_dialect::instruction::{Form, Instruction, Named, Needs, Operand, OperandType, PtxType, Refused, Token};
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
    part("Symbols", symbols(instruction));
    part("What is checked", words::linked(&checked(instruction, &syntax), RULES));
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
        "<!-- Made from the records in dialect/ptx by ./dev docs. lit runs the example:\n{}-->\n\n# {}: {}\n\n\
         PTX ISA {}; {}, {}; {}. [All instructions](README.md).",
        example.run_lines(),
        instruction.mnemonic,
        instruction.summary,
        sections.join(", "),
        words::counted(instruction.forms.len(), "form"),
        words::counted(instruction.variants().count(), "spelling"),
        words::from(least),
    )
}

/// The sections of the ISA that its forms are of, in order.
fn sections(instruction: &Instruction) -> Vec<&'static str> {
    let mut sections: Vec<&str> = instruction.forms.iter().map(|form| form.section).collect();
    sections.sort_by_key(|section| tables::numbers(section));
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
        short(least(line), &mut legend);
    }
    let several = sections(instruction).len() > 1;
    let rows: Vec<[String; 3]> = syntax
        .lines
        .iter()
        .map(|line| {
            let section = if several { line.forms[0].section } else { "" };
            let opcode = format!("{} {}", syntax.opcode(line, &mut legend), operands_of(line));
            [short(least(line), &mut legend), section.into(), opcode]
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

/// A target in which many chips are a word of the legend.
fn short(needs: Needs, legend: &mut Legend) -> String {
    match needs.chips.names().map(Iterator::collect::<Vec<_>>) {
        Some(names) if names.len() > 1 => format!("{}, {}", words::version(needs), legend.chips(&names)),
        _ => target(needs),
    }
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
        // One text may mean two things, or ask for more with some types.
        let all: Vec<&Token> = syntax.lines.iter().flat_map(|line| line.tokens()).map(|(_, token)| token).collect();
        let all: Vec<&Token> = all.into_iter().filter(|token| token.text == text).collect();
        let meanings = unique(all.iter().map(|token| token.summary).collect());
        for meaning in &meanings {
            let mut tokens: Vec<&Token> = vec![];
            for token in all.iter().filter(|token| token.summary == *meaning) {
                if !tokens.iter().any(|known| known.needs == token.needs) {
                    tokens.push(token);
                }
            }
            let needs = tokens.iter().enumerate().map(|(i, token)| match i {
                0 => raised(token.needs),
                _ => format!("; {}{}", raised(token.needs), only_with(syntax, &[token])),
            });
            let with = if meanings.len() > 1 { only_with(syntax, &tokens) } else { String::new() };
            let position = if name == last { "" } else { name };
            table.row([position.into(), format!("`.{text}`"), format!("{meaning}{with}"), needs.collect()]);
            last = name;
        }
    }
    if last.is_empty() { String::new() } else { table.text() }
}

/// With which types these tokens stand, of which there are others of their text.
fn only_with(syntax: &Syntax, tokens: &[&Token]) -> String {
    let is_one = |token: &Token| tokens.iter().any(|it| std::ptr::eq(*it, token));
    let lines = syntax.lines.iter().filter(|line| line.tokens().any(|(_, token)| is_one(token)));
    let mut types: Vec<&Token> =
        lines.flat_map(|line| &line.shapes).flat_map(|shape| syntax.first_types(shape)).collect();
    syntax::sort_types(&mut types);
    let types = types.iter().map(|it| format!("`.{}`", it.text)).collect::<Vec<_>>();
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
        if !known.iter().any(|(other, _)| other.token == its.token && other.types == its.types) {
            known.push((its, needs));
        }
    }
    let is_wider = known.iter().any(|(its, _)| its.maybe_wider);
    let mut table = Table::new(&["PTX", "MLIR", "PTX, SM"]);
    // Types that take the same share a row.
    let mut rows: Vec<(Vec<String>, String, String)> = vec![];
    let known_types: Vec<&str> = known.iter().map(|(its, _)| its.token).collect();
    for (its, needs) in known {
        let takes = its.types.iter().map(|element| format!("`{element}`")).collect::<Vec<_>>().join(", ");
        // Of one text that is two types, the narrower register is that of fewer opcodes.
        let is_twice = known_types.iter().filter(|other| **other == its.token).count() > 1 && !its.maybe_wider;
        let name = format!("`.{}`{}", its.token, if is_twice { " of exactly its width" } else { "" });
        let needs = raised(needs);
        match rows.iter_mut().find(|(_, other, of)| *other == takes && *of == needs) {
            Some((names, ..)) => names.push(name),
            None => rows.push((vec![name], takes, needs)),
        }
    }
    // What takes nothing is a word of the opcode alone.
    rows.retain(|(_, takes, _)| !takes.is_empty());
    rows.into_iter().for_each(|(names, takes, needs)| table.row([names.join(" "), takes, needs]));
    let note = if is_wider { "\nA register may be wider than its type where wider ones are listed.\n" } else { "" };
    format!("The MLIR types whose values an operand of each type takes ([R70]({RULES}#r70)).\n\n{}{note}", table.text())
}

fn symbols(instruction: &Instruction) -> String {
    let is_read = instruction.forms.iter().any(|form| form.named() == Some(Named::Symbol));
    if is_read { tables::symbols() } else { String::new() }
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
            let kinds = unique(group.iter().flat_map(|line| &line.forms).map(|form| form.summary).collect());
            // More than a few say nothing.
            let kinds = if kinds.len() < 4 { format!("{}: ", kinds.join(", ")) } else { String::new() };
            let operands = unique_texts(group.iter().map(|line| format!("`{}`", operands_of(line)))).join(" or ");
            writeln!(text, "### {kinds}{operands}\n").expect("a String takes all");
        }
        let mut table = Table::new(&["operand", "role", "registers"]);
        for (operand, column) in &longest.operands {
            let all: Vec<Use> = group.iter().flat_map(|line| uses(line, operand)).collect();
            let when = column.map_or(String::new(), |it| format!("; stands there where a {} does", syntax.name(it)));
            let name = if operand.address { format!("`[{}]`", operand.name) } else { format!("`{}`", operand.name) };
            table.row([name, format!("{}{when}", role(syntax, &all)), registers(syntax, &all)]);
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
    line: &'a Line,
    shape: &'a Shape,
}

/// The operand of this name in each shape of a line.
fn uses<'a>(line: &'a Line, operand: &Operand) -> Vec<Use<'a>> {
    let of_shape = |shape: &'a Shape| {
        // Where it comes with a modifier, the form of the shape may lack it.
        let its = shape.form.operands.iter().find(|its| its.name == operand.name);
        let of_line = || line.operands.iter().map(|(its, _)| *its).find(|its| its.name == operand.name);
        Some(Use { operand: its.or_else(of_line)?, line, shape })
    };
    line.shapes.iter().filter_map(of_shape).collect()
}

/// What tells some uses from others, in words: ` with .v2`, `, but not with .b128`; nothing where there are no others.
fn when(syntax: &Syntax, these: &[&Use], others: &[&Use]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let way = |column: usize, as_what: &str| {
        let (mine, theirs) = (choices(these, column), choices(others, column));
        if mine.iter().any(|text| theirs.contains(text)) {
            return None;
        }
        match (mine.len(), theirs.len()) {
            (0, 0) => None,
            (0, _) => Some(format!(" without {}", theirs.join(" "))),
            (count, 1..) if theirs.len() < count => Some(format!(", but not with {}{as_what}", theirs.join(" "))),
            _ => Some(format!(" with {}{as_what}", mine.join(" "))),
        }
    };
    let columns = syntax.shape_columns();
    let types = columns.iter().filter(|(_, name)| name.is_some()).count();
    let as_what = |name: &Option<&str>| match name {
        Some(name) if types > 1 => format!(" as `.{name}`"),
        _ => String::new(),
    };
    if let Some(found) = columns.iter().find_map(|(column, name)| way(*column, &as_what(name))) {
        return found;
    }
    match (marks(&columns, these, others), marks(&columns, others, these)) {
        (_, Some(theirs)) => format!(", but not with {}", theirs.join(" ")),
        (Some(mine), None) => format!(" with {}", mine.join(" ")),
        (None, None) => {
            let forms = unique(these.iter().map(|it| it.shape.form.summary).collect());
            format!(" in the forms \"{}\"", forms.join("\", \""))
        }
    }
}

/// Tokens of which each of some uses has one at a place where it has no other, and of others none has any.
fn marks(columns: &[(usize, Option<&str>)], these: &[&Use], others: &[&Use]) -> Option<Vec<String>> {
    let theirs: Vec<String> = columns.iter().flat_map(|(column, _)| choices(others, *column)).collect();
    let mark = |it: &&Use| {
        let mut places = columns.iter().map(|(column, _)| choices(&[it], *column));
        places.find(|texts| !texts.is_empty() && texts.iter().all(|text| !theirs.contains(text)))
    };
    let marks: Option<Vec<Vec<String>>> = these.iter().map(mark).collect();
    Some(unique_texts(marks?.into_iter().flatten()))
}

/// What stands at a column in some uses.
fn choices(uses: &[&Use], column: usize) -> Vec<String> {
    let mut tokens: Vec<&Token> =
        uses.iter().flat_map(|it| it.shape.choices[column].iter().copied().flatten()).collect();
    syntax::sort_types(&mut tokens);
    unique_texts(tokens.iter().map(|token| format!("`.{}`", token.text)))
}

/// What an operand is, in words.
fn role(syntax: &Syntax, uses: &[Use]) -> String {
    let first = uses[0].operand;
    let mut words: Vec<String> = vec![];
    words.push(match first {
        Operand { constant: true, .. } => format!("a constant{}", bounds(first)),
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
            words.push(format!("{what}{}", when(syntax, &these, &others)));
        }
    };
    add(&|it| it.immediate && !it.constant, &format!("a constant{} is an immediate", bounds(first)));
    add(&|it| it.sink, "may be sunk");
    words.join("; ")
}

/// ` from 0 to 31`, or nothing where all constants will do.
fn bounds(operand: &Operand) -> String {
    operand.bounds.map_or(String::new(), |(least, most)| format!(" from {least} to {most}"))
}

/// How many registers an operand is, and of which type.
fn registers(syntax: &Syntax, uses: &[Use]) -> String {
    let ways = unique_texts(uses.iter().map(|it| way(syntax, it.operand)));
    let text = |text: &String| {
        let (these, others): (Vec<&Use>, Vec<&Use>) = uses.iter().partition(|it| way(syntax, it.operand) == *text);
        // What is not said of some is said of the rest.
        let is_rest = these[0].operand.registers == 1 && matches!(these[0].operand.r#type, OperandType::First);
        if others.is_empty() || is_rest {
            text.clone()
        } else {
            format!("{text} with {}", opcode_of(syntax, &these, &others))
        }
    };
    ways.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// `2 of .b16`.
fn way(syntax: &Syntax, operand: &Operand) -> String {
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
}

/// What stands in the opcode where an operand is so: a vector length or types, after a modifier that others lack.
fn opcode_of(syntax: &Syntax, these: &[&Use], others: &[&Use]) -> String {
    let columns = syntax.shape_columns();
    let vectors: Vec<String> =
        columns.iter().filter(|(_, name)| name.is_none()).flat_map(|(column, _)| choices(these, *column)).collect();
    if !vectors.is_empty() {
        return vectors.join(" ");
    }
    let first = |uses: &[&Use]| {
        let mut types = columns.iter().filter(|(_, name)| name.is_some()).map(|(column, _)| choices(uses, *column));
        types.find(|texts| !texts.is_empty()).unwrap_or_default()
    };
    let of_same_type = |it: &&&Use| first(&[it]).iter().any(|text| first(these).contains(text));
    let same: Vec<&Use> = others.iter().filter(of_same_type).copied().collect();
    let fixed = |it: &Use| it.line.fixed().map(|token| format!("`.{}`", token.text)).collect::<Vec<_>>();
    let is_told_by = |text: &String| {
        these.iter().all(|it| fixed(it).contains(text)) && !same.iter().any(|it| fixed(it).contains(text))
    };
    let modifiers: Vec<String> =
        if same.is_empty() { vec![] } else { fixed(these[0]).into_iter().filter(is_told_by).collect() };
    [modifiers, first(these)].concat().join(" ")
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
fn checked(instruction: &Instruction, syntax: &Syntax) -> String {
    let operands = || instruction.forms.iter().flat_map(|form| form.operands);
    let mut items: Vec<String> = vec![];
    if groups(syntax).len() > 1 {
        items.push("The number of operands and their last extents choose among the forms (R6, R15).".into());
    }
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
        items.push("Sunk words are named in ascending order, each once, and some word is still written (R94).".into());
    }
    for operand in operands().filter(|operand| operand.constant) {
        let item = format!("`{}` is a constant{}.", operand.name, bounds(operand));
        if !items.contains(&item) {
            items.push(item);
        }
    }
    if instruction.convergent {
        items.push("The threads of a warp execute it together.".into());
    }
    if instruction.collective {
        items.push("All lanes of a warp issue it as one, so that tiles have no axis for them (R26).".into());
    }
    let items: String = items.iter().map(|item| format!("- {item}\n")).collect();
    let all = "[What holds for all](README.md#what-holds-for-all)";
    if items.is_empty() { format!("{all}.") } else { format!("{all}, and:\n\n{items}") }
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
    let own = "The pipelines and the emitter here keep what was named, as often as it was named; this is what the \
               `ptx` op tells passes of yours.\n\n";
    items.push(
        match (instruction.convergent, instruction.reads_memory, instruction.writes_memory) {
            (true, ..) => "It is convergent, and has an effect: nothing merges, drops or moves it.",
            (_, false, false) => {
                "It is pure: `cse` may merge two of them, `canonicalize` may drop one whose results are not used, and \
                 `loop-invariant-code-motion` may move it (D33)."
            }
            (_, true, false) => "It reads memory: nothing merges or drops it, or moves it over what may write.",
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
