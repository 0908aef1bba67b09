// What of the C++ API the examples do not use. installed.test says what is printed.
#include "ptx-tile/dialect.h"
#include "ptx-tile/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
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
  auto where = tile::WhereOp::create(builder, location, [&](OpBuilder &body, Location its) {
    auto part = tile::SliceOp::create(body, its, tile, {zero, index, zero}, {1, 1, 1});
    SmallVector<OpFoldResult> begins = part.getMixedBegins();
    llvm::outs() << (getConstantIntValue(begins[0]) == 0 && begins[1] == OpFoldResult(index)) << "\n";
  });
  where.setLanes(ArrayRef<int64_t>{0, 16});
  tile::Iter iters[] = {{4, 32, tile::Axis::laneid}, {32, 1, tile::Axis::laneid}, {2, 1, tile::Axis::m}};
  tile::Offset offsets[] = {{2, tile::Axis::warpid}};
  auto layout = tile::LayoutAttr::get(&context, iters, {}, offsets);
  tile::AllocOp::create(builder, location, MemRefType::get({4, 32, 2}, builder.getF32Type(), layout, space));
  gpu::ReturnOp::create(builder, location);
  return module;
}

// Ops of the dialects that tile programs are lowered from.
static const char *all = R"(
gpu.module @m {
  func.func @f(%a: i32) -> i32 { return %a : i32 }
  gpu.func @k(%out: memref<8x1xi32, 1>, %v: vector<4xf32>, %n: i32) kernel {
    %t = tile.alloc : memref<8x1xi32, #gpu.address_space<private>>
    affine.for %i = 0 to 8 {
      %w = arith.index_cast %i : index to i32
      tile.write %w, %t[%i, 0] : memref<8x1xi32, #gpu.address_space<private>>
    }
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %r = memref.load %out[%i, %c0] : memref<8x1xi32, 1>
      %s = func.call @f(%r) : (i32) -> i32
      memref.store %s, %out[%i, %c0] : memref<8x1xi32, 1>
    }
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    %m = math.fma %e, %e, %e : f32
    tile.apply "st.global.b32"(%out, %t) : memref<8x1xi32, 1>, memref<8x1xi32, #gpu.address_space<private>>
    gpu.return
  }
})";

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

  // Pipelines as functions.
  PassManager manager(&context);
  bool added = succeeded(tile::addToPtx(manager, target)) && succeeded(manager.run(*two));
  for (Operation &op : *two->getBody())
    llvm::outs() << (added ? op.getName().getStringRef() : "failed") << (op.getNextNode() ? " " : "\n");
  std::string why;
  target.chip = "sm_0";
  llvm::outs() << failed(tile::addToNvvm(manager, target, &why)) << ": " << why << "\n";

  // Emission loads no dialect that registerAllDialects does not name, so that it may run in a pass on several threads.
  DialectRegistry named;
  tile::registerAllDialects(named);
  MLIRContext cold(named);
  cold.loadAllAvailableDialects();
  std::vector<Dialect *> loaded = cold.getLoadedDialects();
  OwningOpRef<ModuleOp> kernel = parseSourceString<ModuleOp>(all, &cold);
  if (failed(tile::emitPtx(*kernel)))
    return 1;
  llvm::outs() << "more dialects:";
  for (Dialect *dialect : cold.getLoadedDialects())
    if (!llvm::is_contained(loaded, dialect))
      llvm::outs() << " " << dialect->getNamespace();
  llvm::outs() << "\n";
  return 0;
}
