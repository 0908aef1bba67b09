// Every way to state an alignment (R112).

// RUN: tile-opt %s --tile-check | FileCheck %s
// RUN: tile-opt %s --tile-expand -o /dev/null

!t = memref<2x2xi32, #gpu.address_space<private>>
!m = memref<2x2xi32, 1>
!off = memref<2x2xi32, strided<[2, 1], offset: 1>, 1>

// CHECK: gpu.module
gpu.module @m {
  memref.global @table : !m {alignment = 8 : i64}
  gpu.func @stated(%argument: !m {llvm.align = 8 : i64}, %assumed: !m, %longer: memref<5xi32, 1>) kernel {
    %a = tile.alloc : !t
    tile.apply "ld.global.v2.b32"(%a, %argument) : !t, !m
    %b = memref.assume_alignment %assumed, 16 : !m
    tile.apply "ld.global.v2.b32"(%a, %b) : !t, !m
    %c = memref.get_global @table : !m
    tile.apply "ld.global.v2.b32"(%a, %c) : !t, !m
    // The second element is aligned, the first is not.
    %d = memref.subview %longer[1] [4] [1] : memref<5xi32, 1> to memref<4xi32, strided<[1], offset: 1>, 1>
    %e = memref.assume_alignment %d, 8 : memref<4xi32, strided<[1], offset: 1>, 1>
    %f = tile.view %e : memref<4xi32, strided<[1], offset: 1>, 1> to !off
    tile.apply "ld.global.v2.b32"(%a, %f) : !t, !off
    gpu.return
  }
}
