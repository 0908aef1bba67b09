//! Changes of programs, of their text and of their bytes.

use fastrand::Rng;
use ptx_tile_dialect::instruction::{INSTRUCTIONS, Instruction};
use std::ops::Range;
use std::sync::LazyLock;

/// Numbers at which something ends.
const EXTREMES: [&str; 16] = [
    "0",
    "1",
    "-1",
    "31",
    "33",
    "1024",
    "65536",
    "16777217",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456000",
];

/// What begins something that may stand in itself, and what ends it.
const NESTS: [(&str, &str); 8] = [
    ("module {\n", "}\n"),
    ("gpu.module @n {\n", "}\n"),
    ("scf.execute_region {\n", "scf.yield }\n"),
    ("tile.where lanes(0 to 16) {\n", "}\n"),
    ("tuple<", ">"),
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
];

/// The most bytes that a mutation makes of an input.
const MOST: usize = 1 << 20;

/// A program after some mutations; `others` are what parts are taken from.
pub fn text(rng: &mut Rng, seed: &str, others: &[String]) -> String {
    let mut text = seed.to_string();
    for _ in 0..count(rng) {
        let other = rng.choice(others).map_or("", String::as_str);
        text = match rng.u32(0..26) {
            0..5 => number(rng, &text),
            5..10 => everywhere(rng, &text, other),
            10..15 => exchanged(rng, &text, other),
            15..17 => tokens(rng, &text),
            17..19 => lines(rng, &text, &text),
            19 => lines(rng, &text, other),
            20..22 => opcode(rng, &text),
            22 => spliced(rng, &text, other),
            23 => String::from_utf8_lossy(&bytes(rng, text.as_bytes())).into_owned(),
            24 => repeated(rng, &text),
            _ => nested(rng, &text),
        };
    }
    text
}

