// Begins are computed turn by turn, for as many steps as a function has. Where these end there is one error, and the next
// function is checked again.

// RUN: tile-opt %s --tile-check -verify-diagnostics

!b = memref<64x1xi32, #gpu.address_space<private>>
!s = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @turns(%x: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %b = tile.alloc : !b
    scf.for %i = %c0 to %c40 step %c1 {
      scf.for %j = %c0 to %c40 step %c1 {
        scf.for %k = %c0 to %c40 step %c1 {
          %0 = arith.muli %i, %j : index
          %1 = arith.addi %0, %k : index
          %2 = arith.muli %1, %k : index
          %3 = arith.addi %2, %i : index
          %4 = arith.muli %3, %j : index
          %5 = arith.addi %4, %k : index
          %begin = arith.remui %5, %c64 : index
          %s = tile.slice %b[%begin, 0] [1, 1] : !b to !s
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
          // expected-error @+1 {{'tile.apply' op is where checking this function takes more than 4194304 steps: begins are computed for each turn of the loops that decide them, and views are followed to their allocations; make turns fewer, or the arithmetic of begins shorter}}
          tile.apply "mov.b32"(%s, %x) : !s, i32
          tile.apply "mov.b32"(%s, %x) : !s, i32
        }
      }
    }
    gpu.return
  }
  gpu.func @next(%x: i32, %n: index) kernel {
    %b = tile.alloc : !b
    // expected-error @+1 {{'tile.slice' op begin of axis 0 must be 0 to 63, for 1 of 64 elements, and that is not known}}
    %s = tile.slice %b[%n, 0] [1, 1] : !b to !s
    gpu.return
  }
}
