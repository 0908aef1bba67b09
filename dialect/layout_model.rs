//! Layouts of tests: a naive model of what they map to, and random ones.
//!
//! The model is R42 read aloud: nested loops over the components, outermost first, so that its list is in flat order;
//! it shares nothing with the code under test but the data types.

use super::axes::{LANEID, WARPID};
use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

pub const AXES: [Axis; 3] = [M, LANEID, WARPID];

pub(super) fn slots(layout: &Layout) -> Vec<i64> {
    layout.slots().collect()
}

pub(super) fn swizzle(per_element: u32, swizzle: u32, atom: u32, outer: bool) -> Swizzle {
    Swizzle { per_element, swizzle, atom, outer }
}

/// The coordinates on `axis` that steps along `list` add to those in `from`, the last iter fastest.
fn walk(from: Vec<i64>, list: &[Iter], axis: Axis) -> Vec<i64> {
    let Some((first, rest)) = list.split_first() else {
        return from;
    };
    let mut to = vec![];
    for coordinate in from {
        for step in 0..first.extent {
            to.push(coordinate + if first.axis == axis { step * first.stride } else { 0 });
        }
    }
    walk(to, rest, axis)
}

/// R42 and R49: the base coordinate on `axis` of every element, in flat order.
pub fn model(layout: &Layout, axis: Axis) -> Vec<i64> {
    let start = layout.offset.iter().filter(|offset| offset.axis == axis).map(|offset| offset.value).sum();
    let base = walk(vec![start], &layout.shard, axis);
    let Some(s) = layout.swizzle else { return base };
    let (element, atom, k) = (2i64.pow(s.per_element), 2i64.pow(s.atom), 2i64.pow(s.swizzle) - 1);
    let permute = |m: i64| {
        let x = m / element;
        let x = if s.outer { x ^ ((x & k) * atom) } else { x ^ ((x / atom) & k) };
        x * element + m % element
    };
    base.into_iter().map(permute).collect()
}

/// All indices of `extents` in row-major order.
pub(super) fn indices(extents: &[i64]) -> Vec<Vec<i64>> {
    let Some((first, rest)) = extents.split_first() else {
        return vec![vec![]];
    };
    let tails = indices(rest);
    (0..*first).flat_map(|i| tails.iter().map(move |tail| [&[i], &tail[..]].concat())).collect()
}

pub(super) fn flat(shape: &[i64], index: &[i64]) -> usize {
    shape.iter().zip(index).fold(0, |flat, (&extent, &i)| flat * extent + i) as usize
}

pub(super) fn any_iter() -> impl Strategy<Value = Iter> {
    let stride = prop_oneof![0..13i64, Just(1), Just(24)];
    (1..5i64, stride, prop_oneof![3 => Just(M), 1 => Just(LANEID), 1 => Just(WARPID)])
        .prop_map(|(extent, stride, axis)| Iter { extent, stride, axis })
}

pub(super) fn any_offsets() -> impl Strategy<Value = Vec<Offset>> {
    let all: Vec<_> = AXES.to_vec();
    (proptest::sample::subsequence(all, 0..=3), prop::collection::vec(0..9i64, 3))
        .prop_map(|(axes, values)| axes.into_iter().zip(values).map(|(axis, value)| Offset { value, axis }).collect())
}

pub(super) fn plain_layout() -> impl Strategy<Value = Layout> {
    let list = |n| prop::collection::vec(any_iter(), 0..n);
    (list(5), list(3), any_offsets()).prop_map(|(shard, replica, offset)| Layout::new(shard, replica, offset).unwrap())
}

/// Iters that continue each other, so that the whole is `stride` times the flat index, plus an offset.
pub(super) fn linear_layout() -> impl Strategy<Value = Layout> {
    (prop::collection::vec(1..5i64, 0..5), 0..4i64, 0..9i64).prop_map(|(extents, stride, offset)| {
        let strides: Vec<i64> = (0..extents.len()).map(|i| stride * extents[i + 1..].iter().product::<i64>()).collect();
        Layout::strided(&extents, &strides, offset).unwrap()
    })
}

