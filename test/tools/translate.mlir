// tile-translate --mlir-to-ptx: options, input and output.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: cat %s | tile-translate --mlir-to-ptx - | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s -o %t.ptx | count 0
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: tile-translate --mlir-to-ptx --chip sm_100 --ptx 8.7 -O1 %s | FileCheck %s --check-prefix=OPTIONS
// RUN: tile-translate --mlir-to-ptx --chip=sm_75 -O3 %s | FileCheck %s --check-prefix=TURING

// A bytecode file is as good.
// RUN: tile-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tile-translate --mlir-to-ptx %t.mlirbc | FileCheck %s

// CHECK: .version 7.8
// CHECK-NEXT: .target sm_90
// CHECK: .visible .entry first(
// CHECK: .visible .entry second(
// OPTIONS: .version 8.7
// OPTIONS-NEXT: .target sm_100
// TURING: .version 6.3
// TURING-NEXT: .target sm_75
gpu.module @kernels {
  gpu.func @first(%a: memref<4xi32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c17 = arith.constant 17 : i32
    memref.store %c17, %a[%c0] : memref<4xi32, 1>
    gpu.return
  }
  gpu.func @second() kernel {
    gpu.return
  }
}

// Host code has no part in it.
func.func @host() {
  return
}
