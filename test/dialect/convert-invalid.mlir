// What cvt refuses: roundings (R121), registers (R118), sources (R122).

// RUN: tile-opt %s -split-input-file -verify-diagnostics

func.func @lacks_rounding(%n: i32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.f32.u32' lacks its rounding: .rn, .rz, .rm or .rp}}
  %d = ptx.cvt "f32.u32" %n : (i32) -> f32
  return
}

// -----

func.func @lacks_integer_rounding(%x: f32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.s32.f32' lacks its rounding: .rni, .rzi, .rmi or .rpi}}
  %d = ptx.cvt "s32.f32" %x : (f32) -> i32
  return
}

// -----

func.func @rounds_nothing(%h: f16) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.f32.f16' is no form of cvt: }}
  %d = ptx.cvt "rn.f32.f16" %h : (f16) -> f32
  return
}

// -----

// What ptxas takes beyond the ISA.
func.func @refused(%b: bf16) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.f32.bf16' is refused: f32 has every number of bf16; take out the rounding (R121)}}
  %d = ptx.cvt "rn.f32.bf16" %b : (bf16) -> f32
  return
}

// -----

func.func @refused_without_rounding(%b: bf16) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.f16.bf16' is refused: f16 lacks numbers of bf16; write the rounding .rn, .rz, .rm or .rp (R121)}}
  %d = ptx.cvt "f16.bf16" %b : (bf16) -> f16
  return
}

// -----

func.func @saturates_nothing(%n: i8) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.sat.u16.u8' is no form of cvt: write .u8 before .u16, or write .u32, .u64, .s8, .s16, .s32 or .s64 for .u8, or take out .sat}}
  %d = ptx.cvt "sat.u16.u8" %n : (i8) -> i16
  return
}

// -----

func.func @saturation_of_bf16(%x: f32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.sat.bf16.f32' is no form of cvt: }}
  %d = ptx.cvt "rn.sat.bf16.f32" %x : (f32) -> bf16
  return
}

// -----

func.func @flushes_nothing(%d: f64) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.ftz.f16.f64' is no form of cvt: }}
  %h = ptx.cvt "rn.ftz.f16.f64" %d : (f64) -> f16
  return
}

// -----

func.func @lacks_satfinite(%x: f32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.e4m3x2.f32' lacks its saturation: .satfinite}}
  %d = ptx.cvt "rn.e4m3x2.f32" %x, %x : (f32, f32) -> i16
  return
}

// -----

// Types keep their order.
func.func @order_of_types(%n: i32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.pack.sat.s32.u16' is no form of cvt: write .u16 before .s32}}
  %d = ptx.cvt "pack.sat.s32.u16" %n, %n : (i32, i32) -> i32
  return
}

// -----

func.func @newer(%x: f32) {
  // expected-error @+1 {{'ptx.cvt' op 'cvt.rn.satfinite.s2f6x2.f32': cvt has no modifier '.s2f6x2'; there may stand }}
  %d = ptx.cvt "rn.satfinite.s2f6x2.f32" %x, %x : (f32, f32) -> i16
  return
}

// -----

func.func @narrow_source(%n: i16) {
  // expected-error @+1 {{operand a: element type i16 is none of those that cvt.rn.f32.u32 takes: i32 or i64; use cvt.rn.f32.u16 (R118)}}
  %d = ptx.cvt "rn.f32.u32" %n : (i16) -> f32
  return
}

// -----

func.func @narrow_result(%x: f32) {
  // expected-error @+1 {{operand d: element type i16 is none of those that cvt.rni.s32.f32 takes: i32 or i64; use cvt.rni.s16.f32 (R118)}}
  %d = ptx.cvt "rni.s32.f32" %x : (f32) -> i16
  return
}

// -----

// Registers of floats are no wider, nor those of integers beside bf16.
func.func @wide_float(%x: f32) {
  // expected-error @+1 {{operand d: element type i32 is 32 bits wide, cvt.rn.f16.f32 takes 16; use cvt.rn.tf32.f32 (R70)}}
  %d = ptx.cvt "rn.f16.f32" %x : (f32) -> i32
  return
}

