//! Layouts: where each element of a tile lives. Plain data that knows nothing of MLIR.
//!
//! The rules of this file:
//! - An element is its flat row-major index. A shape only says how to form that index, so a layout admits every shape
//!   of its size (R42, R43).
//! - Every `Layout` is well-formed: extents are positive, strides and offsets are not negative (D15, D18), an axis has
//!   at most one offset (R40), and the element count and the span of every axis fit `i64`. A caller's numbers are
//!   checked on the way in; arithmetic on a layout's own numbers then cannot overflow, and is written plainly.
//! - An axis that a layout does not name has coordinate 0 and span 1 (R59).
//! - Coordinates are base coordinates: replicas count in spans and nowhere else (R47, R48).
//! - A layout with a dynamic offset, that of a slice whose begins are no constants, counts its `m` coordinates from
//!   where it begins. Under a swizzle it begins at a multiple of the period: whoever makes it proves that.
//! - Time and memory depend on the number of iters, never on their extents; only `Slots` walks elements.
//!
//! Not checked here: which axes exist and go together (R45), what may be swizzled or replicated (R48, R52), who owns an
//! element (R55), and whether the region that an instruction writes overlaps itself (R63).

use crate::layout_text::{AXES, Fault};
use std::iter::FusedIterator;

#[cfg(test)]
#[path = "layout_model.rs"]
pub(crate) mod model;
#[cfg(test)]
#[path = "layout_properties.rs"]
mod properties;
#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

/// An axis of the physical space: an index into the closed set of axis names (R45).
pub type Axis = u32;

pub use crate::layout_text::axes;
/// The memory axis. Its unit is one element: a slot of a thread's registers, an element offset in memory (R41).
pub use crate::layout_text::axes::M;

/// The value of an offset on `m` that is no constant, written `?`; MLIR's own number for that.
pub const DYNAMIC: i64 = i64::MIN;

/// `extent` steps of `stride` along `axis` (R40).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Iter {
    /// Number of steps, positive.
    pub extent: i64,
    /// Length of a step in units of the axis, not negative. With 0 all steps stand on one place (R64).
    pub stride: i64,
    /// The axis that the steps go along.
    pub axis: Axis,
}

impl Iter {
    /// Whether one iter can do for `self` and the `inner` one below it: the steps of `self` go on where `inner` ends.
    fn continues(&self, inner: &Iter) -> bool {
        let end = inner.stride.checked_mul(inner.extent);
        self.extent == 1 || (self.axis == inner.axis && Some(self.stride) == end)
    }
}

/// The coordinate on `axis` where a layout starts (R40).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offset {
    /// In units of the axis, not negative.
    pub value: i64,
    /// The axis that it shifts.
    pub axis: Axis,
}

/// A permutation of `m` that XORs some of its bits with others (R49). All lengths are numbers of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// M of R49: the low bits that stay as they are, so that 2^M elements stay together.
    pub per_element: u32,
    /// B of R49: the bits that are changed; 0 is the identity.
    pub swizzle: u32,
    /// S of R49: the distance between the bits that are read and those that are changed, at least B.
    pub atom: u32,
    /// Outer direction: the low bits change the high ones. Inner: the high bits change the low ones.
    pub outer: bool,
}

impl Swizzle {
    /// The bits of `m` that may take part: a span of 2^62 fits `i64`.
    pub(crate) const MAX_BITS: u64 = 62;

    /// The step after which the permutation repeats: it maps m + k * period to what m is mapped to, plus k * period.
    pub fn period(self) -> i64 {
        if self.swizzle == 0 { 1 } else { 1 << self.bits() }
    }

    fn bits(self) -> u64 {
        u64::from(self.per_element) + u64::from(self.atom) + u64::from(self.swizzle)
    }

    /// The lowest of the bits that are read, and of those that are changed.
    pub fn ends(self) -> (u32, u32) {
        let (low, high) = (self.per_element, self.per_element + self.atom);
        if self.outer { (low, high) } else { (high, low) }
    }

    fn apply(self, m: i64) -> i64 {
        let (read, changed) = self.ends();
        let k = (1 << self.swizzle) - 1;
        m ^ (((m >> read) & k) << changed)
    }

    /// A bound on `apply(m)` over all `m` in `0..=last`, itself monotone in `last`.
    fn bound(self, last: i64) -> i64 {
        let (read, changed) = self.ends();
        let moves = self.swizzle > 0 && last >> read > 0;
        if moves { last | ((1 << (changed + self.swizzle)) - 1) } else { last }
    }
}

