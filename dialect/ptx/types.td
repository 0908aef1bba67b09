// The types and state spaces of PTX.
#ifndef PTX_TILE_PTX_TYPES_TD
#define PTX_TILE_PTX_TYPES_TD

include "ptx/record.td"

def pred : Ptx_Type<"pred", 1, ["i1"]>;
def b8  : Ptx_Type<"b8", 8, ["i8", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2",
                             "f8E5M2FNUZ", "f8E8M0FNU"]> {
  let narrow = "cvt.u8.u16";
  let widen = "cvt.u16.u8";
}
def b16 : Ptx_Type<"b16", 16, ["i16", "f16", "bf16", "vector<2xi8>"]>;
def b32 : Ptx_Type<"b32", 32, ["i32", "f32", "vector<2xi16>", "vector<2xf16>", "vector<2xbf16>", "vector<4xi8>"]>;
def b64 : Ptx_Type<"b64", 64, ["i64", "f64", "vector<2xi32>", "vector<2xf32>", "vector<4xi16>", "vector<4xf16>",
                               "vector<4xbf16>", "!llvm.ptr"]>;
// PTX 8.3: with 8.2 ptxas 13.5 says "Arguments mismatch". sm_70 is older than the oldest target it has.
def b128 : Ptx_Type<"b128", 128, ["i128", "vector<2xi64>"]> {
  let ptx = 83;
  let sm = 70;
}
def u8  : Ptx_Type<"u8", 8, ["i8"]>;
def u16 : Ptx_Type<"u16", 16, ["i16"]>;
def u32 : Ptx_Type<"u32", 32, ["i32"]>;
def u64 : Ptx_Type<"u64", 64, ["i64"]>;
def s8  : Ptx_Type<"s8", 8, ["i8"]>;
def s16 : Ptx_Type<"s16", 16, ["i16"]>;
def s32 : Ptx_Type<"s32", 32, ["i32"]>;
def s64 : Ptx_Type<"s64", 64, ["i64"]>;
// The constants of halves and of packed types are written as the integer of their bits.
def f16  : Ptx_Type<"f16", 16, ["f16", "i16"]>;
def bf16 : Ptx_Type<"bf16", 16, ["bf16", "i16"]>;
def f32  : Ptx_Float<"f32", 32, ["f32", "i32"]>;
def f64  : Ptx_Float<"f64", 64, ["f64", "i64"]>;
// Element 0 is the lower half (R68).
def u16x2  : Ptx_Type<"u16x2", 32, ["vector<2xi16>", "i32"]>;
def s16x2  : Ptx_Type<"s16x2", 32, ["vector<2xi16>", "i32"]>;
def f16x2  : Ptx_Type<"f16x2", 32, ["vector<2xf16>", "i32"]>;
def bf16x2 : Ptx_Type<"bf16x2", 32, ["vector<2xbf16>", "i32"]>;
def f32x2  : Ptx_Type<"f32x2", 64, ["vector<2xf32>", "i64"]>;

def Global : Ptx_StateSpace<"global", 1, "global memory">;
def Shared : Ptx_StateSpace<"shared", 3, "shared memory of the block">;
// The same window, spelled out. With PTX 7.7 ptxas 13.5 refuses it.
def SharedCta : Ptx_StateSpace<"shared::cta", 3, "the same, spelled out"> {
  let ptx = 78;
  let sm = 30;
}
def Const : Ptx_StateSpace<"const", 4, "constant memory">;
def Local : Ptx_StateSpace<"local", 5, "memory of the thread">;

#endif // PTX_TILE_PTX_TYPES_TD
