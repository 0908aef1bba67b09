// Applications over the threads of a scope: what each thread has of its tiles, and the coordinates that choose memory.

// RUN: tile-opt %s --tile-expand | FileCheck %s
// RUN: tile-opt %s --tile-check | FileCheck %s --check-prefix=CHECKED
// RUN: %if ptxas %{ %python %S/../ptx/assemble.py %ptxas %s %}

// The checks leave the IR as it is.
// CHECKED: tile.apply {{.*}} scope(warp)
// CHECKED: tile.where

gpu.module @m {

// A warp: the lane chooses memory, registers are one's own.
// CHECK-LABEL: gpu.func @warp(
// CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<32x3xf32, 1>
// CHECK-SAME:    nvvm.reqntid = array<i32: 128, 1, 1>
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         %[[C32:.*]] = arith.constant 32 : index
// CHECK:         %[[LANE:.*]] = arith.remui %[[T]], %[[C32]] : index
// CHECK-NOT:     gpu.thread_id
// CHECK:         %[[P:.*]] = llvm.getelementptr
// CHECK:         ptx.ld "global.b32" %[[P]] :
// CHECK-NEXT:    ptx.ld "global.b32" %[[P]] + 4 :
// CHECK-NEXT:    ptx.ld "global.b32" %[[P]] + 8 :
// CHECK-COUNT-3: ptx.add "f32"
// CHECK-NEXT:    gpu.return
gpu.func @warp(%in: memref<32x3xf32, 1>, %out: memref<32x3xf32, 1>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  %rows = tile.view %in : memref<32x3xf32, 1> to memref<32x3x1xf32, 1>
  %a = tile.alloc : memref<32x3x1xf32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>
  tile.apply "ld.global.b32"(%a, %rows) scope(warp) : memref<32x3x1xf32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>, memref<32x3x1xf32, 1>
  tile.apply "add.f32"(%a, %a, %a) scope(warp) : memref<32x3x1xf32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>, memref<32x3x1xf32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>, memref<32x3x1xf32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>
  gpu.return
}

// A block of one warp: nothing to divide by; and another name of the same threads.
// CHECK-LABEL: gpu.func @small(
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK-NOT:     arith.remui
// CHECK:         ptx.st "global.b32"
gpu.func @small(%out: memref<1x16x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
  %a = tile.alloc : memref<1x16x1xi32, #tile.layout<[16] : [1@tx]>, #gpu.address_space<private>>
  tile.apply "mov.b32"(%a, %n) scope(cta) : memref<1x16x1xi32, #tile.layout<[16] : [1@tx]>, #gpu.address_space<private>>, i32
  tile.apply "st.global.b32"(%out, %a) scope(cta) : memref<1x16x1xi32, 1>, memref<1x16x1xi32, #tile.layout<[16] : [1@tx]>, #gpu.address_space<private>>
  gpu.return
}

// The block's real shape (R23): x + 16 y.
// CHECK-LABEL: gpu.func @plane(
// CHECK:         %[[Y:.*]] = gpu.thread_id y
// CHECK:         %[[ROWS:.*]] = arith.muli %[[Y]], %c16
// CHECK:         %[[X:.*]] = gpu.thread_id x
// CHECK:         arith.addi %[[ROWS]], %[[X]]
gpu.func @plane(%out: memref<4x32x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 16, 8, 1>} {
  %a = tile.alloc : memref<4x32x1xi32, #tile.layout<[4, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
  tile.apply "mov.b32"(%a, %n) scope(cta) : memref<4x32x1xi32, #tile.layout<[4, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>, i32
  tile.apply "st.global.b32"(%out, %a) scope(cta) : memref<4x32x1xi32, 1>, memref<4x32x1xi32, #tile.layout<[4, 32, 1] : [1@warpid, 1@laneid, 1]>, #gpu.address_space<private>>
  gpu.return
}

// Unpacking over a warpgroup: the two halves of a word are the thread's that has the word.
// CHECK-LABEL: gpu.func @unpack(
// CHECK-COUNT-3: %{{.*}}:2 = ptx.mov "b64"
// CHECK-NOT:     ptx.mov
gpu.func @unpack(%n: i64) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %wide = tile.alloc : memref<4x32x3x1xi64, #tile.layout<[128, 3] : [1@tid_in_wg, 1]>, #gpu.address_space<private>>
  %half = tile.alloc : memref<4x32x3x2xi32, #tile.layout<[4, 32, 6] : [1@wid_in_wg, 1@laneid, 1]>, #gpu.address_space<private>>
  tile.apply "mov.b64"(%half, %wide) scope(warpgroup) : memref<4x32x3x2xi32, #tile.layout<[4, 32, 6] : [1@wid_in_wg, 1@laneid, 1]>, #gpu.address_space<private>>, memref<4x32x3x1xi64, #tile.layout<[128, 3] : [1@tid_in_wg, 1]>, #gpu.address_space<private>>
  gpu.return
}