pub(super) fn swizzled_layout() -> impl Strategy<Value = Layout> {
    let all_on_m = plain_layout().prop_map(|layout| {
        let to_m = |list: &[Iter]| list.iter().map(|iter| Iter { axis: M, ..*iter }).collect();
        let offset = layout.offset().iter().copied().filter(|offset| offset.axis == M).collect();
        Layout::new(to_m(layout.shard()), to_m(layout.replica()), offset).unwrap()
    });
    (all_on_m, 0..4u32, 0..4u32, 0..3u32, any::<bool>()).prop_map(|(layout, per_element, length, extra, outer)| {
        layout.with_swizzle(swizzle(per_element, length, length + extra, outer)).unwrap()
    })
}

pub fn any_layout() -> impl Strategy<Value = Layout> {
    prop_oneof![3 => plain_layout(), 1 => linear_layout(), 2 => swizzled_layout()]
}

/// Some shape of `size` elements: `picks` choose divisors, the last dimension takes what is left.
pub(super) fn some_shape(size: i64, picks: &[usize]) -> Vec<i64> {
    let mut left = size;
    let mut shape = vec![];
    for pick in picks {
        let divisors: Vec<i64> = (1..=left).filter(|d| left % d == 0).collect();
        shape.push(divisors[pick % divisors.len()]);
        left /= shape.last().unwrap();
    }
    shape.push(left);
    shape
}

/// A region of `shape` chosen by `picks`, one pair a dimension.
pub(super) fn some_region(shape: &[i64], picks: &[(usize, usize)]) -> (Vec<i64>, Vec<i64>) {
    let range = |(&size, &(begin, extent)): (&i64, &(usize, usize))| {
        let begin = begin as i64 % size;
        (begin, 1 + extent as i64 % (size - begin))
    };
    shape.iter().zip(picks).map(range).unzip()
}

pub(super) fn shape_picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..100usize, 0..4)
}

pub(super) fn region_picks() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..100usize, 0..100usize), 5)
}

/// That `slice` has each element of the region of `layout` where `layout` has it.
pub(super) fn check_slice(layout: &Layout, slice: &Layout, shape: &[i64], begins: &[i64], extents: &[i64]) {
    assert_eq!(slice.admits(extents), Ok(()));
    assert_eq!(slice.clone().with_checked_spans(), Ok(slice.clone()), "a slice is well-formed");
    assert_eq!(slice.replica(), layout.replica());
    for axis in AXES {
        let (whole, part) = (model(layout, axis), model(slice, axis));
        assert!(slice.span(axis) <= layout.span(axis));
        for index in indices(extents) {
            let shifted: Vec<i64> = index.iter().zip(begins).map(|(i, begin)| i + begin).collect();
            assert_eq!(part[flat(extents, &index)], whole[flat(shape, &shifted)], "axis {axis}, index {index:?}");
        }
    }
    let expected: Vec<i64> = model(slice, M);
    assert_eq!(slots(slice), expected);
}

/// How far the copies of an element are from it on one axis.
pub(super) fn copies(layout: &Layout, axis: Axis) -> HashSet<i64> {
    layout.replica().iter().fold(HashSet::from([0]), |all, iter| {
        let step = if iter.axis == axis { iter.stride } else { 0 };
        all.iter().flat_map(|at| (0..iter.extent).map(move |i| at + i * step)).collect()
    })
}

/// The same layout, written otherwise: iters are split, and some that do nothing put in.
pub fn otherwise(layout: &Layout, picks: &[(usize, usize)]) -> Layout {
    let (mut shard, mut replica) = (layout.shard().to_vec(), layout.replica().to_vec());
    for (what, place) in picks {
        let list = if what % 3 == 0 { &mut replica } else { &mut shard };
        let at = place % (list.len() + 1);
        match list.get(at).copied().filter(|_| what % 3 != 0) {
            Some(Iter { extent: extent @ (4 | 6 | 8 | 9 | 10 | 12), stride, axis }) => {
                let inner = if extent % 2 == 0 { 2 } else { 3 };
                list[at] = Iter { extent: extent / inner, stride: stride * inner, axis };
                list.insert(at + 1, Iter { extent: inner, stride, axis });
            }
            _ => list.insert(at, Iter { extent: 1, stride: *what as i64, axis: M }),
        }
    }
    replica.reverse();
    let mut offset = layout.offset().to_vec();
    offset.reverse();
    let other = Layout::new(shard, replica, offset).unwrap();
    layout.swizzle().map_or(other.clone(), |swizzle| other.with_swizzle(swizzle).unwrap())
}
