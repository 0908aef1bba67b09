//! What lists all instructions: the table in README, the index of the pages; and the special registers and symbols.

use crate::words::{self, Table, target};
use ptx_tile_dialect::instruction::{Form, INSTRUCTIONS, Instruction, Needs, SPECIAL_REGISTERS, SYMBOL_KINDS, Variant};
use ptx_tile_dialect::named::SpecialRegister;

/// The families of instructions of the PTX ISA, by section.
const FAMILIES: [(&str, &str); 9] = [
    ("9.7.1", "Integer arithmetic"),
    ("9.7.2", "Integer arithmetic with carry"),
    ("9.7.3", "Floating point"),
    ("9.7.4", "Half precision"),
    ("9.7.5", "Mixed precision"),
    ("9.7.6", "Comparison and selection"),
    ("9.7.7", "Comparison in half precision"),
    ("9.7.8", "Logic and shifts"),
    ("9.7.9", "Moves, memory and conversion"),
];

/// A row for each mnemonic; `pages` is where their pages are.
pub fn coverage(pages: &str) -> String {
    let mut table = Table::new(&["instruction", "what it does", "forms", "spellings", "PTX, SM"]);
    for instruction in INSTRUCTIONS {
        let forms = instruction.forms.iter().collect::<Vec<_>>();
        table.row(row(instruction, &forms, pages));
    }
    table.text()
}

/// The index: families in the order of the ISA, each mnemonic in each family that it has forms of.
pub fn index() -> String {
    let heads = ["instruction", "what it does", "forms", "spellings", "PTX, SM"];
    let of_family = |(section, family): (&str, &str)| {
        let mut table = Table::new(&heads);
        for instruction in INSTRUCTIONS {
            let forms: Vec<&Form> =
                instruction.forms.iter().filter(|it| family_of(instruction, it) == section).collect();
            if !forms.is_empty() {
                table.row(row(instruction, &forms, ""));
            }
        }
        if table.is_empty() { String::new() } else { format!("### {family} (ISA {section})\n\n{}\n", table.text()) }
    };
    FAMILIES.into_iter().chain([("", "Others")]).map(of_family).collect()
}

/// The section of the family of a form; where it is of none, of the family that its siblings are of.
fn family_of(instruction: &Instruction, form: &Form) -> &'static str {
    let family = |form: &Form| {
        let is_in = |section: &str| form.section.starts_with(&format!("{section}."));
        FAMILIES.iter().map(|(section, _)| *section).find(|section| is_in(section))
    };
    family(form).or_else(|| instruction.forms.iter().find_map(family)).unwrap_or_default()
}

fn row(instruction: &'static Instruction, forms: &[&Form], pages: &str) -> [String; 5] {
    let is_of = |variant: &Variant| forms.iter().any(|form| std::ptr::eq(*form, variant.form));
    let variants: Vec<Variant> = instruction.variants().filter(is_of).collect();
    let least = words::least(variants.iter().map(Variant::needs)).unwrap_or(Needs::NOTHING);
    [
        format!("[`{0}`]({pages}{0}.md)", instruction.mnemonic),
        instruction.summary.into(),
        forms.len().to_string(),
        words::grouped(variants.len()),
        target(least),
    ]
}

/// The page of the special registers: one row for those that differ in their name alone.
pub fn special_registers() -> String {
    let mut table = Table::new(&["special register", "holds", "read as", "ISA", "PTX, SM", "varies"]);
    let like = |it: &SpecialRegister| {
        (it.summary, it.needs, it.varies, it.types.iter().map(|its| its.token).collect::<Vec<_>>())
    };
    for same in SPECIAL_REGISTERS.chunk_by(|a, b| like(a) == like(b)) {
        let names: Vec<String> = same.iter().map(|it| format!("`{}`", it.name)).collect();
        let names = match names.as_slice() {
            [first, .., last] if names.len() > 5 => format!("{first} to {last}"),
            _ => names.join(" "),
        };
        let first = &same[0];
        table.row([
            format!("{names}{}", if first.vector { " (`.x .y .z .w`)" } else { "" }),
            first.summary.into(),
            format!("`{}`", words::types(first.types.iter().copied())),
            first.section.into(),
            target(first.needs),
            if first.varies { "yes" } else { "" }.into(),
        ]);
    }
    table.text()
}

/// What a symbol may be whose address an instruction takes.
pub fn symbols() -> String {
    let mut table = Table::new(&["symbol", "address read as", "constant added", "PTX, SM"]);
    for kind in SYMBOL_KINDS {
        let types = format!("`{}`", words::types(kind.types.iter().copied()));
        let constant = if kind.space.is_some() { "yes" } else { "" };
        table.row([kind.summary.into(), types, constant.into(), target(kind.needs)]);
    }
    table.text()
}

/// The numbers in a text: `10.25` comes after `10.3`.
pub fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}
