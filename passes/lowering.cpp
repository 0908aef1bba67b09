// From `ptx` ops to `llvm.inline_asm`: the stubs that only C++ can register. Text and constraints are Rust's
// (lower_ptx.rs); here are the type conversion, the struct of several results and the two interfaces.
#include "dialect.h"
#include "passes.h"
#include "shared.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/IR/InstrTypes.h"

using namespace mlir;

extern "C" {
// What an operand is bound to: its bits where it is a constant of at most 64.
typedef struct {
  bool isConstant;
  uint64_t bits;
} PtxTileConstant;
// An asm statement: which operands of the op its inputs are, in order; a negative one is the address of its symbol.
typedef struct {
  MlirStringRef text;
  MlirStringRef constraints;
  const intptr_t *inputs;
  intptr_t numInputs;
  bool isConvergent;
} PtxTileAsm;
// Defined in lower_ptx.rs. Calls `emit` once, with an asm that lives for the call; what fails has said why.
MlirLogicalResult ptxTileLowerInstruction(MlirOperation op, const PtxTileConstant *constants,
                                          void (*emit)(const PtxTileAsm *, void *), void *user);
}

namespace {

// The bits of a constant, lane 0 lowest.
PtxTileConstant constantOf(Value value) {
  auto bitsOf = [](auto scalar) {
    if constexpr (std::is_same_v<decltype(scalar), APFloat>)
      return scalar.bitcastToAPInt();
    else
      return scalar;
  };
  auto packed = [&](auto lanes) -> PtxTileConstant {
    uint64_t bits = 0;
    unsigned shift = 0;
    for (auto lane : lanes) {
      APInt its = bitsOf(lane);
      if (shift + its.getBitWidth() > 64)
        return {false, 0};
      bits |= its.getZExtValue() << shift;
      shift += its.getBitWidth();
    }
    return {true, bits};
  };
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {false, 0};
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return packed(ArrayRef(integer.getValue()));
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return packed(ArrayRef(number.getValue()));
  if (auto lanes = dyn_cast<DenseIntElementsAttr>(attribute))
    return packed(lanes.getValues<APInt>());
  if (auto lanes = dyn_cast<DenseFPElementsAttr>(attribute))
    return packed(lanes.getValues<APFloat>());
  return {false, 0};
}

} // namespace

// For lower_ptx.rs.
extern "C" PtxTileConstant ptxTileConstantOf(MlirValue value) { return constantOf(unwrap(value)); }

namespace {

// LLVM splits a vector of 64 bits over two registers: in asm a vector is an integer of its width.
Type registerType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return type;
  unsigned width = vector.getNumElements() * vector.getElementTypeBitWidth();
  return IntegerType::get(type.getContext(), width);
}
Value bitcast(OpBuilder &builder, Location loc, Type type, Value value) {
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
}

// The definition of the symbol that an op names, or null.
Operation *symbolOf(Operation *op) {
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("symbol");
  return symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr;
}

// The attribute that numbers an instruction: MLIR's region simplification merges blocks of equal ops, side effects or
// not, and the instructions of two branches would become one. One that follows another directly is in its block for
// good and needs no number: each number is a dictionary of attributes.
constexpr StringLiteral instructionNumber = "instruction";

// llvm.mlir.addressof takes only symbols that are defined in the LLVM dialect. An op whose symbol is not yet waits for
// the conversion that makes it one; its number gives it an effect (dialect.cpp), so that no stage in between merges or
// drops it.
bool waitsForSymbol(Operation *op) {
  Operation *definition = symbolOf(op);
  return definition && !isa<LLVM::GlobalOp, LLVM::LLVMFuncOp>(definition);
}

// Lowers one op, given its operands with types of LLVM's, to the values that stand for its results. What fails has said
// why.
class Lowering {
public:
  Lowering(const LLVMTypeConverter &converter, OpBuilder &builder, int64_t &count)
      : converter(converter), builder(builder), count(count) {}

