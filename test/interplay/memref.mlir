// memref beside tiles: subviews and casts of memory, private memory of one's own, globals, elements.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>
!row = memref<4x1xi32, strided<[1, 1], offset: ?>>

gpu.module @m {
  memref.global "private" @buffer : memref<16x4xi32, #gpu.address_space<workgroup>> {alignment = 16}

  // Memory is written by both, in order.
  // CHECK-LABEL: .entry views(
  // CHECK:         ld.global.b32 %[[A:r[0-9]+]], [%rd{{[0-9]+}}];
  // CHECK-COUNT-3: ld.global.b32
  // CHECK-COUNT-4: not.b32
  // CHECK-COUNT-4: st.global.b32 [
  // CHECK:         ld.global.b32 %r{{[0-9]+}}, [
  // CHECK:         st.shared.b32
  // CHECK-NOT:     .local
  // CHECK:         ret;
  gpu.func @views(%in: memref<16x4xi32>, %i: index, %j: index) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %line = memref.subview %in[%i, 0] [1, 4] [1, 1] : memref<16x4xi32> to memref<1x4xi32, strided<[4, 1], offset: ?>>
    %row = tile.view %line : memref<1x4xi32, strided<[4, 1], offset: ?>> to !row
    %t = tile.alloc : !t
    tile.apply "ld.global.b32"(%t, %row) : !t, !row
    tile.apply "not.b32"(%t, %t) : !t, !t
    tile.apply "st.global.b32"(%row, %t) : !row, !t
    %any = memref.cast %in : memref<16x4xi32> to memref<?x4xi32>
    %x = memref.load %any[%i, %c2] : memref<?x4xi32>
    %s = memref.get_global @buffer : memref<16x4xi32, #gpu.address_space<workgroup>>
    memref.store %x, %s[%j, %c0] : memref<16x4xi32, #gpu.address_space<workgroup>>
    %own = memref.alloca() : memref<2xi32, #gpu.address_space<private>>
    memref.store %x, %own[%c0] : memref<2xi32, #gpu.address_space<private>>
    %y = memref.load %own[%c0] : memref<2xi32, #gpu.address_space<private>>
    memref.store %y, %in[%j, %c2] : memref<16x4xi32>
    gpu.return
  }
}
