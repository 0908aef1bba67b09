// What the instructions of the register family refuse.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

// What the opcode must say.
func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.mul' op 'mul.s32' lacks its part of the product: .lo, .hi or .wide}}
  %d = ptx.mul "s32" %i, %i : (i32, i32) -> i32
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error @+1 {{'ptx.div' op 'div.f32' lacks its approximation: .approx or .full; or its rounding: .rn, .rz, .rm or .rp}}
  %d = ptx.div "f32" %f, %f : (f32, f32) -> f32
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error @+1 {{'ptx.fma' op 'fma.f32' lacks its rounding: .rn, .rz, .rm or .rp}}
  %d = ptx.fma "f32" %f, %f, %f : (f32, f32, f32) -> f32
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error @+1 {{'ptx.min' op 'min.xorsign.f32' lacks its magnitude: .abs}}
  %d = ptx.min "xorsign.f32" %f, %f : (f32, f32) -> f32
  return
}

// -----

// What no form has, though each word is one of the instruction.
func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.add' op 'add.sat.u32' is no form of add: write .s32, .f32, .f16 or .f16x2 for .u32, or take out .sat}}
  %d = ptx.add "sat.u32" %i, %i : (i32, i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.setp' op 'setp.lo.s32' is no form of setp: write .u16, .u32 or .u64 for .s32, or write .eq, .ne, .lt, .le, .gt or .ge for .lo}}
  %p = ptx.setp "lo.s32" %i, %i : (i32, i32) -> i1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.abs' op 'abs.u32': abs has no modifier '.u32'; there may stand .s32,}}
  %d = ptx.abs "u32" %i : (i32) -> i32
  return
}

// -----

func.func @f(%f: f32, %h: f16) {
  // expected-error @+1 {{'ptx.add' op 'add.f16.f32' is no form of add: write .f32 before .f16, or take out .f32, or take out .f16}}
  %d = ptx.add "f16.f32" %h, %f : (f16, f32) -> f32
  return
}

// -----

// Refused by choice.
func.func @f(%b: bf16) {
  // expected-error @+1 {{'ptx.fma' op 'fma.rz.bf16' is refused: the ISA does not list it}}
  %d = ptx.fma "rz.bf16" %b, %b, %b : (bf16, bf16, bf16) -> bf16
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.add' op 'add.cc.u32' is refused: its carry is in the condition code register, which is no value}}
  %d = ptx.add "cc.u32" %i, %i : (i32, i32) -> i32
  return
}

// -----

// Types of operands.
func.func @f(%f: f32, %h: f16) {
  // expected-error @+1 {{'ptx.add' op operand a: element type f32 is 32 bits wide, add.f32.f16 takes 16; use f16 (R70)}}
  %d = ptx.add "f32.f16" %f, %h : (f32, f16) -> f32
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error @+1 {{'ptx.add' op operand d: element type f32 is none of those that add.s32 takes: i32; use add.f32 (R70)}}
  %d = ptx.add "s32" %f, %f : (f32, f32) -> f32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.mul' op operand d: element type i32 is 32 bits wide, mul.wide.s32 (.s64 words) takes 64; use mul.lo.s32 (R70)}}
  %d = ptx.mul "wide.s32" %i, %i : (i32, i32) -> i32
  return
}

// -----

// A shift amount is 32 bits whatever is shifted.
func.func @f(%l: i64) {
  // expected-error @+1 {{'ptx.shl' op operand b: element type i64 is 64 bits wide, shl.b64 (.u32 words) takes 32; use i32 (R70)}}
  %d = ptx.shl "b64" %l, %l : (i64, i64) -> i64
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.setp' op operand p: element type i32 is 32 bits wide, setp.lt.s32 (.pred words) takes 1; use i1 (R70)}}
  %p = ptx.setp "lt.s32" %i, %i : (i32, i32) -> i32
  return
}

// -----

// Numbers of operands choose the form.
func.func @f(%f: f32) {
  // expected-error @+1 {{'ptx.min' op min.xorsign.abs.f32 takes 2 inputs and 1 result; found 3 inputs and 1 result}}
  %d = ptx.min "xorsign.abs.f32" %f, %f, %f : (f32, f32, f32) -> f32
  return
}

// -----

func.func @f(%i: i32, %c: i1) {
  // expected-error @+1 {{'ptx.setp' op setp.lt.s32 takes 2 inputs and 1 result or 2 inputs and 2 results; found 3 inputs and 2 results}}
  %p:2 = ptx.setp "lt.s32" %i, %i, %c : (i32, i32, i1) -> (i1, i1)
  return
}

// -----

// A packed type has a predicate for each lane.
func.func @f(%v: vector<2xf16>) {
  // expected-error @+1 {{'ptx.setp' op setp.lt.f16x2 takes 2 inputs and 2 results; found 2 inputs and 1 result}}
  %p = ptx.setp "lt.f16x2" %v, %v : (vector<2xf16>, vector<2xf16>) -> i1
  return
}

// -----