/// A map from the elements of a tile to places (R40, R42), optionally with a swizzle on `m` (R49).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shard: Vec<Iter>,
    replica: Vec<Iter>,
    offset: Vec<Offset>,
    /// The offset on `m` is no constant, and not among the others.
    dynamic_offset: bool,
    swizzle: Option<Swizzle>,
}

impl Layout {
    /// The layout of R40: `shard` from the outermost iter to the innermost, `replica` and `offset` in any order. The
    /// offset on `m` may be [`DYNAMIC`].
    ///
    /// Faults: `NoAxis`, `Extent`, `Stride`, `Offset`, `DynamicOffset`, `OffsetTwice`, `Count`, `Span`.
    pub fn new(shard: Vec<Iter>, replica: Vec<Iter>, mut offset: Vec<Offset>) -> Result<Layout, Fault> {
        let mut axes =
            shard.iter().chain(&replica).map(|iter| iter.axis).chain(offset.iter().map(|offset| offset.axis));
        if let Some(axis) = axes.find(|axis| *axis as usize >= AXES.len()) {
            return Err(Fault::NoAxis { axis });
        }
        for (of, iters) in [("shard", &shard), ("replica", &replica)] {
            count(of, iters.iter().map(|iter| iter.extent))?;
            let strides = iters.iter().map(|iter| iter.stride);
            if let Some((position, stride)) = strides.enumerate().find(|&(_, stride)| stride < 0) {
                return Err(Fault::Stride { of, position, stride });
            }
        }
        for (position, &Offset { value, axis }) in offset.iter().enumerate() {
            if value == DYNAMIC && axis != M {
                return Err(Fault::DynamicOffset { position, axis });
            }
            if value < 0 && value != DYNAMIC {
                return Err(Fault::Offset { position, value });
            }
            if offset[..position].iter().any(|earlier| earlier.axis == axis) {
                return Err(Fault::OffsetTwice { position });
            }
        }
        let dynamic_offset = offset.iter().any(|offset| offset.value == DYNAMIC);
        offset.retain(|offset| offset.value != DYNAMIC);
        let swizzle = None;
        Layout { shard, replica, offset, dynamic_offset, swizzle }.with_checked_spans()
    }

    /// The row-major compact layout of `shape`, one iter a dimension, all on `m` (R44).
    ///
    /// Faults: `Extent`, `Count`.
    pub fn row_major(shape: &[i64]) -> Result<Layout, Fault> {
        let mut inner = count("shape", shape.iter().copied())?;
        let strides = shape.iter().map(|extent| {
            inner /= extent;
            inner
        });
        Layout::strided(shape, &strides.collect::<Vec<i64>>(), 0)
    }

    /// MLIR's `strided<strides, offset: offset>` on a memref of `shape`: one iter a dimension, all on `m`, in elements.
    /// The offset may be [`DYNAMIC`], the strides not.
    ///
    /// Faults: `Rank`, and those of [`Layout::new`].
    pub fn strided(shape: &[i64], strides: &[i64], offset: i64) -> Result<Layout, Fault> {
        same_rank("strides", strides, shape)?;
        let (axis, value) = (M, offset);
        let iter = |(&extent, &stride)| Iter { extent, stride, axis };
        let mut offset = vec![Offset { value, axis }];
        offset.retain(|offset| offset.value != 0);
        Layout::new(shape.iter().zip(strides).map(iter).collect(), vec![], offset)
    }

    /// This layout with its `m` coordinate permuted by `swizzle` (R49), offset included. Everything must be on `m`;
    /// swizzles do not stack.
    ///
    /// Faults: `SwizzleOrder`, `SwizzleBits`, `SwizzleAxis`, `SwizzleTwice`, `Span`.
    pub fn with_swizzle(self, swizzle: Swizzle) -> Result<Layout, Fault> {
        if self.swizzle.is_some() {
            return Err(Fault::SwizzleTwice);
        }
        let (length, atom, bits) = (swizzle.swizzle, swizzle.atom, swizzle.bits());
        if atom < length {
            return Err(Fault::SwizzleOrder { length, atom });
        }
        if bits > Swizzle::MAX_BITS {
            return Err(Fault::SwizzleBits { bits });
        }
        if let Some(axis) = self.thread_axes().next() {
            return Err(Fault::SwizzleAxis { axis });
        }
        let swizzle = Some(swizzle);
        Layout { swizzle, ..self }.with_checked_spans()
    }

