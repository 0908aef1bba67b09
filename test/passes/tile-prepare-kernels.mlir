// One way to say a size, a number for each asm that MLIR could merge with another, and nothing without an effect.

// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(tile-prepare-kernels))' 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t

// The directives that ptxas then sees, once each.
// RUN: tile-translate --mlir-to-ptx %s 2>/dev/null | FileCheck %s --check-prefix=PTX

gpu.module @m {
  // CHECK: gpu.func @known() kernel attributes {known_block_size = array<i32: 128, 1, 1>}
  // PTX-LABEL: .entry known()
  // PTX-NEXT: .maxntid 128, 1, 1
  // PTX-NEXT: {
  gpu.func @known() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }

  // CHECK: gpu.func @exact() kernel attributes {nvvm.reqntid = array<i32: 128, 1, 1>}
  // PTX-LABEL: .entry exact()
  // PTX-NEXT: .reqntid 128, 1, 1
  // PTX-NEXT: {
  gpu.func @exact() kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.reqntid = array<i32: 128, 1, 1>} {
    gpu.return
  }

  // CHECK: gpu.func @bound() kernel attributes {nvvm.maxntid = array<i32: 64, 1, 1>}
  // PTX-LABEL: .entry bound()
  // PTX-NEXT: .maxntid 64, 1, 1
  // PTX-NEXT: {
  // WARNING: warning: nvvm.maxntid (array<i32: 64, 1, 1>) is used; known_block_size says array<i32: 128, 1, 1>
  gpu.func @bound() kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.maxntid = array<i32: 64, 1, 1>} {
    gpu.return
  }

  // CHECK: gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.reqntid = array<i32: 128, 1, 1>}
  // PTX-LABEL: .entry cluster()
  // PTX-NEXT: .reqntid 128, 1, 1
  // PTX-NEXT: .explicitcluster
  // PTX-NEXT: .reqnctapercluster 2, 1, 1
  // PTX-NEXT: {
  gpu.func @cluster() kernel attributes {known_cluster_size = array<i32: 2, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>,
                                         nvvm.reqntid = array<i32: 128, 1, 1>} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @arms
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}} {instruction = 0 : i64} "membar.gl;"
  // CHECK: llvm.inline_asm has_side_effects {{.*}} {instruction = 1 : i64} "membar.gl;"
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;"
  gpu.func @arms(%p: i1) kernel {
    scf.if %p {
      llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    } else {
      llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    }
    llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    gpu.return
  }

  // The product is used by the loop alone, and the loop by nothing.
  // CHECK-LABEL: gpu.func @vain
  // CHECK-NOT: arith.muli
  // CHECK: scf.for
  // CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}} "membar.gl;"
  // CHECK-NOT: scf.for
  // CHECK-NOT: scf.if
  // CHECK: gpu.return
  gpu.func @vain(%n: index, %p: i1) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %twice = arith.muli %n, %n : index
    %sum = scf.for %i = %zero to %twice step %one iter_args(%last = %zero) -> index {
      %next = arith.addi %last, %i : index
      scf.yield %next : index
    }
    scf.for %i = %zero to %n step %one {
      llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    }
    scf.if %p {
      %unused = arith.addi %sum, %n : index
    }
    gpu.return
  }
}
