// Loops that decide which registers are meant are unrolled; others stay.

// RUN: tile-opt %s --tile-expand | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --canonicalize --tile-expand | FileCheck %s --check-prefix=CANON
// RUN: tile-opt %s --tile-expand | FileCheck %s --check-prefix=CANON

!quads = memref<4x2xi32, #gpu.address_space<private>>
!pair = memref<1x2xi32, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
!mem = memref<4x2xi32, 1>
!row = memref<1x2xi32, strided<[2, 1], offset: ?>, 1>

gpu.module @m {

// Loaded upwards, stored downwards: 0 1 2 3 to 3 2 1 0.
// CHECK-LABEL: gpu.func @reverse(
// CHECK-NOT:     scf.for
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[V0:.*]]:2 = ptx.ld "global.v2.b32" %[[IN:[0-9]+]] :
// CHECK:         %[[V1:.*]]:2 = ptx.ld "global.v2.b32" %[[IN]] + 8 :
// CHECK:         %[[V2:.*]]:2 = ptx.ld "global.v2.b32" %[[IN]] + 16 :
// CHECK:         %[[V3:.*]]:2 = ptx.ld "global.v2.b32" %[[IN]] + 24 :
// CHECK:         ptx.st "global.v2.b32" %[[OUT:[0-9]+]], %[[V3]]#0, %[[V3]]#1
// CHECK:         ptx.st "global.v2.b32" %[[OUT]] + 8, %[[V2]]#0, %[[V2]]#1
// CHECK:         ptx.st "global.v2.b32" %[[OUT]] + 16, %[[V1]]#0, %[[V1]]#1
// CHECK:         ptx.st "global.v2.b32" %[[OUT]] + 24, %[[V0]]#0, %[[V0]]#1
// PTX-LABEL:   .entry reverse(
// PTX-NOT:     .local
// PTX-NOT:     bra
// PTX:         ret;
gpu.func @reverse(%in: !mem {llvm.align = 8 : i32}, %out: !mem {llvm.align = 8 : i32}) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = tile.alloc : !quads
  scf.for %i = %c0 to %c4 step %c1 {
    %m = tile.slice %in[%i, 0] [1, 2] : !mem to !row
    %r = tile.slice %a[%i, 0] [1, 2] : !quads to !pair
    tile.apply "ld.global.v2.b32"(%r, %m) : !pair, !row
  }
  affine.for %i = 0 to 4 {
    %j = affine.apply affine_map<(d) -> (3 - d)>(%i)
    %m = tile.slice %out[%i, 0] [1, 2] : !mem to !row
    %r = memref.subview %a[%j, 0] [1, 2] [1, 1] : !quads to !pair
    tile.apply "st.global.v2.b32"(%m, %r) : !row, !pair
  }
  gpu.return
}

// The loop around decides nothing and stays; bounds of the inner one depend on a loop that does.
// PTX-LABEL:   .entry triangle(
// PTX-NOT:     .local
// PTX:       {{^}}$L__
// PTX-COUNT-6: st.global.v2.b32
// PTX-NOT:     st.global
// PTX:         bra
// PTX:         ret;
gpu.func @triangle(%out: !mem {llvm.align = 8 : i32}, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : i32
  %a = tile.alloc : !quads
  %words = tile.view %a : !quads to memref<8x1xi32, #gpu.address_space<private>>
  tile.apply "mov.b32"(%words, %c7) : memref<8x1xi32, #gpu.address_space<private>>, i32
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %i to %c3 step %c1 {
        %m = tile.slice %out[%i, 0] [1, 2] : !mem to !row
        %r = tile.slice %a[%j, 0] [1, 2] : !quads to !pair
        tile.apply "st.global.v2.b32"(%m, %r) : !row, !pair
      }
    }
  }
  gpu.return
}

// One element at a turn's index: no local memory. What the loop carries goes on from turn to turn.
// CHECK-LABEL: gpu.func @elements(
// CHECK-NOT:     scf.for
// CHECK-COUNT-4: arith.addi %{{.*}}, %{{.*}} : i32
// PTX-LABEL:   .entry elements(
// PTX-NOT:     .local
// PTX:         ret;
gpu.func @elements(%in: memref<4x1xi32, 1>, %out: memref<1xi32, 1>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
  tile.apply "ld.global.b32"(%a, %in) : memref<4x1xi32, #gpu.address_space<private>>, memref<4x1xi32, 1>
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> i32 {
    %e = tile.read %a[%i, 0] : memref<4x1xi32, #gpu.address_space<private>>
    %t = arith.addi %s, %e : i32
    scf.yield %t : i32
  }
  memref.store %sum, %out[%c0] : memref<1xi32, 1>
  gpu.return
}

// More turns than elements: the loop stays, and the registers are local memory.
// CHECK-LABEL: gpu.func @around(
// CHECK:         scf.for
gpu.func @around(%in: memref<4x1xi32, 1>, %out: memref<1xi32, 1>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
  tile.apply "ld.global.b32"(%a, %in) : memref<4x1xi32, #gpu.address_space<private>>, memref<4x1xi32, 1>
  scf.for %i = %c0 to %c64 step %c1 {
    %m = arith.remui %i, %c4 : index
    %e = tile.read %a[%m, 0] : memref<4x1xi32, #gpu.address_space<private>>
    memref.store %e, %out[%c0] : memref<1xi32, 1>
  }
  gpu.return
}

// After canonicalize: constant begins of a memref.subview are in its type, and a memref.cast takes them out again.
// CANON-LABEL: gpu.func @canonical(
// CANON:         %[[V:.*]]:2 = ptx.ld "global.v2.b32" %{{[0-9]+}} + 8 :
// CANON:         ptx.st "global.v2.b32" %{{[0-9]+}} + 16, %[[V]]#0, %[[V]]#1
gpu.func @canonical(%in: !mem {llvm.align = 8 : i32}) kernel {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tile.alloc : !quads
  %m = memref.subview %in[%c1, 0] [1, 2] [1, 1] : !mem to !row
  %o = memref.subview %in[%c2, 0] [1, 2] [1, 1] : !mem to !row
  %r = memref.subview %a[%c2, 0] [1, 2] [1, 1] : !quads to !pair
  tile.apply "ld.global.v2.b32"(%r, %m) : !pair, !row
  tile.apply "st.global.v2.b32"(%o, %r) : !row, !pair
  gpu.return
}

// Registers, and their own address: the loop is taken apart for the registers.
// PTX-LABEL:   .entry own_address(
// PTX-COUNT-4: ld.local.v2.b32
// PTX-NOT:     ld.local.v2.b32
// PTX-NOT:     bra
// PTX:         ret;
gpu.func @own_address(%out: !mem {llvm.align = 8 : i32}) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tile.alloc : !quads
  scf.for %i = %c0 to %c4 step %c1 {
    %r = tile.slice %a[%i, 0] [1, 2] : !quads to !pair
    tile.apply "ld.local.v2.b32"(%r, %r) : !pair, !pair
  }
  tile.apply "st.global.v2.b32"(%out, %a) : !mem, !quads
  gpu.return
}
}
