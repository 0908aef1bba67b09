// A compiler without a command line of MLIR's: a file in, PTX out.
//
//   copy-ptx copy.mlir sm_80
#include "copy.h"

#include "ptx-tile/passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    llvm::errs() << "usage: copy-ptx FILE [CHIP]\n";
    return 2;
  }
  DialectRegistry registry;
  registry.insert<gpu::GPUDialect, memref::MemRefDialect>();
  tile::registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], sources, ParserConfig(&context));
  if (!module)
    return 1;

  PassManager manager(&context);
  manager.addNestedPass<gpu::GPUModuleOp>(createCopyToTiles());
  if (failed(manager.run(*module)))
    return 1;

  tile::Target target;
  target.chip = argc > 2 ? argv[2] : "";
  llvm::FailureOr<std::string> ptx = tile::emitPtx(*module, target);
  if (failed(ptx))
    return 1;
  llvm::outs() << *ptx;
  return 0;
}