// The CTAs of a cluster come first, without leading axes of one (R25).
// CHECK-LABEL: gpu.func @cluster(
// CHECK:         nvvm.read.ptx.sreg.cluster.ctarank range <i32, 0, 2>
// CHECK-NOT:     arith.divui
// CHECK:         ptx.st
gpu.func @cluster(%out: memref<2x1x1x32x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 1, 2, 1>} {
  %a = tile.alloc : memref<2x1x1x32x1xi32, #tile.layout<[2, 32] : [1@cby, 1@laneid]>, #gpu.address_space<private>>
  tile.apply "mov.b32"(%a, %n) scope(cluster) : memref<2x1x1x32x1xi32, #tile.layout<[2, 32] : [1@cby, 1@laneid]>, #gpu.address_space<private>>, i32
  tile.apply "st.global.b32"(%out, %a) scope(cluster) : memref<2x1x1x32x1xi32, 1>, memref<2x1x1x32x1xi32, #tile.layout<[2, 32] : [1@cby, 1@laneid]>, #gpu.address_space<private>>
  gpu.return
}

// nvvm.cluster_dim says it as well.
// CHECK-LABEL: gpu.func @cluster_dim(
// CHECK:         nvvm.read.ptx.sreg.cluster.ctarank range <i32, 0, 16>
// CHECK:         ptx.st
gpu.func @cluster_dim(%out: memref<16x32x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 16>} {
  %a = tile.alloc : memref<16x1x32x1xi32, #tile.layout<[16, 32] : [1@cbx, 1@laneid]>, #gpu.address_space<private>>
  %m = tile.view %out : memref<16x32x1xi32, 1> to memref<16x1x32x1xi32, 1>
  tile.apply "mov.b32"(%a, %n) scope(cluster) : memref<16x1x32x1xi32, #tile.layout<[16, 32] : [1@cbx, 1@laneid]>, #gpu.address_space<private>>, i32
  tile.apply "st.global.b32"(%m, %a) scope(cluster) : memref<16x1x32x1xi32, 1>, memref<16x1x32x1xi32, #tile.layout<[16, 32] : [1@cbx, 1@laneid]>, #gpu.address_space<private>>
  gpu.return
}

// Iters of memory may go over several group axes: 96 threads, as 2 x 3 x 16.
// CHECK-LABEL: gpu.func @over_axes(
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         %[[WARP:.*]] = arith.divui %[[T]], %c32
// CHECK:         %[[ALL:.*]] = arith.muli %[[WARP]], %c32
// CHECK:         %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK:         arith.addi %[[ALL]], %[[LANE]]
// CHECK:         ptx.st
gpu.func @over_axes(%m: memref<96xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
  %a = tile.alloc : memref<3x32x1x1xi32, #tile.layout<[96] : [1@tx]>, #gpu.address_space<private>>
  %v = tile.view %m : memref<96xi32, 1> to memref<3x32x1x1xi32, #tile.layout<[2, 3, 16] : [48, 1, 3]>, 1>
  tile.apply "mov.b32"(%a, %n) scope(cta) : memref<3x32x1x1xi32, #tile.layout<[96] : [1@tx]>, #gpu.address_space<private>>, i32
  tile.apply "st.global.b32"(%v, %a) scope(cta) : memref<3x32x1x1xi32, #tile.layout<[2, 3, 16] : [48, 1, 3]>, 1>, memref<3x32x1x1xi32, #tile.layout<[96] : [1@tx]>, #gpu.address_space<private>>
  gpu.return
}

