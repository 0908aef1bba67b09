/* Each function of dialect-c.h and passes-c.h, where it works and where it fails. capi.test says what is printed. */
#include "ptx-tile/dialect-c.h"
#include "ptx-tile/passes-c.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>

static MlirStringRef text(const char *cString) { return mlirStringRefCreateFromCString(cString); }

static void print(MlirStringRef part, void *userData) {
  (void)userData;
  fwrite(part.data, 1, part.length, stdout);
}

static MlirLogicalResult say(MlirDiagnostic diagnostic, void *userData) {
  printf("said: ");
  mlirDiagnosticPrint(diagnostic, print, userData);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void printAttribute(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, print, NULL);
  printf("\n");
}

static void printType(MlirType type) {
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, print, NULL);
  printf("\n");
}

static void axes(void) {
  uint32_t axis = 77;
  printf("== axes\n");
  bool found = ptxTileAxisGet(text("laneid"), &axis);
  printf("%d %u\n", found, axis);
  found = ptxTileAxisGet(text("lanes"), &axis);
  printf("%d %u\n", found, axis);
  MlirStringRef name = ptxTileAxisGetName(axis), none = ptxTileAxisGetName(1000);
  printf("%.*s %d\n", (int)name.length, name.data, none.data == NULL);
}

static void layouts(MlirLocation location) {
  printf("== layouts\n");
  PtxTileIter shard[] = {{8, 4, 1}, {4, 1, 1}, {2, 1, 0}}, replica[] = {{4, 1, 2}};
  PtxTileOffset offset[] = {{6, 0}};
  PtxTileLayout layout = {0};
  layout.shard = shard;
  layout.numShard = 3;
  MlirAttribute fragment = ptxTileLayoutAttrGetChecked(location, &layout);
  printAttribute(fragment);

  PtxTileLayout parts;
  printf("%d\n", ptxTileLayoutAttrGetParts(fragment, &parts));
  for (intptr_t i = 0; i < parts.numShard; ++i)
    printf("%ld:%ld@%u\n", (long)parts.shard[i].extent, (long)parts.shard[i].stride, parts.shard[i].axis);
  printf("%ld %ld %d\n", (long)parts.numReplica, (long)parts.numOffset, parts.isSwizzle);
  printf("%d\n", ptxTileLayoutAttrGetParts(mlirUnitAttrGet(mlirLocationGetContext(location)), &parts));

  layout.numShard = 2;
  layout.replica = replica;
  layout.numReplica = 1;
  layout.offset = offset;
  layout.numOffset = 1;
  printAttribute(ptxTileLayoutAttrGetChecked(location, &layout));

  PtxTileIter rows[] = {{8, 64, 0}, {64, 1, 0}};
  PtxTileLayout memory = {0};
  memory.shard = rows;
  memory.numShard = 2;
  memory.isSwizzle = true;
  memory.swizzle = (PtxTileSwizzle){3, 3, 3, false};
  MlirAttribute swizzled = ptxTileLayoutAttrGetChecked(location, &memory);
  printAttribute(swizzled);
  bool taken = ptxTileLayoutAttrGetParts(swizzled, &parts);
  printf("%d %d %u\n", taken, parts.isSwizzle, parts.swizzle.atom);
  memory.swizzle.perElement = 1000;
  printAttribute(ptxTileLayoutAttrGetChecked(location, &memory));
  memory.swizzle.perElement = 3;
  memory.numShard = -1;
  printAttribute(ptxTileLayoutAttrGetChecked(location, &memory));
  printf("%d\n", ptxTileLayoutAttrGetParts(mlirAttributeGetNull(), &parts));
  printAttribute(ptxTileScopeAttrGetChecked(location, text("warp")));
  printAttribute(ptxTileScopeAttrGetChecked(location, text("block")));
  shard[0].axis = 1000;
  printAttribute(ptxTileLayoutAttrGetChecked(location, &layout));
}

static void slices(MlirContext context, MlirLocation location) {
  printf("== slices\n");
  MlirType tile = mlirTypeParseGet(context, text("memref<4x8xi32, #gpu.address_space<private>>"));
  int64_t begins[] = {1, 2}, unknown[] = {INT64_MIN, 0}, extents[] = {2, 4};
  printType(ptxTileSliceTypeGetChecked(location, tile, 2, begins, extents));
  printType(ptxTileSliceTypeGetChecked(location, tile, 2, unknown, extents));
  begins[1] = 5;
  printType(ptxTileSliceTypeGetChecked(location, tile, 2, begins, extents));
  printType(ptxTileSliceTypeGetChecked(location, tile, 1, begins, extents));
  printType(ptxTileSliceTypeGetChecked(location, mlirIntegerTypeGet(context, 32), 2, begins, extents));
  printType(ptxTileSliceTypeGetChecked(location, tile, -1, begins, extents));
  printType(ptxTileSliceTypeGetChecked(location, (MlirType){NULL}, 2, begins, extents));
}

