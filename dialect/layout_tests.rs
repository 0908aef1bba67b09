//! Tests of `layout.rs`: the worked numbers of the contract, every fault, and properties against a naive model.
//!
//! The model is R42 read aloud: nested loops over the components, outermost first, so that its list is in flat order;
//! it shares nothing with the code under test but the data types.

use super::axes::{LANEID, WARPID};
use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

pub const AXES: [Axis; 3] = [M, LANEID, WARPID];

fn iters(list: &[(i64, i64, Axis)]) -> Vec<Iter> {
    list.iter().map(|&(extent, stride, axis)| Iter { extent, stride, axis }).collect()
}

fn on_m(list: &[(i64, i64)]) -> Layout {
    let list: Vec<_> = list.iter().map(|&(extent, stride)| (extent, stride, M)).collect();
    Layout::new(iters(&list), vec![], vec![]).unwrap()
}

fn slots(layout: &Layout) -> Vec<i64> {
    layout.slots().collect()
}

fn swizzle(per_element: u32, swizzle: u32, atom: u32, outer: bool) -> Swizzle {
    Swizzle { per_element, swizzle, atom, outer }
}

// ---------------------------------------------------------------------------------------------------------------------
// Worked numbers

/// `S[(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)] + R[2:4@warpid] + 5@warpid` of section 6.2.
fn fragment() -> Layout {
    let shard = iters(&[(8, 4, LANEID), (2, 1, WARPID), (4, 1, LANEID), (2, 1, M)]);
    Layout::new(shard, iters(&[(2, 4, WARPID)]), vec![Offset { value: 5, axis: WARPID }]).unwrap()
}

#[test]
fn fragment_of_section_6_2() {
    let layout = fragment();
    let rows = [
        // i, j, lane, warp, m
        (0, 0, 0, 5, 0),
        (0, 1, 0, 5, 1),
        (0, 2, 1, 5, 0),
        (1, 0, 4, 5, 0),
        (0, 8, 0, 6, 0),
        (3, 11, 13, 6, 1),
        (7, 15, 31, 6, 1),
    ];
    for (i, j, lane, warp, m) in rows {
        let flat = i * 16 + j;
        assert_eq!((layout.place(flat, LANEID), layout.place(flat, WARPID), layout.place(flat, M)), (lane, warp, m));
    }
    assert_eq!(layout.size(), 128);
    assert_eq!((layout.span(LANEID), layout.span(WARPID), layout.span(M)), (32, 11, 2));
    assert_eq!(layout.thread_axes().collect::<Vec<_>>(), [LANEID, WARPID]);
    assert!(layout.surely_injective());
    assert_eq!(layout.admits(&[8, 16]), Ok(()));
    assert_eq!((layout.shard().len(), layout.replica().len(), layout.offset().len()), (4, 1, 1));
}

#[test]
fn slots_and_spans_of_section_6_2() {
    let shape = [4, 1];
    let cases = [
        (Layout::row_major(&shape), vec![0, 1, 2, 3], 4),
        (Layout::strided(&shape, &[2, 1], 0), vec![0, 2, 4, 6], 7),
        (Layout::strided(&shape, &[2, 1], 5), vec![5, 7, 9, 11], 12),
        (Ok(on_m(&[(2, 4), (2, 1)])), vec![0, 1, 4, 5], 6),
        (Layout::strided(&shape, &[0, 1], 0), vec![0, 0, 0, 0], 1),
    ];
    for (layout, expected, span) in cases {
        let layout = layout.unwrap();
        assert_eq!(layout.admits(&shape), Ok(()));
        assert_eq!((slots(&layout), layout.span(M)), (expected, span));
    }
}

#[test]
fn thread_tile_of_section_6_2() {
    const TX: Axis = 7;
    let layout = Layout::new(iters(&[(64, 1, TX), (3, 1, M), (1, 1, M)]), vec![], vec![]).unwrap();
    assert_eq!(layout.admits(&[2, 32, 3, 1]), Ok(()));
    let flat = (32 + 5) * 3 + 2; // (1, 5, 2, 0)
    assert_eq!((layout.place(flat, TX), layout.place(flat, M)), (37, 2));
}

#[test]
fn swizzles_of_r50() {
    let tile = || Layout::strided(&[8, 64], &[64, 1], 0).unwrap();
    let inner = tile().with_swizzle(swizzle(3, 3, 3, false)).unwrap();
    let at = |i: i64, j: i64| inner.place(i * 64 + j, M);
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|i| at(i, 0)), [0, 72, 144, 216, 288, 360, 432, 504]);
    assert_eq!((at(3, 17), at(7, 63)), (201, 455));
    assert_eq!(inner.span(M), 512);
    let row = Layout::row_major(&[8]).unwrap().with_swizzle(swizzle(3, 3, 3, false)).unwrap();
    assert_eq!(row.span(M), 8, "a tile too small for the bits that are read stays where it is");

    let inner = tile().with_swizzle(swizzle(0, 2, 3, false)).unwrap();
    assert_eq!([9, 131, 209].map(|m| inner.place(m, M)), [8, 131, 211]);
    let outer = tile().with_swizzle(swizzle(0, 2, 3, true)).unwrap();
    assert_eq!([1, 9, 131].map(|m| outer.place(m, M)), [9, 1, 155]);
}

