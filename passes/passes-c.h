/* The passes and pipelines of ptx-tile for C, and PTX in one call. Ownership and failure are as in dialect-c.h. */
#ifndef PTX_TILE_PASSES_C_H
#define PTX_TILE_PASSES_C_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes known to `registry` both dialects, those of MLIR that tile programs are lowered from and through, and what lowers
   them and translates them to LLVM IR. Cannot fail, and may be repeated. */
MLIR_CAPI_EXPORTED void ptxTileRegisterDialects(MlirDialectRegistry registry);

/* Registers the passes tile-* and convert-ptx-to-llvm, the pipelines tile-to-nvvm and tile-to-ptx, and the passes of MLIR
   that these run, for mlirParsePassPipeline and its like. Cannot fail; may be repeated, and by any thread. */
MLIR_CAPI_EXPORTED void ptxTileRegisterPasses(void);

/* The passes, with their default options. The caller owns the pass until a pass manager takes it, as
   mlirPassManagerAddOwnedPass does. Options are for names: "gpu.module(tile-expand{forward=false})". */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreateCheck(void);          /* tile-check, on any op */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreateExpand(void);         /* tile-expand, on any op */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreateConvertToLLVM(void);  /* convert-ptx-to-llvm, on any op */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreateAttachTarget(void);   /* tile-attach-target, on builtin.module */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreatePrepareKernels(void); /* tile-prepare-kernels, on gpu.module */
MLIR_CAPI_EXPORTED MlirPass ptxTileCreateEmitPtx(void);        /* tile-emit-ptx, on builtin.module */

/* What is compiled for. Zeroes leave each choice to the #nvvm.target of a gpu.module, else to a default. */
typedef struct {
  MlirStringRef chip; /* "sm_90", which is the default */
  MlirStringRef ptx;  /* "8.3"; by default the chip's own version, raised to what the instructions need */
  uint32_t level;     /* of optimization, 1 to 3; by default 2 */
  bool descriptors;   /* memref arguments of kernels are descriptors; by default pointers to their data */
} PtxTileTarget;

/* Is given the PTX of a gpu.module of that name; both texts live for the call. */
typedef void (*PtxTilePtxCallback)(MlirStringRef name, MlirStringRef ptx, void *userData);

/* Compiles the gpu.modules directly in `module`, or it if it is one; it stays as it is. Calls `callback` once for each, in
   order, after all are compiled. Its context has what ptxTileRegisterDialects registers; passes need no
   registration. Failure, with errors emitted in the context and `callback` not called, where the module is not legal, the
   target is none, or there is no gpu.module. `target` may be null, for all defaults. Threads may call it side by side, in
   contexts of their own or in one where all dialects are loaded, for modules of which no thread changes any. */
MLIR_CAPI_EXPORTED MlirLogicalResult ptxTileEmitPtx(MlirOperation module, const PtxTileTarget *target,
                                                    PtxTilePtxCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* PTX_TILE_PASSES_C_H */
