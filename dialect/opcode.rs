//! Reading opcode text: which variants its modifiers fit (R2 to R6), and the words for modifiers that fit none.

use crate::instruction::{self, Instruction, Misfit, Position, Variant};
use anyhow::{Result, anyhow, ensure};

/// Reads an opcode: the variants that its modifiers fit, at least one.
pub fn read(text: &str) -> Result<Vec<Variant>> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "_.:".contains(c);
    ensure!(
        text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(legal),
        "opcode must match [a-z][A-Za-z0-9_.:]*, found \"{}\"",
        shortened(text),
    );
    let (mnemonic, modifiers) = text.split_once('.').unwrap_or((text, ""));
    let record = instruction::lookup(mnemonic).ok_or_else(|| {
        let known = instruction::INSTRUCTIONS.iter().map(|record| record.mnemonic.to_string());
        anyhow!("unknown instruction '{}'; there are {}", shortened(mnemonic), enumerated(known, "and"))
    })?;
    let (fitting, misfits): (Vec<_>, Vec<_>) =
        record.forms.iter().map(|form| record.fit(form, modifiers)).partition(Result::is_ok);
    let fitting: Vec<Variant> = fitting.into_iter().flatten().collect();
    if fitting.is_empty() {
        return Err(misfit(record, modifiers, misfits.into_iter().filter_map(Result::err).collect()));
    }
    Ok(fitting)
}

/// The words for modifiers that fit no form, from the form that came furthest.
fn misfit(record: &'static Instruction, modifiers: &str, misfits: Vec<Misfit>) -> anyhow::Error {
    let whole = format!("{}{}{}", record.mnemonic, if modifiers.is_empty() { "" } else { "." }, shortened(modifiers));
    let missing =
        || misfits.iter().filter_map(|misfit| if let Misfit::Missing(it) = misfit { Some(*it) } else { None });
    if let Some(Position { name, .. }) = missing().next() {
        let tokens = missing().filter(|position| position.name == *name).flat_map(|position| position.tokens);
        return anyhow!("'{whole}' lacks its {name}: {}", alternatives(tokens.map(|token| format!(".{}", token.text))));
    }
    let stray = misfits.iter().filter_map(|misfit| if let Misfit::Stray(i) = misfit { Some(*i) } else { None }).max();
    let word = modifiers.split('.').nth(stray.unwrap_or(0)).unwrap_or("");
    let tokens = || record.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    if tokens().any(|token| token.text == word) {
        return anyhow!(
            "'{whole}' is no form of {}: .{word} does not go with the modifiers before it",
            record.mnemonic
        );
    }
    let choices = unique(tokens().map(|token| format!(".{}", token.text)));
    anyhow!("'{whole}': {} has no modifier '.{}'; it has {}", record.mnemonic, shortened(word), choices.join(", "))
}

/// `a, b or c`, each once.
pub(crate) fn alternatives(items: impl Iterator<Item = String>) -> String {
    enumerated(items, "or")
}

/// `a, b and c`, each once.
pub(crate) fn enumerated(items: impl Iterator<Item = String>, conjunction: &str) -> String {
    let unique = unique(items);
    match unique.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {conjunction} {last}", rest.join(", ")),
        None => "none".into(),
    }
}

fn unique(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut unique: Vec<String> = vec![];
    for item in items {
        if !unique.contains(&item) {
            unique.push(item);
        }
    }
    unique
}

/// User text in a message: escaped, and no longer than a line.
pub(crate) fn shortened(text: &str) -> String {
    let escaped = text.escape_default().to_string();
    if escaped.len() > 80 { format!("{}...", &escaped[..80]) } else { escaped }
}
