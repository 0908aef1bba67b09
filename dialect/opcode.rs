//! Reading opcode text: which variants its modifiers fit (R2 to R6), and the words for modifiers that fit none.

use crate::instruction::{
    self, Form, INSTRUCTIONS, Instruction, LACKING, Placement, Position, Token, TokenKind, Variant,
};
use anyhow::{Result, anyhow, bail, ensure};
use std::cell::RefCell;
use std::collections::HashMap;

/// How many opcodes are kept.
const KEPT: usize = 64;

/// The longest opcode that is looked at; the words of none come to half of it.
const LONGEST: usize = 256;

/// Reads an opcode: the variants that its modifiers fit, at least one. What was read is kept, as a program has few
/// opcodes and each is read many times over.
pub fn read(text: &str) -> Result<Vec<Variant>> {
    thread_local!(static READ: RefCell<HashMap<String, Vec<Variant>>> = RefCell::default());
    READ.with_borrow_mut(|read| {
        if let Some(variants) = read.get(text) {
            return Ok(variants.clone());
        }
        let variants = fitting(text)?;
        if read.len() >= KEPT {
            read.clear();
        }
        read.insert(text.into(), variants.clone());
        Ok(variants)
    })
}

fn fitting(text: &str) -> Result<Vec<Variant>> {
    ensure!(
        text.len() <= LONGEST,
        "opcode has {} characters, more than {LONGEST}; no instruction has so many",
        text.len()
    );
    let legal = |c: char| c.is_ascii_alphanumeric() || "_.:".contains(c);
    ensure!(
        text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(legal),
        "opcode must match [a-z][A-Za-z0-9_.:]*, found \"{}\"",
        shortened(text),
    );
    let (mnemonic, modifiers) = text.split_once('.').unwrap_or((text, ""));
    let record = instruction::lookup(mnemonic).ok_or_else(|| {
        if LACKING.contains(&mnemonic) {
            return anyhow!(
                "'{mnemonic}' is an instruction of PTX that is not supported yet; an op of nvvm, or llvm.inline_asm, has it"
            );
        }
        let known = near(mnemonic, INSTRUCTIONS.iter().map(|record| record.mnemonic), 4);
        anyhow!("unknown instruction '{}'; near it are {}", shortened(mnemonic), enumerated(known.into_iter(), "and"))
    })?;
    let fitting: Vec<Variant> = record.forms.iter().filter_map(|form| record.fit(form, modifiers)).collect();
    if fitting.is_empty() {
        return Err(misfit(record, modifiers));
    }
    Ok(fitting)
}

/// An opcode with its modifiers in canonical order (R4), or as it is where it is none.
pub fn canonical(text: &str) -> String {
    if text.len() > LONGEST {
        return text.into();
    }
    let (mnemonic, modifiers) = text.split_once('.').unwrap_or((text, ""));
    let record = instruction::lookup(mnemonic);
    let variant = record.and_then(|record| record.forms.iter().find_map(|form| record.fit(form, modifiers)));
    variant.map_or(text.into(), |variant| variant.to_string())
}

/// With more modifiers that have no place, what was meant is anybody's guess.
const MOST_REPAIRED: usize = 3;

