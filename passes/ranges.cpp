// What MLIR's integer range analysis knows of the values of a function. The rest is ranges.rs.
#include "passes.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace {

// MLIR 22.1.8 ends the process over some input: where a loop has induction variables but bounds that are no values
// (affine.for), and where an affine map divides by zero. Nothing is known of these here. A warp has 32 lanes.
struct Ranges : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
                               ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    // MLIR counts on warps of up to 128 threads.
    if (isa<gpu::LaneIdOp>(op)) {
      auto lanes = ConstantIntRanges::fromUnsigned(APInt(64, 0), APInt(64, 31));
      propagateIfChanged(results[0], results[0]->join(IntegerValueRange(lanes)));
      return success();
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op); apply && mayDivideByZero(apply.getAffineMap())) {
      setAllToEntryStates(results);
      return success();
    }
    return IntegerRangeAnalysis::visitOperation(op, operands, results);
  }

  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<dataflow::IntegerValueRangeLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (loop && loop.getLoopInductionVars() &&
        !(loop.getLoopLowerBounds() && loop.getLoopUpperBounds() && loop.getLoopSteps()))
      return setAllToEntryStates(arguments);
    IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments, firstIndex);
  }

private:
  static bool mayDivideByZero(AffineMap map) {
    bool found = false;
    map.walkExprs([&](AffineExpr part) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(part);
      if (!binary || binary.getKind() == AffineExprKind::Add || binary.getKind() == AffineExprKind::Mul)
        return;
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      found |= !divisor || divisor.getValue() <= 0;
    });
    return found;
  }
};

} // namespace

extern "C" {

// Analyses what is under `function`. The result refers to its IR, which must not change, and is freed below.
void *ptxTileRangesOf(MlirOperation function) {
  auto solver = std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false));
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<dataflow::SparseConstantPropagation>();
  solver->load<Ranges>();
  if (failed(solver->initializeAndRun(unwrap(function))))
    return nullptr;
  return solver.release();
}

void ptxTileRangesFree(void *ranges) { delete static_cast<DataFlowSolver *>(ranges); }

// The least and greatest value of an integer of at most 64 bits, signed. False where nothing is known of it.
bool ptxTileRangeOf(void *ranges, MlirValue value, int64_t *least, int64_t *greatest) {
  auto *lattice =
      static_cast<DataFlowSolver *>(ranges)->lookupState<dataflow::IntegerValueRangeLattice>(unwrap(value));
  if (!lattice || lattice->getValue().isUninitialized())
    return false;
  const ConstantIntRanges &range = lattice->getValue().getValue();
  if (range.smin().getBitWidth() == 0 || range.smin().getBitWidth() > 64)
    return false;
  *least = range.smin().getSExtValue();
  *greatest = range.smax().getSExtValue();
  return true;
}
}
