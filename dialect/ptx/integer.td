// Integer arithmetic that floats do not have: remainders, 24-bit and small products, bits and bit fields.
#ifndef PTX_TILE_PTX_INTEGER_TD
#define PTX_TILE_PTX_INTEGER_TD

include "ptx/arithmetic.td"

def shiftamt : Ptx_Token<"shiftamt", "how far left the bit has to be shifted to become the highest one">;
def clamp : Ptx_Token<"clamp", "a position beyond the word counts as its width">;
def wrap : Ptx_Token<"wrap", "only the low bits of a position count, as many as number the bits of the word">;
def lowPair : Ptx_Token<"lo", "the two lower bytes of b">;
def highPair : Ptx_Token<"hi", "the two upper bytes of b">;
def low32 : Ptx_Token<"lo", "the lower 32 bits of the 48-bit product">;
def high32 : Ptx_Token<"hi", "the upper 32 bits of the 48-bit product">;
defvar part24 = Ptx_Position<"part of the product", [low32, high32]>;

def Ptx_RemOp : Ptx_Instruction<"rem"> {
  let summary = "the remainder of a / b";
  let description = [{
    It has the sign of a, as the quotient is cut off toward zero. By zero it is a value that the ISA leaves open.

    ```mlir
    %d = ptx.rem "s32" %a, %b : (i32, i32) -> i32
    ```
  }];
  let semantics = "integer_remainder";
  let forms = [Form<"integer", "9.7.1.9", [Types<integerTypes>], binary>];
}

def Ptx_Mul24Op : Ptx_Instruction<"mul24"> {
  let summary = "a × b of the low 24 bits of each";
  let description = [{
    ```mlir
    %d = ptx.mul24 "lo.u32" %a, %b : (i32, i32) -> i32
    ```
  }];
  let semantics = "integer_multiply_24";
  let forms = [Form<"integer", "9.7.1.5", [part24, Types<[u32, s32]>], binary>];
}

