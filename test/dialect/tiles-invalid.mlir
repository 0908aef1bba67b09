// What tile.alloc, tile.view, tile.slice, tile.read, tile.write and tile.where refuse, and what no layout may be.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

// R31: registers are private.
func.func @alloc_in_memory() {
  // expected-error @+1 {{'tile.alloc' op is in global memory, a register tile is in #gpu.address_space<private> (R31)}}
  %a = tile.alloc : memref<4x1xi32, 1>
  return
}

// -----

func.func @alloc_dynamic() {
  // expected-error @+1 {{'tile.alloc' op result: extent of axis 0 is dynamic; the extents of a tile are constants (R16)}}
  %a = tile.alloc : memref<?x1xi32, #gpu.address_space<private>>
  return
}

// -----

func.func @alloc_huge() {
  // expected-error @+1 {{'tile.alloc' op spans 4294967296 registers, more than the 16777216 of one tile (R47)}}
  %a = tile.alloc : memref<4294967296x1xi32, #gpu.address_space<private>>
  return
}

// -----

// A small tile may span as much.
func.func @alloc_far() {
  // expected-error @+1 {{'tile.alloc' op spans 1000000000000001 registers}}
  %a = tile.alloc : memref<2x1xi32, strided<[1000000000000000, 1]>, #gpu.address_space<private>>
  return
}

// -----

// R52
func.func @alloc_swizzled() {
  // expected-error @+1 {{'tile.alloc' op a swizzled layout is for memory operands only (R52)}}
  %a = tile.alloc : memref<4x1xi32, #tile.swizzle<<[4] : [1]>, per_element = 0, swizzle = 1, atom = 1>, #gpu.address_space<private>>
  return
}

// -----

