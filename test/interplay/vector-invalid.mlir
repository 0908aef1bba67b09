// Registers have no address that a vector could be loaded from.

// RUN: tile-opt %s --tile-check -verify-diagnostics

!t = memref<4xi32, #gpu.address_space<private>>

gpu.module @m {
  gpu.func @k() kernel {
    %c0 = arith.constant 0 : index
    %t = tile.alloc : !t
    // expected-error @+1 {{'vector.load' op operand #0 is a tile of registers, which have no address; use tile.read and tile.write, or memory}}
    %x = vector.load %t[%c0] : !t, vector<4xi32>
    gpu.return
  }
}
