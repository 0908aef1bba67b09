//! Who owns the elements of a register tile, and whether that is the thread that acts on them (R55-R58).
//!
//! - A layout places an element on the axes of threads that it names. Each axis is a number of some parts of a thread's
//!   identity; the parts together are one number in the block, and one for each axis of the cluster and the grid.
//! - The thread that acts has a number too: a sum over the group axes. Both are compared as functions of all coordinates
//!   of the tile. Where the layout is a sum over the dimensions, as nearly all are, each dimension is compared by itself.
//! - Compared are the parts that the group axes bind and those that the layout names. One that is named and not bound
//!   must have one value for all active threads.

use crate::layout::{Axis, Iter, Layout, M, Offset};
use crate::layout_text::AXES;
use crate::legality::{MAX_WORDS, coordinates, unflatten};
use crate::threads::{Active, GroupAxis, LANES, Part, Scope, WARPS_OF_GROUP};
use anyhow::{Context as _, Result, bail, ensure};

#[cfg(test)]
#[path = "ownership_tests.rs"]
mod tests;

/// What an axis of a layout counts (R45).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// Slots of registers or places in memory.
    Places,
    /// Threads of the block: the digits from one to another of [`DIGITS`].
    Threads(usize, usize),
    /// CTAs of the cluster on x, y or z.
    Ctas(usize),
    /// Blocks of the grid on x, y or z.
    Blocks(usize),
}

/// The digits of a thread's number in its block, and what one of each counts for.
const DIGITS: [i64; 3] = [1, LANES, LANES * WARPS_OF_GROUP];
const LANE: usize = 0;
const WARP_IN_GROUP: usize = 1;
const WARPGROUP: usize = 2;

/// The most threads that are compared one by one: those of many clusters.
const MAX_THREADS: i64 = 1 << 20;

/// By the number of the axis.
const COUNTS: [(&str, Counts); 13] = [
    ("m", Counts::Places),
    ("laneid", Counts::Threads(LANE, LANE)),
    ("warpid", Counts::Threads(WARP_IN_GROUP, WARPGROUP)),
    ("wgid", Counts::Threads(WARPGROUP, WARPGROUP)),
    ("wid_in_wg", Counts::Threads(WARP_IN_GROUP, WARP_IN_GROUP)),
    ("tid_in_wg", Counts::Threads(LANE, WARP_IN_GROUP)),
    ("tx", Counts::Threads(LANE, WARPGROUP)),
    ("cbx", Counts::Ctas(0)),
    ("cby", Counts::Ctas(1)),
    ("cbz", Counts::Ctas(2)),
    ("bx", Counts::Blocks(0)),
    ("by", Counts::Blocks(1)),
    ("bz", Counts::Blocks(2)),
];

fn counts(axis: Axis) -> Counts {
    COUNTS[axis as usize].1
}

/// The axis that counts a part alone.
fn axis_of(part: Part) -> Axis {
    let name = match part {
        Part::Cta(axis) => ["cbx", "cby", "cbz"][axis],
        Part::Warp => "warpid",
        Part::WarpInGroup => "wid_in_wg",
        Part::Lane => "laneid",
    };
    COUNTS.iter().position(|(its, _)| *its == name).expect("each part has an axis") as Axis
}

/// Whether the axes of threads that a layout names go together: no part of a thread is counted by two of them (R45).
pub fn chain(layout: &Layout) -> Result<()> {
    let axes: Vec<Axis> = layout.thread_axes().collect();
    for (i, axis) in axes.iter().enumerate() {
        for other in &axes[..i] {
            let [a, b] = [AXES[*other as usize], AXES[*axis as usize]];
            let is_common = parts(*axis) & parts(*other) != 0;
            ensure!(!is_common, "layout names @{a} and @{b}, which count the same threads; use one of them (R45)");
        }
    }
    Ok(())
}

/// Whether the threads that have elements of a view have elements of its source: no part of a thread is counted anew, and
/// none has registers that it had not.
pub fn same_threads(source: &Layout, view: &Layout) -> Result<()> {
    chain(source)?;
    chain(view)?;
    let all = |layout: &Layout| layout.thread_axes().map(parts).fold(0, |all, its| all | its);
    ensure!(
        all(source) == all(view),
        "source is spread over {0}, the result over {1}; a view leaves its registers where they are: spread the result over \
         {0}, or allocate a tile for the scope that it is used at (R53)",
        names(source),
        names(view)
    );
    let threads = |layout: &Layout| -> Result<Vec<i64>> {
        let count = layout.of_threads().size();
        ensure!(
            count <= MAX_THREADS,
            "a layout is spread over {count} threads, more than the {MAX_THREADS} that are compared"
        );
        let mut all: Vec<i64> = layout.of_threads().weighted(weight)?.slots().collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    };
    let has = threads(source)?;
    let is_new = |thread: &i64| has.binary_search(thread).is_err();
    ensure!(
        !threads(view)?.iter().any(is_new),
        "result is spread over threads that have nothing of the source; a view leaves its registers where they are (R53)"
    );
    Ok(())
}

