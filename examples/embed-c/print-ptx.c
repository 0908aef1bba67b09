/* Tile programs to PTX through the C API: a file in, the PTX of each gpu.module out.
 *
 *   print-ptx kernel.mlir sm_80
 *
 * With pkg-config: cc print-ptx.c $(pkg-config --cflags --libs ptx-tile) */
#include "ptx-tile/dialect-c.h"
#include "ptx-tile/passes-c.h"

#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file, with a NUL after them; null where it cannot be read. The caller frees them. */
static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  char *text = NULL;
  size_t length = 0, room = 0;
  do {
    room = 2 * room + 4096;
    char *larger = realloc(text, room + 1);
    if (!larger)
      break;
    text = larger;
    length += fread(text + length, 1, room - length, file);
  } while (length == room);
  int failed = ferror(file) || length == room;
  fclose(file);
  if (failed) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  return text;
}

static void print(MlirStringRef name, MlirStringRef ptx, void *userData) {
  (void)name;
  fwrite(ptx.data, 1, ptx.length, (FILE *)userData);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: print-ptx FILE [CHIP]\n");
    return 2;
  }
  char *text = readFile(argv[1]);
  if (!text) {
    perror(argv[1]);
    return 1;
  }

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  ptxTileRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  mlirDialectRegistryDestroy(registry); /* the context has a copy */

  MlirOperation module = mlirOperationCreateParse(context, mlirStringRefCreateFromCString(text),
                                                  mlirStringRefCreateFromCString(argv[1]));
  int status = 1;
  if (!mlirOperationIsNull(module)) {
    PtxTileTarget target = {0};
    if (argc > 2)
      target.chip = mlirStringRefCreateFromCString(argv[2]);
    status = mlirLogicalResultIsFailure(ptxTileEmitPtx(module, &target, print, stdout));
    mlirOperationDestroy(module);
  }
  mlirContextDestroy(context);
  free(text);
  return status;
}
