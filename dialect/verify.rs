//! From an op to plain data, to legality.rs, to a diagnostic: the bodies of the verifiers that the C++ classes call.
//!
//! - No panic crosses into C++: what panics is reported as an internal error at the op.
//! - A failure has always emitted one diagnostic.

use crate::element::{Element, Scalar};
use crate::instruction::{self, Variant};
use crate::issue::{self, Issue};
use crate::layout::{self, Layout, Swizzle};
use crate::layout_text::Fault;
use crate::legality::{self, Apply, Space, Tile, Word};
use crate::named::{self, SpecialSource};
use crate::opcode;
use crate::threads::{Narrowing, Scope};
use crate::{symbols, tiles};
use anyhow::{Context, Result, bail, ensure};
use melior::StringRef;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, AttributeLike, BlockLike, Location, RegionLike, Type, TypeLike, Value, ValueLike};
use mlir_sys::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Emits an error at a location.
pub fn emit_error(location: Location, message: &str) {
    let text: Vec<u8> = message.bytes().filter(|byte| *byte != 0).chain([0]).collect();
    let text = std::ffi::CString::from_vec_with_nul(text).expect("one NUL, at the end");
    unsafe { mlirEmitError(location.to_raw(), text.as_ptr()) }
}

/// Emits an error at an op, after its name: `'tile.apply' op ...`.
pub fn emit_op_error(op: OperationRef, message: &str) {
    emit_error(op.location(), &format!("'{}' op {message}", op_name(op)));
}

/// Runs what C++ called on `op`: an error or a panic becomes a diagnostic there, and failure.
pub fn guard(op: OperationRef, body: impl FnOnce() -> Result<()>) -> MlirLogicalResult {
    let why = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return MlirLogicalResult { value: 1 },
        Ok(Err(why)) => format!("{why:#}"),
        Err(panic) => format!("internal error: {}", panic_text(&*panic)),
    };
    emit_op_error(op, &why);
    MlirLogicalResult { value: 0 }
}

/// What a panic said.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic without a text")
}

//===------------------------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------------------------===//

/// The name of an op.
pub fn op_name<'c>(op: OperationRef<'c, '_>) -> &'c str {
    let name = unsafe { mlirIdentifierStr(mlirOperationGetName(op.to_raw())) };
    // The name lives in the context.
    let bytes = unsafe { std::slice::from_raw_parts(name.data.cast::<u8>(), name.length) };
    std::str::from_utf8(bytes).unwrap_or("?")
}

