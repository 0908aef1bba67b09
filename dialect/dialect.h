// The `tile` and `ptx` dialects for C++: generated classes and registration.
#ifndef PTX_TILE_DIALECT_H
#define PTX_TILE_DIALECT_H

#include "dialect-c.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "TileEnums.h.inc"

namespace tile {
/// A shard or replica iter (R40): `extent` places, `stride` apart on `axis`. The C struct, so that Rust reads it in
/// place.
struct Iter : PtxTileIter {
  Iter() = default;
  Iter(int64_t extent, int64_t stride, Axis axis) : PtxTileIter{extent, stride, static_cast<uint32_t>(axis)} {}
  bool operator==(const Iter &other) const {
    return extent == other.extent && stride == other.stride && axis == other.axis;
  }
};
inline llvm::hash_code hash_value(const Iter &iter) { return llvm::hash_combine(iter.extent, iter.stride, iter.axis); }

/// Where a layout begins on `axis` (R40).
struct Offset : PtxTileOffset {
  Offset() = default;
  Offset(int64_t value, Axis axis) : PtxTileOffset{value, static_cast<uint32_t>(axis)} {}
  bool operator==(const Offset &other) const { return value == other.value && axis == other.axis; }
};
inline llvm::hash_code hash_value(const Offset &offset) { return llvm::hash_combine(offset.value, offset.axis); }
} // namespace tile

#include "PtxDialect.h.inc"
#include "TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileAttrs.h.inc"
#define GET_OP_CLASSES
#include "TileOps.h.inc"
#define GET_OP_CLASSES
#include "PtxOps.h.inc"

namespace tile {
/// Makes both dialects known to `registry`, and nothing that lowers them: registerAllDialects of passes.h does that too.
void registerDialects(mlir::DialectRegistry &registry);

/// The type of the region of `extents` elements from `begins` on, of a tile of type `source`; `ShapedType::kDynamic`
/// stands for a begin that is a value. Null, with an error emitted at `location`, where there is no such region.
mlir::MemRefType sliceType(mlir::Location location, mlir::MemRefType source, llvm::ArrayRef<int64_t> begins,
                           llvm::ArrayRef<int64_t> extents);
} // namespace tile

#endif // PTX_TILE_DIALECT_H
