// Of each vector of four the first element says whether it is stored, by a predicate; the others stay as they were.

// BENCH: {"grid": 65536, "block": 256, "in": ["float32", 268435456, 256], "out": ["float32", 268435456],
// BENCH:  "scalars": [["float32", 128]],
// BENCH:  "expect": "cupy.where(a.reshape(-1, 4)[:, :1] > 128, a.reshape(-1, 4), o.reshape(-1, 4)).ravel()"}

!all = memref<65536x4x256x4xf32, 1>
!row = memref<1x1x1x4xf32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!tile = memref<1x4x1x4xf32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!vectors = memref<1x4x1x4xf32, #gpu.address_space<private>>
!vector = memref<1x1x1x4xf32, strided<[16, 4, 4, 1], offset: ?>, #gpu.address_space<private>>

gpu.module @bench {
  gpu.func @store_some(%in: !all {llvm.align = 16 : i32}, %out: !all {llvm.align = 16 : i32}, %least: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 65536, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %source = tile.slice %in[%block, 0, %thread, 0] [1, 4, 1, 4] : !all to !tile
    %a = tile.alloc : !vectors
    tile.apply "ld.global.v4.b32"(%a, %source) : !vectors, !tile
    scf.for %i = %c0 to %c4 step %c1 {
      %target = tile.slice %out[%block, %i, %thread, 0] [1, 1, 1, 4] : !all to !row
      %vector = tile.slice %a[0, %i, 0, 0] [1, 1, 1, 4] : !vectors to !vector
      %first = tile.read %vector[0, 0, 0, 0] : !vector
      %is_stored = arith.cmpf ogt, %first, %least : f32
      tile.apply "st.global.v4.b32"(%target, %vector) pred(%is_stored) : !row, !vector
    }
    gpu.return
  }
}