/// A bit for each part of a thread's identity that an axis counts. A block of the grid has a place in its cluster.
fn parts(axis: Axis) -> u32 {
    match counts(axis) {
        Counts::Places => 0,
        Counts::Threads(first, last) => (first..=last).map(|digit| 1 << digit).sum(),
        Counts::Ctas(along) => 1 << (DIGITS.len() + along),
        Counts::Blocks(along) => 1 << (DIGITS.len() + along) | 1 << (DIGITS.len() + 3 + along),
    }
}

/// The narrowest scope that binds an axis; none binds those of the grid (R58).
pub fn narrowest_scope(axis: Axis) -> Option<Scope> {
    match counts(axis) {
        Counts::Places => Some(Scope::Thread),
        Counts::Threads(_, LANE) => Some(Scope::Warp),
        Counts::Threads(_, WARP_IN_GROUP) => Some(Scope::Warpgroup),
        Counts::Threads(..) => Some(Scope::Cta),
        Counts::Ctas(_) => Some(Scope::Cluster),
        Counts::Blocks(_) => None,
    }
}

/// What a step on an axis adds to a number that no two threads of a cluster share.
fn weight(axis: Axis) -> i64 {
    match counts(axis) {
        Counts::Places => 0,
        Counts::Threads(first, _) => DIGITS[first],
        Counts::Ctas(along) => 1 << (12 + 5 * along),
        Counts::Blocks(along) => 1 << (28 + 10 * along),
    }
}

/// `@warpid and @laneid`
fn names(layout: &Layout) -> String {
    let names: Vec<String> = layout.thread_axes().map(|axis| format!("@{}", AXES[axis as usize])).collect();
    if names.is_empty() { "no axis".into() } else { names.join(" and ") }
}

/// The layout of a tile of registers of this shape that is distributed as a scope has it: the group axes on the axes of
/// threads, the rest row-major in each thread.
pub fn distributed(group: &[GroupAxis], shape: &[i64]) -> Result<Layout> {
    let (threads, own) = shape.split_at(group.len());
    let mut stride = own.iter().product::<i64>();
    let own = own.iter().map(|extent| {
        stride /= extent;
        Iter { extent: *extent, stride, axis: M }
    });
    let own: Vec<Iter> = own.collect();
    let spread =
        group.iter().zip(threads).map(|(it, extent)| Iter { extent: *extent, stride: 1, axis: axis_of(it.part) });
    let offset = group.iter().map(|it| Offset { value: it.begin, axis: axis_of(it.part) });
    Ok(Layout::new(spread.chain(own).collect(), vec![], offset.filter(|it| it.value != 0).collect())?)
}

/// Whether each element of a tile of registers belongs to the thread that acts on it (R55, R56): the leading axes of its
/// shape are those of the group.
pub fn owned(layout: &Layout, shape: &[i64], scope: Scope, group: &[GroupAxis], active: &Active) -> Result<()> {
    chain(layout)?;
    if let Some(axis) = layout.thread_axes().find(|axis| matches!(counts(*axis), Counts::Ctas(_))) {
        active.launch().needs_cluster(&format!("the axis @{} of the layout", AXES[axis as usize]))?;
    }
    let check = Check { layout, shape, scope, group, active };
    check.threads()?;
    (0..3).try_for_each(|axis| check.cta(axis))?;
    match layout.thread_axes().find(|axis| matches!(counts(*axis), Counts::Blocks(_))) {
        Some(axis) => bail!("layout names the axis @{}, which no scope binds (R56)", AXES[axis as usize]),
        None => Ok(()),
    }
}

struct Check<'a> {
    layout: &'a Layout,
    shape: &'a [i64],
    scope: Scope,
    group: &'a [GroupAxis],
    active: &'a Active,
}

/// A number of the thread that acts: a constant, and what a step along each of the leading axes adds.
struct Acting {
    constant: i64,
    steps: Vec<i64>,
}

impl Acting {
    fn step(&self, dimension: usize) -> i64 {
        self.steps.get(dimension).copied().unwrap_or(0)
    }

    fn at(&self, coordinates: &[i64]) -> i64 {
        self.steps.iter().zip(coordinates).fold(self.constant, |sum, (step, at)| sum + step * at)
    }
}

