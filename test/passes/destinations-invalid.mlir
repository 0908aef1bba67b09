// Destinations that begin where a loop says are looked at once it is unrolled: the second turn writes a register twice.

// RUN: tile-opt %s --tile-check
// RUN: tile-opt %s --tile-expand -verify-diagnostics

!t = memref<1x1xi32, #gpu.address_space<private>>
!all = memref<3x1xi1, #gpu.address_space<private>>
!last = memref<1x1xi1, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
!one = memref<1x1xi1, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @turns(%n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = tile.alloc : !t
    %all = tile.alloc : !all
    %q = tile.slice %all[1, 0] [1, 1] : !all to !last
    scf.for %i = %c0 to %c2 step %c1 {
      %p = tile.slice %all[%i, 0] [1, 1] : !all to !one
      // expected-error @+1 {{'tile.apply' op repeat (0) of operand #0 (p) and repeat (0) of operand #1 (q) write one register; all that an application writes are distinct registers (R61)}}
      tile.apply "setp.lt.s32"(%p, %q, %a, %n) : !one, !last, !t, i32
    }
    gpu.return
  }
}
