// Blocks take turns over the first %n rows of a matrix of 256 floats a row, and scale each by %by. How many rows there
// are is known only when the kernel runs: a memref.subview takes any begin, and that it lies inside is the program's
// promise, which the host keeps by an %n of at most 4,096.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!matrix = memref<4096x2x32x1x4xf32, #gpu.address_space<global>>
!row = memref<2x32x1x4xf32, strided<[128, 4, 4, 1], offset: ?>, #gpu.address_space<global>>
!vectors = memref<2x32x1x4xf32, #tile.layout<[2, 32, 1, 4] : [1@warpid, 1@laneid, 4, 1]>, #gpu.address_space<private>>
!singles = memref<2x32x4x1xf32, #tile.layout<[2, 32, 4, 1] : [1@warpid, 1@laneid, 1, 1]>, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @scale_rows(%rows: !matrix {llvm.align = 16 : i32}, %n: index, %by: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %first = gpu.block_id x
    %blocks = gpu.grid_dim x
    %a = tile.alloc : !vectors
    %x = tile.view %a : !vectors to !singles
    scf.for %i = %first to %n step %blocks {
      %row = memref.subview %rows[%i, 0, 0, 0, 0] [1, 2, 32, 1, 4] [1, 1, 1, 1, 1] : !matrix to !row
      tile.apply "ld.global.v4.b32"(%a, %row) scope(cta) : !vectors, !row
      tile.apply "mul.rn.f32"(%x, %x, %by) scope(cta) : !singles, !singles, f32
      tile.apply "st.global.v4.b32"(%row, %a) scope(cta) : !row, !vectors
    }
    gpu.return
  }
}

// CHECK:         .reqntid 64, 1, 1
// CHECK:         %ctaid.x
// CHECK:         %nctaid.x
// CHECK:       [[LOOP:\$L__BB0_[0-9]+]]:
// CHECK:         ld.global.v4.b32
// CHECK-COUNT-4: mul.rn.f32
// CHECK:         st.global.v4.b32
// CHECK:         bra.uni [[LOOP]];
