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
include "mlir/IR/SymbolInterfaces.td"
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
  // Where NVPTX has no register of this width: how a value goes from a wider one that it has into a register of exactly
  // this width, which the asm text declares, and back.
  string narrow = "";
  string widen = "";
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

// An operand: `registers` of `type`, or the address of as many consecutive elements of it. What is named by the op, and no
// value, is a special register (all `registers` components of it, or one) or the address of a symbol.
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
  // A register may be negated, `!p`.
  bit negatable = 0;
  // The registers have exactly the width of their type, as in a group; in ld, st and cvt they may be wider.
  bit exactWidth = 0;
  bit isSpecialRegister = 0;
  bit isSymbol = 0;
}
class Dst<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type> {
  let written = 1;
}
class Src<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type>;
class SrcOrImm<string name, int registers = 1, Ptx_Type type = OpcodeType> : Src<name, registers, type> {
  let immediate = 1;
}
class Predicate<string name> : SrcOrImm<name> {
  let negatable = 1;
}
class DstOrSink<string name, int registers, Ptx_Type type = OpcodeType> : Dst<name, registers, type> {
  let sink = 1;
}
// The words of a group.
class Lanes<string name, int registers, Ptx_Type type> : SrcOrImm<name, registers, type> {
  let exactWidth = 1;
}
class LanesOrSinks<string name, int registers, Ptx_Type type> : DstOrSink<name, registers, type> {
  let exactWidth = 1;
}
class Special<string name, int components = 1> : Src<name, components> {
  let isSpecialRegister = 1;
}
class AddressOf<string name> : Src<name> {
  let isSymbol = 1;
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

// A special register (PTX ISA 10). It is read by an instruction of one of the types; a vector by component, .x to .w, or
// whole.
class Ptx_SpecialRegister<string text, string isaSection, list<Ptx_Type> readAs, string what> {
  string name = text;
  string section = isaSection;
  list<Ptx_Type> types = readAs;
  string summary = what;
  bit isVector = 0;
  // Two reads may differ within a thread: never merged, dropped or moved.
  bit varies = 0;
  int ptx = 10;
  int sm = 0;
}

// What a symbol may name whose address is taken, and the types of the address.
class Ptx_SymbolKind<string what, list<Ptx_Type> takenAs> {
  string summary = what;
  list<Ptx_Type> types = takenAs;
  // Of a variable: its state space. Others take no offset.
  list<Ptx_StateSpace> spaces = [];
  bit isKernel = 0;
  int ptx = 10;
  int sm = 0;
}

// A mnemonic: the op class, its documentation and its forms.
class Ptx_Instruction<string opMnemonic> : Op<Ptx_Dialect, opMnemonic, [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
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
                       UnitAttr:$negated, Variadic<AnyType>:$old, OptionalAttr<DenseI64ArrayAttr>:$sink,
                       UnitAttr:$inverted);
  let results = (outs Variadic<AnyType>:$dst);
  let assemblyFormat = [{
    $modifiers custom<Sources>($special, $symbol, $inputs, $offset, $inverted)
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
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &symbolTable) {
      return ::ptx::verifySymbolUses(getOperation(), getSymbolAttr(), symbolTable);
    }
  }];
}

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

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
def u16 : Ptx_Type<"u16", 16, ["i16"]>;
def u32 : Ptx_Type<"u32", 32, ["i32"]>;
def u64 : Ptx_Type<"u64", 64, ["i64"]>;
def s16 : Ptx_Type<"s16", 16, ["i16"]>;
def s32 : Ptx_Type<"s32", 32, ["i32"]>;
def s64 : Ptx_Type<"s64", 64, ["i64"]>;
def f32 : Ptx_Float<"f32", 32, ["f32", "i32"]>;
def f64 : Ptx_Float<"f64", 64, ["f64", "i64"]>;

def Global : Ptx_StateSpace<"global", 1>;
def Shared : Ptx_StateSpace<"shared", 3>;
// The same window, spelled out. With PTX 7.7 ptxas 13.5 refuses it.
def SharedCta : Ptx_StateSpace<"shared::cta", 3> {
  let ptx = 78;
  let sm = 30;
}
def Const : Ptx_StateSpace<"const", 4>;
def Local : Ptx_StateSpace<"local", 5>;

//===------------------------------------------------------------------------------------------------------------===//
// Special registers
//===------------------------------------------------------------------------------------------------------------===//

// A register is read by types of its own width, and the oldest vectors and gridid also by narrower ones, which they were
// once; ptxas 13.5 refuses every other width and .f32, .f64. It also takes a v4 read of a register that is no vector, of
// which the ISA knows nothing: left out.
defvar read32 = [u32, s32, b32];
defvar read64 = [u64, s64, b64];
defvar read16 = [u16, s16, b16];

class Vector32<string name, string section, string what> : Ptx_SpecialRegister<name, section, read32, what> {
  let isVector = 1;
}
class Launch<string name, string section, string what>
    : Ptx_SpecialRegister<name, section, !listconcat(read32, read16), what> {
  let isVector = 1;
}
class Register32<string name, string section, string what, int leastPtx = 10, int leastSm = 0>
    : Ptx_SpecialRegister<name, section, read32, what> {
  let ptx = leastPtx;
  let sm = leastSm;
}
class Register64<string name, string section, string what, int leastPtx = 10, int leastSm = 0>
    : Ptx_SpecialRegister<name, section, read64, what> {
  let ptx = leastPtx;
  let sm = leastSm;
}

