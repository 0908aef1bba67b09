// affine.load and affine.store name elements of registers once they are memref.load and memref.store.

// RUN: tile-opt %s --lower-affine | tile-translate --mlir-to-ptx - | FileCheck %s
// RUN: tile-opt %s --tile-check -verify-diagnostics

!t = memref<4x1xi32, #gpu.address_space<private>>

gpu.module @m {
  // CHECK-LABEL: .entry k(
  // CHECK-NOT:     .local
  // CHECK-COUNT-4: st.global.b32
  gpu.func @k(%out: memref<4x1xi32, 1>, %n: i32) kernel {
    %t = memref.alloca() : !t
    affine.for %i = 0 to 4 {
      // expected-error @+1 {{'affine.store' op operand #1 is a tile of registers, which have no address; run lower-affine first}}
      affine.store %n, %t[%i, 0] : !t
    }
    tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32, 1>, !t
    gpu.return
  }
}