/// A scalar or vector type that a register can hold.
pub fn read_element(r#type: Type) -> Result<Element> {
    let raw = r#type.to_raw();
    let is_vector =
        unsafe { mlirTypeIsAVector(raw) && mlirShapedTypeGetRank(raw) == 1 && !mlirVectorTypeIsScalable(raw) };
    let element = if is_vector {
        let lanes = unsafe { u32::try_from(mlirShapedTypeGetDimSize(raw, 0)) }.ok();
        let scalar = read_scalar(unsafe { Type::from_raw(mlirShapedTypeGetElementType(raw)) });
        scalar.zip(lanes).map(|(scalar, lanes)| Element { scalar, lanes: Some(lanes) })
    } else {
        read_scalar(r#type).map(Element::of)
    };
    element.filter(Element::is_register).ok_or_else(|| legality::no_register_type(&r#type.to_string()))
}

/// Types are printed as a last resort only: that takes as long as all the rest of a verifier.
fn read_scalar(r#type: Type) -> Option<Scalar> {
    let raw = r#type.to_raw();
    unsafe {
        if mlirTypeIsAInteger(raw) {
            return mlirIntegerTypeIsSignless(raw).then(|| Scalar::Int(mlirIntegerTypeGetWidth(raw)));
        }
        if mlirTypeIsALLVMPointerType(raw) {
            return Some(Scalar::Ptr(mlirLLVMPointerTypeGetAddressSpace(raw)));
        }
        let floats = [
            (mlirTypeIsAF32(raw), Scalar::F32),
            (mlirTypeIsAF16(raw), Scalar::F16),
            (mlirTypeIsABF16(raw), Scalar::Bf16),
            (mlirTypeIsAF64(raw), Scalar::F64),
        ];
        if let Some((_, float)) = floats.into_iter().find(|(is, _)| *is) {
            return Some(float);
        }
        // Of what is left, only narrow floats are printed.
        if !mlirTypeIsAFloat(raw) {
            return None;
        }
    }
    let element: Option<Element> = r#type.to_string().parse().ok();
    element.map(|element| element.scalar)
}

/// The most axes of a tile. MLIR takes time for the square of their number.
const MAX_RANK: i64 = 256;

/// A memref type as a tile.
pub fn read_tile(r#type: Type) -> Result<Tile> {
    let raw = r#type.to_raw();
    ensure!(unsafe { mlirTypeIsAMemRef(raw) }, "type {} is no memref", r#type);
    let rank = unsafe { mlirShapedTypeGetRank(raw) };
    ensure!(rank <= MAX_RANK, "rank {rank} is more than {MAX_RANK}; give the tile fewer axes");
    let shape: Vec<i64> = (0..rank as isize).map(|axis| unsafe { mlirShapedTypeGetDimSize(raw, axis) }).collect();
    let dynamic = shape.iter().position(|extent| *extent == unsafe { mlirShapedTypeGetDynamicSize() });
    if let Some(axis) = dynamic {
        bail!("extent of axis {axis} is dynamic; the extents of a tile are constants (R16)");
    }
    let element = read_element(unsafe { Type::from_raw(mlirShapedTypeGetElementType(raw)) })?;
    let space = read_space(unsafe { mlirMemRefTypeGetMemorySpace(raw) })?;
    let layout = read_layout(r#type, &shape)?;
    layout.admits(&shape)?;
    Ok(Tile { shape, element, space, layout })
}

fn read_space(raw: MlirAttribute) -> Result<Space> {
    if raw.ptr.is_null() {
        return Ok(Space::Memory(0));
    }
    match unsafe { ptxTileGpuAddressSpace(raw) } {
        GPU_PRIVATE => return Ok(Space::Register),
        space @ 1.. => return Ok(Space::Memory(space as u32)),
        _ => {}
    }
    let attribute = unsafe { Attribute::from_raw(raw) };
    let text = attribute.to_string();
    let number = text.split(' ').next().unwrap_or_default();
    ensure!(
        attribute.is_integer(),
        "memory space {text} is unknown; use #gpu.address_space<...> or a number of NVPTX (R32)"
    );
    let known = number.parse().ok().filter(|number| [0, 1, 3, 4].contains(number));
    known.map(Space::Memory).with_context(|| {
        format!(
            "memory space {number} is none of NVPTX that a tile may be in: 0 generic, 1 global, 3 shared, 4 const, or \
             #gpu.address_space<private> for registers (R32)"
        )
    })
}

/// Where a memref type lives.
pub fn read_space_of(r#type: Type) -> Result<Space> {
    read_space(unsafe { mlirMemRefTypeGetMemorySpace(r#type.to_raw()) })
}

/// Whether a type is a memref with a tile layout.
pub fn has_tile_layout(r#type: Type) -> bool {
    unsafe {
        mlirTypeIsAMemRef(r#type.to_raw())
            && ptxTileLayoutAttrGetParts(mlirMemRefTypeGetLayout(r#type.to_raw()), &mut Parts::empty())
    }
}

/// What a `#tile.layout` or a `#tile.swizzle` says; `None` of another attribute.
pub fn read_tile_layout(attribute: Attribute) -> Option<Result<Layout, Fault>> {
    let mut parts = Parts::empty();
    unsafe { ptxTileLayoutAttrGetParts(attribute.to_raw(), &mut parts) }.then(|| parts.layout())
}

fn read_layout(r#type: Type, shape: &[i64]) -> Result<Layout> {
    let attribute = unsafe { Attribute::from_raw(mlirMemRefTypeGetLayout(r#type.to_raw())) };
    if let Some(layout) = read_tile_layout(attribute) {
        return Ok(layout?);
    }
    let (mut strides, mut offset) = (vec![0i64; shape.len()], 0i64);
    let strided =
        unsafe { mlirMemRefTypeGetStridesAndOffset(r#type.to_raw(), strides.as_mut_ptr(), &mut offset) }.value != 0;
    ensure!(strided, "layout {attribute} is neither strided nor a tile layout");
    ensure!(
        !strides.contains(&layout::DYNAMIC),
        "layout has a stride that is no constant; the strides of a tile are constants (R36)"
    );
    Ok(Layout::strided(shape, &strides, offset)?)
}

/// PtxTileLayout of dialect-c.h.
#[repr(C)]
struct Parts {
    shard: *const layout::Iter,
    num_shard: isize,
    replica: *const layout::Iter,
    num_replica: isize,
    offset: *const layout::Offset,
    num_offset: isize,
    is_swizzle: bool,
    swizzle: PartsSwizzle,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct PartsSwizzle {
    per_element: u32,
    swizzle: u32,
    atom: u32,
    outer: bool,
}

impl Parts {
    /// Of a layout without a swizzle; borrows the slices.
    fn of(shard: &[layout::Iter], replica: &[layout::Iter], offset: &[layout::Offset]) -> Parts {
        Parts {
            shard: shard.as_ptr(),
            num_shard: shard.len() as isize,
            replica: replica.as_ptr(),
            num_replica: replica.len() as isize,
            offset: offset.as_ptr(),
            num_offset: offset.len() as isize,
            is_swizzle: false,
            swizzle: PartsSwizzle::default(),
        }
    }

    /// Of nothing, for C++ to fill.
    fn empty() -> Parts {
        Parts::of(&[], &[], &[])
    }

    fn layout(&self) -> Result<Layout, Fault> {
        let layout = unsafe {
            Layout::new(
                array(self.shard, self.num_shard),
                array(self.replica, self.num_replica),
                array(self.offset, self.num_offset),
            )
        }?;
        let PartsSwizzle { per_element, swizzle, atom, outer } = self.swizzle;
        if self.is_swizzle { layout.with_swizzle(Swizzle { per_element, swizzle, atom, outer }) } else { Ok(layout) }
    }
}

/// A list of C's.
///
/// # Safety
///
/// `data` points at `count` values, or `count` is 0.
pub unsafe fn array<T: Clone>(data: *const T, count: isize) -> Vec<T> {
    if count == 0 { vec![] } else { unsafe { std::slice::from_raw_parts(data, count as usize) }.to_vec() }
}

/// What ptxTileGpuAddressSpace gives for `#gpu.address_space<private>`: local memory in NVPTX.
const GPU_PRIVATE: i32 = 5;

unsafe extern "C" {
    fn ptxTileGpuAddressSpace(attribute: MlirAttribute) -> i32;
    fn ptxTileLayoutAttrGetParts(attribute: MlirAttribute, parts: *mut Parts) -> bool;
    fn ptxTileIsTerminator(op: MlirOperation) -> bool;
}

/// An attribute of the op's own, where it has it.
pub fn inherent<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    let raw = unsafe { mlirOperationGetInherentAttributeByName(op.to_raw(), StringRef::new(name).to_raw()) };
    unsafe { Attribute::from_option_raw(raw) }
}

/// The text of a string attribute; bytes that are no UTF-8 become U+FFFD, which no opcode has.
fn string(op: OperationRef, name: &str) -> String {
    let attribute = inherent(op, name);
    attribute.map(|attribute| text(unsafe { mlirStringAttrGetValue(attribute.to_raw()) })).unwrap_or_default()
}

/// Text of MLIR's, which may have any bytes.
pub(crate) fn text(text: MlirStringRef) -> String {
    let bytes = unsafe { array(text.data.cast::<u8>(), text.length as isize) };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The numbers of a `DenseI64ArrayAttr`; none where it is left out.
pub fn numbers(op: OperationRef, name: &str) -> Vec<i64> {
    let Some(attribute) = inherent(op, name) else { return vec![] };
    let raw = attribute.to_raw();
    let count = unsafe { mlirDenseArrayGetNumElements(raw) };
    (0..count).map(|i| unsafe { mlirDenseI64ArrayGetElement(raw, i) }).collect()
}

/// The operands of an op with AttrSizedOperandSegments, group by group.
fn segments<'c, 'a, const N: usize>(op: OperationRef<'c, 'a>) -> [Vec<Value<'c, 'a>>; N] {
    let sizes = inherent(op, "operandSegmentSizes").expect("ODS verifies it").to_raw();
    let mut operands = op.operands();
    std::array::from_fn(|group| {
        let size = unsafe { mlirDenseI32ArrayGetElement(sizes, group as isize) };
        operands.by_ref().take(size as usize).collect()
    })
}

/// Static numbers of a `custom<DynamicIndexList>`; `None` is a dynamic one.
pub fn index_list(op: OperationRef, name: &str) -> Vec<Option<i64>> {
    numbers(op, name).into_iter().map(|number| (number != layout::DYNAMIC).then_some(number)).collect()
}

/// The ranges of a `tile.where`.
pub fn read_narrowing(op: OperationRef) -> Narrowing {
    let range = |name| if let [start, end] = numbers(op, name)[..] { Some(start..end) } else { None };
    Narrowing {
        lanes: range("lanes"),
        warps: range("warps"),
        warps_in_group: range("warps_in_group"),
        warpgroups: range("warpgroups"),
        ctas: range("ctas"),
    }
}

/// The values of a `tile.apply`, apart from what legality.rs needs.
pub struct ApplyOperands<'c, 'a> {
    /// Destination first.
    pub words: Vec<Value<'c, 'a>>,
    /// The predicate.
    pub pred: Option<Value<'c, 'a>>,
    /// The predicate counts where it is false.
    pub negated: bool,
    /// The destination is kept where the predicate says no.
    pub preserve_dst: bool,
    /// The sunk words.
    pub sink: Vec<i64>,
    /// The cache policy.
    pub cache_policy: Option<Value<'c, 'a>>,
    /// The source that can be is negated.
    pub inverted: bool,
}

/// What a `tile.apply` that verifies comes to: its operands, its tiles (`None` is a scalar), and the application.
pub type ReadApply<'c, 'a> = (ApplyOperands<'c, 'a>, Vec<Option<Tile>>, legality::Application);

/// The scope of a `tile.apply`.
pub fn scope_of(op: OperationRef) -> Result<Scope> {
    let text = inherent(op, "scope").map_or("thread".into(), |scope| scope.to_string());
    let name = text.trim_start_matches("#tile.scope<").trim_end_matches('>');
    Scope::named(name).with_context(|| format!("scope({name}) is none"))
}

/// Reads and decides a `tile.apply`.
pub fn read_apply<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<ReadApply<'c, 'a>> {
    let [words, pred, cache_policy] = segments(op);
    let kinds = words.iter().enumerate().map(|(i, word)| {
        let r#type = word.r#type();
        let is_tile = unsafe { mlirTypeIsAMemRef(r#type.to_raw()) };
        let read = if is_tile { read_tile(r#type).map(Word::Tile) } else { read_element(r#type).map(Word::Scalar) };
        read.with_context(|| format!("operand #{i}"))
    });
    let kinds = kinds.collect::<Result<Vec<Word>>>()?;
    let operands = ApplyOperands {
        words,
        pred: pred.into_iter().next(),
        negated: inherent(op, "negated").is_some(),
        preserve_dst: inherent(op, "preserve_dst").is_some(),
        sink: numbers(op, "sink"),
        cache_policy: cache_policy.into_iter().next(),
        inverted: inherent(op, "inverted").is_some(),
    };
    legality::negation(operands.negated, operands.pred.is_some())?;
    let scope = scope_of(op)?;
    let application = legality::apply(&Apply {
        opcode: &string(op, "opcode"),
        words: &kinds,
        scope,
        predicated: operands.pred.is_some(),
        preserve_dst: operands.preserve_dst,
        sink: &operands.sink,
        cache_policy: operands.cache_policy.is_some(),
        inverted: operands.inverted,
    })?;
    let tiles = kinds.into_iter().map(|word| if let Word::Tile(tile) = word { Some(tile) } else { None }).collect();
    Ok((operands, tiles, application))
}

/// The values of a `ptx` op, apart from what legality.rs needs.
pub struct IssueOperands<'c, 'a> {
    /// In PTX order.
    pub inputs: Vec<Value<'c, 'a>>,
    /// The predicate.
    pub pred: Option<Value<'c, 'a>>,
    /// The predicate counts where it is false.
    pub negated: bool,
    /// The preserved values.
    pub old: Vec<Value<'c, 'a>>,
    /// The sunk words.
    pub sink: Vec<i64>,
    /// Bytes added to the address.
    pub offset: Option<i64>,
    /// The source is negated.
    pub inverted: bool,
    /// The special register that is read.
    pub special: Option<SpecialSource>,
}

/// Reads and decides a `ptx` op; whether its symbol is one, [`symbols::kind`] says.
pub fn read_issue<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<(IssueOperands<'c, 'a>, Variant)> {
    let [inputs, pred, old] = segments(op);
    let elements =
        |values: &[Value]| values.iter().map(|value| read_element(value.r#type())).collect::<Result<Vec<_>>>();
    let results = op.results().map(|result| read_element(result.r#type())).collect::<Result<Vec<_>>>()?;
    let offset = inherent(op, "offset").map(|offset| unsafe { mlirIntegerAttrGetValueInt(offset.to_raw()) });
    let sink = numbers(op, "sink");
    let inverted = inherent(op, "inverted").is_some();
    let special = inherent(op, "special").map(|_| string(op, "special"));
    let (variant, special) = issue::decide(&Issue {
        mnemonic: op_name(op).trim_start_matches("ptx."),
        modifiers: &string(op, "modifiers"),
        inputs: &elements(&inputs).context("inputs")?,
        results: &results,
        old: &elements(&old).context("old values")?,
        predicated: !pred.is_empty(),
        sink: &sink,
        offset,
        inverted,
        special: special.as_deref(),
        symbol: inherent(op, "symbol").is_some(),
    })?;
    let negated = inherent(op, "negated").is_some();
    legality::negation(negated, !pred.is_empty())?;
    let pred = pred.into_iter().next();
    Ok((IssueOperands { inputs, pred, negated, old, sink, offset, inverted, special }, variant))
}

/// The least target of a `tile.apply` or a `ptx` op; `None` for any other op and for one that does not verify.
pub fn needs_of(op: OperationRef) -> Option<instruction::Needs> {
    let name = op_name(op);
    let of_cluster = clusters(op).map(|(_, needs)| needs);
    if name == "tile.apply" {
        let needs = read_apply(op).ok()?.2.variant.needs();
        return Some(of_cluster.map_or(needs, |its| its.max(needs)));
    }
    if name == "tile.where" {
        return of_cluster;
    }
    if !name.starts_with("ptx.") {
        return None;
    }
    let (operands, variant) = read_issue(op).ok()?;
    let symbol = symbols::kind(op, &variant, operands.offset).ok()?.map(|kind| kind.needs);
    let special = operands.special.map(|source| source.register.needs);
    Some([symbol, special].into_iter().flatten().fold(variant.needs(), instruction::Needs::max))
}

/// What in a tile op is about clusters, and what that needs: to read the place of a block in its cluster.
fn clusters(op: OperationRef) -> Option<(String, instruction::Needs)> {
    let is_scope = op_name(op) == "tile.apply" && scope_of(op).is_ok_and(|scope| scope == Scope::Cluster);
    let is_range = op_name(op) == "tile.where" && inherent(op, "ctas").is_some();
    let what = if is_scope { "scope(cluster)" } else { "ctas(...)" };
    let register = instruction::SPECIAL_REGISTERS.iter().find(|register| register.name == "cluster_ctaid")?;
    (is_scope || is_range).then(|| (what.into(), register.needs))
}

/// What in an op asks for more than a target has, of those that [`needs_of`] takes together: `ld.global.b128`, or what
/// of it alone: `.cluster`, `%laneid`.
pub fn lacking(op: OperationRef, has: impl Fn(&instruction::Needs) -> bool) -> Option<(String, Vec<String>)> {
    let (variant, named) = match op_name(op) {
        "tile.apply" => (read_apply(op).ok()?.2.variant, clusters(op)),
        "tile.where" => return clusters(op).map(|(what, _)| (what, vec![])),
        _ => {
            let (operands, variant) = read_issue(op).ok()?;
            let symbol = symbols::kind(op, &variant, operands.offset).ok()?;
            let special = operands.special.map(|source| (format!("%{source}"), source.register.needs));
            (variant, symbol.map(|kind| (format!("the address of a {}", kind.summary), kind.needs)).or(special))
        }
    };
    let tokens = variant.tokens.iter().flatten().map(|token| (format!(".{}", token.text), token.needs));
    let parts = tokens.chain(named).filter(|(_, needs)| !has(needs)).map(|(part, _)| part);
    let parts = if has(&variant.form.needs) { parts.collect() } else { vec![] };
    Some((variant.to_string(), parts))
}

/// The indices of a `tile.read` or `tile.write`: constants, and `None` for the next of the index operands.
pub fn read_indices(op: OperationRef) -> Vec<Option<i64>> {
    index_list(op, "static_indices")
}

//===------------------------------------------------------------------------------------------------------------===//
// What C++ calls
//===------------------------------------------------------------------------------------------------------------===//

/// As many index operands as numbers that are none; MLIR's printer takes that for granted.
fn index_operands(op: OperationRef, list: &str, other: usize) -> Result<()> {
    let dynamic = index_list(op, list).iter().filter(|number| number.is_none()).count();
    let found = op.operand_count().saturating_sub(other);
    ensure!(found == dynamic, "has {found} index operands, its {list} leave {dynamic} to them");
    Ok(())
}

/// The ranges of a `tile.where`.
const RANGES: [&str; 5] = ["lanes", "warps", "warps_in_group", "warpgroups", "ctas"];

fn two_numbers(op: OperationRef, name: &str) -> Result<()> {
    let found = numbers(op, name).len();
    ensure!(
        inherent(op, name).is_none() || found == 2,
        "{name} has {found} numbers; a range has its begin and its end"
    );
    Ok(())
}

/// Where the body of a `tile.where` ends the threads go on behind it.
fn body_of_where(op: OperationRef) -> Result<()> {
    let region = op.region(0)?;
    let mut next = region.first_block().and_then(|block| block.first_operation());
    while let Some(inner) = next {
        ensure!(
            !unsafe { ptxTileIsTerminator(inner.to_raw()) },
            "has '{}' in its body, which has no terminator: its threads go on behind it",
            op_name(inner)
        );
        next = inner.next_in_block();
    }
    Ok(())
}

fn verify_tile_op(op: OperationRef) -> Result<()> {
    let operand = |i: usize| read_tile(op.operand(i)?.r#type()).with_context(|| format!("operand #{i}"));
    let result = || read_tile(op.result(0)?.r#type()).context("result");
    match op_name(op) {
        "tile.slice" => index_operands(op, "static_begins", 1)?,
        "tile.read" => index_operands(op, "static_indices", 1)?,
        "tile.write" => index_operands(op, "static_indices", 2)?,
        "tile.where" => body_of_where(op)?,
        _ => {}
    }
    match op_name(op) {
        "tile.apply" => read_apply(op).map(|_| ()),
        "tile.alloc" => tiles::alloc(&result()?),
        "tile.view" => tiles::view(&operand(0)?, &result()?),
        "tile.slice" => {
            tiles::slice(&operand(0)?, &index_list(op, "static_begins"), &numbers(op, "extents"), &result()?)
        }
        "tile.read" => tiles::element(&operand(0)?, &read_indices(op)),
        "tile.write" => tiles::element(&operand(1)?, &read_indices(op)),
        "tile.where" => {
            RANGES.iter().try_for_each(|name| two_numbers(op, name))?;
            tiles::where_(&read_narrowing(op))
        }
        other => bail!("'{other}' has no verifier"),
    }
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileVerifyTileOp(raw: MlirOperation) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(raw) };
    guard(op, || verify_tile_op(op))
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileVerifyPtxOp(raw: MlirOperation) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(raw) };
    guard(op, || read_issue(op).map(|_| ()))
}

/// Where opcodes are printed by the thousand, one after the other, they are mostly the same.
#[unsafe(no_mangle)]
extern "C" fn ptxTileCanonicalOpcode(raw: MlirStringRef, take: MlirStringCallback, user: *mut std::ffi::c_void) {
    thread_local!(static LAST: RefCell<[String; 2]> = const { RefCell::new([String::new(), String::new()]) });
    let bytes = unsafe { array(raw.data.cast::<u8>(), raw.length as isize) };
    // What is no text stays as it is, for the verifier to refuse.
    let Some(take) = take else { return };
    let Ok(written) = String::from_utf8(bytes) else { return unsafe { take(raw, user) } };
    let print = |text: &str| unsafe { take(StringRef::new(text).to_raw(), user) };
    let printed = catch_unwind(|| {
        LAST.with_borrow_mut(|last| {
            if last[0] != written {
                *last = [written.clone(), opcode::canonical(&written)];
            }
            last[1].clone()
        })
    });
    print(printed.as_deref().unwrap_or(&written));
}

/// How a check of an attribute reports: the text is borrowed for the call.
type Report = unsafe extern "C" fn(why: MlirStringRef, user: *mut std::ffi::c_void);

/// Reports what a check of an attribute found, panics too.
fn guard_attribute(report: Report, user: *mut std::ffi::c_void, body: impl FnOnce() -> Result<()>) -> bool {
    let why = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return true,
        Ok(Err(why)) => format!("{why:#}"),
        Err(panic) => format!("internal error: {}", panic_text(&*panic)),
    };
    unsafe { report(StringRef::new(&why).to_raw(), user) };
    false
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileVerifyLayout(parts: &Parts, report: Report, user: *mut std::ffi::c_void) -> bool {
    guard_attribute(report, user, || parts.layout().map(|_| ()).map_err(Into::into))
}

/// Gives `take` the parts of the layout in canonical form, or as they are if they are none.
#[unsafe(no_mangle)]
extern "C" fn ptxTileCanonicalLayout(
    parts: &Parts,
    take: unsafe extern "C" fn(&Parts, user: *mut std::ffi::c_void),
    user: *mut std::ffi::c_void,
) {
    let canonical = catch_unwind(AssertUnwindSafe(|| parts.layout().ok().map(|layout| layout.canonical())));
    let Ok(Some(layout)) = canonical else { return unsafe { take(parts, user) } };
    let unknown = layout.has_dynamic_offset().then_some(layout::Offset { value: layout::DYNAMIC, axis: layout::M });
    let offset: Vec<_> = unknown.into_iter().chain(layout.offset().iter().copied()).collect();
    unsafe { take(&Parts::of(layout.shard(), layout.replica(), &offset), user) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ptxTileVerifyAdmits(
    parts: &Parts,
    shape: *const i64,
    rank: isize,
    report: Report,
    user: *mut std::ffi::c_void,
) -> bool {
    guard_attribute(report, user, || Ok(parts.layout()?.admits(&unsafe { array(shape, rank) })?))
}

/// PtxTileEffects of dialect.cpp.
#[repr(C)]
struct Effects {
    reads_memory: bool,
    writes_memory: bool,
    convergent: bool,
    varies: bool,
    ordered: bool,
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileEffects(raw: MlirOperation) -> Effects {
    let op = unsafe { OperationRef::from_raw(raw) };
    let any = Effects { reads_memory: true, writes_memory: true, convergent: true, varies: true, ordered: true };
    let opcode = match op_name(op) {
        "tile.apply" => string(op, "opcode"),
        name => format!("{}.{}", name.trim_start_matches("ptx."), string(op, "modifiers")),
    };
    // What has no record would have every effect.
    let (mnemonic, modifiers) = opcode.split_once('.').unwrap_or((&opcode, ""));
    let Some(record) = instruction::lookup(mnemonic) else { return any };
    let varies = inherent(op, "special").is_some()
        && !named::special(&string(op, "special")).is_ok_and(|source| !source.register.varies);
    Effects {
        reads_memory: record.reads_memory,
        writes_memory: record.writes_memory,
        convergent: record.convergent,
        ordered: record.is_ordered(modifiers),
        // An instruction with a number is one that was asked for: it waits for its symbol to be lowered (lowering.cpp).
        varies: varies || op.has_attribute("instruction"),
    }
}

#[unsafe(no_mangle)]
extern "C" fn ptxTileAccessOf(opcode: MlirStringRef, words: isize, word: isize) -> legality::Access {
    legality::access(&text(opcode), words as usize, word as usize)
}
