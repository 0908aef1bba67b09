// A copy of 1 GiB. A block has a tile of 16 KiB, a thread four vectors of it, 4 KiB apart: it loads all four, moves
// them, and stores them.

// BENCH: {"grid": 65536, "block": 256, "in": ["uint32", 268435456], "out": ["uint32", 268435456],
// BENCH:  "expect": "a", "of copy": 0.95}

!all = memref<65536x4x256x4xi32, 1>
!tile = memref<1x4x1x4xi32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!vectors = memref<1x4x1x4xi32, #gpu.address_space<private>>
!words = memref<16x1xi32, #gpu.address_space<private>>

gpu.module @bench {
  gpu.func @copy(%in: !all {llvm.align = 16 : i32}, %out: !all {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 65536, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %source = tile.slice %in[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %target = tile.slice %out[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %a = tile.alloc : !vectors
    %b = tile.alloc : !vectors
    %from = tile.view %a : !vectors to !words
    %to = tile.view %b : !vectors to !words
    tile.apply "ld.global.v4.b32"(%a, %source) : !vectors, !tile
    tile.apply "mov.b32"(%to, %from) : !words, !words
    tile.apply "st.global.v4.b32"(%target, %b) : !tile, !vectors
    gpu.return
  }
}
