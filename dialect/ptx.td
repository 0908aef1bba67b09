// The `ptx` dialect: single PTX instructions on the scalars of one thread.
//
// This file is the only place that knows an instruction. A record is a mnemonic; its forms, one operand shape each,
// stand side by side. From the records come the op classes and their documentation, the Rust table (build.rs,
// instruction.rs), opcode parsing, verification, asm text and constraints, and the list of variants that ptxas must
// accept. Sections are those of PTX ISA 9.0. Versions are written as in `.version`, without the dot: 63 is PTX 6.3.
#ifndef PTX_TILE_PTX_TD
#define PTX_TILE_PTX_TD

include "ptx/arithmetic.td"
include "ptx/compare.td"
include "ptx/convert.td"
include "ptx/float.td"
include "ptx/integer.td"
include "ptx/lacking.td"
include "ptx/logic.td"
include "ptx/memory.td"
include "ptx/move.td"

#endif // PTX_TILE_PTX_TD
