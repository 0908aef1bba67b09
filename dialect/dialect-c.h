/* The `tile` and `ptx` dialects for C. Nothing here takes ownership, and nothing can fail unless it says so. */
#ifndef PTX_TILE_DIALECT_C_H
#define PTX_TILE_DIALECT_C_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes both dialects known to `registry`. */
MLIR_CAPI_EXPORTED void ptxTileInsertDialects(MlirDialectRegistry registry);

/* A shard or replica iter of a layout: `extent` places, `stride` apart on `axis` (an enumerant of Tile_Axis, 0 is m). */
typedef struct {
  int64_t extent;
  int64_t stride;
  uint32_t axis;
} PtxTileIter;

/* Where a layout begins on `axis`; INT64_MIN where that is no constant, `?`, on m alone. */
typedef struct {
  int64_t value;
  uint32_t axis;
} PtxTileOffset;

/* The exclusive or that `#tile.swizzle` puts on the m coordinate. */
typedef struct {
  uint32_t perElement;
  uint32_t swizzle;
  uint32_t atom;
  bool outer;
} PtxTileSwizzle;

/* A `#tile.layout` or `#tile.swizzle`, in parts. The arrays live as long as the attribute's context. */
typedef struct {
  const PtxTileIter *shard;
  intptr_t numShard;
  const PtxTileIter *replica;
  intptr_t numReplica;
  const PtxTileOffset *offset;
  intptr_t numOffset;
  bool isSwizzle;
  PtxTileSwizzle swizzle; /* only where isSwizzle */
} PtxTileLayout;

/* Takes `attribute` apart into `layout`; false, and `layout` untouched, where it is no tile layout. */
MLIR_CAPI_EXPORTED bool ptxTileLayoutGet(MlirAttribute attribute, PtxTileLayout *layout);

#ifdef __cplusplus
}
#endif

#endif /* PTX_TILE_DIALECT_C_H */
