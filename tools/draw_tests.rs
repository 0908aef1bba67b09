//! Tests of draw.rs and draw_text.rs: the worked numbers of the contract, and what is said of tiles of all kinds.

use super::*;
use crate::draw_text::text;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::layout::{DYNAMIC, Iter, Swizzle};

pub(crate) fn axis(name: &str) -> Axis {
    AXES.iter().position(|axis| *axis == name).expect("an axis") as Axis
}

fn iters(list: &[(i64, i64, &str)]) -> Vec<Iter> {
    list.iter().map(|&(extent, stride, name)| Iter { extent, stride, axis: axis(name) }).collect()
}

pub(crate) fn layout(shard: &[(i64, i64, &str)], replica: &[(i64, i64, &str)], offset: &[(i64, &str)]) -> Layout {
    let offset = offset.iter().map(|&(value, name)| Offset { value, axis: axis(name) }).collect();
    Layout::new(iters(shard), iters(replica), offset).unwrap()
}

pub(crate) fn drawing(layout: Layout, shape: &[i64], space: Space, bits: u32) -> Drawing {
    let tile = Tile { shape: shape.to_vec(), element: Element::of(Scalar::Int(bits)), space, layout };
    Drawing::new("it".into(), &tile).unwrap()
}

/// `S[(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)] + R[2:4@warpid] + 5@warpid` of section 6.2.
pub(crate) fn fragment() -> Drawing {
    let shard = [(8, 4, "laneid"), (2, 1, "warpid"), (4, 1, "laneid"), (2, 1, "m")];
    drawing(layout(&shard, &[(2, 4, "warpid")], &[(5, "warpid")]), &[8, 16], Space::Register, 32)
}

fn row_major(shape: &[i64]) -> Layout {
    Layout::row_major(shape).unwrap()
}

fn why(layout: Layout, shape: &[i64]) -> String {
    let tile = Tile { shape: shape.to_vec(), element: Element::of(Scalar::F32), space: Space::Register, layout };
    Drawing::new(String::new(), &tile).unwrap_err().to_string()
}

#[test]
fn fragment_of_section_6_2() {
    let fragment = fragment();
    let rows = [
        // i, j, owner, m
        (0, 0, "W5,9 T0", 0),
        (0, 1, "W5,9 T0", 1),
        (0, 2, "W5,9 T1", 0),
        (1, 0, "W5,9 T4", 0),
        (0, 8, "W6,10 T0", 0),
        (3, 11, "W6,10 T13", 1),
        (7, 15, "W6,10 T31", 1),
    ];
    for (i, j, owner, m) in rows {
        let cell = &fragment.row(i)[j];
        assert_eq!((fragment.owner(cell).name().as_str(), cell.places.as_slice()), (owner, [m].as_slice()));
    }
    assert_eq!(fragment.owners.len(), 64);
    assert!(fragment.owners.iter().all(|owner| owner.group == usize::from(owner.outer == "W6,10")));
    assert_eq!((fragment.rows.len(), fragment.columns.len()), (8, 16));
    let notes =
        ["shape 8x16: rows are axis 0, columns are axis 1", "cell: W warpid, T laneid, m of 2 registers of the thread"];
    assert_eq!(fragment.notes, notes);
}

#[test]
fn the_fragment_as_text() {
    let text = text(&fragment());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3 + 1 + 1 + 8);
    assert_eq!(lines[0], "it");
    let words =
        |line: &str| line.split("  ").map(|word| word.trim().to_string()).filter(|word| !word.is_empty()).collect();
    let words: Vec<Vec<String>> = lines[4..].iter().map(|line| words(line)).collect();
    assert_eq!(words[0], ["|", "0..1", "2..3", "4..5", "6..7", "8..9", "10..11", "12..13", "14..15"]);
    assert_eq!(words[4][6], "W6,10 T13:0,1");
    let width = lines[5].len();
    assert!(lines[5..].iter().all(|line| line.len() == width), "columns stand below each other");
}

