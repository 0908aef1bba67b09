//! What values are when a program runs: words, and views of memory.

use super::memory::bytes_of_width;
use anyhow::{Context, Result, bail, ensure};
use melior::ir::{Type, TypeLike};
use mlir_sys::*;
use ptx_tile_dialect::layout::{Layout, M};
use ptx_tile_dialect::semantics::Word;
use ptx_tile_dialect::verify::{has_tile_layout, read_tile};
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug)]
pub enum Datum {
    /// A scalar, a vector or a pointer.
    Word(Word),
    /// A memref.
    View(Rc<View>),
}

impl From<Word> for Datum {
    fn from(word: Word) -> Datum {
        Datum::Word(word)
    }
}

impl From<View> for Datum {
    fn from(view: View) -> Datum {
        Datum::View(Rc::new(view))
    }
}

impl Datum {
    /// The word that it is.
    pub fn word(&self) -> Result<Word> {
        match self {
            Datum::Word(word) => Ok(*word),
            Datum::View(_) => bail!("a memref stands where a number is wanted"),
        }
    }

    /// The view that it is.
    pub fn view(&self) -> Result<&Rc<View>> {
        match self {
            Datum::View(view) => Ok(view),
            Datum::Word(_) => bail!("a number stands where a memref is wanted"),
        }
    }
}

/// A memref: elements of memory, or of the registers of a thread.
#[derive(Clone, Debug)]
pub struct View {
    /// The address that elements are counted from: where the memory or the registers begin, of slices and views too.
    pub base: u64,
    /// The width of an element in bits.
    pub width: u32,
    /// Its extents.
    pub shape: Vec<i64>,
    /// Where an element lies.
    pub map: Map,
}

/// From the indices of an element to its place, counted in elements from the base.
#[derive(Clone, Debug)]
pub enum Map {
    /// MLIR's own.
    Strided {
        /// Of the element whose indices are 0.
        offset: i64,
        /// One an axis.
        strides: Vec<i64>,
    },
    /// A tile layout: the flat row-major index decides (R42).
    Layout {
        layout: Layout,
        /// What an offset comes to that is no constant, else 0.
        begin: i64,
    },
    /// A region of another view: index i of axis k is index `begin + step * i` of its axis `kept[k]`; other axes have
    /// their begin alone.
    Region {
        /// The other view.
        of: Rc<View>,
        /// Begin and step of each axis of the other view.
        axes: Vec<(i64, i64)>,
        /// The axes that are left.
        kept: Vec<usize>,
    },
}

