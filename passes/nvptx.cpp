// What nvptx.rs and target.rs need of MLIR and LLVM and the C APIs lack: the `#nvvm.target` attribute, warnings, the
// processors of a target, a check of asm constraints, passes on machine code, and a way out of LLVM's fatal errors.
#include "machine.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <csetjmp>
#include <mutex>
#include <set>

using namespace mlir;

extern "C" {

// Emits at `location`; `severity` is a DiagnosticSeverity other than Note. The C API emits errors only.
void ptxTileDiagnose(MlirLocation location, uint32_t severity, MlirStringRef text) {
  Location where = unwrap(location);
  where.getContext()->getDiagEngine().emit(where, static_cast<DiagnosticSeverity>(severity)) << unwrap(text);
}

// An `#nvvm.target` in parts.
typedef struct {
  int level;
  MlirStringRef triple, chip, features;
  bool linksFiles;
} PtxTileNvvmTarget;

bool ptxTileTargetGet(MlirAttribute attribute, PtxTileNvvmTarget *parts) {
  auto target = dyn_cast<NVVM::NVVMTargetAttr>(unwrap(attribute));
  if (!target)
    return false;
  *parts = {target.getO(), wrap(target.getTriple()), wrap(target.getChip()), wrap(target.getFeatures()),
            target.getLink() && !target.getLink().empty()};
  return true;
}

// What `like`, a target or null, says of flags and checks stays.
MlirAttribute ptxTileTargetMake(MlirContext context, int level, MlirStringRef chip, MlirStringRef features,
                                MlirAttribute like) {
  auto old = dyn_cast_or_null<NVVM::NVVMTargetAttr>(unwrap(like));
  return wrap(NVVM::NVVMTargetAttr::get(unwrap(context), level, "nvptx64-nvidia-cuda", unwrap(chip), unwrap(features),
                                        old ? old.getFlags() : nullptr, nullptr, old ? old.getVerifyTarget() : true));
}

// Calls `name` with each processor of the target, then with each of its features. The target is initialised.
void ptxTileProcessors(const char *triple, void (*name)(MlirStringRef name, bool isFeature, void *user), void *user) {
  std::string why;
  llvm::Triple parsed(triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(parsed, why);
  if (!target)
    return;
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(parsed, "", ""));
  for (const llvm::SubtargetSubTypeKV &processor : info->getAllProcessorDescriptions())
    name(wrap(StringRef(processor.Key)), false, user);
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    name(wrap(StringRef(feature.Key)), true, user);
}

// Whether the dialect of an op has a translation to LLVM IR.
bool ptxTileTranslates(MlirOperation op) {
  Dialect *dialect = unwrap(op)->getDialect();
  return dialect && dialect->getRegisteredInterface<LLVMTranslationDialectInterface>();
}

// The C API's own prints what LLVM's verifier finds to standard error; here the caller verifies.
LLVMModuleRef ptxTileTranslateToLLVMIR(MlirOperation module, LLVMContextRef context) {
  return llvm::wrap(translateModuleToLLVMIR(unwrap(module), *llvm::unwrap(context), "ptx-tile",
                                            /*disableVerification=*/true)
                        .release());
}
}

// A constraint string that does not parse or does not fit its operands, which LLVM's verifier passes and its code
// generator crashes on. Null, or a message for LLVMDisposeMessage.
extern "C" char *ptxTileVerifyAsm(LLVMModuleRef module) {
  std::set<std::pair<llvm::FunctionType *, llvm::StringRef>> good;
  for (llvm::Function &function : *llvm::unwrap(module))
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::CallBase>(&instruction);
      auto *text = call ? dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!text || !good.insert({text->getFunctionType(), text->getConstraintString()}).second)
        continue;
      if (llvm::Error why = llvm::InlineAsm::verify(text->getFunctionType(), text->getConstraintString())) {
        std::string message = "asm \"" + text->getAsmString().str() + "\" with the constraints \"" +
                              text->getConstraintString().str() + "\": " + llvm::toString(std::move(why));
        return LLVMCreateMessage(message.c_str());
      }
    }
  return nullptr;
}

//===------------------------------------------------------------------------------------------------------------===//
// Compilation
//===------------------------------------------------------------------------------------------------------------===//