#[test]
fn a_swizzle_repeats_after_its_period() {
    assert_eq!(swizzle(5, 0, 7, false).period(), 1, "it moves nothing");
    for outer in [false, true] {
        let swizzle = swizzle(1, 2, 3, outer);
        let period = swizzle.period();
        assert_eq!(period, 64);
        assert!((0..period).all(|m| swizzle.apply(m + period) == swizzle.apply(m) + period));
        assert!((0..period).any(|m| swizzle.apply(m + period / 2) != swizzle.apply(m) + period / 2));
    }
}

#[test]
fn repeat_orders_of_r100_and_r101() {
    assert_eq!(slots(&Layout::strided(&[4, 1], &[2, 1], 0).unwrap()), [0, 2, 4, 6]);
    let permuted = Layout::strided(&[3, 4, 1], &[1, 3, 1], 0).unwrap();
    assert_eq!(slots(&permuted), [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
}

#[test]
fn register_pairs_of_r91_need_not_be_adjacent() {
    let layout = on_m(&[(4, 1), (2, 4)]);
    assert_eq!(slots(&layout).chunks(2).collect::<Vec<_>>(), [[0, 4], [1, 5], [2, 6], [3, 7]]);
}

#[test]
fn one_register_a_thread_is_slot_0() {
    let layout = Layout::new(iters(&[(32, 1, LANEID), (1, 1, LANEID)]), vec![], vec![]).unwrap();
    assert_eq!((layout.span(M), slots(&layout)), (1, vec![0; 32]));
    assert_eq!(layout.place(17, LANEID), 17);
}

#[test]
fn overlap_tests_of_r62() {
    assert!(on_m(&[(2, 1), (3, 2)]).surely_injective());
    assert!(!on_m(&[(2, 3), (3, 2)]).surely_injective(), "injective, but the sufficient test cannot see it");
    assert!(!on_m(&[(4, 0), (1, 1)]).surely_injective());
    assert!(on_m(&[(4, 2), (1, 0)]).surely_injective(), "unit iters do not matter");
    assert!(on_m(&[(1 << 31, 1 << 31), (1 << 31, 1)]).surely_injective(), "size does not matter");
    let one_lane = |shard| Layout::new(iters(shard), vec![], vec![]).unwrap();
    assert!(!one_lane(&[(2, 0, LANEID), (4, 1, M)]).surely_injective(), "two elements in one slot of one lane");
    assert!(one_lane(&[(2, 1, LANEID), (4, 1, M)]).surely_injective());
}

#[test]
fn what_the_canonical_form_leaves_out() {
    let at = |value, axis| Offset { value, axis };
    // What goes nowhere is on m, and the axis that it named stays named.
    let still = Layout::new(iters(&[(2, 0, LANEID), (4, 1, M)]), vec![], vec![]).unwrap().canonical();
    assert_eq!((still.shard(), still.offset()), (&iters(&[(2, 0, M), (4, 1, M)])[..], &[at(0, LANEID)][..]));
    // One iter for two that go on in each other, no copies that are none, offsets in order.
    let shard = iters(&[(2, 4, M), (1, 9, LANEID), (4, 1, M)]);
    let replica = iters(&[(2, 16, M), (1, 3, M), (3, 0, M), (2, 8, M)]);
    let layout = Layout::new(shard, replica, vec![at(3, WARPID), at(0, M)]).unwrap().canonical();
    assert_eq!((layout.shard(), layout.replica()), (&iters(&[(8, 1, M)])[..], &iters(&[(2, 8, M), (2, 16, M)])[..]));
    assert_eq!(layout.offset(), [at(0, LANEID), at(3, WARPID)]);
}

#[test]
fn registers_of_one_thread_and_the_threads() {
    let parts = |layout: Layout| (layout.shard().to_vec(), layout.replica().to_vec(), layout.offset().to_vec());
    let at = |value, axis| Offset { value, axis };
    assert_eq!(parts(fragment().of_one_thread()), (iters(&[(2, 1, M)]), vec![], vec![]));
    let threads = iters(&[(8, 4, LANEID), (2, 1, WARPID), (4, 1, LANEID)]);
    assert_eq!(parts(fragment().of_threads()), (threads, vec![], vec![at(5, WARPID)]));
    // An iter that goes nowhere is a matter of the registers, whatever axis it names.
    let shard = iters(&[(2, 0, LANEID), (2, 8, LANEID), (4, 1, M)]);
    let replica = iters(&[(2, 4, M), (2, 1, LANEID)]);
    let still = Layout::new(shard, replica, vec![at(3, M), at(1, LANEID)]).unwrap();
    let registers = (iters(&[(2, 0, M), (4, 1, M)]), iters(&[(2, 4, M)]), vec![at(3, M)]);
    assert_eq!(parts(still.of_one_thread()), registers);
    assert_eq!(parts(still.of_threads()), (iters(&[(2, 8, LANEID)]), vec![], vec![at(1, LANEID)]));
    // Threads as numbers, each axis with its weight.
    let weighted = still.of_threads().weighted(|axis| if axis == LANEID { 10 } else { 1 }).unwrap();
    assert_eq!(parts(weighted), (iters(&[(2, 80, M)]), vec![], vec![at(10, M)]));
}

#[test]
fn each_dimension_has_a_part_of_the_iters() {
    let shards = |layout: &Layout, shape: &[i64]| -> Option<Vec<Vec<Iter>>> {
        Some(layout.dimensions(shape)?.iter().map(|dimension| dimension.shard().to_vec()).collect())
    };
    // One iter is taken apart, and two that go on in each other are one.
    assert_eq!(shards(&on_m(&[(8, 3)]), &[2, 4]), Some(vec![iters(&[(2, 12, M)]), iters(&[(4, 3, M)])]));
    assert_eq!(shards(&on_m(&[(2, 3), (3, 1)]), &[3, 2]), Some(vec![iters(&[(3, 2, M)]), iters(&[(2, 1, M)])]));
    assert_eq!(shards(&on_m(&[(2, 4), (3, 1)]), &[3, 2]), None);
}

#[test]
fn scalar_tiles() {
    let layout = Layout::row_major(&[]).unwrap();
    assert_eq!((layout.size(), layout.span(M), slots(&layout)), (1, 1, vec![0]));
    assert_eq!(layout.slice(&[], &[], &[]), Ok(layout.clone()));
    assert_eq!(layout.slice(&[1, 1], &[0, 0], &[1, 1]), Ok(layout));
}

#[test]
fn slots_count_down_and_end() {
    let mut slots = on_m(&[(2, 1), (1, 9), (3, 2)]).slots();
    for left in (0..6).rev() {
        assert!(slots.next().is_some());
        assert_eq!((slots.len(), slots.size_hint()), (left, (left, Some(left))));
    }
    assert_eq!((slots.next(), slots.next()), (None, None));
}

#[test]
fn slices_look_as_one_would_write_them() {
    let strided = |shape: &[i64], strides: &[i64], offset| Layout::strided(shape, strides, offset).unwrap();
    // Where each dimension is one iter, so it remains, unit extents included.
    let tile = strided(&[4, 8, 1], &[8, 1, 1], 0);
    assert_eq!(tile.slice(&[4, 8, 1], &[2, 4, 0], &[1, 3, 1]), Ok(strided(&[1, 3, 1], &[8, 1, 1], 20)));
    // An iter over two dimensions is split.
    let tile = strided(&[32], &[2], 1);
    assert_eq!(tile.slice(&[4, 8], &[1, 2], &[2, 4]), Ok(strided(&[2, 4], &[16, 2], 21)));
    // A dimension of two iters: whole outer steps, then a part of one.
    let tile = strided(&[2, 4], &[100, 1], 0);
    assert_eq!(tile.slice(&[8], &[4], &[4]), Ok(strided(&[1, 4], &[100, 1], 100)));
    assert_eq!(tile.slice(&[8], &[5], &[2]), Ok(strided(&[1, 2], &[100, 1], 101)));
    // A row that fits no grouping of dimensions, but lies in one run.
    let tile = strided(&[2, 6], &[100, 1], 0);
    assert_eq!(slots(&tile.slice(&[3, 4], &[2, 0], &[1, 4]).unwrap()), [102, 103, 104, 105]);
    // Iters that continue each other are one, even with a unit iter between them.
    let tile = strided(&[2, 1, 2], &[2, 77, 1], 0);
    assert_eq!(tile.slice(&[4], &[1], &[2]), Ok(strided(&[2], &[1], 1)));
}

#[test]
fn slices_keep_threads_replicas_and_swizzles() {
    let layout = fragment().slice(&[8, 16], &[3, 10], &[2, 2]).unwrap();
    assert_eq!(layout.replica(), fragment().replica());
    let places: Vec<_> = (0..4).map(|flat| AXES.map(|axis| layout.place(flat, axis))).collect();
    assert_eq!(places, [[0, 13, 6], [1, 13, 6], [0, 17, 6], [1, 17, 6]]);
    assert_eq!((layout.span(M), layout.span(WARPID)), (2, 11));

    let swizzled = Layout::row_major(&[8, 64]).unwrap().with_swizzle(swizzle(3, 3, 3, false)).unwrap();
    let column = swizzled.slice(&[8, 64], &[4, 0], &[4, 1]).unwrap();
    assert_eq!((slots(&column), column.swizzle()), (vec![288, 360, 432, 504], swizzled.swizzle()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Faults

fn text<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn an_offset_that_is_no_constant() {
    let region = Layout::strided(&[2, 4], &[8, 1], DYNAMIC).unwrap();
    assert!(region.has_dynamic_offset());
    assert_eq!(slots(&region), [0, 1, 2, 3, 8, 9, 10, 11]);
    assert_eq!(region.to_string(), "#tile.layout<[2, 4] : [8, 1], offset = [?]>");
    let inner = region.slice(&[2, 4], &[1, 1], &[1, 2]).unwrap();
    assert_eq!(inner, Layout::strided(&[1, 2], &[8, 1], DYNAMIC).unwrap(), "what the begins add is a part of it");
    let on_lanes = Layout::new(iters(&[(2, 1, M)]), vec![], vec![Offset { value: DYNAMIC, axis: LANEID }]);
    assert!(matches!(on_lanes, Err(Fault::DynamicOffset { position: 0, axis: LANEID })));
}

#[test]
fn dimensions_that_iters_cross_have_none() {
    let crossing = on_m(&[(2, 5), (3, 1)]);
    assert!(crossing.dimensions(&[3, 2]).is_none());
    let one = on_m(&[(2, 3), (3, 1)]);
    let slopes: Vec<_> = one.dimensions(&[3, 2]).unwrap().iter().map(Layout::slope).collect();
    assert_eq!(slopes, [Some(2), Some(1)], "iters that go on as one");
    let split = on_m(&[(2, 64), (4, 4), (16, 1)]);
    let slopes: Vec<_> = split.dimensions(&[8, 16]).unwrap().iter().map(Layout::slope).collect();
    assert_eq!(slopes, [None, Some(1)]);
}

#[test]
fn faults_of_construction() {
    let shard = |list: &[(i64, i64, Axis)]| text(Layout::new(iters(list), vec![], vec![]));
    assert_eq!(shard(&[(4, 1, M), (0, 1, M)]), "shard extent 0 at position 1 must be positive");
    assert_eq!(shard(&[(4, -1, M)]), "shard stride -1 at position 0 must not be negative");
    assert_eq!(shard(&[(1 << 32, 0, M), (1 << 31, 0, M)]), "shard extents have a product above 9223372036854775807");
    assert_eq!(shard(&[(2, i64::MAX, LANEID)]), "span of axis laneid is above 9223372036854775807");
    assert_eq!(shard(&[(2, 1, 13)]), "there is no axis number 13, they end at 12, bz");
    assert_eq!(shard(&[(1 << 32, 1 << 32, M)]), "span of axis m is above 9223372036854775807");

    let replica = |list: &[(i64, i64, Axis)]| text(Layout::new(vec![], iters(list), vec![]));
    assert_eq!(replica(&[(-3, 1, M)]), "replica extent -3 at position 0 must be positive");
    assert_eq!(replica(&[(2, 1, M), (2, -2, M)]), "replica stride -2 at position 1 must not be negative");
    assert_eq!(replica(&[(2, i64::MAX, M)]), "span of axis m is above 9223372036854775807");

    let offset = |list: &[(i64, Axis)]| {
        text(Layout::new(vec![], vec![], list.iter().map(|&(value, axis)| Offset { value, axis }).collect()))
    };
    assert_eq!(offset(&[(1, M), (-1, LANEID)]), "offset -1 at position 1 must not be negative");
    assert_eq!(offset(&[(i64::MAX, M)]), "span of axis m is above 9223372036854775807");
    assert_eq!(
        offset(&[(1, M), (1, LANEID), (0, M)]),
        "offset at position 2 is the second on its axis, it can have one"
    );

    assert_eq!(text(Layout::row_major(&[2, -1])), "shape extent -1 at position 1 must be positive");
    assert_eq!(
        text(Layout::row_major(&[i64::MAX, 2, 0])),
        "shape extent 0 at position 2 must be positive",
        "even where the product overflows before"
    );
    assert_eq!(text(Layout::row_major(&[i64::MAX, 2])), "shape extents have a product above 9223372036854775807");
    assert_eq!(text(Layout::strided(&[4, 1], &[1], 0)), "found 1 strides for a shape of rank 2");
    assert_eq!(text(Layout::strided(&[4], &[1], -5)), "offset -5 at position 0 must not be negative");
}

#[test]
fn faults_of_shapes_and_regions() {
    let layout = on_m(&[(8, 1)]);
    assert_eq!(
        text(layout.admits(&[4, 1])),
        "shape 4x1 has 4 elements, the layout has 8; a layout admits shapes of its size (R43)"
    );
    assert_eq!(
        text(layout.admits(&[])),
        "shape of rank 0 has 1 elements, the layout has 8; a layout admits shapes of its size (R43)"
    );
    assert_eq!(text(layout.admits(&[-4, -2])), "shape extent -4 at position 0 must be positive");
    assert_eq!(
        text(layout.admits(&[1 << 32, 1 << 32, 8])),
        "shape extents have a product above 9223372036854775807",
        "not 8 modulo 2^64"
    );

    let slice = |begins: &[i64], extents: &[i64]| text(layout.slice(&[4, 2], begins, extents));
    assert_eq!(slice(&[0], &[1, 1]), "found 1 begins for a shape of rank 2");
    assert_eq!(slice(&[0, 0], &[1, 1, 1]), "found 3 extents for a shape of rank 2");
    assert_eq!(slice(&[0, 0], &[1, 0]), "region extent 0 at position 1 must be positive");
    assert_eq!(slice(&[3, 0], &[2, 1]), "2 elements from 3 leave axis 0, which has 4 (R36)");
    assert_eq!(slice(&[0, -1], &[2, 1]), "1 elements from -1 leave axis 1, which has 2 (R36)");
    assert_eq!(
        text(layout.slice(&[3], &[0], &[1])),
        "shape 3 has 3 elements, the layout has 8; a layout admits shapes of its size (R43)"
    );

    let split = on_m(&[(2, 100), (4, 1)]);
    assert_eq!(
        text(split.slice(&[8], &[3], &[2])),
        "no layout describes 2 elements from 3 of axis 0: they must fill runs of 4 or lie in one; take several slices that do"
    );
    assert_eq!(
        text(on_m(&[(2, 100), (6, 1)]).slice(&[3, 4], &[0, 1], &[2, 2])),
        "no layout describes 2 elements from 1 of axis 1: they must fill runs of 6 or lie in one; take several slices that do"
    );
}

#[test]
fn faults_of_swizzles() {
    let with = |layout: Layout, s| text(layout.with_swizzle(s));
    assert_eq!(with(on_m(&[(8, 1)]), swizzle(0, 3, 2, false)), "swizzle atom 2 must be at least the swizzle length 3");
    assert_eq!(with(on_m(&[(8, 1)]), swizzle(1, 31, 31, true)), "swizzle takes 63 bits of m, it can take 62");
    assert_eq!(
        with(on_m(&[(8, 1)]), swizzle(u32::MAX, u32::MAX, u32::MAX, true)),
        "swizzle takes 12884901885 bits of m, it can take 62"
    );
    assert_eq!(with(fragment(), swizzle(3, 3, 3, false)), "layout names axis laneid, a swizzle needs all of it on m");
    assert!(on_m(&[(8, 1)]).with_swizzle(swizzle(1, 30, 31, true)).is_ok(), "62 bits");
    let lane_offset = Layout::new(vec![], vec![], vec![Offset { value: 0, axis: LANEID }]).unwrap();
    assert_eq!(with(lane_offset, swizzle(3, 3, 3, false)), "layout names axis laneid, a swizzle needs all of it on m");
    let swizzled = on_m(&[(8, 1)]).with_swizzle(swizzle(1, 1, 1, false)).unwrap();
    assert_eq!(with(swizzled, swizzle(1, 1, 1, false)), "layout is already swizzled, it can be so once");
    assert_eq!(
        with(on_m(&[(i64::MAX - 1, 1)]), swizzle(0, 1, 1, true)),
        "span of axis m is above 9223372036854775807",
        "the last element moves up to i64::MAX"
    );
}

// ---------------------------------------------------------------------------------------------------------------------
// Properties against the model

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
fn indices(extents: &[i64]) -> Vec<Vec<i64>> {
    let Some((first, rest)) = extents.split_first() else {
        return vec![vec![]];
    };
    let tails = indices(rest);
    (0..*first).flat_map(|i| tails.iter().map(move |tail| [&[i], &tail[..]].concat())).collect()
}

fn flat(shape: &[i64], index: &[i64]) -> usize {
    shape.iter().zip(index).fold(0, |flat, (&extent, &i)| flat * extent + i) as usize
}

fn any_iter() -> impl Strategy<Value = Iter> {
    let stride = prop_oneof![0..13i64, Just(1), Just(24)];
    (1..5i64, stride, prop_oneof![3 => Just(M), 1 => Just(LANEID), 1 => Just(WARPID)])
        .prop_map(|(extent, stride, axis)| Iter { extent, stride, axis })
}

fn any_offsets() -> impl Strategy<Value = Vec<Offset>> {
    let all: Vec<_> = AXES.to_vec();
    (proptest::sample::subsequence(all, 0..=3), prop::collection::vec(0..9i64, 3))
        .prop_map(|(axes, values)| axes.into_iter().zip(values).map(|(axis, value)| Offset { value, axis }).collect())
}

fn plain_layout() -> impl Strategy<Value = Layout> {
    let list = |n| prop::collection::vec(any_iter(), 0..n);
    (list(5), list(3), any_offsets()).prop_map(|(shard, replica, offset)| Layout::new(shard, replica, offset).unwrap())
}

/// Iters that continue each other, so that the whole is `stride` times the flat index, plus an offset.
fn linear_layout() -> impl Strategy<Value = Layout> {
    (prop::collection::vec(1..5i64, 0..5), 0..4i64, 0..9i64).prop_map(|(extents, stride, offset)| {
        let strides: Vec<i64> = (0..extents.len()).map(|i| stride * extents[i + 1..].iter().product::<i64>()).collect();
        Layout::strided(&extents, &strides, offset).unwrap()
    })
}

fn swizzled_layout() -> impl Strategy<Value = Layout> {
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
fn some_shape(size: i64, picks: &[usize]) -> Vec<i64> {
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
fn some_region(shape: &[i64], picks: &[(usize, usize)]) -> (Vec<i64>, Vec<i64>) {
    let range = |(&size, &(begin, extent)): (&i64, &(usize, usize))| {
        let begin = begin as i64 % size;
        (begin, 1 + extent as i64 % (size - begin))
    };
    shape.iter().zip(picks).map(range).unzip()
}

fn shape_picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..100usize, 0..4)
}

fn region_picks() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..100usize, 0..100usize), 5)
}

/// That `slice` has each element of the region of `layout` where `layout` has it.
fn check_slice(layout: &Layout, slice: &Layout, shape: &[i64], begins: &[i64], extents: &[i64]) {
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
fn copies(layout: &Layout, axis: Axis) -> HashSet<i64> {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_map_is_the_model(layout in any_layout()) {
        for axis in AXES {
            let expected = model(&layout, axis);
            prop_assert_eq!(layout.size(), expected.len() as i64);
            let found: Vec<i64> = (0..layout.size()).map(|flat| layout.place(flat, axis)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_canonical_form_is_the_same_layout(layout in any_layout()) {
        let canonical = layout.canonical();
        prop_assert_eq!(canonical.size(), layout.size());
        prop_assert!(canonical.thread_axes().eq(layout.thread_axes()));
        for axis in AXES {
            prop_assert_eq!(model(&canonical, axis), model(&layout, axis));
            prop_assert_eq!(canonical.span(axis), layout.span(axis));
            prop_assert_eq!(copies(&canonical, axis), copies(&layout, axis));
        }
        prop_assert_eq!(canonical.canonical(), canonical);
    }

    #[test]
    fn equal_layouts_have_one_canonical_form(
        layout in any_layout(),
        picks in prop::collection::vec((0..100usize, 0..100usize), 0..6),
    ) {
        prop_assert_eq!(otherwise(&layout, &picks).canonical(), layout.canonical());
    }

    #[test]
    fn slices_commute_with_the_canonical_form(
        layout in any_layout(), picks in shape_picks(), regions in region_picks(),
    ) {
        let shape = some_shape(layout.size(), &picks);
        let (begins, extents) = some_region(&shape, &regions);
        if let Ok(one) = layout.slice(&shape, &begins, &extents) {
            let other = layout.canonical().slice(&shape, &begins, &extents);
            prop_assert_eq!(other.map(|other| other.canonical()), Ok(one.canonical()));
        }
    }

    #[test]
    fn slots_are_places_on_m(layout in any_layout()) {
        let expected: Vec<i64> = (0..layout.size()).map(|flat| layout.place(flat, M)).collect();
        prop_assert_eq!(layout.slots().len(), expected.len());
        prop_assert_eq!(slots(&layout), expected);
    }

    #[test]
    fn spans_are_one_more_than_the_last_copy(layout in any_layout()) {
        for axis in AXES {
            let copied = Layout { shard: [layout.shard(), layout.replica()].concat(), ..layout.clone() };
            let last = *model(&copied, axis).iter().max().unwrap();
            let flat = Layout { swizzle: None, ..copied.clone() };
            let straight = *model(&flat, axis).iter().max().unwrap();
            match layout.swizzle().filter(|s| axis == M && s.swizzle > 0) {
                None => prop_assert_eq!(layout.span(axis), last + 1),
                Some(s) => {
                    prop_assert!(layout.span(axis) > last);
                    // No more than the block of changed bits that holds the last element.
                    let block = 1 << (s.per_element + s.swizzle + if s.outer { s.atom } else { 0 });
                    prop_assert!(layout.span(axis) <= (straight / block + 1) * block);
                }
            }
        }
    }

    #[test]
    fn swizzled_spans_are_exact_on_whole_blocks(s in (0..4u32, 0..4u32, 0..3u32, any::<bool>()), blocks in 1..4i64) {
        let swizzle = swizzle(s.0, s.1, s.1 + s.2, s.3);
        let size = blocks << (s.0 + s.1 + s.1 + s.2);
        let layout = Layout::row_major(&[size]).unwrap().with_swizzle(swizzle).unwrap();
        prop_assert_eq!(layout.span(M), layout.slots().max().unwrap() + 1);
        prop_assert_eq!(layout.slots().collect::<HashSet<_>>().len() as i64, size, "a permutation");
    }

    #[test]
    fn thread_axes_are_those_named(layout in any_layout()) {
        let named = |axis| {
            let mut iters = layout.shard().iter().chain(layout.replica());
            iters.any(|iter| iter.axis == axis) || layout.offset().iter().any(|offset| offset.axis == axis)
        };
        let expected: Vec<Axis> = [LANEID, WARPID].into_iter().filter(|&axis| named(axis)).collect();
        prop_assert_eq!(layout.thread_axes().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn surely_injective_layouts_do_not_collide(layout in any_layout()) {
        let [m, lane, warp] = AXES.map(|axis| model(&layout, axis));
        let places: HashSet<_> = (0..m.len()).map(|i| (m[i], lane[i], warp[i])).collect();
        if layout.surely_injective() {
            prop_assert_eq!(places.len(), m.len());
        }
    }

    #[test]
    fn compact_layouts_in_any_order_are_surely_injective(
        extents in prop::collection::vec(1..6i64, 1..5), seed in any::<prop::sample::Index>()
    ) {
        let compact = Layout::row_major(&extents).unwrap();
        let mut shard = compact.shard().to_vec();
        let len = shard.len();
        shard.rotate_left(seed.index(len));
        prop_assert!(Layout::new(shard, vec![], vec![]).unwrap().surely_injective());
    }

    #[test]
    fn slices_commute_with_the_map(layout in any_layout(), picks in shape_picks(), parts in region_picks()) {
        let shape = some_shape(layout.size(), &picks);
        let (begins, extents) = some_region(&shape, &parts);
        match layout.slice(&shape, &begins, &extents) {
            Ok(slice) => check_slice(&layout, &slice, &shape, &begins, &extents),
            Err(fault) => prop_assert!(matches!(fault, Fault::Straddle { .. }), "{}", fault),
        }
    }

    #[test]
    fn slices_of_one_iter_a_dimension_keep_their_form(layout in any_layout(), parts in region_picks()) {
        let shape: Vec<i64> = layout.shard().iter().map(|iter| iter.extent).collect();
        let (begins, extents) = some_region(&shape, &parts);
        let slice = layout.slice(&shape, &begins, &extents).unwrap();
        check_slice(&layout, &slice, &shape, &begins, &extents);
        let expected: Vec<Iter> =
            layout.shard().iter().zip(&extents).map(|(iter, &extent)| Iter { extent, ..*iter }).collect();
        prop_assert_eq!(slice.shard(), expected);
        prop_assert_eq!(layout.slice(&shape, &vec![0; shape.len()], &shape), Ok(layout));
    }

    #[test]
    fn linear_layouts_have_slices_in_every_shape(
        layout in linear_layout(), picks in shape_picks(), parts in region_picks()
    ) {
        let shape = some_shape(layout.size(), &picks);
        let (begins, extents) = some_region(&shape, &parts);
        check_slice(&layout, &layout.slice(&shape, &begins, &extents).unwrap(), &shape, &begins, &extents);
    }

    #[test]
    fn dimensions_sum_up_to_the_layout(layout in any_layout(), picks in shape_picks()) {
        let shape = some_shape(layout.size(), &picks);
        let plain = layout.without_swizzle();
        prop_assume!(plain.dimensions(&shape).is_some());
        let dimensions = plain.dimensions(&shape).unwrap();
        for (axis, size) in dimensions.iter().zip(&shape) {
            prop_assert_eq!(axis.size(), *size);
            let line: Vec<i64> = (0..*size).map(|i| axis.place(i, M)).collect();
            if let Some(slope) = axis.slope() {
                prop_assert_eq!(&line, &(0..*size).map(|i| i * slope).collect::<Vec<_>>());
            }
        }
        for index in indices(&shape) {
            let sum: i64 = dimensions.iter().zip(&index).map(|(axis, i)| axis.place(*i, M)).sum();
            prop_assert_eq!(plain.place(flat(&shape, &index) as i64, M), plain.start(M) + sum);
        }
    }

    #[test]
    fn layouts_of_one_iter_a_dimension_are_linear_in_each(layout in linear_layout()) {
        let shape: Vec<i64> = layout.shard().iter().map(|iter| iter.extent).collect();
        let slopes = layout.dimensions(&shape).unwrap().iter().map(Layout::slope).collect::<Vec<_>>();
        let on_m = |iter: &Iter| if iter.axis == M && iter.extent > 1 { iter.stride } else { 0 };
        prop_assert_eq!(slopes, layout.shard().iter().map(|iter| Some(on_m(iter))).collect::<Vec<_>>());
    }

    #[test]
    fn a_dynamic_offset_moves_all_elements_alike(layout in any_layout()) {
        let floating = layout.clone().without_swizzle().with_dynamic_offset();
        let fixed = layout.clone().without_swizzle();
        for flat in 0..layout.size() {
            prop_assert_eq!(floating.place(flat, M) + fixed.start(M), fixed.place(flat, M));
        }
        prop_assert!(floating.has_dynamic_offset() && !layout.has_dynamic_offset());
    }

    #[test]
    fn swizzles_repeat_after_their_period(s in (0..4u32, 0..4u32, 0..3u32, any::<bool>()), m in 0..10_000i64) {
        let swizzle = Swizzle { per_element: s.0, swizzle: s.1, atom: s.1 + s.2, outer: s.3 };
        prop_assert_eq!(swizzle.apply(m + swizzle.period()), swizzle.apply(m) + swizzle.period());
    }

    #[test]
    fn whole_tiles_and_single_elements_have_slices(
        layout in any_layout(), picks in shape_picks(), parts in region_picks()
    ) {
        let shape = some_shape(layout.size(), &picks);
        let (begins, _) = some_region(&shape, &parts);
        for (begins, extents) in [(vec![0; shape.len()], shape.clone()), (begins, vec![1; shape.len()])] {
            check_slice(&layout, &layout.slice(&shape, &begins, &extents).unwrap(), &shape, &begins, &extents);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Hostile numbers

const EDGES: &[i64] = &[i64::MIN, i64::MIN + 1, -1, 0, 1, 2, 3, 1 << 31, 1 << 32, 1 << 62, i64::MAX - 1, i64::MAX];

fn hostile() -> impl Strategy<Value = i64> {
    let any_edge = proptest::sample::select(EDGES);
    let positive_edge = proptest::sample::select(&EDGES[4..]);
    prop_oneof![4 => positive_edge, 1 => any_edge, 1 => any::<i64>()]
}

fn hostile_iters() -> impl Strategy<Value = Vec<Iter>> {
    let axis = prop_oneof![Just(M), Just(LANEID), any::<u32>()];
    let iter = (hostile(), hostile(), axis).prop_map(|(extent, stride, axis)| Iter { extent, stride, axis });
    prop::collection::vec(iter, 0..4)
}

/// Asks everything of a layout that was let in; overflow would panic here.
fn exercise(layout: &Layout, numbers: &[i64]) {
    let last = layout.size() - 1;
    for axis in layout.thread_axes().chain([M]) {
        for flat in [0, last / 2, last] {
            assert!((0..layout.span(axis)).contains(&layout.place(flat, axis)));
        }
    }
    layout.surely_injective();
    assert_eq!(layout.slots().len() as i64, layout.size());
    assert!(layout.slots().take(9).all(|slot| (0..layout.span(M)).contains(&slot)));
    let own: Vec<i64> = layout.shard().iter().map(|iter| iter.extent).collect();
    for shape in [&own[..], &[layout.size()], &[1, layout.size(), 1], numbers] {
        let _ = layout.slice(shape, numbers, numbers);
        if layout.admits(shape).is_ok() {
            let dimensions = layout.dimensions(shape);
            dimensions.iter().flatten().for_each(|axis| assert!(axis.slope().is_none_or(|slope| slope >= 0)));
        }
        // The upper half of each dimension.
        let begins: Vec<i64> = shape.iter().map(|extent| extent / 2).collect();
        let extents: Vec<i64> =
            shape.iter().zip(&begins).map(|(extent, begin)| extent.saturating_sub(*begin)).collect();
        if let Ok(slice) = layout.slice(shape, &begins, &extents) {
            let first = begins.iter().zip(shape).fold(0, |flat, (begin, extent)| flat * extent + begin);
            // Under a swizzle, only from multiples of its period on.
            let begin = if layout.has_dynamic_offset() { layout.place(first, M) } else { 0 };
            if begin == 0 || layout.swizzle().is_none() {
                assert_eq!(slice.place(0, M), layout.place(first, M) - begin);
                assert_eq!(slice.place(slice.size() - 1, M), layout.place(last, M) - begin);
            }
            assert_eq!(slice.clone().with_checked_spans(), Ok(slice));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn hostile_numbers_never_panic(
        shard in hostile_iters(),
        replica in hostile_iters(),
        offset in prop::collection::vec((hostile(), 0..4u32), 0..3),
        numbers in prop::collection::vec(hostile(), 0..4),
        bits in prop::array::uniform3(prop_oneof![0..70u32, any::<u32>()]),
        outer in any::<bool>()
    ) {
        let offset = offset.into_iter().map(|(value, axis)| Offset { value, axis }).collect();
        let layouts = [
            Layout::new(shard.clone(), replica, offset),
            Layout::new(shard, vec![], vec![]),
            Layout::row_major(&numbers),
            Layout::strided(&numbers, &numbers, *numbers.first().unwrap_or(&0)),
        ];
        for layout in layouts.into_iter().flatten() {
            exercise(&layout, &numbers);
            let [per_element, length, atom] = bits;
            let wild = swizzle(per_element, length, atom, outer);
            let legal = swizzle(per_element % 20, length % 21, 20, outer);
            for swizzle in [wild, legal] {
                if let Ok(swizzled) = layout.clone().with_swizzle(swizzle) {
                    exercise(&swizzled, &numbers);
                }
            }
        }
    }
}
