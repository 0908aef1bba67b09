// Layouts that put all elements at the same places are one attribute, however they are written.

// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tile-opt %t.once | diff - %t.once
// RUN: tile-opt %s --emit-bytecode | tile-opt | diff - %t.once

// An iter of one step goes nowhere.
// CHECK: @units(memref<4x1xi32, #tile.layout<[4] : [2]>>)
func.func private @units(memref<4x1xi32, #tile.layout<[1, 4, 1] : [7, 2, 1]>>)

// One iter does for two where the outer goes on where the inner ends, in a thread and over threads.
// CHECK: @merged(memref<8x64xi32, #tile.layout<[512] : [1]>>, memref<4x8x2xi32, #tile.layout<[32, 2] : [1@laneid, 1]>>)
func.func private @merged(memref<8x64xi32, #tile.layout<[8, 8, 8] : [64, 8, 1]>>,
                          memref<4x8x2xi32, #tile.layout<[4, 8, 2] : [8@laneid, 1@laneid, 1]>>)

// Not so where the order is another, or the axis.
// CHECK: @apart(memref<4x8xi32, #tile.layout<[4, 8] : [1, 4]>>, memref<4x8xi32, #tile.layout<[4, 8] : [8@warpid, 1@laneid]>>)
func.func private @apart(memref<4x8xi32, #tile.layout<[4, 8] : [1, 4]>>,
                         memref<4x8xi32, #tile.layout<[4, 8] : [8@warpid, 1@laneid]>>)

// Steps of 0 are steps of 0 of any axis. That a layout names an axis of threads is kept (R59).
// CHECK: @nowhere(memref<4x8xi32, #tile.layout<[4, 8] : [0, 1], offset = [0@laneid]>>, memref<1xi32, #tile.layout<[] : [], offset = [0@tx]>>)
func.func private @nowhere(memref<4x8xi32, #tile.layout<[4, 8] : [0@laneid, 1]>>,
                           memref<1xi32, #tile.layout<[1] : [1@tx]>>)

// CHECK: @one(memref<1xi32, #tile.layout<[] : []>>, memref<i32, #tile.layout<[] : [], offset = [3]>>)
func.func private @one(memref<1xi32, #tile.layout<[1, 1] : [5, 1]>>, memref<i32, #tile.layout<[] : [], offset = [3]>>)

// CHECK: @begins(memref<4xi32, #tile.layout<[4] : [1@laneid], offset = [5, 8@laneid]>>, memref<4xi32, #tile.layout<[4] : [1], offset = [?]>>)
func.func private @begins(memref<4xi32, #tile.layout<[4] : [1@laneid], offset = [8@laneid, 5]>>,
                          memref<4xi32, #tile.layout<[2, 2] : [2, 1], offset = [?]>>)

// CHECK: @copies(memref<32xi32, #tile.layout<[32] : [1@laneid], replica = [2 : 1@warpid, 2 : 2@warpid]>>)
func.func private @copies(memref<32xi32, #tile.layout<[32] : [1@laneid], replica = [2 : 2@warpid, 1 : 4, 2 : 1@warpid]>>)

// CHECK: @swizzled(memref<8x64xf16, #tile.swizzle<<[512] : [1]>, per_element = 3, swizzle = 3, atom = 3, outer>, 3>)
func.func private @swizzled(memref<8x64xf16, #tile.swizzle<<[8, 64] : [64, 1]>, per_element = 3, swizzle = 3, atom = 3, outer>, 3>)

// Equal layouts are equal types.
func.func private @take(memref<4x8xi32, #tile.layout<[4, 8] : [8@laneid, 1@laneid]>>)
func.func @equal(%tile: memref<4x8xi32, #tile.layout<[32, 1] : [1@laneid, 1]>>) {
  // CHECK: call @take(%{{.*}}) : (memref<4x8xi32, #tile.layout<[32] : [1@laneid]>>) -> ()
  call @take(%tile) : (memref<4x8xi32, #tile.layout<[2, 2, 8] : [16@laneid, 8@laneid, 1@laneid]>>) -> ()
  return
}
