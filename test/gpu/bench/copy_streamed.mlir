// The copy of copy.mlir with cache operators: nothing of it is used again. A thread copies one vector, and a block 2 KiB:
// with these operators many small blocks keep the memory busier than the loads in flight of fewer large ones.

// BENCH: {"grid": 524288, "block": 128, "in": ["uint32", 268435456], "out": ["uint32", 268435456],
// BENCH:  "expect": "a", "of copy": 0.98}

!all = memref<524288x128x4xi32, 1>
!tile = memref<1x1x4xi32, strided<[512, 4, 1], offset: ?>, 1>
!vectors = memref<1x1x4xi32, #gpu.address_space<private>>
!words = memref<4x1xi32, #gpu.address_space<private>>

gpu.module @bench {
  gpu.func @copy_streamed(%in: !all {llvm.align = 16 : i32}, %out: !all {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 524288, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %source = tile.slice %in[%block, %thread, 0] [1, 1, 4] : !all to !tile
    %target = tile.slice %out[%block, %thread, 0] [1, 1, 4] : !all to !tile
    %a = tile.alloc : !vectors
    %b = tile.alloc : !vectors
    %from = tile.view %a : !vectors to !words
    %to = tile.view %b : !vectors to !words
    tile.apply "ld.global.cs.v4.b32"(%a, %source) : !vectors, !tile
    tile.apply "mov.b32"(%to, %from) : !words, !words
    tile.apply "st.global.cs.v4.b32"(%target, %b) : !tile, !vectors
    gpu.return
  }
}
