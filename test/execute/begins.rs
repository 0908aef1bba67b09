//! Slices of random programs, and views of them: begins are constants, or values that tile-check can bound.
//!
//! - Of memory: any arithmetic on arguments, threads and loops, with a bound put around it (arithmetic.rs).
//! - Of registers: what loops with constant bounds alone decide, which are then unrolled.
//! - A begin that is a value keeps vectors aligned: `Tile::begin_bits` is what it is known to be a multiple of.

use super::{Generator, register_types};
use crate::arithmetic::{Kind, Value, bounded, operation};
use crate::tile::{Begin, Choices, Tile, gcd, split, transposed};
use ptx_tile_dialect::element::Element;
use ptx_tile_dialect::layout::Layout;

/// A value of type index that a program may begin at.
#[derive(Clone)]
pub struct Index {
    pub name: String,
    /// The largest that it may be; the least is 0.
    pub most: i64,
    /// Loops with constant bounds decide it.
    pub is_static: bool,
}

impl Generator {
    /// A region of a tile that is there.
    pub fn slice(&mut self, choices: &mut Choices) {
        let Some(of) = choices.of(&self.tiles) else { return };
        let slopes: Option<Vec<i64>> = of
            .layout
            .dimensions(&of.shape)
            .filter(|_| of.layout.swizzle().is_none())
            .and_then(|axes| axes.iter().map(Layout::slope).collect());
        let (mut begins, mut extents) = (vec![], vec![]);
        // Each begin adds a multiple of its stride.
        let mut begin_bits = of.begin_bits;
        let width = i64::from(of.element.width());
        for (axis, size) in of.shape.iter().enumerate() {
            // Groups in memory stay whole.
            let whole = axis + 1 == of.shape.len() && of.is_memory();
            let extent = if whole { *size } else { 1 + choices.below(*size as usize) as i64 };
            let begin = match &slopes {
                Some(slopes) if extent < *size && choices.once_in(2) => {
                    begin_bits = gcd(begin_bits, slopes[axis] * width);
                    self.begin(&of, size - extent, choices)
                }
                _ => Begin::Constant(choices.below((size - extent) as usize + 1) as i64),
            };
            if let (Begin::Constant(number), Some(slopes)) = (&begin, &slopes) {
                begin_bits = gcd(begin_bits, number * slopes[axis] * width);
            }
            begins.push(begin);
            extents.push(extent);
        }
        let offset: i64 = of.layout.offset().iter().map(|offset| offset.value).sum();
        begin_bits = gcd(begin_bits, offset * width);
        let name = self.name("s");
        let as_subview = of.is_strided && !(of.is_memory() && of.is_view) && choices.once_in(2);
        let subview = of.subview(&name, &begins, &extents).filter(|_| as_subview);
        let Some((tile, line)) = subview.or_else(|| of.slice(&name, &begins, &extents)) else { return };
        if tile.layout.has_dynamic_offset() && slopes.is_none() {
            return;
        }
        self.line(&line);
        self.tiles.push(Tile { begin_bits, ..tile });
    }

    /// A begin from 0 to `last`, not always a constant.
    fn begin(&mut self, of: &Tile, last: i64, choices: &mut Choices) -> Begin {
        let index = |its: &Index| Value { name: its.name.clone(), kind: Kind::Index };
        let mut values: Vec<Value> = if of.is_memory() {
            let arguments = ["%ns0", "%ns1", "%tid"].map(|name| Value { name: name.into(), kind: Kind::Index });
            arguments.into_iter().chain(self.indices.iter().map(index)).collect()
        } else {
            self.indices.iter().filter(|its| its.is_static).map(index).collect()
        };
        let is_small = of.is_memory() || self.indices.iter().filter(|its| its.is_static).count() <= 2;
        if values.is_empty() || !is_small {
            return Begin::Constant(choices.below(last as usize + 1) as i64);
        }
        if let Some(its) = choices.of(&self.indices).filter(|its| its.is_static && its.most <= last)
            && choices.once_in(2)
        {
            return Begin::Value(its.name);
        }
        for _ in 0..choices.below(3) {
            let (lines, value) = operation(&values, &self.name("a"), choices);
            // What is undefined for some operands, overflows, or has no folder for all of them.
            let partial = ["div", "rem", ".sh", "affine", "index."];
            if !lines.iter().any(|line| partial.iter().any(|op| line.contains(op))) {
                lines.iter().for_each(|line| self.line(line));
                values.push(value);
            }
        }
        let name = self.name("b");
        let (lines, value) = bounded(&values, &name, last, 1, 0, choices);
        lines.iter().for_each(|line| self.line(line));
        Begin::Value(value.name)
    }

    /// The same bits as elements of another width, shape or order.
    pub fn view(&mut self, choices: &mut Choices) {
        let dense: Vec<Tile> = self.tiles.iter().filter(|tile| tile.is_dense()).cloned().collect();
        let Some(of) = choices.of(&dense) else { return };
        let bits = of.size() * i64::from(of.element.width());
        let all = register_types();
        let fits = |element: &&Element| {
            let width = i64::from(element.width());
            (width == of.element.width().into() || (width % 8 == 0 && of.element.width() % 8 == 0))
                && bits % width == 0
                && of.begin_bits % width == 0
        };
        let Some(element) = choices.of(&all.iter().filter(fits).copied().collect::<Vec<_>>()) else { return };
        let (count, width) = (bits / i64::from(element.width()), i64::from(element.width()));
        let is_aligned = |group: &i64| !of.is_memory() || of.begin_bits % (group * width) == 0;
        let groups: Vec<i64> = [1, 2, 4].into_iter().filter(|group| count % group == 0 && is_aligned(group)).collect();
        let group = choices.of(&groups).expect("there is 1");
        let left = count / group;
        let shape = match left % 2 == 0 && choices.once_in(2) {
            true => vec![2, left / 2, group],
            false => vec![left, group],
        };
        let (mut layout, is_strided) = match choices.below(3) {
            1 if !of.is_memory() || group == 1 => (split(&shape, false, choices), false),
            2 if !of.is_memory() => (transposed(&shape), true),
            _ => (Layout::row_major(&shape).expect("it is legal"), true),
        };
        if of.layout.has_dynamic_offset() {
            layout = layout.with_dynamic_offset();
        }
        let tile = Tile { name: self.name("v"), shape, element, layout, is_strided, is_view: true, ..of.clone() };
        self.line(&format!("{} = tile.view {} : {} to {}", tile.name, of.name, of.text(), tile.text()));
        self.tiles.push(tile);
    }
}
