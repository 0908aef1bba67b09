// Device functions: tile and ptx ops are inlined with the functions that they stand in, and work where these stay.

// RUN: tile-opt %s --inline | FileCheck %s --check-prefix=INLINED
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-opt %s --inline | tile-translate --mlir-to-ptx - | FileCheck %s --check-prefix=KERNEL

!t = memref<4x1xi32, #gpu.address_space<private>>
!out = memref<4x1xi32, 1>

gpu.module @m {
  // INLINED-NOT: func.func private @twice
  func.func private @twice(%x: i32) -> i32 {
    %y = ptx.add "s32" %x, %x : (i32, i32) -> i32
    return %y : i32
  }

  // A function into another one.
  // INLINED-LABEL: func.func private @fill(
  // INLINED:         ptx.add "s32"
  // INLINED:         tile.apply "mov.b32"
  // CHECK-LABEL: .func fill(
  // CHECK:         call.uni (retval0), twice, (param0);
  // CHECK-COUNT-4: mov.b32 %r{{[0-9]+}}, %r
  func.func private @fill(%out: !out, %x: i32) {
    %t = tile.alloc : !t
    %y = func.call @twice(%x) : (i32) -> i32
    tile.apply "mov.b32"(%t, %y) : !t, i32
    tile.apply "st.global.b32"(%out, %t) : !out, !t
    return
  }

  // Into a kernel, inside of a branch or loop. MLIR's inliner leaves a call directly in a gpu.func: the gpu dialect
  // allows nothing to be inlined into its regions.
  // INLINED-LABEL: gpu.func @kernel(
  // INLINED:         scf.if
  // INLINED-NOT:       func.call
  // INLINED:           tile.apply "st.global.b32"
  // INLINED:         }
  // INLINED-NEXT:    call @fill
  // CHECK-LABEL:  .entry kernel(
  // CHECK-COUNT-2:  call.uni fill, (param0, param1);
  // KERNEL-LABEL:  .entry kernel(
  // KERNEL:          add.s32
  // KERNEL-COUNT-4:  st.global.b32
  // KERNEL:          call.uni fill
  gpu.func @kernel(%out: !out, %x: i32, %p: i1) kernel {
    scf.if %p {
      func.call @fill(%out, %x) : (!out, i32) -> ()
    }
    func.call @fill(%out, %x) : (!out, i32) -> ()
    gpu.return
  }
}