/// Bytes after some mutations.
pub fn bytes(rng: &mut Rng, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..count(rng) {
        let at = rng.usize(0..=bytes.len());
        match rng.u32(0..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.u32(0..8),
            1 if at < bytes.len() => bytes[at] = rng.u8(..),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.insert(at, *rng.choice(&[0, 1, b'"', b'<', b'{', 0x7f, 0x80, 0xff]).unwrap_or(&0)),
            4 => bytes.truncate(at),
            _ => {
                let part = bytes[some(rng, bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

/// Most often one, seldom many.
fn count(rng: &mut Rng) -> u32 {
    1 + (rng.u32(1..) | 1 << 6).trailing_zeros() / 2
}

/// Some range of what has so many.
fn some(rng: &mut Rng, len: usize) -> Range<usize> {
    let begin = rng.usize(0..=len);
    begin..rng.usize(begin..=len.min(begin + 40))
}

/// Names with their sigil, strings, runs of spaces, and else single characters.
fn split(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || "_.$".contains(c);
    let mut rest = text;
    let mut tokens = vec![];
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let end = match first {
            '"' => after.find('"').map_or(rest.len(), |at| at + 2),
            _ if first.is_whitespace() => rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len()),
            _ if is_word(first) || "%@#!^".contains(first) => {
                first.len_utf8() + after.find(|c| !is_word(c)).unwrap_or(after.len())
            }
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// What may stand for each other: names of one sigil, words, numbers, strings, punctuation.
fn class(token: &str) -> u32 {
    match token.chars().next().unwrap_or(' ') {
        c if "%@#!^\"".contains(c) => c as u32,
        c if c.is_ascii_digit() => 0,
        c if c.is_alphabetic() => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    }
}

/// A token becomes another of its class, of the same program or of another.
fn exchanged(rng: &mut Rng, text: &str, other: &str) -> String {
    let mut tokens = split(text);
    if let Some((at, new)) = exchange(rng, &tokens, other) {
        tokens[at] = new;
    }
    tokens.concat()
}

/// A token does so wherever it stands: what agrees goes on to agree.
fn everywhere(rng: &mut Rng, text: &str, other: &str) -> String {
    let mut tokens = split(text);
    if let Some((at, new)) = exchange(rng, &tokens, other) {
        let old = tokens[at];
        tokens.iter_mut().filter(|token| **token == old).for_each(|token| *token = new);
    }
    tokens.concat()
}

/// A place, and what may stand there instead.
fn exchange<'a>(rng: &mut Rng, tokens: &[&'a str], other: &'a str) -> Option<(usize, &'a str)> {
    // Other punctuation says nothing most often.
    let at = chosen(rng, tokens).filter(|at| class(tokens[*at]) != 3).or_else(|| chosen(rng, tokens))?;
    let others = if rng.u32(0..3) == 0 { split(other) } else { vec![] };
    let from = if others.is_empty() { tokens } else { &others };
    let alike = from.iter().copied().filter(|its| class(its) == class(tokens[at]) && *its != tokens[at]);
    Some((at, rng.choice(alike.collect::<Vec<_>>())?))
}

/// A token is left out, doubled, or changes places with another.
fn tokens(rng: &mut Rng, text: &str) -> String {
    let mut tokens = split(text);
    let (Some(a), Some(b)) = (chosen(rng, &tokens), chosen(rng, &tokens)) else { return text.into() };
    match rng.u32(0..3) {
        0 => drop(tokens.remove(a)),
        1 => tokens.insert(b, tokens[a]),
        _ => tokens.swap(a, b),
    }
    tokens.concat()
}

/// One that is no space.
fn chosen(rng: &mut Rng, tokens: &[&str]) -> Option<usize> {
    let all: Vec<usize> = (0..tokens.len()).filter(|at| class(tokens[*at]) != 2).collect();
    rng.choice(all)
}

/// Lines are left out, or some of a program go to another place of it.
fn lines(rng: &mut Rng, text: &str, from: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let from: Vec<&str> = from.lines().collect();
    let length = 1 + rng.usize(0..3) * rng.usize(0..3);
    if rng.u32(0..3) == 0 {
        let begin = rng.usize(0..=lines.len());
        lines.drain(begin..lines.len().min(begin + length));
    } else {
        let begin = rng.usize(0..=from.len());
        let some = from[begin..from.len().min(begin + length)].to_vec();
        let at = rng.usize(0..=lines.len());
        lines.splice(at..at, some);
    }
    lines.join("\n") + "\n"
}

/// The front of one and the back of the other.
fn spliced(rng: &mut Rng, text: &str, other: &str) -> String {
    let (front, back): (Vec<&str>, Vec<&str>) = (text.lines().collect(), other.lines().collect());
    let (end, begin) = (rng.usize(0..=front.len()), rng.usize(0..=back.len()));
    [&front[..end], &back[begin..]].concat().join("\n") + "\n"
}

/// A number becomes an extreme one, or one more or less.
fn number(rng: &mut Rng, text: &str) -> String {
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let begins: Vec<usize> = (0..text.len()).filter(|at| is_digit(*at) && (*at == 0 || !is_digit(at - 1))).collect();
    let Some(begin) = rng.choice(begins) else { return text.into() };
    let end = (begin..text.len()).find(|at| !is_digit(*at)).unwrap_or(text.len());
    let old: i64 = text[begin..end].parse().unwrap_or(0);
    let new = match rng.u32(0..4) {
        0 => old.saturating_add(1).to_string(),
        1 => old.saturating_mul(2).to_string(),
        2 => old.saturating_sub(1).to_string(),
        _ => rng.choice(EXTREMES).unwrap_or_default().into(),
    };
    [&text[..begin], &new, &text[end..]].concat()
}

/// Another opcode, or other modifiers.
fn opcode(rng: &mut Rng, text: &str) -> String {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut all: Vec<String> =
            INSTRUCTIONS.iter().flat_map(Instruction::variants).map(|variant| variant.to_string()).collect();
        all.dedup();
        all
    });
    let mut tokens = split(text);
    let is_opcode = |token: &str| token.starts_with('"') && !token.contains(' ') && token.len() > 2;
    let places: Vec<usize> = (0..tokens.len()).filter(|at| is_opcode(tokens[*at])).collect();
    let (Some(at), Some(new)) = (rng.choice(places), rng.choice(ALL.iter())) else { return text.into() };
    let old = tokens[at].trim_matches('"');
    let (mnemonic, modifiers) = new.split_once('.').unwrap_or((new, ""));
    let (old_mnemonic, _) = old.split_once('.').unwrap_or((old, ""));
    let alike: Vec<&String> = ALL.iter().filter(|it| it.split('.').next() == Some(old_mnemonic)).collect();
    let made = match (rng.u32(0..8), rng.choice(alike)) {
        (0..4, Some(alike)) => format!("\"{alike}\""),
        (4, _) => format!("\"{old_mnemonic}.{modifiers}\""),
        (5, _) => format!("\"{mnemonic}{}\"", &old[old_mnemonic.len()..]),
        (6, _) => format!("\"{modifiers}\""),
        _ => format!("\"{new}\""),
    };
    tokens[at] = &made;
    tokens.concat()
}

/// Some tokens or lines many times.
fn repeated(rng: &mut Rng, text: &str) -> String {
    let parts: Vec<&str> = if rng.bool() { split(text) } else { text.split_inclusive('\n').collect() };
    let range = some(rng, parts.len());
    let range = range.start..range.end.min(range.start + 4);
    let part = parts[range.clone()].concat();
    let times = many(rng).min(MOST / (part.len() + 1));
    [parts[..range.start].concat(), part.repeat(times), parts[range.end..].concat()].concat()
}

/// Some lines, or a token, deep inside of something.
fn nested(rng: &mut Rng, text: &str) -> String {
    let (open, close) = rng.choice(NESTS).unwrap_or_default();
    let parts: Vec<&str> = if open.ends_with('\n') { text.split_inclusive('\n').collect() } else { split(text) };
    let range = some(rng, parts.len());
    let times = many(rng);
    let [front, middle, back] =
        [&parts[..range.start], &parts[range.clone()], &parts[range.end..]].map(<[&str]>::concat);
    [front, open.repeat(times), middle, close.repeat(times), back].concat()
}

fn many(rng: &mut Rng) -> usize {
    rng.choice([2, 3, 20, 300, 4000, 50000]).unwrap_or(2)
}
