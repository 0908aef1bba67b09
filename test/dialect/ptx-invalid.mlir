// What ptx ops refuse.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @modifier(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op 'mov.b33': mov has no modifier '.b33'; write .b32}}
  %d = ptx.mov "b33" %n : (i32) -> i32
  return
}

// -----

func.func @no_modifier(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op 'mov' lacks its type: .pred, .b16}}
  %d = ptx.mov "" %n : (i32) -> i32
  return
}

// -----

// No text of a user reaches the assembler unchecked.
func.func @text(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op opcode must match [a-z][A-Za-z0-9_.:]*, found "mov.b32 $0; ret;"}}
  %d = ptx.mov "b32 $0; ret;" %n : (i32) -> i32
  return
}

// -----

func.func @counts(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op mov.b32 takes 1 input and 1 result, 2 inputs and 1 result, 4 inputs and 1 result, 1 input and 2 results or 1 input and 4 results; found 3 inputs and 1 result}}
  %d = ptx.mov "b32" %n, %n, %n : (i32, i32, i32) -> i32
  return
}

// -----

func.func @no_result(%n: i32) {
  // expected-error @+1 {{found 1 input and 0 results}}
  ptx.mov "b32" %n : (i32) -> ()
  return
}

// -----

// R70: the width of a value is that of the instruction; LLVM would truncate without a word.
func.func @width(%n: i64) {
  // expected-error @+1 {{'ptx.mov' op operand a: element type i64 is 64 bits wide, mov.b32 takes 32; use i32 (R70)}}
  %d = ptx.mov "b32" %n : (i64) -> i32
  return
}

// -----

func.func @type(%x: f32) {
  // expected-error @+1 {{'ptx.mov' op operand a: element type f32 is none of those that mov.u32 takes: i32; use mov.b32 (R70)}}
  %d = ptx.mov "u32" %x : (f32) -> i32
  return
}

// -----

// The words of a group have the type of its lanes.
func.func @lanes(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op operand a: element type i32 is 32 bits wide, mov.b32 (.b16 words) takes 16; use i16 (R70)}}
  %d = ptx.mov "b32" %n, %n : (i32, i32) -> i32
  return
}

// -----

func.func @index(%i: index) {
  // expected-error @+1 {{'ptx.mov' op inputs: type index is no type of a register; use i32 or i64}}
  %d = ptx.mov "b64" %i : (index) -> i64
  return
}

// -----

// An address is a pointer into the state space of the opcode.
func.func @generic_pointer(%p: !llvm.ptr) {
  // expected-error @+1 {{'ptx.ld' op operand a: is !llvm.ptr, ld.global.b32 wants an address in global memory, !llvm.ptr<1>}}
  %d = ptx.ld "global.b32" %p : (!llvm.ptr) -> i32
  return
}

// -----

func.func @address_that_is_no_pointer(%p: i64) {
  // expected-error @+1 {{'ptx.ld' op operand a: is i64, ld.global.b32 wants an address in global memory, !llvm.ptr<1>}}
  %d = ptx.ld "global.b32" %p : (i64) -> i32
  return
}

// -----

func.func @other_window(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{'ptx.ld' op operand a: is !llvm.ptr<3>, ld.local.b32 wants an address in local memory, !llvm.ptr<5>}}
  %d = ptx.ld "local.b32" %p : (!llvm.ptr<3>) -> i32
  return
}

// -----

func.func @global_pointer(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op operand a: is !llvm.ptr<1>, st.shared::cta.b32 wants an address in shared memory, !llvm.ptr<3>}}
  ptx.st "shared::cta.b32" %p, %n : (!llvm.ptr<1>, i32) -> ()
  return
}

// -----

func.func @vector_length(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op ld.global.v2.b32 takes 1 input and 2 results; found 1 input and 1 result}}
  %d = ptx.ld "global.v2.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

// ISA 6.4.1: an immediate offset has 32 bits.
func.func @offset(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op offset 2147483648 does not fit the 32 bits that PTX gives it (ISA 6.4.1)}}
  %d = ptx.ld "global.b32" %p + 2147483648 : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @offset_of_no_address(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op mov.b32 has no address, and so no offset}}
  %d = ptx.mov "b32" %n + 4 : (i32) -> i32
  return
}

// -----

// R78
func.func @preserve_without_pred(%n: i32, %old: i32) {
  // expected-error @+1 {{'ptx.mov' op preserving the destination needs a predicate; add pred(...) (R78)}}
  %d = ptx.mov "b32" %n preserve(%old) : (i32) -> i32
  return
}

// -----

