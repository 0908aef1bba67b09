// Errors of tile-translate: one each, exit code 1, and no file.

// RUN: split-file %s %t

// RUN: not tile-translate --mlir-to-ptx %t/none.mlir 2>&1 | FileCheck %t/none.mlir
// RUN: not tile-translate --mlir-to-ptx --output-dir %t/out %t/none.mlir 2>&1 | FileCheck %t/none.mlir
// RUN: not tile-translate --mlir-to-ptx %t/host.mlir 2>&1 | FileCheck %t/host.mlir
// RUN: not tile-translate --mlir-to-ptx --output-dir %t/out %t/path.mlir 2>&1 | FileCheck %t/path.mlir
// RUN: not tile-translate --mlir-to-ptx --output-dir %t/out %t/hidden.mlir 2>&1 | FileCheck %t/hidden.mlir
// RUN: not ls %t/out

// RUN: not tile-translate --mlir-to-ptx %t/name.mlir -o %t/name.ptx 2>&1 | FileCheck %t/name.mlir
// RUN: not ls %t/name.ptx

// RUN: not tile-translate --mlir-to-ptx %t/dynamic.mlir 2>&1 | FileCheck %t/dynamic.mlir
// RUN: tile-translate --mlir-to-ptx --bare-pointers=false %t/dynamic.mlir | FileCheck %t/dynamic.mlir --check-prefix=DESCRIPTOR

// RUN: not tile-translate --mlir-to-ptx --chip sm_91 %t/good.mlir 2>&1 | FileCheck %t/good.mlir --check-prefix=CHIP
// RUN: not tile-translate --mlir-to-ptx --chip 'sm_90}' %t/good.mlir 2>&1 | FileCheck %t/good.mlir --check-prefix=BRACE
// RUN: not tile-translate --mlir-to-ptx --ptx 8.x %t/good.mlir 2>&1 | FileCheck %t/good.mlir --check-prefix=VERSION
// RUN: not tile-translate --mlir-to-ptx --ptx 7.0 %t/good.mlir 2>&1 | FileCheck %t/good.mlir --check-prefix=OLD
// RUN: not tile-translate --mlir-to-ptx -O0 %t/good.mlir 2>&1 | FileCheck %t/good.mlir --check-prefix=LEVEL

//--- none.mlir
// CHECK: error: there is no gpu.module directly in the module; kernels are gpu.func ops in one
// CHECK-NOT: error
module {
}

//--- host.mlir
gpu.module @m {
}
// CHECK: host.mlir:[[#@LINE+3]]:8: error: 'tile.alloc' op is outside of every gpu.module, and only these are translated
// CHECK-NOT: error
func.func @host() {
  %a = tile.alloc : memref<4xi32, #gpu.address_space<private>>
  return
}

//--- path.mlir
// CHECK: error: gpu.module "../m" is no file name; --module translates it to standard output
// CHECK-NOT: error
gpu.module @"../m" {
}

//--- hidden.mlir
// CHECK: error: gpu.module ".m" is no file name
gpu.module @".m" {
}

//--- name.mlir
// CHECK: name.mlir:[[#@LINE+3]]:3: error: kernel name "my.kernel-1" is not a PTX identifier
// CHECK-NOT: error
gpu.module @m {
  gpu.func @"my.kernel-1"() kernel {
    gpu.return
  }
}

//--- dynamic.mlir
// CHECK: error: 'gpu.func' op argument #0 is memref<?xi32, 1>, and bare pointers need a static shape; give it one, or pass descriptors with bare-pointers=false
// CHECK-NOT: error
// DESCRIPTOR: k_param_4
gpu.module @m {
  gpu.func @k(%a: memref<?xi32, 1>) kernel {
    gpu.return
  }
}

//--- good.mlir
// CHIP: error: unknown chip "sm_91"; near it LLVM 22 knows sm_90, sm_90a, sm_89, sm_88
// CHIP-NOT: error
// BRACE: error: unknown chip "sm_90}"; near it
// BRACE-NOT: error
// VERSION: error: PTX version "8.x" is malformed; write it as 8.3
// VERSION-NOT: error
// OLD: error: 'gpu.module' op sm_90 needs PTX 7.8; PTX 7.0 is asked for
// OLD-NOT: error
// LEVEL: error: O=0 is refused
// LEVEL-NOT: error
gpu.module @m {
}