// -----

func.func @wide_beside_bf16(%n: i32) {
  // expected-error @+1 {{operand a: element type i32 is 32 bits wide, cvt.rn.bf16.s16 takes 16; use cvt.rn.bf16.s32 (R70)}}
  %d = ptx.cvt "rn.bf16.s16" %n : (i32) -> bf16
  return
}

// -----

func.func @float_as_integer(%x: f32) {
  // expected-error @+1 {{operand a: element type f32 is none of those that cvt.rn.f64.u32 takes: i32 or i64; use cvt.f64.f32 (R118)}}
  %d = ptx.cvt "rn.f64.u32" %x : (f32) -> f64
  return
}

// -----

func.func @wide_byte(%x: f32) {
  // expected-error @+1 {{operand d: element type i16 is 16 bits wide, cvt.rn.satfinite.e2m1x2.f32 takes 8; use cvt.rn.satfinite.e2m3x2.f32 (R70)}}
  %d = ptx.cvt "rn.satfinite.e2m1x2.f32" %x, %x : (f32, f32) -> i16
  return
}

// -----

func.func @one_source(%x: vector<2xf32>) {
  // expected-error @+1 {{cvt.rn.f16x2.f32 takes 2 inputs and 1 result; found 1 input and 1 result}}
  %d = ptx.cvt "rn.f16x2.f32" %x : (vector<2xf32>) -> i32
  return
}

// -----

func.func @no_random_bits(%x: f32) {
  // expected-error @+1 {{cvt.rs.f16x2.f32 takes 3 inputs and 1 result; found 2 inputs and 1 result}}
  %d = ptx.cvt "rs.f16x2.f32" %x, %x : (f32, f32) -> i32
  return
}

// -----

func.func @random_bits(%x: f32) {
  // expected-error @+1 {{operand rbits: element type f32 is none of those that cvt.rs.f16x2.f32 (.b32 words) takes: i32; use i32 (R70)}}
  %d = ptx.cvt "rs.f16x2.f32" %x, %x, %x : (f32, f32, f32) -> i32
  return
}

// -----

// A tile of pairs is not two operands (R122).
func.func @pair() {
  %d = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
  %a = tile.alloc : memref<4x2xf32, #gpu.address_space<private>>
  // expected-error @+1 {{'tile.apply' op cvt.rn.f16x2.f32 takes the operands (d, a, b), found 2}}
  tile.apply "cvt.rn.f16x2.f32"(%d, %a) : memref<4x1xi32, #gpu.address_space<private>>, memref<4x2xf32, #gpu.address_space<private>>
  return
}

// -----

func.func @group() {
  %n = arith.constant 1 : i32
  %d = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
  %a = tile.alloc : memref<4x2xf32, #gpu.address_space<private>>
  // expected-error @+1 {{'tile.apply' op cvt.rs.satfinite.e4m3x4.f32 has no form with last extents (1, 2, scalar)}}
  tile.apply "cvt.rs.satfinite.e4m3x4.f32"(%d, %a, %n) : memref<4x1xi32, #gpu.address_space<private>>, memref<4x2xf32, #gpu.address_space<private>>, i32
  return
}

// -----

func.func @narrow_tile() {
  %d = tile.alloc : memref<4x1xf32, #gpu.address_space<private>>
  %a = tile.alloc : memref<4x1xi16, #gpu.address_space<private>>
  // expected-error @+1 {{operand #1 (a): element type i16 is none of those that cvt.rn.f32.s32 takes: i32 or i64; use cvt.rn.f32.s16 or a tile.view (R118)}}
  tile.apply "cvt.rn.f32.s32"(%d, %a) : memref<4x1xf32, #gpu.address_space<private>>, memref<4x1xi16, #gpu.address_space<private>>
  return
}
