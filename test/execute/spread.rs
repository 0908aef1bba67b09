//! Random layouts of registers over the threads of a group: right ones, in every way that R45 can name threads, and
//! wrong ones.

use crate::tile::{Choices, gapped, split};
use ptx_tile_dialect::layout::{Axis, Iter, Layout, M, Offset};
use ptx_tile_dialect::layout_text::AXES;
use ptx_tile_dialect::threads::{Active, GroupAxis, Part};

/// An axis of a layout, and the digits of a thread's number that it counts: lane, warp of the warpgroup, warpgroup.
type Counter = (&'static str, std::ops::RangeInclusive<usize>);

/// How the threads of a block can be named.
const CHAINS: [&[Counter]; 4] = [
    &[("laneid", 0..=0), ("warpid", 1..=2)],
    &[("laneid", 0..=0), ("wid_in_wg", 1..=1), ("wgid", 2..=2)],
    &[("tid_in_wg", 0..=1), ("wgid", 2..=2)],
    &[("tx", 0..=2)],
];

/// What one of each digit counts for.
const DIGITS: [i64; 3] = [1, 32, 128];

pub fn axis(name: &str) -> Axis {
    AXES.iter().position(|its| *its == name).expect("it is an axis") as Axis
}

/// The iters of each group axis, and where the threads begin.
#[derive(Clone, Default)]
pub struct Threads {
    pub iters: Vec<Vec<Iter>>,
    pub offset: Vec<Offset>,
}

/// The threads of a group under one of the names that they have.
pub fn threads(group: &[GroupAxis], active: &Active, choices: &mut Choices) -> Threads {
    let first = choices.below(CHAINS.len());
    let named = (0..CHAINS.len()).find_map(|i| named(CHAINS[(first + i) % CHAINS.len()], group, active, choices));
    let mut threads = named.expect("lanes and warps name all");
    for iters in &mut threads.iters {
        *iters = iters.iter().flat_map(|iter| in_two(*iter, choices)).collect();
    }
    threads
}

/// The same by a chain, if that can.
fn named(chain: &[Counter], group: &[GroupAxis], active: &Active, choices: &mut Choices) -> Option<Threads> {
    let fixed = [active.fixed(Part::Lane), active.fixed(Part::WarpInGroup), active.fixed_warpgroup()];
    let mut bound = [false; 3];
    let mut starts: Vec<(Axis, i64)> = vec![];
    let mut iters = vec![];
    // The axis of a digit, and how much a step of the digit is on it.
    let counter = |digit: usize| {
        let (name, digits) = chain.iter().find(|(_, digits)| digits.contains(&digit)).expect("a chain has all");
        (axis(name), DIGITS[digit] / DIGITS[*digits.start()])
    };
    for GroupAxis { part, begin, extent } in group {
        let mut on = |digit: usize, begin: i64, extent: i64| {
            let (axis, stride) = counter(digit);
            bound[digit] = true;
            starts.push((axis, begin * stride));
            Iter { extent, stride, axis }
        };
        let (first, last) = (begin / 4, (begin + extent - 1) / 4);
        iters.push(match part {
            Part::Cta(along) => {
                let axis = axis(["cbx", "cby", "cbz"][*along]);
                starts.push((axis, *begin));
                vec![Iter { extent: *extent, stride: 1, axis }]
            }
            Part::Lane => vec![on(0, *begin, *extent)],
            Part::WarpInGroup => vec![on(1, *begin, *extent)],
            Part::Warp if counter(1).0 == counter(2).0 => {
                on(2, 0, 1);
                vec![on(1, *begin, *extent)]
            }
            Part::Warp if first == last => vec![on(2, first, 1), on(1, begin % 4, *extent)],
            Part::Warp if begin % 4 == 0 && extent % 4 == 0 => vec![on(2, first, extent / 4), on(1, 0, 4)],
            Part::Warp => return None,
        });
    }
    for (name, digits) in chain {
        let is_named = digits.clone().any(|digit| bound[digit]);
        let rest = || digits.clone().filter(|digit| !bound[*digit]);
        // One that the scope does not bind may be named where all active threads have the same.
        if is_named || (rest().all(|digit| fixed[digit].is_some()) && choices.once_in(4)) {
            for digit in rest() {
                starts.push((axis(name), fixed[digit]? * counter(digit).1));
            }
        }
    }
    let mut offset: Vec<Offset> = vec![];
    for (axis, value) in starts {
        match offset.iter_mut().find(|its| its.axis == axis) {
            Some(its) => its.value += value,
            None => offset.push(Offset { value, axis }),
        }
    }
    offset.retain(|its| its.value != 0 || choices.once_in(4));
    Some(Threads { iters, offset })
}

/// An iter, or two that are the same.
fn in_two(iter: Iter, choices: &mut Choices) -> Vec<Iter> {
    let inner = [1, 1, 2, 4, 8][choices.below(5)];
    match iter.extent % inner == 0 && inner > 1 {
        true => vec![
            Iter { extent: iter.extent / inner, stride: iter.stride * inner, ..iter },
            Iter { extent: inner, ..iter },
        ],
        false => vec![iter],
    }
}

/// The registers of one thread: in any order, with gaps, or cut otherwise than the shape.
pub fn own(shape: &[i64], choices: &mut Choices) -> Layout {
    match choices.below(4) {
        0 => Layout::row_major(shape).expect("it is legal"),
        1 => split(shape, true, choices),
        _ => gapped(shape, false, choices),
    }
}

/// Both together: the threads first, or somewhere among the registers. The shape is cut likewise.
pub fn together(threads: &Threads, own: &Layout, after: usize) -> Layout {
    let (before, behind) = threads.iters.split_at(after.min(threads.iters.len()));
    let shard = [before.concat(), own.shard().to_vec(), behind.concat()].concat();
    let offset = threads.offset.iter().chain(own.offset()).copied().collect();
    Layout::new(shard, vec![], offset).expect("it is legal")
}

/// What one on an axis counts for in the number of a thread of the block.
fn unit(axis: Axis) -> Option<i64> {
    let mut counters = CHAINS.iter().copied().flatten();
    counters.find(|(name, _)| *name == AXES[axis as usize]).map(|(_, digits)| DIGITS[*digits.start()])
}

/// The layout with something about its threads that is likely wrong.
pub fn perturbed(layout: &Layout, choices: &mut Choices) -> Option<Layout> {
    let (mut shard, mut offset) = (layout.shard().to_vec(), layout.offset().to_vec());
    let moving: Vec<usize> = (0..shard.len()).filter(|i| shard[*i].axis != M).collect();
    let one = choices.of(&moving);
    let any = axis(AXES[1 + choices.below(9)]);
    match (choices.below(7), one) {
        (0, Some(one)) => {
            let other = choices.of(&moving)?;
            let (a, b) = (shard[one], shard[other]);
            (shard[one].stride, shard[one].axis) = (b.stride, b.axis);
            (shard[other].stride, shard[other].axis) = (a.stride, a.axis);
        }
        (1, Some(one)) => {
            let other = choices.of(&moving)?;
            shard.swap(one, other);
        }
        (2, Some(one)) if choices.once_in(2) => {
            // The same number, by an axis that does not go so far.
            let from = unit(shard[one].axis)? * shard[one].stride;
            let to = unit(any).filter(|to| from % to == 0)?;
            (shard[one].stride, shard[one].axis) = (from / to, any);
        }
        (2, Some(one)) => shard[one].axis = any,
        (3, Some(one)) => shard[one].stride = [0, 1, 2, 32][choices.below(4)],
        (4, _) => {
            let all: Vec<usize> = (0..offset.len()).filter(|i| offset[*i].axis != M).collect();
            let its = &mut offset[choices.of(&all)?];
            its.value = [0, its.value + 1, its.value.saturating_sub(1), its.value + 4][choices.below(4)];
        }
        (5, _) => {
            offset.retain(|its| its.axis != any);
            offset.push(Offset { value: choices.below(3) as i64, axis: any });
        }
        (_, Some(one)) if shard[one].extent % 2 == 0 => {
            // Halves that change places.
            let Iter { extent, stride, axis } = shard[one];
            shard[one] = Iter { extent: extent / 2, stride, axis };
            shard.insert(one, Iter { extent: 2, stride: stride * extent / 2, axis });
            if choices.once_in(2) {
                shard.swap(one, one + 1);
            }
        }
        _ => return None,
    }
    Layout::new(shard, vec![], offset).ok().filter(|its| its != layout)
}