  FailureOr<SmallVector<Value>> lower(Operation *op, ArrayRef<Value> operands, bool isNumbered) {
    SmallVector<Type> results;
    if (failed(converter.convertTypes(op->getResultTypes(), results)))
      return op->emitOpError("has a result of no type of LLVM's");
    auto constants = llvm::map_to_vector(op->getOperands(), constantOf);
    Value symbol = addressOfSymbol(op);
    MLIRContext *context = op->getContext();

    LLVM::InlineAsmOp statement;
    auto emit = [&](const PtxTileAsm &its) {
      auto inputs = llvm::map_to_vector(ArrayRef(its.inputs, its.numInputs), [&](intptr_t index) {
        Value value = index < 0 ? symbol : operands[index];
        return bitcast(builder, op->getLoc(), registerType(value.getType()), value);
      });
      SmallVector<Type> wire = llvm::map_to_vector(results, registerType);
      SmallVector<Type> returned;
      if (wire.size() == 1)
        returned = wire;
      else if (!wire.empty())
        returned.push_back(LLVM::LLVMStructType::getLiteral(context, wire));
      statement = LLVM::InlineAsmOp::create(
          builder, op->getLoc(), returned, inputs, unwrap(its.text), unwrap(its.constraints),
          /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(context, LLVM::AsmDialect::AD_ATT), ArrayAttr());
      if (Attribute number = op->getAttr(instructionNumber))
        statement->setAttr(instructionNumber, number);
      else if (isNumbered)
        statement->setAttr(instructionNumber, builder.getI64IntegerAttr(count++));
      if (its.isConvergent)
        statement->setAttr("ptx.convergent", builder.getUnitAttr());
    };
    auto call = [](const PtxTileAsm *its, void *user) { (*static_cast<decltype(emit) *>(user))(*its); };
    if (failed(unwrap(ptxTileLowerInstruction(wrap(op), constants.data(), call, &emit))))
      return failure();

    SmallVector<Value> values;
    for (auto [i, type] : llvm::enumerate(results)) {
      Value value = statement->getResult(0);
      if (results.size() > 1)
        value = LLVM::ExtractValueOp::create(builder, op->getLoc(), value, i);
      values.push_back(bitcast(builder, op->getLoc(), type, value));
    }
    return values;
  }

private:
  const LLVMTypeConverter &converter;
  OpBuilder &builder;
  int64_t &count;

  // The address that the constraint `s` prints as the name: nothing but a constant may feed it. The definition may be
  // what this very conversion replaces.
  Value addressOfSymbol(Operation *op) {
    Operation *definition = symbolOf(op);
    if (!definition)
      return {};
    unsigned space = 0;
    if (auto global = dyn_cast<LLVM::GlobalOp>(definition))
      space = global.getAddrSpace();
    else if (auto global = dyn_cast<memref::GlobalOp>(definition))
      space = converter.getMemRefAddressSpace(global.getType()).value_or(0);
    Location loc = op->getLoc();
    auto pointer = LLVM::LLVMPointerType::get(op->getContext(), space);
    StringRef name = op->getAttrOfType<FlatSymbolRefAttr>("symbol").getValue();
    Value address = LLVM::AddressOfOp::create(builder, loc, pointer, name);
    // NVPTX puts a variable of no state space into the global one and its generic address in its place, which it prints
    // in no asm. Cast to the global one, that is the name again.
    if (space == 0 && isa<LLVM::GlobalOp, memref::GlobalOp>(definition)) {
      pointer = LLVM::LLVMPointerType::get(op->getContext(), 1);
      address = LLVM::AddrSpaceCastOp::create(builder, loc, pointer, address);
    }
    if (auto offset = op->getAttrOfType<IntegerAttr>("offset"); offset && offset.getInt() != 0) {
      // A value, as MLIR keeps but 29 bits of a constant index that is none.
      Value bytes = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), offset);
      address = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), address, bytes);
    }
    return address;
  }
};

