// Loops that count: what C++ alone can read of them, and taking them apart. The rest is unroll.rs.
#include "passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

extern "C" {

// A bound of a loop: a value, or where that is null a constant.
typedef struct {
  MlirValue value;
  int64_t constant;
} PtxTileBound;

// Gives lower bound, upper bound and step of a loop of one induction variable, and that variable; false for another op.
bool ptxTileLoop(MlirOperation op, PtxTileBound *bounds, MlirValue *variable) {
  auto loop = dyn_cast<LoopLikeOpInterface>(unwrap(op));
  if (!loop || loop.getLoopRegions().size() != 1 || !loop.getLoopRegions()[0]->hasOneBlock())
    return false;
  std::optional<Value> its = loop.getSingleInductionVar();
  if (!its)
    return false;
  unsigned i = 0;
  for (std::optional<OpFoldResult> bound :
       {loop.getSingleLowerBound(), loop.getSingleUpperBound(), loop.getSingleStep()}) {
    if (!bound)
      return false;
    if (auto value = dyn_cast<Value>(*bound)) {
      bounds[i++] = {wrap(value), 0};
      continue;
    }
    bounds[i++] = {MlirValue{nullptr}, cast<IntegerAttr>(cast<Attribute>(*bound)).getInt()};
  }
  *variable = wrap(*its);
  return true;
}

// Replaces a loop by `count` copies of its body, where the induction variable is lower, lower + step, ...
void ptxTileUnroll(MlirOperation op, int64_t lower, int64_t step, int64_t count) {
  auto loop = cast<LoopLikeOpInterface>(unwrap(op));
  OpBuilder builder(loop);
  Value variable = *loop.getSingleInductionVar();
  Block &body = loop.getLoopRegions()[0]->front();
  SmallVector<Value> carried(loop.getInits());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping copies;
    TypedAttr number = builder.getIntegerAttr(variable.getType(), lower + i * step);
    copies.map(variable, arith::ConstantOp::create(builder, loop.getLoc(), number).getResult());
    copies.map(loop.getRegionIterArgs(), carried);
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, copies);
    carried = llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) { return copies.lookupOrDefault(value); });
  }
  loop->replaceAllUsesWith(carried);
  loop->erase();
}
}
