// Modifiers, positions and operand lists that several families share.
#ifndef PTX_TILE_PTX_COMMON_TD
#define PTX_TILE_PTX_COMMON_TD

include "ptx/types.td"

def rn : Ptx_Token<"rn", "rounds to the nearest value, ties to even">;
def rz : Ptx_Token<"rz", "rounds toward zero">;
def rm : Ptx_Token<"rm", "rounds toward negative infinity">;
def rp : Ptx_Token<"rp", "rounds toward positive infinity">;
def ftz : Ptx_Token<"ftz", "subnormal sources and results become zeros of their sign">;
def satFloat : Ptx_Token<"sat", "clamps the result to [0.0, 1.0]; NaN becomes 0.0">;
def satInteger : Ptx_Token<"sat", "clamps the result to the range of the type">;
def relu : Ptx_Token<"relu", "negative results become 0, and NaN the canonical NaN">;
def approx : Ptx_Token<"approx", "an approximation, whose greatest error the ISA states">;

defvar roundings = [rn, rz, rm, rp];
defvar rounding = Ptx_Position<"rounding", roundings>;
defvar maybeRounding = Maybe<"rounding", roundings>;
defvar nearest = Ptx_Position<"rounding", [rn]>;
defvar maybeNearest = Maybe<"rounding", [rn]>;
defvar maybeFtz = Maybe<"flush to zero", [ftz]>;
defvar maybeSat = Maybe<"saturation", [satFloat]>;
defvar maybeRelu = Maybe<"rectification", [relu]>;
defvar approximately = Ptx_Position<"approximation", [approx]>;

// Signless integers of these widths have an opcode for each way to read them.
defvar unsignedTypes = [u16, u32, u64];
defvar signedTypes = [s16, s32, s64];
defvar integerTypes = !listconcat(unsignedTypes, signedTypes);
defvar bitTypes = [b16, b32, b64];

// Sources of the type in the opcode. PTX has no constants of 16-bit floats and of packed types: they take registers.
defvar unary = [Dst<"d">, SrcOrImm<"a">];
defvar binary = [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b">];
defvar ternary = [Dst<"d">, SrcOrImm<"a">, SrcOrImm<"b">, SrcOrImm<"c">];
defvar unaryInRegisters = [Dst<"d">, Src<"a">];
defvar binaryInRegisters = [Dst<"d">, Src<"a">, Src<"b">];
defvar ternaryInRegisters = [Dst<"d">, Src<"a">, Src<"b">, Src<"c">];

#endif // PTX_TILE_PTX_COMMON_TD
