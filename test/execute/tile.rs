//! The memrefs of random programs, and layouts of every kind for them.

use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::layout::{Iter, Layout, M, Offset};
use std::fmt;

/// Where a memref is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Registers,
    Global,
    Shared,
}

/// As types write it.
impl fmt::Display for Space {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Space::Registers => "#gpu.address_space<private>",
            Space::Global => "1",
            Space::Shared => "#gpu.address_space<workgroup>",
        })
    }
}

/// A memref of a program.
#[derive(Clone, Debug)]
pub struct Tile {
    pub name: String,
    pub shape: Vec<i64>,
    pub element: Element,
    pub space: Space,
    pub layout: Layout,
    /// The layout is written as strides.
    pub is_strided: bool,
    /// Groups along the last axis are consecutive and aligned in memory.
    pub in_groups: bool,
    /// A tile op made it, so that no other op may read it as memory.
    pub is_view: bool,
    /// What its begin is a multiple of where that is no constant; 0 where it is one.
    pub begin_bits: i64,
}

impl Tile {
    pub fn text(&self) -> String {
        let shape: String = self.shape.iter().map(|extent| format!("{extent}x")).collect();
        let layout = match self.is_strided {
            true if self.is_row_major() => String::new(),
            true => format!(", {}", strided(&self.layout)),
            false => format!(", {}", self.layout),
        };
        format!("memref<{shape}{}{layout}, {}>", self.element, self.space)
    }

    pub fn is_memory(&self) -> bool {
        self.space != Space::Registers
    }

    /// The tile of a region, and the `tile.slice` that makes it. `None` where no layout describes it.
    pub fn slice(&self, name: &str, begins: &[Begin], extents: &[i64]) -> Option<(Tile, String)> {
        let is_dynamic = begins.iter().any(|begin| matches!(begin, Begin::Value(_)));
        let fixed: Vec<i64> =
            begins.iter().map(|begin| if let Begin::Constant(it) = begin { *it } else { 0 }).collect();
        let layout = self.layout.slice(&self.shape, &fixed, extents).ok()?;
        if self.is_strided && layout.shard().len() != extents.len() {
            return None;
        }
        let layout = if is_dynamic { layout.with_dynamic_offset() } else { layout };
        let tile = Tile { name: name.into(), shape: extents.to_vec(), layout, is_view: true, ..self.clone() };
        let begins = list(begins);
        let line =
            format!("{name} = tile.slice {}[{begins}] {extents:?} : {} to {}", self.name, self.text(), tile.text());
        Some((tile, line))
    }

    /// The same by `memref.subview`, of strides, and the type that it has.
    pub fn subview(&self, name: &str, begins: &[Begin], extents: &[i64]) -> Option<(Tile, String)> {
        // A begin adds nothing along a stride of 0, and MLIR's type is then another one.
        let mut axes = begins.iter().zip(self.layout.shard());
        let adds = axes.all(|(begin, iter)| iter.stride > 0 || matches!(begin, Begin::Constant(_)));
        let (tile, _) = self.slice(name, begins, extents).filter(|_| self.is_strided && adds)?;
        let (begins, ones) = (list(begins), vec![1; extents.len()]);
        let shape: String = extents.iter().map(|extent| format!("{extent}x")).collect();
        let r#type = format!("memref<{shape}{}, {}, {}>", self.element, strided(&tile.layout), self.space);
        let line =
            format!("{name} = memref.subview {}[{begins}] {extents:?} {ones:?} : {} to {type}", self.name, self.text());
        // The printed type of one that begins at 0 without gaps is another one.
        (r#type == tile.text()).then_some((Tile { is_view: self.is_view, ..tile }, line))
    }

    pub fn is_row_major(&self) -> bool {
        Layout::row_major(&self.shape).is_ok_and(|its| its == self.layout)
    }

    /// Row-major without gaps, wherever it begins.
    pub fn is_dense(&self) -> bool {
        let plain = Layout::row_major(&self.shape);
        self.is_strided && plain.is_ok_and(|its| its == self.layout || its.with_dynamic_offset() == self.layout)
    }

    pub fn size(&self) -> i64 {
        self.layout.size()
    }
}

/// Where a slice begins on an axis.
#[derive(Clone, Debug)]
pub enum Begin {
    Constant(i64),
    Value(String),
}

impl fmt::Display for Begin {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Begin::Constant(number) => number.fmt(out),
            Begin::Value(name) => out.write_str(name),
        }
    }
}