#[test]
fn banks_of_the_swizzle_of_r50() {
    let swizzle = Swizzle { per_element: 3, swizzle: 3, atom: 3, outer: false };
    let swizzled = row_major(&[8, 64]).with_swizzle(swizzle).unwrap();
    let drawing = drawing(swizzled, &[8, 64], Space::Memory(SHARED), 16);
    let column: Vec<(String, i64)> =
        (0..8).map(|row| &drawing.row(row)[0]).map(|cell| (drawing.owner(cell).name(), cell.places[0])).collect();
    let wanted =
        [("B0", 0), ("B4", 72), ("B8", 144), ("B12", 216), ("B16", 288), ("B20", 360), ("B24", 432), ("B28", 504)];
    assert_eq!(column, wanted.map(|(bank, m)| (bank.to_string(), m)));
    assert_eq!((drawing.row(3)[17].places[0], drawing.row(7)[63].places[0]), (201, 455));
    assert!(text(&drawing).contains("B0:0,1"), "two elements of 16 bits share a bank");
}

#[test]
fn registers_and_lines_of_memory() {
    let slots = drawing(Layout::strided(&[4, 1], &[2, 1], 0).unwrap(), &[4, 1], Space::Register, 32);
    assert_eq!(slots.cells.iter().map(|cell| cell.places[0]).collect::<Vec<_>>(), [0, 2, 4, 6]);
    assert_eq!(slots.notes[1], "cell: m of 7 registers of the thread");
    assert!(text(&slots).ends_with("\n  |  0\n0 |  0\n1 |  2\n2 |  4\n3 |  6\n"));

    let lines = drawing(row_major(&[4, 16]), &[4, 16], Space::Memory(1), 32);
    assert_eq!(lines.colour, Colour::Line);
    let line = |row: usize, column: usize| lines.row(row)[column].owner;
    assert_eq!((line(1, 15), line(2, 0), lines.owners.len()), (0, 1, 2), "32 elements of 4 bytes are a line");
}

#[test]
fn one_value_for_all_is_said_once() {
    let shard = [(32, 1, "laneid"), (2, 1, "m")];
    let all = drawing(layout(&shard, &[(2, 4, "warpid")], &[(5, "warpid")]), &[32, 2], Space::Register, 32);
    assert_eq!(all.owners[31].name(), "T31");
    assert_eq!(all.notes[2], "all on warpid 5,9");
    let one = drawing(layout(&[(4, 1, "m")], &[], &[(5, "warpid")]), &[4], Space::Register, 32);
    assert_eq!((one.owners.len(), one.owners[0].name().as_str()), (1, "W5"), "where none differs, cells name it");
}

#[test]
fn copies_are_named() {
    let everywhere = layout(&[(4, 1, "m")], &[(32, 1, "laneid"), (2, 8, "warpid"), (2, 4, "warpid")], &[]);
    assert_eq!(drawing(everywhere, &[4], Space::Register, 32).owners[0].name(), "W0,4..12 T0..31");
    let in_registers = layout(&[(4, 1, "laneid")], &[(2, 3, "m"), (9, 0, "m")], &[]);
    assert_eq!(drawing(in_registers, &[4], Space::Register, 32).cells[1].places, [0, 3]);
    let swizzle = Swizzle { per_element: 0, swizzle: 1, atom: 1, outer: false };
    let swizzled = layout(&[(2, 1, "m")], &[(2, 2, "m")], &[]).with_swizzle(swizzle).unwrap();
    let swizzled = drawing(swizzled, &[2], Space::Memory(SHARED), 32);
    assert_eq!(swizzled.cells.iter().map(|cell| cell.places.clone()).collect::<Vec<_>>(), [[0, 3], [1, 2]]);
}

#[test]
fn every_axis_of_threads_has_a_short_name() {
    for name in AXES.iter().filter(|name| **name != "m") {
        assert!(NAMES.iter().any(|(axis, _)| axis == name), "{name}");
    }
    let unclear = drawing(layout(&[(2, 1, "tx"), (2, 1, "laneid")], &[], &[]), &[2, 2], Space::Register, 32);
    assert_eq!(unclear.owners[3].name(), "tx1 laneid1");
    assert_eq!(unclear.notes[1], "cell: tx, laneid, m of 1 register of the thread");
}

#[test]
fn a_long_axis_has_a_group_for_each_warp() {
    let threads = drawing(layout(&[(128, 1, "tx")], &[], &[]), &[128, 1], Space::Register, 32);
    let of = |thread: usize| (threads.owners[thread].name(), threads.owners[thread].group, threads.owners[thread].hue);
    assert_eq!(of(31), ("T31".into(), 0, 31));
    assert_eq!(of(33), ("T33".into(), 1, 1));
}

