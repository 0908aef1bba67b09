//! The numbers of rules: messages, code and pages cite only what `docs/rules.md` has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders and files in which rules are cited.
const CITING: [&str; 7] = ["dialect", "passes", "tools", "test", "examples", "docs/instructions", "README.md"];
/// The kinds of files that cite.
const KINDS: [&str; 9] = ["rs", "td", "cpp", "h", "mlir", "test", "py", "md", "json"];

/// The first number of a rule in a text, between what is before and after it.
pub fn first(text: &str) -> Option<(&str, &str, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut from = 0;
    loop {
        let at = from + text[from..].find(['R', 'D'])?;
        let digits = text[at + 1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - at - 1);
        let end = at + 1 + digits;
        let is_whole = !text[..at].ends_with(is_word) && !text[end..].starts_with(is_word);
        if digits > 0 && is_whole {
            return Some((&text[..at], &text[at..end], &text[end..]));
        }
        from = end;
    }
}

/// The rules that a text cites.
pub fn cited(text: &str) -> Vec<&str> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (_, rule, after) = first(rest)?;
        rest = after;
        Some(rule)
    })
    .collect()
}

/// The rules that a page defines: `- **R61** …`, each with an anchor of its name.
pub fn defined(page: &str) -> Vec<&str> {
    let number = |line: &'_ str| -> Option<(usize, usize)> {
        let start = line.find("**")? + 2;
        let end = start + line[start..].find("**")?;
        line.starts_with("- <a id=").then_some((start, end))
    };
    page.lines().filter_map(|line| number(line).map(|(start, end)| &line[start..end])).collect()
}

/// Where each rule is cited first that the page does not define.
pub fn undefined(page: &str, files: &[(PathBuf, String)]) -> BTreeMap<String, PathBuf> {
    let defined = defined(page);
    let mut lacking = BTreeMap::new();
    for (path, text) in files {
        for rule in cited(text).into_iter().filter(|rule| !defined.contains(rule)) {
            lacking.entry(rule.to_string()).or_insert_with(|| path.clone());
        }
    }
    lacking
}

/// All files that cite.
pub fn files(root: &Path) -> Vec<(PathBuf, String)> {
    let mut files = vec![];
    CITING.iter().for_each(|path| collect(&root.join(path), &mut files));
    files
}

fn collect(path: &Path, files: &mut Vec<(PathBuf, String)>) {
    if path.is_symlink() {
        return;
    }
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        inside.iter().for_each(|path| collect(path, files));
    } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
        files.push((path.into(), std::fs::read_to_string(path).unwrap()));
    }
}
