//! When `tile.alloc`, `tile.view`, `tile.slice`, `tile.read` and `tile.write` are legal, on plain data.

use crate::layout::{Layout, M};
use crate::layout_text::AXES;
use crate::legality::{Space, Tile, coordinates, unflatten};
use crate::ownership;
use crate::threads::Narrowing;
use anyhow::{Context, Result, bail, ensure};

#[cfg(test)]
#[path = "tiles_tests.rs"]
mod tests;

/// The most slots of one register tile, and the most elements of a slice that are compared one by one.
pub const MAX_SLOTS: i64 = 1 << 24;

/// `tile.alloc`: registers of a thread, an array of span(m) elements (R47).
pub fn alloc(tile: &Tile) -> Result<()> {
    register_tile(tile)?;
    ensure!(
        !tile.layout.has_dynamic_offset(),
        "layout has an offset that is no constant; registers begin at a constant"
    );
    let span = tile.layout.span(M);
    ensure!(span <= MAX_SLOTS, "spans {span} registers, more than the {MAX_SLOTS} of one tile (R47)");
    Ok(())
}

/// `tile.view`: the storage of `source` under another type (R53).
///
/// Of a tile that is spread over threads, a view of each thread's registers, over the same threads; or, where the result
/// is not spread, the registers of this thread.
pub fn view(source: &Tile, result: &Tile) -> Result<()> {
    if source.layout.thread_axes().next().is_none() && result.layout.thread_axes().next().is_none() {
        return view_of_one(source, result);
    }
    if result.layout.thread_axes().next().is_some() {
        ownership::same_threads(&source.layout, &result.layout)?;
    }
    let of_one = |tile: &Tile| {
        let layout = tile.layout.of_one_thread();
        Tile { shape: vec![layout.size()], layout, ..tile.clone() }
    };
    view_of_one(&of_one(source), &of_one(result)).context("of each thread")
}

/// Of registers of one thread, or of memory.
fn view_of_one(source: &Tile, result: &Tile) -> Result<()> {
    ensure!(
        source.space == result.space,
        "views {} as {}; a view stays where its source is (R53)",
        source.space,
        result.space
    );
    let (from, to) = (i64::from(source.element.width()), i64::from(result.element.width()));
    ensure!(
        from == to || (from % 8 == 0 && to % 8 == 0),
        "views elements of {from} bits as elements of {to}; both are whole bytes (R53)"
    );
    let bits = |tile: &Tile, width: i64| i128::from(tile.size()) * i128::from(width);
    ensure!(
        bits(source, from) == bits(result, to),
        "views {} elements of {from} bits as {} of {to}; source and result must hold the same bits (R53)",
        source.size(),
        result.size()
    );
    ensure!(
        source.layout.has_dynamic_offset() == result.layout.has_dynamic_offset(),
        "offset of the source is {}, that of the result is {}; a view begins where its source does (R53)",
        constancy(&source.layout),
        constancy(&result.layout)
    );
    let (have, need) = (source.layout.span(M), result.layout.span(M));
    ensure!(
        i128::from(need) * i128::from(to) <= i128::from(have) * i128::from(from),
        "result spans {need} elements of {to} bits, the source has {have} of {from}; a view stays in its storage (R53)"
    );
    for tile in [source, result] {
        ensure!(
            tile.space != Space::Register || tile.layout.swizzle().is_none(),
            "a swizzled layout is for memory operands only (R52)"
        );
    }
    same_places(source, result)
}

fn constancy(layout: &Layout) -> &'static str {
    if layout.has_dynamic_offset() { "no constant" } else { "a constant" }
}

