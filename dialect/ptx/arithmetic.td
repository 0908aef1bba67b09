// Arithmetic that integers and floats have alike: add, sub, mul, mad, div, min, max, abs, neg.
//
// Not here: addc, subc and madc, and the .cc of add, sub and mad (ISA 9.7.2). They hand a carry on in the condition
// code register, which is no value: LLVM may move any instruction between two of them. Nor what PTX 9.2 and newer have,
// which LLVM 22 cannot write: saturating add and sub of integers but s32, packed mixed precision, clmad.
#ifndef PTX_TILE_PTX_ARITHMETIC_TD
#define PTX_TILE_PTX_ARITHMETIC_TD

include "ptx/common.td"

// Of a product that has twice the bits of its factors. A wide one has a type of its own: `Wide<u16, u32>`.
def lowHalf : Ptx_Token<"lo", "the lower half of the product">;
def highHalf : Ptx_Token<"hi", "the upper half of the product">;
def wide : Ptx_Token<"wide", "the whole product, twice as wide as its factors">;
defvar half = Ptx_Position<"part of the product", [lowHalf, highHalf]>;
defvar whole = Ptx_Position<"part of the product", [wide]>;
class Wide<Ptx_Type narrow, Ptx_Type double> {
  Ptx_Type factor = narrow;
  Ptx_Type product = double;
}
defvar wideProducts = [Wide<u16, u32>, Wide<u32, u64>, Wide<s16, s32>, Wide<s32, s64>];

def full : Ptx_Token<"full", "an approximation over the whole range, within 2 ulp">;

// Of min and max.
def reluInteger : Ptx_Token<"relu", "negative results become 0", 80, 90>;
def NaN : Ptx_Token<"NaN", "NaN where a source is NaN; without it the other source is the result", 70, 80>;
def xorsign : Ptx_Token<"xorsign", "the sign of the result is the exclusive or of the signs of the sources", 72, 86>;
def absOfSources : Ptx_Token<"abs", "compares the magnitudes of the sources">;
defvar maybeReluInteger = Maybe<"rectification", [reluInteger]>;
defvar maybeNaN = Maybe<"NaN", [NaN]>;
defvar magnitudes = [Ptx_Position<"sign", [xorsign]>, Ptx_Position<"magnitude", [absOfSources]>];
defvar maybeMagnitudes = Maybe<"magnitude", [absOfSources]>;

class Carry<string opcode> : Ptx_Refused<opcode, "its carry is in the condition code register, which is no value">;

// Of add, sub and mul: what they have in floats. `section` is that of f32, `ofHalves` that of f16.
class FloatArithmetic<string section, string ofHalves> {
  list<Form> forms = [
    Form<"single", section, [maybeRounding, maybeFtz, maybeSat, Types<[f32]>], binary>,
    Form<"double", section, [maybeRounding, Types<[f64]>], binary>,
    Form<"packed singles", section, [maybeRounding, maybeFtz, Types<[f32x2]>], binaryInRegisters, 86, 100>,
    Form<"half", ofHalves, [maybeNearest, maybeFtz, maybeSat, Types<[f16, f16x2]>], binaryInRegisters, 42, 53>,
    Form<"bfloat", ofHalves, [maybeNearest, Types<[bf16, bf16x2]>], binaryInRegisters, 78, 90>,
  ];
}

// Of add and sub: what they have in integers, which compute otherwise, and mixed floats, of which a is the shorter.
class Sum<string ofIntegers, string ofMixed, string integers> {
  list<Form> forms = [
    Form<"integer", ofIntegers, [Types<integerTypes>], binary, computes = integers>,
    Form<"saturating", ofIntegers, [Ptx_Position<"saturation", [satInteger]>, Types<[s32]>], binary,
         computes = integers>,
    Form<"mixed", ofMixed, [maybeRounding, maybeSat, Types<[f32]>, Types<[f16, bf16]>],
         [Dst<"d">, Src<"a", 1, SecondType>, SrcOrImm<"c">], 86, 100>,
  ];
}

def Ptx_AddOp : Ptx_Instruction<"add"> {
  let summary = "a + b";
  let description = [{
    Integers wrap, but with `.sat`. Floats round to nearest where no rounding is written; the mixed form adds a 16-bit
    float to an f32, exactly as if it had been converted first.

    ```mlir
    %d = ptx.add "s32" %a, %b : (i32, i32) -> i32
    %d = ptx.add "rn.ftz.f32" %a, %b : (f32, f32) -> f32
    %d = ptx.add "rn.f32.bf16" %a, %c : (bf16, f32) -> f32
    ```
  }];
  let semantics = "float_add";
  let forms = !listconcat(Sum<"9.7.1.1", "9.7.5.1", "integer_add">.forms, FloatArithmetic<"9.7.3.3", "9.7.4.1">.forms, [
    Form<"packed integers", "9.7.1.1", [Types<[u16x2, s16x2]>], binaryInRegisters, 80, 90, computes = "integer_add">,
  ]);
  let refused = [Carry<"add.cc.*">, Unlisted<"add.*.pred">];
}

