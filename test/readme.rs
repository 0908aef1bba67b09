//! README shows what the programs print, and the table of instructions is that of the records.
//!
//! `UPDATE=1 cargo test --release --test readme` writes what this test wants.

use ptx_tile_dialect::instruction::{Form, INSTRUCTIONS, Named, Needs, Position, SPECIAL_REGISTERS};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn readme_is_up_to_date() {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let example = root().join("examples/register_move.mlir");
    let wanted = [
        ("program", format!("```mlir\n{}```\n", program(&std::fs::read_to_string(&example).unwrap()))),
        ("PTX", format!("```ptx\n{}```\n", ptx(&example))),
        ("instructions", table()),
        ("special registers", special_registers()),
    ];
    let mut updated = readme.clone();
    for (section, text) in wanted {
        updated = replace(&updated, section, &text);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, updated).unwrap();
    } else {
        assert_eq!(readme, updated, "README is old: UPDATE=1 cargo test --release --test readme brings it up to date");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// Puts `text` between `<!-- section -->` and `<!-- /section -->`.
fn replace(readme: &str, section: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- {section} -->\n"), format!("<!-- /{section} -->"));
    let (before, rest) = readme.split_once(&begin).unwrap_or_else(|| panic!("README has no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("README has no {end}"));
    format!("{before}{begin}{text}{end}{after}")
}

/// An example without the lines that lit and FileCheck read.
fn program(text: &str) -> String {
    let begin = text.find("!tile").unwrap();
    let end = text.find("\n}\n").unwrap() + 3;
    text[begin..end].into()
}

/// The body of the kernel that `tile-translate` prints.
fn ptx(example: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tile-translate")).arg("--mlir-to-ptx").arg(example).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text[text.find(".version").unwrap()..].trim_end().to_string() + "\n"
}

fn table() -> String {
    let mut text = String::from(
        "| instruction | form | modifiers | operands | ISA | PTX, SM | spellings |\n|---|---|---|---|---|---|---|\n",
    );
    for instruction in INSTRUCTIONS {
        for form in instruction.forms {
            let modifiers: Vec<String> = form.positions.iter().map(modifier).collect();
            let of_form = || instruction.variants().filter(|variant| std::ptr::eq(variant.form, form));
            let least = of_form().map(|variant| variant.needs()).min_by_key(|needs| (needs.ptx, needs.sm)).unwrap();
            text += &format!(
                "| `{}` | {} | {} | {} | {} | {}{} | {} |\n",
                instruction.mnemonic,
                form.summary,
                modifiers.join(" "),
                operands(form),
                form.section,
                needs(least),
                raised(form, least),
                of_form().count(),
            );
        }
    }
    text
}

/// The tokens that need more than others of the form.
fn raised(form: &Form, least: Needs) -> String {
    let tokens = form.positions.iter().flat_map(|position| position.tokens);
    let more = tokens.filter(|token| least.max(token.needs) != least);
    more.map(|token| format!("; `.{}` {}", token.text, needs(token.needs))).collect()
}

/// One row for registers that differ in their name alone.
fn special_registers() -> String {
    let mut text =
        String::from("| special register | holds | read as | ISA | PTX, SM | varies |\n|---|---|---|---|---|---|\n");
    let like = |it: &ptx_tile_dialect::named::SpecialRegister| {
        (it.summary, it.needs, it.varies, it.types.iter().map(|its| its.token).collect::<Vec<_>>())
    };
    for same in SPECIAL_REGISTERS.chunk_by(|a, b| like(a) == like(b)) {
        let names: Vec<String> = same.iter().map(|it| format!("`{}`", it.name)).collect();
        let names = match names.as_slice() {
            [first, .., last] if names.len() > 5 => format!("{first} to {last}"),
            _ => names.join(" "),
        };
        let first = &same[0];
        let types: Vec<String> = first.types.iter().map(|its| format!(".{}", its.token)).collect();
        text += &format!(
            "| {names}{} | {} | `{}` | {} | {} | {} |\n",
            if first.vector { " (`.x .y .z .w`)" } else { "" },
            first.summary,
            types.join(" "),
            first.section,
            needs(first.needs),
            if first.varies { "yes" } else { "" },
        );
    }
    text
}

fn modifier(position: &Position) -> String {
    let tokens: Vec<String> = position.tokens.iter().map(|token| format!(".{}", token.text)).collect();
    let tokens = format!("`{}`", tokens.join(" "));
    if position.optional { format!("[{tokens}]") } else { tokens }
}

/// As PTX writes them: `d, {a0, a1}` with the type of the words of a group.
fn operands(form: &Form) -> String {
    let operands = form.operands.iter().map(|operand| {
        let own = operand.own_type().map_or(String::new(), |its| format!(" .{}", its.token));
        match (operand.address, operand.registers) {
            _ if operand.named == Some(Named::SpecialRegister) => "%register".into(),
            _ if operand.named == Some(Named::Symbol) => "symbol + constant".into(),
            _ if operand.negatable => format!("[!]{}", operand.name),
            (true, _) => format!("[{}]", operand.name),
            (false, 1) => operand.name.into(),
            (false, count) => format!("{{{} × {count}{own}}}", operand.name),
        }
    });
    format!("`{}`", operands.collect::<Vec<_>>().join(", "))
}

fn needs(needs: Needs) -> String {
    let sm = if needs.sm == 0 { "any".into() } else { format!("sm_{}", needs.sm) };
    format!("{}.{}, {sm}", needs.ptx / 10, needs.ptx % 10)
}
