// Comparisons, and selections by their results.
#ifndef PTX_TILE_PTX_COMPARE_TD
#define PTX_TILE_PTX_COMPARE_TD

include "ptx/logic.td"

def eq : Ptx_Token<"eq", "equal">;
def ne : Ptx_Token<"ne", "not equal">;
def lt : Ptx_Token<"lt", "less">;
def le : Ptx_Token<"le", "less or equal">;
def gt : Ptx_Token<"gt", "greater">;
def ge : Ptx_Token<"ge", "greater or equal">;
def lower : Ptx_Token<"lo", "lower, of unsigned numbers">;
def lowerOrSame : Ptx_Token<"ls", "lower or same, of unsigned numbers">;
def higher : Ptx_Token<"hi", "higher, of unsigned numbers">;
def higherOrSame : Ptx_Token<"hs", "higher or same, of unsigned numbers">;
def equ : Ptx_Token<"equ", "equal, or one is NaN">;
def neu : Ptx_Token<"neu", "not equal, or one is NaN">;
def ltu : Ptx_Token<"ltu", "less, or one is NaN">;
def leu : Ptx_Token<"leu", "less or equal, or one is NaN">;
def gtu : Ptx_Token<"gtu", "greater, or one is NaN">;
def geu : Ptx_Token<"geu", "greater or equal, or one is NaN">;
def num : Ptx_Token<"num", "neither is NaN">;
def nan : Ptx_Token<"nan", "one is NaN">;

defvar equality = [eq, ne];
defvar ordered = !listconcat(equality, [lt, le, gt, ge]);
defvar ofUnsigned = !listconcat(ordered, [lower, lowerOrSame, higher, higherOrSame]);
defvar ofFloat = !listconcat(ordered, [equ, neu, ltu, leu, gtu, geu, num, nan]);

// Types that are compared alike. As everywhere 16-bit floats are registers; beside a bf16 ptxas 13.5 takes no constant
// c either.
class Compared<string what, list<Ptx_Token> by, list<Ptx_Type> those> {
  string summary = what;
  list<Ptx_Token> comparisons = by;
  list<Ptx_Type> types = those;
  list<Ptx_Position> flushes = [];
  bit hasConstants = 1;
  bit hasConstantPredicate = 1;
}
class ComparedHalf<string what, list<Ptx_Type> those> : Compared<what, ofFloat, those> {
  let flushes = [maybeFtz];
  let hasConstants = 0;
}
class ComparedBfloat<string what, list<Ptx_Type> those> : Compared<what, ofFloat, those> {
  let hasConstants = 0;
  let hasConstantPredicate = 0;
}
def comparedBits : Compared<"bits", equality, bitTypes>;
def comparedUnsigned : Compared<"unsigned", ofUnsigned, unsignedTypes>;
def comparedSigned : Compared<"signed", ordered, signedTypes>;
def comparedSingle : Compared<"single", ofFloat, [f32]> {
  let flushes = [maybeFtz];
}
def comparedDouble : Compared<"double", ofFloat, [f64]>;
def comparedHalf : ComparedHalf<"half", [f16]>;
def comparedHalves : ComparedHalf<"packed halves", [f16x2]>;
def comparedBfloat : ComparedBfloat<"bfloat", [bf16]>;
def comparedBfloats : ComparedBfloat<"packed bfloats", [bf16x2]>;
defvar comparedNumbers = [comparedBits, comparedUnsigned, comparedSigned, comparedSingle, comparedDouble];

class Comparison<list<Ptx_Token> by> : Ptx_Position<"comparison", by>;
defvar combination = Ptx_Position<"predicate operator", [boolAnd, boolOr, boolXor]>;
class Value<string name, Ptx_Type type, bit mayBeConstant> : Src<name, 1, type> {
  let immediate = mayBeConstant;
}
class Combined<bit mayBeConstant> : Value<"c", pred, mayBeConstant> {
  let negatable = 1;
}

// A comparison of some types, alone and combined with a predicate.
class Compare<Compared it, string section, list<Ptx_Position> flushes, list<Ptx_Position> types,
              list<Ptx_Operand> results, Ptx_Type of, bit hasConstantPredicate, int ptx, int sm> {
  defvar comparison = [Comparison<it.comparisons>];
  defvar sources = [Value<"a", of, it.hasConstants>, Value<"b", of, it.hasConstants>];
  list<Form> forms = [
    Form<it.summary, section, !listconcat(comparison, flushes, types), !listconcat(results, sources), ptx, sm>,
    Form<it.summary # ", combined", section, !listconcat(comparison, [combination], flushes, types),
         !listconcat(results, sources, [Combined<hasConstantPredicate>]), ptx, sm>,
  ];
}

// Of setp. The second predicate is the opposite comparison, or of packed types the upper lane's.
defvar onePredicate = [Dst<"p", 1, pred>];
defvar twoPredicates = [DstOrSink<"p", 1, pred>, DstJoinedOrSink<"q", pred>];
class SetPredicates<Compared it, list<list<Ptx_Operand>> results, string section = "9.7.6.2", int ptx = 10,
                    int sm = 0> {
  list<Form> forms = !listflatten(!foreach(written, results,
    Compare<it, section, it.flushes, [Types<it.types>], written, OpcodeType, it.hasConstantPredicate, ptx, sm>.forms));
}

