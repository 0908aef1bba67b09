// MLIR's own folders as a function of constants, and constants as bits. Only C++ has Operation::fold; the rest is
// fold.rs.
//
// - The op stays as it is. A copy of it is folded, in a block of its own whose arguments are its operands: what a
//   folder sees are the constants that it is given, never what happens to define an operand.
// - A folder only ever sees constants of the operand's own type that are integers, floats or dense lists of these: on
//   the undefined values of the LLVM dialect those of arith crash (22.1.8).
#include "shared.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace mlir;

extern "C" {
// A result: a constant, or where that is null the operand that it is equal to.
typedef struct {
  MlirAttribute constant;
  intptr_t operand;
} PtxTileFolded;
}

namespace {

// More in-place folds than any op of MLIR makes in a row.
constexpr int maxRounds = 8;

bool isPlain(Attribute constant, Type type) {
  auto typed = dyn_cast_or_null<TypedAttr>(constant);
  return typed && typed.getType() == type && isa<IntegerAttr, FloatAttr, DenseIntOrFPElementsAttr>(constant);
}

// The bits from `shift` on of a number of at most 128 bits.
APInt bitsAt(ArrayRef<uint64_t> words, unsigned shift, unsigned width) {
  return APInt(128, words).lshr(shift).trunc(width);
}

} // namespace

bool tile::hasLargeMap(Operation *op) {
  constexpr size_t mostParts = 1000;
  if (!isa_and_nonnull<affine::AffineDialect>(op->getDialect()))
    return false;
  SmallVector<AffineExpr> left;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (auto map = dyn_cast<AffineMapAttr>(attribute.getValue()))
      llvm::append_range(left, map.getValue().getResults());
  for (size_t parts = 0; !left.empty(); ++parts) {
    if (parts == mostParts)
      return true;
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(left.pop_back_val()))
      left.append({binary.getLHS(), binary.getRHS()});
  }
  return false;
}

extern "C" {

// Folds `op` where its operands are `constants`, null where unknown. False where that gives nothing.
bool ptxTileFold(MlirOperation wrapped, const MlirAttribute *constants, PtxTileFolded *results) {
  Operation *op = unwrap(wrapped);
  if (op->getNumRegions() || op->getNumSuccessors() || tile::hasLargeMap(op))
    return false;
  Block block;
  IRMapping copies;
  SmallVector<Attribute> known;
  SmallVector<intptr_t> operands;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    if (copies.contains(value))
      continue;
    copies.map(value, block.addArgument(value.getType(), op->getLoc()));
    Attribute constant = unwrap(constants[i]);
    known.push_back(isPlain(constant, value.getType()) ? constant : Attribute());
    operands.push_back(i);
  }
  Operation *copy = op->cloneWithoutRegions(copies);
  block.push_back(copy);

  SmallVector<OpFoldResult> folded;
  for (int round = 0; folded.empty() && round < maxRounds; ++round) {
    auto of = [&](Value value) { return known[cast<BlockArgument>(value).getArgNumber()]; };
    // A fold in place succeeds without results.
    if (failed(copy->fold(llvm::map_to_vector(copy->getOperands(), of), folded)))
      return false;
  }
  if (folded.empty() || folded.size() != op->getNumResults())
    return false;
  for (auto [i, result] : llvm::enumerate(folded)) {
    if (auto constant = dyn_cast<Attribute>(result)) {
      results[i] = {wrap(constant), -1};
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(cast<Value>(result));
    if (!argument || argument.getOwner() != &block)
      return false;
    unsigned number = argument.getArgNumber();
    results[i] = {wrap(known[number]), operands[number]};
  }
  return true;
}

// The constant of `type` with these 128 bits, lane 0 lowest; null where no plain constant has the type.
MlirAttribute ptxTileConstantOfBits(MlirType wrapped, const uint64_t *words) {
  Type type = unwrap(wrapped);
  ArrayRef<uint64_t> bits(words, 2);
  auto vector = dyn_cast<VectorType>(type);
  Type scalar = vector ? vector.getElementType() : type;
  if (!scalar.isIntOrIndexOrFloat() || (vector && vector.isScalable()))
    return {nullptr};
  unsigned width = scalar.isIndex() ? 64 : scalar.getIntOrFloatBitWidth();
  int64_t lanes = vector ? vector.getNumElements() : 1;
  if (width == 0 || lanes < 1 || lanes * width > 128)
    return {nullptr};
  auto lane = [&](int64_t i) -> Attribute {
    APInt its = bitsAt(bits, i * width, width);
    if (auto number = dyn_cast<FloatType>(scalar))
      return FloatAttr::get(number, APFloat(number.getFloatSemantics(), its));
    return IntegerAttr::get(scalar, its);
  };
  if (!vector)
    return wrap(lane(0));
  SmallVector<Attribute> all;
  for (int64_t i = 0; i < lanes; ++i)
    all.push_back(lane(i));
  return wrap(Attribute(DenseElementsAttr::get(vector, all)));
}

// Gives each number of a constant in order, as 128 bits and a width. False for what is no plain constant, or wider.
bool ptxTileBitsOfConstant(MlirAttribute wrapped, void (*each)(const uint64_t *words, uint32_t width, void *user),
                           void *user) {
  auto give = [&](APInt bits) {
    if (bits.getBitWidth() > 128)
      return false;
    APInt wide = bits.zext(128);
    each(wide.getRawData(), bits.getBitWidth(), user);
    return true;
  };
  Attribute constant = unwrap(wrapped);
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return give(number.getValue());
  if (auto number = dyn_cast<FloatAttr>(constant))
    return give(number.getValue().bitcastToAPInt());
  if (auto lanes = dyn_cast<DenseIntElementsAttr>(constant))
    return llvm::all_of(lanes.getValues<APInt>(), give);
  if (auto lanes = dyn_cast<DenseFPElementsAttr>(constant))
    return llvm::all_of(lanes.getValues<APFloat>(), [&](const APFloat &lane) { return give(lane.bitcastToAPInt()); });
  return false;
}

// An affine map at a point, as lower-affine has it: a product that overflows is no value (it is nsw), a sum wraps.
// False where it has no value there, as at a division by zero.
bool ptxTileEvaluateMap(MlirAttribute wrapped, const int64_t *inputs, intptr_t numInputs, int64_t *results) {
  auto attribute = dyn_cast<AffineMapAttr>(unwrap(wrapped));
  if (!attribute || attribute.getValue().getNumInputs() != numInputs)
    return false;
  AffineMap map = attribute.getValue();
  std::function<std::optional<int64_t>(AffineExpr)> evaluate = [&](AffineExpr expr) -> std::optional<int64_t> {
    if (auto number = dyn_cast<AffineConstantExpr>(expr))
      return number.getValue();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return inputs[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return inputs[map.getNumDims() + symbol.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expr);
    std::optional<int64_t> a = evaluate(binary.getLHS()), b = evaluate(binary.getRHS());
    if (!a || !b)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Add)
      return static_cast<int64_t>(static_cast<uint64_t>(*a) + static_cast<uint64_t>(*b));
    int64_t product;
    if (expr.getKind() == AffineExprKind::Mul)
      return llvm::MulOverflow(*a, *b, product) ? std::nullopt : std::optional(product);
    if (*b < 1)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Mod)
      return llvm::mod(*a, *b);
    return expr.getKind() == AffineExprKind::FloorDiv ? llvm::divideFloorSigned(*a, *b)
                                                      : llvm::divideCeilSigned(*a, *b);
  };
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    std::optional<int64_t> result = evaluate(expr);
    if (!result)
      return false;
    results[i] = *result;
  }
  return true;
}
}
