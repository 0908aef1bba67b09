// Modifiers that several families have: how a result is rounded, and what becomes of one that does not fit.
#ifndef PTX_TILE_PTX_MODIFIERS_TD
#define PTX_TILE_PTX_MODIFIERS_TD

include "ptx/record.td"

def rn : Ptx_Token<"rn", "rounds to the nearest, ties to even">;
def rz : Ptx_Token<"rz", "rounds towards zero">;
def rm : Ptx_Token<"rm", "rounds towards minus infinity">;
def rp : Ptx_Token<"rp", "rounds towards plus infinity">;
defvar floatRoundings = [rn, rz, rm, rp];

def ftz : Ptx_Token<"ftz", "subnormal f32 inputs and results become zeros of their sign">;
def sat : Ptx_Token<"sat", "clamps: integers to the range of their type, floats to 0.0 up to 1.0, NaN to 0.0">;
def relu : Ptx_Token<"relu", "negative results become 0, NaN the canonical NaN">;

#endif // PTX_TILE_PTX_MODIFIERS_TD
