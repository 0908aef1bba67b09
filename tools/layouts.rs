//! `--layout-to-svg` and `--layout-to-text`: the layout of `--layout`, or those of a file, drawn.
//!
//! - Of a file, each memref type of a value is drawn once whose layout is a tile layout or is strided and not the
//!   identity; what is no tile, as with a dynamic shape, is not.
//! - A layout by itself is of registers where it names threads, and of shared memory where it does not.

use crate::draw::{self, Drawing, SHARED};
use crate::{answer, draw_svg, draw_text, text};
use anyhow::{Context as _, Result, bail, ensure};
use melior::ir::attribute::AttributeLike;
use melior::ir::operation::{OperationLike, OperationRef, WalkOrder, WalkResult};
use melior::ir::{Attribute, Location, Type, TypeLike};
use mlir_sys::*;
use ptx_tile_dialect::element::{Element, Scalar};
use ptx_tile_dialect::layout::Layout;
use ptx_tile_dialect::legality::{Space, Tile};
use ptx_tile_dialect::verify::{read_tile, read_tile_layout};
use ptx_tile_passes::{Reported, Severity, diagnose, error, quoted};
use std::collections::HashSet;
use std::ffi::c_void;

/// PtxTileDrawOptions of mains.cpp.
#[repr(C)]
pub struct RawOptions {
    layout: MlirStringRef,
    shape: MlirStringRef,
    has_layout: bool,
    has_shape: bool,
    as_svg: bool,
}

/// PtxTileDraw of mains.cpp.
pub type Draw = unsafe extern "C" fn(MlirOperation, &RawOptions, MlirStringCallback, *mut c_void) -> MlirLogicalResult;

/// What mains.cpp calls.
pub unsafe extern "C" fn draw(
    root: MlirOperation,
    options: &RawOptions,
    print: MlirStringCallback,
    user: *mut c_void,
) -> MlirLogicalResult {
    let given = |is_given: bool, option| is_given.then(|| unsafe { text(option) });
    let (layout, shape) = (given(options.has_layout, options.layout), given(options.has_shape, options.shape));
    let drawn = |root: OperationRef| {
        let drawings = match (layout, shape) {
            (Some(layout), shape) => vec![of_attribute(root, &layout, shape.as_deref())?],
            (None, Some(_)) => {
                return Err(error(root.location(), "--shape is that of --layout; the types of a file have theirs"));
            }
            (None, None) => of_file(root)?,
        };
        let texts = || drawings.iter().map(draw_text::text).collect::<Vec<_>>().join("\n");
        Ok(Some(if options.as_svg { draw_svg::svg(&drawings) } else { texts() }))
    };
    unsafe { answer(root, print, user, drawn) }
}

//===------------------------------------------------------------------------------------------------------------===//
// A layout by itself
//===------------------------------------------------------------------------------------------------------------===//

fn of_attribute(root: OperationRef, layout: &str, shape: Option<&str>) -> Result<Drawing, Reported> {
    let owner = root.context();
    let context = unsafe { owner.to_ref() };
    let at = |option: &str| Location::new(context, option, 1, 1);
    let refuse = |option: &str, why: anyhow::Error| error(at(option), &format!("{why:#}"));
    if has_file(root) {
        return Err(error(root.location(), "--layout is drawn without a file; leave out one of the two"));
    }
    let shape = shape.map(read_shape).transpose().map_err(|why| refuse("--shape", why))?;
    let attribute = Attribute::parse(context, layout).ok_or(Reported)?;
    let tile = tile_of(attribute, shape).map_err(|why| refuse("--layout", why))?;
    Drawing::new(attribute.to_string(), &tile).map_err(|why| refuse("--layout", why))
}

/// Whether the module is of a file; standard input is empty where there is a `--layout`.
fn has_file(root: OperationRef) -> bool {
    let location = root.location();
    location.is_file_line_col_range() && {
        let name = location.file_line_col_range_filename();
        !["-", "<stdin>"].contains(&name.as_string_ref().as_str().unwrap_or_default())
    }
}

/// `8x16` or `8x16xf16`: extents, and the type of an element, i32 where there is none.
fn read_shape(text: &str) -> Result<(Vec<i64>, Element)> {
    let mut extents = vec![];
    let mut rest = Some(text);
    while let Some(part) = rest {
        let (first, after) = part.split_once('x').map_or((part, None), |(first, after)| (first, Some(after)));
        match first.parse::<i64>() {
            Ok(extent) => extents.push(extent),
            Err(_) => break,
        }
        rest = after;
    }
    let element = match rest {
        None => Element::of(Scalar::Int(32)),
        Some(element) => {
            let element = element.parse::<Element>().ok().filter(Element::is_register);
            element.with_context(|| {
                format!("shape {} is malformed; write it as 8x16, or as 8x16xf16 with the element type", quoted(text))
            })?
        }
    };
    Ok((extents, element))
}

