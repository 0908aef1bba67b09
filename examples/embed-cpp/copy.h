// A pass of an outsider: what it makes is tile ops.
#include "mlir/Pass/Pass.h"

#include <memory>

/// `copy-to-tiles`, on a gpu.module: a `memref.copy` between static, contiguous memrefs in global memory becomes loads
/// and stores of 16 bytes through a register tile, where there are whole ones.
std::unique_ptr<mlir::Pass> createCopyToTiles();
