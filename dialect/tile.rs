//! Builders of `tile` ops, in the manner of `melior::dialect`.
//!
//! What an op says is checked when the module is verified, by legality.rs, and not here.

use crate::layout::{DYNAMIC, Layout};
use crate::ods::tile::{AllocOperation, ReadOperation, SliceOperation, ViewOperation, WriteOperation};
use crate::threads::{Narrowing, Scope};
use crate::verify::{array, emit_error, panic_text, read_element, read_tile};
use anyhow::{Context as _, Result, bail, ensure};
use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, StringAttribute};
use melior::ir::operation::OperationBuilder;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, Identifier, Location, Operation, Region, Type, TypeLike, Value, ValueLike};
use mlir_sys::{MlirLocation, MlirType};
use std::panic::catch_unwind;

#[cfg(test)]
#[path = "tile_tests.rs"]
mod tests;

/// The type of a tile of registers: a memref of `shape` in `#gpu.address_space<private>`. Without a layout its elements
/// lie row-major, one register after another; with one that names threads the tile is spread over them (R40).
///
/// Errors: an element that no register holds, extents that are not positive, a layout that does not admit the shape
/// (R43), and a context without the `gpu` or the `tile` dialect.
///
/// ```
/// # use ptx_tile_dialect::layout::{Iter, Layout, axes};
/// # use ptx_tile_dialect::tile;
/// # use melior::{Context, dialect::DialectRegistry, ir::Type};
/// # fn main() -> anyhow::Result<()> {
/// # let registry = DialectRegistry::new();
/// # ptx_tile_dialect::register(&registry);
/// # melior::utility::register_all_dialects(&registry);
/// # let context = Context::new();
/// # context.append_dialect_registry(&registry);
/// # context.load_all_available_dialects();
/// let apart = Layout::strided(&[4, 1], &[2, 1], 0)?;
/// let tile = tile::register_type(&context, Type::float32(&context), &[4, 1], Some(&apart))?;
/// assert_eq!(tile.to_string(), "memref<4x1xf32, strided<[2, 1]>, #gpu.address_space<private>>");
///
/// // A row for each lane, of two registers.
/// let iters = vec![Iter { extent: 32, stride: 1, axis: axes::LANEID }, Iter { extent: 2, stride: 1, axis: axes::M }];
/// let rows = Layout::new(iters, vec![], vec![])?;
/// let tile = tile::register_type(&context, Type::float32(&context), &[32, 2, 1], Some(&rows))?;
/// assert!(tile.to_string().contains("#tile.layout<[32, 2] : [1@laneid, 1]>"));
/// # Ok(())
/// # }
/// ```
pub fn register_type<'c>(
    context: &'c Context,
    element: Type<'c>,
    shape: &[i64],
    layout: Option<&Layout>,
) -> Result<MemRefType<'c>> {
    read_element(element)?;
    Layout::row_major(shape)?;
    let layout = layout.map(|layout| layout_attribute(context, layout, shape)).transpose()?;
    let space =
        Attribute::parse(context, "#gpu.address_space<private>").context("the gpu dialect is not registered")?;
    Ok(MemRefType::new(element, shape, layout, Some(space)))
}

/// The attribute of a layout in memrefs of `shape`: `strided<...>` where that says it, else `#tile.layout` or
/// `#tile.swizzle`.
///
/// Errors: those of [`Layout::admits`], and a context without the `tile` dialect.
pub fn layout_attribute<'c>(context: &'c Context, layout: &Layout, shape: &[i64]) -> Result<Attribute<'c>> {
    layout.admits(shape)?;
    Attribute::parse(context, &layout.as_type_parameter(shape)).context("the tile dialect is not registered")
}

/// An index or a begin, in elements.
#[derive(Clone, Copy, Debug)]
pub enum Index<'c, 'a> {
    /// Known when the program is built.
    Constant(i64),
    /// An `index` of the program.
    Value(Value<'c, 'a>),
}

impl From<i64> for Index<'_, '_> {
    fn from(index: i64) -> Self {
        Index::Constant(index)
    }
}

impl<'c, 'a> From<Value<'c, 'a>> for Index<'c, 'a> {
    fn from(index: Value<'c, 'a>) -> Self {
        Index::Value(index)
    }
}

