// cvt.
#ifndef PTX_TILE_PTX_CONVERT_TD
#define PTX_TILE_PTX_CONVERT_TD

include "ptx/common.td"

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

// An integer of a scalar cvt, whose register may be wider (R118).
class Ptx_MaybeWider<string text, int bitWidth, bit hasSign>
    : Ptx_Type<text, bitWidth, !foreach(m, !filter(n, [8, 16, 32, 64], !ge(n, bitWidth)), "i"#m)> {
  let maybeWider = 1;
  bit isSigned = hasSign;
}
foreach width = [8, 16, 32, 64] in {
  def wideU#width : Ptx_MaybeWider<"u"#width, width, 0>;
  def wideS#width : Ptx_MaybeWider<"s"#width, width, 1>;
}
defvar integers = [wideU8, wideU16, wideU32, wideU64, wideS8, wideS16, wideS32, wideS64];

// What ptxas takes in a register of exactly 8 bits alone.
class Ptx_Byte<string text> : Ptx_Type<text, 8, ["i8"]> {
  let container = "b8";
  let narrow = "cvt.u8.u16";
  let widen = "cvt.u16.u8";
}
// Beside bf16 the register of an integer has its width; 8 bits of them too (D46).
def byteU8 : Ptx_Byte<"u8">;
def byteS8 : Ptx_Byte<"s8">;
defvar exactIntegers = [byteU8, u16, u32, u64, byteS8, s16, s32, s64];

// Small floats, two or four in a register, the first one highest. Those of 6 bits lie in bytes, below two zeros.
class Ptx_Small<string text, int bitWidth, string what> : Ptx_Type<text, bitWidth, ["i"#bitWidth]> {
  let summary = what;
}
foreach it = [["e4m3", "8 bits, 4 of them exponent"], ["e5m2", "8 bits, 5 of them exponent"],
              ["e2m3", "6 bits, 2 of them exponent"], ["e3m2", "6 bits, 3 of them exponent"]] in {
  def it[0]#"x2" : Ptx_Small<it[0]#"x2", 16, "two floats of "#it[1]>;
  def it[0]#"x4" : Ptx_Small<it[0]#"x4", 32, "four floats of "#it[1]>;
}
let summary = "two floats of 4 bits, 2 of them exponent" in
def e2m1x2 : Ptx_Byte<"e2m1x2">;
def e2m1x4 : Ptx_Small<"e2m1x4", 16, "four floats of 4 bits, 2 of them exponent">;
def ue8m0x2 : Ptx_Small<"ue8m0x2", 16, "two powers of two, as exponents of 8 bits">;
def tf32 : Ptx_Small<"tf32", 32, "f32 with a mantissa of 10 bits">;

// Random bits.
def randomBits : Ptx_Type<"b32", 32, ["i32"]>;

// Of cvt.pack. Integers of 2 and 4 bits are in no register alone.
foreach width = [2, 4] in {
  def packedU#width : Ptx_Type<"u"#width, width, []>;
  def packedS#width : Ptx_Type<"s"#width, width, []>;
}
def packedPair : Ptx_Type<"b32", 32, ["i32", "vector<2xi16>"]>;
def packedBytes : Ptx_Type<"b32", 32, ["i32", "vector<4xi8>"]>;

//===------------------------------------------------------------------------------------------------------------===//
// Modifiers
//===------------------------------------------------------------------------------------------------------------===//

def rna : Ptx_Token<"rna", "rounds to the nearest value, ties away from zero">;
let chips = ["sm_100a", "sm_103a"] in
def rs : Ptx_Token<"rs", "rounds stochastically, by the random bits of the last operand", 87>;
def rni : Ptx_Token<"rni", "rounds to the nearest integer, ties to even">;
def rzi : Ptx_Token<"rzi", "rounds to an integer toward zero">;
def rmi : Ptx_Token<"rmi", "rounds to an integer toward negative infinity">;
def rpi : Ptx_Token<"rpi", "rounds to an integer toward positive infinity">;
def satfinite : Ptx_Token<"satfinite", "what is beyond the type's range becomes its greatest number of that sign", 81>;
def pack : Ptx_Token<"pack", "converts two integers and packs the results">;

