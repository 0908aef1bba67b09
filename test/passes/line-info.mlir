// Each instruction has the location of the op that it is of, so that -lineinfo and profilers name the line.

// RUN: tile-opt %s --mlir-print-debuginfo --pass-pipeline='builtin.module(tile-to-nvvm,ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly})' | tile-translate --mlir-to-ptx -o %t.ptx -
// RUN: %ptxas -arch=sm_90 -O3 -lineinfo %t.ptx -o %t.cubin
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-to-nvvm,ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly},tile-emit-ptx)' | FileCheck %s

gpu.module @m {
  gpu.func @k(%out: memref<2x1xi32, 1>, %n: i32) kernel {
    %t = tile.alloc : memref<2x1xi32, #gpu.address_space<private>>
    // CHECK:      .loc\091 [[#@LINE+2]] 5
    // CHECK-SAME: mov.b32 {{.*}}mov.b32
    tile.apply "mov.b32"(%t, %n) : memref<2x1xi32, #gpu.address_space<private>>, i32
    // CHECK-SAME: .loc\091 [[#@LINE+2]] 5
    // CHECK-SAME: st.global.b32 {{.*}}st.global.b32
    tile.apply "st.global.b32"(%out, %t) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
    gpu.return
  }
}
