// The passes of ptx-tile for C++: registration, create functions with options, generated from passes.td, and PTX in one
// call. C++ that uses the classes of dialect.h is compiled with clang++, as LLVM was: MLIR knows traits by names that
// another compiler spells otherwise.
#ifndef PTX_TILE_PASSES_H
#define PTX_TILE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

#include <string>
#include <vector>

namespace tile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION // registerTilePasses(): registerAllPasses() does more
#include "Passes.h.inc"

/// Makes known to `registry` both dialects, those of MLIR that tile programs are lowered from and through, and what lowers
/// them and translates them to LLVM IR. A pass that calls emitPtx calls this in its getDependentDialects: emission loads
/// no other dialects, and so may run where MLIR runs passes on several threads.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the passes, the pipelines `tile-to-nvvm` and `tile-to-ptx`, and the passes of MLIR that these run. May be
/// repeated, and by any thread.
void registerAllPasses();

/// What is compiled for. What is empty or 0 is left to the `#nvvm.target` of a `gpu.module`, else to a default.
struct Target {
  /// `sm_90`, which is the default.
  std::string chip = "";
  /// `8.3`; by default the chip's own version, raised to what the instructions need.
  std::string ptx = "";
  /// Of optimization, 1 to 3; by default 2.
  unsigned level = 0;
  /// Memref arguments of kernels are pointers to their data, or else descriptors.
  bool barePointers = true;
};

/// Appends the passes of `tile-to-nvvm`, from gpu.modules with tile ops to the NVVM dialect, or of `tile-to-ptx`, to
/// gpu.binary ops, to the passes on a builtin.module. Fails, with `why`, where the target is none.
llvm::LogicalResult addToNvvm(mlir::OpPassManager &manager, const Target &target, std::string *why = nullptr);
llvm::LogicalResult addToPtx(mlir::OpPassManager &manager, const Target &target, std::string *why = nullptr);

/// The PTX of the one `gpu.module` in `module`, which stays as it is. The context has what registerAllDialects
/// registers. Fails, with errors emitted, where the module is not legal, the target is none, and where there is no
/// `gpu.module` or several.
///
/// Threads may compile side by side, in contexts of their own or in one where all dialects are loaded, modules of which
/// no thread changes any. Errors go to the handlers of the context, whichever thread emits them.
llvm::FailureOr<std::string> emitPtx(mlir::ModuleOp module, const Target &target = {});

/// A `gpu.module`, compiled.
struct NamedPtx {
  std::string name, ptx;
};

/// The PTX of each `gpu.module` in `module`, in order; otherwise as emitPtx.
llvm::FailureOr<std::vector<NamedPtx>> emitEach(mlir::ModuleOp module, const Target &target = {});
} // namespace tile

#endif // PTX_TILE_PASSES_H
