//! A layout as a picture, in plain data: rows and columns of cells, each with who owns an element and its place there.
//! draw_text.rs and draw_svg.rs write it down.
//!
//! - A tile of rank 2 is drawn as it is. Of another rank, leading axes are the rows and the others the columns,
//!   row-major: divided where the picture is nearest to a square. A single long row is broken into lines.
//! - What a cell names first is its owner: the thread, or in shared memory the bank. What follows is the place `m`.
//! - An axis of threads with one value for all elements is said once, above, and not in each cell.
//! - Copies differ from the element by the same steps everywhere, on each axis by itself. So an owner has a set of
//!   numbers on each axis.

use anyhow::{Result, ensure};
use ptx_tile_dialect::layout::{Axis, Layout, M, Offset};
use ptx_tile_dialect::layout_text::AXES;
use ptx_tile_dialect::legality::{Space, Tile};

#[cfg(test)]
#[path = "draw_tests.rs"]
pub(crate) mod tests;

/// The most elements that are drawn.
pub const MAX_ELEMENTS: i64 = 1 << 16;
/// The most numbers in the cells of all drawings of a document: those of copies are the most by far.
pub const MAX_NUMBERS: i64 = 1 << 19;
/// A tile of one row is broken into several above this many columns.
const LONGEST_ROW: usize = 64;
/// The most copies of an element that are named on an axis.
const MAX_COPIES: i64 = 1024;

/// Shared memory, by its number in NVPTX.
pub const SHARED: u32 = 3;
const BANKS: i128 = 32;
const BYTES_OF_BANK: i128 = 4;
const BYTES_OF_LINE: i128 = 128;
/// So many owners have colours of their own; it is the lanes of a warp, and the banks.
const HUES: i64 = 32;

/// The axes of threads with what a cell calls them, the widest first: that is the order in a cell.
const NAMES: [(&str, &str); 12] = [
    ("bx", "X"),
    ("by", "Y"),
    ("bz", "Z"),
    ("cbx", "CX"),
    ("cby", "CY"),
    ("cbz", "CZ"),
    ("wgid", "G"),
    ("warpid", "W"),
    ("wid_in_wg", "W"),
    ("tx", "T"),
    ("tid_in_wg", "T"),
    ("laneid", "T"),
];

/// What gives a cell its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The thread that owns the element.
    Thread,
    /// The bank of shared memory.
    Bank,
    /// The 128 bytes of memory in which the element begins.
    Line,
    /// The register, of a tile that one thread has to itself.
    Register,
}

impl Colour {
    /// Of a tile.
    fn of(tile: &Tile) -> Colour {
        match tile.space {
            _ if tile.layout.thread_axes().next().is_some() => Colour::Thread,
            Space::Register => Colour::Register,
            Space::Memory(SHARED) => Colour::Bank,
            Space::Memory(_) => Colour::Line,
        }
    }

    /// Whether a cell names its owner; else it has the place alone.
    pub fn is_named(self) -> bool {
        matches!(self, Colour::Thread | Colour::Bank)
    }
}

/// What a colour stands for: a thread with its copies, a bank, a line, a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its numbers on all axes but the narrowest: `W5,9`.
    pub outer: String,
    /// Its number on the narrowest axis: `T13`.
    pub inner: String,
    /// Owners of one group differ in their hue; groups are apart. They are numbered from 0.
    pub group: usize,
    /// Less than 32.
    pub hue: usize,
}

impl Owner {
    /// `W5,9 T13`
    pub fn name(&self) -> String {
        if self.outer.is_empty() { self.inner.clone() } else { format!("{} {}", self.outer, self.inner) }
    }
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its owner, by position.
    pub owner: usize,
    /// Where it is on m, and where its copies are.
    pub places: Vec<i64>,
}

/// A tile, ready to be written.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The layout or the type.
    pub title: String,
    /// What is to be said above the cells, a line each.
    pub notes: Vec<String>,
    /// What the colours are of.
    pub colour: Colour,
    /// In the order of their numbers.
    pub owners: Vec<Owner>,
    /// The coordinates of each row: `3`, or `1,5` where several axes are rows.
    pub rows: Vec<String>,
    /// The coordinates of each column.
    pub columns: Vec<String>,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// How many numbers all cells have.
    pub numbers: i64,
}

