// What a kernel may be written with, beside tile ops, lowers; each instruction stands in PTX as often as here.

// RUN: tile-opt %s --tile-to-nvvm=chip=sm_90 | FileCheck %s --check-prefix=NVVM
// RUN: tile-translate --mlir-to-ptx --chip sm_75 -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx --chip sm_90 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx --chip sm_100 -O3 %s | FileCheck %s

// NVVM: gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx78">]
// NVVM-NOT: {{ (arith|memref|scf|vector|affine|index|cf|func|tile|ptx|builtin)[.]}}
gpu.module @m {
  // Instructions of two branches are two, used or not; so are equal ones in a row.
  // CHECK-LABEL: .entry twice(
  // CHECK-COUNT-5: mov.b32 %r{{[0-9]+}}, %r{{[0-9]+}};
  // CHECK-NOT: mov.b32 %r{{[0-9]+}}, %r{{[0-9]+}};
  gpu.func @twice(%out: memref<4xi32, 1>, %p: i1, %x: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.if %p -> i32 {
      %v = ptx.mov "b32" %x : (i32) -> i32
      scf.yield %v : i32
    } else {
      %v = ptx.mov "b32" %x : (i32) -> i32
      scf.yield %v : i32
    }
    %v = ptx.mov "b32" %x : (i32) -> i32
    %w = ptx.mov "b32" %x : (i32) -> i32
    %unused = ptx.mov "b32" %x : (i32) -> i32
    memref.store %r, %out[%c0] : memref<4xi32, 1>
    %s = arith.addi %v, %w : i32
    memref.store %s, %out[%c1] : memref<4xi32, 1>
    gpu.return
  }

  // Asm that a user wrote, too.
  // CHECK-LABEL: .entry asm(
  // CHECK-COUNT-3: membar.gl;
  // CHECK-NOT: membar.gl;
  gpu.func @asm(%p: i1) kernel {
    scf.if %p {
      llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    } else {
      llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    }
    llvm.inline_asm has_side_effects asm_dialect = att "membar.gl;", "" : () -> ()
    gpu.return
  }

  func.func private @helper(%x: f32) -> f32 {
    %r = arith.addf %x, %x : f32
    return %r : f32
  }
  memref.global "private" @shared : memref<32xf32, #gpu.address_space<workgroup>> {alignment = 16}

  // Private memory at constant places is registers, wherever it was allocated.
  // CHECK-LABEL: .entry everything(
  // CHECK-NOT: .local
  // CHECK: bar.sync
  // CHECK: shfl.sync.bfly.b32
  // CHECK-NOT: .local
  // CHECK: ret;
  gpu.func @everything(%a: memref<64x4xf32, 1>, %n: index, %p: memref<16x16xf32>)
      workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
      private(%r: memref<4xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %tid = gpu.thread_id x
    %row = memref.subview %a[%tid, 0] [1, 4] [1, 1] : memref<64x4xf32, 1> to memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
    %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
      %v = memref.load %row[%c0, %j] : memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
      %h = func.call @helper(%v) : (f32) -> f32
      %s = arith.addf %acc, %h : f32
      scf.yield %s : f32
    }
    affine.store %sum, %p[symbol(%n) mod 16, 3] : memref<16x16xf32>
    %v = vector.load %p[%c0, %c0] : memref<16x16xf32>, vector<4xf32>
    %u = vector.transfer_read %p[%c0, %c1], %zero {in_bounds=[true]} : memref<16x16xf32>, vector<4xf32>
    %t = arith.addf %v, %u : vector<4xf32>
    vector.store %t, %p[%c0, %c0] : memref<16x16xf32>, vector<4xf32>
    %i = index.add %tid, %n
    %less = arith.cmpi slt, %i, %n : index
    scf.if %less {
      gpu.barrier
    }
    memref.store %sum, %r[%c1] : memref<4xf32, #gpu.address_space<private>>
    %again = memref.load %r[%c1] : memref<4xf32, #gpu.address_space<private>>
    memref.store %again, %w[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    %late = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    memref.store %sum, %late[%c1] : memref<4xf32, #gpu.address_space<private>>
    %back = memref.load %late[%c1] : memref<4xf32, #gpu.address_space<private>>
    %g = memref.get_global @shared : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %back, %g[%c1] : memref<32xf32, #gpu.address_space<workgroup>>
    %other, %ok = gpu.shuffle xor %sum, %one, %width : f32
    scf.parallel (%z) = (%c0) to (%c4) step (%c1) {
      memref.store %other, %p[%z, %c0] : memref<16x16xf32>
      scf.reduce
    }
    gpu.return
  }
}
