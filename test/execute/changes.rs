//! Changes to programs that leave their meaning, and such as nearly do.

use melior::Context;
use melior::ir::block::BlockLike;
use melior::ir::operation::{Operation, OperationLike, OperationRef, OperationResult, WalkOrder, WalkResult};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{Module, ShapedTypeLike, Type, Value, ValueLike};
use mlir_sys::mlirOperationSetOperand;
use ptx_tile_dialect::instruction::Variant;
use ptx_tile_dialect::layout::{Iter, Layout, M};
use ptx_tile_dialect::legality::{Space, Tile};
use ptx_tile_dialect::threads::Scope;
use ptx_tile_dialect::tile;
use ptx_tile_dialect::verify::{op_name, read_apply, scope_of};
use std::ops::Range;

/// Changes a module in as many places as it can, rightly or nearly so: how many that are.
pub type Change = for<'c> fn(&'c Context, &Module<'c>, bool) -> usize;

pub const CHANGES: [(&str, Change); 4] = [
    ("applications change places", reorder),
    ("an application becomes two", |context, module, is_wrong| each(module, |it| split(context, it, is_wrong))),
    ("axes are permuted", |context, module, is_wrong| each(module, |it| permute(context, it, is_wrong))),
    ("tiles are viewed and back", |context, module, is_wrong| each(module, |it| view(context, it, is_wrong))),
];

/// A `tile.apply`.
struct Application<'c> {
    op: OperationRef<'c, 'c>,
    words: Vec<Value<'c, 'c>>,
    /// `None` is a scalar.
    tiles: Vec<Option<Tile>>,
    variant: Variant,
    scope: Scope,
}

