//! A drawing as text: a line a row. Neighbours that have one owner in every row are one cell: `T13:0,1`.

use crate::draw::{Cell, Drawing, short};
use std::fmt::Write;

/// The drawing, each line ended.
pub fn text(drawing: &Drawing) -> String {
    let group = neighbours(drawing);
    let mut table = vec![drawing.columns.chunks(group).map(head).collect::<Vec<String>>()];
    for row in 0..drawing.rows.len() {
        table.push(drawing.row(row).chunks(group).map(|cells| cell(drawing, cells)).collect());
    }
    let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
    let margin = drawing.rows.iter().map(String::len).max().unwrap_or(0);

    let mut out = format!("{}\n", drawing.title);
    for note in &drawing.notes {
        out += note;
        out += "\n";
    }
    out += "\n";
    let rows = [""].into_iter().chain(drawing.rows.iter().map(String::as_str));
    for (row, cells) in rows.zip(&table) {
        write!(out, "{row:>margin$} |").expect("text takes it");
        for (cell, width) in cells.iter().zip(&widths) {
            write!(out, "  {cell:>width$}").expect("text takes it");
        }
        out += "\n";
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
