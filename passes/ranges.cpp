// What MLIR's integer range analysis knows of the values of a function. The rest is ranges.rs.
#include "passes.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/CAPI/IR.h"

using namespace mlir;

extern "C" {

// Analyses what is under `function`. The result refers to its IR, which must not change, and is freed below.
void *ptxTileRangesOf(MlirOperation function) {
  auto solver = std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false));
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<dataflow::SparseConstantPropagation>();
  solver->load<dataflow::IntegerRangeAnalysis>();
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