//===------------------------------------------------------------------------------------------------------------===//
// Forms
//===------------------------------------------------------------------------------------------------------------===//

class Rounding<list<Ptx_Token> modes> : Ptx_Position<"rounding", modes>;

class Convert<string what, list<Ptx_Position> modifiers, list<Ptx_Type> to, list<Ptx_Type> from,
              list<Ptx_Operand> arguments, int leastPtx = 10, int leastSm = 0, list<string> only = []>
    : Form<what, "9.7.9.21", !listconcat(modifiers, [Types<to>, Types<from>]), arguments, leastPtx, leastSm, only>;

class Pack<string what, list<Ptx_Type> to, list<Ptx_Position> before, list<Ptx_Operand> arguments, int leastSm>
    : Form<what, "9.7.9.22", !listconcat([Ptx_Position<"operation", [pack]>, Ptx_Position<"saturation", [satInteger]>,
                                          Types<to>, Types<[s32]>], before), arguments, 65, leastSm, computes = "convert_pack">;

// An operand whose type may be a Ptx_Byte.
class ExactDst<string name> : Dst<name> {
  let exactWidth = 1;
}
class ExactSrc<string name> : Src<name, 1, SecondType> {
  let exactWidth = 1;
}
class ExactSrcOrImm<string name> : SrcOrImm<name, 1, SecondType> {
  let exactWidth = 1;
}

// Of which types an integer may be that is none of type `to`.
class Beyond<Ptx_MaybeWider to> {
  list<Ptx_MaybeWider> types = !filter(from, integers, !cond(
      !eq(from.isSigned, to.isSigned): !gt(from.width, to.width),
      !eq(to.isSigned, 1): !ge(from.width, to.width),
      true: 1));
}

