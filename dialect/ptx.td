// The `ptx` dialect: single PTX instructions on the scalars of one thread.
//
// This file is the only place that knows an instruction. A record is a mnemonic; its forms, one operand shape each, stand
// side by side. From the records come the op classes and their documentation, the Rust table (build.rs, instruction.rs),
// opcode parsing, verification, asm text and constraints, and the list of variants that ptxas must accept.
// Sections are those of PTX ISA 9.0. Versions are written as in `.version`, without the dot: 63 is PTX 6.3.
#ifndef PTX_TILE_PTX_TD
#define PTX_TILE_PTX_TD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ptx_Dialect : Dialect {
  let name = "ptx";
  let cppNamespace = "::ptx";
  let summary = "single PTX instructions";
  let description = [{
    An op is a mnemonic, all of one shape: the modifiers in canonical PTX order as text, the inputs in PTX order, the
    registers written as results. `tile-expand` makes these ops; they may be written by hand.
  }];
}

//===------------------------------------------------------------------------------------------------------------===//
// What a record is made of
//===------------------------------------------------------------------------------------------------------------===//

// A word of an opcode, after a dot.
class Ptx_Token<string text> {
  string token = text;
  // What it asks for beyond the form.
  int ptx = 10;
  int sm = 0;
}

// A type: its width in bits, and the MLIR types whose values it takes (design.md section 3.2, "Types").
class Ptx_Type<string text, int bitWidth, list<string> mlirTypes> : Ptx_Token<text> {
  int width = bitWidth;
  // Its constants are written 0f or 0d.
  bit isFloat = 0;
  list<string> types = mlirTypes;
}

class Ptx_Float<string text, int bitWidth, list<string> mlirTypes> : Ptx_Type<text, bitWidth, mlirTypes> {
  let isFloat = 1;
}

// A state space, by its number in NVPTX.
class Ptx_StateSpace<string text, int number> : Ptx_Token<text> {
  int addressSpace = number;
}

// A place in the opcode where one of the tokens stands. Places are listed in canonical order.
class Ptx_Position<string what, list<Ptx_Token> choices, bit mayBeAbsent = 0> {
  string name = what;
  list<Ptx_Token> tokens = choices;
  bit optional = mayBeAbsent;
}
class Types<list<Ptx_Type> types> : Ptx_Position<"type", types>;
class Spaces<list<Ptx_StateSpace> spaces> : Ptx_Position<"state space", spaces>;
class Vector<string text> : Ptx_Position<"vector length", [Ptx_Token<text>]>;

// The type that stands in the opcode.
def OpcodeType : Ptx_Type<"", 0, []>;

// An operand: `registers` of `type`, or the address of as many consecutive elements of it.
class Ptx_Operand<string text, int count, Ptx_Type operandType> {
  string name = text;
  int registers = count;
  Ptx_Type type = operandType;
  bit written = 0;
  bit address = 0;
  // A word of the group may be the sink symbol `_` (PTX ISA 9.7.9.4).
  bit sink = 0;
  // A constant may stand instead of a register.
  bit immediate = 0;
}
class Dst<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type> {
  let written = 1;
}
class Src<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type>;
class SrcOrImm<string name, int registers = 1, Ptx_Type type = OpcodeType> : Src<name, registers, type> {
  let immediate = 1;
}
class DstOrSink<string name, int registers, Ptx_Type type> : Dst<name, registers, type> {
  let sink = 1;
}
class Address<string name, int elements = 1> : Ptx_Operand<name, elements, OpcodeType> {
  let address = 1;
}

// One operand shape of a mnemonic.
class Form<string what, string isaSection, list<Ptx_Position> opcode, list<Ptx_Operand> arguments> {
  string summary = what;
  string section = isaSection;
  list<Ptx_Position> positions = opcode;
  list<Ptx_Operand> operands = arguments;
  int ptx = 10;
  int sm = 0;
}

// A mnemonic: the op class, its documentation and its forms.
class Ptx_Instruction<string opMnemonic> : Op<Ptx_Dialect, opMnemonic, [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  list<Form> forms = [];
  // Memory that an executed instruction reads or writes; neither means a pure function of its inputs.
  bit readsMemory = 0;
  bit writesMemory = 0;
  // Threads of a warp must execute it together.
  bit isConvergent = 0;
  // The primitive of semantics.rs that says what it computes; without one it compiles, and nothing but a GPU executes it.
  string semantics = "";

  let arguments = (ins StrAttr:$modifiers, Variadic<AnyType>:$inputs, OptionalAttr<StrAttr>:$special,
                       OptionalAttr<FlatSymbolRefAttr>:$symbol, OptionalAttr<I64Attr>:$offset, Optional<I1>:$pred,
                       UnitAttr:$negated, Variadic<AnyType>:$old, OptionalAttr<DenseI64ArrayAttr>:$sink);
  let results = (outs Variadic<AnyType>:$dst);
  let assemblyFormat = [{
    $modifiers custom<Sources>($special, $symbol, $inputs, $offset)
    (`pred` `(` custom<Predicate>($pred, $negated)^ `)`)? (`preserve` `(` $old^ `)`)? (`sink` $sink^)?
    attr-dict `:` functional-type($inputs, $dst) `` custom<SameTypes>(ref($old), type($old), ref(type($dst)))
  }];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::ptx::verifyInRust(getOperation()); }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::ptx::getEffects(getOperation(), effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::ptx::getSpeculatability(getOperation());
    }
  }];
}

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

