//! Tests of `layout.rs`: the worked numbers of the contract, and every fault.

use super::axes::{LANEID, WARPID};
use super::model::{AXES, slots, swizzle};
use super::*;

fn iters(list: &[(i64, i64, Axis)]) -> Vec<Iter> {
    list.iter().map(|&(extent, stride, axis)| Iter { extent, stride, axis }).collect()
}

fn on_m(list: &[(i64, i64)]) -> Layout {
    let list: Vec<_> = list.iter().map(|&(extent, stride)| (extent, stride, M)).collect();
    Layout::new(iters(&list), vec![], vec![]).unwrap()
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
