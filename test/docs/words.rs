//! What pages and tables say alike: targets, types, references to rules.

use ptx_tile_dialect::instruction::{Needs, PtxType, Token, TokenKind};

/// `7.8, sm_90`; `1.0, any` where every target will do.
pub fn target(needs: Needs) -> String {
    format!("{}, {}", version(needs), chips(needs))
}

/// `from PTX 7.8 and sm_90 on`.
pub fn from(needs: Needs) -> String {
    match chips(needs).as_str() {
        "any" => format!("from PTX {} on, any SM", version(needs)),
        chips => format!("from PTX {} and {chips} on", version(needs)),
    }
}

/// `7.8`.
pub fn version(needs: Needs) -> String {
    format!("{}.{}", needs.ptx / 10, needs.ptx % 10)
}

/// `any`, `sm_90`, `sm_100a or sm_103a`.
fn chips(needs: Needs) -> String {
    match needs.chips.names() {
        Some(names) => names.collect::<Vec<_>>().join(", "),
        None if needs.sm == 0 => "any".into(),
        None => format!("sm_{}", needs.sm),
    }
}

/// The least of some targets: fewest chips last, as they are no number.
pub fn least(all: impl Iterator<Item = Needs>) -> Option<Needs> {
    all.min_by_key(|needs| (needs.chips.names().is_some(), needs.sm, needs.ptx))
}

/// `.u32 .s32`.
pub fn types<'a>(types: impl Iterator<Item = &'a PtxType>) -> String {
    types.map(|its| format!(".{}", its.token)).collect::<Vec<_>>().join(" ")
}

/// The type that a token is.
pub fn type_of(token: &Token) -> Option<&'static PtxType> {
    if let TokenKind::Type(its) = token.kind { Some(its) } else { None }
}

/// `1 form`, `44,685 spellings`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// `44,685`.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

/// Text with each rule outside code as a link: `R61`, `D33`.
pub fn linked(text: &str, rules: &str) -> String {
    let mut linked = String::new();
    let mut is_block = false;
    for line in text.lines() {
        is_block ^= line.trim_start().starts_with("```");
        // What stands between backticks is at the odd places.
        for (i, part) in line.split('`').enumerate() {
            linked += if i == 0 { "" } else { "`" };
            if is_block || i % 2 == 1 { linked += part } else { linked += &links(part, rules) }
        }
        linked += "\n";
    }
    linked
}

fn links(text: &str, rules: &str) -> String {
    let mut rest = text;
    let mut linked = String::new();
    while let Some((before, rule, after)) = crate::rules::first(rest) {
        linked += &format!("{before}[{rule}]({rules}#{})", rule.to_lowercase());
        rest = after;
    }
    linked + rest
}

/// A table of Markdown.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// One with these heads.
    pub fn new(heads: &[&str]) -> Table {
        Table { rows: vec![heads.iter().map(|head| head.to_string()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect());
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// The lines, without a column in which nothing stands.
    pub fn text(&self) -> String {
        let is_used = |column: &usize| self.rows[1..].iter().any(|row| !row[*column].is_empty());
        let columns: Vec<usize> = (0..self.rows[0].len()).filter(is_used).collect();
        let line = |row: &Vec<String>| {
            let cells: Vec<&str> = columns.iter().map(|column| row[*column].as_str()).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(columns.len()));
        format!("{}{rule}{}", line(&self.rows[0]), self.rows[1..].iter().map(line).collect::<String>())
    }
}