impl Drawing {
    /// Of a tile whose shape its layout admits.
    ///
    /// Errors: a tile too large to be drawn, or with too many copies.
    pub fn new(title: String, tile: &Tile) -> Result<Drawing> {
        let Tile { shape, layout, .. } = tile;
        layout.admits(shape)?;
        let size = layout.size();
        ensure!(size <= MAX_ELEMENTS, "{size} elements are more than the {MAX_ELEMENTS} that are drawn");

        let colour = Colour::of(tile);
        let on_m = copies_on_m(layout)?;
        let threads = Threads::of(layout)?;
        let copies = threads.axes.iter().map(|(.., steps)| steps.len()).sum::<usize>() + on_m.len();
        let all = size * copies as i64;
        ensure!(
            all <= MAX_NUMBERS,
            "{all} numbers with those of copies are more than the {MAX_NUMBERS} that are drawn"
        );
        let number = |flat: i64| match colour {
            Colour::Thread => threads.numbers(layout, flat),
            Colour::Register => vec![layout.place(flat, M)],
            Colour::Bank => vec![(byte(tile, flat) / BYTES_OF_BANK % BANKS) as i64],
            Colour::Line => vec![(byte(tile, flat) / BYTES_OF_LINE) as i64],
        };
        let numbers: Vec<Vec<i64>> = (0..size).map(number).collect();
        let mut distinct = numbers.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let position = |numbers: &Vec<i64>| distinct.binary_search(numbers).expect("it is one of them");
        let cell = |flat: i64| {
            let mut places: Vec<i64> = on_m.iter().map(|copy| copy.place(flat, M)).collect();
            places.sort_unstable();
            places.dedup();
            Cell { owner: position(&numbers[flat as usize]), places }
        };

        let (outer, inner) = shape.split_at(first_column_axis(shape));
        let (mut rows, mut columns) = (coordinates(outer), coordinates(inner));
        let mut notes = notes(tile, colour, &threads, outer.len());
        let is_long = rows.len() == 1 && columns.len() > LONGEST_ROW;
        if let Some(line) = (8..=LONGEST_ROW).rev().find(|line| is_long && columns.len().is_multiple_of(*line)) {
            notes[0] += &format!(", in lines of {line}");
            rows = columns.into_iter().step_by(line).collect();
            columns = (0..line).map(|i| format!("+{i}")).collect();
        }
        let owners = owners(&distinct, |numbers| match colour {
            Colour::Thread => threads.name(numbers),
            Colour::Bank => (String::new(), format!("B{}", numbers[0])),
            Colour::Line | Colour::Register => (String::new(), numbers[0].to_string()),
        });
        let cells = (0..size).map(cell).collect();
        Ok(Drawing { title, notes, colour, owners, rows, columns, cells, numbers: all })
    }

    /// The cells of a row.
    pub fn row(&self, row: usize) -> &[Cell] {
        let columns = self.columns.len();
        &self.cells[row * columns..][..columns]
    }

    /// The owner of a cell.
    pub fn owner(&self, cell: &Cell) -> &Owner {
        &self.owners[cell.owner]
    }
}

/// The shape in which a layout is drawn that has none: its extents where these are two or fewer, else rows and columns
/// that are nearest to a square.
pub fn shape_of(layout: &Layout) -> Vec<i64> {
    let extents: Vec<i64> = layout.shard().iter().map(|iter| iter.extent).collect();
    if extents.len() <= 2 {
        return extents;
    }
    let (rows, columns) = extents.split_at(first_column_axis(&extents));
    vec![rows.iter().product(), columns.iter().product()]
}

/// Numbers in a few characters: `5,9`, `0..31`, `0,4..28`.
pub fn short(numbers: &[i64]) -> String {
    let mut parts = vec![];
    let mut rest = numbers;
    while let [first, tail @ ..] = rest {
        let step = tail.first().map_or(0, |second| second - first);
        let run = 1 + rest.windows(2).take_while(|pair| pair[1] - pair[0] == step).count();
        if step > 0 && run > 2 {
            let second = if step == 1 { String::new() } else { format!(",{}", tail[0]) };
            parts.push(format!("{first}{second}..{}", rest[run - 1]));
            rest = &rest[run..];
        } else {
            parts.push(first.to_string());
            rest = tail;
        }
    }
    parts.join(",")
}

