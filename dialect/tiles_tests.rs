//! `tile.view` against a naive model: the bits of each thread as a set.

use super::*;
use crate::element::{Element, Scalar};
use crate::layout::model::{AXES, any_layout, model, otherwise};
use crate::layout::{Iter, Layout};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn tile(layout: &Layout, width: u32) -> Tile {
    let is_memory = layout.swizzle().is_some();
    Tile {
        shape: vec![layout.size()],
        element: Element::of(Scalar::Int(width)),
        space: if is_memory { Space::Memory(1) } else { Space::Register },
        layout: layout.clone(),
    }
}

/// The bytes of all elements: the coordinates of a thread and the byte in its storage.
fn bytes(tile: &Tile) -> BTreeSet<[i64; 3]> {
    let [m, a, b] = AXES.map(|axis| model(&tile.layout, axis));
    let width = i64::from(tile.element.width() / 8);
    let places = m.into_iter().zip(a).zip(b);
    places.flat_map(|((m, a), b)| (0..width).map(move |byte| [a, b, m * width + byte])).collect()
}

/// The iters in another order, and perhaps one of another stride.
fn viewed(layout: &Layout, order: &[usize], stride: Option<i64>) -> Layout {
    let mut left = layout.shard().to_vec();
    let mut shard: Vec<Iter> = vec![];
    for pick in order.iter().chain(std::iter::repeat(&0)) {
        if left.is_empty() {
            break;
        }
        shard.push(left.remove(pick % left.len()));
    }
    if let (Some(stride), Some(first)) = (stride, shard.first_mut()) {
        first.stride = stride;
    }
    let view = Layout::new(shard, layout.replica().to_vec(), layout.offset().to_vec()).unwrap();
    layout.swizzle().map_or(view.clone(), |swizzle| view.with_swizzle(swizzle).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// And whether it is legal does not depend on how the layouts are written.
    #[test]
    fn a_view_has_what_its_source_has(
        layout in any_layout(),
        order in prop::collection::vec(0..9usize, 5),
        stride in prop::option::of(0..13i64),
        picks in prop::collection::vec((0..100usize, 0..100usize), 0..6),
    ) {
        let view = viewed(&layout, &order, stride);
        let (source, result) = (tile(&layout, 32), tile(&view, 32));
        let verdict = super::view(&source, &result);
        if verdict.is_ok() {
            prop_assert!(bytes(&result).is_subset(&bytes(&source)));
        } else {
            prop_assert!(stride.is_some(), "{:#}", verdict.unwrap_err());
        }
        let is_legal = verdict.is_ok();
        for (source, result) in [
            (layout.canonical(), view.canonical()),
            (otherwise(&layout, &picks), view.clone()),
            (layout.clone(), otherwise(&view, &picks)),
        ] {
            prop_assert_eq!(super::view(&tile(&source, 32), &tile(&result, 32)).is_ok(), is_legal);
        }
    }
}

#[test]
fn parts_of_a_storage_are_numbers() {
    // The first byte of element 2^61 has the number 2^64, and element 0 is none of its parts.
    let far = Layout::strided(&[1], &[1], 1 << 61).unwrap();
    let source = Tile { space: Space::Memory(1), ..tile(&far, 64) };
    let result = Tile { space: Space::Memory(1), ..tile(&Layout::row_major(&[8]).unwrap(), 8) };
    let why = super::view(&source, &result).unwrap_err().to_string();
    assert!(why.contains("more than can be numbered"), "{why}");
}
