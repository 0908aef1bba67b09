// Four warps move a tile of 128 x 64 bf16 through shared memory: in by rows of 128 bytes, eight lanes a row, and out by
// one row a lane. The swizzle spreads what the lanes of a row, and of a column, touch over all banks.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!tile = memref<128x64xbf16, #gpu.address_space<global>>
!shared = memref<128x64xbf16, #gpu.address_space<workgroup>>
!registers = memref<4x32x8x4xi32, #tile.layout<[4, 32, 8, 4] : [1@warpid, 1@laneid, 4, 1]>, #gpu.address_space<private>>

// Warp, lane, repeat, word: eight lanes have a row, and a warp goes on by four rows.
!by_rows = memref<4x32x8x4xi32, #tile.layout<[4, 4, 8, 8, 4] : [1024, 32, 4, 128, 1]>, #gpu.address_space<global>>
!shared_by_rows = memref<4x32x8x4xi32,
    #tile.swizzle<<[4, 4, 8, 8, 4] : [1024, 32, 4, 128, 1]>, per_element = 2, swizzle = 3, atom = 3>,
    #gpu.address_space<workgroup>>
// A lane has a row, and goes on by four words.
!by_lanes = memref<4x32x8x4xi32, #gpu.address_space<global>>
!shared_by_lanes = memref<4x32x8x4xi32,
    #tile.swizzle<<[4, 32, 8, 4] : [1024, 32, 4, 1]>, per_element = 2, swizzle = 3, atom = 3>,
    #gpu.address_space<workgroup>>

gpu.module @kernels {
  memref.global "private" @buffer : !shared {alignment = 16}

  gpu.func @swizzled_copy(%in: !tile {llvm.align = 16 : i32}, %out: !tile {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %buffer = memref.get_global @buffer : !shared
    %r = tile.alloc : !registers

    %source = tile.view %in : !tile to !by_rows
    %there = tile.view %buffer : !shared to !shared_by_rows
    tile.apply "ld.global.v4.b32"(%r, %source) scope(cta) : !registers, !by_rows
    tile.apply "st.shared.v4.b32"(%there, %r) scope(cta) : !shared_by_rows, !registers
    gpu.barrier
    %here = tile.view %buffer : !shared to !shared_by_lanes
    %target = tile.view %out : !tile to !by_lanes
    tile.apply "ld.shared.v4.b32"(%r, %here) scope(cta) : !registers, !shared_by_lanes
    tile.apply "st.global.v4.b32"(%target, %r) scope(cta) : !by_lanes, !registers
    gpu.return
  }
}

// CHECK-COUNT-8: ld.global.v4.b32
// CHECK-COUNT-8: st.shared.v4.b32
// CHECK:         bar.sync
// CHECK-COUNT-8: ld.shared.v4.b32
// CHECK-COUNT-8: st.global.v4.b32
// CHECK-NOT:     .v4
