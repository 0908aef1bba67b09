// Loops that count: what C++ alone can read of them, and taking them apart. The rest is unroll.rs.
#include "shared.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

extern "C" {

// A bound of a loop: a value; or a map of values, the greatest or least of its results; or else a constant.
typedef struct {
  MlirValue value;
  MlirAttribute map;
  int64_t constant;
} PtxTileBound;

// Gives lower bound, upper bound and step of a loop that makes its turns one after another, and its induction variable;
// false for another op. The operands of maps are the first ones of the op, those of the lower bound before the others.
bool ptxTileLoop(MlirOperation op, PtxTileBound *bounds, MlirValue *variable) {
  if (auto loop = dyn_cast<scf::ForOp>(unwrap(op))) {
    bounds[0] = {wrap(loop.getLowerBound()), {nullptr}, 0};
    bounds[1] = {wrap(loop.getUpperBound()), {nullptr}, 0};
    bounds[2] = {wrap(loop.getStep()), {nullptr}, 0};
    *variable = wrap(loop.getInductionVar());
    return true;
  }
  auto loop = dyn_cast<affine::AffineForOp>(unwrap(op));
  if (!loop)
    return false;
  bounds[0] = {{nullptr}, wrap(Attribute(AffineMapAttr::get(loop.getLowerBoundMap()))), 0};
  bounds[1] = {{nullptr}, wrap(Attribute(AffineMapAttr::get(loop.getUpperBoundMap()))), 0};
  bounds[2] = {{nullptr}, {nullptr}, loop.getStepAsInt()};
  *variable = wrap(Value(loop.getInductionVar()));
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