func.func @preserve_too_few(%w: i64, %old: i32, %p: i1) {
  // expected-error @+1 {{'ptx.mov' op preserve takes one old value for each result, of its type: found (i32), wanted (i32, i32)}}
  %d:2 = "ptx.mov"(%w, %p, %old) <{modifiers = "b64", operandSegmentSizes = array<i32: 1, 1, 1>}> : (i64, i1, i32) -> (i32, i32)
  return
}

// -----

// R94
func.func @sink_of_a_pack(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op mov.b64 takes 1 input and 1 result, 2 inputs and 1 result, 4 inputs and 1 result, 1 input and 2 results or 1 input and 4 results; found 2 inputs and 1 result and 1 sunk}}
  %d = ptx.mov "b64" %n, %n sink [0] : (i32, i32) -> i64
  return
}

// -----

func.func @sink_of_all(%w: i64) {
  // expected-error @+1 {{'ptx.mov' op sink [0, 1] discards every word of (d); keep one (R94)}}
  ptx.mov "b64" %w sink [0, 1] : (i64) -> ()
  return
}

// -----

func.func @sink_out_of_range(%w: i64) {
  // expected-error @+1 {{'ptx.mov' op sink [2] must name words 0 to 1 of (d), ascending, each once (R94)}}
  %d = ptx.mov "b64" %w sink [2] : (i64) -> i32
  return
}

// -----

// ptxas refuses these types; 8-bit values are lanes of b16 and b32.
func.func @b8(%n: i8) {
  // expected-error @+1 {{'ptx.mov' op 'mov.b8': mov has no modifier '.b8'; there may stand .b16,}}
  %d = ptx.mov "b8" %n : (i8) -> i8
  return
}

// -----

func.func @eight_lanes(%n: i8) {
  // expected-error @+1 {{'ptx.mov' op mov.b64 takes 1 input and 1 result, 2 inputs and 1 result, 4 inputs and 1 result, 1 input and 2 results or 1 input and 4 results; found 8 inputs and 1 result}}
  %d = ptx.mov "b64" %n, %n, %n, %n, %n, %n, %n, %n : (i8, i8, i8, i8, i8, i8, i8, i8) -> i64
  return
}

// -----

func.func @lanes_of_another_width(%n: i8) {
  // expected-error @+1 {{'ptx.mov' op operand a: element type i8 is 8 bits wide, mov.b32 (.b16 words) takes 16; use i16 (R70)}}
  %d = ptx.mov "b32" %n, %n : (i8, i8) -> i32
  return
}

// -----

// D10
func.func @scalar_b128(%n: i128) {
  // expected-error @+1 {{'ptx.mov' op mov.b128 takes 2 inputs and 1 result, 4 inputs and 1 result, 1 input and 2 results or 1 input and 4 results; found 1 input and 1 result}}
  %d = ptx.mov "b128" %n : (i128) -> i128
  return
}

// -----

func.func @negated_integer(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op mov.b32 has no source that PTX can negate; take out 'not'}}
  %d = ptx.mov "b32" not %n : (i32) -> i32
  return
}

// -----

func.func @predicate_to_integer(%p: i1) {
  // expected-error @+1 {{'ptx.mov' op operand d: element type i32 is 32 bits wide, mov.pred takes 1; use i1 (R70)}}
  %d = ptx.mov "pred" %p : (i1) -> i32
  return
}

// -----

func.func @vector_of_predicates(%p: i1) {
  // expected-error @+1 {{'ptx.mov' op 'mov.v2.pred' is no form of mov: write .b16, .b32, .u16, .u32, .s16, .s32, .f32, .b64, .u64, .s64 or .f64 for .pred, or take out .v2}}
  %d:2 = ptx.mov "v2.pred" %p, %p : (i1, i1) -> (i1, i1)
  return
}

// -----

func.func @vector_too_long(%n: i64) {
  // expected-error @+1 {{'ptx.mov' op 'mov.v4.b64' is no form of mov: write .b16, .b32, .u16, .u32, .s16, .s32 or .f32 for .b64, or write .v2 for .v4 or take that out}}
  %d:4 = ptx.mov "v4.b64" %n, %n, %n, %n : (i64, i64, i64, i64) -> (i64, i64, i64, i64)
  return
}

// -----

func.func @nothing_to_negate(%x: i32) {
  // expected-error @+1 {{'ptx.mov' op has the attribute 'negated' and no predicate to negate}}
  %0 = "ptx.mov"(%x) <{modifiers = "b32", operandSegmentSizes = array<i32: 1, 0, 0>, negated}> : (i32) -> i32
  return
}
