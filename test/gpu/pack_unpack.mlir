// Every pack and unpack: word 0 is the least significant (R89). The halves and words differ, so that swapped ones show.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "pack_unpack", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i16", "values": [43981, 4660, 4369, 8738, 13107, 17476]},
// GPU:  {"type": "i32", "values": [3735928559, 12648430]},
// GPU:  {"type": "i64", "values": [1234605616436508552]},
// GPU:  {"type": "i32", "expect": [305441741]},
// GPU:  {"type": "i64", "expect": [54324596931673839, 4919112987704430865]},
// GPU:  {"type": "i16", "expect": [48879, 57005, 30600, 21862, 13124, 4386]},
// GPU:  {"type": "i32", "expect": [1432778632, 287454020, 287454020]}]}

!h = memref<1x2xi16, #gpu.address_space<private>>
!h4 = memref<1x4xi16, #gpu.address_space<private>>
!h6 = memref<6x1xi16, #gpu.address_space<private>>
!w = memref<1x1xi32, #gpu.address_space<private>>
!w2 = memref<1x2xi32, #gpu.address_space<private>>
!w21 = memref<2x1xi32, #gpu.address_space<private>>
!d = memref<1x1xi64, #gpu.address_space<private>>
!d2 = memref<2x1xi64, #gpu.address_space<private>>

gpu.module @m {
  gpu.func @pack_unpack(%halves: memref<6x1xi16, 1>, %words: memref<2x1xi32, 1>, %wide: memref<1x1xi64, 1>,
                        %b32: memref<1x1xi32, 1>, %b64: memref<2x1xi64, 1>, %unpacked16: memref<6x1xi16, 1>,
                        %unpacked32: memref<3x1xi32, 1>) kernel {
    %h = tile.alloc : !h6
    tile.apply "ld.global.b16"(%h, %halves) : !h6, memref<6x1xi16, 1>
    %w = tile.alloc : !w21
    tile.apply "ld.global.b32"(%w, %words) : !w21, memref<2x1xi32, 1>
    %d = tile.alloc : !d
    tile.apply "ld.global.b64"(%d, %wide) : !d, memref<1x1xi64, 1>

    // mov.b32 d, {a, b}
    %low = tile.slice %h[0, 0] [2, 1] : !h6 to memref<2x1xi16, strided<[1, 1]>, #gpu.address_space<private>>
    %pair = tile.view %low : memref<2x1xi16, strided<[1, 1]>, #gpu.address_space<private>> to !h
    %p = tile.alloc : !w
    tile.apply "mov.b32"(%p, %pair) : !w, !h
    tile.apply "st.global.b32"(%b32, %p) : memref<1x1xi32, 1>, !w

    // mov.b64 d, {a, b} and mov.b64 d, {a, b, c, e}
    %packed = tile.alloc : !d2
    %first = tile.slice %packed[0, 0] [1, 1] : !d2 to memref<1x1xi64, strided<[1, 1]>, #gpu.address_space<private>>
    %second = tile.slice %packed[1, 0] [1, 1] : !d2 to memref<1x1xi64, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    %w_group = tile.view %w : !w21 to !w2
    tile.apply "mov.b64"(%first, %w_group) : memref<1x1xi64, strided<[1, 1]>, #gpu.address_space<private>>, !w2
    %high = tile.slice %h[2, 0] [4, 1] : !h6 to memref<4x1xi16, strided<[1, 1], offset: 2>, #gpu.address_space<private>>
    %quad = tile.view %high : memref<4x1xi16, strided<[1, 1], offset: 2>, #gpu.address_space<private>>
              to memref<1x4xi16, strided<[4, 1], offset: 2>, #gpu.address_space<private>>
    tile.apply "mov.b64"(%second, %quad)
      : memref<1x1xi64, strided<[1, 1], offset: 1>, #gpu.address_space<private>>,
        memref<1x4xi16, strided<[4, 1], offset: 2>, #gpu.address_space<private>>
    tile.apply "st.global.b64"(%b64, %packed) : memref<2x1xi64, 1>, !d2

    // mov.b32 {a, b}, s and mov.b64 {a, b, c, e}, s
    %u = tile.alloc : !h6
    %u2 = tile.slice %u[0, 0] [2, 1] : !h6 to memref<2x1xi16, strided<[1, 1]>, #gpu.address_space<private>>
    %u2_group = tile.view %u2 : memref<2x1xi16, strided<[1, 1]>, #gpu.address_space<private>> to !h
    %u4 = tile.slice %u[2, 0] [4, 1] : !h6 to memref<4x1xi16, strided<[1, 1], offset: 2>, #gpu.address_space<private>>
    %u4_group = tile.view %u4 : memref<4x1xi16, strided<[1, 1], offset: 2>, #gpu.address_space<private>>
                  to memref<1x4xi16, strided<[4, 1], offset: 2>, #gpu.address_space<private>>
    %beef = tile.read %w[0, 0] : !w21
    tile.apply "mov.b32"(%u2_group, %beef) : !h, i32
    tile.apply "mov.b64"(%u4_group, %d) : memref<1x4xi16, strided<[4, 1], offset: 2>, #gpu.address_space<private>>, !d
    tile.apply "st.global.b16"(%unpacked16, %u) : memref<6x1xi16, 1>, !h6

    // mov.b64 {a, b}, s and mov.b64 {_, b}, s into the next slot
    %v = tile.alloc : memref<3x1xi32, #gpu.address_space<private>>
    %v2 = tile.slice %v[0, 0] [2, 1] : memref<3x1xi32, #gpu.address_space<private>>
            to memref<2x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
    %v2_group = tile.view %v2 : memref<2x1xi32, strided<[1, 1]>, #gpu.address_space<private>> to !w2
    tile.apply "mov.b64"(%v2_group, %d) : !w2, !d
    %v3 = tile.slice %v[1, 0] [2, 1] : memref<3x1xi32, #gpu.address_space<private>>
            to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    %v3_group = tile.view %v3 : memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
                  to memref<1x2xi32, strided<[2, 1], offset: 1>, #gpu.address_space<private>>
    tile.apply "mov.b64"(%v3_group, %d) sink [0] : memref<1x2xi32, strided<[2, 1], offset: 1>, #gpu.address_space<private>>, !d
    tile.apply "st.global.b32"(%unpacked32, %v) : memref<3x1xi32, 1>, memref<3x1xi32, #gpu.address_space<private>>
    gpu.return
  }
}
