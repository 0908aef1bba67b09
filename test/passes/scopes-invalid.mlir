// What scopes and active sets ask of kernels, shapes and layouts.

// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check
// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-expand

!t = memref<32x1xi32, #tile.layout<[32, 1] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @no_size(%n: i32) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.apply' op needs the shape of the block; give the kernel known_block_size or nvvm.reqntid (R24)}}
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
    // expected-error @+1 {{is over the threads of a block, and stands in a function that is no kernel; there is scope(thread) alone}}
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
    // expected-error @+1 {{operand #0: has the leading extents (2, 32), the group axes of scope(cta) are (4, 32) here (warp, lane); tile.where makes fewer threads active, an scf.if does not (R24)}}
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
    // expected-error @+1 {{'tile.where' op warps(1 to 4) is not in the block, which is warps(0 to 2)}}
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

// -----

// One fault, one error: inside of a range that is none nothing is said.
!t = memref<32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @outer(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'tile.where' op warps(0 to 9) is not in the block, which is warps(0 to 2)}}
    tile.where warps(0 to 9) {
      tile.where lanes(0 to 99) {
        %a = tile.alloc : !t
        tile.apply "mov.b32"(%a, %n) scope(warp) : !t, i32
      }
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  func.func @device() attributes {known_block_size = array<i32: 32, 1, 1>, gpu.kernel} {
    // expected-error @+1 {{'tile.where' op is over the threads of a block, and stands in a function that is no kernel; there is scope(thread) alone}}
    tile.where warps(0 to 1) {
    }
    return
  }
}

// -----

gpu.module @m {
  gpu.func @no_cluster(%n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{'tile.where' op ctas(...) needs a cluster; give the kernel known_cluster_size or nvvm.cluster_dim (R25)}}
    tile.where ctas(0 to 1) {
    }
    %a = tile.alloc : memref<32x1xi32, #tile.layout<[32] : [1@laneid], offset = [0@cbx]>, #gpu.address_space<private>>
    // expected-error @+1 {{operand #0: the axis @cbx of the layout needs a cluster}}
    tile.apply "mov.b32"(%a, %n) scope(warp) : memref<32x1xi32, #tile.layout<[32] : [1@laneid], offset = [0@cbx]>, #gpu.address_space<private>>, i32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @high() kernel attributes {known_block_size = array<i32: 1, 1, 96>} {
    // expected-error @+1 {{'tile.where' op a block of 1x1x96; there are at most 64 on z}}
    tile.where warps(0 to 1) {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.func @malformed() attributes {nvvm.kernel, known_block_size = array<i64: 64, 1, 1>} {
    // expected-error @+1 {{'tile.where' op is in a kernel whose known_block_size is array<i64: 64, 1, 1>; write array<i32: x, y, z>}}
    tile.where warps(0 to 1) {
    }
    llvm.return
  }
}

// -----

gpu.module @m {
  gpu.func @contradiction() kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    // expected-error @+1 {{'tile.where' op is in a kernel whose nvvm.cluster_dim is [4, 1, 1] and whose known_cluster_size is [2, 1, 1]; take one out}}
    tile.where warps(0 to 1) {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @barrier() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    tile.where warps(0 to 2) {
      gpu.barrier
    }
    tile.where lanes(0 to 16) {
      // expected-error @+1 {{'gpu.barrier' op is in a tile.where that leaves out threads of the block, which it waits for; put it behind}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!t = memref<32x3x1xi32, #tile.layout<[32, 3] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @memory(%m: memref<96xi32, 1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !t
    %v = tile.view %m : memref<96xi32, 1> to memref<32x3x1xi32, #tile.layout<[6, 16] : [1, 6]>, 1>
    // expected-error @+1 {{operand #0: layout of memory has an iter that goes from the group axes into the repeats, so that what a thread has is no region; let an iter end where the group axes do (R60)}}
    tile.apply "st.global.b32"(%v, %a) scope(warp) : memref<32x3x1xi32, #tile.layout<[6, 16] : [1, 6]>, 1>, !t
    %p = tile.alloc : memref<32x3x1xi32, #gpu.address_space<private>>
    // expected-error @+1 {{operand #0: is local memory, which each thread has of its own; use scope(thread) (R60)}}
    tile.apply "st.local.b32"(%p, %a) scope(warp) : memref<32x3x1xi32, #gpu.address_space<private>>, !t
    gpu.return
  }
}

// -----

// Of six warps the last warpgroup is not whole.
!t = memref<3x32x1xi32, #tile.layout<[3, 32] : [1@wid_in_wg, 1@laneid]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @uneven(%n: i32) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    tile.where warps_in_group(0 to 3) {
      %a = tile.alloc : !t
      // expected-error @+1 {{the active warps [0, 1, 2, 4, 5] are not the same range of each warpgroup; leave out warpgroups that differ, by warpgroups(...) or warps(...) (R27)}}
      tile.apply "mov.b32"(%a, %n) scope(warpgroup) : !t, i32
      // expected-error @+1 {{the active warps [0, 1, 2, 4, 5] are no range of the block; name a range by warps(...) (R27)}}
      tile.apply "mov.b32"(%a, %n) scope(cta) : !t, i32
    }
    gpu.return
  }
}

// -----

!t = memref<2x32x1xi32, #tile.layout<[2, 32] : [1@warpid, 1@laneid]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @whole(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !t
    tile.where lanes(0 to 16) {
      // expected-error @+1 {{operand #0: has the leading extents (2, 32), the group axes of scope(cta) are (2, 16) here (warp, lane); take a tile.slice of it (R24)}}
      tile.apply "mov.b32"(%a, %n) scope(cta) : !t, i32
    }
    gpu.return
  }
}
