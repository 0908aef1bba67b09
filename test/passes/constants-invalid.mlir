// What PTX takes as a constant alone is one where a ptx op goes down; the verifier lets it wait till then.

// RUN: tile-opt %s -split-input-file --convert-ptx-to-llvm -verify-diagnostics
// RUN: tile-opt %s -split-input-file --canonicalize | FileCheck %s

// CHECK: gpu.func @value
// CHECK: ptx.lop3
gpu.module @m {
  gpu.func @value(%n: i32) -> i32 {
    // expected-error @+1 {{'ptx.lop3' op (immLut) is no constant; PTX takes a constant from 0 to 255 there, and no register}}
    %d = ptx.lop3 "b32" %n, %n, %n, %n : (i32, i32, i32, i32) -> i32
    gpu.return %d : i32
  }
}

// -----

gpu.module @m {
  gpu.func @negative(%n: i32, %q: i1) -> i1 {
    %cm1 = arith.constant -1 : i32
    // expected-error @+1 {{'ptx.lop3' op (immLut) is 4294967295; PTX takes a constant from 0 to 255 there, and no register}}
    %p = ptx.lop3 "and.b32" %n, %n, %n, %cm1, %q sink [0] : (i32, i32, i32, i32, i1) -> i1
    gpu.return %p : i1
  }
}
