// vector: registers that are vectors, and vectors whose elements are registers.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>
!pairs = memref<2x1xvector<2xf16>, #gpu.address_space<private>>

gpu.module @m {
  // CHECK-LABEL: .entry packed(
  // CHECK-COUNT-2: fma.rn.f16x2
  // CHECK:         add.rn.f16x2
  gpu.func @packed(%in: memref<2xf16>) kernel {
    %c0 = arith.constant 0 : index
    %x = vector.load %in[%c0] : memref<2xf16>, vector<2xf16>
    %t = tile.alloc : !pairs
    tile.write %x, %t[0, 0] : !pairs
    tile.write %x, %t[1, 0] : !pairs
    tile.apply "fma.rn.f16x2"(%t, %t, %t, %x) : !pairs, !pairs, !pairs, vector<2xf16>
    %a = tile.read %t[0, 0] : !pairs
    %b = tile.read %t[1, 0] : !pairs
    %sum = arith.addf %a, %b : vector<2xf16>
    vector.store %sum, %in[%c0] : memref<2xf16>, vector<2xf16>
    gpu.return
  }

  // CHECK-LABEL: .entry elements(
  // CHECK-NOT:     .local
  // CHECK-COUNT-4: not.b32
  // CHECK-NOT:     mov
  // CHECK-COUNT-4: st.global.b32
  gpu.func @elements(%in: memref<4xi32>, %out: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %x = vector.load %in[%c0] : memref<4xi32>, vector<4xi32>
    %t = tile.alloc : !t
    %x0, %x1, %x2, %x3 = vector.to_elements %x : vector<4xi32>
    tile.write %x0, %t[0, 0] : !t
    tile.write %x1, %t[1, 0] : !t
    tile.write %x2, %t[2, 0] : !t
    tile.write %x3, %t[3, 0] : !t
    tile.apply "not.b32"(%t, %t) : !t, !t
    %y0 = tile.read %t[0, 0] : !t
    %y1 = tile.read %t[1, 0] : !t
    %y2 = tile.read %t[2, 0] : !t
    %y3 = tile.read %t[3, 0] : !t
    %y = vector.from_elements %y0, %y1, %y2, %y3 : vector<4xi32>
    vector.store %y, %out[%c0] : memref<4xi32>, vector<4xi32>
    gpu.return
  }
}
