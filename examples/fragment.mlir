// A 16x16 tile of floats, as the lanes of a warp hold a matrix fragment: eight rows of four lanes, two neighbours a lane
// in each quarter. Each of four warps scales one; then the lower half of warp 2 scales its own once more.
//
// Registers belong to the lane that acts, in every layout; which elements these are is said by the layout of memory.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!matrices = memref<4x16x16xf32, 1>
// Axes: warp, lane, quarter, neighbour. Iters: warp; row and column pair of the lane; the quarter below, the one to the
// right; the neighbour.
!memory = memref<4x32x4x2xf32, #tile.layout<[4, 8, 4, 2, 2, 2] : [256, 16, 2, 128, 8, 1]>, 1>
!fragment = memref<4x32x4x2xf32, #tile.layout<[4, 32, 8] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
!singles = memref<4x32x8x1xf32, #tile.layout<[4, 32, 8] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
!some = memref<1x16x8x1xf32, #tile.layout<[16, 8] : [1@laneid, 1], offset = [2@warpid]>, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @scale(%in: !matrices {llvm.align = 8 : i32}, %out: !matrices {llvm.align = 8 : i32}, %by: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %from = tile.view %in : !matrices to !memory
    %to = tile.view %out : !matrices to !memory
    %a = tile.alloc : !fragment
    %x = tile.view %a : !fragment to !singles
    tile.apply "ld.global.v2.b32"(%a, %from) scope(cta) : !fragment, !memory
    tile.apply "mul.rn.f32"(%x, %x, %by) scope(cta) : !singles, !singles, f32
    // Inside, the axes are those of one warp and sixteen lanes: a slice has what these threads have.
    %s = tile.slice %x[2, 0, 0, 0] [1, 16, 8, 1] : !singles to !some
    tile.where warps(2 to 3) lanes(0 to 16) {
      tile.apply "mul.rn.f32"(%s, %s, %by) scope(cta) : !some, !some, f32
    }
    tile.apply "st.global.v2.b32"(%to, %a) scope(cta) : !memory, !fragment
    gpu.return
  }
}

// CHECK:          .reqntid 128, 1, 1
// CHECK-COUNT-4:  ld.global.v2.b32
// CHECK-COUNT-16: mul.rn.f32
// CHECK-COUNT-4:  st.global.v2.b32
// CHECK-NOT:      .v2
