//! Properties of layouts, against the model; and that no numbers make them panic.

use super::axes::{LANEID, WARPID};
use super::model::{AXES, *};
use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

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
