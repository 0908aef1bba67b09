// mov.
#ifndef PTX_TILE_PTX_MOVE_TD
#define PTX_TILE_PTX_MOVE_TD

include "ptx/names.td"

// Not here, as ptxas 13.5 refuses it: b8, u8, s8, f16, bf16, f16x2, bf16x2 and f32x2 as types of mov (halves move as
// b16, packed halves and bytes as b32, f32x2 as b64); labels; 8 lanes of 8 bits; an address minus a constant; vectors
// of predicates and of more than 128 bits.
//
// LLVM 22 takes b128 registers apart and puts them together by moves of its own. The emitter keeps them whole between
// instructions (b128.cpp of the passes); a b128 that is a kernel's argument, a constant, the result of i128 arithmetic
// or of a plain load costs one such move.
def Ptx_MovOp : Ptx_Instruction<"mov"> {
  let summary = "set a register; pack registers into one, or unpack one into several; read a name";
  let description = [{
    No conversion, no memory, nothing between threads (R95). Word 0 of a group is the least significant (R89). Special
    registers that vary while a thread runs have an effect, so that no pass merges, drops or moves a read of them. The
    address of a symbol is one in its own state space, not a generic one.

    ```mlir
    %d       = ptx.mov "b32" %a : (i32) -> i32
    %d       = ptx.mov "b64" %lo, %hi : (i32, i32) -> i64
    %lo, %hi = ptx.mov "b64" %w : (i64) -> (i32, i32)
    %hi      = ptx.mov "b64" %w sink [0] : (i64) -> i32
    %d       = ptx.mov "b32" %a pred(not %p) preserve(%old) : (i32) -> i32
    %q       = ptx.mov "pred" not %p : (i1) -> i1
    %c, %d   = ptx.mov "v2.f32" %a, %b : (f32, f32) -> (f32, f32)
    %t       = ptx.mov "u32" special "tid.x" : () -> i32
    %x, %y   = ptx.mov "v4.u32" special "tid" sink [2, 3] : () -> (i32, i32)
    %address = ptx.mov "u64" symbol @table + 16 : () -> i64
    ```
  }];
  let semantics = "same_bits";
  defvar scalar = "9.7.9.3";
  defvar vector = "9.7.9.4";
  // Of these mov has vectors, two or four registers at once, up to 128 bits. The ISA shows them in examples only.
  defvar upTo32 = [b16, b32, u16, u32, s16, s32, f32];
  defvar examples = "6.4.3";
  let forms = [
    Form<"copy", scalar, [Types<[pred]>], [Dst<"d">, Predicate<"a">]>,
    Form<"copy", scalar, [Types<[b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64]>], [Dst<"d">, SrcOrImm<"a">]>,
    Form<"pack", vector, [Types<[b16]>], [Dst<"d">, Lanes<"a", 2, b8>]>,
    Form<"pack", vector, [Types<[b32]>], [Dst<"d">, Lanes<"a", 2, b16>]>,
    Form<"pack", vector, [Types<[b32]>], [Dst<"d">, Lanes<"a", 4, b8>]>,
    Form<"pack", vector, [Types<[b64]>], [Dst<"d">, Lanes<"a", 2, b32>]>,
    Form<"pack", vector, [Types<[b64]>], [Dst<"d">, Lanes<"a", 4, b16>]>,
    Form<"pack", vector, [Types<[b128]>], [Dst<"d">, Lanes<"a", 2, b64>]>,
    Form<"pack", vector, [Types<[b128]>], [Dst<"d">, Lanes<"a", 4, b32>]>,
    Form<"unpack", vector, [Types<[b16]>], [LanesOrSinks<"d", 2, b8>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b32]>], [LanesOrSinks<"d", 2, b16>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b32]>], [LanesOrSinks<"d", 4, b8>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b64]>], [LanesOrSinks<"d", 2, b32>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b64]>], [LanesOrSinks<"d", 4, b16>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b128]>], [LanesOrSinks<"d", 2, b64>, Src<"a">]>,
    Form<"unpack", vector, [Types<[b128]>], [LanesOrSinks<"d", 4, b32>, Src<"a">]>,
    Form<"vector copy", examples, [Vector<"v2">, Types<!listconcat(upTo32, [b64, u64, s64, f64])>],
         [DstOrSink<"d", 2>, SrcOrImm<"a", 2>]>,
    Form<"vector copy", examples, [Vector<"v4">, Types<upTo32>], [DstOrSink<"d", 4>, SrcOrImm<"a", 4>]>,
    Form<"special register", scalar, [Types<!listconcat([pred], read16, read32, read64)>], [Dst<"d">, Special<"a">]>,
    Form<"special register", examples, [Vector<"v4">, Types<!listconcat(read16, read32)>],
         [DstOrSink<"d", 4>, Special<"a", 4>]>,
    Form<"address", scalar, [Types<!listconcat(read32, read64)>], [Dst<"d">, AddressOf<"a">]>,
  ];
  let refused = [
    Ptx_Refused<"mov.b128 b128, b128", "the ISA lists no scalar of 128 bits (D10)">,
    Ptx_Refused<"mov.b128", "a constant has at most 64 bits", "with a constant">,
    Ptx_Refused<"mov.v*", "a group is copied from a group", "with another number of registers">,
    Ptx_Refused<"mov.v4.*", "a register that is no vector is read by itself", "with another special register">,
    Ptx_Refused<"mov.*32", "it would be half of an address of 64 bits", "with another symbol">,
    Ptx_Refused<"mov.s64", "the address of a function has no sign", "with another symbol">,
    Unlisted<"mov.pred", "with a negation">,
  ];
}

#endif // PTX_TILE_PTX_MOVE_TD