/// The words for modifiers that fit no form, from the forms that come nearest: those with the fewest modifiers that
/// have no place, and among them with the fewest places left empty.
fn misfit(record: &'static Instruction, modifiers: &str) -> anyhow::Error {
    let whole = format!("{}{}{}", record.mnemonic, if modifiers.is_empty() { "" } else { "." }, shortened(modifiers));
    let opcode = format!("{}.{modifiers}", record.mnemonic);
    if let Some(refused) = record.refused.iter().find(|it| it.operands.is_empty() && is_like(&opcode, it.opcode)) {
        return anyhow!("'{whole}' is refused: {}", refused.reason);
    }
    let placements: Vec<Placement> = record.forms.iter().map(|form| form.place(modifiers)).collect();
    let faults = |it: &Placement| (it.strays.len(), it.missing().count());
    let least = placements.iter().map(faults).min().unwrap_or_default();
    let near: Vec<Placement> = placements.into_iter().filter(|it| it.strays.len() == least.0).collect();
    let nearest: Vec<Placement> = near.iter().filter(|it| faults(it) == least).cloned().collect();
    if least.0 == 0 {
        return anyhow!("'{whole}' lacks its {}", lacking(record, &nearest, modifiers));
    }
    let words: Vec<&str> = modifiers.split('.').collect();
    let is_known = |word: &str| record.forms.iter().any(|form| form_has(form, word));
    let unknown: Vec<&str> = words.iter().copied().filter(|word| !is_known(word)).collect();
    match unknown.as_slice() {
        [] if least.0 > MOST_REPAIRED => anyhow!(
            "'{whole}' is no form of {}: in each, {} of the modifiers or more have no place; tile-opt --list-instructions \
             lists all opcodes",
            record.mnemonic,
            least.0
        ),
        [] => anyhow!("'{whole}' is no form of {}: {}", record.mnemonic, repairs(record, &near, &words)),
        [word] if least.0 == 1 => {
            let place = words.iter().position(|its| its == word).unwrap_or_default();
            let meant = meant(record, &words, place);
            if !meant.is_empty() {
                let meant = alternatives(meant.into_iter());
                return anyhow!("'{whole}': {} has no modifier '.{}'; write {meant}", record.mnemonic, shortened(word));
            }
            let places = nearest.iter().filter(|it| it.strays == [place]).collect::<Vec<_>>();
            let there = || places.iter().flat_map(|it| it.missing()).flat_map(|position| position.tokens);
            let more = || places.iter().flat_map(|it| it.free()).flat_map(|position| position.tokens);
            let mut tokens = unique(there().map(|token| format!(".{}", token.text)));
            if tokens.is_empty() {
                tokens = unique(more().map(|token| format!(".{}", token.text)));
            }
            let advice = match tokens.is_empty() {
                true => "; take it out".into(),
                false => format!("; there may stand {}", alternatives(near_first(word, tokens).into_iter())),
            };
            anyhow!("'{whole}': {} has no modifier '.{}'{advice}", record.mnemonic, shortened(word))
        }
        several => {
            let several = several.iter().map(|word| format!("'.{}'", shortened(word)));
            let all = record.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
            let all = all.map(|token| format!(".{}", token.text));
            let several = enumerated(several, "and");
            anyhow!("'{whole}': {} has no modifier {several}; it has {}", record.mnemonic, enumerated(all, "and"))
        }
    }
}

/// The modifiers of any form that are spelled nearly as a word that is none: those that make an opcode of the words, if
/// some do.
fn meant(record: &'static Instruction, words: &[&str], place: usize) -> Vec<String> {
    let word = words[place];
    // What other mnemonics have is spelled as it was meant.
    if INSTRUCTIONS.iter().any(|other| other.forms.iter().any(|form| form_has(form, word))) {
        return vec![];
    }
    let tokens = record.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    let tokens = unique(tokens.map(|token| token.text.to_string()));
    let spelled = |token: &String| distance(&token.to_lowercase(), &word.to_lowercase());
    let least = tokens.iter().map(spelled).min().unwrap_or(usize::MAX);
    // One letter is near to all.
    if least > 2 || 2 * least > word.chars().count() {
        return vec![];
    }
    let near: Vec<String> = tokens.into_iter().filter(|token| spelled(token) == least).collect();
    let is_whole = |token: &&String| {
        let other = [&words[..place], &[token.as_str()], &words[place + 1..]].concat().join(".");
        is_opcode(record, &other)
    };
    let whole: Vec<String> = near.iter().filter(is_whole).cloned().collect();
    let near = if whole.is_empty() { near } else { whole };
    near.into_iter().map(|token| format!(".{token}")).collect()
}

