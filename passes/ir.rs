//! Reading and building IR, as the passes need it beyond melior.
//!
//! Ops are made in the hundred thousands: types, attributes and names are looked up once, in [`Names`].

use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute};
use melior::ir::block::{BlockLike, BlockRef};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef, WalkOrder, WalkResult};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, AttributeLike, Identifier, Location, RegionLike, Type, TypeLike, Value, ValueLike};
use mlir_sys::*;
use ptx_tile_dialect::element::Scalar;
use ptx_tile_dialect::verify::{op_name, read_element};

/// Where an op is inserted: before `op`, at its location.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    op: OperationRef<'c, 'c>,
    block: BlockRef<'c, 'c>,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// Inserts before `op`, which is in a block.
    pub fn before(context: &'c Context, op: OperationRef<'c, '_>) -> Builder<'c> {
        let op = unsafe { OperationRef::from_raw(op.to_raw()) };
        Builder { context, op, block: block_of(op), location: op.location() }
    }

    /// Inserts after the op that makes `value`, what belongs to `location`.
    pub fn after(context: &'c Context, value: Value<'c, '_>, location: Location<'c>) -> Builder<'c> {
        let op = definition(value).expect("an op makes it");
        let next = unsafe { OperationRef::from_raw(mlirOperationGetNextInBlock(op.to_raw())) };
        Builder { location, ..Builder::before(context, next) }
    }

    /// Inserts at the start of the entry block of `function`, what belongs to `location`.
    pub fn at_entry(context: &'c Context, function: OperationRef<'c, '_>, location: Location<'c>) -> Builder<'c> {
        let entry = function.region(0).ok().and_then(|region| region.first_block());
        let first = entry.and_then(|block| block.first_operation()).expect("the function has a body");
        Builder { location, ..Builder::before(context, first) }
    }

    /// The context of the IR.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Makes an op.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, '_>],
        results: &[Type<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
    ) -> OperationRef<'c, 'c> {
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(attributes)
            .build()
            .expect("the op needs no type inference");
        let op = self.block.insert_operation_before(self.op, op);
        unsafe { OperationRef::from_raw(op.to_raw()) }
    }

    /// Makes another op like `op`, which has no regions, of as many operands.
    pub fn again(&self, op: OperationRef<'c, '_>, operands: &[Value<'c, '_>]) -> OperationRef<'c, 'c> {
        unsafe {
            let copy = mlirOperationClone(op.to_raw());
            for (index, operand) in operands.iter().enumerate() {
                mlirOperationSetOperand(copy, index as isize, operand.to_raw());
            }
            mlirBlockInsertOwnedOperationBefore(self.block.to_raw(), self.op.to_raw(), copy);
            OperationRef::from_raw(copy)
        }
    }

    /// Makes an op of one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, '_>],
        result: Type<'c>,
        attributes: &[(Identifier<'c>, Attribute<'c>)],
    ) -> Value<'c, 'c> {
        result_of(self.op(name, operands, &[result], attributes), 0)
    }

    /// A constant of the LLVM dialect.
    pub fn constant(&self, r#type: Type<'c>, number: i64) -> Value<'c, 'c> {
        let value = (Identifier::new(self.context(), "value"), IntegerAttribute::new(r#type, number).into());
        self.value("llvm.mlir.constant", &[], r#type, &[value])
    }

    /// A constant of type i64 that MLIR's folders know.
    pub fn number(&self, number: i64) -> Value<'c, 'c> {
        self.number_of(IntegerType::new(self.context(), 64).into(), number)
    }

    /// Such a constant of another integer type.
    pub fn number_of(&self, r#type: Type<'c>, number: i64) -> Value<'c, 'c> {
        let value = (Identifier::new(self.context(), "value"), IntegerAttribute::new(r#type, number).into());
        self.value("arith.constant", &[], r#type, &[value])
    }

    /// An index as i64.
    pub fn as_number(&self, index: Value<'c, '_>) -> Value<'c, 'c> {
        self.value("arith.index_cast", &[index], IntegerType::new(self.context(), 64).into(), &[])
    }

    /// An integer with a sign as i64.
    pub fn extended(&self, number: Value<'c, 'c>) -> Value<'c, 'c> {
        self.long("arith.extsi", number)
    }

    /// An integer without a sign as i64.
    pub fn extended_by_zeros(&self, number: Value<'c, 'c>) -> Value<'c, 'c> {
        self.long("arith.extui", number)
    }

    fn long(&self, op: &str, number: Value<'c, 'c>) -> Value<'c, 'c> {
        let r#type = IntegerType::new(self.context(), 64).into();
        if number.r#type() == r#type { number } else { self.value(op, &[number], r#type, &[]) }
    }

    /// `arith.<op>` on two integers of one type.
    pub fn arith(&self, op: &str, a: Value<'c, '_>, b: Value<'c, '_>) -> Value<'c, 'c> {
        self.value(&format!("arith.{op}"), &[a, b], a.r#type(), &[])
    }

    /// `arith.<op>` on an integer and a constant.
    pub fn arith_by(&self, op: &str, a: Value<'c, '_>, number: i64) -> Value<'c, 'c> {
        self.arith(op, a, self.number_of(a.r#type(), number))
    }

    /// `base` moved by elements of `element`: by the constants, one an index of `llvm.getelementptr`, where one is
    /// [`DYNAMIC`] by the next of `dynamic`.
    pub fn element_pointer(
        &self,
        base: Value<'c, '_>,
        element: Type<'c>,
        indices: &[i32],
        dynamic: &[Value<'c, '_>],
    ) -> Value<'c, 'c> {
        let context = self.context();
        let attributes = [
            (Identifier::new(context, "rawConstantIndices"), DenseI32ArrayAttribute::new(context, indices).into()),
            (Identifier::new(context, "elem_type"), TypeAttribute::new(element).into()),
        ];
        let operands = [&[base], dynamic].concat();
        self.value("llvm.getelementptr", &operands, base.r#type(), &attributes)
    }

    /// The same bits as another type of the same width.
    pub fn bitcast(&self, value: Value<'c, '_>, to: Type<'c>) -> Value<'c, 'c> {
        let (from, i8) = (value.r#type(), IntegerType::new(self.context(), 8).into());
        let value = unsafe { Value::from_raw(value.to_raw()) };
        if from == to {
            value
        } else if is_f8(from) {
            self.bitcast(self.value("arith.bitcast", &[value], i8, &[]), to)
        } else if is_f8(to) {
            self.value("arith.bitcast", &[self.bitcast(value, i8)], to, &[])
        } else {
            self.value("llvm.bitcast", &[value], to, &[])
        }
    }
}

/// An index of `llvm.getelementptr` that is an operand.
pub const DYNAMIC: i32 = i32::MIN;

/// The 8-bit floats, which LLVM knows as i8 only.
pub fn is_f8(r#type: Type) -> bool {
    read_element(r#type).is_ok_and(|element| matches!(element.scalar, Scalar::F8(_)) && element.lanes.is_none())
}

/// `!llvm.ptr<space>`.
pub fn pointer_type<'c>(context: &'c Context, space: u32) -> Type<'c> {
    unsafe { Type::from_raw(mlirLLVMPointerTypeGet(context.to_raw(), space)) }
}

/// `!llvm.array<count x element>`.
pub fn array_type<'c>(element: Type<'c>, count: i64) -> Type<'c> {
    unsafe { Type::from_raw(mlirLLVMArrayTypeGet(element.to_raw(), count as u32)) }
}

/// The element type of a memref.
pub fn element_type<'c>(memref: Type<'c>) -> Type<'c> {
    unsafe { Type::from_raw(mlirShapedTypeGetElementType(memref.to_raw())) }
}

/// The width of an integer; that of an `index` is 64.
pub fn integer_width(value: Value) -> u32 {
    let raw = value.r#type().to_raw();
    unsafe { if mlirTypeIsAInteger(raw) { mlirIntegerTypeGetWidth(raw) } else { 64 } }
}

/// A string attribute.
pub fn string<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    StringAttribute::new(context, text).into()
}

/// A result of an op.
pub fn result_of<'c>(op: OperationRef<'c, '_>, index: isize) -> Value<'c, 'c> {
    unsafe { Value::from_raw(mlirOperationGetResult(op.to_raw(), index)) }
}

/// An operand of an op.
pub fn operand_of<'c>(op: OperationRef<'c, '_>, index: isize) -> Value<'c, 'c> {
    unsafe { Value::from_raw(mlirOperationGetOperand(op.to_raw(), index)) }
}

/// The op that makes a value; `None` for a block argument.
pub fn definition<'c>(value: Value<'c, '_>) -> Option<OperationRef<'c, 'c>> {
    unsafe {
        let raw = value.to_raw();
        mlirValueIsAOpResult(raw).then(|| OperationRef::from_raw(mlirOpResultGetOwner(raw)))
    }
}

/// The op whose block a block argument is of.
pub fn parent_of_argument<'c>(argument: Value<'c, '_>) -> Option<OperationRef<'c, 'c>> {
    unsafe {
        let raw = argument.to_raw();
        mlirValueIsABlockArgument(raw)
            .then(|| OperationRef::from_raw(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(raw))))
    }
}

