// An opt tool in the shape of MLIR's standalone example: some dialects, those of ptx-tile, and a pass of its own.
//
//   copy-opt copy.mlir --pass-pipeline='builtin.module(gpu.module(copy-to-tiles),tile-to-ptx)'
#include "copy.h"

#include "ptx-tile/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::gpu::GPUDialect, mlir::memref::MemRefDialect>();
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerPass(createCopyToTiles);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "an opt tool with ptx-tile\n", registry));
}
