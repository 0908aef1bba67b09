/* A program that loads a plugin, after the libraries named behind it: host PLUGIN [LIBRARY...] */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  uint32_t apiVersion;
  const char *name, *version;
  void *callback;
} Info; /* of a dialect plugin and of a pass plugin */

int main(int argc, char **argv) {
  for (int i = 2; i < argc; ++i)
    if (!dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL))
      return fprintf(stderr, "%s\n", dlerror()), 1;
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  const char *functions[] = {"mlirGetDialectPluginInfo", "mlirGetPassPluginInfo"};
  for (int i = 0; i < 2; ++i) {
    Info (*get)(void) = (Info(*)(void))dlsym(plugin, functions[i]);
    Info info = get();
    printf("%s: %s, version %u of the interface\n", functions[i], info.name, info.apiVersion);
  }
  return 0;
}
