// Logic, shifts and permutations of bits.
#ifndef PTX_TILE_PTX_LOGIC_TD
#define PTX_TILE_PTX_LOGIC_TD

include "ptx/common.td"

// How a comparison or a lookup is combined with a predicate c.
def boolAnd : Ptx_Token<"and", "and c">;
def boolOr : Ptx_Token<"or", "or c">;
def boolXor : Ptx_Token<"xor", "exclusive or c">;

defvar logicTypes = !listconcat([pred], bitTypes);
class Logic<string mnemonic, string section> {
  list<Form> forms = [Form<"bitwise", section, [Types<logicTypes>], binary>];
  list<Ptx_Refused> refused = [Unlisted<mnemonic#".pred", "with a negation">];
}

def Ptx_AndOp : Ptx_Instruction<"and"> {
  let summary = "bitwise and";
  let description = [{
    ```mlir
    %d = ptx.and "b32" %a, %b : (i32, i32) -> i32
    %r = ptx.and "pred" %p, %q : (i1, i1) -> i1
    ```
  }];
  let semantics = "bits_and";
  let forms = Logic<"and", "9.7.8.1">.forms;
  let refused = Logic<"and", "9.7.8.1">.refused;
}

def Ptx_OrOp : Ptx_Instruction<"or"> {
  let summary = "bitwise or";
  let description = [{
    ```mlir
    %d = ptx.or "b64" %a, %b : (i64, i64) -> i64
    ```
  }];
  let semantics = "bits_or";
  let forms = Logic<"or", "9.7.8.2">.forms;
  let refused = Logic<"or", "9.7.8.2">.refused;
}

def Ptx_XorOp : Ptx_Instruction<"xor"> {
  let summary = "bitwise exclusive or";
  let description = [{
    ```mlir
    %d = ptx.xor "b16" %a, %b : (i16, i16) -> i16
    ```
  }];
  let semantics = "bits_xor";
  let forms = Logic<"xor", "9.7.8.3">.forms;
  let refused = Logic<"xor", "9.7.8.3">.refused;
}

def Ptx_NotOp : Ptx_Instruction<"not"> {
  let summary = "bitwise complement";
  let description = [{
    ```mlir
    %d = ptx.not "b32" %a : (i32) -> i32
    ```
  }];
  let semantics = "bits_not";
  let forms = [Form<"bitwise", "9.7.8.4", [Types<logicTypes>], unary>];
  let refused = [Unlisted<"not.pred", "with a negation">];
}

def Ptx_CnotOp : Ptx_Instruction<"cnot"> {
  let summary = "1 where a is 0, else 0";
  let description = [{
    ```mlir
    %d = ptx.cnot "b32" %a : (i32) -> i32
    ```
  }];
  let semantics = "bits_are_zero";
  let forms = [Form<"logical", "9.7.8.5", [Types<bitTypes>], unary>];
}

def Ptx_Lop3Op : Ptx_Instruction<"lop3"> {
  let summary = "any bitwise function of three words";
  let description = [{
    `immLut` is a constant: bit i of it is the result for the bits of i, that of a highest. It is the function of
    a = 0xF0, b = 0xCC and c = 0xAA: 0x80 is a & b & c, 0x96 is a ^ b ^ c. With `.and` or `.or`, p is whether the result is not 0, combined
    with q; then the result may be sunk.

    ```mlir
    %d     = ptx.lop3 "b32" %a, %b, %c, %table : (i32, i32, i32, i32) -> i32
    %d, %p = ptx.lop3 "or.b32" %a, %b, %c, %table, %q : (i32, i32, i32, i32, i1) -> (i32, i1)
    %p     = ptx.lop3 "or.b32" %a, %b, %c, %table, %q sink [0] : (i32, i32, i32, i32, i1) -> i1
    ```
  }];
  let semantics = "bits_by_table";
  defvar section = "9.7.8.6";
  defvar sources = [SrcOrImm<"a">, SrcOrImm<"b">, SrcOrImm<"c">, Imm<"immLut", u32, 0, 255>];
  let forms = [
    Form<"bitwise", section, [Types<[b32]>], !listconcat([Dst<"d">], sources), 43, 50>,
    Form<"with predicate", section, [Ptx_Position<"predicate operator", [boolAnd, boolOr]>, Types<[b32]>],
         !listconcat([DstOrSink<"d", 1>, DstJoined<"p", pred>], sources, [SrcOrImm<"q", 1, pred>]), 82, 70>,
  ];
  let refused = [
    Unlisted<"lop3.*", "with a negation">,
    Ptx_Refused<"lop3.*", "a table of three inputs has 8 bits", "with a constant out of bounds">,
  ];
}

def left : Ptx_Token<"l", "the upper word of b:a shifted left">;
def right : Ptx_Token<"r", "the lower word of b:a shifted right">;
def clampShift : Ptx_Token<"clamp", "shifts by at most 32">;
def wrapShift : Ptx_Token<"wrap", "shifts by the low 5 bits of c">;

def Ptx_ShfOp : Ptx_Instruction<"shf"> {
  let summary = "funnel shift: a word of two that are shifted together";
  let description = [{
    ```mlir
    %d = ptx.shf "l.wrap.b32" %a, %b, %c : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "bits_funnel_shift";
  let forms = [Form<"funnel", "9.7.8.7", [Ptx_Position<"direction", [left, right]>,
                                          Ptx_Position<"shift amount", [clampShift, wrapShift]>, Types<[b32]>],
                    [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b">, SrcOrImm<"c", 1, u32>], 31, 32>];
}

// The amount is 32 bits wide whatever is shifted.
defvar shift = [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b", 1, u32>];

def Ptx_ShlOp : Ptx_Instruction<"shl"> {
  let summary = "a shifted left by b bits";
  let description = [{
    Zeros come in. An amount beyond the width shifts everything out.

    ```mlir
    %d = ptx.shl "b64" %a, %b : (i64, i32) -> i64
    ```
  }];
  let semantics = "bits_shift_left";
  let forms = [Form<"shift", "9.7.8.8", [Types<bitTypes>], shift>];
}

def Ptx_ShrOp : Ptx_Instruction<"shr"> {
  let summary = "a shifted right by b bits";
  let description = [{
    Copies of the sign come in for signed types, zeros for others. An amount beyond the width shifts everything out.

    ```mlir
    %d = ptx.shr "s16" %a, %b : (i16, i32) -> i16
    ```
  }];
  let semantics = "bits_shift_right";
  let forms = [Form<"shift", "9.7.8.9", [Types<!listconcat(bitTypes, integerTypes)>], shift>];
}

def f4e : Ptx_Token<"f4e", "4 bytes of b:a upward from byte c">;
def b4e : Ptx_Token<"b4e", "4 bytes of b:a downward from byte c">;
def rc8 : Ptx_Token<"rc8", "byte c of a, four times">;
def ecl : Ptx_Token<"ecl", "a, with byte c in place of those below it">;
def ecr : Ptx_Token<"ecr", "a, with byte c in place of those above it">;
def rc16 : Ptx_Token<"rc16", "half c of a, twice">;

def Ptx_PrmtOp : Ptx_Instruction<"prmt"> {
  let summary = "four bytes chosen from eight";
  let description = [{
    b:a are bytes 7 to 0. Without a mode each 4 bits of c choose a byte of the result: its number, and in the highest
    bit whether its sign is repeated instead. With a mode only the low 2 bits of c count.

    ```mlir
    %d = ptx.prmt "b32" %a, %b, %c : (i32, i32, i32) -> i32
    %d = ptx.prmt "b32.rc8" %a, %b, %c : (i32, i32, i32) -> i32
    ```
  }];
  let semantics = "bits_permute";
  defvar mode = Maybe<"mode", [f4e, b4e, rc8, ecl, ecr, rc16]>;
  let forms = [Form<"bytes", "9.7.9.7", [Types<[b32]>, mode], ternary, 20, 20>];
}

#endif // PTX_TILE_PTX_LOGIC_TD
