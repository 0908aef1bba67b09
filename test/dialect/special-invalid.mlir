// What is refused of special registers. Without these checks LLVM would print it all, and ptxas say an argument
// mismatches.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @unknown() {
  // expected-error @+1 {{'ptx.mov' op unknown special register "clock46"; near it are clock64, clock, clock_hi,}}
  %t = ptx.mov "u64" special "clock46" : () -> i64
  return
}

// -----

func.func @past_the_last() {
  // expected-error @+1 {{'ptx.mov' op unknown special register "envreg32"; near it are envreg2, envreg3,}}
  %t = ptx.mov "b32" special "envreg32" : () -> i32
  return
}

// -----

func.func @text() {
  // expected-error @+1 {{'ptx.mov' op unknown special register "tid; ret"; near it are}}
  %t = ptx.mov "u32" special "tid; ret" : () -> i32
  return
}

// -----

func.func @percent() {
  // expected-error @+1 {{'ptx.mov' op special register "%tid.x" is written without '%': "tid.x"}}
  %t = ptx.mov "u32" special "%tid.x" : () -> i32
  return
}

// -----

func.func @component() {
  // expected-error @+1 {{'ptx.mov' op special register tid has no component 'q'; it has x, y, z and w}}
  %t = ptx.mov "u32" special "tid.q" : () -> i32
  return
}

// -----

func.func @component_of_no_vector() {
  // expected-error @+1 {{'ptx.mov' op special register laneid has no components; write "laneid"}}
  %t = ptx.mov "u32" special "laneid.x" : () -> i32
  return
}

// -----

func.func @too_narrow() {
  // expected-error @+1 {{'ptx.mov' op special register clock64 is 64 bits wide, mov.u32 reads 32; use mov.u64}}
  %t = ptx.mov "u32" special "clock64" : () -> i32
  return
}

// -----

func.func @too_wide() {
  // expected-error @+1 {{'ptx.mov' op special register laneid is 32 bits wide, mov.u64 reads 64; use mov.u32}}
  %t = ptx.mov "u64" special "laneid" : () -> i64
  return
}

// -----

func.func @predicate() {
  // expected-error @+1 {{'ptx.mov' op special register is_explicit_cluster is 1 bit wide, mov.u32 reads 32; use mov.pred}}
  %t = ptx.mov "u32" special "is_explicit_cluster" : () -> i32
  return
}

// -----

func.func @float() {
  // expected-error @+1 {{'ptx.mov' op special register laneid is read by mov.u32, mov.s32 or mov.b32, not by mov.f32}}
  %t = ptx.mov "f32" special "laneid" : () -> f32
  return
}

// -----

func.func @result_type() {
  // expected-error @+1 {{'ptx.mov' op operand d: element type f32 is none of those that mov.u32 takes: i32; use mov.b32 (R70)}}
  %t = ptx.mov "u32" special "laneid" : () -> f32
  return
}

// -----

func.func @vector_as_scalar() {
  // expected-error @+1 {{'ptx.mov' op special register tid has four components; read one, such as "tid.x", or all by mov.v4.u32}}
  %t = ptx.mov "u32" special "tid" : () -> i32
  return
}

// -----

func.func @scalar_as_vector() {
  // expected-error @+1 {{'ptx.mov' op mov.v4.u32 reads a special register that is a vector as a whole, laneid is one register; use mov.u32}}
  %t:4 = ptx.mov "v4.u32" special "laneid" : () -> (i32, i32, i32, i32)
  return
}

// -----

func.func @three_of_four() {
  // expected-error @+1 {{'ptx.mov' op mov.v4.u32 takes 0 inputs and 4 results; found 0 inputs and 3 results}}
  %t:3 = ptx.mov "v4.u32" special "tid" : () -> (i32, i32, i32)
  return
}

// -----

func.func @vector_of_two() {
  // expected-error @+1 {{'ptx.mov' op mov.v2.u32 reads no special register; mov.pred, mov.u16,}}
  %t:2 = ptx.mov "v2.u32" special "tid" : () -> (i32, i32)
  return
}

// -----

func.func @sink_of_all() {
  // expected-error @+1 {{'ptx.mov' op sink [0, 1, 2, 3] discards every word of (d); keep one (R94)}}
  ptx.mov "v4.u32" special "tid" sink [0, 1, 2, 3] : () -> ()
  return
}

// -----

func.func @other_instruction(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op ld reads no special register}}
  %t = ptx.ld "global.b32" special "laneid" : () -> i32
  return
}

// -----

func.func @input_too(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op mov.u32 takes 0 inputs and 1 result; found 1 input and 1 result}}
  %t = "ptx.mov"(%n) <{modifiers = "u32", special = "laneid", operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> i32
  return
}

// -----

func.func @offset() {
  // expected-error @+1 {{'ptx.mov' op mov.u32 has no address, and so no offset}}
  %t = "ptx.mov"() <{modifiers = "u32", special = "laneid", offset = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> i32
  return
}

// -----

func.func @both() {
  // expected-error @+1 {{'ptx.mov' op names a special register and a symbol; it can read one of them}}
  %t = "ptx.mov"() <{modifiers = "u32", special = "laneid", symbol = @both, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> i32
  return
}

// -----

// Tiles are values.
gpu.module @m {
  gpu.func @apply(%n: i32) kernel {
    %t = tile.alloc : memref<1x4xi32, #gpu.address_space<private>>
    // expected-error @+1 {{'tile.apply' op mov.v4.u32 takes the operands (d, a), found 1}}
    tile.apply "mov.v4.u32"(%t) : memref<1x4xi32, #gpu.address_space<private>>
    gpu.return
  }
}
