// Modifiers come in any order, and are printed in that of the PTX ISA (R4), those of built or generic ops too.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=CSE

!t = memref<1x2xi32, #gpu.address_space<private>>
!m = memref<1x2xi32, 1>

// CHECK: tile.apply "ld.global.v2.b32"(
// CHECK: ptx.ld "global.v2.b32"
// CHECK: ptx.mov "v2.b32"
// CHECK: ptx.mov "v2.b32"
// CSE:     ptx.mov
// CSE-NOT: ptx.mov
gpu.module @m {
  gpu.func @orders(%m: !m, %ptr: !llvm.ptr<1>, %n: i32) -> (i32, i32) {
    %t = tile.alloc : !t
    tile.apply "ld.b32.v2.global"(%t, %m) : !t, !m
    %a:2 = ptx.ld "v2.global.b32" %ptr : (!llvm.ptr<1>) -> (i32, i32)
    %b:2 = ptx.mov "b32.v2" %n, %n : (i32, i32) -> (i32, i32)
    %c:2 = "ptx.mov"(%n, %n) <{modifiers = "v2.b32", operandSegmentSizes = array<i32: 2, 0, 0>}> : (i32, i32) -> (i32, i32)
    gpu.return %b#0, %c#1 : i32, i32
  }
}
