// 1 GiB of f32 to f16: vectors of four come in, two words of two halves go out.

// BENCH: {"grid": 65536, "block": 256, "in": ["float32", 268435456, 65504], "out": ["float16", 268435456],
// BENCH:  "expect": "a.astype(cupy.float16)"}

!singles = memref<65536x4x256x4xf32, 1>
!pairs = memref<65536x4x256x2xi32, 1>
!source = memref<1x4x1x4xf32, strided<[4096, 1024, 4, 1], offset: ?>, 1>
!target = memref<1x4x1x2xi32, strided<[2048, 512, 2, 1], offset: ?>, 1>
!in = memref<1x4x1x4xf32, #gpu.address_space<private>>
!out = memref<1x4x1x2xi32, #gpu.address_space<private>>
!two = memref<8x2xf32, #gpu.address_space<private>>
!low = memref<8x1xf32, strided<[2, 1]>, #gpu.address_space<private>>
!high = memref<8x1xf32, strided<[2, 1], offset: 1>, #gpu.address_space<private>>
!words = memref<8x1xi32, #gpu.address_space<private>>

gpu.module @bench {
  gpu.func @convert(%in: !singles {llvm.align = 16 : i32}, %out: !pairs {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 65536, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %source = tile.slice %in[%block, 0, %thread, 0] [1, 4, 1, 4] : !singles to !source
    %target = tile.slice %out[%block, 0, %thread, 0] [1, 4, 1, 2] : !pairs to !target
    %a = tile.alloc : !in
    %b = tile.alloc : !out
    %two = tile.view %a : !in to !two
    %low = tile.slice %two[0, 0] [8, 1] : !two to !low
    %high = tile.slice %two[0, 1] [8, 1] : !two to !high
    %words = tile.view %b : !out to !words
    tile.apply "ld.global.v4.b32"(%a, %source) : !in, !source
    tile.apply "cvt.rn.f16x2.f32"(%words, %high, %low) : !words, !high, !low
    tile.apply "st.global.v2.b32"(%target, %b) : !target, !out
    gpu.return
  }
}
