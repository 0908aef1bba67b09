// Each of 64 threads loads a row of four floats, and stores the row of the thread at the other end of the block, which
// it gets through shared memory.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!rows = memref<64x4xf32, #gpu.address_space<global>>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<global>>
!shared = memref<64x4xf32, #gpu.address_space<workgroup>>
!shared_row = memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
!registers = memref<1x4xf32, #gpu.address_space<private>>

gpu.module @kernels {
  memref.global "private" @buffer : !shared {alignment = 16}

  gpu.func @shared_reverse(%in: !rows {llvm.align = 16 : i32}, %out: !rows {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %last = arith.constant 63 : index
    %thread = gpu.thread_id x
    %opposite = arith.subi %last, %thread : index
    %buffer = memref.get_global @buffer : !shared

    // The block has 64 threads, so that these are rows.
    %source = tile.slice %in[%thread, 0] [1, 4] : !rows to !row
    %mine = tile.slice %buffer[%thread, 0] [1, 4] : !shared to !shared_row
    %theirs = tile.slice %buffer[%opposite, 0] [1, 4] : !shared to !shared_row
    %target = tile.slice %out[%thread, 0] [1, 4] : !rows to !row

    %r = tile.alloc : !registers
    tile.apply "ld.global.v4.b32"(%r, %source) : !registers, !row
    tile.apply "st.shared.v4.b32"(%mine, %r) : !shared_row, !registers
    gpu.barrier
    tile.apply "ld.shared.v4.b32"(%r, %theirs) : !registers, !shared_row
    tile.apply "st.global.v4.b32"(%target, %r) : !row, !registers
    gpu.return
  }
}

// CHECK-LABEL: .visible .entry shared_reverse(
// CHECK-NOT:     .local
// CHECK:         .shared .align 16 .b8 buffer[1024];
// CHECK-NOT:     .local
// CHECK:         mov.u32 %[[T:r[0-9]+]], %tid.x;
// CHECK:         ld.global.v4.b32 {[[WORDS:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, [%rd{{[0-9]+}}];
// CHECK:         st.shared.v4.b32 [%rd{{[0-9]+}}], {[[WORDS]]};
// CHECK:         bar.sync 0;
// CHECK:         ld.shared.v4.b32 {[[OTHERS:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, [%rd{{[0-9]+}}+1008];
// CHECK:         st.global.v4.b32 [%rd{{[0-9]+}}], {[[OTHERS]]};
// CHECK:         ret;
