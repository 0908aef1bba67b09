// The passes of ptx-tile for C++: options and create functions, generated from passes.td. Names are in namespace tile.
#ifndef PTX_TILE_PASSES_H
#define PTX_TILE_PASSES_H

#include "dialect.h"
#include "passes-c.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Passes.h.inc"

/// Whether an op of the affine dialect has a map of more parts than MLIR, which looks at them by recursion, has stack
/// for.
bool hasLargeMap(mlir::Operation *op);

/// Gives the ptx dialect, once it is loaded, what lowers it to the LLVM dialect and translates it from there.
void registerLowering(mlir::DialectRegistry &registry);
} // namespace tile

#endif // PTX_TILE_PASSES_H
