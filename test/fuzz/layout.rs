//! Layouts: what is made of any numbers is a message or a layout, and of a small layout every function says what
//! counting says; its text is read as the same layout.

use crate::any_layout::{Number, Numbers, places, steps};
use crate::said::{self, holds};
use arbitrary::{Arbitrary, Unstructured};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Attribute;
use ptx_tile_dialect::layout::{Axis, DYNAMIC, Iter, Layout, M, Offset};
use ptx_tile_dialect::layout_text::{AXES, Fault};
use ptx_tile_dialect::verify;
use std::collections::HashSet;

/// What is tested; a test of this puts something faulty there.
#[derive(Clone, Copy)]
pub struct Tested {
    /// How far an axis goes.
    pub span: fn(&Layout, Axis) -> i64,
    /// The places on `m`, in order.
    pub slots: fn(&Layout) -> Vec<i64>,
    /// Whether no two elements have one place; `false` where that is not known.
    pub surely_injective: fn(&Layout) -> bool,
    /// A region.
    pub slice: Slice,
    /// The one way to write it.
    pub canonical: fn(&Layout) -> Layout,
    /// Its text.
    pub text: fn(&Layout) -> String,
}

type Slice = fn(&Layout, &[i64], &[i64], &[i64]) -> Result<Layout, Fault>;

/// What is in the product.
pub const TESTED: Tested = Tested {
    span: Layout::span,
    slots: |layout| layout.slots().collect(),
    surely_injective: Layout::surely_injective,
    slice: Layout::slice,
    canonical: Layout::canonical,
    text: Layout::to_string,
};

/// The most elements, copies included, that are counted one by one.
const SMALL: i64 = 512;

#[derive(Arbitrary, Debug)]
struct Input {
    numbers: Numbers,
    shape: Vec<u8>,
    region: Vec<(u8, u8)>,
    wild: Option<(Vec<Number>, Vec<Number>, Vec<Number>)>,
}

/// Why bytes show a fault.
pub fn check(data: &[u8], tested: &Tested) -> Result<(), String> {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else { return Ok(()) };
    let layout = match input.numbers.layout() {
        Ok(layout) => layout,
        Err(fault) => return said::check(&fault.to_string()),
    };
    text(&layout, tested)?;
    if let Some((shape, begins, extents)) = &input.wild {
        let [shape, begins, extents] =
            [shape, begins, extents].map(|it| it.iter().map(|it| it.value()).collect::<Vec<_>>());
        if let Err(fault) = (tested.slice)(&layout, &shape, &begins, &extents) {
            said::check(&fault.to_string())?;
        }
        let product = shape.iter().map(|extent| i128::from(*extent)).try_fold(1, i128::checked_mul);
        let is_shape = shape.iter().all(|extent| *extent > 0) && product == Some(layout.size().into());
        holds!(layout.admits(&shape).is_ok() == is_shape, "{layout} and the shape {shape:?}: it must be {is_shape}");
    }
    let copies = layout.replica().iter().map(|iter| iter.extent).product::<i64>();
    if layout.size().saturating_mul(copies) > SMALL {
        // Time and memory depend on the number of iters alone.
        let _ = ((tested.canonical)(&layout), (tested.surely_injective)(&layout), layout.of_threads(), layout.slope());
        return Ok(());
    }
    let shape = shape(layout.size(), &input.shape);
    let region: Vec<(i64, i64)> = shape
        .iter()
        .enumerate()
        .map(|(i, size)| {
            let (begin, extent) = input.region.get(i).copied().unwrap_or((0, 255));
            let begin = i64::from(begin) % size;
            (begin, if extent == 255 { size - begin } else { 1 + i64::from(extent) % (size - begin) })
        })
        .collect();
    counted(&layout, tested)?;
    sliced(&layout, &shape, &region, tested)
}

/// A shape of so many elements.
fn shape(size: i64, picks: &[u8]) -> Vec<i64> {
    let mut left = size;
    let mut shape = vec![];
    for pick in picks.iter().take(4) {
        let divisors: Vec<i64> = (1..=left).filter(|it| left % it == 0).collect();
        let extent = divisors[usize::from(*pick) % divisors.len()];
        left /= extent;
        shape.push(extent);
    }
    shape.push(left);
    shape
}

fn counted(layout: &Layout, tested: &Tested) -> Result<(), String> {
    let places = places(layout);
    holds!(layout.size() == places.len() as i64, "{layout} has size {}, found {}", layout.size(), places.len());
    let all = places.iter().enumerate();
    let differs = all
        .clone()
        .find(|(flat, place)| (0..AXES.len()).any(|axis| layout.place(*flat as i64, axis as Axis) != place[axis]));
    holds!(differs.is_none(), "{layout}: element and place {differs:?}");
    let slots: Vec<i64> = places.iter().map(|place| place[M as usize]).collect();
    let found = (tested.slots)(layout);
    holds!(found == slots, "{layout}: slots {found:?}, wanted {slots:?}");

    let mut copies = places.clone();
    for iter in layout.replica() {
        copies = steps(&copies, iter);
    }
    for axis in 0..AXES.len() {
        let last = copies.iter().map(|place| place[axis]).max().unwrap_or(0);
        let (found, wanted) = ((tested.span)(layout, axis as Axis), last + 1);
        // Of a swizzled m it is a bound; with copies, which are not swizzled here, it is none that this knows.
        let is_bound = axis as Axis == M && layout.swizzle().is_some();
        let is_right = if is_bound { found > *slots.iter().max().unwrap_or(&0) } else { found == wanted };
        holds!(is_right, "{layout}: span of {} is {found}, wanted {wanted}", AXES[axis]);
    }
    let distinct = places.iter().collect::<HashSet<_>>().len() == places.len();
    holds!(
        distinct || !(tested.surely_injective)(layout),
        "{layout} is surely injective, and two elements have one place"
    );

    let canonical = (tested.canonical)(layout);
    holds!(crate::any_layout::places(&canonical) == places, "{canonical}, of {layout}, has other places");
    let (other, found) = (otherwise(layout), (tested.canonical)(&otherwise(layout)));
    holds!(found == canonical, "{other}, which is {layout}, is written as {found}, and that as {canonical}");
    holds!((tested.canonical)(&canonical) == canonical, "{canonical}, of {layout}, is not canonical itself");
    holds!(
        canonical.thread_axes().eq(layout.thread_axes())
            && canonical.has_dynamic_offset() == layout.has_dynamic_offset(),
        "{canonical}, of {layout}, names other axes, or begins otherwise"
    );
    Ok(())
}