// One pattern for every ptx op, so that stock convert-gpu-to-nvvm and convert-to-llvm lower them too.
struct InstructionLowering : ConvertToLLVMPattern {
  InstructionLowering(OperationName name, const LLVMTypeConverter &converter, std::shared_ptr<int64_t> count)
      : ConvertToLLVMPattern(name.getStringRef(), &converter.getContext(), converter), count(std::move(count)) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto values = Lowering(*getTypeConverter(), rewriter, *count).lower(op, operands, /*isNumbered=*/true);
    if (failed(values))
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }

private:
  std::shared_ptr<int64_t> count;
};

struct ToLLVM : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;
  void populateConvertToLLVMConversionPatterns(ConversionTarget &target, LLVMTypeConverter &converter,
                                               RewritePatternSet &patterns) const override {
    MLIRContext *context = patterns.getContext();
    auto *dialect = context->getOrLoadDialect<ptx::PtxDialect>();
    auto count = std::make_shared<int64_t>(0);
    target.addIllegalDialect<ptx::PtxDialect>();
    // Not getRegisteredOperationsByDialect: its binary search finds nothing in 22.
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (&name.getDialect() == dialect)
        patterns.add<InstructionLowering>(name, converter, count);
  }
};

// MLIR 22's llvm.inline_asm cannot say convergent: say it on the LLVM call instead.
struct Translation : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;
  LogicalResult amendOperation(Operation *, ArrayRef<llvm::Instruction *> instructions, NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    if (attribute.getName() == "ptx.convergent")
      for (llvm::Instruction *instruction : instructions)
        if (auto *call = dyn_cast<llvm::CallBase>(instruction))
          call->setConvergent();
    return success();
  }
};

} // namespace

namespace tile {
#define GEN_PASS_DEF_CONVERTPTXTOLLVM
#include "Passes.h.inc"
} // namespace tile

namespace {
struct ConvertPtxToLLVM : tile::impl::ConvertPtxToLLVMBase<ConvertPtxToLLVM> {
  using Base::Base;
  // Without the framework of conversions, which keeps what it takes to go back: here each op is one step.
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    IRRewriter rewriter(&getContext());
    int64_t count = 0;
    // Each with whether another is directly before it.
    SmallVector<std::pair<Operation *, bool>> instructions;
    auto isInstruction = [](Operation *op) { return op && isa_and_nonnull<ptx::PtxDialect>(op->getDialect()); };
    getOperation()->walk([&](Operation *op) {
      if (isInstruction(op))
        instructions.push_back({op, isInstruction(op->getPrevNode())});
    });
    for (auto [op, follows] : instructions) {
      rewriter.setInsertionPoint(op);
      if (waitsForSymbol(op))
        op->setAttr(instructionNumber, rewriter.getI64IntegerAttr(count++));
      else if (failed(replace(op, !follows, converter, rewriter, count)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult replace(Operation *op, bool isNumbered, const LLVMTypeConverter &converter, IRRewriter &rewriter,
                               int64_t &count) {
    auto cast = [&](Type type, Value value) {
      return value.getType() == type
                 ? value
                 : UnrealizedConversionCastOp::create(rewriter, op->getLoc(), type, value).getResult(0);
    };
    SmallVector<Type> types;
    if (failed(converter.convertTypes(op->getOperandTypes(), types)))
      return op->emitOpError("has an operand of no type of LLVM's");
    auto operands = llvm::map_to_vector(llvm::zip_equal(types, op->getOperands()),
                                        [&](auto each) { return std::apply(cast, each); });
    FailureOr<SmallVector<Value>> values = Lowering(converter, rewriter, count).lower(op, operands, isNumbered);
    if (failed(values))
      return failure();
    for (auto [value, result] : llvm::zip_equal(*values, op->getResults()))
      value = cast(result.getType(), value);
    rewriter.replaceOp(op, *values);
    return success();
  }
};
} // namespace

void tile::registerLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, ptx::PtxDialect *dialect) { dialect->addInterfaces<ToLLVM, Translation>(); });
}
