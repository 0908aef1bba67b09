//! Opcode text: what is read is written in one way, and that is read again; what is not has a message.

use crate::said::{self, holds};
use anyhow::Result as Read;
use arbitrary::{Arbitrary, Unstructured};
use ptx_tile_dialect::instruction::{INSTRUCTIONS, TokenKind, Variant};
use ptx_tile_dialect::opcode;

/// What is tested; a test of this puts something faulty there.
#[derive(Clone, Copy)]
pub struct Tested {
    /// Reads a text.
    pub read: fn(&str) -> Read<Vec<Variant>>,
    /// Writes it in canonical order.
    pub canonical: fn(&str) -> String,
    /// Whether a text is like a pattern.
    pub is_like: fn(&str, &str) -> bool,
}

/// What is in the product.
pub const TESTED: Tested = Tested { read: opcode::read, canonical: opcode::canonical, is_like: opcode::is_like };

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    /// Any text.
    Text(&'a str),
    /// Words that stand in opcodes, by their numbers, and whether each follows a dot.
    Words(u16, Vec<(u16, bool)>),
    /// A legal spelling whose words are turned.
    Turned(u16, u16, u8, bool),
    /// A text and a pattern of the letters a, b, dot and star.
    Pattern(Vec<u8>, Vec<u8>),
}

/// Why bytes show a fault.
pub fn check(data: &[u8], tested: &Tested) -> Result<(), String> {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else { return Ok(()) };
    match input {
        Input::Text(text) => read(text, tested).map(drop),
        Input::Words(first, rest) => {
            let mut text = INSTRUCTIONS[usize::from(first) % INSTRUCTIONS.len()].mnemonic.to_string();
            for (number, dot) in rest {
                let record =
                    &INSTRUCTIONS[usize::from(if number % 4 == 0 { number } else { first }) % INSTRUCTIONS.len()];
                let tokens = record.forms.iter().flat_map(|form| form.positions).flat_map(|position| position.tokens);
                let tokens: Vec<&str> = tokens.map(|token| token.text).collect();
                text += if dot { "." } else { "" };
                text += tokens.get(usize::from(number) / 4 % tokens.len().max(1)).unwrap_or(&"");
            }
            read(&text, tested).map(drop)
        }
        Input::Turned(record, form, turn, reverse) => turned(record, form, turn, reverse, tested),
        Input::Pattern(text, pattern) => {
            let letters = |bytes: Vec<u8>| -> String {
                bytes.iter().take(10).map(|byte| ['a', 'b', '.', '*'][usize::from(byte % 4)]).collect()
            };
            let (text, pattern) = (letters(text).replace('*', "c"), letters(pattern));
            let (found, wanted) = ((tested.is_like)(&text, &pattern), fits(text.as_bytes(), pattern.as_bytes()));
            holds!(found == wanted, "whether '{text}' is like '{pattern}': found {found}, wanted {wanted}");
            Ok(())
        }
    }
}

/// Reads a text; what it is where it is an opcode.
fn read(text: &str, tested: &Tested) -> Result<Option<String>, String> {
    let variants = match (tested.read)(text) {
        Ok(variants) => variants,
        Err(why) => return said::check(&format!("{why:#}")).map(|()| None),
    };
    let canonical = (tested.canonical)(text);
    holds!(!variants.is_empty(), "'{text}' is read as nothing");
    for variant in variants {
        let written = variant.to_string();
        holds!(written == canonical, "'{text}' is '{written}' and in canonical order '{canonical}'");
        let words = |text: &str| {
            let mut words: Vec<String> = text.split('.').map(str::to_string).collect();
            words[1..].sort();
            words
        };
        holds!(words(text) == words(&written), "'{text}' is read as '{written}', which has other words");
        let again =
            (tested.read)(&written).map_err(|why| format!("'{text}' is '{written}', which is not read: {why}"))?;
        let is_same = |it: &Variant| std::ptr::eq(it.form, variant.form) && it.to_string() == written;
        holds!(again.iter().any(is_same), "'{written}' is not read as the form that wrote it");
    }
    Ok(Some(canonical))
}

/// Modifiers come in any order, but types in theirs (R4).
fn turned(record: u16, form: u16, turn: u8, reverse: bool, tested: &Tested) -> Result<(), String> {
    let record = &INSTRUCTIONS[usize::from(record) % INSTRUCTIONS.len()];
    let form = &record.forms[usize::from(form) % record.forms.len()];
    let mut choice = usize::from(turn);
    let tokens = form.positions.iter().map(|position| {
        let token = position.tokens[choice % position.tokens.len()];
        choice = choice / 2 + 1;
        (!position.optional || choice % 2 == 0).then_some(token)
    });
    let variant = Variant { instruction: record, form, tokens: tokens.collect() };
    let is_type = |word: &str| {
        let tokens = form.positions.iter().flat_map(|position| position.tokens);
        tokens.into_iter().any(|token| token.text == word && matches!(token.kind, TokenKind::Type(_)))
    };
    let modifiers = variant.modifiers();
    let mut words: Vec<&str> = modifiers.split('.').filter(|word| !word.is_empty()).collect();
    let types: Vec<&str> = words.iter().copied().filter(|word| is_type(word)).collect();
    if !words.is_empty() {
        let by = usize::from(turn) % words.len();
        words.rotate_left(by);
    }
    if reverse {
        words.reverse();
    }
    let mut types = types.into_iter();
    let words = words.into_iter().map(|word| if is_type(word) { types.next().unwrap_or(word) } else { word });
    let text = [&[record.mnemonic], &words.collect::<Vec<_>>()[..]].concat().join(".");
    let found = read(&text, tested)?;
    holds!(found == Some(variant.to_string()), "'{text}' is read as {found:?}, wanted '{variant}'");
    Ok(())
}

/// Whether a text is like a pattern, by trying all that a star may stand for.
fn fits(text: &[u8], pattern: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|at| fits(&text[at..], rest)),
        Some((letter, rest)) => text.first() == Some(letter) && fits(&text[1..], rest),
    }
}
