// 64 threads load 12 floats each, as three vectors, triple them, and store them. Tiles are spread over the block: the
// first two axes are the warp and the lane that act, and each element lies with the thread that acts on it.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!memory = memref<2x32x3x4xf32, #gpu.address_space<global>>
!vectors = memref<2x32x3x4xf32, #tile.layout<[2, 32, 3, 4] : [1@warpid, 1@laneid, 4, 1]>, #gpu.address_space<private>>
!singles = memref<2x32x12x1xf32, #tile.layout<[2, 32, 12, 1] : [1@warpid, 1@laneid, 1, 1]>, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @triple(%in: !memory {llvm.align = 16 : i32}, %out: !memory {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %three = arith.constant 3.0 : f32
    %a = tile.alloc : !vectors
    %x = tile.view %a : !vectors to !singles
    tile.apply "ld.global.v4.b32"(%a, %in) scope(cta) : !vectors, !memory
    tile.apply "mul.rn.f32"(%x, %x, %three) scope(cta) : !singles, !singles, f32
    tile.apply "st.global.v4.b32"(%out, %a) scope(cta) : !memory, !vectors
    gpu.return
  }
}

// CHECK:         .reqntid 64, 1, 1
// CHECK-COUNT-3: ld.global.v4.b32
// CHECK-COUNT-12: mul.rn.f32
// CHECK-COUNT-3: st.global.v4.b32
// CHECK-NOT:     .v4
