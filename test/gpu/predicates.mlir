// A predicate known only when the kernel runs, plain and negated: where it is false a preserved destination keeps its
// value, and a store does not happen (R74 to R76).

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "predicates", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i32", "scalar": 5}, {"type": "i32", "scalar": 9},
// GPU:  {"type": "i32", "values": [1, 2, 3, 4, 5, 6, 7, 8], "expect": [100, 100, 7, 7, 100, 7, 7, 8]}]}

!t = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<1x2xi32, #gpu.address_space<private>>
!o = memref<2x1xi32, 1>
!slice0 = memref<2x1xi32, strided<[1, 1]>, 1>
!slice2 = memref<2x1xi32, strided<[1, 1], offset: 2>, 1>
!slice4 = memref<2x1xi32, strided<[1, 1], offset: 4>, 1>
!slice6 = memref<2x1xi32, strided<[1, 1], offset: 6>, 1>

gpu.module @m {
  gpu.func @predicates(%five: i32, %nine: i32, %out: memref<8x1xi32, 1>) kernel {
    %c7 = arith.constant 7 : i32
    %c100 = arith.constant 100 : i32
    %yes = arith.cmpi slt, %five, %nine : i32
    %no = arith.cmpi sgt, %five, %nine : i32
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    tile.apply "mov.b32"(%a, %c7) : !t, i32
    tile.apply "mov.b32"(%b, %c7) : !t, i32
    // Done where true, kept where false.
    tile.apply "mov.b32"(%a, %c100) pred(%yes) preserve_dst : !t, i32
    tile.apply "mov.b32"(%b, %c100) pred(not %yes) preserve_dst : !t, i32
    %s0 = memref.subview %out[0, 0] [2, 1] [1, 1] : memref<8x1xi32, 1> to !slice0
    tile.apply "st.global.b32"(%s0, %a) : !slice0, !t
    %s2 = memref.subview %out[2, 0] [2, 1] [1, 1] : memref<8x1xi32, 1> to !slice2
    tile.apply "st.global.b32"(%s2, %b) : !slice2, !t
    // A preserved group of which one word is sunk.
    %wide = arith.constant 0x0000006400000000 : i64
    %group = tile.alloc : !p
    %flat = tile.view %group : !p to !t
    tile.apply "mov.b32"(%flat, %c7) : !t, i32
    tile.apply "mov.b64"(%group, %wide) pred(%no) preserve_dst sink [1] : !p, i64
    tile.apply "mov.b64"(%group, %wide) pred(not %no) preserve_dst sink [0] : !p, i64
    %e = tile.read %flat[1, 0] : !t
    tile.write %c7, %flat[1, 0] : !t
    tile.write %e, %flat[0, 0] : !t
    %s4 = memref.subview %out[4, 0] [2, 1] [1, 1] : memref<8x1xi32, 1> to !slice4
    tile.apply "st.global.b32"(%s4, %flat) pred(%yes) : !slice4, !t
    // Not stored, then stored to the first of the two alone.
    %s6 = memref.subview %out[6, 0] [2, 1] [1, 1] : memref<8x1xi32, 1> to !slice6
    tile.apply "st.global.b32"(%s6, %flat) pred(%no) : !slice6, !t
    %first = tile.slice %s6[0, 0] [1, 1] : !slice6 to memref<1x1xi32, strided<[1, 1], offset: 6>, 1>
    %last = tile.slice %flat[1, 0] [1, 1] : !t to memref<1x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    tile.apply "st.global.b32"(%first, %last) pred(not %no)
      : memref<1x1xi32, strided<[1, 1], offset: 6>, 1>, memref<1x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    gpu.return
  }
}
