// Tile code of a gpu.launch goes through MLIR's own pipeline to PTX, as named: convert-ptx-to-llvm comes before what
// merges equal ops (D33).

// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu-kernel-outlining,tile-attach-target{chip=sm_90 ptx=7.8},gpu.module(tile-expand,convert-ptx-to-llvm,tile-prepare-kernels),gpu-lower-to-nvvm-pipeline{cubin-format=isa cubin-chip=sm_90 cubin-features=+ptx78})' | FileCheck %s
// The examples too, over threads: PTX that ptxas takes, which does not take .reqntid and .maxntid together.
// RUN: tile-opt %S/../examples/load_compute_store.mlir --pass-pipeline='builtin.module(tile-attach-target{chip=sm_90 ptx=7.8},gpu.module(tile-expand,convert-ptx-to-llvm,tile-prepare-kernels),gpu-lower-to-nvvm-pipeline{cubin-format=isa cubin-chip=sm_90 cubin-features=+ptx78})' \
// RUN:   | FileCheck %s --check-prefix=THREADS --implicit-check-not=maxntid
// THREADS: .reqntid
// So does README's command.
// RUN: sed -n "/^    target.*register_move.mlir --pass-pipeline='builtin.module($/,/'$/p" %root/README.md > %t.sh
// RUN: cd %root && sh %t.sh | FileCheck %s --check-prefix=README
// README: gpu.binary @{{.*}}[#gpu.object<#nvvm.target<chip = "sm_90", features = "+ptx80">{{.*}}mov.b32
// RUN: tile-opt %s --gpu-kernel-outlining | tile-translate --mlir-to-ptx - | FileCheck %s

// CHECK-COUNT-4: mov.b32
// CHECK-COUNT-4: st.global.b32
// CHECK-NOT:     st.global

!t = memref<4x1xi32, #gpu.address_space<private>>
module attributes {gpu.container_module} {
  func.func @main(%out: memref<4x1xi32>, %n: i32) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %t = tile.alloc : !t
      tile.apply "mov.b32"(%t, %n) : !t, i32
      tile.apply "st.global.b32"(%out, %t) : memref<4x1xi32>, !t
      gpu.terminator
    }
    return
  }
}
