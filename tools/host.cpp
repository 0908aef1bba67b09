// Whether the program that loads libptx_tile.so uses the LLVM that this was built for.
#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <cstring>
#include <link.h>
#include <string>

// The version in the name of a library of LLVM: `22.1` of /usr/lib/llvm-22/lib/libMLIR.so.22.1; empty of other files.
static std::string versionOf(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  for (const char *library : {"libMLIR.so.", "libLLVM.so.", "libLLVM-"})
    if (!strncmp(name, library, strlen(library)))
      return name + strlen(library);
  return "";
}

// Says why not where the process has another LLVM: its objects would be taken for ours, which ends in a crash.
extern "C" bool ptxTileIsHostOfOurs() {
  auto isOurs = [](dl_phdr_info *object, size_t, void *) {
    static const std::string ours = std::to_string(LLVM_VERSION_MAJOR) + "." + std::to_string(LLVM_VERSION_MINOR);
    std::string its = versionOf(object->dlpi_name);
    if (its.empty() || its.compare(0, ours.size(), ours) == 0)
      return 0;
    fprintf(stderr, "error: libptx_tile.so is built for LLVM " LLVM_VERSION_STRING
                    ", and this program uses %s: load it into a program of LLVM %s, or build ptx-tile for the other\n",
            object->dlpi_name, ours.c_str());
    return 1;
  };
  return dl_iterate_phdr(isOurs, nullptr) == 0;
}
