// What C++ alone can do for the passes: pass classes, pipelines and registration. Every body is one call into Rust.
#include "passes.h"
#include "dialect.h"
#include "passes-c.h"
#include "shared.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include <mutex>

using namespace mlir;

// Defined in Rust. What fails has emitted a diagnostic.
extern "C" {
MlirLogicalResult ptxTileRunCheck(MlirOperation root);
MlirLogicalResult ptxTileRunExpand(MlirOperation root, bool forward, uint64_t limit, uint64_t moduleLimit);
MlirLogicalResult ptxTileRunAttachTarget(MlirOperation module, MlirStringRef chip, MlirStringRef ptx, MlirStringRef level);
MlirLogicalResult ptxTileRunPrepareKernels(MlirOperation gpuModule, bool barePointers);
MlirLogicalResult ptxTileRunEmitPtx(MlirOperation module);

// The options of the pipelines.
typedef struct {
  MlirStringRef chip, ptx, level;
  bool barePointers;
} PtxTilePipelineOptions;
// Gives `text` a pipeline on builtin.module, or the reason why there is none and returns false.
bool ptxTilePipeline(const PtxTilePipelineOptions *options, bool emit, MlirStringCallback text, void *user);

// compile.rs: calls `each` once for each gpu.module.
MlirLogicalResult ptxTileEmitEach(MlirOperation module, const PtxTileTarget *target, bool onlyOne,
                                 PtxTilePtxCallback each, void *user);
}

//===------------------------------------------------------------------------------------------------------------===//
// Passes
//===------------------------------------------------------------------------------------------------------------===//

namespace tile {
#define GEN_PASS_DEF_TILECHECK
#define GEN_PASS_DEF_TILEEXPAND
#define GEN_PASS_DEF_TILEATTACHTARGET
#define GEN_PASS_DEF_TILEPREPAREKERNELS
#define GEN_PASS_DEF_TILEEMITPTX
#include "Passes.h.inc"

// What convert-gpu-to-nvvm and the emitter look up in a context. A program that registers all of MLIR has most of it.
static void registerAllLowering(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerLowering(registry);
}

namespace {
struct Check : impl::TileCheckBase<Check> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(unwrap(ptxTileRunCheck(wrap(getOperation())))))
      signalPassFailure();
  }
};

struct Expand : impl::TileExpandBase<Expand> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(unwrap(ptxTileRunExpand(wrap(getOperation()), forward, limit, moduleLimit))))
      signalPassFailure();
  }
};

struct AttachTarget : impl::TileAttachTargetBase<AttachTarget> {
  using Base::Base;
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllLowering(registry);
  }
  void runOnOperation() override {
    auto text = [](const std::string &option) { return wrap(StringRef(option)); };
    MlirOperation module = wrap(getOperation().getOperation());
    if (failed(unwrap(ptxTileRunAttachTarget(module, text(chip), text(ptx), text(level)))))
      signalPassFailure();
  }
};

struct PrepareKernels : impl::TilePrepareKernelsBase<PrepareKernels> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(unwrap(ptxTileRunPrepareKernels(wrap(getOperation().getOperation()), barePointers))))
      return signalPassFailure();
    // What expansion leaves of loops and addresses. Users come before what they use, and what is inside before what holds
    // it.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }
};

struct EmitPtx : impl::TileEmitPtxBase<EmitPtx> {
  using Base::Base;
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllLowering(registry);
  }
  void runOnOperation() override {
    if (failed(unwrap(ptxTileRunEmitPtx(wrap(getOperation().getOperation())))))
      signalPassFailure();
  }
};
} // namespace
} // namespace tile

//===------------------------------------------------------------------------------------------------------------===//
// Pipelines
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("The chip, such as sm_90")};
  Option<std::string> ptx{*this, "ptx", llvm::cl::desc("The PTX version, such as 8.3")};
  Option<std::string> level{*this, "O", llvm::cl::desc("LLVM's optimization level, 1 to 3")};
  Option<bool> barePointers{*this, "bare-pointers", llvm::cl::init(true),
                            llvm::cl::desc("Memref arguments are pointers to their data; false passes descriptors")};
};

// pipeline.rs has the stages as text, which MLIR parses; `why` is given what is wrong with the options.
LogicalResult addPipeline(OpPassManager &manager, const PtxTilePipelineOptions &options, bool emit, std::string &why) {
  std::string text;
  auto append = [](MlirStringRef part, void *user) { static_cast<std::string *>(user)->append(unwrap(part)); };
  if (ptxTilePipeline(&options, emit, append, &text))
    return parsePassPipeline(text, manager);
  why = text;
  return failure();
}

void registerPipeline(StringRef name, StringRef description, bool emit) {
  auto build = [emit](OpPassManager &manager, StringRef text,
                      function_ref<LogicalResult(const Twine &)> fault) -> LogicalResult {
    PipelineOptions given;
    if (failed(given.parseFromString(text)))
      return failure();
    PtxTilePipelineOptions options = {wrap(StringRef(given.chip.getValue())), wrap(StringRef(given.ptx.getValue())),
                                      wrap(StringRef(given.level.getValue())), given.barePointers};
    std::string why;
    LogicalResult added = addPipeline(manager, options, emit, why);
    return why.empty() ? added : fault(why);
  };
  registerPassPipeline(name, description, build,
                       [](function_ref<void(const detail::PassOptions &)> show) { show(PipelineOptions()); });
}
} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Registration
//===------------------------------------------------------------------------------------------------------------===//

