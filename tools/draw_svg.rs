//! Drawings as SVG: one document, the drawings below each other. Nothing outside of it is needed.
//!
//! - Neighbours in a row that have one owner are one rectangle, which names the owner once, over the places of each.
//! - A heavy line parts owners of different groups, as of different warps.
//! - A cell is as wide as its text, so that large tiles become large pictures and stay legible when one zooms in. At
//!   any size the pointer over a rectangle shows what it says.
//! - Colours are light enough for black text, by golden angles of the hue: numbers next to each other differ most.

use crate::draw::{Cell, Colour, Drawing, Owner, short};
use std::fmt::{self, Write};

/// The size of the text of cells, and how far one of its characters goes in the usual fonts of one width.
const SMALL: usize = 10;
const ADVANCE: f64 = 0.605;
/// The size of the text above the cells.
const LARGE: usize = 13;
const LINE: usize = 18;
/// Around a drawing.
const MARGIN: usize = 16;
const LEAST_WIDTH: usize = 640;
/// The most lines of a legend, and what one of them has.
const LEGEND_LINES: usize = 32;
const LEGEND_COLUMNS: usize = 32;

/// All drawings in one document.
pub fn svg(drawings: &[Drawing]) -> String {
    let pictures: Vec<Picture> = drawings.iter().map(Picture::new).collect();
    let width = pictures.iter().map(|picture| picture.width).max().unwrap_or(0);
    let height: usize = pictures.iter().map(|picture| picture.height).sum();
    let mut out = String::new();
    write_all(&mut out, &pictures, width, height).expect("text takes it");
    out
}

fn write_all(out: &mut String, pictures: &[Picture], width: usize, height: usize) -> fmt::Result {
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    )?;
    writeln!(
        out,
        "<style>text {{ font: {SMALL}px monospace; text-anchor: middle; pointer-events: none }} \
         .head {{ fill: #666666 }} .note {{ font-size: {LARGE}px; text-anchor: start }} .title {{ font-weight: bold }} \
         .side {{ text-anchor: end }} .owner {{ font-weight: bold }} .box {{ stroke: #808080; stroke-width: 0.5 }} \
         .group {{ stroke: #000000; stroke-width: 2; fill: none }}</style>"
    )?;
    writeln!(out, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
    let mut top = 0;
    for picture in pictures {
        writeln!(out, r#"<g transform="translate({MARGIN} {})">"#, top + MARGIN)?;
        picture.write(out)?;
        writeln!(out, "</g>")?;
        top += picture.height;
    }
    writeln!(out, "</svg>")
}

/// A drawing with where its parts stand.
struct Picture<'a> {
    drawing: &'a Drawing,
    /// The title and the notes, in lines that fit, and whether they are of the title.
    lines: Vec<(String, bool)>,
    /// The owners in lines, each of one group.
    legend: Vec<&'a [Owner]>,
    /// How wide the coordinates of a row are, and what stands before the rows and the lines of the legend.
    head: usize,
    side: usize,
    /// The size of a box of the legend, and of a cell.
    entry: usize,
    cell: (usize, usize),
    width: usize,
    height: usize,
}

