/* The passes and pipelines of ptx-tile for C. Nothing here takes ownership, and nothing can fail. */
#ifndef PTX_TILE_PASSES_C_H
#define PTX_TILE_PASSES_C_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes both dialects known to `registry`, with what lowers them to the LLVM dialect and translates them from there. */
MLIR_CAPI_EXPORTED void ptxTileRegisterDialects(MlirDialectRegistry registry);

/* Registers the passes tile-*, the pipelines tile-to-nvvm and tile-to-ptx, and the passes of MLIR that these run.
   Once is enough, and more is harmless. */
MLIR_CAPI_EXPORTED void ptxTileRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* PTX_TILE_PASSES_C_H */