/// The users of a value with the number of the operand, once for each use.
pub fn uses<'c>(value: Value<'c, '_>) -> Vec<(OperationRef<'c, 'c>, usize)> {
    let mut uses = vec![];
    unsafe {
        let mut next = mlirValueGetFirstUse(value.to_raw());
        while !mlirOpOperandIsNull(next) {
            let operand = mlirOpOperandGetOperandNumber(next) as usize;
            uses.push((OperationRef::from_raw(mlirOpOperandGetOwner(next)), operand));
            next = mlirOpOperandGetNextUse(next);
        }
    }
    uses
}

/// Replaces every use of `value`.
pub fn replace_uses(value: Value, with: Value) {
    unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), with.to_raw()) }
}

/// Removes an op without uses from its block and frees it.
pub fn erase(op: OperationRef) {
    unsafe {
        mlirOperationRemoveFromParent(op.to_raw());
        mlirOperationDestroy(op.to_raw());
    }
}

/// Every op at and under `root`, outer ones first.
pub fn ops<'c>(root: OperationRef<'c, '_>) -> Vec<OperationRef<'c, 'c>> {
    let mut all = vec![];
    root.walk(WalkOrder::PreOrder, |op| {
        all.push(unsafe { OperationRef::from_raw(op.to_raw()) });
        WalkResult::Advance
    });
    all
}