def pred : Ptx_Type<"pred", 1, ["i1"]>;
def b8  : Ptx_Type<"b8", 8, ["i8", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2",
                             "f8E5M2FNUZ", "f8E8M0FNU"]>;
def b16 : Ptx_Type<"b16", 16, ["i16", "f16", "bf16", "vector<2xi8>"]>;
def b32 : Ptx_Type<"b32", 32, ["i32", "f32", "vector<2xi16>", "vector<2xf16>", "vector<2xbf16>", "vector<4xi8>"]>;
def b64 : Ptx_Type<"b64", 64, ["i64", "f64", "vector<2xi32>", "vector<2xf32>", "vector<4xi16>", "vector<4xf16>",
                               "vector<4xbf16>", "!llvm.ptr"]>;
def u16 : Ptx_Type<"u16", 16, ["i16"]>;
def u32 : Ptx_Type<"u32", 32, ["i32"]>;
def u64 : Ptx_Type<"u64", 64, ["i64"]>;
def s16 : Ptx_Type<"s16", 16, ["i16"]>;
def s32 : Ptx_Type<"s32", 32, ["i32"]>;
def s64 : Ptx_Type<"s64", 64, ["i64"]>;
def f32 : Ptx_Float<"f32", 32, ["f32", "i32"]>;
def f64 : Ptx_Float<"f64", 64, ["f64", "i64"]>;

def Global : Ptx_StateSpace<"global", 1>;

//===------------------------------------------------------------------------------------------------------------===//
// Data movement
//===------------------------------------------------------------------------------------------------------------===//

// Not here: b8, u8, s8, f16, bf16 and f16x2 are no types of mov (ptxas refuses them; halves move as b16, packed halves as
// b32). Scalar mov.b128 is refused by choice: the ISA does not list it (D10). Groups of b16 and b128, 8-bit lanes of b32,
// special registers and addresses of symbols are to come.
def Ptx_MovOp : Ptx_Instruction<"mov"> {
  let summary = "set a register; pack registers into one, or unpack one into several";
  let description = [{
    No conversion, no memory, nothing between threads (R95). Word 0 of a group is the least significant (R89).

    ```mlir
    %d       = ptx.mov "b32" %a : (i32) -> i32
    %d       = ptx.mov "b64" %lo, %hi : (i32, i32) -> i64
    %lo, %hi = ptx.mov "b64" %w : (i64) -> (i32, i32)
    %hi      = ptx.mov "b64" %w sink [0] : (i64) -> i32
    %d       = ptx.mov "b32" %a pred(not %p) preserve(%old) : (i32) -> i32
    ```
  }];
  let semantics = "same_bits";
  defvar scalar = "9.7.9.3";
  defvar vector = "9.7.9.4";
  let forms = [
    Form<"copy", scalar, [Types<[pred, b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64]>],
         [Dst<"d">, SrcOrImm<"a">]>,
    Form<"pack", vector, [Types<[b32]>], [Dst<"d">, SrcOrImm<"a", 2, b16>]>,
    Form<"pack", vector, [Types<[b64]>], [Dst<"d">, SrcOrImm<"a", 2, b32>]>,
    Form<"pack", vector, [Types<[b64]>], [Dst<"d">, SrcOrImm<"a", 4, b16>]>,
    Form<"unpack", vector, [Types<[b32]>], [DstOrSink<"d", 2, b16>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b64]>], [DstOrSink<"d", 2, b32>, SrcOrImm<"a">]>,
    Form<"unpack", vector, [Types<[b64]>], [DstOrSink<"d", 4, b16>, SrcOrImm<"a">]>,
  ];
}

// Semantics, scopes, cache operators, further state spaces and types, and 256-bit vectors are to come.
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
    Form<"scalar", section, [Spaces<[Global]>, Types<[b8, b16, b32, b64]>], [Dst<"d">, Address<"a">]>,
    Form<"vector", section, [Spaces<[Global]>, Vector<"v2">, Types<[b8, b16, b32, b64]>], [Dst<"d", 2>, Address<"a", 2>]>,
    Form<"vector", section, [Spaces<[Global]>, Vector<"v4">, Types<[b8, b16, b32]>], [Dst<"d", 4>, Address<"a", 4>]>,
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
    Form<"scalar", section, [Spaces<[Global]>, Types<[b8, b16, b32, b64]>], [Address<"a">, SrcOrImm<"b">]>,
    Form<"vector", section, [Spaces<[Global]>, Vector<"v2">, Types<[b8, b16, b32, b64]>], [Address<"a", 2>, SrcOrImm<"b", 2>]>,
    Form<"vector", section, [Spaces<[Global]>, Vector<"v4">, Types<[b8, b16, b32]>], [Address<"a", 4>, SrcOrImm<"b", 4>]>,
  ];
}

#endif // PTX_TILE_PTX_TD
