// A loop in which nothing is left that is used or has an effect is no loop in PTX, whichever dialect it was of and whatever
// else is around. One that has an instruction stays, and one of branches that never ends; an scf.while that never ends
// MLIR takes for dead.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --implicit-check-not=bra

!out = memref<1x1xi32, #gpu.address_space<global>>
!tile = memref<1x1xi32, #gpu.address_space<private>>

gpu.module @kernels {
  // CHECK-LABEL: .entry affine_loops(
  // CHECK: ret;
  gpu.func @affine_loops(%x: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %same = affine.for %i = 0 to 1 iter_args(%a = %x) -> (i32) {
      %b = affine.for %j = 0 to 0 iter_args(%c = %a) -> (i32) {
        affine.yield %c : i32
      }
      affine.yield %b : i32
    }
    memref.store %same, %out[%c0, %c0] : !out
    gpu.return
  }

  // CHECK-LABEL: .entry affine_loop_that_folds(
  // CHECK-COUNT-2: bra
  // CHECK: ret;
  gpu.func @affine_loop_that_folds(%x: i32, %n: index, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end, %last = scf.while (%i = %c0, %a = %x) : (index, i32) -> (index, i32) {
      %is_more = arith.cmpi slt, %i, %n : index
      scf.condition(%is_more) %i, %a : index, i32
    } do {
    ^body(%i: index, %a: i32):
      %zero = affine.for %j = 2 to 4 iter_args(%b = %a) -> (i32) {
        %c = arith.xori %b, %b : i32
        affine.yield %c : i32
      }
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %zero : index, i32
    }
    memref.store %last, %out[%c0, %c0] : !out
    gpu.return
  }

  // CHECK-LABEL: .entry nested(
  // CHECK: ret;
  gpu.func @nested(%x: i32, %n: index, %m: index, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %is_more = arith.cmpi slt, %i, %n : index
    cf.cond_br %is_more, ^body, ^exit
  ^body:
    %is_even = arith.cmpi eq, %i, %m : index
    cf.cond_br %is_even, ^inner, ^next
  ^inner:
    %same = scf.for %j = %c0 to %m step %c1 iter_args(%a = %x) -> (i32) {
      scf.yield %a : i32
    }
    cf.br ^next
  ^next:
    %after = arith.addi %i, %c1 : index
    cf.br ^head(%after : index)
  ^exit:
    memref.store %x, %out[%c0, %c0] : !out
    gpu.return
  }

  // CHECK-LABEL: .entry effects(
  // CHECK: bra
  // CHECK: mov.b32 %r
  // CHECK: bra
  // CHECK: ret;
  gpu.func @effects(%x: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tile.alloc : !tile
    scf.for %i = %c0 to %n step %c1 {
      tile.apply "mov.b32"(%t, %x) : !tile, i32
    }
    gpu.return
  }

  // CHECK-LABEL: .entry forever(
  // CHECK: bra
  gpu.func @forever() kernel {
    cf.br ^again
  ^again:
    cf.br ^again
  }
}
