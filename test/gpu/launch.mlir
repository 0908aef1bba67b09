// Which thread of which block of how many: whole vectors, components, and the narrow reading. Each is the digits of x,
// y and z; MLIR's own ops say where a thread stores.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "launch", "grid": [3, 1, 2], "block": [2, 3, 1], "args": [
// GPU:  {"type": "i32", "expect": [1, 2, 11, 12, 21, 22, 1, 2, 11, 12, 21, 22, 1, 2, 11, 12, 21, 22, 1, 2, 11, 12, 21,
// GPU:  22, 1, 2, 11, 12, 21, 22, 1, 2, 11, 12, 21, 22]},
// GPU:  {"type": "i32", "expect": [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 101, 101, 101, 101, 101, 101,
// GPU:  102, 102, 102, 102, 102, 102, 103, 103, 103, 103, 103, 103]},
// GPU:  {"type": "i32", "expect": [132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132,
// GPU:  132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132, 132]},
// GPU:  {"type": "i32", "expect": [213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213,
// GPU:  213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213, 213]},
// GPU:  {"type": "i16", "expect": [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 1, 2, 2,
// GPU:  3, 3, 1, 1, 2, 2, 3, 3]}]}

gpu.module @m {
  func.func private @digits(%x: i32, %y: i32, %z: i32) -> i32 {
    %c10 = arith.constant 10 : i32
    %c100 = arith.constant 100 : i32
    %tens = arith.muli %y, %c10 : i32
    %hundreds = arith.muli %z, %c100 : i32
    %most = arith.addi %x, %tens : i32
    %all = arith.addi %most, %hundreds : i32
    return %all : i32
  }

  gpu.func @launch(%tids: memref<36xi32, 1>, %ctaids: memref<36xi32, 1>, %ntids: memref<36xi32, 1>, %nctaids: memref<36xi32, 1>,
                   %shorts: memref<36xi16, 1>) kernel {
    %c1 = arith.constant 1 : i32
    %short1 = arith.constant 1 : i16
    // Row-major over blocks, then over threads.
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %place = affine.linearize_index [%bz, %by, %bx, %z, %y, %x] by (2, 1, 3, 1, 3, 2) : index

    %t:3 = ptx.mov "v4.u32" special "tid" sink [3] : () -> (i32, i32, i32)
    %td = func.call @digits(%t#0, %t#1, %t#2) : (i32, i32, i32) -> i32
    %td1 = arith.addi %td, %c1 : i32
    memref.store %td1, %tids[%place] : memref<36xi32, 1>

    %ct:4 = ptx.mov "v4.b32" special "ctaid" : () -> (i32, i32, i32, i32)
    %cd = func.call @digits(%ct#0, %ct#1, %ct#2) : (i32, i32, i32) -> i32
    %cd1 = arith.addi %cd, %c1 : i32
    memref.store %cd1, %ctaids[%place] : memref<36xi32, 1>

    %nx = ptx.mov "u32" special "ntid.x" : () -> i32
    %ny = ptx.mov "s32" special "ntid.y" : () -> i32
    %nz = ptx.mov "b32" special "ntid.z" : () -> i32
    %nd = func.call @digits(%nx, %ny, %nz) : (i32, i32, i32) -> i32
    memref.store %nd, %ntids[%place] : memref<36xi32, 1>

    %gx = ptx.mov "u32" special "nctaid.x" : () -> i32
    %gy = ptx.mov "u32" special "nctaid.y" : () -> i32
    %gz = ptx.mov "u32" special "nctaid.z" : () -> i32
    %gd = func.call @digits(%gx, %gy, %gz) : (i32, i32, i32) -> i32
    memref.store %gd, %nctaids[%place] : memref<36xi32, 1>

    %s = ptx.mov "u16" special "tid.y" : () -> i16
    %s1 = arith.addi %s, %short1 : i16
    memref.store %s1, %shorts[%place] : memref<36xi16, 1>
    gpu.return
  }
}
