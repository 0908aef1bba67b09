// Tiles that live across a loop and its branches, a view at another width, and an index that is no constant.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "control_flow", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i64", "scalar": 5},
// GPU:  {"type": "i32", "values": [10, 20, 30], "expect": [30, 10, 20]},
// GPU:  {"type": "i32", "expect": [1432778632, 287454020, 20]}]}

!t = memref<3x1xi32, #gpu.address_space<private>>
!m = memref<3x1xi32, 1>
!head = memref<2x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
!tail = memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>

gpu.module @m {
  gpu.func @control_flow(%n: index, %ring: !m, %out: !m) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = tile.alloc : !t
    tile.apply "ld.global.b32"(%a, %ring) : !t, !m
    // Turns the ring by one in every other round, three times in all of five.
    scf.for %i = %c0 to %n step %c1 {
      %odd = arith.remui %i, %c2 : index
      %even = arith.cmpi eq, %odd, %c0 : index
      scf.if %even {
        %b = tile.alloc : !t
        tile.apply "mov.b32"(%b, %a) : !t, !t
        %from = tile.slice %b[0, 0] [2, 1] : !t to !head
        %to = tile.slice %a[1, 0] [2, 1] : !t to !tail
        tile.apply "mov.b32"(%to, %from) : !tail, !head
        %last = tile.read %b[2, 0] : !t
        tile.write %last, %a[0, 0] : !t
      }
    }
    // One more turn: four of three are one.
    %last = tile.read %a[2, 0] : !t
    %kept = tile.alloc : !t
    tile.apply "mov.b32"(%kept, %a) : !t, !t
    %from = tile.slice %kept[0, 0] [2, 1] : !t to !head
    %to = tile.slice %a[1, 0] [2, 1] : !t to !tail
    tile.apply "mov.b32"(%to, %from) : !tail, !head
    tile.write %last, %a[0, 0] : !t
    tile.apply "st.global.b32"(%ring, %a) : !m, !t

    %wide = arith.constant 0x1122334455667788 : i64
    %w = tile.alloc : memref<1x1xi64, #gpu.address_space<private>>
    tile.apply "mov.b64"(%w, %wide) : memref<1x1xi64, #gpu.address_space<private>>, i64
    %words = tile.view %w : memref<1x1xi64, #gpu.address_space<private>> to memref<2x1xi32, #gpu.address_space<private>>
    %o = memref.subview %out[0, 0] [2, 1] [1, 1] : !m to memref<2x1xi32, strided<[1, 1]>, 1>
    tile.apply "st.global.b32"(%o, %words)
      : memref<2x1xi32, strided<[1, 1]>, 1>, memref<2x1xi32, #gpu.address_space<private>>

    %last_index = arith.subi %n, %c2 : index
    %capped = arith.subi %last_index, %c1 : index
    %e = tile.read %a[%capped, 0] : !t
    memref.store %e, %out[%c2, %c0] : !m
    gpu.return
  }
}
