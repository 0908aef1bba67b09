// What a record is made of: the classes that say an instruction, a type, a special register or a kind of symbol.
#ifndef PTX_TILE_PTX_RECORD_TD
#define PTX_TILE_PTX_RECORD_TD

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

// A word of an opcode, after a dot, and what it means.
class Ptx_Token<string text, string what = "", int leastPtx = 10, int leastSm = 0> {
  string token = text;
  string summary = what;
  // What it asks for beyond the form.
  int ptx = leastPtx;
  int sm = leastSm;
  // Chips that alone have it, such as "sm_100a"; none where every newer one does.
  list<string> chips = [];
  // Of a load or store: another thread may see it happen, so that it is never merged, dropped or moved across others.
  bit ordered = 0;
}

// A type: its width in bits, and the MLIR types whose values it takes (R70).
class Ptx_Type<string text, int bitWidth, list<string> mlirTypes> : Ptx_Token<text> {
  int width = bitWidth;
  // Its constants are written 0f or 0d.
  bit isFloat = 0;
  list<string> types = mlirTypes;
  // Registers may be wider than the type (ISA 9.4.1): their class follows the value.
  bit maybeWider = 0;
  // The fundamental type of a register of this width, which asm text may declare (ISA 5.2.1).
  string container = text;
  // Where NVPTX has no register of this width: how a value goes from a wider one that it has into a register of exactly
  // this width, which the asm text declares, and back.
  string narrow = "";
  string widen = "";
}

class Ptx_Float<string text, int bitWidth, list<string> mlirTypes> : Ptx_Type<text, bitWidth, mlirTypes> {
  let isFloat = 1;
}