def Ptx_SubOp : Ptx_Instruction<"sub"> {
  let summary = "a - b";
  let description = [{
    As `ptx.add`. The mixed form subtracts an f32 from a 16-bit float.

    ```mlir
    %d = ptx.sub "u64" %a, %b : (i64, i64) -> i64
    %d = ptx.sub "f16x2" %a, %b : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    ```
  }];
  let semantics = "float_subtract";
  let forms = !listconcat(Sum<"9.7.1.2", "9.7.5.2", "integer_subtract">.forms,
                          FloatArithmetic<"9.7.3.4", "9.7.4.2">.forms);
  let refused = [Carry<"sub.cc.*">, Unlisted<"sub.*.pred">];
}

def Ptx_MulOp : Ptx_Instruction<"mul"> {
  let summary = "a × b";
  let description = [{
    Of an integer product, which has twice the bits of its factors, the opcode says which half is the result, or that
    the whole is.

    ```mlir
    %d = ptx.mul "lo.s32" %a, %b : (i32, i32) -> i32
    %d = ptx.mul "wide.u16" %a, %b : (i16, i16) -> i32
    %d = ptx.mul "rz.f64" %a, %b : (f64, f64) -> f64
    ```
  }];
  defvar section = "9.7.1.3";
  defvar integers = "integer_multiply";
  let semantics = "float_multiply";
  let forms = !listconcat([Form<"integer", section, [half, Types<integerTypes>], binary, computes = integers>],
    !foreach(it, wideProducts, Form<"wide", section, [whole, Types<[it.factor]>],
                                    [Dst<"d", 1, it.product>, SrcOrImm<"a">, SrcOrImm<"b">], computes = integers>),
    FloatArithmetic<"9.7.3.5", "9.7.4.3">.forms);
}

def Ptx_MadOp : Ptx_Instruction<"mad"> {
  let summary = "a × b + c";
  let description = [{
    Of an integer product one half or the whole is added to c, which is as wide. In floats it is `ptx.fma`, with one
    rounding.

    ```mlir
    %d = ptx.mad "lo.u32" %a, %b, %c : (i32, i32, i32) -> i32
    %d = ptx.mad "wide.s32" %a, %b, %c : (i32, i32, i64) -> i64
    ```
  }];
  defvar section = "9.7.1.4";
  defvar ofFloats = "9.7.3.7";
  defvar integers = "integer_multiply";
  let semantics = "float_multiply_add";
  let forms = !listconcat([
      Form<"integer", section, [half, Types<integerTypes>], ternary, computes = integers>,
      Form<"saturating", section, [Ptx_Position<"part of the product", [highHalf]>,
                                   Ptx_Position<"saturation", [satInteger]>, Types<[s32]>], ternary,
           computes = integers>,
    ],
    !foreach(it, wideProducts, Form<"wide", section, [whole, Types<[it.factor]>],
                                    [Dst<"d", 1, it.product>, SrcOrImm<"a">, SrcOrImm<"b">,
                                     SrcOrImm<"c", 1, it.product>], computes = integers>), [
      Form<"single", ofFloats, [rounding, maybeFtz, maybeSat, Types<[f32]>], ternary, 20, 20>,
      Form<"double", ofFloats, [rounding, Types<[f64]>], ternary>,
    ]);
  let refused = [Carry<"mad.lo.cc.*">, Carry<"mad.hi.cc.*">];
}

def Ptx_DivOp : Ptx_Instruction<"div"> {
  let summary = "a / b";
  let description = [{
    An integer quotient is cut off toward zero; division by zero gives a value that the ISA leaves open. Floats say how
    exact they are: correctly rounded, or an approximation.

    ```mlir
    %d = ptx.div "u32" %a, %b : (i32, i32) -> i32
    %d = ptx.div "rn.f32" %a, %b : (f32, f32) -> f32
    %d = ptx.div "full.ftz.f32" %a, %b : (f32, f32) -> f32
    ```
  }];
  defvar ofFloats = "9.7.3.8";
  let semantics = "float_divide";
  let forms = [
    Form<"integer", "9.7.1.8", [Types<integerTypes>], binary, computes = "integer_divide">,
    Form<"approximate", ofFloats, [Ptx_Position<"approximation", [approx, full]>, maybeFtz, Types<[f32]>], binary,
         computes = "none">,
    Form<"single", ofFloats, [rounding, maybeFtz, Types<[f32]>], binary, 20, 20>,
    Form<"double", ofFloats, [rounding, Types<[f64]>], binary>,
  ];
}

