// A tile of registers that lives across loops. Each thread loads four rows, 16 rows apart, in one loop and stores them
// in the opposite order in another: both choose registers, and are unrolled. A third, whose bound is an argument, moves
// the tile to itself where a condition holds: it stays a loop, and the registers stay registers.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!rows = memref<64x4xf32, #gpu.address_space<global>>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<global>>
!registers = memref<4x4xf32, #gpu.address_space<private>>
!part = memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<private>>
!words = memref<16x1xf32, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @registers_in_loops(%in: !rows {llvm.align = 16 : i32}, %out: !rows {llvm.align = 16 : i32}, %n: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %thread = gpu.thread_id x
    %r = tile.alloc : !registers

    scf.for %i = %c0 to %c4 step %c1 {
      %number = affine.apply affine_map<(thread, i) -> (thread + 16 * i)>(%thread, %i)
      %source = tile.slice %in[%number, 0] [1, 4] : !rows to !row
      %part = tile.slice %r[%i, 0] [1, 4] : !registers to !part
      tile.apply "ld.global.v4.b32"(%part, %source) : !part, !row
    }

    %words = tile.view %r : !registers to !words
    scf.for %turn = %c0 to %n step %c1 {
      %is_first = arith.cmpi eq, %turn, %c0 : index
      scf.if %is_first {
        tile.apply "mov.f32"(%words, %words) : !words, !words
      }
    }

    scf.for %i = %c0 to %c4 step %c1 {
      %number = affine.apply affine_map<(thread, i) -> (thread + 16 * i)>(%thread, %i)
      %opposite = arith.subi %c3, %i : index
      %target = tile.slice %out[%number, 0] [1, 4] : !rows to !row
      %part = tile.slice %r[%opposite, 0] [1, 4] : !registers to !part
      tile.apply "st.global.v4.b32"(%target, %part) : !row, !part
    }
    gpu.return
  }
}

// CHECK-LABEL:    .visible .entry registers_in_loops(
// CHECK-NOT:        .local
// CHECK-COUNT-4:    ld.global.v4.b32
// CHECK-NOT:        ld.global
// CHECK-COUNT-16:   mov.f32
// CHECK:            bra
// CHECK-COUNT-4:    st.global.v4.b32
// CHECK-NOT:        st.global
// CHECK:            ret;