#[test]
fn other_ranks_are_rows_and_columns() {
    let heads = |shape: &[i64]| {
        let drawing = drawing(row_major(shape), shape, Space::Register, 32);
        let last = |heads: &[String]| heads.last().unwrap().clone();
        (last(&drawing.rows), last(&drawing.columns), drawing.notes[0].clone())
    };
    let is = |row: &str, column: &str, note: &str| (row.to_string(), column.to_string(), note.to_string());
    assert_eq!(heads(&[]), is("0", "0", "shape of rank 0: one row, one column"));
    assert_eq!(heads(&[4]), is("0", "3", "shape 4: one row, columns are axis 0"));
    assert_eq!(heads(&[4, 1]), is("3", "0", "shape 4x1: rows are axis 0, one column"));
    assert_eq!(heads(&[8, 16, 1]), is("7", "15", "shape 8x16x1: rows are axis 0, columns are axis 1"));
    assert_eq!(heads(&[2, 8, 8]), is("1,7", "7", "shape 2x8x8: rows are axes 0, 1, columns are axis 2"));
    assert_eq!(heads(&[8, 4, 2]), is("7", "3,1", "shape 8x4x2: rows are axis 0, columns are axes 1, 2"));
    assert_eq!(heads(&[256]), is("192", "+63", "shape 256: one row, columns are axis 0, in lines of 64"));
    assert_eq!(heads(&[67]), is("0", "66", "shape 67: one row, columns are axis 0"), "a prime");
}

#[test]
fn shapes_of_layouts_by_themselves() {
    let shape = |extents: &[i64]| shape_of(&row_major(extents));
    assert_eq!(shape(&[8, 2, 4, 2]), [8, 16]);
    assert_eq!(shape(&[2, 8, 2, 4, 2]), [16, 16]);
    assert_eq!(shape(&[64, 3, 1]), [64, 3]);
    assert_eq!(shape(&[4, 1]), [4, 1]);
    assert_eq!(shape(&[7]), [7]);
    assert_eq!(shape(&[]), []);
}

#[test]
fn numbers_in_few_characters() {
    let cases: [(&[i64], &str); 8] = [
        (&[], ""),
        (&[7], "7"),
        (&[5, 9], "5,9"),
        (&[0, 1, 2, 3], "0..3"),
        (&[0, 4, 8, 12], "0,4..12"),
        (&[0, 1, 8, 9], "0,1,8,9"),
        (&[3, 0, 0, 0], "3,0,0,0"),
        (&[3, 2, 1, 2, 3], "3,2,1..3"),
    ];
    cases.into_iter().for_each(|(numbers, wanted)| assert_eq!(short(numbers), wanted));
}

#[test]
fn a_begin_that_is_no_constant_is_said() {
    let slice = Layout::strided(&[2, 4], &[8, 1], DYNAMIC).unwrap();
    let drawing = drawing(slice, &[2, 4], Space::Memory(1), 32);
    assert_eq!(drawing.notes[2], "m counts from where the slice begins, which is no constant");
    assert_eq!(drawing.row(1)[0].places, [8]);
}

#[test]
fn faults() {
    assert!(why(row_major(&[8]), &[3, 3]).starts_with("shape 3x3 has 9 elements, the layout has 8"));
    assert_eq!(why(row_major(&[1 << 40]), &[1 << 40]), "1099511627776 elements are more than the 65536 that are drawn");
    let copies = |replica| why(layout(&[(1, 1, "m")], replica, &[]), &[1]);
    let most = "copies on axis warpid are more than the 1024 that are drawn";
    assert_eq!(copies(&[(1 << 20, 1, "warpid")]), format!("1048576 {most}"));
    assert_eq!(copies(&[(64, 1, "warpid"), (64, 64, "warpid")]), format!("4096 {most}"));
    let broadcast = layout(&[(1024, 1, "m")], &[(1024, 1, "warpid"), (2, 1, "bx")], &[]);
    let many = "1051648 numbers with those of copies are more than the 524288 that are drawn";
    assert_eq!(why(broadcast, &[32, 32]), many);
    assert_eq!(copies(&[(2000, 1, "m")]), "2000 copies on axis m are more than the 1024 that are drawn");
}
