/* The `tile` and `ptx` dialects for C.
 *
 * As in MLIR's own C API:
 * - Ownership: handles are passed by value. What is made here is uniqued in its context and lives as long as that;
 *   nothing made here is destroyed by hand. Text and arrays that are passed in are copied, and are borrowed for the call
 *   alone.
 * - Failure: a function that can fail says so. Where it returns a null handle or false, nothing was made or written.
 *   Handles that are passed in are not null, unless it is said.
 * - Ops are made by mlirOperationCreate with their names and attributes, which docs/tile.md lists, in a context into which
 *   the dialects are loaded (mlirContextLoadAllAvailableDialects); mlirOperationVerify tells whether one is legal.
 *   tile.apply needs `operandSegmentSizes`, an array<i32: words, predicates, cache policies>. Types are those of MLIR: a
 *   tile is a memref.
 * - Threads: a context is used by one thread at a time, unless MLIR's documentation says otherwise.
 */
#ifndef PTX_TILE_DIALECT_C_H
#define PTX_TILE_DIALECT_C_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__tile__() and mlirGetDialectHandle__ptx__(), for mlirDialectHandleInsertDialect and its like.
   These are the ops alone: passes-c.h registers them with what lowers them. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ptx, ptx);

/* Makes both dialects known to `registry`, and nothing that lowers them. Cannot fail, and may be repeated. */
MLIR_CAPI_EXPORTED void ptxTileInsertDialects(MlirDialectRegistry registry);

/*===----------------------------------------------------------------------------------------------------------===*/
/* Layouts, scopes and types                                                                                        */
/*===----------------------------------------------------------------------------------------------------------===*/

/* A shard or replica iter of a layout (R40): `extent` places, `stride` apart on `axis`. */
typedef struct {
  int64_t extent;
  int64_t stride; /* elements on m, else threads */
  uint32_t axis;  /* of ptxTileAxisGet; 0 is m */
} PtxTileIter;

/* Where a layout begins on `axis`; INT64_MIN where that is no constant, `?`, on m alone. */
typedef struct {
  int64_t value;
  uint32_t axis;
} PtxTileOffset;

/* The exclusive or that `#tile.swizzle` puts on the m coordinate (R49). */
typedef struct {
  uint32_t perElement; /* as many low bits of m stay */
  uint32_t swizzle;    /* how many bits are changed */
  uint32_t atom;       /* how far above the changed bits those lie that are read; below them where outer */
  bool outer;
} PtxTileSwizzle;

/* A `#tile.layout` or `#tile.swizzle`, in parts. */
typedef struct {
  const PtxTileIter *shard; /* last fastest (R42) */
  intptr_t numShard;
  const PtxTileIter *replica;
  intptr_t numReplica;
  const PtxTileOffset *offset;
  intptr_t numOffset;
  bool isSwizzle;
  PtxTileSwizzle swizzle; /* only where isSwizzle */
} PtxTileLayout;

/* The attribute of `layout` in the context of `location`, into which the `tile` dialect is loaded if it is not there. It
   is canonical: layouts that put all elements at the same places are one attribute. Null, with an error emitted at
   `location`, where that is no layout. */
MLIR_CAPI_EXPORTED MlirAttribute ptxTileLayoutAttrGetChecked(MlirLocation location, const PtxTileLayout *layout);

/* Takes `attribute` apart into `layout`, whose arrays then belong to the attribute's context. False, and `layout`
   untouched, where it is no tile layout, or null. */
MLIR_CAPI_EXPORTED bool ptxTileLayoutAttrGetParts(MlirAttribute attribute, PtxTileLayout *layout);

/* The scope of an application (R22), an attribute of tile.apply: `thread`, `warp`, `warpgroup`, `cta` or `cluster`. The
   `tile` dialect is loaded if it is not there. Null, with an error emitted at `location`, where there is no such scope. */
MLIR_CAPI_EXPORTED MlirAttribute ptxTileScopeAttrGetChecked(MlirLocation location, MlirStringRef scope);

/* The type of the region of `extents` elements from `begins` on, of a tile of type `source`: what `tile.slice` and
   memref.subview result in. Both lists have `rank` entries; INT64_MIN stands for a begin that is a value. Null, with an
   error emitted at `location`, where `source` is null or no tile, and where there is no such region, or no layout that
   describes it. */
MLIR_CAPI_EXPORTED MlirType ptxTileSliceTypeGetChecked(MlirLocation location, MlirType source, intptr_t rank,
                                                       const int64_t *begins, const int64_t *extents);

/* The number of the axis of that name, such as `laneid` (R45), into `axis`; false, and `axis` untouched, where there is
   none. */
MLIR_CAPI_EXPORTED bool ptxTileAxisGet(MlirStringRef name, uint32_t *axis);

/* The name of an axis, which lives as long as the process; null text where there is none of that number. */
MLIR_CAPI_EXPORTED MlirStringRef ptxTileAxisGetName(uint32_t axis);

#ifdef __cplusplus
}
#endif

#endif /* PTX_TILE_DIALECT_C_H */