/// The same layout, with an iter for each factor 2 and some that do nothing.
fn otherwise(layout: &Layout) -> Layout {
    let mut shard = vec![Iter { extent: 1, stride: 7, axis: M }];
    for iter in layout.shard() {
        let (mut outer, mut inner) = (*iter, vec![]);
        while outer.extent % 2 == 0 {
            inner.push(Iter { extent: 2, ..outer });
            // The last one is of one step, whose length is at most a span, and counts for nothing.
            outer = Iter { extent: outer.extent / 2, stride: outer.stride.saturating_mul(2), ..outer };
        }
        shard.extend([outer].into_iter().chain(inner.into_iter().rev()));
    }
    let mut offset = layout.offset().to_vec();
    offset.extend(layout.has_dynamic_offset().then_some(Offset { value: DYNAMIC, axis: M }));
    offset.reverse();
    let other = Layout::new(shard, layout.replica().to_vec(), offset).expect("it has the places of the other");
    layout.swizzle().map_or(other.clone(), |swizzle| other.with_swizzle(swizzle).expect("it is on m, as the other"))
}

fn sliced(layout: &Layout, shape: &[i64], region: &[(i64, i64)], tested: &Tested) -> Result<(), String> {
    let (begins, extents): (Vec<i64>, Vec<i64>) = region.iter().copied().unzip();
    let of = || format!("{layout} of shape {shape:?}, from {begins:?} on {extents:?}");
    if let Some(dimensions) = layout.dimensions(shape) {
        let plain = places(&layout.clone().without_swizzle());
        let each: Vec<_> = dimensions.iter().map(places).collect();
        for (flat, place) in plain.iter().enumerate() {
            let mut left = flat;
            let mut sum = plain[0];
            for (extent, its) in shape.iter().zip(&each).rev() {
                let at = left % *extent as usize;
                left /= *extent as usize;
                (0..AXES.len()).for_each(|axis| sum[axis] += its[at][axis]);
            }
            holds!(sum == *place, "{}: the sum over the dimensions is {sum:?} at {flat}, wanted {place:?}", of());
        }
    }
    let slice = match (tested.slice)(layout, shape, &begins, &extents) {
        Ok(slice) => slice,
        Err(fault) => {
            let is_whole = begins.iter().all(|begin| *begin == 0) && extents == shape;
            let is_one = extents.iter().all(|extent| *extent == 1);
            holds!(!is_whole && !is_one, "{} has no layout: {fault}", of());
            return said::check(&fault.to_string());
        }
    };
    holds!(slice.admits(&extents).is_ok(), "{} is {slice}, which does not admit that", of());
    let (whole, part) = (places(layout), places(&slice));
    // What begins nowhere known is compared from its first element on.
    let origin = |first: &[i64; AXES.len()]| if layout.has_dynamic_offset() { first[M as usize] } else { 0 };
    let mut first = None;
    for (flat, place) in part.iter().enumerate() {
        let (mut left, mut at, mut step) = (flat as i64, 0, 1);
        for i in (0..shape.len()).rev() {
            at += (begins[i] + left % extents[i]) * step;
            left /= extents[i];
            step *= shape[i];
        }
        let mut wanted = whole[at as usize];
        let first = *first.get_or_insert(wanted);
        if layout.has_dynamic_offset() && layout.swizzle().is_some() {
            continue;
        }
        wanted[M as usize] -= origin(&first);
        holds!(*place == wanted, "{} is {slice}: element {flat} is at {place:?}, wanted {wanted:?}", of());
    }
    Ok(())
}

/// The text is read as the layout, and written again.
fn text(layout: &Layout, tested: &Tested) -> Result<(), String> {
    thread_local!(static CONTEXT: Context = {
        let registry = DialectRegistry::new();
        ptx_tile_dialect::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        context
    });
    CONTEXT.with(|context| {
        let written = (tested.text)(layout);
        let attribute = Attribute::parse(context, &written).ok_or_else(|| format!("{written} is not read"))?;
        let read = verify::read_tile_layout(attribute).ok_or_else(|| format!("{written} is read as {attribute}"))?;
        let read = read.map_err(|fault| format!("{written} is read, and then refused: {fault}"))?;
        let canonical = layout.canonical();
        holds!(read.canonical() == canonical, "{written} is read as {read}");
        holds!(
            attribute.to_string() == canonical.to_string(),
            "{written} is printed as {attribute}, wanted {canonical}"
        );
        let shape = [layout.size()];
        let parameter = layout.as_type_parameter(&shape);
        holds!(Attribute::parse(context, &parameter).is_some(), "{parameter}, of {layout}, is not read");
        Ok(())
    })
}
