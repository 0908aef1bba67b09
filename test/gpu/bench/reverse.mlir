// Each block turns four rows of 256 vectors round, by way of shared memory.

// BENCH: {"grid": 65536, "block": 256, "in": ["uint32", 268435456], "out": ["uint32", 268435456],
// BENCH:  "expect": "a.reshape(-1, 256, 4)[:, ::-1].ravel()"}

!all = memref<65536x4x256x4xf32, 1>
!tile = memref<1x4x1x4xf32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!shared = memref<4x256x4xf32, #gpu.address_space<workgroup>>
!part = memref<4x1x4xf32, strided<[1024, 4, 1], offset: ?>, #gpu.address_space<workgroup>>
!registers = memref<4x1x4xf32, #gpu.address_space<private>>
!vectors = memref<1x4x1x4xf32, #gpu.address_space<private>>

gpu.module @bench {
  memref.global "private" @buffer : !shared {alignment = 16}

  gpu.func @reverse(%in: !all {llvm.align = 16 : i32}, %out: !all {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 65536, 1, 1>} {
    %last = arith.constant 255 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %opposite = arith.subi %last, %thread : index
    %buffer = memref.get_global @buffer : !shared
    %source = tile.slice %in[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %target = tile.slice %out[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %mine = tile.slice %buffer[0, %thread, 0] [4, 1, 4] : !shared to !part
    %theirs = tile.slice %buffer[0, %opposite, 0] [4, 1, 4] : !shared to !part
    %r = tile.alloc : !vectors
    %s = tile.view %r : !vectors to !registers
    tile.apply "ld.global.v4.b32"(%r, %source) : !vectors, !tile
    tile.apply "st.shared.v4.b32"(%mine, %s) : !part, !registers
    gpu.barrier
    tile.apply "ld.shared.v4.b32"(%s, %theirs) : !registers, !part
    tile.apply "st.global.v4.b32"(%target, %r) : !tile, !vectors
    gpu.return
  }
}
