// A tile of registers is no value to be passed; the function that is given one is inlined first.

// RUN: tile-opt %s --inline | tile-translate --mlir-to-ptx - | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx %s 2>&1 | FileCheck %s --check-prefix=PASSED

// CHECK-LABEL: .entry kernel(
// CHECK-COUNT-4: not.b32
// CHECK-NOT:     .local
// CHECK-COUNT-4: st.global.b32

// PASSED: error: 'tile.apply' op uses a register tile that is a block argument; it must come from a tile.alloc
// PASSED: error: 'func.call' op operand #0 is a tile of registers, which have no address; inline the call, or pass elements by tile.read, or memory
// PASSED-NOT: error:

!t = memref<4x1xi32, #gpu.address_space<private>>

gpu.module @m {
  func.func private @invert(%t: !t) {
    tile.apply "not.b32"(%t, %t) : !t, !t
    return
  }
  gpu.func @kernel(%in: memref<4x1xi32>, %out: memref<4x1xi32>, %p: i1) kernel {
    %t = tile.alloc : !t
    tile.apply "ld.global.b32"(%t, %in) : !t, memref<4x1xi32>
    scf.if %p {
      func.call @invert(%t) : (!t) -> ()
    }
    tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32>, !t
    gpu.return
  }
}