def tid : Launch<"tid", "10.1", "thread in its block">;
def ntid : Launch<"ntid", "10.2", "threads of a block">;
def laneid : Register32<"laneid", "10.3", "lane in the warp", 13>;
let varies = 1 in
def warpid : Register32<"warpid", "10.4", "warp in the block, which may change", 13>;
def nwarpid : Register32<"nwarpid", "10.5", "most warp numbers", 20, 20>;
def ctaid : Launch<"ctaid", "10.6", "block in the grid">;
def nctaid : Launch<"nctaid", "10.7", "blocks of the grid">;
let varies = 1 in
def smid : Register32<"smid", "10.8", "multiprocessor, which may change", 13>;
def nsmid : Register32<"nsmid", "10.9", "most multiprocessor numbers", 20, 20>;
def gridid : Ptx_SpecialRegister<"gridid", "10.10", !listconcat(read64, read32, read16), "number of the grid launch">;
let ptx = 78, sm = 90 in {
  def is_explicit_cluster
      : Ptx_SpecialRegister<"is_explicit_cluster", "10.11", [pred], "whether the launch said a cluster size">;
  def clusterid : Vector32<"clusterid", "10.12", "cluster in the grid">;
  def nclusterid : Vector32<"nclusterid", "10.13", "clusters of the grid">;
  def cluster_ctaid : Vector32<"cluster_ctaid", "10.14", "block in its cluster">;
  def cluster_nctaid : Vector32<"cluster_nctaid", "10.15", "blocks of a cluster">;
  def cluster_ctarank : Register32<"cluster_ctarank", "10.16", "block in its cluster, as one number">;
  def cluster_nctarank : Register32<"cluster_nctarank", "10.17", "blocks of a cluster, as one number">;
}
foreach it = [["eq", "10.18"], ["le", "10.19"], ["lt", "10.20"], ["ge", "10.21"], ["gt", "10.22"]] in
  def lanemask_#it[0] : Register32<"lanemask_"#it[0], it[1], "mask of the lanes that compare so to this one", 20, 20>;
let varies = 1 in {
  def clock : Register32<"clock", "10.23", "cycle counter">;
  def clock_hi : Register32<"clock_hi", "10.23", "upper half of the cycle counter", 50, 20>;
  def clock64 : Register64<"clock64", "10.24", "cycle counter", 20, 20>;
  foreach i = 0-3 in
    def pm#i : Register32<"pm"#i, "10.25", "performance counter", 13>;
  foreach i = 4-7 in
    def pm#i : Register32<"pm"#i, "10.25", "performance counter", 30, 20>;
  foreach i = 0-7 in
    def pm#i#_64 : Register64<"pm"#i#"_64", "10.26", "performance counter", 40, 50>;
}
foreach i = 0-31 in
  def envreg#i : Register32<"envreg"#i, "10.27", "what the driver sets before the launch", 21>;
let varies = 1 in {
  def globaltimer : Register64<"globaltimer", "10.28", "nanosecond timer", 31, 30>;
  def globaltimer_lo : Register32<"globaltimer_lo", "10.28", "lower half of the nanosecond timer", 31, 30>;
  def globaltimer_hi : Register32<"globaltimer_hi", "10.28", "upper half of the nanosecond timer", 31, 30>;
}
foreach which = ["begin", "end", "cap", "0", "1"] in
  def reserved_smem_offset_#which
      : Register32<"reserved_smem_offset_"#which, "10.29", "shared memory that the system keeps", 76, 80>;
def total_smem_size : Register32<"total_smem_size", "10.30", "bytes of shared memory of a block", 41, 20>;
def aggr_smem_size : Register32<"aggr_smem_size", "10.31", "the same, with what the system keeps", 81, 90>;
def dynamic_smem_size : Register32<"dynamic_smem_size", "10.32", "bytes of shared memory given at launch", 41, 20>;
def current_graph_exec : Register64<"current_graph_exec", "10.33", "the executing device graph", 80, 50>;

//===------------------------------------------------------------------------------------------------------------===//
// Symbols
//===------------------------------------------------------------------------------------------------------------===//

// An address is one in the variable's own state space (ISA 6.4.1). Of global memory ptxas 13.5 refuses 32 bits, but takes
// them as soon as there is an offset; of constant memory it takes them. Neither is an address of the width that the state
// space has, so that both are left out. s64 and s32 of a function draw a warning from it, 32 bits of one are half of it.
class Variable<string what, Ptx_StateSpace space, list<Ptx_Type> types> : Ptx_SymbolKind<what, types> {
  let spaces = [space];
}
def GlobalVariable : Variable<"variable in global memory", Global, read64>;
def SharedVariable : Variable<"variable in shared memory", Shared, !listconcat(read64, read32)>;
def ConstVariable : Variable<"variable in constant memory", Const, read64>;
def DeviceFunction : Ptx_SymbolKind<"function", [u64, b64]>;
def KernelEntry : Ptx_SymbolKind<"kernel", [u64, b64]> {
  let isKernel = 1;
  let ptx = 31;
  let sm = 35;
}

//===------------------------------------------------------------------------------------------------------------===//
// Data movement
//===------------------------------------------------------------------------------------------------------------===//

// Not here, as ptxas 13.5 refuses it: b8, u8, s8, f16, bf16, f16x2, bf16x2 and f32x2 as types of mov (halves move as b16,
// packed halves and bytes as b32, f32x2 as b64); labels; 8 lanes of 8 bits; an address minus a constant; vectors of
// predicates and of more than 128 bits. Refused by choice: scalar mov.b128, which the ISA does not list (D10).
//
// LLVM 22 takes b128 registers apart and puts them together by moves of its own. The emitter keeps them whole between
// instructions (b128.cpp of the passes); a b128 that is a kernel's argument, a constant, the result of i128 arithmetic or of
// a plain load costs one such move.
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
}

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

#endif // PTX_TILE_PTX_TD