    fn with_checked_spans(self) -> Result<Layout, Fault> {
        match self.axes().into_iter().find(|&axis| self.checked_span(axis).is_none()) {
            Some(axis) => Err(Fault::Span { axis }),
            None => Ok(self),
        }
    }

    /// The shard iters, outermost first.
    pub fn shard(&self) -> &[Iter] {
        &self.shard
    }

    /// The replica iters: each multiplies the copies of every element (R42).
    pub fn replica(&self) -> &[Iter] {
        &self.replica
    }

    /// The offsets as given, at most one an axis.
    pub fn offset(&self) -> &[Offset] {
        &self.offset
    }

    /// Whether the offset on `m` is no constant.
    pub fn has_dynamic_offset(&self) -> bool {
        self.dynamic_offset
    }

    /// The same places counted from a begin on `m` that is not known.
    pub fn with_dynamic_offset(mut self) -> Layout {
        self.offset.retain(|offset| offset.axis != M);
        Layout { dynamic_offset: true, ..self }
    }

    /// This layout with its `m` coordinate as it is before the swizzle.
    pub fn without_swizzle(self) -> Layout {
        Layout { swizzle: None, ..self }
    }

    /// The permutation of `m`, if there is one.
    pub fn swizzle(&self) -> Option<Swizzle> {
        self.swizzle
    }

    /// The number of elements: the product of the shard extents.
    pub fn size(&self) -> i64 {
        self.shard.iter().map(|iter| iter.extent).product()
    }

    /// Whether tiles of `shape` may have this layout: exactly those with as many elements (R43).
    ///
    /// Faults: `Extent`, `Count`, `Shape`.
    pub fn admits(&self, shape: &[i64]) -> Result<(), Fault> {
        let (elements, size) = (count("shape", shape.iter().copied())?, self.size());
        if elements == size {
            return Ok(());
        }
        let shape = shape.to_vec();
        Err(Fault::Shape { shape, elements, size })
    }

    /// One more than the largest coordinate on `axis`, copies included, in units of the axis (R47). On a swizzled `m`
    /// it is an upper bound, exact where the tile fills whole blocks of the bits that change.
    pub fn span(&self, axis: Axis) -> i64 {
        self.checked_span(axis).expect("spans are checked as layouts are made")
    }

    fn checked_span(&self, axis: Axis) -> Option<i64> {
        let mut iters = self.shard.iter().chain(&self.replica).filter(|iter| iter.axis == axis);
        let last = iters
            .try_fold(self.start(axis), |last, iter| last.checked_add((iter.extent - 1).checked_mul(iter.stride)?))?;
        let swizzle = self.swizzle.filter(|_| axis == M);
        swizzle.map_or(last, |swizzle| swizzle.bound(last)).checked_add(1)
    }

    fn start(&self, axis: Axis) -> i64 {
        let on_axis = self.offset.iter().filter(|offset| offset.axis == axis);
        on_axis.map(|offset| offset.value).sum()
    }

    /// The axes other than `m` that iters, copies or offsets name, ascending, each once. One whose strides and offset
    /// are 0 is among them.
    pub fn thread_axes(&self) -> impl Iterator<Item = Axis> + use<> {
        self.axes().into_iter().filter(|&axis| axis != M)
    }

