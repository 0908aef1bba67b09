// The passes: names, options and what they promise. The bodies are Rust; passes.cpp calls them.
#ifndef PTX_TILE_PASSES_TD
#define PTX_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileCheck : Pass<"tile-check"> {
  let summary = "Check what a tile op alone cannot know";
  let description = [{
    Launch shape, ranges of begins, provenance of registers, alignment of memory and the target. The IR stays as it is.
    `tile-expand` checks first, so this pass is for looking without expanding.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileExpand : Pass<"tile-expand"> {
  let summary = "Expand each tile.apply to one ptx op per repeat";
  let description = [{
    Checks as `tile-check` does, then emits for each repeat, in row-major order, one `ptx` op on scalars and nothing
    else. Register slots become SSA values within a block and an `llvm.alloca` each across blocks.

    Its remarks, of category `tile-expand` (`--remarks-filter=tile-expand` of mlir-opt):

    - `expand`, passed, at a `tile.apply`: how many instructions of a thread it became.
    - `registers` at an allocation: how many there are.
    - `repack` at a `tile.view`, or at the allocation where that is read after a view was written: the registers that are
      read at another width than they were written, each once after a write. LLVM puts them together or takes them apart.
    - `local-memory`, missed, at an allocation: why these are no registers. Where no remarks are asked for, it is a
      diagnostic.
    - `total` at a function: its `ptx` ops, by mnemonic.

    `Copies` says how often a place of the program is there after loops were taken apart; the number beside is of all.

    An instruction takes about 4 KiB of memory until it is PTX: `module-limit` is for 8 GiB. The ops of loops that are taken
    apart count as instructions do.
  }];
  let options = [
    Option<"forward", "forward", "bool", "true",
           "Follow register slots as SSA values; false makes each access of a slot a load or a store">,
    Option<"limit", "limit", "uint64_t", "1048576", "The most instructions that one op may expand to">,
    Option<"moduleLimit", "module-limit", "uint64_t", "2097152",
           "The most ops that all loops taken apart and all instructions may be together">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
                           "::ptx::PtxDialect"];
}

def ConvertPtxToLLVM : Pass<"convert-ptx-to-llvm"> {
  let summary = "Lower ptx ops to llvm.inline_asm, each one";
  let description = [{
    `convert-gpu-to-nvvm` and `convert-to-llvm` lower `ptx` ops too. But the greedy rewrites that they and other passes
    begin with drop a pure op that nobody uses and merge constants; after this pass each instruction is a statement with
    side effects, so that none is lost, and has a number (`instruction = 3`), so that no two are equal: MLIR's region
    simplification merges blocks of equal ops. `tile-to-nvvm` runs it right after `tile-expand`. An op that takes the
    address of a symbol which is not yet one of the LLVM dialect only gets the number, and with it an effect that keeps it;
    `convert-gpu-to-nvvm` lowers it together with its symbol.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TileAttachTarget : Pass<"tile-attach-target", "::mlir::ModuleOp"> {
  let summary = "Decide the chip and the PTX version of each gpu.module";
  let description = [{
    Sets the one `#nvvm.target` that the later stages go by. The chip is the option's, else that of the target the
    module has, else sm_90. The PTX version is the one asked for, by option or by a `+ptxNN` feature of the target, else
    the chip's own in LLVM raised to what the instructions need. An option that contradicts the module's target wins
    with a warning; a target with `O = 2` does not contradict, as one that says nothing has that too. Of several targets
    the option `chip` chooses one. What the chip or an instruction cannot do with the decided target is an error.

    ```mlir
    gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx83">] { ... }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "", "The chip, such as sm_90">,
    Option<"ptx", "ptx", "std::string", "", "The PTX version, such as 8.3">,
    Option<"level", "O", "std::string", "", "LLVM's optimization level, 1 to 3; the target's, or 2, without it">,
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"];
}

def TilePrepareKernels : Pass<"tile-prepare-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make kernels such as the stock passes down to the NVVM dialect get right";
  let description = [{
    Of each row of `llvm.inline_asm`, of `ptx` ops that wait for their symbols, or of loads and stores of an `llvm.alloca`, that
    is not in the first block of a function the first gets a number (`instruction = 3`): MLIR's greedy driver merges equal
    blocks, while equal instructions of two branches are two instructions, and blocks that use two registers alike, whose
    addresses it then passes on. Where a kernel says its block or cluster size both as `known_block_size` or `known_cluster_size` and as an
    `nvvm` attribute, the latter stays. Ops without a use or an effect are taken out, as a loop with nothing left in it. Sizes
    that no launch can have and arguments that the calling convention cannot pass are errors.
  }];
  let options = [
    Option<"barePointers", "bare-pointers", "bool", "true",
           "Memref arguments are pointers to their data; false passes descriptors">,
  ];
}

def TileEmitPtx : Pass<"tile-emit-ptx", "::mlir::ModuleOp"> {
  let summary = "Replace each gpu.module in the NVVM dialect by a gpu.binary that holds its PTX";
  let description = [{
    What `gpu-module-to-binary{format=isa}` does, through the emitter of `tile-translate --mlir-to-ptx`: no LLVM pass
    that changes a named instruction is run. `tile-to-nvvm` makes what this pass takes.

    Its remark `ptx`, of category `tile-emit-ptx`, says how many instructions the PTX of a function has: `Named` ones of asm
    statements, and those that were `Added`, with a number for each mnemonic of these. `LocalBytes` is there where it uses
    local memory.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"];
}

#endif // PTX_TILE_PASSES_TD
