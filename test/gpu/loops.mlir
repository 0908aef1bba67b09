// Begins that are no constants: registers chosen by loops, which are unrolled; memory by loops, threads and arguments.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "loops", "grid": [2], "block": [2], "args": [
// GPU:  {"type": "i16", "values": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
// GPU:   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]},
// GPU:  {"type": "i16", "expect": [6, 7, 4, 5, 2, 3, 0, 1, 14, 15, 12, 13, 10, 11, 8, 9,
// GPU:   22, 23, 20, 21, 18, 19, 16, 17, 30, 31, 28, 29, 26, 27, 24, 25]},
// GPU:  {"type": "i64", "scalar": 13},
// GPU:  {"type": "i32", "expect": [393222, 917518, 1441814, 1966110]}]}

!in = memref<16x2xi16, 1>
!rows = memref<4x2xi16, strided<[2, 1], offset: ?>, 1>
!pair = memref<1x2xi16, strided<[2, 1], offset: ?>, 1>
!regs = memref<4x2xi16, #gpu.address_space<private>>
!reg = memref<1x2xi16, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
!word = memref<1x1xi32, strided<[1, 1], offset: ?>, 1>

gpu.module @m {
  gpu.func @loops(%in: !in {llvm.align = 4 : i32}, %out: !in {llvm.align = 4 : i32}, %n: index, %words: memref<4x1xi32, 1>)
      kernel attributes {known_block_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %thread = affine.apply affine_map<(b, t) -> (b * 2 + t)>(%b, %t)
    %begin = arith.muli %thread, %c4 : index
    %mine = tile.slice %in[%begin, 0] [4, 2] : !in to !rows
    %theirs = tile.slice %out[%begin, 0] [4, 2] : !in to !rows
    %a = tile.alloc : !regs
    // Four pairs in, and out in the opposite order.
    scf.for %i = %c0 to %c4 step %c1 {
      %m = tile.slice %mine[%i, 0] [1, 2] : !rows to !pair
      %r = tile.slice %a[%i, 0] [1, 2] : !regs to !reg
      tile.apply "ld.global.v2.b16"(%r, %m) : !reg, !pair
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %j = arith.subi %c3, %i : index
      %m = tile.slice %theirs[%i, 0] [1, 2] : !rows to !pair
      %r = memref.subview %a[%j, 0] [1, 2] [1, 1] : !regs to !reg
      tile.apply "st.global.v2.b16"(%m, %r) : !pair, !reg
    }
    // The first of the last pair in both halves, where the argument is odd: a triangle of loops that writes it last.
    %w = tile.alloc : memref<1x2xi16, #gpu.address_space<private>>
    %halves = tile.view %w : memref<1x2xi16, #gpu.address_space<private>> to memref<2x1xi16, #gpu.address_space<private>>
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %i to %c4 step %c1 {
        %one = tile.slice %halves[%i, 0] [1, 1] : memref<2x1xi16, #gpu.address_space<private>>
                 to memref<1x1xi16, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
        %r = tile.slice %a[%j, 0] [1, 1] : !regs to memref<1x1xi16, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
        tile.apply "mov.b16"(%one, %r) : memref<1x1xi16, strided<[1, 1], offset: ?>, #gpu.address_space<private>>,
          memref<1x1xi16, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
      }
    }
    %even = arith.remui %n, %c2 : index
    %which = arith.minui %thread, %c3 : index
    %place = tile.slice %words[%which, 0] [1, 1] : memref<4x1xi32, 1> to !word
    %packed = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    tile.apply "mov.b32"(%packed, %w) : memref<1x1xi32, #gpu.address_space<private>>, memref<1x2xi16, #gpu.address_space<private>>
    %odd = arith.cmpi eq, %even, %c1 : index
    tile.apply "st.global.b32"(%place, %packed) pred(%odd) : !word, memref<1x1xi32, #gpu.address_space<private>>
    gpu.return
  }
}