impl View {
    /// The view of a whole memory that a memref type is, where its shape and layout are constants.
    pub fn of_type(base: u64, r#type: Type) -> Result<View> {
        View::from(base, r#type, None)
    }

    /// The same; where the type says `?` for the offset, it is `begin`.
    fn from(base: u64, r#type: Type, begin: Option<i64>) -> Result<View> {
        let width = width_of(element_of(r#type))?;
        let shape = shape_of(r#type).into_iter().collect::<Option<Vec<i64>>>();
        let shape = shape.with_context(|| format!("type {type} has an extent that is no constant"))?;
        Ok(View { base, width, map: map_of(r#type, begin)?, shape })
    }

    /// `tile.view`: this storage as another type. Layouts count from the storage, in elements of their own (R53); one
    /// whose offset is no constant counts from where this view begins.
    pub fn retyped(&self, r#type: Type) -> Result<View> {
        let width = width_of(element_of(r#type))?;
        let (begin, period) = self.begin()?;
        let bits = begin.wrapping_mul(self.width.into());
        let begin = (bits % i64::from(width) == 0).then_some(bits / i64::from(width));
        let view = match View::from(self.base, r#type, begin) {
            Err(why) if begin.is_none() => {
                return Err(why.context(format!("begins {bits} bits from its storage, inside of an element (R53)")));
            }
            other => other?,
        };
        if view.has_moved() {
            // Elsewhere a swizzle puts other elements where the layouts were compared.
            for period in [period.saturating_mul(self.width.into()), view.begin()?.1.saturating_mul(width.into())] {
                ensure!(bits % period == 0, "begins {bits} bits from its storage, inside of a period of a swizzle");
            }
        }
        Ok(view)
    }

    /// Whether its offset is no constant of its type.
    fn has_moved(&self) -> bool {
        match &self.map {
            Map::Layout { layout, .. } => layout.has_dynamic_offset(),
            _ => true,
        }
    }

    /// Where the first element lies before a swizzle, in elements from the base, and the period of the swizzle.
    fn begin(&self) -> Result<(i64, i64)> {
        match &self.map {
            Map::Strided { offset, .. } => Ok((*offset, 1)),
            Map::Layout { layout, begin } => {
                let period = layout.swizzle().map_or(1, |swizzle| swizzle.period());
                Ok((layout.clone().without_swizzle().place(0, M).wrapping_add(*begin), period))
            }
            Map::Region { of, axes, .. } => {
                let (whole, period) = (axes.iter().map(|(begin, _)| *begin).collect::<Vec<i64>>(), of.begin()?.1);
                let Map::Layout { layout, begin } = &of.map else { bail!("a region of a region") };
                let plain = Map::Layout { layout: layout.clone().without_swizzle(), begin: *begin };
                Ok((View { map: plain, ..View::clone(of) }.place(&whole)?, period))
            }
        }
    }

    /// A view whose elements lie row-major without gaps.
    pub fn row_major(base: u64, width: u32, shape: Vec<i64>) -> View {
        let mut inner = 1i64;
        let mut strides: Vec<i64> = vec![];
        for extent in shape.iter().rev() {
            strides.insert(0, inner);
            inner = inner.wrapping_mul(*extent);
        }
        View { base, width, shape, map: Map::Strided { offset: 0, strides } }
    }

    /// The bytes of an element.
    pub fn bytes(&self) -> u64 {
        bytes_of_width(self.width)
    }

    /// The address of an element.
    pub fn address(&self, indices: &[i64]) -> Result<u64> {
        let place = self.place(indices)?;
        Ok(self.base.wrapping_add_signed(place.wrapping_mul(self.bytes() as i64)))
    }

    /// The place of an element, in elements from the base.
    fn place(&self, indices: &[i64]) -> Result<i64> {
        self.in_bounds(indices)?;
        match &self.map {
            Map::Strided { offset, strides } => Ok(indices
                .iter()
                .zip(strides)
                .fold(*offset, |place, (index, stride)| place.wrapping_add(index.wrapping_mul(*stride)))),
            // A swizzle permutes periods of it alike.
            Map::Layout { layout, begin } => Ok(layout.place(self.flat(indices), M).wrapping_add(*begin)),
            Map::Region { of, axes, kept } => of.place(&whole(axes, kept, indices)),
        }
    }

    fn in_bounds(&self, indices: &[i64]) -> Result<()> {
        ensure!(indices.len() == self.shape.len(), "{} indices for rank {}", indices.len(), self.shape.len());
        for (axis, (index, extent)) in indices.iter().zip(&self.shape).enumerate() {
            ensure!(
                (0..*extent).contains(index),
                "index {index} on axis {axis} is outside of 0 to {} (R36)",
                extent.saturating_sub(1)
            );
        }
        Ok(())
    }

    /// The row-major index (R42).
    fn flat(&self, indices: &[i64]) -> i64 {
        indices.iter().zip(&self.shape).fold(0, |flat, (index, extent)| flat * extent + index)
    }

    /// The layout that says where an element lies, and which it is there; `None` of MLIR's own.
    pub fn element(&self, indices: &[i64]) -> Result<Option<(&Layout, i64)>> {
        self.in_bounds(indices)?;
        Ok(match &self.map {
            Map::Strided { .. } => None,
            Map::Layout { layout, .. } => Some((layout, self.flat(indices))),
            Map::Region { of, axes, kept } => return of.element(&whole(axes, kept, indices)),
        })
    }

    /// The region of `shape` that begins at the first of each pair of `axes` and goes in steps of the second; axes that
    /// are not kept have one element. It is never outside of this view.
    pub fn region(self: &Rc<View>, axes: Vec<(i64, i64)>, shape: Vec<i64>, kept: Vec<usize>) -> Result<View> {
        ensure!(
            axes.len() == self.shape.len() && kept.len() == shape.len() && kept.iter().all(|axis| *axis < axes.len()),
            "a region of rank {} in rank {}",
            axes.len(),
            self.shape.len()
        );
        let map = match &self.map {
            Map::Strided { offset, strides } => Map::Strided {
                offset: axes
                    .iter()
                    .zip(strides)
                    .fold(*offset, |at, ((begin, _), stride)| at.wrapping_add(begin.wrapping_mul(*stride))),
                strides: kept.iter().map(|axis| strides[*axis].wrapping_mul(axes[*axis].1)).collect(),
            },
            // Regions of regions do not pile up.
            Map::Region { of, axes: outer, kept: of_outer } => {
                let mut all = outer.clone();
                for (axis, (begin, step)) in of_outer.iter().zip(&axes) {
                    let (first, scale) = outer[*axis];
                    all[*axis] = (first.wrapping_add(scale.wrapping_mul(*begin)), scale.wrapping_mul(*step));
                }
                Map::Region { of: of.clone(), axes: all, kept: kept.iter().map(|axis| of_outer[*axis]).collect() }
            }
            Map::Layout { .. } => Map::Region { of: self.clone(), axes: axes.clone(), kept: kept.clone() },
        };
        for (axis, (begin, step)) in axes.iter().enumerate() {
            let last = kept.iter().position(|its| *its == axis).map_or(0, |place| shape[place] - 1);
            let end = begin.checked_add(last.checked_mul(*step).context("a step is out of range")?);
            for index in [Some(*begin), end] {
                ensure!(
                    last < 0 || index.is_some_and(|index| (0..self.shape[axis]).contains(&index)),
                    "the region is outside of the extent {} of axis {axis} (R36)",
                    self.shape[axis]
                );
            }
        }
        Ok(View { base: self.base, width: self.width, shape, map })
    }
}

/// The indices in the other view of an element of a region.
fn whole(axes: &[(i64, i64)], kept: &[usize], indices: &[i64]) -> Vec<i64> {
    let mut whole: Vec<i64> = axes.iter().map(|(begin, _)| *begin).collect();
    for (axis, index) in kept.iter().zip(indices) {
        whole[*axis] = whole[*axis].wrapping_add(axes[*axis].1.wrapping_mul(*index));
    }
    whole
}

/// Whether a type is a memref with a rank.
pub fn is_memref(r#type: Type) -> bool {
    unsafe { mlirTypeIsAMemRef(r#type.to_raw()) }
}

/// Whether a type is `!llvm.ptr`.
pub fn is_pointer(r#type: Type) -> bool {
    unsafe { mlirTypeIsALLVMPointerType(r#type.to_raw()) }
}

/// The element type of a memref.
pub fn element_of<'c>(r#type: Type<'c>) -> Type<'c> {
    unsafe { Type::from_raw(mlirShapedTypeGetElementType(r#type.to_raw())) }
}

/// The extents of a memref, `None` where they are dynamic.
pub fn shape_of(r#type: Type) -> Vec<Option<i64>> {
    unsafe {
        let extent = |axis| mlirShapedTypeGetDimSize(r#type.to_raw(), axis);
        (0..mlirShapedTypeGetRank(r#type.to_raw()) as isize)
            .map(|axis| Some(extent(axis)).filter(|extent| *extent != mlirShapedTypeGetDynamicSize()))
            .collect()
    }
}

/// Where a memref type says that its elements lie; nothing in it may be dynamic but the offset, which then is `begin`.
pub fn map_of(r#type: Type, begin: Option<i64>) -> Result<Map> {
    let unknown = || format!("type {type} has a stride or offset that is no constant");
    if has_tile_layout(r#type) {
        let layout = read_tile(r#type)?.layout;
        let begin = if layout.has_dynamic_offset() { begin.with_context(unknown)? } else { 0 };
        return Ok(Map::Layout { layout, begin });
    }
    let (mut strides, mut offset) = (vec![0; shape_of(r#type).len()], 0);
    let strided =
        unsafe { mlirMemRefTypeGetStridesAndOffset(r#type.to_raw(), strides.as_mut_ptr(), &mut offset) }.value != 0;
    ensure!(strided, "type {type} has no strides");
    let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
    let offset = if offset == dynamic { begin.with_context(unknown)? } else { offset };
    ensure!(!strides.contains(&dynamic), "{}", unknown());
    Ok(Map::Strided { offset, strides })
}

/// The width in bits of a scalar, a vector or a pointer.
pub fn width_of(r#type: Type) -> Result<u32> {
    known_width(r#type)
        .with_context(|| format!("type {type} is none of at most {} bits that the executor knows", Word::MAX_WIDTH))
}

/// The same, `None` for other types.
pub fn known_width(r#type: Type) -> Option<u32> {
    let raw = r#type.to_raw();
    let width = unsafe {
        if mlirTypeIsAInteger(raw) {
            mlirIntegerTypeGetWidth(raw)
        } else if mlirTypeIsAIndex(raw) || mlirTypeIsALLVMPointerType(raw) {
            64
        } else if mlirTypeIsAFloat(raw) {
            mlirFloatTypeGetWidth(raw)
        } else if mlirTypeIsAVector(raw) && !mlirVectorTypeIsScalable(raw) {
            let lanes: Option<i64> =
                shape_of(r#type).into_iter().flatten().try_fold(1, |all: i64, its| all.checked_mul(its));
            lanes?.checked_mul(known_width(element_of(r#type))?.into())?.try_into().ok()?
        } else {
            return None;
        }
    };
    (width <= Word::MAX_WIDTH).then_some(width)
}

/// The number that a word is, as a signed integer.
pub fn signed(word: Word) -> Option<i128> {
    let unused = 128 - word.width.min(128);
    word.known().map(|bits| if unused == 128 { 0 } else { ((bits << unused) as i128) >> unused })
}
