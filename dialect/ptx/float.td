// Arithmetic that only floats have.
#ifndef PTX_TILE_PTX_FLOAT_TD
#define PTX_TILE_PTX_FLOAT_TD

include "ptx/common.td"

def oob : Ptx_Token<"oob", "the result is 0 where a source has the bits that mark it as out of bounds">;

// Refused by choice: modifiers that ptxas takes and that the ISA does not list. `foreach` these roundings.
defvar otherRoundings = ["rz", "rm", "rp"];

def Ptx_FmaOp : Ptx_Instruction<"fma"> {
  let summary = "a × b + c, rounded once";
  let description = [{
    The mixed form multiplies 16-bit floats, and adds the product to an f32.

    ```mlir
    %d = ptx.fma "rn.ftz.f32" %a, %b, %c : (f32, f32, f32) -> f32
    %d = ptx.fma "rn.relu.bf16x2" %a, %b, %c : (vector<2xbf16>, vector<2xbf16>, vector<2xbf16>) -> vector<2xbf16>
    %d = ptx.fma "rz.f32.f16" %a, %b, %e : (f16, f16, f32) -> f32
    ```
  }];
  let semantics = "float_multiply_add";
  defvar section = "9.7.3.6";
  defvar ofHalves = "9.7.4.4";
  let forms = [
    Form<"single", section, [rounding, maybeFtz, maybeSat, Types<[f32]>], ternary, 20, 20>,
    Form<"double", section, [rounding, Types<[f64]>], ternary>,
    Form<"packed singles", section, [rounding, maybeFtz, Types<[f32x2]>], ternaryInRegisters, 86, 100>,
    Form<"mixed", "9.7.5.3", [rounding, maybeSat, Types<[f32]>, Types<[f16, bf16]>],
         [Dst<"d">, Src<"a", 1, SecondType>, Src<"b", 1, SecondType>, SrcOrImm<"c">], 86, 100>,
    Form<"half", ofHalves, [nearest, maybeFtz, maybeSat, Types<[f16, f16x2]>], ternaryInRegisters, 42, 53>,
    Form<"rectified half", ofHalves, [nearest, maybeFtz, Ptx_Position<"rectification", [relu]>, Types<[f16, f16x2]>],
         ternaryInRegisters, 70, 80>,
    Form<"bfloat", ofHalves, [nearest, maybeRelu, Types<[bf16, bf16x2]>], ternaryInRegisters, 70, 80>,
    Form<"out of bounds", ofHalves, [nearest, Ptx_Position<"out of bounds", [oob]>, maybeRelu,
                                     Types<[f16, f16x2, bf16, bf16x2]>], ternaryInRegisters, 81, 90>,
  ];
  let refused = !listconcat([Unlisted<"fma.rn.sat.oob.*">, Unlisted<"fma.*.pred">],
    !foreach(it, otherRoundings, Unlisted<"fma." # it # ".bf16*">),
    !foreach(it, otherRoundings, Unlisted<"fma." # it # ".relu.*">),
    !foreach(it, otherRoundings, Unlisted<"fma." # it # ".oob.*">));
}

// Of sqrt and rcp.
class Root<string section> {
  list<Form> forms = [
    Form<"approximate", section, [approximately, maybeFtz, Types<[f32]>], unary, computes = "none">,
    Form<"single", section, [rounding, maybeFtz, Types<[f32]>], unary, 20, 20>,
    Form<"double", section, [rounding, Types<[f64]>], unary>,
  ];
}

def Ptx_SqrtOp : Ptx_Instruction<"sqrt"> {
  let summary = "the square root of a";
  let description = [{
    Correctly rounded, or an approximation.

    ```mlir
    %d = ptx.sqrt "rn.f64" %a : (f64) -> f64
    %d = ptx.sqrt "approx.ftz.f32" %a : (f32) -> f32
    ```
  }];
  let semantics = "float_root";
  let forms = Root<"9.7.3.15">.forms;
}

def Ptx_RcpOp : Ptx_Instruction<"rcp"> {
  let summary = "1 / a";
  let description = [{
    Correctly rounded, or an approximation; that of f64 has the upper 32 bits of the result, and zeros below.

    ```mlir
    %d = ptx.rcp "rn.f32" %a : (f32) -> f32
    %d = ptx.rcp "approx.ftz.f64" %a : (f64) -> f64
    ```
  }];
  let semantics = "float_reciprocal";
  let forms = !listconcat(Root<"9.7.3.13">.forms, [
    Form<"approximate double", "9.7.3.14", [approximately, Ptx_Position<"flush to zero", [ftz]>, Types<[f64]>], unary,
         21, 20, computes = "none">,
  ]);
  let refused = !foreach(it, !listconcat(["rn"], otherRoundings), Unlisted<"rcp." # it # ".ftz.f64">);
}

def Ptx_RsqrtOp : Ptx_Instruction<"rsqrt"> {
  let summary = "1 / the square root of a";
  let description = [{
    An approximation; that of f64 with `.ftz` has the upper 32 bits of the result, and zeros below.

    ```mlir
    %d = ptx.rsqrt "approx.f32" %a : (f32) -> f32
    ```
  }];
  defvar section = "9.7.3.16";
  let forms = [
    Form<"single", section, [approximately, maybeFtz, Types<[f32]>], unary>,
    Form<"double", section, [approximately, Types<[f64]>], unary>,
    Form<"flushed double", "9.7.3.17", [approximately, Ptx_Position<"flush to zero", [ftz]>, Types<[f64]>], unary,
         40, 20>,
  ];
}

// Of f32 alone.
class Approximate<string section> {
  list<Form> forms = [Form<"single", section, [approximately, maybeFtz, Types<[f32]>], unary>];
}

def Ptx_SinOp : Ptx_Instruction<"sin"> {
  let summary = "the sine of a, in radians";
  let description = [{
    ```mlir
    %d = ptx.sin "approx.f32" %a : (f32) -> f32
    ```
  }];
  let forms = Approximate<"9.7.3.18">.forms;
}

def Ptx_CosOp : Ptx_Instruction<"cos"> {
  let summary = "the cosine of a, in radians";
  let description = [{
    ```mlir
    %d = ptx.cos "approx.ftz.f32" %a : (f32) -> f32
    ```
  }];
  let forms = Approximate<"9.7.3.19">.forms;
}

def Ptx_Lg2Op : Ptx_Instruction<"lg2"> {
  let summary = "the logarithm of a to the base 2";
  let description = [{
    ```mlir
    %d = ptx.lg2 "approx.ftz.f32" %a : (f32) -> f32
    ```
  }];
  let forms = Approximate<"9.7.3.20">.forms;
}

def Ptx_Ex2Op : Ptx_Instruction<"ex2"> {
  let summary = "2 to the power a";
  let description = [{
    ```mlir
    %d = ptx.ex2 "approx.f32" %a : (f32) -> f32
    %d = ptx.ex2 "approx.ftz.bf16x2" %a : (vector<2xbf16>) -> vector<2xbf16>
    ```
  }];
  defvar ofHalves = "9.7.4.10";
  let forms = !listconcat(Approximate<"9.7.3.21">.forms, [
    Form<"half", ofHalves, [approximately, Types<[f16, f16x2]>], unaryInRegisters, 70, 75>,
    Form<"bfloat", ofHalves, [approximately, Ptx_Position<"flush to zero", [ftz]>, Types<[bf16, bf16x2]>],
         unaryInRegisters, 78, 90>,
  ]);
}

def Ptx_TanhOp : Ptx_Instruction<"tanh"> {
  let summary = "the hyperbolic tangent of a";
  let description = [{
    ```mlir
    %d = ptx.tanh "approx.f32" %a : (f32) -> f32
    %d = ptx.tanh "approx.f16x2" %b : (vector<2xf16>) -> vector<2xf16>
    ```
  }];
  defvar ofHalves = "9.7.4.9";
  let forms = [
    Form<"single", "9.7.3.22", [approximately, Types<[f32]>], unary, 70, 75>,
    Form<"half", ofHalves, [approximately, Types<[f16, f16x2]>], unaryInRegisters, 70, 75>,
    Form<"bfloat", ofHalves, [approximately, Types<[bf16, bf16x2]>], unaryInRegisters, 78, 90>,
  ];
}

def Ptx_CopysignOp : Ptx_Instruction<"copysign"> {
  let summary = "b with the sign of a";
  let description = [{
    ```mlir
    %d = ptx.copysign "f32" %a, %b : (f32, f32) -> f32
    ```
  }];
  let semantics = "float_copy_sign";
  let forms = [Form<"float", "9.7.3.2", [Types<[f32, f64]>], binary, 20, 20>];
}

def finite : Ptx_Token<"finite", "neither infinite nor NaN">;
def infinite : Ptx_Token<"infinite", "an infinity">;
def number : Ptx_Token<"number", "not NaN">;
def notanumber : Ptx_Token<"notanumber", "NaN">;
def normal : Ptx_Token<"normal", "neither subnormal, infinite nor NaN; zero is normal">;
def subnormal : Ptx_Token<"subnormal", "neither normal, zero, infinite nor NaN">;

def Ptx_TestpOp : Ptx_Instruction<"testp"> {
  let summary = "whether a float is of a kind";
  let description = [{
    ```mlir
    %p = ptx.testp "finite.f32" %a : (f32) -> i1
    ```
  }];
  let semantics = "float_test";
  defvar property = Ptx_Position<"property", [finite, infinite, number, notanumber, normal, subnormal]>;
  let forms = [
    Form<"float", "9.7.3.1", [property, Types<[f32, f64]>], [Dst<"p", 1, pred>, SrcOrImm<"a">], 20, 20>,
  ];
  let refused = [Unlisted<"testp.f32">, Unlisted<"testp.f64">];
}

#endif // PTX_TILE_PTX_FLOAT_TD
