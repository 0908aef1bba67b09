// A gpu.launch that calls a function with tile ops: outlining copies the function, and symbol-dce takes out what is left
// of it on the host.

// RUN: tile-opt %s --gpu-kernel-outlining --symbol-dce | tile-translate --mlir-to-ptx - | FileCheck %s
// RUN: tile-opt %s --gpu-kernel-outlining | not tile-translate --mlir-to-ptx - 2>&1 | FileCheck %s --check-prefix=LEFT

// CHECK:         .entry main_kernel(
// CHECK:           call.uni fill, (param0, param1);
// CHECK:         .func fill(
// CHECK-COUNT-4:   mov.b32 %r{{[0-9]+}}, %r
// CHECK-COUNT-4:   st.global.b32
// LEFT: error: 'tile.alloc' op is outside of every gpu.module, and only these are translated; symbol-dce takes out a private function that nothing calls any more

!t = memref<4x1xi32, #gpu.address_space<private>>
module attributes {gpu.container_module} {
  func.func private @fill(%out: memref<4x1xi32>, %x: i32) {
    %t = tile.alloc : !t
    tile.apply "mov.b32"(%t, %x) : !t, i32
    tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32>, !t
    return
  }
  func.func @main(%out: memref<4x1xi32>, %n: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      func.call @fill(%out, %n) : (memref<4x1xi32>, i32) -> ()
      gpu.terminator
    }
    return
  }
}
