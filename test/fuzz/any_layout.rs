//! Layouts made of any numbers, and where their elements are, by counting.

use arbitrary::Arbitrary;
use ptx_tile_dialect::layout::{Axis, DYNAMIC, Iter, Layout, M, Offset, Swizzle};
use ptx_tile_dialect::layout_text::{AXES, Fault};

/// Numbers as they occur, and those at which something ends.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Number {
    /// From 0 to 15.
    Small(u8),
    /// From 0 to 15; most are.
    Small2(u8),
    /// About a power of two.
    Power(u8, i8),
    /// Any.
    Any(i64),
}

impl Number {
    /// Which it is.
    pub fn value(self) -> i64 {
        match self {
            Number::Small(value) | Number::Small2(value) => i64::from(value % 16),
            Number::Power(bits, more) => (1i64 << (bits % 63)).saturating_add(i64::from(more)),
            Number::Any(value) => value,
        }
    }
}

/// A layout as numbers, which may be none.
#[derive(Arbitrary, Debug)]
pub struct Numbers {
    shard: Vec<(Number, Number, u8)>,
    replica: Vec<(Number, Number, u8)>,
    offset: Vec<(Number, u8)>,
    dynamic: bool,
    swizzle: Option<(u8, u8, u8, bool)>,
}

impl Numbers {
    /// The layout that they are.
    pub fn layout(&self) -> Result<Layout, Fault> {
        // Most are on m, and some are on no axis at all.
        let axis = |axis: u8| if axis < 128 { M } else { Axis::from(axis) % (AXES.len() as Axis + 1) };
        let iters = |list: &[(Number, Number, u8)]| {
            let iter = |(extent, stride, at): &(Number, Number, u8)| Iter {
                extent: extent.value(),
                stride: stride.value(),
                axis: axis(*at),
            };
            list.iter().take(8).map(iter).collect::<Vec<_>>()
        };
        let mut offset: Vec<Offset> =
            self.offset.iter().take(4).map(|(value, at)| Offset { value: value.value(), axis: axis(*at) }).collect();
        offset.extend(self.dynamic.then_some(Offset { value: DYNAMIC, axis: M }));
        let layout = Layout::new(iters(&self.shard), iters(&self.replica[..self.replica.len().min(2)]), offset)?;
        let Some((per_element, swizzle, more, outer)) = self.swizzle else { return Ok(layout) };
        let [per_element, swizzle, more] =
            [per_element, swizzle, more].map(|it| u32::from(if it < 250 { it % 5 } else { it }));
        layout.with_swizzle(Swizzle { per_element, swizzle, atom: more, outer })
    }
}

/// The coordinates of each element on each axis, by R42 and R49 as they are written.
pub fn places(layout: &Layout) -> Vec<[i64; AXES.len()]> {
    let mut places = vec![[0; AXES.len()]];
    layout.offset().iter().for_each(|it| places[0][it.axis as usize] += it.value);
    for iter in layout.shard() {
        places = steps(&places, iter);
    }
    if let Some(Swizzle { per_element, swizzle, atom, outer }) = layout.swizzle() {
        for place in &mut places {
            let (whole, rest) = (place[M as usize] >> per_element, place[M as usize] % (1 << per_element));
            let mask = (1 << swizzle) - 1;
            let changed = if outer { whole ^ ((whole & mask) << atom) } else { whole ^ ((whole >> atom) & mask) };
            place[M as usize] = (changed << per_element) + rest;
        }
    }
    places
}

/// The places that the steps of an iter make of each of some.
pub fn steps(places: &[[i64; AXES.len()]], iter: &Iter) -> Vec<[i64; AXES.len()]> {
    let step = |place: &[i64; AXES.len()], i: i64| {
        let mut place = *place;
        place[iter.axis as usize] += i * iter.stride;
        place
    };
    places.iter().flat_map(|place| (0..iter.extent).map(move |i| step(place, i))).collect()
}