def Ptx_Mad24Op : Ptx_Instruction<"mad24"> {
  let summary = "a × b + c, of the low 24 bits of a and b";
  let description = [{
    ```mlir
    %d = ptx.mad24 "lo.s32" %a, %b, %c : (i32, i32, i32) -> i32
    %d = ptx.mad24 "hi.sat.s32" %a, %b, %c : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "integer_multiply_24";
  defvar section = "9.7.1.6";
  let forms = [
    Form<"integer", section, [part24, Types<[u32, s32]>], ternary>,
    Form<"saturating", section, [Ptx_Position<"part of the product", [high32]>,
                                 Ptx_Position<"saturation", [satInteger]>, Types<[s32]>], ternary>,
  ];
}

def Ptx_SadOp : Ptx_Instruction<"sad"> {
  let summary = "c + |a - b|";
  let description = [{
    ```mlir
    %d = ptx.sad "u16" %a, %b, %c : (i16, i16, i16) -> i16
    ```
  }];
  let semantics = "integer_distance";
  let forms = [Form<"integer", "9.7.1.7", [Types<integerTypes>], ternary>];
}

defvar words = [b32, b64];
defvar wordsBySign = [u32, u64, s32, s64];

def Ptx_PopcOp : Ptx_Instruction<"popc"> {
  let summary = "how many bits are set";
  let description = [{
    ```mlir
    %d = ptx.popc "b64" %a : (i64) -> i32
    ```
  }];
  let semantics = "bits_count";
  let forms = [Form<"count", "9.7.1.14", [Types<words>], [Dst<"d", 1, u32>, SrcOrImm<"a">], 20, 20>];
}

def Ptx_ClzOp : Ptx_Instruction<"clz"> {
  let summary = "how many zeros stand above the highest bit that is set";
  let description = [{
    All of them, 32 or 64, where none is set.

    ```mlir
    %d = ptx.clz "b32" %a : (i32) -> i32
    ```
  }];
  let semantics = "bits_leading_zeros";
  let forms = [Form<"count", "9.7.1.15", [Types<words>], [Dst<"d", 1, u32>, SrcOrImm<"a">], 20, 20>];
}

def Ptx_BfindOp : Ptx_Instruction<"bfind"> {
  let summary = "the highest bit that is set, or of a negative number that is not";
  let description = [{
    -1 where there is none.

    ```mlir
    %d = ptx.bfind "s32" %a : (i32) -> i32
    %d = ptx.bfind "shiftamt.u64" %a : (i64) -> i32
    ```
  }];
  let semantics = "bits_find";
  let forms = [Form<"position", "9.7.1.16", [Maybe<"shift amount", [shiftamt]>, Types<wordsBySign>],
                    [Dst<"d", 1, u32>, SrcOrImm<"a">], 20, 20>];
}

def Ptx_FnsOp : Ptx_Instruction<"fns"> {
  let summary = "the n-th bit that is set, counted from a base";
  let description = [{
    For a positive offset n at or above the base, for a negative one at or below; for 0 the base itself where it is set.
    -1 where there is none.

    ```mlir
    %d = ptx.fns "b32" %mask, %base, %offset : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "bits_find_nth";
  let forms = [Form<"position", "9.7.1.17", [Types<[b32]>],
                    [Dst<"d">, SrcOrImm<"mask">, SrcOrImm<"base", 1, u32>, SrcOrImm<"offset", 1, s32>], 60, 30>];
}

def Ptx_BrevOp : Ptx_Instruction<"brev"> {
  let summary = "the bits in reverse order";
  let description = [{
    ```mlir
    %d = ptx.brev "b32" %a : (i32) -> i32
    ```
  }];
  let semantics = "bits_reverse";
  let forms = [Form<"reverse", "9.7.1.18", [Types<words>], unary, 20, 20>];
}

// Positions and lengths of bit fields; ptxas 13.5 takes no other constants.
class Field<string name> : SrcOrImmIn<name, u32, 0, 255>;

def Ptx_BfeOp : Ptx_Instruction<"bfe"> {
  let summary = "a bit field of a as a number";
  let description = [{
    c bits from bit b on; their highest bit is repeated above them in signed types, zeros in others. The ISA
    restricts b and c to 0 to 255; of others the result is open.

    ```mlir
    %d = ptx.bfe "u32" %a, %position, %length : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "bits_extract";
  let forms = [Form<"field", "9.7.1.19", [Types<wordsBySign>],
                    [Dst<"d">, SrcOrImm<"a">, Field<"b">, Field<"c">], 20, 20>];
}

def Ptx_BfiOp : Ptx_Instruction<"bfi"> {
  let summary = "b with the low bits of a as a bit field in it";
  let description = [{
    d bits from bit c on are those of a. The ISA restricts c and d to 0 to 255; of others the result is open.

    ```mlir
    %f = ptx.bfi "b64" %a, %b, %position, %length : (i64, i64, i32, i32) -> i64
    ```
  }];
  let semantics = "bits_insert";
  let forms = [Form<"field", "9.7.1.20", [Types<words>],
                    [Dst<"f">, SrcOrImm<"a">, SrcOrImm<"b">, Field<"c">, Field<"d">], 20, 20>];
}

def Ptx_SzextOp : Ptx_Instruction<"szext"> {
  let summary = "the low b bits of a as a number";
  let description = [{
    Extended by their highest bit in the signed type, by zeros in the other.

    ```mlir
    %d = ptx.szext "wrap.s32" %a, %b : (i32, i32) -> i32
    ```
  }];
  let semantics = "bits_extend";
  let forms = [Form<"extension", "9.7.1.21", [Ptx_Position<"position", [clamp, wrap]>, Types<[u32, s32]>],
                    [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b", 1, u32>], 76, 70>];
}

// Sums of products of the parts of a and b, and c. The sum is signed where one of them is: it has that one's type.
class DotProduct<string section, list<Ptx_Position> mode> {
  list<Form> forms = [
    Form<"unsigned a", section, !listconcat(mode, [Types<[u32]>, Types<[u32, s32]>]),
         [Dst<"d", 1, SecondType>, SrcOrImm<"a">, SrcOrImm<"b", 1, SecondType>, SrcOrImm<"c", 1, SecondType>], 50, 61>,
    Form<"signed a", section, !listconcat(mode, [Types<[s32]>, Types<[u32, s32]>]),
         [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b", 1, SecondType>, SrcOrImm<"c">], 50, 61>,
  ];
}

def Ptx_Dp4aOp : Ptx_Instruction<"dp4a"> {
  let summary = "the dot product of four bytes of a and of b, added to c";
  let description = [{
    The first type says how the bytes of a are read, the second those of b.

    ```mlir
    %d = ptx.dp4a "s32.u32" %a, %b, %c : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "integer_dot_bytes";
  let forms = DotProduct<"9.7.1.23", []>.forms;
}

def Ptx_Dp2aOp : Ptx_Instruction<"dp2a"> {
  let summary = "the dot product of two halves of a and two bytes of b, added to c";
  let description = [{
    The first type says how the halves of a are read, the second the bytes of b.

    ```mlir
    %d = ptx.dp2a "lo.u32.u32" %a, %b, %c : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "integer_dot_halves";
  let forms = DotProduct<"9.7.1.24", [Ptx_Position<"part of b", [lowPair, highPair]>]>.forms;
}

#endif // PTX_TILE_PTX_INTEGER_TD