// A state space, by its number in NVPTX.
class Ptx_StateSpace<string text, int number, string what> : Ptx_Token<text, what> {
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
class Vector<string text> : Ptx_Position<"vector length", [Ptx_Token<text, !substr(text, 1)#" at once">]>;
// `Maybe<"saturation", [sat]>`
class Maybe<string what, list<Ptx_Token> choices> : Ptx_Position<what, choices, 1>;

// The first type that stands in the opcode, and the second: `.f32` and `.f16` of cvt.f32.f16.
def OpcodeType : Ptx_Type<"", 0, []>;
def SecondType : Ptx_Type<"", 0, []>;

// An operand: `registers` of `type`, or the address of as many consecutive elements of it. What is named by the op, and
// no value, is a special register (all `registers` components of it, or one) or the address of a symbol.
class Ptx_Operand<string text, int count, Ptx_Type operandType> {
  string name = text;
  int registers = count;
  Ptx_Type type = operandType;
  bit written = 0;
  bit address = 0;
  // Its words may be the sink symbol `_` (PTX ISA 9.7.9.4). All such words of a form are numbered in order.
  bit sink = 0;
  // A constant may stand instead of a register; of these values alone, where they are bounded.
  bit immediate = 0;
  bit bounded = 0;
  int least = 0;
  int most = 0;
  // Only a constant may.
  bit constant = 0;
  // A register may be negated, `!p`.
  bit negatable = 0;
  // The registers have exactly the width of their type, as in a group; in ld, st and cvt they may be wider.
  bit exactWidth = 0;
  // It stands after the one before it and a `|`: `p|q`.
  bit joined = 0;
  // `tile.apply` takes it by its clause `cache_policy`.
  bit isCachePolicy = 0;
  bit isSpecialRegister = 0;
  bit isSymbol = 0;
}
class Dst<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type> {
  let written = 1;
}
class DstJoined<string name, Ptx_Type type = OpcodeType> : Dst<name, 1, type> {
  let joined = 1;
}
class Src<string name, int registers = 1, Ptx_Type type = OpcodeType> : Ptx_Operand<name, registers, type>;
class SrcOrImm<string name, int registers = 1, Ptx_Type type = OpcodeType> : Src<name, registers, type> {
  let immediate = 1;
}
// A register, or a constant of `first` to `last`.
class SrcOrImmIn<string name, Ptx_Type type, int first, int last> : SrcOrImm<name, 1, type> {
  let bounded = 1;
  let least = first;
  let most = last;
}
// Such a constant, and never a register.
class Imm<string name, Ptx_Type type, int first, int last> : SrcOrImmIn<name, type, first, last> {
  let constant = 1;
}
class Predicate<string name, Ptx_Type type = OpcodeType> : SrcOrImm<name, 1, type> {
  let negatable = 1;
}
class DstOrSink<string name, int registers, Ptx_Type type = OpcodeType> : Dst<name, registers, type> {
  let sink = 1;
}
class DstJoinedOrSink<string name, Ptx_Type type = OpcodeType> : DstOrSink<name, 1, type> {
  let joined = 1;
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
class CachePolicy<string name, Ptx_Type type> : SrcOrImm<name, 1, type> {
  let isCachePolicy = 1;
}

// One operand shape of a mnemonic.
class Form<string what, string isaSection, list<Ptx_Position> opcode, list<Ptx_Operand> arguments, int leastPtx = 10,
           int leastSm = 0, list<string> only = [], string computes = ""> {
  string summary = what;
  string section = isaSection;
  list<Ptx_Position> positions = opcode;
  list<Ptx_Operand> operands = arguments;
  int ptx = leastPtx;
  int sm = leastSm;
  // Chips that alone have it, such as "sm_100a".
  list<string> chips = only;
  // The primitive of semantics.rs, where it is not that of the instruction; "none" says that there is none.
  string semantics = computes;
}

// What is no variant of an instruction here though ptxas takes it, and why. `opcode` is a glob over its text, or with a
// space in it over all of the instruction, registers by their width: "mov.b128 b128, b128". Of opcodes that are some
// form's, `operands` says what is wrong with the operands, in the words of misses.rs of the tests: "with a wider
// register". Of those that lack a position, it is "without a " and the name of that.
class Ptx_Refused<string glob, string why, string ofOperands = ""> {
  string opcode = glob;
  string reason = why;
  string operands = ofOperands;
}
class Unlisted<string glob, string ofOperands = ""> : Ptx_Refused<glob, "the ISA does not list it", ofOperands>;

// A special register (PTX ISA 10). It is read by an instruction of one of the types; a vector by component, .x to .w,
// or whole.
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
  // All lanes of a warp issue it as one, and its registers are spread over them: lanes are no group axis (R26). It is
  // convergent too.
  bit isCollective = 0;
  // The primitive of semantics.rs that says what it computes; without one it compiles, and nothing but a GPU executes
  // it.
  string semantics = "";
  // What ptxas takes and no form has, by choice.
  list<Ptx_Refused> refused = [];

  let arguments = (ins StrAttr:$modifiers, Variadic<AnyType>:$inputs, OptionalAttr<StrAttr>:$special,
                       OptionalAttr<FlatSymbolRefAttr>:$symbol, OptionalAttr<I64Attr>:$offset, Optional<I1>:$pred,
                       UnitAttr:$negated, Variadic<AnyType>:$old, OptionalAttr<DenseI64ArrayAttr>:$sink,
                       UnitAttr:$inverted);
  let results = (outs Variadic<AnyType>:$dst);
  // Every other operand and attribute is absent, and can be set on the op.
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$dst, "::llvm::StringRef":$modifiers,
                                 "::mlir::ValueRange":$inputs), [{
    build($_builder, $_state, dst, modifiers, inputs, /*special=*/::mlir::StringAttr(),
          /*symbol=*/::mlir::FlatSymbolRefAttr(), /*offset=*/::mlir::IntegerAttr(), /*pred=*/::mlir::Value(),
          /*negated=*/false, /*old=*/::mlir::ValueRange(), /*sink=*/::mlir::DenseI64ArrayAttr(), /*inverted=*/false);
  }]>];
  let assemblyFormat = "custom<Modifiers>($modifiers, \"\\\"" # opMnemonic # "\\\"\")" # [{
    custom<Sources>($special, $symbol, $inputs, $offset, $inverted)
    oilist(`pred` `(` custom<Predicate>($pred, $negated) `)` | `preserve` `(` $old `)` | `sink` custom<Sink>($sink))
    `` custom<Others>(attr-dict) `:` functional-type($inputs, $dst)
    `` custom<SameTypes>(ref($old), type($old), ref(type($dst)))
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

#endif // PTX_TILE_PTX_RECORD_TD