void tile::registerAllDialects(DialectRegistry &registry) {
  registerDialects(registry);
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect, tensor::TensorDialect,
                  ub::UBDialect, vector::VectorDialect>();
  registerAllLowering(registry);
}

static void registerEachPass() {
  // A program that holds this library and loads it as a plugin too has two copies of these passes; MLIR ends the
  // process over the second.
  if (PassPipelineInfo::lookup("tile-to-ptx"))
    return;
  tile::registerTilePasses();
  registerPipeline("tile-to-nvvm", "Lower gpu.modules with tile ops to the NVVM dialect", /*emit=*/false);
  registerPipeline("tile-to-ptx", "Compile gpu.modules with tile ops to gpu.binary ops that hold PTX", /*emit=*/true);
  // What pipeline.rs names.
  registerPass([] { return createConvertVectorToSCFPass(); });
  registerPass([] { return createLowerAffinePass(); });
  registerPass([] { return createSCFToControlFlowPass(); });
  registerPass([] { return memref::createExpandStridedMetadataPass(); });
  registerPass([] { return createConvertVectorToLLVMPass(); });
  registerPass([] { return createConvertNVGPUToNVVMPass(); });
  registerPass([] { return createConvertGpuOpsToNVVMOps(); });
  registerPass([] { return createConvertNVVMToLLVMPass(); });
  registerPass([] { return createReconcileUnrealizedCastsPass(); });
}

void tile::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, registerEachPass);
}

//===------------------------------------------------------------------------------------------------------------===//
// Pipelines and PTX in one call
//===------------------------------------------------------------------------------------------------------------===//

static FailureOr<std::vector<tile::NamedPtx>> compile(ModuleOp module, const tile::Target &target, bool onlyOne) {
  PtxTileTarget raw = {wrap(StringRef(target.chip)), wrap(StringRef(target.ptx)), target.level, !target.barePointers};
  std::vector<tile::NamedPtx> all;
  auto append = [](MlirStringRef name, MlirStringRef ptx, void *user) {
    static_cast<decltype(all) *>(user)->push_back({unwrap(name).str(), unwrap(ptx).str()});
  };
  if (failed(unwrap(ptxTileEmitEach(wrap(module.getOperation()), &raw, onlyOne, append, &all))))
    return failure();
  return all;
}

static LogicalResult add(OpPassManager &manager, const tile::Target &target, bool emit, std::string *why) {
  tile::registerAllPasses();
  std::string level = target.level ? std::to_string(target.level) : "", fault;
  PtxTilePipelineOptions options = {wrap(StringRef(target.chip)), wrap(StringRef(target.ptx)), wrap(StringRef(level)),
                                    target.barePointers};
  LogicalResult added = addPipeline(manager, options, emit, fault);
  if (why)
    *why = failed(added) && fault.empty() ? "the passes are those of a builtin.module" : fault;
  return added;
}

LogicalResult tile::addToNvvm(OpPassManager &manager, const Target &target, std::string *why) {
  return add(manager, target, /*emit=*/false, why);
}

LogicalResult tile::addToPtx(OpPassManager &manager, const Target &target, std::string *why) {
  return add(manager, target, /*emit=*/true, why);
}

FailureOr<std::string> tile::emitPtx(ModuleOp module, const Target &target) {
  FailureOr<std::vector<NamedPtx>> one = compile(module, target, /*onlyOne=*/true);
  if (failed(one))
    return failure();
  return std::move(one->front().ptx);
}

FailureOr<std::vector<tile::NamedPtx>> tile::emitEach(ModuleOp module, const Target &target) {
  return compile(module, target, /*onlyOne=*/false);
}

//===------------------------------------------------------------------------------------------------------------===//
// For C
//===------------------------------------------------------------------------------------------------------------===//

void ptxTileRegisterDialects(MlirDialectRegistry registry) { tile::registerAllDialects(*unwrap(registry)); }
void ptxTileRegisterPasses() { tile::registerAllPasses(); }

MlirPass ptxTileCreateCheck() { return wrap(tile::createTileCheck().release()); }
MlirPass ptxTileCreateExpand() { return wrap(tile::createTileExpand().release()); }
MlirPass ptxTileCreateConvertToLLVM() { return wrap(tile::createConvertPtxToLLVM().release()); }
MlirPass ptxTileCreateAttachTarget() { return wrap(tile::createTileAttachTarget().release()); }
MlirPass ptxTileCreatePrepareKernels() { return wrap(tile::createTilePrepareKernels().release()); }
MlirPass ptxTileCreateEmitPtx() { return wrap(tile::createTileEmitPtx().release()); }

MlirLogicalResult ptxTileEmitPtx(MlirOperation module, const PtxTileTarget *target, PtxTilePtxCallback callback,
                                 void *userData) {
  PtxTileTarget defaults = {};
  return ptxTileEmitEach(module, target ? target : &defaults, /*onlyOne=*/false, callback, userData);
}
