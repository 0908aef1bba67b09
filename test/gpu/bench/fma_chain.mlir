// Arithmetic that memory does not bound: a loop halves 16 floats a thread and adds one, then undoes that, which is
// exact for small whole numbers; at the end it is done once more.

// BENCH: {"grid": 16384, "block": 256, "in": ["float32", 67108864, 256], "out": ["float32", 67108864],
// BENCH:  "scalars": [["int64", 256], ["float32", 0.5], ["float32", 1], ["float32", 2], ["float32", -2]],
// BENCH:  "expect": "a * 0.5 + 1"}

!all = memref<16384x4x256x4xf32, 1>
!tile = memref<1x4x1x4xf32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!vectors = memref<1x4x1x4xf32, #gpu.address_space<private>>
!words = memref<16x1xf32, #gpu.address_space<private>>

gpu.module @bench {
  gpu.func @fma_chain(%in: !all {llvm.align = 16 : i32}, %out: !all {llvm.align = 16 : i32}, %turns: index, %half: f32,
                      %one: f32, %two: f32, %less: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %source = tile.slice %in[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %target = tile.slice %out[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %a = tile.alloc : !vectors
    %x = tile.view %a : !vectors to !words
    tile.apply "ld.global.v4.b32"(%a, %source) : !vectors, !tile
    scf.for %turn = %c0 to %turns step %c1 {
      tile.apply "fma.rn.f32"(%x, %x, %half, %one) : !words, !words, f32, f32
      tile.apply "fma.rn.f32"(%x, %x, %two, %less) : !words, !words, f32, f32
    }
    tile.apply "fma.rn.f32"(%x, %x, %half, %one) : !words, !words, f32, f32
    tile.apply "st.global.v4.b32"(%target, %a) : !tile, !vectors
    gpu.return
  }
}