fn list(begins: &[Begin]) -> String {
    begins.iter().map(Begin::to_string).collect::<Vec<_>>().join(", ")
}

pub fn strided(layout: &Layout) -> String {
    let strides: Vec<i64> = layout.shard().iter().map(|iter| iter.stride).collect();
    if layout.has_dynamic_offset() {
        return format!("strided<{strides:?}, offset: ?>");
    }
    match layout.offset() {
        [] => format!("strided<{strides:?}>"),
        [offset, ..] => format!("strided<{strides:?}, offset: {}>", offset.value),
    }
}

/// Numbers that choose; after the last one every choice is the first.
pub struct Choices<'a>(pub &'a [u16]);

impl Choices<'_> {
    pub fn below(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % count.max(1)
    }

    pub fn of<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        let index = self.below(items.len());
        items.get(index).cloned()
    }

    /// True once in so many times, and not where choices have ended.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }
}

/// The indices of every element, row-major.
pub fn indices_of(tile: &Tile) -> Vec<String> {
    let all = |fronts: Vec<String>, extent: &i64| -> Vec<String> {
        let comma = if fronts == [""] { "" } else { ", " };
        fronts.iter().flat_map(|front| (0..*extent).map(move |index| format!("{front}{comma}{index}"))).collect()
    };
    tile.shape.iter().fold(vec![String::new()], all)
}

/// The greatest common divisor; 0 has every divisor.
pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The bytes of an element in memory.
pub fn bytes(element: Element) -> usize {
    element.width().div_ceil(8) as usize
}

/// Strides with gaps. For registers the axes are in any order; for memory groups stay consecutive and aligned.
pub fn gapped(shape: &[i64], is_memory: bool, choices: &mut Choices) -> Layout {
    let mut order: Vec<usize> = (0..shape.len()).rev().collect();
    if !is_memory {
        order.rotate_left(choices.below(shape.len()));
    }
    let (mut strides, mut span) = (vec![0; shape.len()], 1);
    for (position, axis) in order.into_iter().enumerate() {
        let step = if is_memory { shape[shape.len() - 1] } else { 1 };
        let gap = if is_memory && position == 0 { 0 } else { step * choices.below(2) as i64 };
        strides[axis] = span + gap;
        span = strides[axis] * shape[axis];
    }
    let offset = if is_memory { 0 } else { choices.below(2) as i64 };
    Layout::strided(shape, &strides, offset).expect("it is legal")
}

/// The axes in the opposite order.
pub fn transposed(shape: &[i64]) -> Layout {
    let mut inner = 1;
    let strides: Vec<i64> = shape
        .iter()
        .map(|extent| {
            inner *= extent;
            inner / extent
        })
        .collect();
    Layout::strided(shape, &strides, 0).expect("it is legal")
}

/// A tile layout of two iters that are no axes of the shape.
pub fn split(shape: &[i64], may_gap: bool, choices: &mut Choices) -> Layout {
    let size: i64 = shape.iter().product();
    let divisors: Vec<i64> = (1..=size).filter(|divisor| size % divisor == 0).collect();
    let inner = choices.of(&divisors).expect("there is 1");
    let outer = size / inner;
    let iter = |extent, stride| Iter { extent, stride, axis: M };
    let gap = if may_gap { choices.below(2) as i64 } else { 0 };
    let shard = match choices.once_in(2) {
        true => vec![iter(outer, 1), iter(inner, outer + gap)],
        false => vec![iter(outer, inner + gap), iter(inner, 1)],
    };
    let offset = (may_gap && choices.once_in(3)).then_some(Offset { value: 2, axis: M });
    Layout::new(shard, vec![], offset.into_iter().collect()).expect("it is legal")
}
