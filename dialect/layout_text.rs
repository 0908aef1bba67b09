//! How layouts and what is wrong with them are written: `#tile.layout<...>`, and one text for each fault.

use crate::layout::{Axis, Layout, M, Swizzle};
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/axes.rs"));

/// As `#tile.layout` and `#tile.swizzle` are written; they print the canonical form.
impl fmt::Display for Layout {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let on = |value: i64, axis: Axis| match axis {
            M => value.to_string(),
            _ => format!("{value}@{}", AXES[axis as usize]),
        };
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        let extents = list(self.shard().iter().map(|iter| iter.extent.to_string()).collect());
        let strides = list(self.shard().iter().map(|iter| on(iter.stride, iter.axis)).collect());
        let mut text = format!("<{extents} : {strides}");
        if !self.replica().is_empty() {
            let replica =
                self.replica().iter().map(|it| format!("{} : {}", it.extent, on(it.stride, it.axis))).collect();
            text += &format!(", replica = {}", list(replica));
        }
        let dynamic = self.has_dynamic_offset().then(|| "?".into());
        let offset: Vec<_> = dynamic.into_iter().chain(self.offset().iter().map(|it| on(it.value, it.axis))).collect();
        if !offset.is_empty() {
            text += &format!(", offset = {}", list(offset));
        }
        match self.swizzle() {
            None => write!(out, "#tile.layout{text}>"),
            Some(Swizzle { per_element, swizzle, atom, outer }) => write!(
                out,
                "#tile.swizzle<{text}>, per_element = {per_element}, swizzle = {swizzle}, atom = {atom}{}>",
                if outer { ", outer" } else { "" }
            ),
        }
    }
}

impl Layout {
    /// As one would write it in a memref type of `shape`: `strided<...>` where that says it.
    pub fn as_type_parameter(&self, shape: &[i64]) -> String {
        let on_m =
            self.shard().iter().all(|iter| iter.axis == M) && self.offset().iter().all(|offset| offset.axis == M);
        let is_plain = on_m && self.replica().is_empty() && self.swizzle().is_none();
        if !is_plain || !self.shard().iter().map(|iter| iter.extent).eq(shape.iter().copied()) {
            return self.canonical().to_string();
        }
        let strides: Vec<String> = self.shard().iter().map(|iter| iter.stride.to_string()).collect();
        let offset = match self.offset() {
            _ if self.has_dynamic_offset() => ", offset: ?".into(),
            [offset] if offset.value != 0 => format!(", offset: {}", offset.value),
            _ => String::new(),
        };
        format!("strided<[{}]{offset}>", strides.join(", "))
    }
}

/// Defines `Fault` and its text from one list.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* })? => $text:literal $(, $argument:expr)*;)*) => {
        /// What is wrong with a layout, or with what was asked of it. Positions count from 0; `of` names a list.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the text of each fault says what its fields are")]
        pub enum Fault {
            $($(#[$doc])* $name $({ $($field: $type),* })?,)*
        }

        impl fmt::Display for Fault {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                match self {
                    $(Fault::$name $({ $($field),* })? => write!(f, $text $(, $argument)*),)*
                }
            }
        }
    };
}

faults! {
    /// An extent is zero or negative (D15).
    Extent { of: &'static str, position: usize, extent: i64 } =>
        "{of} extent {extent} at position {position} must be positive";
    /// A stride is negative (D18).
    Stride { of: &'static str, position: usize, stride: i64 } =>
        "{of} stride {stride} at position {position} must not be negative";
    /// An axis is none of [`AXES`] (R45), which text cannot say.
    NoAxis { axis: Axis } => "there is no axis number {axis}, they end at {}, {}", AXES.len() - 1, AXES[AXES.len() - 1];
    /// An offset is negative (D18).
    Offset { position: usize, value: i64 } => "offset {value} at position {position} must not be negative";
    /// The offset of an axis of threads is no constant.
    DynamicOffset { position: usize, axis: Axis } =>
        "offset at position {position} is no constant, on axis {} it must be", AXES[*axis as usize];
    /// An axis has a second offset (R40).
    OffsetTwice { position: usize } => "offset at position {position} is the second on its axis, it can have one";
    /// A product of extents does not fit `i64`.
    Count { of: &'static str } => "{of} extents have a product above {}", i64::MAX;
    /// The span of an axis does not fit `i64` (R47).
    Span { axis: Axis } => "span of axis {} is above {}", AXES[*axis as usize], i64::MAX;
    /// A shape has not as many elements as the layout (R43).
    Shape { shape: Vec<i64>, elements: i64, size: i64 } =>
        "shape {} has {elements} elements, the layout has {size}; a layout admits shapes of its size (R43)", by(shape);
    /// A list has not one entry a dimension of the shape (D15).
    Rank { of: &'static str, found: usize, rank: usize } => "found {found} {of} for a shape of rank {rank}";
    /// A region leaves its tile (R36).
    Region { position: usize, begin: i64, extent: i64, size: i64 } =>
        "{extent} elements from {begin} leave axis {position}, which has {size} (R36)";
    /// [`Layout::slice`] finds no layout for a region.
    Straddle { position: usize, begin: i64, extent: i64, run: i64 } =>
        "no layout describes {extent} elements from {begin} of axis {position}: they must fill runs of {run} or lie in one; \
         take several slices that do";
    /// A swizzle would read bits that it changes (R49).
    SwizzleOrder { length: u32, atom: u32 } => "swizzle atom {atom} must be at least the swizzle length {length}";
    /// A swizzle takes more bits than `m` has.
    SwizzleBits { bits: u64 } => "swizzle takes {bits} bits of m, it can take {}", Swizzle::MAX_BITS;
    /// A swizzle is put on a layout that names an axis other than `m` (R52).
    SwizzleAxis { axis: Axis } => "layout names axis {}, a swizzle needs all of it on m", AXES[*axis as usize];
    /// A swizzle is put on a swizzled layout.
    SwizzleTwice => "layout is already swizzled, it can be so once";
}

/// `4x1`, as in a memref type.
fn by(shape: &[i64]) -> String {
    if shape.is_empty() {
        return "of rank 0".into();
    }
    shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x")
}

impl std::error::Error for Fault {}
