// Memref arguments as pointers, the default, and as descriptors: the shape may then be known at launch alone. Begins of a
// subview and strides come out of the descriptor.

// RUN: tile-translate --mlir-to-ptx --bare-pointers=false %s | FileCheck %s
// RUN: tile-opt %s --tile-to-ptx=bare-pointers=false | FileCheck %s --check-prefix=BINARY
// RUN: not tile-translate --mlir-to-ptx %s 2>&1 | FileCheck %s --check-prefix=BARE

// BARE: error: 'gpu.func' op argument #0 is memref<?x4xi32>, and bare pointers need a static shape; give it one, or pass descriptors with bare-pointers=false
// BINARY: gpu.binary @m

!t = memref<4x1xi32, #gpu.address_space<private>>
!row = memref<4x1xi32, strided<[1, 1], offset: ?>>

gpu.module @m {
  // Two pointers, an offset, two sizes and two strides.
  // CHECK-LABEL: .entry k(
  // CHECK:         .param .u64 k_param_6,
  // CHECK:         .param .u64 k_param_7
  // CHECK-NEXT:  )
  // CHECK-COUNT-4: ld.global.b32
  // CHECK-COUNT-4: not.b32
  // CHECK-COUNT-4: st.global.b32
  gpu.func @k(%rows: memref<?x4xi32>, %i: index) kernel {
    %line = memref.subview %rows[%i, 0] [1, 4] [1, 1] : memref<?x4xi32> to memref<1x4xi32, strided<[4, 1], offset: ?>>
    %row = tile.view %line : memref<1x4xi32, strided<[4, 1], offset: ?>> to !row
    %t = tile.alloc : !t
    tile.apply "ld.global.b32"(%t, %row) : !t, !row
    tile.apply "not.b32"(%t, %t) : !t, !t
    tile.apply "st.global.b32"(%row, %t) : !row, !t
    gpu.return
  }

  // A function takes what a kernel does.
  // CHECK-LABEL: .func fill(
  // CHECK:         .param .b32 fill_param_7
  // CHECK-LABEL: .entry calls(
  // CHECK:         call.uni fill, (param0, param1, param2, param3, param4, param5, param6, param7);
  func.func private @fill(%out: memref<4x1xi32, 1>, %x: i32) {
    %t = tile.alloc : !t
    tile.apply "mov.b32"(%t, %x) : !t, i32
    tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32, 1>, !t
    return
  }
  gpu.func @calls(%out: memref<4x1xi32, 1>, %x: i32) kernel {
    func.call @fill(%out, %x) : (memref<4x1xi32, 1>, i32) -> ()
    gpu.return
  }
}