// Active sets are guards, and narrow what is inside of them (R28): a coordinate counts from the first active thread.
// CHECK-LABEL: gpu.func @narrowed(
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         %[[WARP:.*]] = arith.divui %[[T]], %c32
// CHECK:         arith.subi %[[WARP]], %c2
// CHECK:         %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK:         arith.subi %[[LANE]], %c8
// CHECK-DAG:     %[[ABOVE:.*]] = arith.cmpi uge, %[[LANE]], %c8
// CHECK-DAG:     %[[BELOW:.*]] = arith.cmpi ult, %[[LANE]], %c24
// CHECK-DAG:     %[[LANES:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
// CHECK-DAG:     %[[WARPS:.*]] = arith.cmpi uge, %[[WARP]], %c2
// CHECK:         scf.if %[[WARPS]]
// CHECK:           scf.if %[[LANES]]
// CHECK:             ptx.mov
// CHECK:             ptx.st
gpu.func @narrowed(%out: memref<2x16x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  %a = tile.alloc : memref<2x16x1xi32, #tile.layout<[2, 16, 1] : [1@warpid, 1@laneid, 1], offset = [8@laneid, 2@warpid]>, #gpu.address_space<private>>
  tile.where warps(2 to 4) {
    tile.where lanes(8 to 24) {
      tile.apply "mov.b32"(%a, %n) scope(cta) : memref<2x16x1xi32, #tile.layout<[2, 16, 1] : [1@warpid, 1@laneid, 1], offset = [8@laneid, 2@warpid]>, #gpu.address_space<private>>, i32
      tile.apply "st.global.b32"(%out, %a) scope(cta) : memref<2x16x1xi32, 1>, memref<2x16x1xi32, #tile.layout<[2, 16, 1] : [1@warpid, 1@laneid, 1], offset = [8@laneid, 2@warpid]>, #gpu.address_space<private>>
    }
  }
  gpu.return
}

// An if narrows nothing (R28): the threads that come by do their part of all lanes, at scope(thread) their own.
// CHECK-LABEL: gpu.func @branch(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      ptx.mov
// CHECK:           ptx.st
// CHECK:           ptx.mov
gpu.func @branch(%out: memref<32x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %a = tile.alloc : memref<32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
  %b = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
  %lane = gpu.lane_id
  %c3 = arith.constant 3 : index
  %low = arith.cmpi ult, %lane, %c3 : index
  scf.if %low {
    tile.apply "mov.b32"(%a, %n) scope(warp) : memref<32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>, i32
    tile.apply "st.global.b32"(%out, %a) scope(warp) : memref<32x1xi32, 1>, memref<32x1xi32, #tile.layout<[32] : [1@laneid]>, #gpu.address_space<private>>
    tile.apply "mov.b32"(%b, %n) : memref<1x1xi32, #gpu.address_space<private>>, i32
  }
  gpu.return
}

// A set of one number, neither the first nor the last there is, is one comparison.
// CHECK-LABEL: gpu.func @third(
// CHECK:         %[[WARP:.*]] = arith.divui
// CHECK:         %[[THIRD:.*]] = arith.cmpi eq, %[[WARP]], %c2
// CHECK-NEXT:    scf.if %[[THIRD]]
gpu.func @third(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  %a = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
  tile.where warps(2 to 3) {
    tile.apply "mov.b32"(%a, %n) : memref<1x1xi32, #gpu.address_space<private>>, i32
  }
  gpu.return
}

// One thread: its coordinates are constants, and what memory it has is known.
// CHECK-LABEL: gpu.func @one(
// CHECK:         scf.if
// CHECK-NOT:     llvm.getelementptr
// CHECK:           ptx.st "global.b32" %{{[a-z0-9]+}}, %
gpu.func @one(%out: memref<1x1x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  tile.where lanes(0 to 1) warps(0 to 1) {
    %a = tile.alloc : memref<1x1x1xi32, #gpu.address_space<private>>
    tile.apply "mov.b32"(%a, %n) scope(cta) : memref<1x1x1xi32, #gpu.address_space<private>>, i32
    tile.apply "st.global.b32"(%out, %a) scope(cta) : memref<1x1x1xi32, 1>, memref<1x1x1xi32, #gpu.address_space<private>>
  }
  gpu.return
}

// Of a tile over threads this thread's registers are a view: at thread scope they are as any other.
// CHECK-LABEL: gpu.func @own(
// CHECK-COUNT-3: ptx.mov "b32"
gpu.func @own(%n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %a = tile.alloc : memref<32x3x1xi32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>>
  %own = tile.view %a : memref<32x3x1xi32, #tile.layout<[32, 3, 1] : [1@laneid, 1, 1]>, #gpu.address_space<private>> to memref<3x1xi32, #gpu.address_space<private>>
  tile.apply "mov.b32"(%own, %n) : memref<3x1xi32, #gpu.address_space<private>>, i32
  gpu.return
}

}