/// Every part of the result is a part of the source: a view of a slice does not leave the slice, nor fill its gaps.
fn same_places(source: &Tile, result: &Tile) -> Result<()> {
    let (from, to) = (i64::from(source.element.width()), i64::from(result.element.width()));
    if from == to && source.layout.canonical() == result.layout.canonical() {
        return Ok(());
    }
    let unit = from.min(to);
    let first = source.layout.place(0, M);
    let plain = |tile: &Tile| tile.layout.swizzle().is_none();
    let dense = source.layout.surely_injective() && source.size() == source.layout.span(M) - first;
    if dense && plain(source) && plain(result) {
        // All from the first on, and the result ends no later: it only must not begin sooner.
        let begins = i128::from(result.layout.place(0, M)) * i128::from(to);
        if begins >= i128::from(first) * i128::from(from) {
            return Ok(());
        }
    }
    let span = source.layout.span(M);
    ensure!(
        span.checked_mul(from / unit).is_some(),
        "source spans {span} elements of {from} bits, whose parts of {unit} bits are more than can be numbered (R53)"
    );
    let parts = |tile: &Tile, width: i64| {
        let count = width / unit;
        tile.layout.slots().flat_map(move |slot| (0..count).map(move |part| slot * count + part)).collect::<Vec<i64>>()
    };
    ensure!(
        source.size() * (from / unit) <= MAX_SLOTS,
        "views {} elements, more than the {MAX_SLOTS} parts that are compared",
        source.size()
    );
    let mut have = parts(source, from);
    have.sort_unstable();
    let width = to / unit;
    let outside =
        result.layout.slots().find(|slot| (0..width).any(|part| have.binary_search(&(slot * width + part)).is_err()));
    if let Some(slot) = outside {
        bail!(
            "result has element {slot} of the storage, which the source has not; layouts count from the storage, and the \
             source begins at its element {first} (R53)"
        );
    }
    Ok(())
}

/// `tile.slice`: element i of the result is element begin + i of the source (R20, R21). `None` is a begin that is no
/// constant: then the result is compared with the region at 0, from which all others differ by the offset only, or else
/// check.rs of the passes refuses them.
pub fn slice(source: &Tile, begins: &[Option<i64>], extents: &[i64], result: &Tile) -> Result<()> {
    let rank = source.shape.len();
    ensure!(
        begins.len() == rank && extents.len() == rank,
        "has {} begins and {} extents for a tile of rank {rank}; an axis that is one element stays, with extent 1 (R20)",
        begins.len(),
        extents.len()
    );
    ensure!(source.space == result.space, "slices {} into {}", source.space, result.space);
    ensure!(source.element == result.element, "slices elements of {} into {}", source.element, result.element);
    ensure!(
        extents == result.shape,
        "has extents {}, its result type {}; they must be the same",
        coordinates(extents),
        coordinates(&result.shape)
    );
    stays_with_its_threads(source, begins)?;
    let is_dynamic = source.layout.has_dynamic_offset() || begins.contains(&None);
    let begins: Vec<i64> = begins.iter().map(|begin| begin.unwrap_or(0)).collect();
    let region = source.layout.slice(&source.shape, &begins, extents);
    let region = region.map(|region| if is_dynamic { region.with_dynamic_offset() } else { region });
    ensure!(
        is_dynamic == result.layout.has_dynamic_offset(),
        "offset of the result is {}, and {}{}",
        if is_dynamic { "a constant" } else { "?" },
        if is_dynamic { "a begin is a value, so that it is ?" } else { "all begins are constants" },
        region.as_ref().map_or(String::new(), |wanted| format!("; wanted {}", wanted.as_type_parameter(extents))),
    );
    if let Ok(wanted) = &region
        && wanted.canonical() == result.layout.canonical()
    {
        return Ok(());
    }
    // Elsewhere they may be at the same numbers, and not be the same: an axis that is not named is 0 for whoever asks.
    let threads = |layout: &Layout| layout.thread_axes().collect::<Vec<_>>();
    let copies = |layout: &Layout| layout.canonical().replica().to_vec();
    ensure!(
        threads(&source.layout) == threads(&result.layout) && copies(&source.layout) == copies(&result.layout),
        "result layout names other threads or copies than the source{}; a slice leaves its elements with them (R55)",
        region.as_ref().map_or(String::new(), |wanted| format!(", wanted {}", wanted.as_type_parameter(extents))),
    );
    if let Some(at) = differs(source, &begins, result, is_dynamic)? {
        match region {
            Ok(wanted) => {
                bail!(
                    "result layout puts element {} elsewhere than the source does; wanted {}",
                    coordinates(&at),
                    wanted.as_type_parameter(extents)
                )
            }
            Err(fault) => bail!("{fault}"),
        }
    }
    Ok(())
}

