//! `--list-instructions [PATTERN]`: the opcodes that there are, with their operands and what they need.

use anyhow::anyhow;
use ptx_tile_dialect::instruction::Variant;
use ptx_tile_dialect::opcode;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// What the arguments of the program ask to list: the patterns after `--list-instructions`, and all opcodes without one.
/// `None` where they ask for something else.
pub fn asked(arguments: impl Iterator<Item = String>) -> Option<Vec<String>> {
    let arguments: Vec<String> = arguments.collect();
    let after = |argument: &String| {
        let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'))?;
        let rest = name.strip_prefix("list-instructions")?;
        (rest.is_empty() || rest.starts_with('=')).then(|| rest.strip_prefix('=').map(str::to_string))
    };
    let (at, pattern) = arguments.iter().enumerate().find_map(|(at, argument)| Some((at, after(argument)?)))?;
    let others = arguments.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, argument)| argument.clone());
    Some(pattern.into_iter().chain(others).collect())
}

/// Prints the opcodes that are like a pattern.
pub fn list(patterns: &[String]) -> ExitCode {
    let variants = match patterns {
        [] => opcode::like("*"),
        [pattern] => opcode::like(pattern),
        _ => Err(anyhow!("--list-instructions takes one pattern, found {}", patterns.join(" "))),
    };
    match variants {
        Ok(variants) => match print(&variants, BufWriter::new(io::stdout().lock())) {
            // A reader that has enough, as head has, closes the pipe.
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => failed(&why.into()),
            _ => ExitCode::SUCCESS,
        },
        Err(why) => failed(&why),
    }
}

fn failed(why: &anyhow::Error) -> ExitCode {
    eprintln!("error: {why:#}");
    ExitCode::FAILURE
}

fn print(variants: &[Variant], mut out: impl Write) -> io::Result<()> {
    let row = |variant: &Variant| [variant.to_string(), variant.form.operands_text(), variant.needs().to_string()];
    let rows: Vec<[String; 3]> = variants.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (opcodes, operands) = (width(0), width(1));
    for [opcode, these, needs] in &rows {
        writeln!(out, "{opcode:opcodes$}  {these:operands$}  {needs}")?;
    }
    out.flush()
}
