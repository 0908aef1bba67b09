// What the C++ files of this folder share.
#ifndef PTX_TILE_SHARED_H
#define PTX_TILE_SHARED_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace tile {
/// Whether an op of the affine dialect has a map of more parts than MLIR, which looks at them by recursion, has stack
/// for.
bool hasLargeMap(mlir::Operation *op);

/// Gives the ptx dialect, once it is loaded, what lowers it to the LLVM dialect and translates it from there.
void registerLowering(mlir::DialectRegistry &registry);
} // namespace tile

#endif // PTX_TILE_SHARED_H