/// A begin that is a value does not choose between threads.
fn stays_with_its_threads(source: &Tile, begins: &[Option<i64>]) -> Result<()> {
    let is_spread = |layout: &Layout| layout.canonical().shard().iter().any(|iter| iter.axis != M);
    if !is_spread(&source.layout) {
        return Ok(());
    }
    let dimensions = source.layout.dimensions(&source.shape);
    for (position, _) in begins.iter().enumerate().filter(|(_, begin)| begin.is_none()) {
        ensure!(
            dimensions.as_ref().is_some_and(|dimensions| !is_spread(&dimensions[position])),
            "begin of axis {position} is a value, and the elements along that axis belong to several threads; take a \
             constant, or a tile.view of this thread's own registers (R55)"
        );
    }
    Ok(())
}

/// The first element of the result that does not lie where the region of the source has it; with a dynamic offset, that
/// does not lie as far from the first one.
fn differs(source: &Tile, begins: &[i64], result: &Tile, is_dynamic: bool) -> Result<Option<Vec<i64>>> {
    ensure!(
        result.size() <= MAX_SLOTS,
        "has {} elements, more than the {MAX_SLOTS} that are compared with the source",
        result.size()
    );
    let axes: Vec<_> = source.layout.thread_axes().chain(result.layout.thread_axes()).chain([M]).collect();
    let (mut whole, mut part) = (source.layout.clone(), result.layout.clone());
    let mut first = None;
    if is_dynamic {
        // Where it begins is a multiple of the period, which check.rs sees to; so the swizzle is the same on both
        // sides.
        ensure!(whole.swizzle() == part.swizzle(), "result has another swizzle than the source");
        (whole, part) = (whole.without_swizzle(), part.without_swizzle());
    }
    for flat in 0..result.size() {
        let at = unflatten(flat as usize, &result.shape);
        let of_source = at.iter().zip(begins).zip(&source.shape).try_fold(0, |flat, ((i, begin), extent)| {
            let coordinate = begin + i;
            (0..*extent).contains(&coordinate).then_some(flat * extent + coordinate)
        });
        let Some(of_source) = of_source else {
            bail!(
                "element {} of the result is outside of the source of shape {} (R36)",
                coordinates(&at),
                coordinates(&source.shape)
            );
        };
        let first = *first.get_or_insert(if is_dynamic { whole.place(of_source, M) } else { 0 });
        let of = |axis| whole.place(of_source, axis) - if axis == M { first } else { 0 };
        if axes.iter().any(|axis| of(*axis) != part.place(flat, *axis)) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// `tile.where`: ranges that no launch makes legal are refused at once.
pub fn where_(narrowing: &Narrowing) -> Result<()> {
    ensure!(*narrowing != Narrowing::default(), "names no threads; write lanes(...), warps(...) or another range");
    narrowing.ranges().try_for_each(|(name, range)| {
        ensure!(
            range.start >= 0 && range.start < range.end,
            "{name}({} to {}) is empty or begins below 0; ranges are half-open",
            range.start,
            range.end
        );
        Ok(())
    })
}

/// `tile.read` and `tile.write`: one element of the registers of this thread. `None` is a dynamic index.
pub fn element(tile: &Tile, indices: &[Option<i64>]) -> Result<()> {
    register_tile(tile)?;
    if let Some(axis) = tile.layout.thread_axes().next() {
        bail!(
            "layout names the axis @{}; its elements are those of several threads; take a tile.view of this thread's own (R55)",
            AXES[axis as usize]
        );
    }
    ensure!(indices.len() == tile.shape.len(), "has {} indices for a tile of rank {}", indices.len(), tile.shape.len());
    in_bounds(&tile.shape, indices)
}

/// Constant indices lie inside of the tile (R36); others are the program's business.
pub fn in_bounds(shape: &[i64], indices: &[Option<i64>]) -> Result<()> {
    for (axis, (index, extent)) in indices.iter().zip(shape).enumerate() {
        if let Some(index) = index {
            let last = extent - 1;
            ensure!((0..=last).contains(index), "index {index} on axis {axis} is outside of 0 to {last} (R36)");
        }
    }
    Ok(())
}

/// What every tile of registers is: private, and not swizzled (R52).
fn register_tile(tile: &Tile) -> Result<()> {
    ensure!(
        tile.space == Space::Register,
        "is in {}, a register tile is in #gpu.address_space<private> (R31)",
        tile.space
    );
    ensure!(tile.layout.swizzle().is_none(), "a swizzled layout is for memory operands only (R52)");
    Ok(())
}
