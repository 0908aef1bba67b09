// What functions that stay cannot do.

// RUN: tile-opt %s --tile-expand -split-input-file -verify-diagnostics

!w = memref<32x4x1xi32, #tile.layout<[32, 4] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  func.func @device(%x: i32) {
    %t = tile.alloc : !w
    // expected-error @+1 {{'tile.apply' op is over the threads of a block, and stands in a function that is no kernel; there is scope(thread) alone}}
    tile.apply "mov.b32"(%t, %x) scope(warp) : !w, i32
    return
  }
}

// -----

// A function of the host, as an inlined or outlined one is left.
!t = memref<4x1xi32, #gpu.address_space<private>>
// expected-error @+2 {{'tile.alloc' op is in no function of a gpu.module, where tile code stands (outline gpu.launch first)}}
func.func private @host(%x: i32) {
  %t = tile.alloc : !t
  return
}