impl<'c> Application<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Application<'c>> {
        if op_name(op) != "tile.apply" {
            return None;
        }
        let (operands, tiles, application) = read_apply(op).expect("it verifies");
        let scope = scope_of(op).expect("it verifies");
        Some(Application { op, words: operands.words, tiles, variant: application.variant, scope })
    }

    /// The operands that are tiles, with their number.
    fn tiles(&self) -> impl Iterator<Item = (usize, Value<'c, 'c>, &Tile)> {
        let words = self.words.iter().zip(&self.tiles).enumerate();
        words.filter_map(|(i, (word, tile))| Some((i, *word, tile.as_ref()?)))
    }

    fn shape(&self) -> &[i64] {
        &self.tiles[0].as_ref().expect("the destination is a tile").shape
    }

    /// The axes of repeats; those of a cluster's group are not known here.
    fn repeats(&self) -> Range<usize> {
        let group = self.scope.group_axes(self.variant.instruction.collective).expect("it verifies");
        let end = self.shape().len() - 1;
        if self.scope == Scope::Cluster { end..end } else { group..end }
    }

    /// The storage that it touches, and whether it writes there.
    fn storage(&self) -> Vec<(String, bool)> {
        let operands: Vec<_> = self.variant.form.words().collect();
        let of = |(i, word, _): (usize, Value<'c, 'c>, &Tile)| {
            let is_stored = operands[i].address && self.variant.instruction.writes_memory;
            (storage_of(word), operands[i].written || is_stored)
        };
        self.tiles().map(of).collect()
    }

    fn set(&self, op: OperationRef, word: usize, value: Value) {
        unsafe { mlirOperationSetOperand(op.to_raw(), word as isize, value.to_raw()) };
        debug_assert!(word < self.words.len());
    }

    /// Inserts an op before this one, whose one result it gives.
    fn insert(&self, op: Operation<'c>) -> Value<'c, 'c> {
        let op = self.op.block().expect("it is in one").insert_operation_before(self.op, op);
        let result: OperationResult = op.result(0).expect("it has one");
        unsafe { Value::from_raw(result.to_raw()) }
    }

    /// An operand as another tile of the same storage.
    fn seen(
        &self,
        context: &'c Context,
        value: Value<'c, '_>,
        element: Type<'c>,
        tile: &Tile,
    ) -> Option<Value<'c, 'c>> {
        let like = MemRefType::try_from(value.r#type()).expect("it is a tile");
        let layout = tile::layout_attribute(context, &tile.layout, &tile.shape).ok()?;
        let r#type = MemRefType::new(element, &tile.shape, Some(layout), like.memory_space());
        Some(self.insert(tile::view(context, value, r#type, self.op.location())))
    }
}

fn element_of<'c>(value: Value<'c, '_>) -> Type<'c> {
    MemRefType::try_from(value.r#type()).expect("it is a tile").element()
}

/// What a memref is a part of: two texts that differ are memory apart.
fn storage_of(value: Value) -> String {
    let Ok(result) = OperationResult::try_from(value) else { return format!("{:?}", value.to_raw().ptr) };
    let op = result.owner();
    match op_name(op) {
        "tile.view" | "tile.slice" | "memref.subview" | "memref.view" | "memref.cast" => {
            storage_of(op.operand(0).expect("it has one"))
        }
        "memref.get_global" => op.attribute("name").map(|name| name.to_string()).unwrap_or_default(),
        _ => format!("{:?}", value.to_raw().ptr),
    }
}

fn ops<'c>(module: &Module<'c>) -> Vec<OperationRef<'c, 'c>> {
    let mut all = vec![];
    module.as_operation().walk(WalkOrder::PreOrder, |op| {
        all.push(op.to_raw());
        WalkResult::Advance
    });
    all.into_iter().map(|op| unsafe { OperationRef::from_raw(op) }).collect()
}

/// Changes each application that can be.
fn each<'c>(module: &Module<'c>, change: impl Fn(&Application<'c>) -> Option<()>) -> usize {
    ops(module).into_iter().filter_map(Application::of).filter_map(|application| change(&application)).count()
}

/// Applications behind the next one, where neither writes what the other touches; wrongly, where one does.
fn reorder<'c>(_: &'c Context, module: &Module<'c>, is_wrong: bool) -> usize {
    let mut count = 0;
    let mut left = ops(module).into_iter().filter(|op| op_name(*op) == "tile.apply");
    while let Some(first) = left.next() {
        let own = Application::of(first).expect("it is one").storage();
        let mut next = first.next_in_block();
        while let Some(op) = next {
            let op: OperationRef = unsafe { OperationRef::from_raw(op.to_raw()) };
            let is_last = op_name(op) == "tile.apply";
            let Some(its) = touched(op) else { break };
            let clash = own.iter().any(|(a, writes)| its.iter().any(|(b, too)| a == b && (*writes || *too)));
            if clash != (is_last && is_wrong) {
                break;
            }
            if is_last {
                unsafe { mlir_sys::mlirOperationMoveAfter(first.to_raw(), op.to_raw()) };
                count += 1;
                // It has its place.
                left.next();
                break;
            }
            next = op.next_in_block();
        }
    }
    count
}

/// The storage that an op touches, and whether it writes there; `None` where that is not known.
fn touched(op: OperationRef) -> Option<Vec<(String, bool)>> {
    let operand = |i: usize| storage_of(op.operand(i).expect("it has one"));
    match op_name(op) {
        "tile.apply" => {
            Some(Application::of(unsafe { OperationRef::from_raw(op.to_raw()) }).expect("it is one").storage())
        }
        "tile.read" | "memref.load" => Some(vec![(operand(0), false)]),
        "tile.write" | "memref.store" => Some(vec![(operand(1), true)]),
        "tile.alloc" | "tile.view" | "tile.slice" | "memref.alloca" | "memref.subview" | "memref.view"
        | "memref.get_global" | "llvm.bitcast" | "affine.apply" => Some(vec![]),
        name if name.starts_with("arith.") => Some(vec![]),
        _ => None,
    }
}

/// The first half of the outermost repeats, then the rest; wrongly, the rest begins one too soon.
fn split<'c>(context: &'c Context, it: &Application<'c>, is_wrong: bool) -> Option<()> {
    let axis = it.repeats().next()?;
    let extent = it.shape()[axis];
    let half = extent / 2;
    if half == 0 {
        return None;
    }
    let parts = [(0, half), (half - i64::from(is_wrong), extent - half)];
    let slice = |word: Value<'c, 'c>, tile: &Tile, (begin, count): (i64, i64)| {
        let mut begins = vec![0.into(); tile.shape.len()];
        let mut extents = tile.shape.clone();
        (begins[axis], extents[axis]) = (begin.into(), count);
        // No layout describes some.
        tile::slice(context, word, &begins, &extents, it.op.location()).ok()
    };
    let sliced =
        it.tiles().map(|(i, word, tile)| Some((i, [slice(word, tile, parts[0])?, slice(word, tile, parts[1])?])));
    let sliced = sliced.collect::<Option<Vec<_>>>()?;
    let first = Operation::clone(&it.op);
    for (i, [front, rest]) in sliced {
        let (front, rest) = (it.insert(front), it.insert(rest));
        unsafe { mlirOperationSetOperand(first.to_raw(), i as isize, front.to_raw()) };
        it.set(it.op, i, rest);
    }
    it.op.block().expect("it is in one").insert_operation_before(it.op, first);
    Some(())
}

/// The tile with its axes in another order.
fn transposed(tile: &Tile, order: &[usize]) -> Option<Tile> {
    if tile.layout.swizzle().is_some() {
        return None;
    }
    let axes = tile.layout.dimensions(&tile.shape)?;
    let shard = order.iter().flat_map(|axis| axes[*axis].shard()).copied().collect();
    let layout = Layout::new(shard, vec![], tile.layout.offset().to_vec()).ok()?;
    let layout = if tile.layout.has_dynamic_offset() { layout.with_dynamic_offset() } else { layout };
    Some(Tile { shape: order.iter().map(|axis| tile.shape[*axis]).collect(), layout, ..tile.clone() })
}

/// The repeats in another order, of all tiles; wrongly, of the destination alone.
fn permute<'c>(context: &'c Context, it: &Application<'c>, is_wrong: bool) -> Option<()> {
    let shape = it.shape();
    let repeats: Vec<usize> = it.repeats().filter(|axis| shape[*axis] > 1).collect();
    let [first, .., last] = repeats[..] else { return None };
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.swap(first, last);
    let is_square = shape[first] == shape[last];
    // What all repeats read alike has no order.
    let has_order = it.tiles().skip(1).any(|(_, _, tile)| tile.layout.surely_injective());
    if is_wrong && !(is_square && has_order) {
        return None;
    }
    // Nothing may depend on the order of repeats.
    let storage = it.storage();
    let is_apart = |i: usize, (written, _): &(String, bool)| {
        storage.iter().enumerate().all(|(other, (its, _))| other == i || its != written)
    };
    let mut written = storage.iter().enumerate().filter(|(_, (_, is_written))| *is_written);
    let is_free = written.all(|(i, its)| is_apart(i, its));
    let is_injective =
        it.tiles().zip(&storage).all(|((_, _, tile), (_, written))| !written || tile.layout.surely_injective());
    if !is_free || !is_injective {
        return None;
    }
    let count = if is_wrong { 1 } else { it.words.len() };
    let tiles = it.tiles().take(count).map(|(i, word, tile)| Some((i, word, transposed(tile, &order)?)));
    for (i, word, tile) in tiles.collect::<Option<Vec<_>>>()? {
        it.set(it.op, i, it.seen(context, word, element_of(word), &tile)?);
    }
    Some(())
}