    fn axes(&self) -> Vec<Axis> {
        let iters = self.shard.iter().chain(&self.replica).map(|iter| iter.axis);
        let mut axes: Vec<Axis> = iters.chain(self.offset.iter().map(|offset| offset.axis)).collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// The base coordinate on `axis` of element `flat`, a row-major index in `0..size` (R42).
    pub fn place(&self, flat: i64, axis: Axis) -> i64 {
        debug_assert!((0..self.size()).contains(&flat), "element {flat} of {}", self.size());
        let mut outer = flat;
        let mut coordinate = self.start(axis);
        for iter in self.shard.iter().rev() {
            if iter.axis == axis {
                coordinate += outer % iter.extent * iter.stride;
            }
            outer /= iter.extent;
        }
        let swizzle = self.swizzle.filter(|_| axis == M);
        swizzle.map_or(coordinate, |swizzle| swizzle.apply(coordinate))
    }

    /// The `m` coordinate of every element in row-major order: what `place(flat, M)` gives for `flat` in `0..size`.
    pub fn slots(&self) -> Slots {
        // Without unit iters at most every second turn of a wheel carries: O(1) amortised.
        let moving = self.shard.iter().rev().filter(|iter| iter.extent > 1);
        let stride = |iter: &Iter| if iter.axis == M { iter.stride } else { 0 };
        Slots {
            wheels: moving.map(|iter| (iter.extent, stride(iter), 0)).collect(),
            m: self.start(M),
            swizzle: self.swizzle,
            left: self.size() as usize, // hosts have 64 bits
        }
    }

    /// Whether a quick look shows that no two elements have the same coordinates on all axes, so that no two elements
    /// of one thread share a slot. `false` means "not known": enumerate with [`Layout::slots`] (R63).
    ///
    /// This is the test of R62 made axis by axis: on `m` alone it would miss (2,4):(0@laneid,1), whose halves coincide
    /// in one lane. Offsets and swizzles are bijections and do not matter.
    pub fn surely_injective(&self) -> bool {
        let mut moving: Vec<&Iter> = self.shard.iter().filter(|iter| iter.extent > 1).collect();
        moving.sort_unstable_by_key(|iter| (iter.axis, iter.stride));
        moving.chunk_by(|a, b| a.axis == b.axis).all(|iters| {
            // Each stride must step over all that the smaller ones reach.
            let widen = |span, iter: &&Iter| (iter.stride >= span).then(|| span + (iter.extent - 1) * iter.stride);
            iters.iter().try_fold(1, widen).is_some()
        })
    }

    /// The layout of the region of `extents` at `begins` in a tile of `shape`: its element at an index lives where this
    /// layout has the element at `begins` plus that index. The begins go into the offsets, which the swizzle permutes
    /// with the rest; replicas and the swizzle stay. Where each dimension is one iter, so it remains.
    ///
    /// Runs of elements that an iter covers must be taken whole, or the region lie in one of them. That never fails for
    /// single elements, whole tiles and layouts of one iter a dimension.
    ///
    /// Faults: those of [`Layout::admits`], `Rank`, `Extent`, `Count`, `Region` (R36), `Straddle`.
    pub fn slice(&self, shape: &[i64], begins: &[i64], extents: &[i64]) -> Result<Layout, Fault> {
        self.admits(shape)?;
        // Two stacks with the innermost on top, unwound together: as many elements are left in the one as in the other.
        let mut dims = region(shape, begins, extents)?;
        let mut iters = self.shard.clone();
        let mut pieces = vec![]; // innermost first
        let mut slice = self.clone();
        while let Some(mut dim) = dims.pop() {
            let position = dims.len();
            while dim.size > 1
                && let Some(iter) = iters.pop()
            {
                if let Some(n) = dim.fitting(iter.extent) {
                    let (begin, extent) = dim.take(n);
                    slice.shift(iter.axis, begin * iter.stride);
                    pieces.push(Iter { extent, ..iter });
                    if n < iter.extent {
                        let (extent, stride) = (iter.extent / n, iter.stride * n);
                        iters.push(Iter { extent, stride, ..iter });
                    }
                } else if let Some(outer) = iters.pop_if(|outer| outer.continues(&iter)) {
                    let extent = outer.extent * iter.extent;
                    iters.push(Iter { extent, ..iter });
                } else if let Some(outer) = dims.pop_if(|outer| dim.joins(outer)) {
                    dim.join(outer);
                    iters.push(iter);
                } else {
                    let (begin, extent, run) = (begins[position], extents[position], iter.extent);
                    return Err(Fault::Straddle { position, begin, extent, run });
                }
            }
        }
        // What is left are unit iters. The slice reaches no further than `self` does, so it is as well-formed.
        slice.shard = iters.into_iter().chain(pieces.into_iter().rev()).collect();
        // It names the axes that `self` names, also where it stands at one place of them.
        let named = slice.axes();
        let unnamed = self.thread_axes().filter(|axis| !named.contains(axis));
        slice.offset.extend(unnamed.map(|axis| Offset { value: 0, axis }));
        Ok(slice)
    }

    /// This layout as a sum: a layout for each dimension of an admitted `shape`, so that before the swizzle the place
    /// of an element is the offset plus the places that they give to its coordinates. `None` where an iter that is no
    /// multiple of a dimension covers more than that.
    pub fn dimensions(&self, shape: &[i64]) -> Option<Vec<Layout>> {
        let mut iters = self.shard.clone();
        let mut dimensions: Vec<Layout> = vec![];
        for &size in shape.iter().rev() {
            let (mut left, mut its) = (size, vec![]);
            while left > 1 {
                let iter = iters.pop()?;
                let extent = left.min(iter.extent);
                if left.max(iter.extent) % extent == 0 {
                    its.push(Iter { extent, ..iter });
                    left /= extent;
                    if extent < iter.extent {
                        let (extent, stride) = (iter.extent / extent, iter.stride * extent);
                        iters.push(Iter { extent, stride, ..iter });
                    }
                } else {
                    let outer = iters.pop_if(|outer| outer.continues(&iter))?;
                    iters.push(Iter { extent: outer.extent * iter.extent, ..iter });
                }
            }
            its.reverse();
            let (replica, offset) = (vec![], vec![]);
            dimensions.push(Layout { shard: its, replica, offset, dynamic_offset: false, swizzle: None });
        }
        dimensions.reverse();
        Some(dimensions)
    }

    /// The one way to write this layout: layouts that have all elements at the same places, name the same axes of
    /// threads and have the same copies come to the same.
    ///
    /// - Of the iters, those of one step are left out, those that go nowhere are on `m`, and one does for two where the
    ///   outer goes on where the inner ends. A layout of one element has no iter.
    /// - Copies are sorted, without those that are none. Iters of them are not merged: several may make the same
    ///   places.
    /// - Offsets are sorted. One of 0 stays for an axis of threads that nothing else names: it says that the element is
    ///   at 0 there.
    pub fn canonical(&self) -> Layout {
        let mut shard: Vec<Iter> = vec![];
        for iter in self.shard.iter().filter(|iter| iter.extent > 1) {
            let inner = Iter { axis: if iter.stride == 0 { M } else { iter.axis }, ..*iter };
            match shard.last_mut().filter(|outer| outer.continues(&inner)) {
                Some(outer) => *outer = Iter { extent: outer.extent * inner.extent, ..inner },
                None => shard.push(inner),
            }
        }
        let mut replica: Vec<Iter> =
            self.replica.iter().copied().filter(|iter| iter.extent > 1 && iter.stride > 0).collect();
        replica.sort_unstable_by_key(|iter| (iter.axis, iter.stride, iter.extent));
        let moves = |axis: Axis| shard.iter().chain(&replica).any(|iter| iter.axis == axis);
        let offsets = self.axes().into_iter().map(|axis| Offset { value: self.start(axis), axis });
        let offset = offsets.filter(|it| it.value > 0 || (it.axis != M && !moves(it.axis))).collect();
        Layout { shard, replica, offset, ..*self }
    }

    /// The registers of one thread: the iters on `m` and those that go nowhere, and where they begin.
    pub fn of_one_thread(&self) -> Layout {
        let is_own = |iter: &&Iter| iter.axis == M || iter.stride == 0;
        Layout {
            shard: self.shard.iter().filter(is_own).map(|iter| Iter { axis: M, ..*iter }).collect(),
            replica: self.replica.iter().filter(|iter| iter.axis == M).copied().collect(),
            offset: self.offset.iter().filter(|offset| offset.axis == M).copied().collect(),
            ..*self
        }
    }

    /// The threads that have elements: the iters on the axes of these, and where they begin.
    pub fn of_threads(&self) -> Layout {
        Layout {
            shard: self.shard.iter().filter(|iter| iter.axis != M && iter.stride > 0).copied().collect(),
            replica: vec![],
            offset: self.offset.iter().filter(|offset| offset.axis != M).copied().collect(),
            dynamic_offset: false,
            swizzle: None,
        }
    }

    /// The layout on `m` alone that has each element at the sum of its coordinates, each times the weight of its axis.
    ///
    /// Faults: `Span`, and `Stride` where a weight is too large.
    pub fn weighted(&self, weight: impl Fn(Axis) -> i64) -> Result<Layout, Fault> {
        let times = |value: i64, axis: Axis| value.saturating_mul(weight(axis));
        let shard = self.shard.iter().map(|iter| Iter { stride: times(iter.stride, iter.axis), axis: M, ..*iter });
        let value = self.offset.iter().fold(0i64, |sum, it| sum.saturating_add(times(it.value, it.axis)));
        Layout::new(shard.collect(), vec![], vec![Offset { value, axis: M }])
    }

    /// The stride of a layout of one dimension that is linear: element i lies at i times it. `None` where it is not.
    pub fn slope(&self) -> Option<i64> {
        let mut moving = self.shard.iter().filter(|iter| iter.extent > 1);
        let Some(outermost) = moving.next() else { return Some(0) };
        let innermost = moving.try_fold(outermost, |outer, inner| outer.continues(inner).then_some(inner))?;
        Some(if innermost.axis == M { innermost.stride } else { 0 })
    }

    fn shift(&mut self, axis: Axis, by: i64) {
        if axis == M && self.dynamic_offset {
            return;
        }
        match self.offset.iter_mut().find(|offset| offset.axis == axis) {
            Some(offset) => offset.value += by,
            None if by == 0 => {}
            None => self.offset.push(Offset { value: by, axis }),
        }
    }
}

/// A dimension of a region while it is matched with iters: `extent` elements from `begin` out of `size`.
struct Dim {
    size: i64,
    begin: i64,
    extent: i64,
}

impl Dim {
    /// Whether the region consists of whole runs of `n` elements.
    fn is_aligned(&self, n: i64) -> bool {
        self.begin % n == 0 && self.extent % n == 0
    }

