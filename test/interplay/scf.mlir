// scf and arith around tiles: registers are written inside of loops and branches and read behind them; scalars go through
// iteration arguments and results.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!t = memref<4x1xf32, #gpu.address_space<private>>

gpu.module @m {
  // CHECK-LABEL: .entry k(
  // CHECK-NOT:     .local
  // CHECK-COUNT-4: fma.rn.f32
  // CHECK:         bra
  // CHECK-COUNT-4: neg.f32 %r
  // CHECK-COUNT-4: st.global.f32
  // CHECK:         ret;
  gpu.func @k(%out: memref<4x1xf32>, %x: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %t = tile.alloc : !t
    tile.apply "mov.b32"(%t, %zero) : !t, f32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f32 {
      tile.apply "fma.rn.f32"(%t, %t, %y, %x) : !t, !t, f32, f32
      %e = tile.read %t[0, 0] : !t
      %z = arith.mulf %e, %y : f32
      scf.yield %z : f32
    }
    %less = arith.cmpf olt, %last, %zero : f32
    scf.if %less {
      tile.apply "neg.f32"(%t, %t) : !t, !t
    } else {
      %w = scf.while (%v = %last) : (f32) -> f32 {
        %go = arith.cmpf ogt, %v, %x : f32
        scf.condition(%go) %v : f32
      } do {
      ^bb0(%v: f32):
        %half = arith.mulf %v, %x : f32
        tile.apply "add.f32"(%t, %t, %half) : !t, !t, f32
        scf.yield %half : f32
      }
    }
    tile.apply "st.global.f32"(%out, %t) : memref<4x1xf32>, !t
    gpu.return
  }
}
