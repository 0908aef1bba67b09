//! Ownership against a model that walks all threads and elements, and the words for what is wrong.

use super::*;
use crate::threads::{Launch, Narrowing};
use proptest::prelude::*;

#[test]
fn axes_are_those_of_the_dialect() {
    assert_eq!(COUNTS.map(|(name, _)| name), AXES);
}

fn active(block: [i64; 3]) -> Active {
    Launch::new(block, None).unwrap().all()
}

/// `4 : 1@laneid`
fn iter(text: &str) -> Iter {
    let (extent, rest) = text.split_once(" : ").unwrap();
    let (stride, axis) = rest.split_once('@').unwrap_or((rest, "m"));
    let axis = AXES.iter().position(|name| *name == axis).unwrap() as Axis;
    Iter { extent: extent.parse().unwrap(), stride: stride.parse().unwrap(), axis }
}

fn layout(iters: &[&str], offset: &[(i64, &str)]) -> Layout {
    let axis = |name: &str| AXES.iter().position(|its| *its == name).unwrap() as Axis;
    let offset = offset.iter().map(|(value, name)| Offset { value: *value, axis: axis(name) });
    Layout::new(iters.iter().map(|text| iter(text)).collect(), vec![], offset.collect()).unwrap()
}

fn verdict(layout: &Layout, shape: &[i64], scope: Scope, active: &Active) -> String {
    let group = active.group(scope).unwrap();
    owned(layout, shape, scope, &group, active).map_or_else(|why| format!("{why:#}"), |()| "ok".into())
}

/// The loophole of the reference, too: an axis that the scope does not bind (R56).
#[test]
fn at_warp_scope() {
    let shape = [32, 3, 1];
    let of_warp = |iters: &[&str], offset: &[(i64, &str)]| {
        verdict(&layout(iters, offset), &shape, Scope::Warp, &active([128, 1, 1]))
    };
    assert_eq!(of_warp(&["32 : 1@laneid", "3 : 1", "1 : 1"], &[]), "ok");
    assert_eq!(of_warp(&["4 : 8@laneid", "8 : 1@laneid", "3 : 1", "1 : 1"], &[]), "ok");
    assert_eq!(
        of_warp(&["4 : 1@laneid", "8 : 4@laneid", "3 : 1", "1 : 1"], &[]),
        "element (1, 0, 0) belongs to lane 4, and lane 1 would act on it; data never crosses threads; each has its own in \
         #tile.layout<[32, 3] : [1@laneid, 1]> (R55)"
    );
    let crossed = "element (1, 0, 0) belongs to lane 0, and lane 1 would";
    assert!(of_warp(&["32 : 3", "3 : 1", "1 : 1"], &[]).starts_with(crossed));
    let unbound = "layout names the axis @warpid, which scope(warp) does not bind";
    assert!(of_warp(&["32 : 1@laneid", "3 : 1", "1 : 1"], &[(1, "warpid")]).starts_with(unbound));
    assert!(of_warp(&["32 : 1@laneid", "3 : 1", "1 : 1"], &[(0, "warpid")]).starts_with(unbound));
    assert!(of_warp(&["32 : 1@tid_in_wg", "3 : 1", "1 : 1"], &[]).starts_with("layout names the axis @tid_in_wg"));

    // What has one value is bound by that.
    let one = active([32, 1, 1]);
    assert_eq!(verdict(&layout(&["32 : 1@tid_in_wg", "3 : 1", "1 : 1"], &[]), &shape, Scope::Warp, &one), "ok");
    let second = active([128, 1, 1]).narrowed(&Narrowing { warps: Some(1..2), ..Narrowing::default() }).unwrap();
    let of_second = layout(&["32 : 1@laneid", "3 : 1", "1 : 1"], &[(1, "warpid")]);
    assert_eq!(verdict(&of_second, &shape, Scope::Warp, &second), "ok");
    let of_first =
        verdict(&layout(&["32 : 1@laneid", "3 : 1", "1 : 1"], &[(0, "warpid")]), &shape, Scope::Warp, &second);
    assert!(
        of_first.starts_with("element (0, 0, 0) belongs to warp 0, lane 0, and warp 1, lane 0 would"),
        "{of_first}"
    );
}

/// Where a thread stands on an axis.
fn number(thread: i64, axis: Axis) -> i64 {
    match AXES[axis as usize] {
        "laneid" => thread % 32,
        "warpid" => thread / 32,
        "wgid" => thread / 128,
        "wid_in_wg" => thread / 32 % 4,
        "tid_in_wg" => thread % 128,
        "tx" => thread,
        other => panic!("a block has no {other}"),
    }
}

/// A part of a thread's number.
type Digit = fn(i64) -> i64;