impl<'a> Picture<'a> {
    fn new(drawing: &'a Drawing) -> Picture<'a> {
        let cell = (cell_width(drawing), if drawing.colour.is_named() { 2 * SMALL + 7 } else { SMALL + 8 });
        let legend = legend(drawing);
        let owners = legend.iter().flat_map(|line| line.iter());
        let entry = owners.clone().map(|owner| advance(&owner.inner)).max().unwrap_or(0) + 6;
        let outer = owners.map(|owner| advance(&owner.outer)).max().unwrap_or(0);
        let head = drawing.rows.iter().map(|row| advance(row)).max().unwrap_or(0) + 6;
        let side = head.max(outer + 6);

        let cells = side + head + cell.0 * drawing.columns.len();
        let entries = side + entry * legend.iter().map(|line| line.len()).max().unwrap_or(0);
        let width = cells.max(entries).max(LEAST_WIDTH);
        let fitting = (width as f64 / (LARGE as f64 * ADVANCE)) as usize;
        let lines = |text: &str, is_title: bool| {
            let lines = wrapped(text, fitting);
            lines.into_iter().map(move |line| (line, is_title)).collect::<Vec<_>>()
        };
        let mut all = lines(&drawing.title, true);
        all.extend(drawing.notes.iter().flat_map(|note| lines(note, false)));
        all.push((colour_note(drawing.colour).into(), false));
        let listed: usize = legend.iter().map(|line| line.len()).sum();
        if (1..drawing.owners.len()).contains(&listed) {
            all.push((format!("the first {listed} of {}:", drawing.owners.len()), false));
        }
        let width = width + 2 * MARGIN;
        let mut picture = Picture { drawing, lines: all, legend, head, side, entry, cell, width, height: 0 };
        picture.height = picture.top() + drawing.rows.len() * cell.1 + LINE + 2 * MARGIN;
        picture
    }

    /// Where the legend begins, below the notes.
    fn legend_top(&self) -> usize {
        self.lines.len() * LINE + 4
    }

    /// Where the cells begin.
    fn top(&self) -> usize {
        self.legend_top() + (self.legend.len() + 1) * LINE
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        for (i, (line, is_title)) in self.lines.iter().enumerate() {
            let y = i * LINE + LARGE;
            let class = if *is_title { "note title" } else { "note" };
            writeln!(out, r#"<text class="{class}" x="0" y="{y}">{}</text>"#, escaped(line))?;
        }
        self.write_legend(out)?;
        self.write_heads(out)?;
        for row in 0..self.drawing.rows.len() {
            self.write_row(out, row)?;
        }
        self.write_groups(out)
    }

    fn write_legend(&self, out: &mut String) -> fmt::Result {
        for (i, line) in self.legend.iter().enumerate() {
            let y = self.legend_top() + i * LINE;
            let text = y + LINE / 2 + SMALL / 3;
            if !line[0].outer.is_empty() {
                let x = self.side - 4;
                writeln!(out, r#"<text class="side" x="{x}" y="{text}">{}</text>"#, escaped(&line[0].outer))?;
            }
            for (j, owner) in line.iter().enumerate() {
                let (x, width, height) = (self.side + j * self.entry, self.entry, LINE - 2);
                let fill = fill(owner);
                writeln!(
                    out,
                    r#"<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#
                )?;
                let middle = x + width / 2;
                writeln!(out, r#"<text x="{middle}" y="{text}">{}</text>"#, escaped(&owner.inner))?;
            }
        }
        Ok(())
    }

    /// The coordinates, at all four sides.
    fn write_heads(&self, out: &mut String) -> fmt::Result {
        let (width, height) = self.cell;
        let (rows, columns) = (&self.drawing.rows, &self.drawing.columns);
        for (i, column) in columns.iter().enumerate() {
            let x = self.side + i * width + width / 2;
            for y in [self.top() - 4, self.top() + rows.len() * height + SMALL + 2] {
                writeln!(out, r#"<text class="head" x="{x}" y="{y}">{}</text>"#, escaped(column))?;
            }
        }
        for (i, row) in rows.iter().enumerate() {
            let y = self.top() + i * height + height / 2 + SMALL / 3;
            for x in [self.side - 4, self.side + columns.len() * width + self.head] {
                writeln!(out, r#"<text class="head side" x="{x}" y="{y}">{}</text>"#, escaped(row))?;
            }
        }
        Ok(())
    }

    fn write_row(&self, out: &mut String, row: usize) -> fmt::Result {
        let (width, height) = self.cell;
        let y = self.top() + row * height;
        let is_named = self.drawing.colour.is_named();
        let mut column = 0;
        for run in runs(self.drawing.row(row)) {
            let owner = self.drawing.owner(&run[0]);
            let (x, run_width) = (self.side + column * width, run.len() * width);
            let fill = fill(owner);
            let hint = escaped(&self.hint(row, column, run));
            write!(out, r#"<rect class="box" x="{x}" y="{y}" width="{run_width}" height="{height}" fill="{fill}">"#)?;
            writeln!(out, "<title>{hint}</title></rect>")?;
            if is_named {
                let (middle, y) = (x + run_width / 2, y + SMALL + 1);
                writeln!(out, r#"<text class="owner" x="{middle}" y="{y}">{}</text>"#, escaped(&owner.name()))?;
            }
            for (i, cell) in run.iter().enumerate() {
                let (middle, y) = (x + i * width + width / 2, y + height - 4);
                writeln!(out, r#"<text x="{middle}" y="{y}">{}</text>"#, short(&cell.places))?;
            }
            column += run.len();
        }
        Ok(())
    }

    /// What the pointer over a run shows.
    fn hint(&self, row: usize, column: usize, run: &[Cell]) -> String {
        let last = &self.drawing.columns[column + run.len() - 1];
        let first = &self.drawing.columns[column];
        let columns = if run.len() == 1 { format!("column {first}") } else { format!("columns {first} to {last}") };
        let places: Vec<i64> = run.iter().flat_map(|cell| &cell.places).copied().collect();
        let owner = self.drawing.owner(&run[0]).name();
        let owner = match self.drawing.colour {
            Colour::Thread | Colour::Bank => format!("{owner}, "),
            Colour::Line => format!("line {owner}, "),
            Colour::Register => String::new(),
        };
        format!("row {}, {columns}: {owner}m {}", self.drawing.rows[row], short(&places))
    }

    /// Heavy lines between groups, and around all.
    fn write_groups(&self, out: &mut String) -> fmt::Result {
        let (rows, columns) = (self.drawing.rows.len(), self.drawing.columns.len());
        let (width, height) = self.cell;
        let (left, top) = (self.side, self.top());
        let group = |row: usize, column: usize| self.drawing.owner(&self.drawing.row(row)[column]).group;
        let mut path = format!("M{left} {top}h{}v{}h-{}z", columns * width, rows * height, columns * width);
        for row in 1..rows {
            for (from, to) in stretches(columns, |column| group(row - 1, column) != group(row, column)) {
                write!(path, "M{} {}h{}", left + from * width, top + row * height, (to - from) * width)?;
            }
        }
        for column in 1..columns {
            for (from, to) in stretches(rows, |row| group(row, column - 1) != group(row, column)) {
                write!(path, "M{} {}v{}", left + column * width, top + from * height, (to - from) * height)?;
            }
        }
        writeln!(out, r#"<path class="group" d="{path}"/>"#)
    }
}

/// The owners in lines of one group each, the first of them; none where cells say as much.
fn legend(drawing: &Drawing) -> Vec<&[Owner]> {
    if drawing.colour == Colour::Register {
        return vec![];
    }
    let groups = drawing.owners.chunk_by(|a, b| a.group == b.group);
    groups.flat_map(|group| group.chunks(LEGEND_COLUMNS)).take(LEGEND_LINES).collect()
}

fn colour_note(colour: Colour) -> &'static str {
    match colour {
        Colour::Thread => "colour: the thread",
        Colour::Bank => "colour: the bank",
        Colour::Line => "colour: the line of 128 bytes, where the memory begins with one",
        Colour::Register => "colour: the register",
    }
}

/// As wide as what stands in it, where a run has the width of all its cells for the name of its owner.
fn cell_width(drawing: &Drawing) -> usize {
    let places = drawing.cells.iter().map(|cell| advance(&short(&cell.places)) + 4);
    let names: Vec<usize> = drawing.owners.iter().map(|owner| advance(&owner.name()) + 6).collect();
    let all_runs = (0..drawing.rows.len()).flat_map(|row| runs(drawing.row(row)));
    let named = all_runs.filter(|_| drawing.colour.is_named());
    let named = named.map(|run| names[run[0].owner].div_ceil(run.len()));
    let heads = drawing.columns.iter().map(|column| advance(column) + 4);
    places.chain(named).chain(heads).max().unwrap_or(0).max(SMALL + 8)
}

/// Neighbours of one owner.
fn runs(row: &[Cell]) -> impl Iterator<Item = &[Cell]> {
    row.chunk_by(|a, b| a.owner == b.owner)
}

/// The stretches of `0..end` where something is so, each with where it ends.
fn stretches(end: usize, is_so: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = vec![];
    for i in (0..end).filter(|i| is_so(*i)) {
        match all.last_mut() {
            Some((_, to)) if *to == i => *to += 1,
            _ => all.push((i, i + 1)),
        }
    }
    all
}

/// How far a text of cells goes.
fn advance(text: &str) -> usize {
    (text.chars().count() as f64 * SMALL as f64 * ADVANCE).ceil() as usize
}

/// The text in lines of so many characters, broken at spaces where there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![];
    let mut rest: Vec<char> = text.chars().collect();
    while rest.len() > width {
        let at = rest[..width].iter().rposition(|c| *c == ' ').map_or(width, |at| at + 1);
        lines.push(rest.drain(..at).collect::<String>().trim_end().to_string());
    }
    lines.push(rest.into_iter().collect());
    lines
}

/// Text as XML has it. Characters that XML has not become U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The colour of an owner, `#rrggbb`.
fn fill(owner: &Owner) -> String {
    let [red, green, blue] = rgb(owner).map(|part| (part * 255.0).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The colour, each part from 0 to 1: a hue for the owner, and a shade for its group.
fn rgb(owner: &Owner) -> [f64; 3] {
    const GOLDEN_ANGLE: f64 = 137.508;
    /// Saturation and lightness.
    const SHADES: [(f64, f64); 4] = [(0.8, 0.75), (0.75, 0.87), (0.4, 0.72), (0.5, 0.82)];
    let hue = (owner.hue as f64 * GOLDEN_ANGLE) % 360.0;
    let (saturation, lightness) = SHADES[owner.group % SHADES.len()];
    let chroma = saturation * lightness.min(1.0 - lightness);
    // From HSL: each part follows the hue in a wave of its own.
    [0.0, 8.0, 4.0].map(|shift| {
        let k = (shift + hue / 30.0) % 12.0;
        lightness - chroma * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}

#[cfg(test)]
#[path = "draw_svg_tests.rs"]
mod tests;