fn tile_of(attribute: Attribute, shape: Option<(Vec<i64>, Element)>) -> Result<Tile> {
    let (shape, element) =
        shape.map_or((None, Element::of(Scalar::Int(32))), |(shape, element)| (Some(shape), element));
    let (layout, shape) = match read_tile_layout(attribute) {
        Some(layout) => {
            let layout = layout?;
            let shape = shape.unwrap_or_else(|| draw::shape_of(&layout));
            (layout, shape)
        }
        None => {
            let shape = shape.as_deref();
            (strided(attribute, shape)?, shape.unwrap_or_default().to_vec())
        }
    };
    let is_register = layout.thread_axes().next().is_some();
    let space = if is_register { Space::Register } else { Space::Memory(SHARED) };
    Ok(Tile { shape, element, space, layout })
}

/// `strided<[64, 1], offset: 5>` on a tile of a shape.
fn strided(attribute: Attribute, shape: Option<&[i64]>) -> Result<Layout> {
    let raw = attribute.to_raw();
    ensure!(
        unsafe { mlirAttributeIsAStridedLayout(raw) },
        "{attribute} is no layout; one is #tile.layout<...>, #tile.swizzle<...> or strided<...>"
    );
    let Some(shape) = shape else { bail!("{attribute} has no extents; give them as in --shape 8x16") };
    let count = unsafe { mlirStridedLayoutAttrGetNumStrides(raw) };
    let strides: Vec<i64> = (0..count).map(|i| unsafe { mlirStridedLayoutAttrGetStride(raw, i) }).collect();
    let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
    ensure!(!strides.contains(&dynamic), "{attribute} has a stride that is no constant, and cannot be drawn");
    Ok(Layout::strided(shape, &strides, unsafe { mlirStridedLayoutAttrGetOffset(raw) })?)
}

//===------------------------------------------------------------------------------------------------------------===//
// The layouts of a file
//===------------------------------------------------------------------------------------------------------------===//

fn of_file(root: OperationRef) -> Result<Vec<Drawing>, Reported> {
    let (mut drawings, mut refused) = (vec![], vec![]);
    let mut numbers = 0;
    for (r#type, tile) in tiles(root) {
        let drawing = Drawing::new(r#type.clone(), &tile).and_then(|drawing| {
            let (sum, most) = (numbers + drawing.numbers, draw::MAX_NUMBERS);
            ensure!(sum <= most, "with it there are {sum} numbers, more than the {most} that are drawn of one file");
            numbers = sum;
            Ok(drawing)
        });
        match drawing {
            Ok(drawing) => drawings.push(drawing),
            Err(why) => refused.push(format!("{type} is not drawn: {why:#}")),
        }
    }
    match refused.as_slice() {
        [] if drawings.is_empty() => Err(error(
            root.location(),
            "there is no layout to draw: no value is a memref of static shape with a layout other than the identity; \
             --layout draws one by itself",
        )),
        [first, ..] if drawings.is_empty() => Err(error(root.location(), first)),
        refused => {
            refused.iter().for_each(|why| diagnose(root.location(), Severity::Warning, why));
            Ok(drawings)
        }
    }
}

/// The memref types of the values that are tiles with a layout to see, each once, in the order of the file.
fn tiles(root: OperationRef) -> Vec<(String, Tile)> {
    let (mut seen, mut tiles) = (HashSet::new(), vec![]);
    let mut take = |r#type: Type| {
        if !r#type.is_mem_ref() || !seen.insert(r#type.to_raw().ptr) {
            return;
        }
        if let Ok(tile) = read_tile(r#type)
            && Layout::row_major(&tile.shape).is_ok_and(|identity| identity != tile.layout)
        {
            tiles.push((r#type.to_string(), tile));
        }
    };
    root.walk(WalkOrder::PreOrder, |op| {
        types(op.to_raw()).into_iter().for_each(&mut take);
        WalkResult::Advance
    });
    tiles
}

/// The types of the results of an op and of the arguments of its blocks.
fn types<'c>(op: MlirOperation) -> Vec<Type<'c>> {
    let mut values = vec![];
    unsafe {
        values.extend((0..mlirOperationGetNumResults(op)).map(|i| mlirOperationGetResult(op, i)));
        for region in 0..mlirOperationGetNumRegions(op) {
            let mut block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
            while !block.ptr.is_null() {
                values.extend((0..mlirBlockGetNumArguments(block)).map(|i| mlirBlockGetArgument(block, i)));
                block = mlirBlockGetNextInRegion(block);
            }
        }
        values.into_iter().map(|value| Type::from_raw(mlirValueGetType(value))).collect()
    }
}