/// Whether modifiers, in any order, make an opcode of a mnemonic.
fn is_opcode(record: &'static Instruction, modifiers: &str) -> bool {
    record.forms.iter().any(|form| record.fit(form, modifiers).is_some())
}

fn is_type(record: &Instruction, word: &str) -> bool {
    let tokens = record.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
    tokens.into_iter().any(|token| token.text == word && matches!(token.kind, TokenKind::Type(_)))
}

/// The names of the positions where a modifier may stand.
fn kinds<'a>(record: &'a Instruction, word: &str) -> Vec<&'a str> {
    let positions = record.forms.iter().flat_map(|form| form.positions);
    positions.filter(|it| it.tokens.iter().any(|token| token.text == word)).map(|position| position.name).collect()
}

fn form_has(form: &Form, word: &str) -> bool {
    form.positions.iter().any(|position| position.tokens.iter().any(|token| token.text == word))
}

/// `mode: .approx or .full; or its rounding: .rn, .rz, .rm or .rp`, or `type before .f16: .f32`.
fn lacking(record: &'static Instruction, nearest: &[Placement], modifiers: &str) -> String {
    let types: Vec<&str> = modifiers.split('.').filter(|word| is_type(record, word)).collect();
    // One type more than there are comes after them, or before.
    if let [first] = types[..] {
        let makes = |token: &&&Token, text: &dyn Fn(&str) -> String| is_opcode(record, &text(token.text));
        let before = |token: &str| modifiers.replacen(first, &format!("{token}.{first}"), 1);
        let after = |token: &str| format!("{modifiers}.{token}");
        let tokens: Vec<&&Token> = nearest.iter().flat_map(Placement::missing).flat_map(|it| it.tokens).collect();
        let is_type = tokens.iter().all(|token| is_type(record, token.text));
        let list = |text: &dyn Fn(&str) -> String| {
            unique(tokens.iter().filter(|it| makes(it, text)).map(|token| format!(".{}", token.text)))
        };
        let (before, after) = (list(&before), list(&after));
        let way = |place: &str, tokens: Vec<String>| {
            let tokens = Some(tokens).filter(|tokens| !tokens.is_empty())?;
            Some(format!("type {place} .{first}: {}", alternatives(tokens.into_iter())))
        };
        if is_type && (!before.is_empty() || !after.is_empty()) {
            return [way("before", before), way("after", after)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("; or its ");
        }
    }
    let mut ways: Vec<(Vec<&str>, Vec<Vec<String>>)> = vec![];
    for placement in nearest {
        let names: Vec<&str> = placement.missing().map(|position| position.name).collect();
        let tokens = placement.missing().map(|it| it.tokens.iter().map(|token| format!(".{}", token.text)).collect());
        match ways.iter_mut().find(|(known, _)| *known == names) {
            Some((_, known)) => known.iter_mut().zip(tokens).for_each(|(known, more): (_, Vec<_>)| known.extend(more)),
            None => ways.push((names, tokens.collect())),
        }
    }
    let way = |(names, tokens): (Vec<&str>, Vec<Vec<String>>)| {
        let parts =
            names.iter().zip(tokens).map(|(name, tokens)| format!("{name}: {}", alternatives(tokens.into_iter())));
        parts.collect::<Vec<_>>().join(" and its ")
    };
    ways.into_iter().map(way).collect::<Vec<_>>().join("; or its ")
}

/// `write .b32 for .b64, or write .v2 for .v4 or take that out`: what makes an opcode of one that has modifiers too
/// many. A modifier is replaced by one of its kind, where that is possible at all.
fn repairs(record: &'static Instruction, placements: &[Placement], words: &[&str]) -> String {
    let kinds: Vec<Vec<&str>> = words.iter().map(|word| kinds(record, word)).collect();
    let (late, placements): (Vec<_>, Vec<_>) = placements.iter().partition(|it| out_of_order(it, words).is_some());
    let ways = |of_its_kind: bool| {
        let mut ways: Vec<(&[usize], Vec<String>, bool)> = vec![];
        for placement in placements.iter().filter(|it| it.missing().count() <= it.strays.len()) {
            let is_its_kind = |it: &&Position| placement.strays.iter().any(|i| kinds[*i].contains(&it.name));
            let replacing = placement.missing().filter(|it| !of_its_kind || is_its_kind(it));
            let replacing: Vec<_> = replacing.flat_map(|it| it.tokens).map(|it| format!(".{}", it.text)).collect();
            let is_spare = placement.missing().next().is_none();
            if replacing.is_empty() && !is_spare {
                continue;
            }
            match ways.iter_mut().find(|(strays, ..)| *strays == placement.strays) {
                Some((_, known, spare)) => {
                    known.extend(replacing);
                    *spare |= is_spare;
                }
                None => ways.push((&placement.strays, replacing, is_spare)),
            }
        }
        ways
    };
    let mut ways = Some(ways(true)).filter(|ways| !ways.is_empty()).unwrap_or_else(|| ways(false));
    // Where one word is the fault, what does not make an opcode is no advice.
    let with = |place: usize, word: &[&str]| {
        is_opcode(record, &[&words[..place], word, &words[place + 1..]].concat().join("."))
    };
    let mut checked = ways.clone();
    for (strays, tokens, is_spare) in &mut checked {
        if let [place] = **strays {
            tokens.retain(|token| with(place, &[token.trim_start_matches('.')]));
            *is_spare &= with(place, &[]);
        }
    }
    checked.retain(|(_, tokens, is_spare)| !tokens.is_empty() || *is_spare);
    let late: Vec<String> =
        late.into_iter().filter_map(|it| earlier(record, words, out_of_order(it, words)?)).collect();
    if !checked.is_empty() || !late.is_empty() {
        ways = checked;
    }
    // What was written last is the likeliest to be meant otherwise.
    ways.sort_by_key(|(strays, ..)| std::cmp::Reverse(strays.to_vec()));
    let way = |(strays, tokens, is_spare): (&[usize], Vec<String>, bool)| {
        let these = enumerated(strays.iter().map(|i| counted(words, *i)), "and");
        match (tokens.is_empty(), is_spare) {
            (true, _) => format!("take out {these}"),
            (false, false) => format!("write {} for {these}", alternatives(tokens.into_iter())),
            (false, true) => format!("write {} for {these} or take that out", alternatives(tokens.into_iter())),
        }
    };
    unique(late.into_iter().chain(ways.into_iter().map(way))).join(", or ")
}

/// `.f16`, or which of several: `the second .f16`.
fn counted(words: &[&str], place: usize) -> String {
    let before = words[..place].iter().filter(|word| **word == words[place]).count();
    let is_one = words.iter().filter(|word| **word == words[place]).count() == 1;
    let which =
        if is_one { "" } else { ["the first ", "the second ", "the third "].get(before).unwrap_or(&"the last ") };
    format!("{which}.{}", shortened(words[place]))
}

/// `write .f32 before .f16`: an earlier place for a word that makes an opcode of them.
fn earlier(record: &'static Instruction, words: &[&str], place: usize) -> Option<String> {
    let to = |at: &usize| {
        let mut moved = words.to_vec();
        let word = moved.remove(place);
        moved.insert(*at, word);
        is_opcode(record, &moved.join("."))
    };
    let at = (0..place).rev().find(to)?;
    Some(format!("write {} before {}", counted(words, place), counted(words, at)))
}

/// The modifier that has no place as it is a type, and stands after those that it comes before.
fn out_of_order(placement: &Placement, words: &[&str]) -> Option<usize> {
    let is_missing = |word| placement.missing().any(|position| position.tokens.iter().any(|token| token.text == word));
    placement.strays.iter().copied().find(|i| is_missing(words[*i]))
}

/// What more an opcode takes to have so many operands: `; with 4 it takes .and, .or or .xor too`.
pub(crate) fn with_operands(variant: &Variant, count: usize) -> String {
    let forms = variant.instruction.forms.iter().filter(|form| form.named().is_none() && form.words().count() == count);
    let placements: Vec<Placement> =
        forms.map(|form| form.place(&variant.modifiers())).filter(|it| it.strays.is_empty()).collect();
    let more = placements.iter().flat_map(|it| it.missing()).flat_map(|position| position.tokens);
    let more: Vec<String> = more.map(|token| format!(".{}", token.text)).collect();
    match more.is_empty() {
        true => String::new(),
        false => format!("; with {count} it takes {} too", alternatives(more.into_iter())),
    }
}

/// The opcode of another form that has one modifier more or less.
pub(crate) fn neighbour(variant: &Variant, is_wanted: impl Fn(&Form) -> bool) -> Option<Variant> {
    let forms = variant.instruction.forms.iter().filter(|form| is_wanted(form));
    let mut placements = forms.map(|form| form.place(&variant.modifiers()));
    let placement = placements.find(|it| it.strays.len() + it.missing().count() == 1)?;
    let tokens = placement.form.positions.iter().zip(placement.tokens);
    let tokens = tokens.map(|(position, token)| match position.optional {
        true => token,
        false => token.or(position.tokens.first().copied()),
    });
    Some(Variant { instruction: variant.instruction, form: placement.form, tokens: tokens.collect() })
}

/// Every opcode that is like a pattern, with its variants: one where the forms of one text differ in their operands.
/// `*` stands for any text; a pattern without one also names what begins with it and goes on after a dot, and its
/// modifiers may stand in any order where that makes it an opcode.
pub fn like(pattern: &str) -> Result<Vec<Variant>> {
    let (canonical, begin) = (canonical(pattern), format!("{pattern}.*"));
    let fits = |opcode: &str| is_like(opcode, &canonical) || (!pattern.contains('*') && is_like(opcode, &begin));
    let variants = INSTRUCTIONS.iter().flat_map(Instruction::variants).filter(|variant| fits(&variant.to_string()));
    let variants: Vec<Variant> = variants.collect();
    if variants.is_empty() {
        let mnemonic = pattern.split(['.', '*']).next().unwrap_or_default();
        if let Some(record) = instruction::lookup(mnemonic) {
            let (all, order) = (record.mnemonic, "modifiers stand in the order of PTX, and * for any text");
            bail!("no opcode of {all} is like '{}'; {order}: '{all}' lists all", shortened(pattern));
        }
        let known = near(mnemonic, INSTRUCTIONS.iter().map(|record| record.mnemonic), 4);
        bail!("no opcode is like '{}'; mnemonics near it are {}", shortened(pattern), known.join(", "));
    }
    Ok(variants)
}

/// Whether a text is like a pattern, in which `*` stands for any text.
pub fn is_like(text: &str, pattern: &str) -> bool {
    let Some((front, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(mut text) = text.strip_prefix(front) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

/// The `count` of the known texts that are most like a text.
pub(crate) fn near<'a>(text: &str, known: impl Iterator<Item = &'a str>, count: usize) -> Vec<String> {
    near_first(text, known.map(str::to_string).collect()).into_iter().take(count).collect()
}

/// What is most like a text comes first, where it is like it at all.
fn near_first(text: &str, mut known: Vec<String>) -> Vec<String> {
    known.sort_by_key(|known| distance(known.trim_start_matches('.'), text));
    known
}

/// How many letters are wrong, where one may be missing, and two may have changed places.
pub(crate) fn distance(known: &str, found: &str) -> usize {
    strsim::osa_distance(known, &found.chars().take(40).collect::<String>())
}

/// `a, b or c`, each once.
pub(crate) fn alternatives(items: impl Iterator<Item = String>) -> String {
    enumerated(items, "or")
}

/// `a, b and c`, each once.
pub fn enumerated(items: impl Iterator<Item = String>, conjunction: &str) -> String {
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

#[cfg(test)]
#[path = "opcode_tests.rs"]
mod tests;