    /// The length of the runs in which an iter of `extent` covers the inner part of this dimension: one must divide the
    /// other, and the region must take the same part of every run that it touches.
    fn fitting(&self, extent: i64) -> Option<i64> {
        let n = extent.min(self.size);
        let divides = extent.max(self.size) % n == 0;
        let in_one_run = self.begin / n == (self.begin + self.extent - 1) / n;
        (divides && (self.is_aligned(n) || in_one_run)).then_some(n)
    }

    /// Makes a run of `n` elements, a fitting length, one element. Returns begin and extent of the region in each run.
    fn take(&mut self, n: i64) -> (i64, i64) {
        let aligned = self.is_aligned(n);
        let (begin, extent) = (self.begin % n, self.extent);
        self.extent = if aligned { extent / n } else { 1 };
        self.begin /= n;
        self.size /= n;
        if aligned { (0, n) } else { (begin, extent) }
    }

    /// Whether the region is contiguous in this dimension and the `outer` one, so that they can be one.
    fn joins(&self, outer: &Dim) -> bool {
        outer.extent == 1 || self.extent == self.size
    }

    fn join(&mut self, outer: Dim) {
        self.begin += outer.begin * self.size;
        self.extent *= outer.extent;
        self.size *= outer.size;
    }
}

/// The dimensions of a region, which must lie in the admitted `shape` (R36).
fn region(shape: &[i64], begins: &[i64], extents: &[i64]) -> Result<Vec<Dim>, Fault> {
    same_rank("begins", begins, shape)?;
    same_rank("extents", extents, shape)?;
    count("region", extents.iter().copied())?;
    let dim = |(position, &size)| {
        let (begin, extent) = (begins[position], extents[position]);
        if begin < 0 || extent > size || begin > size - extent {
            return Err(Fault::Region { position, begin, extent, size });
        }
        Ok(Dim { size, begin, extent })
    };
    shape.iter().enumerate().map(dim).collect()
}

fn same_rank(of: &'static str, list: &[i64], shape: &[i64]) -> Result<(), Fault> {
    let (found, rank) = (list.len(), shape.len());
    (found == rank).then_some(()).ok_or(Fault::Rank { of, found, rank })
}

/// The product of `extents`, all of which must be positive.
fn count(of: &'static str, mut extents: impl Iterator<Item = i64> + Clone) -> Result<i64, Fault> {
    if let Some((position, extent)) = extents.clone().enumerate().find(|&(_, extent)| extent <= 0) {
        return Err(Fault::Extent { of, position, extent });
    }
    extents.try_fold(1, i64::checked_mul).ok_or(Fault::Count { of })
}

/// The `m` coordinates of a layout's elements in row-major order, from [`Layout::slots`]. Allocates nothing as it goes.
#[derive(Clone, Debug)]
pub struct Slots {
    /// An odometer: extent, stride on `m` and index of each wheel, fastest first.
    wheels: Vec<(i64, i64, i64)>,
    /// Coordinate of the next element, before the swizzle.
    m: i64,
    swizzle: Option<Swizzle>,
    left: usize,
}

impl Iterator for Slots {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        let slot = self.swizzle.map_or(self.m, |swizzle| swizzle.apply(self.m));
        for (extent, stride, index) in &mut self.wheels {
            *index += 1;
            if *index < *extent {
                self.m += *stride;
                break;
            }
            *index = 0;
            self.m -= (*extent - 1) * *stride;
        }
        Some(slot)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Slots {}
impl FusedIterator for Slots {}
