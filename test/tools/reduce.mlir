// tile-reduce leaves what a script finds interesting: here, a slice that nobody knows to stay inside.

// RUN: tile-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/interesting.sh' | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>

// CHECK: gpu.func @leaves
// CHECK: tile.apply "mov.b32"
// CHECK-NOT: tile.apply
// CHECK-NOT: @fine
gpu.module @m {
  gpu.func @fine(%n: i32) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
  gpu.func @leaves(%n: i32, %i: index) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    %s = tile.slice %a[%i, 0] [1, 1] : !t to memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
    tile.apply "mov.b32"(%s, %n) : memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>, i32
    gpu.return
  }
}