/// Where the columns begin among the axes of a shape.
fn first_column_axis(shape: &[i64]) -> usize {
    match shape.len() {
        0..=2 => shape.len().saturating_sub(1),
        rank => {
            let longer = |at: &usize| {
                let (rows, columns) = shape.split_at(*at);
                rows.iter().product::<i64>().max(columns.iter().product())
            };
            (1..rank).min_by_key(longer).expect("a rank above 2")
        }
    }
}

/// The coordinates in a part of a shape, row-major, without the axes of one element; `0` where there are no others.
fn coordinates(shape: &[i64]) -> Vec<String> {
    let longer: Vec<&i64> = shape.iter().filter(|extent| **extent > 1).collect();
    if longer.is_empty() {
        return vec!["0".into()];
    }
    longer.into_iter().fold(vec![String::new()], |outer, extent| {
        let inner = |outer: String| {
            (0..*extent).map(move |i| if outer.is_empty() { i.to_string() } else { format!("{outer},{i}") })
        };
        outer.into_iter().flat_map(inner).collect()
    })
}

/// The byte of memory at which an element begins. What is less than a byte has one to itself.
fn byte(tile: &Tile, flat: i64) -> i128 {
    i128::from(tile.layout.place(flat, M)) * i128::from((tile.element.width() / 8).max(1))
}

/// The numbers on an axis by which the copies of an element differ from it, ascending, 0 among them.
fn steps(layout: &Layout, axis: Axis) -> Result<Vec<i64>> {
    let mut steps = vec![0];
    for iter in layout.replica().iter().filter(|iter| iter.axis == axis && iter.stride > 0) {
        let count = (steps.len() as i64).saturating_mul(iter.extent);
        ensure!(
            count <= MAX_COPIES,
            "{count} copies on axis {} are more than the {MAX_COPIES} that are drawn",
            AXES[axis as usize]
        );
        steps = steps.iter().flat_map(|step| (0..iter.extent).map(move |i| step + i * iter.stride)).collect();
        steps.sort_unstable();
        steps.dedup();
    }
    Ok(steps)
}

/// A layout for each of the copies on m, which the swizzle permutes as it does the element.
fn copies_on_m(layout: &Layout) -> Result<Vec<Layout>> {
    let copy = |step: i64| {
        let mut offset = layout.offset().to_vec();
        match offset.iter_mut().find(|offset| offset.axis == M) {
            Some(offset) => offset.value += step,
            None => offset.push(Offset { value: step, axis: M }),
        }
        let copy = Layout::new(layout.shard().to_vec(), vec![], offset)?;
        Ok(match layout.swizzle() {
            Some(swizzle) => copy.with_swizzle(swizzle)?,
            None => copy,
        })
    };
    steps(layout, M)?.into_iter().map(copy).collect()
}

/// How threads are named in the cells of a drawing.
struct Threads {
    /// The axes that cells name, the widest first, each with its name there and the steps of copies.
    axes: Vec<(Axis, String, Vec<i64>)>,
    /// The axes with one value for all elements, with that value and its copies.
    same: Vec<(Axis, Vec<i64>)>,
}

impl Threads {
    fn of(layout: &Layout) -> Result<Threads> {
        let position = |axis: &Axis| NAMES.iter().position(|(name, _)| *name == AXES[*axis as usize]);
        let mut all: Vec<Axis> = layout.thread_axes().collect();
        all.sort_by_key(position);
        let moves = |axis: Axis| {
            let mut iters = layout.shard().iter();
            iters.any(|iter| iter.axis == axis && iter.extent > 1 && iter.stride > 0)
        };
        let none_moves = !all.iter().any(|axis| moves(*axis));
        let (named, same): (Vec<Axis>, Vec<Axis>) = all.into_iter().partition(|axis| none_moves || moves(*axis));

        let names: Vec<&str> = named.iter().map(|axis| position(axis).map_or("", |at| NAMES[at].1)).collect();
        let is_clear = |i: usize| !names[i].is_empty() && names.iter().filter(|name| **name == names[i]).count() == 1;
        let axes = named.iter().enumerate().map(|(i, &axis)| {
            let name = if is_clear(i) { names[i].to_string() } else { AXES[axis as usize].to_string() };
            Ok((axis, name, steps(layout, axis)?))
        });
        let same = same.into_iter().map(|axis| Ok((axis, plus(&steps(layout, axis)?, layout.place(0, axis)))));
        Ok(Threads { axes: axes.collect::<Result<_>>()?, same: same.collect::<Result<_>>()? })
    }

