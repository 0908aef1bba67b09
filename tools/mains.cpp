// The mains of MLIR's tools, with everything of MLIR and ours registered. Options of tile-translate are this program's,
// in no library.
#include "passes-c.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>

using namespace mlir;
namespace cl = llvm::cl;

void reportStackOverflow(); // stack.cpp

static void registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  ptxTileRegisterDialects(wrap(&registry));
}

// `--version` and crashes name this project and not LLVM, and a reader that has enough, as head has, ends the program:
// Rust ignores the signal, and LLVM then reports an error.
static void begin(const char *version) {
  signal(SIGPIPE, SIG_DFL);
  static std::string project;
  project = std::string("ptx-tile ") + version;
  static std::string versionLine = project + ", built for LLVM " LLVM_VERSION_STRING;
  static std::string bug = "This is a bug of " + project + ", or of the LLVM it uses: please report it to ptx-tile, with "
                           "the input and the stack dump below.\n";
  llvm::setBugReportMsg(bug.c_str());
  reportStackOverflow();
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << versionLine << "\n";
    out.flush();
    cl::PrintVersionMessage();
  });
}

extern "C" int ptxTileOptMain(int argc, char **argv, const char *version) {
  begin(version);
  DialectRegistry registry;
  registerEverything(registry);
  registerAllPasses();
  ptxTileRegisterPasses();
  // For --help: opt.rs acts on it before this.
  cl::opt<std::string> list("list-instructions", cl::ValueOptional, cl::value_desc("PATTERN"),
                            cl::desc("List the opcodes that are like the pattern, and end: 'ld.global.*' with * for any text, cvt for all of it"));
  cl::extrahelp examples("\nEXAMPLES:\n"
                         "  tile-opt --tile-check kernel.mlir                  check a program, and print it as it is\n"
                         "  tile-opt --tile-expand=forward=false kernel.mlir   see each register as a load or a store\n"
                         "  tile-opt --tile-to-ptx='chip=sm_80' kernel.mlir    compile gpu.modules to PTX in a gpu.binary\n"
                         "  tile-opt --list-instructions='ld.global.*'         list opcodes\n");
  return asMainReturnCode(MlirOptMain(argc, argv, "ptx-tile opt tool\n", registry));
}

extern "C" int ptxTileReduceMain(int argc, char **argv, const char *version) {
  begin(version);
  DialectRegistry registry;
  registerEverything(registry);
  registerAllPasses();
  ptxTileRegisterPasses();
  cl::extrahelp examples("\nEXAMPLES:\n"
                         "  tile-reduce --reduction-tree='test=./interesting.sh' kernel.mlir   what is left of a program for\n"
                         "                                      which the script, called with a file, exits with 1\n");
  MLIRContext context(registry);
  // A pass that reduces makes ops of dialects that the program has none of.
  context.loadAllAvailableDialects();
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}

extern "C" int ptxTileLspServerMain(int argc, char **argv, const char *version) {
  begin(version);
  DialectRegistry registry;
  registerEverything(registry);
  cl::extrahelp examples("\nEXAMPLES:\n"
                         "  tile-lsp-server                               what an editor starts\n"
                         "  tile-lsp-server --lit-test < requests.json    what it answers, request by request\n");
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}

//===------------------------------------------------------------------------------------------------------------===//
// tile-translate
//===------------------------------------------------------------------------------------------------------------===//

extern "C" {
typedef struct {
  MlirStringRef chip, ptx, level, module, outputDir;
  bool barePointers, hasOutputFile;
} PtxTileTranslateOptions;
// translate.rs: gives `text` the PTX for standard output; what fails has emitted a diagnostic.
typedef MlirLogicalResult (*PtxTileTranslate)(MlirOperation module, const PtxTileTranslateOptions *options,
                                              MlirStringCallback text, void *user);

typedef struct {
  MlirStringRef layout, shape;
  bool hasLayout, hasShape, asSvg;
} PtxTileDrawOptions;
// layouts.rs, likewise.
typedef MlirLogicalResult (*PtxTileDraw)(MlirOperation module, const PtxTileDrawOptions *options,
                                         MlirStringCallback text, void *user);
}

