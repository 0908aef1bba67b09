// What of the C++ API the examples do not use. installed.test says what is printed.
#include "ptx-tile/dialect.h"
#include "ptx-tile/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

// Registers as a tile, sliced at a constant and at a value, read and written, and an instruction without a tile.
static OwningOpRef<ModuleOp> build(MLIRContext &context) {
  OpBuilder builder(&context);
  Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, location);
  builder.setInsertionPointToEnd(module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, location, "m");
  builder.setInsertionPointToStart(gpuModule.getBody());
  auto type = builder.getFunctionType({builder.getI32Type()}, {});
  auto kernel = gpu::GPUFuncOp::create(builder, location, "k", type);
  builder.setInsertionPointToStart(&kernel.getBody().front());

  auto space = gpu::AddressSpaceAttr::get(&context, gpu::AddressSpace::Private);
  auto registers = MemRefType::get({4, 2, 1}, builder.getI32Type(), MemRefLayoutAttrInterface(), space);
  Value tile = tile::AllocOp::create(builder, location, registers);
  tile::ApplyOp::create(builder, location, "mov.b32", ValueRange{tile, kernel.getArgument(0)});
  Value index = arith::ConstantIndexOp::create(builder, location, 3);
  MemRefType row = tile::sliceType(location, registers, {ShapedType::kDynamic, 0, 0}, {1, 2, 1});
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  Value slice = tile::SliceOp::create(builder, location, row, tile, {index, zero, zero}, {1, 2, 1});
  Value read = tile::ReadOp::create(builder, location, slice, {zero, one, zero});
  auto moved = ptx::MovOp::create(builder, location, TypeRange{builder.getI32Type()}, "b32", ValueRange{read});
  tile::WriteOp::create(builder, location, moved.getResult(0), tile, {zero, one, zero});
  gpu::ReturnOp::create(builder, location);
  return module;
}

int main() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, gpu::GPUDialect>();
  tile::registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) { llvm::outs() << "said: " << diagnostic << "\n"; });

  OwningOpRef<ModuleOp> module = build(context);
  llvm::outs() << *module << "\n" << succeeded(verify(*module)) << "\n";

  Location location = UnknownLoc::get(&context);
  auto tile = MemRefType::get({4, 2}, IntegerType::get(&context, 32));
  bool isNone = !tile::sliceType(location, tile, {4, 0}, {1, 2});
  llvm::outs() << isNone << "\n";
  isNone = !tile::sliceType(location, tile, {0}, {1, 2});
  llvm::outs() << isNone << "\n";

  OwningOpRef<ModuleOp> two = parseSourceString<ModuleOp>("gpu.module @a {} gpu.module @b {}", &context);
  llvm::outs() << failed(tile::emitPtx(*two)) << "\n";
  tile::Target target;
  target.chip = "sm_80";
  target.level = 1;
  llvm::FailureOr<std::vector<tile::NamedPtx>> each = tile::emitEach(*two, target);
  for (const tile::NamedPtx &one : *each)
    llvm::outs() << one.name << (StringRef(one.ptx).contains(".target sm_80") ? " has" : " lacks") << " its target\n";
  return 0;
}