/// The operands and the static list of a `custom<DynamicIndexList>`.
fn index_list<'c, 'a>(
    context: &'c Context,
    indices: &[Index<'c, 'a>],
) -> (Vec<Value<'c, 'a>>, DenseI64ArrayAttribute<'c>) {
    let values = indices.iter().filter_map(|index| match index {
        Index::Value(value) => Some(*value),
        Index::Constant(_) => None,
    });
    let numbers = indices.iter().map(|index| match index {
        Index::Value(_) => DYNAMIC,
        Index::Constant(number) => *number,
    });
    (values.collect(), DenseI64ArrayAttribute::new(context, &numbers.collect::<Vec<i64>>()))
}

/// `tile.alloc`: registers of each thread, as many as the layout spans (R47).
pub fn alloc<'c>(context: &'c Context, r#type: MemRefType<'c>, location: Location<'c>) -> Operation<'c> {
    AllocOperation::builder(context, location).tile(r#type.into()).build().into()
}

/// `tile.view`: the same storage under another type (R53).
pub fn view<'c>(
    context: &'c Context,
    source: Value<'c, '_>,
    result: MemRefType<'c>,
    location: Location<'c>,
) -> Operation<'c> {
    ViewOperation::builder(context, location).result(result.into()).source(source).build().into()
}

/// `tile.slice`: the region of `extents` elements from `begins` on, an entry for each axis (R20, R21). The type of the
/// result follows from that of the source.
///
/// Errors: a source that is no tile, a region that leaves it (R36), and one that no layout describes.
pub fn slice<'c>(
    context: &'c Context,
    source: Value<'c, '_>,
    begins: &[Index<'c, '_>],
    extents: &[i64],
    location: Location<'c>,
) -> Result<Operation<'c>> {
    let known: Vec<Option<i64>> =
        begins.iter().map(|begin| if let Index::Constant(begin) = begin { Some(*begin) } else { None }).collect();
    let (values, numbers) = index_list(context, begins);
    Ok(SliceOperation::builder(context, location)
        .result(slice_type(source.r#type(), &known, extents)?.into())
        .source(source)
        .begins(&values)
        .static_begins(numbers.into())
        .extents(DenseI64ArrayAttribute::new(context, extents).into())
        .build()
        .into())
}

/// The type of a region of a tile of type `source`; `None` stands for a begin that is a value.
///
/// Errors: those of [`slice()`].
pub fn slice_type<'c>(source: Type<'c>, begins: &[Option<i64>], extents: &[i64]) -> Result<MemRefType<'c>> {
    let tile = read_tile(source)?;
    // A begin that is a value moves the whole, and is 0 otherwise.
    let known: Vec<i64> = begins.iter().map(|begin| begin.unwrap_or(0)).collect();
    let region = tile.layout.slice(&tile.shape, &known, extents)?;
    let region = if begins.contains(&None) { region.with_dynamic_offset() } else { region };
    let owner = source.context();
    let context = unsafe { owner.to_ref() };
    let source = MemRefType::try_from(source)?;
    let layout = layout_attribute(context, &region, extents)?;
    Ok(MemRefType::new(element_of(source), extents, Some(layout), source.memory_space()))
}

/// [`slice_type`] for C, declared in `dialect-c.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ptxTileSliceTypeGetChecked(
    location: MlirLocation,
    source: MlirType,
    rank: isize,
    begins: *const i64,
    extents: *const i64,
) -> MlirType {
    let made = catch_unwind(|| {
        ensure!(rank >= 0, "rank {rank} is negative");
        ensure!(!source.ptr.is_null(), "there is no type to slice; what made it has failed");
        let [begins, extents] = [begins, extents].map(|list| unsafe { array(list, rank) });
        let begins: Vec<_> = begins.into_iter().map(|begin| Some(begin).filter(|begin| *begin != DYNAMIC)).collect();
        slice_type(unsafe { Type::from_raw(source) }, &begins, &extents)
    });
    let made = made.unwrap_or_else(|panic| bail!("internal error: {}", panic_text(&*panic)));
    made.map(|made| made.to_raw()).unwrap_or_else(|why| {
        emit_error(unsafe { Location::from_raw(location) }, &format!("{why:#}"));
        MlirType { ptr: std::ptr::null() }
    })
}

fn element_of<'c>(memref: MemRefType<'c>) -> Type<'c> {
    unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(memref.to_raw())) }
}

