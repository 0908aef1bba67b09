// The threads of a cluster of two blocks number themselves: the block comes first, then the warp and the lane.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!memory = memref<2x2x32x1xi32, #gpu.address_space<global>>
!numbers = memref<2x2x32x1xi32, #tile.layout<[2, 64, 1] : [1@cbx, 1@tx, 1]>, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @number(%out: !memory) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c64 = arith.constant 64 : i32
    %block = ptx.mov "u32" special "cluster_ctarank" : () -> i32
    %thread = ptx.mov "u32" special "tid.x" : () -> i32
    %before = arith.muli %block, %c64 : i32
    %number = arith.addi %before, %thread : i32
    %numbers = tile.alloc : !numbers
    tile.apply "mov.b32"(%numbers, %number) scope(cluster) : !numbers, i32
    tile.apply "st.global.b32"(%out, %numbers) scope(cluster) : !memory, !numbers
    gpu.return
  }
}

// CHECK: .reqnctapercluster 2
// CHECK: %cluster_ctarank
// CHECK: mov.b32
// CHECK: st.global.b32
