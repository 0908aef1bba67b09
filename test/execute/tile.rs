//! The memrefs of random programs, and layouts of every kind for them.

use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::layout::{Iter, Layout, M, Offset};

/// A memref of a program.
#[derive(Clone, Debug)]
pub struct Tile {
    pub name: String,
    pub shape: Vec<i64>,
    pub element: Element,
    pub is_memory: bool,
    pub layout: Layout,
    /// The layout is written as strides.
    pub is_strided: bool,
    /// Groups along the last axis are consecutive and aligned in memory.
    pub in_groups: bool,
    /// A tile op made it, so that no other op may read it as memory.
    pub is_view: bool,
}

impl Tile {
    pub fn text(&self) -> String {
        let shape: String = self.shape.iter().map(|extent| format!("{extent}x")).collect();
        let layout = match self.is_strided {
            true if self.is_row_major() => String::new(),
            true => format!(", {}", strided(&self.layout)),
            false => format!(", {}", self.layout),
        };
        let space = if self.is_memory { "1" } else { "#gpu.address_space<private>" };
        format!("memref<{shape}{}{layout}, {space}>", self.element)
    }

    pub fn is_row_major(&self) -> bool {
        Layout::row_major(&self.shape).is_ok_and(|its| its == self.layout)
    }

    pub fn size(&self) -> i64 {
        self.layout.size()
    }
}

pub fn strided(layout: &Layout) -> String {
    let strides: Vec<i64> = layout.shard().iter().map(|iter| iter.stride).collect();
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
