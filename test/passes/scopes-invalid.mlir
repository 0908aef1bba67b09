// What scopes and active sets ask of kernels, shapes and layouts.

// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check
// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-expand

!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @no_size(%n: i32) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.apply' op needs the shape of the block; give the kernel known_block_size or nvvm.reqntid, or use scope(thread) (R24)}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @partial_warp(%n: i32) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{a block of 48 threads (48x1x1) has a warp that is not whole; scopes other than thread need at most 32 threads or a multiple of 32 (D19)}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @device(%n: i32) {
    %a = tile.alloc : !t
    // expected-error @+1 {{scope(warp) stands in a kernel; in other functions is scope(thread) alone}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<32x1xi32, #tile.layout<[4, 8, 1] : [1@laneid, 4@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @transposed_lanes(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #0: element (1, 0) belongs to lane 4, and lane 1 would act on it; data never crosses threads; each has its own in #tile.layout<[32] : [1@laneid]> (R55)}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

// The reference ignores an axis that the scope does not bind, where it is 0.
!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1], offset = [0@warpid]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @unbound(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #0: layout names the axis @warpid, which scope(warp) does not bind and of which the active threads have several; use a wider scope, or tile.where around it (R56, R58)}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @extents(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #0: has the leading extents (2, 32), the group axes of scope(cta) are (4, 32) here (warp, lane) (R24)}}
    tile.apply "mov.b32"(%a, %n) scope(cta) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @no_cluster(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : memref<1x2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
    // expected-error @+1 {{scope(cluster) needs a cluster; give the kernel known_cluster_size or nvvm.cluster_dim (R25)}}
    tile.apply "mov.b32"(%a, %n) scope(cluster) : memref<1x2x32x1xi32, #tile.layout<[2, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>, i32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @beyond() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'tile.where' op warps(1 to 4) is not in the block, which has warps 0 to 2}}
    tile.where warps(1 to 4) {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @contradiction() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    tile.where lanes(0 to 8) {
      // expected-error @+1 {{'tile.where' op no lane is in the ranges of this and the enclosing tile.where (D20)}}
      tile.where lanes(8 to 16) {
      }
    }
    gpu.return
  }
}

// -----

// Two words of one thread in one register, wherever that is in the tile (R61).
!t = memref<32x2x1xi32, #tile.layout<[32, 2, 1] : [1@laneid, 0, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @overlap(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #0 (d): repeats (0, 0) and (0, 1) both write register 0; destination slots must not overlap (R61)}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  // expected-error @+1 {{'gpu.func' op has nvvm.maxntid, which bounds the block, and ops over its threads, which need its shape; give it nvvm.reqntid instead (R24)}}
  gpu.func @bound(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.maxntid = array<i32: 64>} {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
    gpu.return
  }
}

// -----

// A block of the grid has a place in its cluster, too (R45).
!t = memref<2x32x1xi32, #tile.layout<[2, 32, 1] : [1@cbx, 1@laneid, 1], offset = [0@bx]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @twice(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #0 (d): layout names @cbx and @bx, which count the same threads; use one of them (R45)}}
    tile.apply "mov.b32"(%a, %n) scope(cta) : !t, i32
    gpu.return
  }
}