namespace {
struct TranslateOptions {
  cl::OptionCategory category{"--mlir-to-ptx"};
  cl::opt<std::string> chip{"chip", cl::desc("The chip; the module's target or sm_90 without it"), cl::cat(category)};
  cl::opt<std::string> ptx{"ptx", cl::desc("The PTX version, such as 8.3"), cl::cat(category)};
  cl::opt<std::string> level{"O", cl::Prefix, cl::desc("LLVM's optimization level: -O1, -O2 (default) or -O3"),
                             cl::cat(category)};
  cl::opt<std::string> module{"module", cl::desc("The gpu.module to translate"), cl::cat(category)};
  cl::opt<std::string> outputDir{"output-dir", cl::desc("Write a file NAME.ptx there for each gpu.module"),
                                 cl::cat(category)};
  cl::opt<bool> barePointers{"bare-pointers", cl::init(true), cl::cat(category),
                             cl::desc("Memref arguments are pointers to their data (default); =false passes descriptors")};
};
struct DrawOptions {
  cl::OptionCategory category{"--layout-to-svg and --layout-to-text"};
  cl::opt<std::string> layout{"layout", cl::desc("Draw this attribute, and read no file"), cl::cat(category)};
  cl::opt<std::string> shape{"shape", cl::desc("The shape of the tile with that layout, such as 8x16 or 8x16xf16"),
                             cl::cat(category)};
};
} // namespace

static MlirStringRef text(const cl::opt<std::string> &option) { return wrap(StringRef(option.getValue())); }

static void printTo(MlirStringRef part, void *out) { *static_cast<llvm::raw_ostream *>(out) << unwrap(part); }

// What is not given a file reads standard input to its end, which for a layout on the command line may never come.
static void readNothingFor(const char *option, int argc, char **argv) {
  for (StringRef argument : ArrayRef<char *>(argv, argc).drop_front()) {
    StringRef name = argument.take_until([](char c) { return c == '='; });
    if (name.starts_with("-") && name.ltrim('-') == option && !freopen("/dev/null", "r", stdin))
      llvm::errs() << "warning: standard input stays open\n";
  }
}

extern "C" int ptxTileTranslateMain(int argc, char **argv, const char *version, PtxTileTranslate toPtx,
                                    PtxTileDraw draw) {
  begin(version);
  registerAllTranslations();
  ptxTileRegisterPasses();
  TranslateOptions given;
  auto translate = [&given, toPtx](Operation *op, llvm::raw_ostream &out) -> LogicalResult {
    PtxTileTranslateOptions options = {text(given.chip),   text(given.ptx),       text(given.level),
                                       text(given.module), text(given.outputDir), given.barePointers,
                                       cl::getRegisteredOptions()["o"]->getNumOccurrences() > 0};
    return unwrap(toPtx(wrap(op), &options, printTo, &out));
  };
  TranslateFromMLIRRegistration registration("mlir-to-ptx", "Translate gpu.modules with tile ops to PTX", translate,
                                             registerEverything);

  DrawOptions drawn;
  readNothingFor("layout", argc, argv);
  auto drawAs = [&drawn, draw](bool asSvg) {
    return [&drawn, draw, asSvg](Operation *op, llvm::raw_ostream &out) -> LogicalResult {
      PtxTileDrawOptions options = {text(drawn.layout), text(drawn.shape),
                                    drawn.layout.getNumOccurrences() > 0, drawn.shape.getNumOccurrences() > 0, asSvg};
      return unwrap(draw(wrap(op), &options, printTo, &out));
    };
  };
  TranslateFromMLIRRegistration svg("layout-to-svg", "Draw who owns the elements of a tile, as SVG", drawAs(true),
                                    registerEverything);
  TranslateFromMLIRRegistration plain("layout-to-text", "Draw who owns the elements of a tile, as text", drawAs(false),
                                      registerEverything);
  cl::extrahelp examples("\nEXAMPLES:\n"
                         "  tile-translate --mlir-to-ptx --chip sm_90 kernel.mlir       print the PTX of a program\n"
                         "  tile-translate --mlir-to-ptx --output-dir out kernels.mlir  write a file for each gpu.module\n"
                         "  tile-translate --layout-to-svg kernel.mlir -o tiles.svg     draw the layouts of a program\n");
  return asMainReturnCode(mlirTranslateMain(argc, argv, "ptx-tile translation tool"));
}
