// Loads and stores.
#ifndef PTX_TILE_PTX_MEMORY_TD
#define PTX_TILE_PTX_MEMORY_TD

include "ptx/types.td"

// What ld and st have in common.
defvar memorySpaces = [Global, Shared, SharedCta, Local];
defvar memoryTypes = [b8, b16, b32, b64];

// Semantics, scopes, cache operators, further state spaces and types, and 256-bit vectors are to come. Vectors end at 128
// bits (R110), so that there is none of b128.
def Ptx_LdOp : Ptx_Instruction<"ld"> {
  let summary = "load registers from memory";
  let description = [{
    The elements of a vector are consecutive from the address, which is aligned to all of them together (R112).

    ```mlir
    %v     = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
    %v, %w = ptx.ld "global.v2.b32" %ptr + 8 : (!llvm.ptr<1>) -> (i32, i32)
    ```
  }];
  let readsMemory = 1;
  let semantics = "same_bits";
  defvar section = "9.7.9.8";
  let forms = [
    Form<"scalar", section, [Spaces<memorySpaces>, Types<!listconcat(memoryTypes, [b128])>], [Dst<"d">, Address<"a">]>,
    Form<"vector", section, [Spaces<memorySpaces>, Vector<"v2">, Types<memoryTypes>], [Dst<"d", 2>, Address<"a", 2>]>,
    Form<"vector", section, [Spaces<memorySpaces>, Vector<"v4">, Types<[b8, b16, b32]>],
         [Dst<"d", 4>, Address<"a", 4>]>,
  ];
}

def Ptx_StOp : Ptx_Instruction<"st"> {
  let summary = "store registers to memory";
  let description = [{
    The counterpart of `ptx.ld`. The value comes after the address.

    ```mlir
    ptx.st "global.b32" %ptr, %v : (!llvm.ptr<1>, i32) -> ()
    ```
  }];
  let writesMemory = 1;
  let semantics = "same_bits";
  defvar section = "9.7.9.11";
  let forms = [
    Form<"scalar", section, [Spaces<memorySpaces>, Types<memoryTypes>], [Address<"a">, SrcOrImm<"b">]>,
    // PTX writes constants of at most 64 bits; one of 128 costs the moves that LLVM makes of it.
    Form<"scalar", section, [Spaces<memorySpaces>, Types<[b128]>], [Address<"a">, Src<"b">]>,
    Form<"vector", section, [Spaces<memorySpaces>, Vector<"v2">, Types<memoryTypes>], [Address<"a", 2>, SrcOrImm<"b", 2>]>,
    Form<"vector", section, [Spaces<memorySpaces>, Vector<"v4">, Types<[b8, b16, b32]>],
         [Address<"a", 4>, SrcOrImm<"b", 4>]>,
  ];
}

#endif // PTX_TILE_PTX_MEMORY_TD