def Ptx_SetpOp : Ptx_Instruction<"setp"> {
  let summary = "a predicate from a comparison";
  let description = [{
    With a predicate operator the result of the comparison is combined with c, which may be negated. A second predicate
    is the opposite comparison, combined with c as well; of packed types the first is that of the lower lane, the second
    that of the upper.

    ```mlir
    %p     = ptx.setp "lt.s32" %a, %b : (i32, i32) -> i1
    %p, %q = ptx.setp "gtu.and.ftz.f32" %a, %b, not %c : (f32, f32, i1) -> (i1, i1)
    %p, %q = ptx.setp "eq.f16x2" %a, %b : (vector<2xf16>, vector<2xf16>) -> (i1, i1)
    %q     = ptx.setp "eq.u64" %a, %b sink [0] : (i64, i64) -> i1
    ```
  }];
  let semantics = "compare_to_predicates";
  defvar ofHalves = "9.7.7.2";
  let forms = !listconcat(
    !listflatten(!foreach(it, comparedNumbers, SetPredicates<it, [onePredicate, twoPredicates]>.forms)),
    SetPredicates<comparedHalf, [onePredicate], ofHalves, 42, 53>.forms,
    SetPredicates<comparedHalves, [twoPredicates], ofHalves, 42, 53>.forms,
    SetPredicates<comparedBfloat, [onePredicate], ofHalves, 78, 90>.forms,
    SetPredicates<comparedBfloats, [twoPredicates], ofHalves, 78, 90>.forms);
  let refused = [Ptx_Refused<"setp.*x2* pred, *", "each half of a pair has a predicate of its own">];
}

// Of set: what comes of comparing each of some types.
class SetValue<list<Ptx_Type> results, list<Compared> compared, string section = "9.7.7.1", int ptx = 10, int sm = 0> {
  list<Form> forms = !listflatten(!foreach(it, compared,
    Compare<it, section, it.flushes, [Types<results>, Types<it.types>], [Dst<"d">], SecondType, it.hasConstantPredicate,
            ptx, sm>.forms));
}
// ptxas refuses .ftz and a constant c wherever a bf16 is.
class SetBfloat<list<Compared> compared> {
  list<Form> forms = !listflatten(!foreach(it, compared,
    Compare<it, "9.7.7.1", [], [Types<[bf16]>, Types<it.types>], [Dst<"d">], SecondType, 0, 78, 90>.forms));
}

def Ptx_SetOp : Ptx_Instruction<"set"> {
  let summary = "a number from a comparison";
  let description = [{
    The first type is that of the result: all ones or 0 in integers, 1.0 or 0.0 in floats. The second is that of the
    sources.

    ```mlir
    %d = ptx.set "lt.u32.f32" %a, %b : (f32, f32) -> i32
    %d = ptx.set "eq.or.f16x2.f16x2" %a, %b, %c : (vector<2xf16>, vector<2xf16>, i1) -> vector<2xf16>
    ```
  }];
  let semantics = "compare_to_value";
  let forms = !listconcat(
    SetValue<[u32, s32, f32], comparedNumbers, "9.7.6.1">.forms,
    SetValue<[f16], !listconcat(comparedNumbers, [comparedHalf]), "9.7.7.1", 42, 53>.forms,
    SetValue<[f16x2], [comparedHalves], "9.7.7.1", 42, 53>.forms,
    SetValue<[u16, s16, u32, s32], [comparedHalf], "9.7.7.1", 65, 53>.forms,
    SetValue<[u32, s32], [comparedHalves], "9.7.7.1", 65, 53>.forms,
    SetBfloat<!listconcat(comparedNumbers, [comparedHalf])>.forms,
    SetValue<[bf16, u16, s16, u32, s32], [comparedBfloat], "9.7.7.1", 78, 90>.forms,
    SetValue<[bf16x2, u32, s32], [comparedBfloats], "9.7.7.1", 78, 90>.forms);
}

defvar selectable = !listconcat(bitTypes, integerTypes, [f32, f64]);

def Ptx_SelpOp : Ptx_Instruction<"selp"> {
  let summary = "a where c is true, else b";
  let description = [{
    ```mlir
    %d = ptx.selp "f32" %a, %b, %c : (f32, f32, i1) -> f32
    ```
  }];
  let semantics = "bits_select";
  let forms = [Form<"selection", "9.7.6.3", [Types<selectable>],
                    [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b">, SrcOrImm<"c", 1, pred>]>];
  let refused = [Unlisted<"selp.*", "with a negation">];
}

def Ptx_SlctOp : Ptx_Instruction<"slct"> {
  let summary = "a where c is not negative, else b";
  let description = [{
    The second type is that of c. A NaN chooses b, and -0.0 a.

    ```mlir
    %d = ptx.slct "b64.s32" %a, %b, %c : (i64, i64, i32) -> i64
    %d = ptx.slct "ftz.u32.f32" %a, %b, %c : (i32, i32, f32) -> i32
    ```
  }];
  let semantics = "select_by_sign";
  defvar section = "9.7.6.4";
  defvar operands = [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b">, SrcOrImm<"c", 1, SecondType>];
  let forms = [
    Form<"by integer", section, [Types<selectable>, Types<[s32]>], operands>,
    Form<"by float", section, [maybeFtz, Types<selectable>, Types<[f32]>], operands>,
  ];
}

#endif // PTX_TILE_PTX_COMPARE_TD