/// The same elements in another order: the first of every two, then the second ones.
fn shuffled(tile: &Tile, axes: Range<usize>) -> Option<Tile> {
    let own = tile.layout.dimensions(&tile.shape).filter(|_| tile.layout.swizzle().is_none())?;
    let is_even = |axis: &usize| matches!(own[*axis].shard(), [iter] if iter.extent > 2 && iter.extent % 2 == 0 && iter.axis == M && iter.stride > 0);
    let axis = axes.into_iter().find(is_even)?;
    let shard = own.iter().enumerate().flat_map(|(i, its)| match its.shard() {
        [Iter { extent, stride, .. }] if i == axis => {
            vec![Iter { extent: 2, stride: *stride, axis: M }, Iter { extent: extent / 2, stride: 2 * stride, axis: M }]
        }
        iters => iters.to_vec(),
    });
    let layout = Layout::new(shard.collect(), vec![], tile.layout.offset().to_vec()).ok()?;
    let layout = if tile.layout.has_dynamic_offset() { layout.with_dynamic_offset() } else { layout };
    Some(Tile { layout, ..tile.clone() })
}

/// Each tile by way of a view of another shape, order or element; wrongly, the destination as another view.
fn view<'c>(context: &'c Context, it: &Application<'c>, is_wrong: bool) -> Option<()> {
    if is_wrong {
        let (i, word, tile) = it.tiles().next()?;
        it.set(it.op, i, it.seen(context, word, element_of(word), &shuffled(tile, it.repeats())?)?);
        return Some(());
    }
    let mut count = 0;
    for (i, word, tile) in it.tiles() {
        let element = element_of(word);
        let reversed: Vec<usize> = (0..tile.shape.len()).rev().collect();
        let width = i64::from(tile.element.width());
        let is_plain = Layout::row_major(&tile.shape).is_ok_and(|plain| plain == tile.layout);
        let (other, as_element) = match i % 3 {
            // Halves of the elements.
            0 if is_plain && tile.space == Space::Register && width >= 16 => {
                let mut shape = tile.shape.clone();
                *shape.last_mut().expect("there are axes") *= 2;
                let layout = Layout::row_major(&shape).ok()?;
                (Tile { shape, layout, ..tile.clone() }, IntegerType::new(context, width as u32 / 2).into())
            }
            1 if let Some(other) = transposed(tile, &reversed) => (other, element),
            _ => (Tile { shape: vec![tile.size(), 1], ..tile.clone() }, element),
        };
        let seen = it.seen(context, word, as_element, &other)?;
        it.set(it.op, i, it.seen(context, seen, element, tile)?);
        count += 1;
    }
    (count > 0).then_some(())
}