/// `tile.read`: one register of this thread as a scalar (R33).
pub fn read<'c>(
    context: &'c Context,
    tile: Value<'c, '_>,
    indices: &[Index<'c, '_>],
    location: Location<'c>,
) -> Result<Operation<'c>> {
    let element = element_of(MemRefType::try_from(tile.r#type())?);
    let (values, numbers) = index_list(context, indices);
    Ok(ReadOperation::builder(context, location)
        .value(element)
        .tile(tile)
        .indices(&values)
        .static_indices(numbers.into())
        .build()
        .into())
}

/// `tile.write`: sets one register of this thread.
pub fn write<'c>(
    context: &'c Context,
    value: Value<'c, '_>,
    tile: Value<'c, '_>,
    indices: &[Index<'c, '_>],
    location: Location<'c>,
) -> Operation<'c> {
    let (values, numbers) = index_list(context, indices);
    WriteOperation::builder(context, location)
        .value(value)
        .tile(tile)
        .indices(&values)
        .static_indices(numbers.into())
        .build()
        .into()
}

/// `tile.where`: runs `body`, a region of one block without a terminator, on the threads in all the ranges (R30).
pub fn r#where<'c>(
    context: &'c Context,
    threads: &Narrowing,
    body: Region<'c>,
    location: Location<'c>,
) -> Operation<'c> {
    let mut attributes = vec![];
    for (name, range) in threads.ranges() {
        let range = DenseI64ArrayAttribute::new(context, &[range.start, range.end]);
        attributes.push((Identifier::new(context, name), range.into()));
    }
    OperationBuilder::new("tile.where", location)
        .add_attributes(&attributes)
        .add_regions([body])
        .build()
        .expect("the op infers no types")
}

/// What else an application says than its opcode and words; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clauses<'c, 'a> {
    /// The threads over which the group axes run (R22).
    pub scope: Scope,
    /// The instructions are executed where this i1 is true (R74).
    pub pred: Option<Value<'c, 'a>>,
    /// Or where it is false.
    pub negated: bool,
    /// Where they are not executed the destination stays as it is (R75).
    pub preserve_dst: bool,
    /// Words that are discarded (R94).
    pub sink: &'a [i64],
    /// The last word is negated.
    pub inverted: bool,
    /// The cache policy of all repeats, an i64 (R111).
    pub cache_policy: Option<Value<'c, 'a>>,
}

/// `tile.apply`: a named instruction over tiles, destination first, and scalars (R7, R19).
///
/// Panics where a scope is given and the `tile` dialect is not registered.
pub fn apply<'c>(
    context: &'c Context,
    opcode: &str,
    words: &[Value<'c, '_>],
    clauses: Clauses<'c, '_>,
    location: Location<'c>,
) -> Operation<'c> {
    let Clauses { scope, pred, negated, preserve_dst, sink, inverted, cache_policy } = clauses;
    let scope = (scope != Scope::Thread)
        .then(|| Attribute::parse(context, &format!("#tile.scope<{scope}>")).expect("the tile dialect is registered"));
    let sink = (!sink.is_empty()).then(|| DenseI64ArrayAttribute::new(context, sink).into());
    let unit = |is_there: bool| is_there.then(|| Attribute::unit(context));
    let attributes = [
        ("opcode", Some(StringAttribute::new(context, opcode).into())),
        ("scope", scope),
        ("negated", unit(negated)),
        ("preserve_dst", unit(preserve_dst)),
        ("sink", sink),
        ("inverted", unit(inverted)),
    ];
    let groups: [Vec<Value<'c, '_>>; 3] =
        [words.to_vec(), pred.into_iter().collect(), cache_policy.into_iter().collect()];
    with_segments(context, "tile.apply", &attributes, &groups, &[], location)
}

/// An op whose operands come in groups.
pub(crate) fn with_segments<'c>(
    context: &'c Context,
    name: &str,
    attributes: &[(&str, Option<Attribute<'c>>)],
    groups: &[Vec<Value<'c, '_>>],
    results: &[Type<'c>],
    location: Location<'c>,
) -> Operation<'c> {
    let sizes: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
    let sizes = DenseI32ArrayAttribute::new(context, &sizes).into();
    let given = attributes.iter().filter_map(|(name, value)| Some((*name, (*value)?)));
    let attributes = given.chain([("operandSegmentSizes", sizes)]);
    let attributes: Vec<_> = attributes.map(|(name, value)| (Identifier::new(context, name), value)).collect();
    OperationBuilder::new(name, location)
        .add_attributes(&attributes)
        .add_operands(&groups.concat())
        .add_results(results)
        .build()
        .expect("the op infers no types")
}
