// The checks of the contract's section 15 that tile.apply makes by itself, by row of that table.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

!t = memref<4x1xi32, #gpu.address_space<private>>

// 1, R3: the opcode is complete, and every modifier is one of the instruction's.
func.func @unknown_instruction(%a: !t) {
  // expected-error @+1 {{'tile.apply' op unknown instruction 'mvo'; near it are mov,}}
  tile.apply "mvo.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @unknown_modifier(%a: !t) {
  // expected-error @+1 {{'mov.b33': mov has no modifier '.b33'; write .b32}}
  tile.apply "mov.b33"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @incomplete(%a: !t) {
  // expected-error @+1 {{'st.b32' lacks its state space: .global}}
  tile.apply "st.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @twice(%a: !t) {
  // expected-error @+1 {{'mov.b32.b32' is no form of mov: take out the second .b32}}
  tile.apply "mov.b32.b32"(%a, %a) : !t, !t
  return
}

// -----

// No text of a user reaches the assembler unchecked.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @dollar(%a: !t) {
  // expected-error @+1 {{opcode must match [a-z][A-Za-z0-9_.:]*, found "mov.b32$x"}}
  tile.apply "mov.b32$x"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @newline(%a: !t) {
  // expected-error @+1 {{found "mov.b32\n"}}
  tile.apply "mov.b32\0A"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @nul(%a: !t) {
  // expected-error @+1 {{found "mov.b32\u{0}"}}
  tile.apply "mov.b32\00"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @quotes(%a: !t) {
  // expected-error @+1 {{found "mov.b32\"; ret;"}}
  tile.apply "mov.b32\"; ret;"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @not_ascii(%a: !t) {
  // expected-error @+1 {{found "mov.b\u{b3}2"}}
  tile.apply "mov.b³2"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @not_utf8(%a: !t) {
  // expected-error @+1 {{found "mov.b\u{fffd}32"}}
  tile.apply "mov.b\FF32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @empty(%a: !t) {
  // expected-error @+1 {{opcode must match [a-z][A-Za-z0-9_.:]*, found ""}}
  tile.apply ""(%a, %a) : !t, !t
  return
}

// -----

// R22: group axes come first.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @scope(%a: !t) {
  // expected-error @+1 {{tiles have 1 axes before the registers of the instruction, scope(cta) has 2 group axes there at least (R22)}}
  tile.apply "mov.b32"(%a, %a) scope(cta) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @no_scope(%a: !t) {
  // expected-error @+1 {{unknown scope 'block'; there are thread, warp, warpgroup, cta and cluster (R8)}}
  tile.apply "mov.b32"(%a, %a) scope(block) : !t, !t
  return
}

// -----

// 3, R6 and R15: operand count and last extents choose one form.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @count(%a: !t) {
  // expected-error @+1 {{mov.b32 takes the operands (d, a), found 3}}
  tile.apply "mov.b32"(%a, %a, %a) : !t, !t, !t
  return
}

// -----

func.func @no_operands() {
  // expected-error @+1 {{mov.b32 takes the operands (d, a), found 0}}
  "tile.apply"() <{opcode = "mov.b32", operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  return
}

// -----

!t = memref<4x3xi32, #gpu.address_space<private>>
func.func @no_form(%a: !t) {
  // expected-error @+1 {{mov.b32 has no form with last extents (3, 3); they are the registers of each operand: (1, 1), (1, 2), (1, 4), (2, 1) or (4, 1); tiles of single registers end in an extent of 1, as 4x1 does (R6, R15)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4xi32, #gpu.address_space<private>>
func.func @no_atom_axis(%a: !t) {
  // expected-error @+1 {{mov.b32 has no form with last extents (4, 4)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<i32, #gpu.address_space<private>>
func.func @rank_zero(%a: !t) {
  // expected-error @+1 {{operand #0 (d) has rank 0; its last axis must be the registers of the instruction (R15)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// R19, R33: a destination is a tile, and a group is no scalar.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @scalar_destination(%a: !t, %n: i32) {
  // expected-error @+1 {{operand #0 (d) must be a tile, found a scalar i32 (R19, R105)}}
  tile.apply "mov.b32"(%n, %a) : i32, !t
  return
}

// -----

// R105: a scalar value is not stored directly.
!t = memref<4x1xi32, 1>
func.func @scalar_store(%a: !t, %n: i32) {
  // expected-error @+1 {{operand #1 (b) must be a tile, found a scalar i32; tile.write or mov puts that into one (R19, R105)}}
  tile.apply "st.global.b32"(%a, %n) : !t, i32
  return
}

// -----

// 4, R31 and R107: where each operand lives.
!t = memref<4x1xi32, 1>
func.func @memory_for_registers(%a: !t) {
  // expected-error @+1 {{operand #0 (d): is in global memory, mov.b32 takes registers there; use a tile in #gpu.address_space<private> (R31)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, #gpu.address_space<workgroup>>
func.func @wrong_state_space(%a: !t, %m: !m) {
  // expected-error @+1 {{operand #1 (a): is in shared memory, ld.global.b32 wants global memory (R107)}}
  tile.apply "ld.global.b32"(%a, %m) : !t, !m
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 2>
func.func @no_state_space(%a: !t, %m: !m) {
  // expected-error @+1 {{operand #1: memory space 2 is none of NVPTX that a tile may be in}}
  tile.apply "ld.global.b32"(%a, %m) : !t, !m
  return
}

// -----

!t = memref<4x1xi32, 5>
func.func @private_by_number(%a: !t) {
  // expected-error @+1 {{operand #0: memory space 5 is none of NVPTX that a tile may be in: 0 generic, 1 global, 3 shared, 4 const, or #gpu.address_space<private> for registers (R32)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 5, R48 and D16: no replicas on operands.
!t = memref<4x1xi32, #tile.layout<[4] : [1], replica = [2 : 4]>, #gpu.address_space<private>>
func.func @replicas(%a: !t) {
  // expected-error @+1 {{operand #0 (d): layout has replicas}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 5, R52: swizzles are for memory.
!t = memref<4x1xi32, #tile.swizzle<<[4] : [1]>, per_element = 0, swizzle = 1, atom = 1>, #gpu.address_space<private>>
func.func @swizzled_registers(%a: !t) {
  // expected-error @+1 {{operand #0 (d): a swizzled layout is for memory operands only (R52)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 5: a layout that neither strides nor a tile layout describe.
!t = memref<4x1xi32, affine_map<(i, j) -> (i floordiv 2, j)>, #gpu.address_space<private>>
func.func @affine(%a: !t) {
  // expected-error @+1 {{operand #0: layout affine_map<(d0, d1) -> (d0 floordiv 2, d1)> is neither strided nor a tile layout}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 5, D18: no negative strides.
!t = memref<4x1xi32, strided<[-1, 1], offset: 3>, #gpu.address_space<private>>
func.func @negative_stride(%a: !t) {
  // expected-error @+1 {{operand #0: shard stride -1 at position 0 must not be negative}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 6, R16: extents are static and positive.
!t = memref<?x1xi32, #gpu.address_space<private>>
func.func @dynamic_extent(%a: !t) {
  // expected-error @+1 {{operand #0: extent of axis 0 is dynamic; the extents of a tile are constants (R16)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<0x1xi32, #gpu.address_space<private>>
func.func @no_elements(%a: !t) {
  // expected-error @+1 {{operand #0: shard extent 0 at position 0 must be positive}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, strided<[?, 1]>, #gpu.address_space<private>>
func.func @dynamic_stride(%a: !t) {
  // expected-error @+1 {{operand #0: layout has a stride that is no constant; the strides of a tile are constants (R36)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// Huge tiles are refused before anything is counted.
!t = memref<1099511627776x1xi32, #gpu.address_space<private>>
func.func @huge(%a: !t) {
  // expected-error @+1 {{operand #0 (d): has 1099511627776 words, more than the 16777216 of one operand; split the application}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<9223372036854775807x9223372036854775807x1xi32, #gpu.address_space<private>>
func.func @overflowing(%a: !t) {
  // expected-error @+1 {{operand #0: shard extents have a product above 9223372036854775807}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, strided<[9223372036854775807, 1]>, #gpu.address_space<private>>
func.func @overflowing_stride(%a: !t) {
  // expected-error @+1 {{operand #0: span of axis m is above 9223372036854775807}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 8, R17: no broadcasting.
!t = memref<4x1xi32, #gpu.address_space<private>>
!u = memref<1x1xi32, #gpu.address_space<private>>
func.func @repeats(%a: !t, %b: !u) {
  // expected-error @+1 {{operand #1 (a): repeats (1) differ from the (4) of operand #0; all tiles have the same (R17)}}
  tile.apply "mov.b32"(%a, %b) : !t, !u
  return
}

// -----

// 10, R58: no thread axis at thread scope, not even one that is zero.
!t = memref<4x1xi32, #tile.layout<[4, 1] : [1, 0@laneid]>, #gpu.address_space<private>>
func.func @thread_axis(%a: !t) {
  // expected-error @+1 {{operand #0 (d): layout names the axis @laneid, which scope(thread) does not bind; write scope(warp) after the operands, or use a layout over m (R58)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// R58: the scope that has all axes, and axes that none has.
!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
func.func @of_warpid(%a: !t) {
  // expected-error @+1 {{layout names the axis @warpid, which scope(thread) does not bind; write scope(cta)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<4x32x1xi32, #tile.layout<[128, 1] : [1@tid_in_wg, 1]>, #gpu.address_space<private>>
func.func @of_tid_in_wg(%a: !t) {
  // expected-error @+1 {{layout names the axis @tid_in_wg, which scope(thread) does not bind; write scope(warpgroup)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<64x1xi32, #tile.layout<[64, 1] : [1@tx, 1]>, #gpu.address_space<private>>
func.func @of_tx(%a: !t) {
  // expected-error @+1 {{layout names the axis @tx, which scope(thread) does not bind; write scope(cta)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@cbx, 1@laneid, 1]>, #gpu.address_space<private>>
func.func @of_cbx(%a: !t) {
  // expected-error @+1 {{layout names the axis @cbx, which scope(thread) does not bind; write scope(cluster)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@bx, 1@laneid, 1]>, #gpu.address_space<private>>
func.func @of_bx(%a: !t) {
  // expected-error @+1 {{layout names the axis @bx, which no scope binds; use a layout over m (R58)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

// 11, R61 and R63: destination slots are distinct, by exact enumeration.
!t = memref<2x3x1xi32, strided<[1, 1, 1]>, #gpu.address_space<private>>
func.func @overlap(%a: !t) {
  // expected-error @+1 {{operand #0 (d): repeats (0, 1) and (1, 0) both write register 1; destination slots must not overlap (R61)}}
  tile.apply "mov.b32"(%a, %a) : !t, !t
  return
}

// -----

!t = memref<2x2xi32, strided<[2, 0]>, #gpu.address_space<private>>
!w = memref<2x1xi64, #gpu.address_space<private>>
func.func @overlap_of_words(%a: !t, %w: !w) {
  // expected-error @+1 {{operand #0 (d): words 0 and 1 of repeat (0) both write register 0; destination slots must not overlap (R61)}}
  tile.apply "mov.b64"(%a, %w) : !t, !w
  return
}

// -----

// 12, R70: width and type.
!t = memref<4x1xi32, #gpu.address_space<private>>
!w = memref<4x1xi64, #gpu.address_space<private>>
func.func @width(%a: !t, %w: !w) {
  // expected-error @+1 {{operand #1 (a): element type i64 is 64 bits wide, mov.b32 takes 32; use i32 or a tile.view (R70)}}
  tile.apply "mov.b32"(%a, %w) : !t, !w
  return
}

// -----

!f = memref<4x1xf32, #gpu.address_space<private>>
func.func @float_in_integer(%a: !f) {
  // expected-error @+1 {{operand #0 (d): element type f32 is none of those that mov.u32 takes: i32; use mov.b32 or a tile.view (R70)}}
  tile.apply "mov.u32"(%a, %a) : !f, !f
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @index(%a: !t, %i: index) {
  // expected-error @+1 {{operand #1: type index is no type of a register; use i32 or i64}}
  tile.apply "mov.b32"(%a, %i) : !t, index
  return
}

// -----

!t = memref<4x1xsi32, #gpu.address_space<private>>
func.func @signed(%a: !t) {
  // expected-error @+1 {{operand #0: type si32 is no type of a register; use the signless type of its width}}
  tile.apply "mov.s32"(%a, %a) : !t, !t
  return
}

// -----

// R108: memory has the width of the opcode too.
!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi16, 1>
func.func @memory_width(%a: !t, %m: !m) {
  // expected-error @+1 {{operand #1 (a): element type i16 is 16 bits wide, ld.global.b32 takes 32; use i32 or a tile.view (R108)}}
  tile.apply "ld.global.b32"(%a, %m) : !t, !m
  return
}

// -----

// 13, R112: the elements of an instruction are consecutive.
!t = memref<4x2xi32, #gpu.address_space<private>>
!m = memref<4x2xi32, strided<[8, 2]>, 1>
func.func @not_consecutive(%a: !t, %m: !m) {
  // expected-error @+1 {{operand #1 (a): repeat (0): element 1 lies 2 elements from element 0; the 2 elements of an instruction must be consecutive (R112)}}
  tile.apply "ld.global.v2.b32"(%a, %m) : !t, !m
  return
}

// -----

// 15, R78: what preserve_dst needs.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @preserve_without_pred(%a: !t) {
  // expected-error @+1 {{preserving the destination needs a predicate; add pred(...) (R78)}}
  tile.apply "mov.b32"(%a, %a) preserve_dst : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 1>
func.func @preserve_of_a_store(%a: !t, %m: !m, %p: i1) {
  // expected-error @+1 {{st.global.b32 writes no register to preserve (R78)}}
  tile.apply "st.global.b32"(%m, %a) pred(%p) preserve_dst : !m, !t
  return
}

// -----

// R94: what sink may name.
!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @sink_of_a_copy(%a: !t) {
  // expected-error @+1 {{sink needs words that PTX can discard, mov.b32 (copy) has none (R94)}}
  tile.apply "mov.b32"(%a, %a) sink [0] : !t, !t
  return
}

// -----

!t = memref<2x2xi32, #gpu.address_space<private>>
!w = memref<2x1xi64, #gpu.address_space<private>>
func.func @sink_of_all(%a: !t, %w: !w) {
  // expected-error @+1 {{sink [0, 1] discards every word of (d); keep one (R94)}}
  tile.apply "mov.b64"(%a, %w) sink [0, 1] : !t, !w
  return
}

// -----

!t = memref<2x4xi16, #gpu.address_space<private>>
!w = memref<2x1xi64, #gpu.address_space<private>>
func.func @sink_in_disorder(%a: !t, %w: !w) {
  // expected-error @+1 {{sink [2, 1] must name words 0 to 3 of (d), ascending, each once (R94)}}
  tile.apply "mov.b64"(%a, %w) sink [2, 1] : !t, !w
  return
}

// -----

// R111: a cache policy stands where the opcode has the hint.
!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 1>
func.func @no_hint(%a: !t, %m: !m, %policy: i64) {
  // expected-error @+1 {{'tile.apply' op ld.global.b32 takes no cache policy; take cache_policy out or write ld.global.L2::cache_hint.b32 (R111)}}
  tile.apply "ld.global.b32"(%a, %m) cache_policy(%policy) : !t, !m
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @no_such_hint(%a: !t, %n: i32, %policy: i64) {
  // expected-error @+1 {{'tile.apply' op mov.b32 takes no cache policy; take cache_policy out (R111)}}
  tile.apply "mov.b32"(%a, %n) cache_policy(%policy) : !t, i32
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 1>
func.func @no_policy(%a: !t, %m: !m) {
  // expected-error @+1 {{'tile.apply' op st.global.wt.L2::cache_hint.b32 takes a cache policy; add cache_policy(...) or write st.global.wt.b32 (R111)}}
  tile.apply "st.global.L2::cache_hint.wt.b32"(%m, %a) : !m, !t
  return
}

// -----

// The policy is no word: the operands are counted without it.
!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 1>
func.func @policy_as_word(%a: !t, %m: !m, %policy: i64) {
  // expected-error @+1 {{'tile.apply' op ld.global.L2::cache_hint.b32 takes the operands (d, a), found 3}}
  tile.apply "ld.global.L2::cache_hint.b32"(%a, %m, %policy) cache_policy(%policy) : !t, !m, i64
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
!m = memref<4x1xi32, 1>
func.func @narrow_policy(%a: !t, %m: !m, %policy: i32) { // expected-note {{prior use here}}
  // expected-error @+1 {{use of value '%policy' expects different type than prior uses: 'i64' vs 'i32'}}
  tile.apply "ld.global.L2::cache_hint.b32"(%a, %m) cache_policy(%policy) : !t, !m
  return
}

// -----

// A forgotten 1 chooses a form with groups by the extent.
!t = memref<4xi32, #gpu.address_space<private>>
func.func @no_trailing_one(%a: !t, %n: i32) {
  // expected-error @+1 {{operand #0 (d): last extents make this the form 'unpack', tiles of single registers end in an extent of 1, as 4x1 does (R15); for 'unpack', element type i32 is 32 bits wide, mov.b32 (.b8 words) takes 8; use i8 or a tile.view (R70)}}
  tile.apply "mov.b32"(%a, %n) : !t, i32
  return
}

// -----

// Of an overlap nothing is said of other forms.
func.func @overlap_in_a_pair(%a: memref<2x2x1xi64, #gpu.address_space<private>>) {
  %b = tile.alloc : memref<2x2x2xi32, strided<[2, 1, 1]>, #gpu.address_space<private>>
  // expected-error-re @+1 {{operand #0 (d): repeats (0, 0) and (0, 1) both write register 1; destination slots must not overlap (R61){{$}}}}
  tile.apply "mov.b64"(%b, %a) : memref<2x2x2xi32, strided<[2, 1, 1]>, #gpu.address_space<private>>, memref<2x2x1xi64, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @unknown_clause(%a: !t, %p: i1) {
  // expected-error @+1 {{custom op 'tile.apply' unknown clause 'guard'}}
  tile.apply "mov.b32"(%a, %a) scope(thread) guard(%p) : !t, !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @clause_twice(%a: !t, %p: i1) {
  // expected-error @+1 {{`pred` clause can appear at most once}}
  tile.apply "mov.b32"(%a, %a) pred(%p) preserve_dst pred(%p) : !t, !t
  return
}