/// The block that an op is in.
pub fn block_of<'c>(op: OperationRef<'c, '_>) -> BlockRef<'c, 'c> {
    unsafe { BlockRef::from_raw(mlirOperationGetBlock(op.to_raw())) }
}

/// The ops of a block.
pub fn ops_in<'c>(block: BlockRef<'c, '_>) -> Vec<OperationRef<'c, 'c>> {
    let mut all = vec![];
    let mut next = unsafe { mlirBlockGetFirstOperation(block.to_raw()) };
    while !next.ptr.is_null() {
        all.push(unsafe { OperationRef::from_raw(next) });
        next = unsafe { mlirOperationGetNextInBlock(next) };
    }
    all
}

/// The blocks of all regions of an op.
pub fn blocks<'c>(op: OperationRef<'c, '_>) -> Vec<BlockRef<'c, 'c>> {
    let region = |index| unsafe { mlirOperationGetRegion(op.to_raw(), index) };
    (0..op.region_count() as isize).flat_map(|index| blocks_of(region(index))).collect()
}

/// The blocks of the region that an op stands in.
pub fn blocks_around<'c>(op: OperationRef<'c, '_>) -> Vec<BlockRef<'c, 'c>> {
    blocks_of(unsafe { mlirBlockGetParentRegion(block_of(op).to_raw()) })
}