// Of min and max.
class Extreme<string ofIntegers, string ofFloats, string ofHalves, string integers> {
  list<Form> forms = [
    Form<"integer", ofIntegers, [Types<[u16, u32, u64, s16, s64]>], binary, computes = integers>,
    Form<"integer", ofIntegers, [maybeReluInteger, Types<[s32]>], binary, computes = integers>,
    Form<"packed integers", ofIntegers, [Types<[u16x2]>], binaryInRegisters, 80, 90, computes = integers>,
    Form<"packed integers", ofIntegers, [maybeReluInteger, Types<[s16x2]>], binaryInRegisters, 80, 90,
         computes = integers>,
    Form<"single", ofFloats, [maybeFtz, maybeNaN, Types<[f32]>], binary>,
    Form<"single", ofFloats, !listconcat([maybeFtz, maybeNaN], magnitudes, [Types<[f32]>]), binary>,
    Form<"three singles", ofFloats, [maybeFtz, maybeNaN, maybeMagnitudes, Types<[f32]>], ternary, 88, 100>,
    Form<"double", ofFloats, [Types<[f64]>], binary>,
    Form<"half", ofHalves, [maybeFtz, maybeNaN, Types<[f16, f16x2]>], binaryInRegisters, 70, 80>,
    Form<"half", ofHalves, !listconcat([maybeFtz, maybeNaN], magnitudes, [Types<[f16, f16x2]>]), binaryInRegisters>,
    Form<"bfloat", ofHalves, [maybeNaN, Types<[bf16, bf16x2]>], binaryInRegisters, 70, 80>,
    Form<"bfloat", ofHalves, !listconcat([maybeNaN], magnitudes, [Types<[bf16, bf16x2]>]), binaryInRegisters>,
  ];
}

def Ptx_MinOp : Ptx_Instruction<"min"> {
  let summary = "the least of two, or of three f32";
  let description = [{
    Packed types are compared lane by lane; nothing is reduced. Of floats, -0.0 is less than +0.0.

    ```mlir
    %d = ptx.min "relu.s32" %a, %b : (i32, i32) -> i32
    %d = ptx.min "NaN.xorsign.abs.f16" %a, %b : (f16, f16) -> f16
    %d = ptx.min "f32" %a, %b, %c : (f32, f32, f32) -> f32
    ```
  }];
  let semantics = "float_min";
  let forms = Extreme<"9.7.1.12", "9.7.3.11", "9.7.4.7", "integer_min">.forms;
}

def Ptx_MaxOp : Ptx_Instruction<"max"> {
  let summary = "the greatest of two, or of three f32";
  let description = [{
    As `ptx.min`.

    ```mlir
    %d = ptx.max "u16x2" %a, %b : (vector<2xi16>, vector<2xi16>) -> vector<2xi16>
    %d = ptx.max "abs.f32" %a, %b, %c : (f32, f32, f32) -> f32
    ```
  }];
  let semantics = "float_max";
  let forms = Extreme<"9.7.1.13", "9.7.3.12", "9.7.4.8", "integer_max">.forms;
}

// Of abs and neg. f16 came to them at different times.
class Sign<string ofIntegers, string ofFloats, string ofHalves, int ptxOfHalves, string integers> {
  list<Form> forms = [
    Form<"integer", ofIntegers, [Types<signedTypes>], unary, computes = integers>,
    Form<"single", ofFloats, [maybeFtz, Types<[f32]>], unary>,
    Form<"double", ofFloats, [Types<[f64]>], unary>,
    Form<"half", ofHalves, [maybeFtz, Types<[f16, f16x2]>], unaryInRegisters, ptxOfHalves, 53>,
    Form<"bfloat", ofHalves, [Types<[bf16, bf16x2]>], unaryInRegisters, 70, 80>,
  ];
}

def Ptx_AbsOp : Ptx_Instruction<"abs"> {
  let summary = "the magnitude of a";
  let description = [{
    That of the least integer is itself. Of a NaN the payload may change.

    ```mlir
    %d = ptx.abs "s32" %a : (i32) -> i32
    %d = ptx.abs "ftz.f32" %a : (f32) -> f32
    ```
  }];
  let semantics = "float_absolute";
  let forms = Sign<"9.7.1.10", "9.7.3.9", "9.7.4.6", 65, "integer_absolute">.forms;
}

def Ptx_NegOp : Ptx_Instruction<"neg"> {
  let summary = "-a";
  let description = [{
    That of the least integer is itself. Of a NaN the payload may change.

    ```mlir
    %d = ptx.neg "s64" %a : (i64) -> i64
    %d = ptx.neg "bf16x2" %a : (vector<2xbf16>) -> vector<2xbf16>
    ```
  }];
  let semantics = "float_negate";
  let forms = Sign<"9.7.1.11", "9.7.3.10", "9.7.4.5", 60, "integer_negate">.forms;
}

#endif // PTX_TILE_PTX_ARITHMETIC_TD