static void printPtx(MlirStringRef name, MlirStringRef ptx, void *userData) {
  ++*(int *)userData;
  printf("%.*s: ", (int)name.length, name.data);
  for (size_t i = 0; i + 7 < ptx.length; ++i)
    if (mlirStringRefEqual(mlirStringRefCreate(ptx.data + i, 7), text(".target")))
      printf("%.*s\n", 13, ptx.data + i);
}

static const char *kernels =
    "gpu.module @a { gpu.func @k(%out: memref<1x1xi32, 1>, %n: i32) kernel {\n"
    "  %t = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>\n"
    "  tile.apply \"mov.b32\"(%t, %n) : memref<1x1xi32, #gpu.address_space<private>>, i32\n"
    "  tile.apply \"st.global.b32\"(%out, %t) : memref<1x1xi32, 1>, memref<1x1xi32, #gpu.address_space<private>>\n"
    "  gpu.return } }\n"
    "gpu.module @b {}\n";

static void ptx(MlirContext context) {
  printf("== ptx\n");
  MlirModule module = mlirModuleCreateParse(context, text(kernels)), empty = mlirModuleCreateParse(context, text(""));
  MlirOperation root = mlirModuleGetOperation(module);
  int calls = 0;
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(root, NULL, printPtx, &calls)));
  PtxTileTarget target = {text("sm_80"), text("7.4"), 1, true};
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(root, &target, printPtx, &calls)));
  MlirOperation one = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(one, &target, printPtx, &calls)));
  printf("%d calls\n", calls);
  target.level = 9;
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(root, &target, printPtx, &calls)));
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(mlirModuleGetOperation(empty), NULL, printPtx, &calls)));
  MlirOperation kernel = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(one, 0)));
  printf("%d\n", mlirLogicalResultIsSuccess(ptxTileEmitPtx(kernel, NULL, printPtx, &calls)));
  printf("%d calls\n", calls);
  mlirModuleDestroy(module);
  mlirModuleDestroy(empty);
}

static void run(MlirContext context, MlirPass pass, const char *nest) {
  MlirModule module = mlirModuleCreateParse(context, text(kernels));
  MlirPassManager manager = mlirPassManagerCreate(context);
  if (nest)
    mlirOpPassManagerAddOwnedPass(mlirPassManagerGetNestedUnder(manager, text(nest)), pass);
  else
    mlirPassManagerAddOwnedPass(manager, pass);
  printf("%d ", mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(manager), print, NULL);
  printf("\n");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

static void passes(MlirContext context) {
  printf("== passes\n");
  run(context, ptxTileCreateCheck(), NULL);
  run(context, ptxTileCreateExpand(), "gpu.module");
  run(context, ptxTileCreateConvertToLLVM(), NULL);
  run(context, ptxTileCreateAttachTarget(), NULL);
  run(context, ptxTileCreatePrepareKernels(), "gpu.module");
  run(context, ptxTileCreateEmitPtx(), NULL); /* which wants the NVVM dialect */

  ptxTileRegisterPasses();
  ptxTileRegisterPasses();
  MlirPassManager manager = mlirPassManagerCreate(context);
  const char *pipeline = "builtin.module(tile-to-ptx{chip=sm_80})";
  printf("%d\n", mlirLogicalResultIsSuccess(
                     mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager), text(pipeline), print, NULL)));
  mlirPassManagerDestroy(manager);
}

int main(void) {
  axes();

  MlirContext bare = mlirContextCreate();
  mlirContextAttachDiagnosticHandler(bare, say, NULL, NULL);
  layouts(mlirLocationUnknownGet(bare));
  mlirContextDestroy(bare);

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  ptxTileInsertDialects(registry);
  ptxTileRegisterDialects(registry);
  ptxTileRegisterDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tile__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, say, NULL, NULL);
  print(mlirDialectHandleGetNamespace(mlirGetDialectHandle__ptx__()), NULL);
  printf(" %d\n", mlirDialectIsNull(mlirDialectHandleLoadDialect(mlirGetDialectHandle__ptx__(), context)));
  slices(context, mlirLocationUnknownGet(context));
  ptx(context);
  passes(context);
  mlirContextDestroy(context);
  return 0;
}