// Some faults of its input LLVM finds late, in a fatal error that ends the process: an instruction that the chip lacks,
// an operand number that an asm text lacks. A compilation returns instead, as clang's does, and leaks what it held.
namespace {
thread_local std::jmp_buf *wayOut = nullptr;
thread_local std::string fatalReason;
std::mutex handlerMutex;
unsigned compilations = 0;

// LLVM calls this for every target machine of the process; only what this library compiles is changed.
llvm::RegisterTargetPassConfigCallback machinePasses(
    [](llvm::TargetMachine &machine, llvm::legacy::PassManagerBase &, llvm::TargetPassConfig *passes) {
      if (!wayOut || !machine.getTargetTriple().isNVPTX())
        return;
      passes->insertPass(&llvm::FinalizeISelID, tile::createFoldCopies());
      passes->insertPass(&llvm::FinalizeISelID, tile::createJoinB128());
      // It would copy a named instruction to the ends of several blocks.
      passes->disablePass(&llvm::EarlyTailDuplicateLegacyID);
    });

void onFatalError(void *, const char *reason, bool) {
  if (!wayOut) {
    // Another thread, not in a compilation of ours: what LLVM does without a handler.
    llvm::errs() << "LLVM ERROR: " << reason << "\n";
    return;
  }
  fatalReason = reason;
  std::longjmp(*wayOut, 1);
}

// LLVM has one handler for the process. It is ours only while something compiles.
void countCompilation(int step) {
  std::lock_guard<std::mutex> lock(handlerMutex);
  if (step > 0 && compilations == 0)
    llvm::install_fatal_error_handler(onFatalError);
  compilations += step;
  if (step < 0 && compilations == 0)
    llvm::remove_fatal_error_handler();
}

// Where it knows how large the numbers of threads and blocks are, LLVM's code generator writes sums of them as `or` and
// `xor`, which ptxas does not fuse with the shifts and products around them. So it is told no more than that they are
// not negative.
void blurRanges(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::IntrinsicInst>(&instruction);
      std::optional<llvm::ConstantRange> range = call ? call->getRange() : std::nullopt;
      if (!range)
        continue;
      call->removeRetAttr(llvm::Attribute::Range);
      unsigned width = range->getBitWidth();
      llvm::ConstantRange natural(llvm::APInt::getZero(width), llvm::APInt::getSignedMinValue(width));
      if (natural.contains(*range))
        call->addRangeRetAttr(natural);
    }
  // The declarations say it too.
  for (llvm::Function &function : module)
    if (function.isIntrinsic())
      function.removeRetAttr(llvm::Attribute::Range);
}

// A block with one way in, from one with one way out, is part of it: where a loop or branch was, instructions are chosen
// by what stands in their block. LLVM's own pass for that, simplifycfg, does more (nvptx.rs).
void joinBlocks(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function))
      llvm::MergeBlockIntoPredecessor(&block);
}

// No frame between here and LLVM has anything to destroy but LLVM's own.
bool compile(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes, LLVMMemoryBufferRef *text,
             char **fault) {
  std::jmp_buf here;
  const void *stackTrace = llvm::SavePrettyStackState();
  if (setjmp(here)) {
    llvm::RestorePrettyStackState(stackTrace);
    *fault = LLVMCreateMessage(fatalReason.c_str());
    return false;
  }
  wayOut = &here;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) {
    char *message = LLVMGetErrorMessage(error);
    *fault = LLVMCreateMessage(message);
    LLVMDisposeErrorMessage(message);
    return false;
  }
  joinBlocks(*llvm::unwrap(module));
  blurRanges(*llvm::unwrap(module));
  return !LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, fault, text);
}
} // namespace

// Runs `passes` and the code generator. False sets `fault`, which the caller disposes of with LLVMDisposeMessage; after
// a fatal error `isFatal` is set, and module, machine and context must not be touched again.
extern "C" bool ptxTileCompile(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes,
                               LLVMMemoryBufferRef *text, char **fault, bool *isFatal) {
  countCompilation(1);
  fatalReason.clear();
  bool good = compile(module, machine, passes, text, fault);
  wayOut = nullptr;
  *isFatal = !fatalReason.empty();
  countCompilation(-1);
  return good;
}
