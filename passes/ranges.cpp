// What MLIR's integer range analysis knows of the values of a function. The rest is ranges.rs.
#include "shared.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace {

// MLIR 22.1.8 ends the process over some input: where a loop has induction variables but bounds that are no values
// (affine.for), and where an affine map divides by zero; and it takes no notice of `scf.for unsigned` and of induction
// variables that wrap. Nothing is known of these here. A warp has 32 lanes, a cluster up to 16 blocks on an axis, and
// nvvm.reqntid and nvvm.cluster_dim say sizes too.
struct Ranges : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
                               ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    std::optional<std::pair<uint64_t, uint64_t>> limits = ofRequiredBlock(op);
    if (limits || (limits = ofCluster(op))) {
      auto range = ConstantIntRanges::fromUnsigned(APInt(64, limits->first), APInt(64, limits->second));
      propagateIfChanged(results[0], results[0]->join(IntegerValueRange(range)));
      return success();
    }
    // MLIR takes the end of its range for the greatest value.
    if (auto rank = dyn_cast<NVVM::ClusterId>(op); rank && rank.getRange()) {
      auto range = ConstantIntRanges::fromUnsigned(rank.getRange()->getLower(), rank.getRange()->getUpper() - 1);
      propagateIfChanged(results[0], results[0]->join(IntegerValueRange(range)));
      return success();
    }
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
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op); loop && loop.getLoopInductionVars() && !isUnderstood(loop))
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments, firstIndex);
    IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments, firstIndex);
  }

private:
  // The most blocks of a cluster on an axis. MLIR counts on 8, which are those that every device has.
  static constexpr uint64_t maxCluster = 16;

  // What depends on the size of a cluster: of nvvm.cluster_dim, which PTX holds launches to, or else what is known.
  static std::optional<std::pair<uint64_t, uint64_t>> ofCluster(Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function || !isa<gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp>(op))
      return std::nullopt;
    unsigned axis = static_cast<unsigned>(op->getAttrOfType<gpu::DimensionAttr>("dimension").getValue());
    uint64_t least = 1, blocks = maxCluster;
    for (StringRef name : {"known_cluster_size", "nvvm.cluster_dim"})
      if (auto sizes = function->getAttrOfType<DenseI32ArrayAttr>(name); sizes && !sizes.empty())
        least = blocks = std::max(axis < static_cast<unsigned>(sizes.size()) ? sizes[axis] : 1, 1);
    return isa<gpu::ClusterBlockIdOp>(op) ? std::make_pair(uint64_t(0), blocks - 1) : std::make_pair(least, blocks);
  }

  // What depends on the size of a block, where the kernel says that by nvvm.reqntid: PTX holds launches to it, whatever
  // known_block_size says beside it.
  static std::optional<std::pair<uint64_t, uint64_t>> ofRequiredBlock(Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function || !isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp>(op))
      return std::nullopt;
    auto kernel = dyn_cast<gpu::GPUFuncOp>(*function);
    bool isKernel = (kernel && kernel.isKernel()) || function->hasAttr("nvvm.kernel");
    auto sizes = function->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid");
    auto dimension = op->getAttrOfType<gpu::DimensionAttr>("dimension");
    unsigned axis = static_cast<unsigned>(dimension.getValue());
    if (!isKernel || !sizes || sizes.empty())
      return std::nullopt;
    // An extent that is left out is 1.
    int32_t extent = axis < static_cast<unsigned>(sizes.size()) ? sizes[axis] : 1;
    if (extent <= 0)
      return std::nullopt;
    uint64_t threads = extent;
    if (isa<gpu::ThreadIdOp>(op))
      return std::make_pair(uint64_t(0), threads - 1);
    if (isa<gpu::BlockDimOp>(op))
      return std::make_pair(threads, threads);
    auto grid = function->getAttrOfType<DenseI32ArrayAttr>("known_grid_size");
    bool isKnown = grid && axis < static_cast<unsigned>(grid.size()) && grid[axis] > 0;
    uint64_t blocks = isKnown ? grid[axis] : std::numeric_limits<int32_t>::max();
    return std::make_pair(uint64_t(0), threads * blocks - 1);
  }

  // Bounds are compared with a sign, and a step does not wrap.
  static bool isUnderstood(LoopLikeOpInterface loop) {
    if (!loop.getLoopLowerBounds() || !loop.getLoopUpperBounds() || !loop.getLoopSteps())
      return false;
    auto counting = dyn_cast<scf::ForOp>(*loop);
    if (!counting)
      return true;
    bool isNarrow = !counting.getInductionVar().getType().isIndex();
    return !counting.getUnsignedCmp() && (!isNarrow || getConstantIntValue(counting.getStep()) == 1);
  }
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

// Analyses what is under `function`. The result refers to its IR, which must not change, and is freed below; null where
// there is none.
void *ptxTileRangesOf(MlirOperation function) {
  auto isTooLarge = [](Operation *op) { return WalkResult(tile::hasLargeMap(op) ? failure() : success()); };
  if (unwrap(function)->walk(isTooLarge).wasInterrupted())
    return nullptr;
  auto solver = std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false));
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<dataflow::SparseConstantPropagation>();
  solver->load<Ranges>();
  if (failed(solver->initializeAndRun(unwrap(function))))
    return nullptr;
  return solver.release();
}

void ptxTileRangesFree(void *ranges) { delete static_cast<DataFlowSolver *>(ranges); }

// The least and greatest value of an integer of at most 64 bits, signed. False where nothing is known of it. Where the
// program never gets there, the least is greater than the greatest.
bool ptxTileRangeOf(void *ranges, MlirValue value, int64_t *least, int64_t *greatest) {
  auto &solver = *static_cast<DataFlowSolver *>(ranges);
  auto *live = solver.lookupState<dataflow::Executable>(solver.getProgramPointBefore(unwrap(value).getParentBlock()));
  if (!live || !live->isLive()) {
    *least = 1;
    *greatest = 0;
    return true;
  }
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(unwrap(value));
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
