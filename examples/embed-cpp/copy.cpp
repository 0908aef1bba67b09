#include "copy.h"

#include "ptx-tile/dialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace {
constexpr int64_t bytesOfAccess = 16;

// The type of `memory` as vectors of 16 bytes, or null where it is no such memory.
MemRefType vectorsOf(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  auto space = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !space || space.getInt() != 1 ||
      !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() != 32)
    return {};
  int64_t perAccess = bytesOfAccess / 4;
  if (type.getNumElements() % perAccess)
    return {};
  return MemRefType::get({type.getNumElements() / perAccess, perAccess}, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

struct CopyToTiles : PassWrapper<CopyToTiles, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyToTiles)
  StringRef getArgument() const override { return "copy-to-tiles"; }
  StringRef getDescription() const override { return "Make memref.copy loads and stores of 16 bytes"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    tile::registerDialects(registry);
    registry.insert<memref::MemRefDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](memref::CopyOp copy) {
      MemRefType source = vectorsOf(copy.getSource()), target = vectorsOf(copy.getTarget());
      if (!source || source != target)
        return;
      OpBuilder builder(copy);
      Location location = copy.getLoc();
      auto space = gpu::AddressSpaceAttr::get(copy.getContext(), gpu::AddressSpace::Private);
      auto registers = MemRefType::get(source.getShape(), source.getElementType(), MemRefLayoutAttrInterface(), space);
      auto asVectors = [&](Value memory) -> Value {
        return tile::ViewOp::create(builder, location, source, memory);
      };
      Value tile = tile::AllocOp::create(builder, location, registers);
      auto apply = [&](StringRef opcode, ValueRange words) {
        tile::ApplyOp::create(builder, location, opcode, words);
      };
      apply("ld.global.v4.b32", {tile, asVectors(copy.getSource())});
      apply("st.global.v4.b32", {asVectors(copy.getTarget()), tile});
      copy.erase();
    });
  }
};
} // namespace

std::unique_ptr<Pass> createCopyToTiles() { return std::make_unique<CopyToTiles>(); }