fn blocks_of<'c>(region: MlirRegion) -> Vec<BlockRef<'c, 'c>> {
    let mut all = vec![];
    let mut next = unsafe { mlirRegionGetFirstBlock(region) };
    while !next.ptr.is_null() {
        all.push(unsafe { BlockRef::from_raw(next) });
        next = unsafe { mlirBlockGetNextInRegion(next) };
    }
    all
}

/// The functions with a body at and under `root`.
pub fn functions<'c>(root: OperationRef<'c, '_>) -> Vec<OperationRef<'c, 'c>> {
    ops(root).into_iter().filter(|op| is_function(*op) && !blocks(*op).is_empty()).collect()
}

/// Whether an op is a function.
pub fn is_function(op: OperationRef) -> bool {
    matches!(op_name(op), "gpu.func" | "func.func" | "llvm.func")
}

/// An attribute of an op, its own or another.
pub fn attribute<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    let raw = unsafe { mlirOperationGetAttributeByName(op.to_raw(), melior::StringRef::new(name).to_raw()) };
    unsafe { Attribute::from_option_raw(raw) }
}

/// Sets an attribute that the definition of an op names, or takes it away.
pub fn set_inherent<'c>(op: OperationRef<'c, '_>, name: Identifier<'c>, value: Option<Attribute<'c>>) {
    let value = value.map_or(MlirAttribute { ptr: std::ptr::null() }, |value| value.to_raw());
    unsafe { mlirOperationSetInherentAttributeByName(op.to_raw(), mlirIdentifierStr(name.to_raw()), value) }
}

/// What a function says of an argument, or of the memory that a `gpu.func` declares after them.
pub fn argument_attribute<'c>(argument: Value<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    unsafe {
        let raw = argument.to_raw();
        let block = mlirBlockArgumentGetOwner(raw);
        let function = OperationRef::from_raw(mlirBlockGetParentOperation(block));
        // Other blocks have arguments too, and no attributes for these.
        if blocks(function).first().is_none_or(|entry| entry.to_raw().ptr != block.ptr) {
            return None;
        }
        let signature = mlirTypeAttrGetValue(attribute(function, "function_type")?.to_raw());
        let inputs = if mlirTypeIsAFunction(signature) { mlirFunctionTypeGetNumInputs(signature) } else { isize::MAX };
        let index = mlirBlockArgumentGetArgNumber(raw);
        let (list, index) =
            if index < inputs { ("arg_attrs", index) } else { ("workgroup_attrib_attrs", index - inputs) };
        let all = attribute(function, list)?;
        if !mlirAttributeIsAArray(all.to_raw()) || index >= mlirArrayAttrGetNumElements(all.to_raw()) {
            return None;
        }
        let its = mlirArrayAttrGetElement(all.to_raw(), index);
        Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(its, melior::StringRef::new(name).to_raw()))
    }
}

/// The names of attributes that expansion sets.
pub struct Names<'c> {
    /// `modifiers`.
    pub modifiers: Identifier<'c>,
    /// `operandSegmentSizes`.
    pub segments: Identifier<'c>,
    /// `negated`.
    pub negated: Identifier<'c>,
    /// `sink`.
    pub sink: Identifier<'c>,
    /// `inverted`.
    pub inverted: Identifier<'c>,
    /// `offset`.
    pub offset: Identifier<'c>,
}

impl<'c> Names<'c> {
    /// Looks them up.
    pub fn new(context: &'c Context) -> Names<'c> {
        let name = |text| Identifier::new(context, text);
        Names {
            modifiers: name("modifiers"),
            segments: name("operandSegmentSizes"),
            negated: name("negated"),
            sink: name("sink"),
            inverted: name("inverted"),
            offset: name("offset"),
        }
    }
}