impl Check<'_> {
    /// The threads of a block.
    fn threads(&self) -> Result<()> {
        let mut compared = [false; DIGITS.len()];
        let mut acting = Acting { constant: 0, steps: vec![] };
        for axis in self.group {
            let (digits, weight) = match axis.part {
                Part::Cta(_) => (0..0, 0),
                Part::Warp => (WARP_IN_GROUP..WARPGROUP + 1, DIGITS[WARP_IN_GROUP]),
                Part::WarpInGroup => (WARP_IN_GROUP..WARP_IN_GROUP + 1, DIGITS[WARP_IN_GROUP]),
                Part::Lane => (LANE..LANE + 1, DIGITS[LANE]),
            };
            digits.for_each(|digit| compared[digit] = true);
            acting.constant += weight * axis.begin;
            acting.steps.push(weight);
        }
        for axis in self.layout.thread_axes() {
            let Counts::Threads(first, last) = counts(axis) else { continue };
            self.exists(axis, DIGITS[first], last)?;
            for digit in first..=last {
                if !std::mem::replace(&mut compared[digit], true) {
                    let fixed = [
                        self.active.fixed(Part::Lane),
                        self.active.fixed(Part::WarpInGroup),
                        self.active.fixed_warpgroup(),
                    ];
                    acting.constant += DIGITS[digit] * fixed[digit].with_context(|| self.unbound(axis))?;
                }
            }
        }
        let weight = |axis| if let Counts::Threads(first, _) = counts(axis) { DIGITS[first] } else { 0 };
        self.compare(weight, &acting, |number| {
            let names = ["lane", "warp of the warpgroup", "warpgroup"];
            let whole = compared[WARP_IN_GROUP] && compared[WARPGROUP];
            let digit = |digit: usize| {
                number / DIGITS[digit] % DIGITS.get(digit + 1).map_or(i64::MAX, |next| next / DIGITS[digit])
            };
            let mut parts = vec![];
            if whole {
                parts.push(format!("warp {}", number / LANES));
            } else {
                let digits = [WARPGROUP, WARP_IN_GROUP].into_iter().filter(|it| compared[*it]);
                parts.extend(digits.map(|it| format!("{} {}", names[it], digit(it))));
            }
            if compared[LANE] {
                parts.push(format!("lane {}", digit(LANE)));
            }
            parts.join(", ")
        })
    }

    /// The CTAs of the cluster along one axis.
    fn cta(&self, along: usize) -> Result<()> {
        let is_it = |axis: Axis| counts(axis) == Counts::Ctas(along);
        let named = self.layout.thread_axes().find(|axis| is_it(*axis));
        let bound = self.group.iter().find(|axis| axis.part == Part::Cta(along));
        if named.is_none() && bound.is_none() {
            return Ok(());
        }
        let step = |axis: &GroupAxis| i64::from(axis.part == Part::Cta(along));
        let fixed = || self.active.fixed(Part::Cta(along)).with_context(|| self.unbound(named.unwrap_or(M)));
        let constant = bound.map_or_else(fixed, |axis| Ok(axis.begin))?;
        let acting = Acting { constant, steps: self.group.iter().map(step).collect() };
        self.compare(|axis| i64::from(is_it(axis)), &acting, |number| format!("{} {number}", Part::Cta(along)))
    }

    fn unbound(&self, axis: Axis) -> String {
        format!(
            "layout names the axis @{}, which scope({}) does not bind and of which the active threads have several; use a \
             wider scope, or tile.where around it (R56, R58)",
            AXES[axis as usize], self.scope
        )
    }

    /// Coordinates on an axis stay below what the block has of it, so that equal numbers are equal threads.
    fn exists(&self, axis: Axis, weight: i64, last: usize) -> Result<()> {
        let launch = self.active.launch();
        let threads = launch.lanes() * launch.warps();
        let next = DIGITS.get(last + 1).map_or(threads, |next| threads.min(*next));
        let (size, found) = ((next + weight - 1) / weight, self.layout.span(axis) - 1);
        ensure!(
            found < size,
            "layout goes up to {found} on @{}, which goes up to {} in the block (R45)",
            AXES[axis as usize],
            size - 1
        );
        Ok(())
    }

    /// Compares the number of the owner, the sum of what the axes count for, with that of the thread that acts.
    fn compare(&self, weight: impl Fn(Axis) -> i64, acting: &Acting, name: impl Fn(i64) -> String) -> Result<()> {
        let owner = self.layout.weighted(weight)?;
        let Some(at) = mismatch(&owner, self.shape, acting)? else { return Ok(()) };
        let index = unflatten(at as usize, self.shape);
        let natural = distributed(self.group, self.shape);
        bail!(
            "element {} belongs to {}, and {} would act on it; data never crosses threads{} (R55)",
            coordinates(&index),
            name(owner.place(at, M)),
            name(acting.at(&index)),
            natural.map_or(String::new(), |layout| format!("; each has its own in {}", layout.canonical())),
        )
    }
}

/// The first element found whose owner is not the thread that acts.
fn mismatch(owner: &Layout, shape: &[i64], acting: &Acting) -> Result<Option<i64>> {
    let Some(dimensions) = owner.dimensions(shape) else {
        ensure!(
            owner.size() <= MAX_WORDS,
            "has {} elements, more than the {MAX_WORDS} whose owners are compared one by one",
            owner.size()
        );
        let differs = |flat: &i64| owner.place(*flat, M) != acting.at(&unflatten(*flat as usize, shape));
        return Ok((0..owner.size()).find(differs));
    };
    if owner.place(0, M) != acting.constant {
        return Ok(Some(0));
    }
    let mut inner = owner.size();
    for (i, (dimension, extent)) in dimensions.iter().zip(shape).enumerate() {
        inner /= extent;
        let step = acting.step(i);
        if *extent > 1 && dimension.slope() != Some(step) {
            let differs = (1..*extent).find(|at| dimension.place(*at, M) != step * at);
            return Ok(differs.map(|at| at * inner));
        }
    }
    Ok(None)
}
