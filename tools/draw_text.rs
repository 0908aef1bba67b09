//! A drawing as text: a line a row. Neighbours that have one owner in every row are one cell: `T13:0,1`.

use crate::draw::{Cell, Drawing, short};
use std::fmt::Write;

/// The drawing, each line ended.
pub fn text(drawing: &Drawing) -> String {
    let group = neighbours(drawing);
    let chunks = |row: usize| drawing.row(row).chunks(group).map(|cells| cell(drawing, cells));
    let heads = drawing.columns.chunks(group).map(|columns| head(columns));
    let table: Vec<Vec<String>> = (0..drawing.rows.len()).map(|row| chunks(row).collect()).collect();

    let widths = |column: usize, head: &str| {
        let cells = table.iter().map(|row| row[column].len());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let heads: Vec<(String, usize)> =
        heads.enumerate().map(|(column, head)| (head.clone(), widths(column, &head))).collect();
    let margin = drawing.rows.iter().map(String::len).max().unwrap_or(0);

    let mut out = format!("{}\n", drawing.title);
    drawing.notes.iter().for_each(|note| out += &format!("{note}\n"));
    out += "\n";
    let mut line = |row: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut text = format!("{row:>margin$} |");
        for (cell, (_, width)) in cells.zip(&heads) {
            write!(text, "  {cell:>width$}").expect("text takes it");
        }
        out += text.trim_end();
        out += "\n";
    };
    line("", &mut heads.iter().map(|(head, _)| head.as_str()));
    for (row, cells) in drawing.rows.iter().zip(&table) {
        line(row, &mut cells.iter().map(String::as_str));
    }
    out
}

/// The longest run of columns that divides them all and whose cells have one owner in every row; 1 where no owner is
/// named.
fn neighbours(drawing: &Drawing) -> usize {
    let columns = drawing.columns.len();
    let one_owner = |cells: &[Cell]| cells.windows(2).all(|pair| pair[0].owner == pair[1].owner);
    let is_run = |run: &usize| {
        columns.is_multiple_of(*run) && (0..drawing.rows.len()).all(|row| drawing.row(row).chunks(*run).all(one_owner))
    };
    if drawing.colour.is_named() { (1..=columns).rev().find(is_run).unwrap_or(1) } else { 1 }
}

fn cell(drawing: &Drawing, cells: &[Cell]) -> String {
    let places: Vec<i64> = cells.iter().flat_map(|cell| &cell.places).copied().collect();
    let places = short(&places);
    if drawing.colour.is_named() { format!("{}:{places}", drawing.owner(&cells[0]).name()) } else { places }
}

fn head(columns: &[String]) -> String {
    match columns {
        [first, .., last] => format!("{first}..{last}"),
        _ => columns.concat(),
    }
}
