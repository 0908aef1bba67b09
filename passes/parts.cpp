// What parts.rs needs of MLIR: the symbols that an op refers to, debug information, and its threads.
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"

using namespace mlir;

// Calls `each` with the root of each symbol reference in and under an op. False where an op may have others.
extern "C" bool ptxTileSymbolUses(MlirOperation op, void (*each)(MlirStringRef, void *), void *user) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(unwrap(op));
  if (!uses)
    return false;
  for (SymbolTable::SymbolUse use : *uses)
    each(wrap(use.getSymbolRef().getRootReference().getValue()), user);
  return true;
}

// Whether the location of an op is one that LLVM makes debug information of.
extern "C" bool ptxTileHasDebugInfo(MlirOperation op) {
  auto global = dyn_cast<LLVM::GlobalOp>(unwrap(op));
  return unwrap(op)->getLoc()->findInstanceOf<FusedLocWith<LLVM::DIScopeAttr>>() || (global && global.getDbgExprs());
}

// Calls `body` with each number below `count`, on several threads where the context has them.
extern "C" void ptxTileForEach(MlirContext context, intptr_t count, void (*body)(intptr_t, void *), void *user) {
  if (count == 1)
    return body(0, user);
  ParallelDiagnosticHandler handler(unwrap(context));
  parallelFor(unwrap(context), 0, count, [&](size_t index) {
    handler.setOrderIDForThread(index);
    body(index, user);
    handler.eraseOrderIDForThread();
  });
}
