// Addresses of variables and functions: each leads to its own variable, at its own offset, and a function can be called
// by it.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "symbols", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i32", "expect": [11, 14, 23, 32, 41, 44, 52, 61, 107]}]}

gpu.module @m {
  memref.global "private" @global : memref<4xi32, 1> = dense<[11, 12, 13, 14]>
  memref.global "private" @plain : memref<4xi32> = dense<[21, 22, 23, 24]>
  memref.global "private" constant @constant : memref<4xi32, 4> = dense<[31, 32, 33, 34]>
  memref.global "private" @shared.a : memref<4xi32, #gpu.address_space<workgroup>>
  memref.global "private" @shared.b : memref<4xi32, #gpu.address_space<workgroup>>
  llvm.mlir.global internal @defined(dense<[61, 62]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
  llvm.func internal @function(%n: i32) -> i32 attributes {no_inline} {
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %sum = llvm.add %n, %c7 : i32
    llvm.return %sum : i32
  }

  gpu.func @symbols(%out: !llvm.ptr<1>) kernel {
    // Global memory, with a state space and without.
    %a = ptx.mov "u64" symbol @global : () -> i64
    %ap = llvm.inttoptr %a : i64 to !llvm.ptr<1>
    %a0 = ptx.ld "global.b32" %ap : (!llvm.ptr<1>) -> i32
    ptx.st "global.b32" %out, %a0 : (!llvm.ptr<1>, i32) -> ()
    %b = ptx.mov "s64" symbol @global + 12 : () -> i64
    %bp = llvm.inttoptr %b : i64 to !llvm.ptr<1>
    %b0 = ptx.ld "global.b32" %bp : (!llvm.ptr<1>) -> i32
    ptx.st "global.b32" %out + 4, %b0 : (!llvm.ptr<1>, i32) -> ()
    %c = ptx.mov "b64" symbol @plain + 8 : () -> i64
    %cp = llvm.inttoptr %c : i64 to !llvm.ptr<1>
    %c0 = ptx.ld "global.b32" %cp : (!llvm.ptr<1>) -> i32
    ptx.st "global.b32" %out + 8, %c0 : (!llvm.ptr<1>, i32) -> ()

    // Constant memory.
    %d = ptx.mov "u64" symbol @constant + 4 : () -> i64
    %dp = llvm.inttoptr %d : i64 to !llvm.ptr<4>
    %d0 = llvm.load %dp : !llvm.ptr<4> -> i32
    ptx.st "global.b32" %out + 12, %d0 : (!llvm.ptr<1>, i32) -> ()

    // Shared memory, in 64 bits and in 32.
    %e = ptx.mov "u64" symbol @shared.a : () -> i64
    %ep = llvm.inttoptr %e : i64 to !llvm.ptr<3>
    %f = ptx.mov "u32" symbol @shared.b : () -> i32
    %f64 = arith.extui %f : i32 to i64
    %fp = llvm.inttoptr %f64 : i64 to !llvm.ptr<3>
    %c41 = arith.constant 41 : i32
    %c44 = arith.constant 44 : i32
    %c52 = arith.constant 52 : i32
    ptx.st "shared.b32" %ep, %c41 : (!llvm.ptr<3>, i32) -> ()
    ptx.st "shared.b32" %ep + 12, %c44 : (!llvm.ptr<3>, i32) -> ()
    ptx.st "shared.b32" %fp + 4, %c52 : (!llvm.ptr<3>, i32) -> ()
    %g = ptx.mov "b32" symbol @shared.a + 12 : () -> i32
    %g64 = arith.extui %g : i32 to i64
    %gp = llvm.inttoptr %g64 : i64 to !llvm.ptr<3>
    %g0 = ptx.ld "shared::cta.b32" %gp + -12 : (!llvm.ptr<3>) -> i32
    %g1 = ptx.ld "shared.b32" %gp : (!llvm.ptr<3>) -> i32
    %h = ptx.mov "u64" symbol @shared.b + 4 : () -> i64
    %hp = llvm.inttoptr %h : i64 to !llvm.ptr<3>
    %h0 = ptx.ld "shared.b32" %hp : (!llvm.ptr<3>) -> i32
    ptx.st "global.b32" %out + 16, %g0 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %out + 20, %g1 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %out + 24, %h0 : (!llvm.ptr<1>, i32) -> ()

    %i = ptx.mov "u64" symbol @defined : () -> i64
    %ip = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    %i0 = ptx.ld "global.b32" %ip : (!llvm.ptr<1>) -> i32
    ptx.st "global.b32" %out + 28, %i0 : (!llvm.ptr<1>, i32) -> ()

    %c100 = arith.constant 100 : i32
    %j = ptx.mov "u64" symbol @function : () -> i64
    %jp = llvm.inttoptr %j : i64 to !llvm.ptr
    %j0 = llvm.call %jp(%c100) : !llvm.ptr, (i32) -> i32
    ptx.st "global.b32" %out + 32, %j0 : (!llvm.ptr<1>, i32) -> ()
    gpu.return
  }
}