/// Walks all active threads and, of each, its elements: what it stands for on each axis, and on those that its group has
/// and the layout leaves out.
fn model(layout: &Layout, shape: &[i64], group: &[GroupAxis], active: &Active) -> bool {
    let launch = active.launch();
    let threads = (0..launch.lanes() * launch.warps()).filter(|thread| active.has(*thread));
    let names = |axis: &str| layout.thread_axes().any(|it| AXES[it as usize] == axis);
    let left_out = |part: Part| match part {
        Part::Lane => !names("laneid") && !names("tid_in_wg") && !names("tx"),
        Part::WarpInGroup => !names("wid_in_wg") && !names("tid_in_wg") && !names("warpid") && !names("tx"),
        _ => false,
    };
    let bound: Vec<(Digit, bool)> = group
        .iter()
        .flat_map(|it| -> Vec<(Digit, bool)> {
            match it.part {
                Part::Lane => vec![(|thread| thread % 32, left_out(Part::Lane))],
                Part::WarpInGroup => vec![(|thread| thread / 32 % 4, left_out(Part::WarpInGroup))],
                _ => vec![
                    (|thread| thread / 32 % 4, left_out(Part::WarpInGroup)),
                    (|thread| thread / 128, !names("wgid") && !names("warpid") && !names("tx")),
                ],
            }
        })
        .collect();
    threads.into_iter().all(|thread| {
        let coordinate = |it: &GroupAxis| match it.part {
            Part::Lane => thread % 32 - it.begin,
            Part::WarpInGroup => thread / 32 % 4 - it.begin,
            _ => thread / 32 - it.begin,
        };
        let mine: Vec<i64> = group.iter().map(coordinate).collect();
        let is_mine = |flat: &i64| unflatten(*flat as usize, shape)[..mine.len()] == mine;
        bound.iter().all(|(digit, is_left_out)| !is_left_out || digit(thread) == 0)
            && (0..layout.size())
                .filter(is_mine)
                .all(|flat| layout.thread_axes().all(|axis| layout.place(flat, axis) == number(thread, axis)))
    })
}

/// Splits the iters of threads over other axes that count the same, and then changes a number, or not.
fn distributed_otherwise() -> impl Strategy<Value = (Active, Scope, Vec<i64>, Layout)> {
    let numbers = prop::array::uniform12(0usize..64);
    numbers.prop_map(|numbers| {
        let all = active([[32, 64, 128, 256][numbers[0] % 4], 1, 1]);
        let lanes = [None, Some(0..16), Some(3..4), Some(8..24)][numbers[1] % 4].clone();
        let warps = [None, None, Some(0..1), Some(1..2)][numbers[2] % 4].clone();
        let narrowed = all.narrowed(&Narrowing { lanes, warps, ..Narrowing::default() });
        let active = narrowed.unwrap_or(all);
        let scope = [Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta][numbers[3] % 4];
        let group = active.group(scope).unwrap();
        let mut shape: Vec<i64> = group.iter().map(|axis| axis.extent).collect();
        shape.extend([[1, 2, 3][numbers[4] % 3], [1, 2][numbers[5] % 2]]);
        let natural = distributed(&group, &shape).unwrap();
        let (mut shard, mut offset) = (natural.shard().to_vec(), natural.offset().to_vec());
        let axis = |name: &str| AXES.iter().position(|its| *its == name).unwrap() as Axis;
        // Another name for the same threads, right or wrong.
        let (from, to, times) = [
            ("laneid", "laneid", 1),
            ("laneid", "tid_in_wg", 1),
            ("laneid", "tx", 1),
            ("warpid", "wid_in_wg", 1),
            ("wid_in_wg", "warpid", 1),
            ("warpid", "tx", 32),
            ("wid_in_wg", "tid_in_wg", 32),
        ][numbers[6] % 7];
        for iter in shard.iter_mut().filter(|iter| iter.axis == axis(from)) {
            (iter.axis, iter.stride) = (axis(to), iter.stride * times);
        }
        for it in offset.iter_mut().filter(|it| it.axis == axis(from)) {
            (it.axis, it.value) = (axis(to), it.value * times);
        }
        if numbers[7] % 2 == 0 {
            let place = numbers[8] % shard.len();
            if shard[place].extent % 2 == 0 {
                let Iter { extent, stride, axis } = shard[place];
                shard[place] = Iter { extent: extent / 2, stride: stride * 2, axis };
                shard.insert(place + 1, Iter { extent: 2, stride, axis });
            }
        }
        if numbers[9] % 3 == 0 {
            let place = numbers[10] % shard.len();
            shard[place].stride = [0, 1, 2, shard[place].stride + 1][numbers[11] % 4];
        }
        // Both names of one kind may have offsets now.
        offset.dedup_by_key(|it| it.axis);
        let layout = Layout::new(shard, vec![], offset).unwrap();
        (active, scope, shape, layout)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn agrees_with_the_model((active, scope, shape, layout) in distributed_otherwise()) {
        let group = active.group(scope).unwrap();
        let found = owned(&layout, &shape, scope, &group, &active);
        let expected = chain(&layout).is_ok() && model(&layout, &shape, &group, &active);
        prop_assert_eq!(found.is_ok(), expected, "{} of {:?}: {:?}", layout, shape, found);
    }
}

#[test]
fn both_answers_are_met() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut answers = [0; 2];
    for _ in 0..1000 {
        use proptest::strategy::ValueTree;
        let (active, scope, shape, layout) = distributed_otherwise().new_tree(&mut runner).unwrap().current();
        let group = active.group(scope).unwrap();
        answers[usize::from(owned(&layout, &shape, scope, &group, &active).is_ok())] += 1;
    }
    assert!(answers.iter().all(|count| *count > 200), "{answers:?}");
}

/// A block of 1,024 threads with 64 registers each.
#[test]
fn takes_no_longer_for_more_threads() {
    let all = active([1024, 1, 1]);
    let group = all.group(Scope::Cta).unwrap();
    let shape = [32, 32, 64, 1];
    let natural = distributed(&group, &shape).unwrap();
    let begin = std::time::Instant::now();
    owned(&natural, &shape, Scope::Cta, &group, &all).unwrap();
    assert!(begin.elapsed().as_millis() < 50, "{:?}", begin.elapsed());
}