// Only the predicate of a combination can be negated.
func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.setp' op setp.lt.s32 has no source that PTX can negate; take out 'not'}}
  %p = ptx.setp "lt.s32" %i, not %i : (i32, i32) -> i1
  return
}

// -----

// R94: one of two destinations may be sunk.
func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.setp' op sink [0, 1] discards every word of (p) and (q); keep one (R94)}}
  ptx.setp "lt.s32" %i, %i sink [0, 1] : (i32, i32) -> ()
  return
}

// -----

// A lookup with a predicate may discard its other result alone.
func.func @f(%i: i32, %p: i1) {
  // expected-error @+1 {{'ptx.lop3' op sink [1] must name words 0 to 0 of (d), ascending, each once (R94)}}
  %d = ptx.lop3 "or.b32" %i, %i, %i, %i, %p sink [1] : (i32, i32, i32, i32, i1) -> i32
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
// As tiles.
func.func @f(%a: !w, %p: !p) {
  // expected-error @+1 {{'tile.apply' op setp.lt.s32 has no source that PTX can negate; take out 'not'}}
  tile.apply "setp.lt.s32"(%p, %p, %a, not %a) : !p, !p, !w, !w
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
// A table is a constant.
func.func @f(%a: !w) {
  // expected-error @+1 {{'tile.apply' op operand #4 (immLut) is a tile; PTX takes a constant from 0 to 255 there, and no register}}
  tile.apply "lop3.b32"(%a, %a, %a, %a, %a) : !w, !w, !w, !w, !w
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
// Every destination is a tile.
func.func @f(%a: !w, %p: !p, %q: i1) {
  // expected-error @+1 {{'tile.apply' op operand #1 (q) must be a tile, found a scalar i1 (R19, R105)}}
  tile.apply "setp.lt.s32"(%p, %q, %a, %a) : !p, i1, !w, !w
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
// R61, of every destination.
func.func @f(%a: !w, %p: !p, %q: !one) {
  // expected-error @+1 {{'tile.apply' op operand #1 (q): repeats (0) and (1) both write register 0; destination slots must not overlap (R61)}}
  tile.apply "setp.lt.s32"(%p, %q, %a, %a) : !p, !one, !w, !w
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
func.func @f(%a: !w, %p: !p) {
  // expected-error @+1 {{'tile.apply' op sink needs words that PTX can discard, setp.lt.s32 (signed) has none (R94)}}
  tile.apply "setp.lt.s32"(%p, %a, %a) sink [0] : !p, !w, !w
  return
}

// -----

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
!one = memref<2x1xi1, strided<[0, 1]>, #gpu.address_space<private>>
func.func @f(%a: !w, %p: !p, %q: !p) {
  // expected-error @+1 {{'tile.apply' op sink [2] must name words 0 to 1 of (p) and (q), ascending, each once (R94)}}
  tile.apply "setp.lt.s32"(%p, %q, %a, %a) sink [2] : !p, !p, !w, !w
  return
}

// -----

func.func @f(%i: i32, %p: i1) {
  // expected-error @+1 {{'ptx.setp' op 'setp.lt.an.s32': setp has no modifier '.an'; write .and}}
  %d = ptx.setp "lt.an.s32" %i, %i, %p : (i32, i32, i1) -> i1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.add' op 'add.rm.bf16.sat.f32' is no form of add: write .f32 before .bf16, or take out .bf16}}
  %d = ptx.add "rm.bf16.sat.f32" %i, %i : (i32, i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.add' op 'add.rp.f16' lacks its type before .f16: .f32}}
  %d = ptx.add "rp.f16" %i, %i : (i32, i32) -> i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ptx.sub' op 'sub.f16.f16' is no form of sub: take out the second .f16}}
  %d = ptx.sub "f16.f16" %i, %i : (i32, i32) -> i32
  return
}

// -----

!p = memref<4x1xi1, #gpu.address_space<private>>
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @forgotten(%n: i32) {
  %p = tile.alloc : !p
  %q = tile.alloc : !p
  %t = tile.alloc : !t
  // expected-error @+1 {{'tile.apply' op operand #1 (a): element type i1 is 1 bit wide, setp.lt.and.s32 takes 32; use i32 (R70); 4 operands are (p, a, b, c), setp.lt.and.s32 also takes (p, q, a, b, c)}}
  tile.apply "setp.lt.and.s32"(%p, %q, %t, %n) : !p, !p, !t, i32
  return
}

// -----

func.func @said_twice(%n: i32) {
  // expected-error @+1 {{attribute 'modifiers' is one of an op; write it in its place, not in {}}}
  %d = ptx.add "s32" %n, %n {modifiers = "u32"} : (i32, i32) -> i32
  return
}

// -----

// No way out of so many is worth a line.
func.func @hopeless(%a: f16) {
  // expected-error @+1 {{'ptx.add' op 'add.f16.f16.f16.f16.f16' is no form of add: in each, 4 of the modifiers or more have no place; tile-opt --list-instructions lists all opcodes}}
  %d = ptx.add "f16.f16.f16.f16.f16" %a, %a : (f16, f16) -> f16
  return
}