    /// The number of the thread on each axis that cells name.
    fn numbers(&self, layout: &Layout, flat: i64) -> Vec<i64> {
        self.axes.iter().map(|(axis, ..)| layout.place(flat, *axis)).collect()
    }

    /// The name in cells, divided as in an [`Owner`].
    fn name(&self, numbers: &[i64]) -> (String, String) {
        let axes = self.axes.iter().zip(numbers);
        let mut names: Vec<String> =
            axes.map(|((_, name, steps), number)| format!("{name}{}", short(&plus(steps, *number)))).collect();
        let inner = names.pop().unwrap_or_default();
        (names.join(" "), inner)
    }
}

fn plus(steps: &[i64], number: i64) -> Vec<i64> {
    steps.iter().map(|step| step + number).collect()
}

/// Those of sorted numbers, named as `name` says.
fn owners(distinct: &[Vec<i64>], name: impl Fn(&[i64]) -> (String, String)) -> Vec<Owner> {
    // Of a long axis, as many as there are hues are a group.
    let group_of = |numbers: &[i64]| numbers.split_last().map(|(last, outer)| (outer.to_vec(), last / HUES));
    let mut groups = 0;
    let mut before = None;
    let owner = |numbers: &Vec<i64>| {
        let its = group_of(numbers);
        if before.as_ref().is_some_and(|before| *before != its) {
            groups += 1;
        }
        before = Some(its);
        let (outer, inner) = name(numbers);
        let hue = numbers.last().map_or(0, |last| last % HUES) as usize;
        Owner { outer, inner, group: groups, hue }
    };
    distinct.iter().map(owner).collect()
}

/// What is said above the cells.
fn notes(tile: &Tile, colour: Colour, threads: &Threads, row_axes: usize) -> Vec<String> {
    let Tile { shape, layout, element, .. } = tile;
    let axes = |what: &str, range: std::ops::Range<usize>| {
        let longer: Vec<String> = range.filter(|axis| shape[*axis] > 1).map(|axis| axis.to_string()).collect();
        match longer.as_slice() {
            [] => format!("one {}", what.trim_end_matches('s')),
            [one] => format!("{what} are axis {one}"),
            several => format!("{what} are axes {}", several.join(", ")),
        }
    };
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    let mut notes = vec![format!(
        "shape {}: {}, {}",
        if extents.is_empty() { "of rank 0".into() } else { extents.join("x") },
        axes("rows", 0..row_axes),
        axes("columns", row_axes..shape.len()),
    )];
    let count = |noun: &str| match layout.span(M) {
        1 => format!("1 {noun}"),
        span => format!("{span} {noun}s"),
    };
    notes.push(match colour {
        Colour::Thread => {
            let names = threads.axes.iter().map(|(axis, name, _)| match AXES[*axis as usize] {
                full if full == name => format!("{full}, "),
                full => format!("{name} {full}, "),
            });
            format!("cell: {}m of {} of the thread", names.collect::<String>(), count("register"))
        }
        Colour::Register => format!("cell: m of {} of the thread", count("register")),
        Colour::Bank => format!("cell: B bank, m of {} of {element}, the first at bank 0", count("element")),
        Colour::Line => format!("cell: m of {} of {element}", count("element")),
    });
    let same = threads.same.iter().map(|(axis, numbers)| format!("{} {}", AXES[*axis as usize], short(numbers)));
    let same: Vec<String> = same.collect();
    if !same.is_empty() {
        notes.push(format!("all on {}", same.join(", ")));
    }
    if layout.has_dynamic_offset() {
        notes.push("m counts from where the slice begins, which is no constant".into());
    }
    notes
}