func.func @alloc_tensor_of_nothing() {
  // expected-error @+1 {{'tile.alloc' op result: type index is no type of a register; use i32 or i64}}
  %a = tile.alloc : memref<4x1xindex, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
// R53: a view holds the bits of its source, and stays in its storage.
func.func @view_of_another_size(%a: !t) {
  // expected-error @+1 {{'tile.view' op views 4 elements of 32 bits as 2 of 32; source and result must hold the same bits (R53)}}
  %v = tile.view %a : !t to memref<2x1xi32, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @view_beyond(%a: !t) {
  // expected-error @+1 {{'tile.view' op result spans 7 elements of 32 bits, the source has 4 of 32; a view stays in its storage (R53)}}
  %v = tile.view %a : !t to memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @view_elsewhere(%a: !t) {
  // expected-error @+1 {{'tile.view' op views registers as global memory; a view stays where its source is (R53)}}
  %v = tile.view %a : !t to memref<4x1xi32, 1>
  return
}

// -----

!t = memref<8x1xi1, #gpu.address_space<private>>
func.func @view_of_bits(%a: !t) {
  // expected-error @+1 {{'tile.view' op views elements of 1 bits as elements of 8; both are whole bytes (R53)}}
  %v = tile.view %a : !t to memref<1x1xi8, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
// R53: layouts count from the storage, and a view of a slice stays in the slice.
func.func @view_out_of_a_slice(%a: !t) {
  %s = tile.slice %a[2, 0] [2, 1] : !t to memref<2x1xi32, strided<[1, 1], offset: 2>, #gpu.address_space<private>>
  // expected-error @+1 {{'tile.view' op result has element 0 of the storage, which the source has not; layouts count from the storage, and the source begins at its element 2 (R53)}}
  %v = tile.view %s : memref<2x1xi32, strided<[1, 1], offset: 2>, #gpu.address_space<private>> to memref<1x2xi32, #gpu.address_space<private>>
  return
}

// -----

func.func @view_of_gaps(%a: memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>) {
  // expected-error @+1 {{'tile.view' op result has element 0 of the storage, which the source has not}}
  %v = tile.view %a : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>> to memref<1x1xi64, #gpu.address_space<private>>
  return
}

// -----

// Of a tile over threads, a view has what this thread has.
func.func @view_over_threads(%a: memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>) {
  // expected-error @+1 {{'tile.view' op of each thread: views 1 elements of 32 bits as 32 of 32; source and result must hold the same bits (R53)}}
  %v = tile.view %a : memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>> to memref<32xi32, #tile.layout<[32] : [0]>, #gpu.address_space<private>>
  return
}

// -----

func.func @read_over_threads(%a: memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>) {
  // expected-error @+1 {{'tile.read' op layout names the axis @laneid; its elements are those of several threads; take a tile.view of this thread's own (R55)}}
  %e = tile.read %a[3, 0] : memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
  return
}

// -----

// Types that no register has.
func.func @alloc_of_odd_width() {
  // expected-error @+1 {{'tile.alloc' op result: type i24 is no type of a register; registers have 1, 8, 16, 32, 64 or 128 bits, and hold integers, floats and vectors of these (R70)}}
  %a = tile.alloc : memref<4x1xi24, #gpu.address_space<private>>
  return
}

// -----

func.func @alloc_of_odd_vectors() {
  // expected-error @+1 {{type vector<3xi32> is no type of a register}}
  %a = tile.alloc : memref<4x1xvector<3xi32>, #gpu.address_space<private>>
  return
}

// -----

// In generic form: as many index operands as there are dynamic indices; MLIR's printer relies on it.
func.func @indices(%a: memref<4x1xi32, #gpu.address_space<private>>) {
  // expected-error @+1 {{'tile.read' op has 0 index operands, its static_indices leave 1 to them}}
  %e = "tile.read"(%a) <{static_indices = array<i64: 0, -9223372036854775808>}> : (memref<4x1xi32, #gpu.address_space<private>>) -> i32
  return
}

// -----

func.func @indices_of_a_write(%a: memref<4x1xi32, #gpu.address_space<private>>, %n: i32, %i: index) {
  // expected-error @+1 {{'tile.write' op has 1 index operands, its static_indices leave 0 to them}}
  "tile.write"(%n, %a, %i) <{static_indices = array<i64: 0, 0>}> : (i32, memref<4x1xi32, #gpu.address_space<private>>, index) -> ()
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
// 9, R36: the region lies inside of the tile.
func.func @slice_beyond(%a: !t) {
  // expected-error @+1 {{'tile.slice' op element (1, 0) of the result is outside of the source of shape (4, 1) (R36)}}
  %s = tile.slice %a[3, 0] [2, 1] : !t to memref<2x1xi32, strided<[1, 1], offset: 3>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @slice_before(%a: !t) {
  // expected-error @+1 {{'tile.slice' op element (0, 0) of the result is outside of the source}}
  %s = tile.slice %a[-1, 0] [2, 1] : !t to memref<2x1xi32, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
// R21: the result's layout is that of the region.
func.func @slice_misplaced(%a: !t) {
  // expected-error @+1 {{'tile.slice' op result layout puts element (0, 0) elsewhere than the source does; wanted strided<[1, 1], offset: 2>}}
  %s = tile.slice %a[2, 0] [2, 1] : !t to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @slice_of_another_shape(%a: !t) {
  // expected-error @+1 {{'tile.slice' op has extents (2, 1), its result type (4, 1); they must be the same}}
  %s = tile.slice %a[0, 0] [2, 1] : !t to memref<4x1xi32, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @slice_of_another_rank(%a: !t) {
  // expected-error @+1 {{'tile.slice' op has 1 begins and 1 extents for a tile of rank 2; an axis that is one element stays, with extent 1 (R20)}}
  %s = tile.slice %a[0] [2] : !t to memref<2xi32, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @begin_is_no_constant(%a: !t, %i: index) {
  // expected-error @+1 {{'tile.slice' op offset of the result is a constant, and a begin is a value, so that it is ?; wanted strided<[1, 1], offset: ?>}}
  %s = tile.slice %a[%i, 0] [2, 1] : !t to memref<2x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @begins_are_constants(%a: !t) {
  // expected-error @+1 {{'tile.slice' op offset of the result is ?, and all begins are constants; wanted strided<[1, 1], offset: 1>}}
  %s = tile.slice %a[1, 0] [2, 1] : !t to memref<2x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
  return
}

// -----

// Wherever a region begins, its elements lie as far from each other as the source has them.
!t = memref<4x2xi32, #tile.layout<[4, 2] : [2, 1]>, #gpu.address_space<private>>
func.func @other_layout_at_any_begin(%a: !t, %i: index) {
  // expected-error @+1 {{'tile.slice' op result layout puts element (0, 1) elsewhere than the source does; wanted strided<[2, 1], offset: ?>}}
  %s = tile.slice %a[%i, 0] [2, 2] : !t to memref<2x2xi32, #tile.layout<[2, 2] : [1, 2], offset = [?]>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<64x64xi16, #tile.swizzle<<[64, 64] : [64, 1]>, per_element = 3, swizzle = 3, atom = 3>, 3>
func.func @other_swizzle(%a: !t, %i: index) {
  // expected-error @+1 {{'tile.slice' op result has another swizzle than the source}}
  %s = tile.slice %a[%i, 0] [8, 64] : !t to memref<8x64xi16, #tile.layout<[8, 64] : [64, 1], offset = [?]>, 3>
  return
}

// -----

!s = memref<2x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
func.func @view_begins_where_its_source_does(%a: !s) {
  // expected-error @+1 {{'tile.view' op offset of the source is no constant, that of the result is a constant; a view begins where its source does (R53)}}
  %v = tile.view %a : !s to memref<1x2xi32, #gpu.address_space<private>>
  return
}

// -----

func.func @registers_begin_at_a_constant() {
  // expected-error @+1 {{'tile.alloc' op layout has an offset that is no constant; registers begin at a constant}}
  %a = tile.alloc : memref<2x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<6x1xi32, #tile.layout<[3, 2] : [1, 8]>, #gpu.address_space<private>>
// A region that straddles iters is no layout.
func.func @slice_that_no_layout_describes(%a: !t) {
  // expected-error @+1 {{'tile.slice' op no layout describes 4 elements from 1 of axis 0: they must fill runs of 2 or lie in one; take several slices that do}}
  %s = tile.slice %a[1, 0] [4, 1] : !t to memref<4x1xi32, strided<[1, 1], offset: 8>, #gpu.address_space<private>>
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @read_beyond(%a: !t) {
  // expected-error @+1 {{'tile.read' op index 4 on axis 0 is outside of 0 to 3 (R36)}}
  %e = tile.read %a[4, 0] : !t
  return
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
func.func @write_of_another_rank(%a: !t, %e: i32) {
  // expected-error @+1 {{'tile.write' op has 1 indices for a tile of rank 2}}
  tile.write %e, %a[1] : !t
  return
}

// -----

func.func @read_of_memory(%a: memref<4x1xi32, 1>) {
  // expected-error @+1 {{'tile.read' op is in global memory, a register tile is in #gpu.address_space<private> (R31)}}
  %e = tile.read %a[1, 0] : memref<4x1xi32, 1>
  return
}

// -----

func.func @where() {
  // expected-error @+1 {{'tile.where' op lanes(16 to 16) is empty or begins below 0; ranges are half-open}}
  tile.where lanes(16 to 16) {
  }
  return
}

// -----

// R43: the shape is admitted.
// expected-error @+1 {{shape 4x1 has 4 elements, the layout has 8}}
func.func @not_admitted(%a: memref<4x1xi32, #tile.layout<[8] : [1]>>) {
  return
}

// -----

// D15: extents are positive.
// expected-error @+1 {{shard extent 0 at position 0 must be positive}}
func.func @no_extent(%a: memref<0xi32, #tile.layout<[0] : [1]>>) {
  return
}

// -----

// D18: strides are not negative.
// expected-error @+1 {{shard stride -1 at position 0 must not be negative}}
func.func @negative_stride(%a: memref<4xi32, #tile.layout<[4] : [-1]>>) {
  return
}

// -----

// expected-error @+1 {{offset -1 at position 0 must not be negative}}
func.func @negative_offset(%a: memref<4xi32, #tile.layout<[4] : [1], offset = [-1]>>) {
  return
}

// -----

// D22: the axes are known.
// expected-error @+1 {{unknown axis '@lane'; a layout has m, laneid, warpid, wgid, wid_in_wg, tid_in_wg, tx, cbx, cby, cbz, bx, by, bz}}
func.func @unknown_axis(%a: memref<4xi32, #tile.layout<[4] : [1@lane]>>) {
  return
}

// -----

// D15: as many strides as extents.
// expected-error @+1 {{layout has 2 extents and 1 strides}}
func.func @lengths(%a: memref<4xi32, #tile.layout<[2, 2] : [1]>>) {
  return
}

// -----

// expected-error @+1 {{span of axis m is above 9223372036854775807}}
func.func @overflow(%a: memref<4xi32, #tile.layout<[4] : [9223372036854775807]>>) {
  return
}

// -----

// R49: the atom is at least the swizzle.
// expected-error @+1 {{swizzle atom 1 must be at least the swizzle length 2}}
func.func @swizzle_order(%a: memref<4xi32, #tile.swizzle<<[4] : [1]>, per_element = 0, swizzle = 2, atom = 1>, 3>) {
  return
}

// -----

// expected-error @+1 {{offset at position 0 is no constant, on axis laneid it must be}}
func.func private @threads_begin_at_a_constant(memref<2x1xi32, #tile.layout<[2, 1] : [1@laneid, 1], offset = [?@laneid]>>)

// -----

!a = memref<32x2x1xi32, #tile.layout<[32, 2, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>
!b = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
func.func @spread_anew(%a: !a) {
  // expected-error @+1 {{'tile.view' op source is spread over @laneid, the result over @laneid and @warpid; a view leaves its registers where they are: spread the result over @laneid, or allocate a tile for the scope that it is used at (R53)}}
  %v = tile.view %a : !a to !b
  return
}

// -----

!a = memref<16x2x1xi32, #tile.layout<[16, 2, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>
!b = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
func.func @more_threads(%a: !a) {
  // expected-error @+1 {{'tile.view' op result is spread over threads that have nothing of the source; a view leaves its registers where they are (R53)}}
  %v = tile.view %a : !a to !b
  return
}

// -----

!a = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
!b = memref<32x1xi64, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
func.func @wider_than_a_thread_has(%a: !a) {
  // expected-error @+1 {{'tile.view' op of each thread: views 1 elements of 32 bits as 1 of 64; source and result must hold the same bits (R53)}}
  %v = tile.view %a : !a to !b
  return
}

// -----

// Elements stay with their threads: a slice names the axes of its source, also where it is at one place of them.
!a = memref<2x32x1xi32, #tile.layout<[2, 32] : [1@warpid, 1@laneid]>, #gpu.address_space<private>>
func.func @slice_that_forgets_the_warp(%a: !a) {
  // expected-error @+1 {{'tile.slice' op result layout names other threads or copies than the source, wanted #tile.layout<[32] : [1@laneid], offset = [0@warpid]>; a slice leaves its elements with them (R55)}}
  %s = tile.slice %a[0, 0, 0] [1, 32, 1] : !a to memref<1x32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
  return
}

// -----

!a = memref<32x1xi32, #tile.layout<[32] : [1@laneid], replica = [2 : 1@warpid]>, #gpu.address_space<private>>
func.func @slice_that_forgets_copies(%a: !a) {
  // expected-error @+1 {{names other threads or copies than the source, wanted #tile.layout<[32] : [1@laneid], replica = [2 : 1@warpid]>}}
  %s = tile.slice %a[0, 0] [32, 1] : !a to memref<32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
  return
}

// -----

!a = memref<32x4x1xi32, #tile.layout<[32, 4] : [1@laneid, 1]>, #gpu.address_space<private>>
func.func @slice_that_chooses_a_thread(%a: !a, %i: index) {
  // Along the second axis all is one thread's.
  %own = tile.slice %a[0, %i, 0] [32, 1, 1] : !a to memref<32x1x1xi32, #tile.layout<[32] : [1@laneid], offset = [?]>, #gpu.address_space<private>>
  // expected-error @+1 {{'tile.slice' op begin of axis 0 is a value, and the elements along that axis belong to several threads; take a constant, or a tile.view of this thread's own registers (R55)}}
  %s = tile.slice %a[%i, 0, 0] [1, 4, 1] : !a to memref<1x4x1xi32, #tile.layout<[4] : [1], offset = [?, 0@laneid]>, #gpu.address_space<private>>
  return
}

// -----

func.func @range_of_one_number() {
  // expected-error @+1 {{'tile.where' op warps has 1 numbers; a range has its begin and its end}}
  "tile.where"() <{lanes = array<i64: 0, 3>, warps = array<i64: 3>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @range_in_two_places() {
  // expected-error @+1 {{attribute 'lanes' is one of an op; write it in its place, not in {}}}
  tile.where lanes(0 to 3) attributes {lanes = array<i64: 0, 1>} {
  }
  return
}

// -----

func.func @body_with_an_end() {
  // expected-error @+1 {{'tile.where' op has 'llvm.unreachable' in its body, which has no terminator: its threads go on behind it}}
  tile.where lanes(0 to 3) {
    llvm.unreachable
  }
  return
}

// -----

// expected-error @+1 {{offset -9223372036854775808 must not be negative}}
func.func private @least_offset(memref<4xi32, #tile.layout<[4] : [1], offset = [-9223372036854775808]>>)

// -----

// expected-error @+1 {{integer of 30 digits does not fit 64 bits}}
func.func private @f(memref<4xi32, #tile.layout<[4] : [111111111111111111111111111111]>>)
