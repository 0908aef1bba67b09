// affine: loops that choose registers, indices of memory, and elements beside tiles.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-opt %s --lower-affine | tile-translate --mlir-to-ptx - | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>
!one = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
!rows = memref<64x1xi32, 1>
!row = memref<4x1xi32, strided<[1, 1], offset: ?>, 1>

gpu.module @m {
  // CHECK-LABEL: .entry registers(
  // CHECK-COUNT-4: mov.b32 %r{{[0-9]+}}, %r
  // CHECK-NOT:     bra
  // CHECK-COUNT-4: st.global.b32 [
  gpu.func @registers(%out: memref<4x1xi32, 1>, %n: i32) kernel {
    %t = tile.alloc : !t
    affine.for %i = 0 to 4 {
      %s = tile.slice %t[%i, 0] [1, 1] : !t to !one
      tile.apply "mov.b32"(%s, %n) : !one, i32
    }
    tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32, 1>, !t
    gpu.return
  }

  // That rows begin inside is shown through the map.
  // CHECK-LABEL: .entry memory(
  // CHECK:         mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, 16;
  // CHECK-COUNT-4: st.global.b32 [
  // CHECK:         bra
  gpu.func @memory(%out: !rows, %n: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = tile.alloc : !t
    %tid = gpu.thread_id x
    %begin = affine.apply affine_map<(i) -> (i * 4)>(%tid)
    tile.apply "mov.b32"(%t, %n) : !t, i32
    %row = tile.slice %out[%begin, 0] [4, 1] : !rows to !row
    tile.apply "st.global.b32"(%row, %t) : !row, !t
    affine.for %i = 0 to 4 {
      affine.store %n, %out[%i * 4 + 3, 0] : !rows
    }
    gpu.return
  }
}