// Not here, as it needs a newer PTX than LLVM 22 writes: s2f6x2 and ue5m3x2, f16x2 to floats of 6 and 4 bits, bf16x2 to
// and from all but ue8m0x2, scale factors, pzo. What ptxas refuses: ftz beside relu or satfinite, integer roundings
// between f16 and bf16, sat with bf16.
//
// sm_90 has e4m3x2 and e5m2x2 since PTX 7.8, sm_89 since 8.1: a record says one version for all.
def Ptx_CvtOp : Ptx_Instruction<"cvt"> {
  let summary = "convert between types and sizes; convert and pack";
  let description = [{
    The types of the result and of the source end the opcode, in this order. A rounding stands where bits may be lost,
    and there alone: `rni`, `rzi`, `rmi` or `rpi` where an integer comes of a float, or a float is to be one of the same
    type; `rn`, `rz`, `rm` or `rp` where a float comes of an integer, or of a float with more mantissa or exponent.

    Integers of a scalar conversion may lie in wider registers: of a source the low bits are read, a result is extended
    to its register, by its sign where its type has one (R118). Of several sources the first becomes the highest part:
    `cvt.rn.f16x2.f32 d, a, b` puts `a` into the upper half (R122), `cvt.rs.satfinite.e4m3x4.f32` the first word of its
    group into the highest byte.

    ```mlir
    %d = ptx.cvt "rn.f32.u32" %a : (i32) -> f32
    %d = ptx.cvt "rzi.sat.u8.f32" %a : (f32) -> i32                            // 0 to 255, zeros above
    %d = ptx.cvt "f32.bf16" %a : (bf16) -> f32
    %d = ptx.cvt "rn.relu.bf16x2.f32" %high, %low : (f32, f32) -> vector<2xbf16>
    %d = ptx.cvt "rs.f16x2.f32" %high, %low, %random : (f32, f32, i32) -> vector<2xf16>
    %d = ptx.cvt "rna.tf32.f32" %a : (f32) -> i32
    %d = ptx.cvt "rn.satfinite.e2m1x2.f32" %high, %low : (f32, f32) -> i8
    %d = ptx.cvt "rs.satfinite.e4m3x4.f32" %a, %b, %e, %f, %random : (f32, f32, f32, f32, i32) -> i32
    %d = ptx.cvt "rn.f16x2.e4m3x2" %a : (i16) -> vector<2xf16>
    %d = ptx.cvt "pack.sat.s16.s32" %high, %low : (i32, i32) -> vector<2xi16>
    %d = ptx.cvt "pack.sat.u8.s32.b32" %high, %low, %before : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "convert";
  defvar d = Dst<"d">;
  defvar a = SrcOrImm<"a", 1, SecondType>;
  defvar b = SrcOrImm<"b", 1, SecondType>;
  // PTX has no constants of 16-bit and packed floats, and takes random bits from a register.
  defvar half = Src<"a", 1, SecondType>;
  defvar random = Src<"rbits", 1, randomBits>;
  defvar packs = [Dst<"d", 1, packedBytes>, a, b, SrcOrImm<"c", 1, packedBytes>];

  defvar integer = Rounding<[rni, rzi, rmi, rpi]>;
  defvar maybeInteger = Maybe<"rounding", [rni, rzi, rmi, rpi]>;
  defvar nearestOrZero = Rounding<[rn, rz]>;
  defvar stochastic = Rounding<[rs]>;
  defvar power = Rounding<[rz, rp]>;
  defvar mustFtz = Ptx_Position<"flush to zero", [ftz]>;
  defvar clamp = Maybe<"saturation", [satInteger]>;
  defvar mustClamp = Ptx_Position<"saturation", [satInteger]>;
  defvar mustRelu = Ptx_Position<"rectification", [relu]>;
  defvar maybeRelu = Maybe<"rectification", [relu]>;
  defvar maybeFinite = Maybe<"saturation", [satfinite]>;
  defvar mustFinite = Ptx_Position<"saturation", [satfinite]>;

  defvar e8 = [e4m3x2, e5m2x2];
  defvar e6e4 = [e2m3x2, e3m2x2, e2m1x2];
  defvar four = [e4m3x4, e5m2x4, e2m3x4, e3m2x4, e2m1x4];
  // Each with its family; rs is on two chips alone.
  defvar families = ["sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_103a", "sm_103f", "sm_110a", "sm_110f", "sm_120a",
                     "sm_120f", "sm_121a", "sm_121f"];

  let forms = !listconcat([
    Convert<"integer", [], integers, integers, [d, a]>,
  ], !foreach(to, integers, Convert<"clamped integer", [mustClamp], [to], Beyond<to>.types, [d, a]>), [
    Convert<"integer to float", [rounding, maybeSat], [f16, f64], integers, [d, a]>,
    Convert<"integer to float", [rounding, maybeFtz, maybeSat], [f32], integers, [d, a]>,
    Convert<"integer to float", [rounding], [bf16], exactIntegers, [d, ExactSrcOrImm<"a">], 78, 90>,
    Convert<"float to integer", [integer, clamp], integers, [f16], [d, half]>,
    Convert<"float to integer", [integer, clamp], integers, [f64], [d, a]>,
    Convert<"float to integer", [integer, maybeFtz, clamp], integers, [f32], [d, a]>,
    Convert<"float to integer", [integer], exactIntegers, [bf16], [ExactDst<"d">, half], 78, 90>,

    Convert<"same float", [maybeInteger, maybeSat], [f16], [f16], [d, half]>,
    Convert<"same float", [maybeInteger, maybeFtz, maybeSat], [f32], [f32], [d, a]>,
    Convert<"same float", [maybeInteger, maybeSat], [f64], [f64], [d, a]>,
    Convert<"same float", [maybeInteger], [bf16], [bf16], [d, half], 78, 90>,
    Convert<"wider float", [maybeFtz, maybeSat], [f32], [f16], [d, half]>,
    Convert<"wider float", [maybeSat], [f64], [f16], [d, half]>,
    Convert<"wider float", [maybeFtz, maybeSat], [f64], [f32], [d, a]>,
    Convert<"wider float", [], [f32], [bf16], [d, half], 71, 80>,
    Convert<"wider float", [mustFtz], [f32], [bf16], [d, half], 78, 90>,
    Convert<"wider float", [], [f64], [bf16], [d, half], 78, 90>,
    Convert<"narrower float", [rounding, maybeFtz, maybeSat], [f32], [f64], [d, a]>,
    Convert<"narrower float", [rounding, maybeFtz, maybeSat], [f16], [f32], [d, a]>,
    Convert<"narrower float", [rounding, maybeSat], [f16], [f64], [d, a]>,
    Convert<"narrower float", [rounding], [f16], [bf16], [d, half], 78, 90>,
    Convert<"narrower float", [rounding, maybeFtz], [bf16], [f32], [d, a], 70, 80>,
    Convert<"narrower float", [rounding], [bf16], [f64], [d, a], 78, 90>,
    Convert<"narrower float", [rounding], [bf16], [f16], [d, half], 78, 90>,
    Convert<"rectified float", [nearestOrZero, mustRelu, maybeFinite], [f16, bf16], [f32], [d, a], 70, 80>,
    Convert<"finite float", [nearestOrZero, mustFinite], [f16], [f32], [d, a], 81, 70>,
    Convert<"finite float", [nearestOrZero, mustFinite], [bf16], [f32], [d, a], 81, 80>,
    Convert<"narrower float", [Rounding<[rna]>, maybeFinite], [tf32], [f32], [d, a], 70, 80>,
    Convert<"narrower float", [nearestOrZero, maybeRelu], [tf32], [f32], [d, a], 78, 90>,
    Convert<"finite float", [nearestOrZero, mustFinite, maybeRelu], [tf32], [f32], [d, a], 86, 100>,

    Convert<"pair", [nearestOrZero, maybeRelu, maybeFinite], [f16x2, bf16x2], [f32], [d, a, b], 70, 80>,
    Convert<"random pair", [stochastic, maybeRelu, maybeFinite], [f16x2, bf16x2], [f32], [d, a, b, random]>,
    Convert<"pair", [nearest, mustFinite, maybeRelu], e8, [f32], [d, a, b], 81, 89>,
    Convert<"pair", [nearest, mustFinite, maybeRelu], e6e4, [f32], [ExactDst<"d">, a, b], 86, 100, families>,
    Convert<"pair", [power, maybeFinite], [ue8m0x2], [f32], [d, a, b], 86, 100, families>,
    Convert<"packed pair", [nearest, mustFinite, maybeRelu], e8, [f16x2], [d, half], 81, 89>,
    Convert<"packed pair", [nearest, maybeRelu], [f16x2], e8, [d, half], 81, 89>,
    Convert<"packed pair", [nearest, maybeRelu], [f16x2], e6e4, [d, ExactSrc<"a">], 86, 100, families>,
    Convert<"packed pair", [power, maybeFinite], [ue8m0x2], [bf16x2], [d, half], 86, 100, families>,
    Convert<"packed pair", [nearest], [bf16x2], [ue8m0x2], [d, half], 86, 100, families>,
    Convert<"random four", [stochastic, maybeRelu, mustFinite], four, [f32], [d, SrcOrImm<"a", 4, SecondType>, random]>,

    Pack<"two integers", [u16, s16], [], [Dst<"d", 1, packedPair>, a, b], 72>,
    Pack<"two integers beside others", [wideU8, wideS8], [Types<[b32]>], packs, 72>,
    Pack<"two integers beside others", [packedU4, packedS4, packedU2, packedS2], [Types<[b32]>], packs, 75>,
  ]);
  // The ISA has a rounding where bits are lost, and there alone.
  let refused = [
    Ptx_Refused<"cvt.*", "registers of integers alone may be wider, up to 64 bits (R118)", "with a wider register">,
    Ptx_Refused<"cvt.f16.bf16", "f16 lacks numbers of bf16; write the rounding .rn, .rz, .rm or .rp (R121)">,
    Ptx_Refused<"cvt.bf16.f16", "bf16 lacks numbers of f16; write the rounding .rn, .rz, .rm or .rp (R121)">,
    Ptx_Refused<"cvt.r*.f32.bf16", "f32 has every number of bf16; take out the rounding (R121)">,
    Ptx_Refused<"cvt.r*.f64.bf16", "f64 has every number of bf16; take out the rounding (R121)">,
  ];
}

#endif // PTX_TILE_PTX_CONVERT_TD
