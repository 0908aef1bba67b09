// Registers of 128 bits: groups, sinks, predicates, global and shared memory.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "wide", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i64", "values": [1, 2]},
// GPU:  {"type": "i32", "values": [3735928559, 12648430, 305419896, 2596069104]},
// GPU:  {"type": "i32", "scalar": 5},
// GPU:  {"type": "i64", "expect": [1, 2, 54324596931673839, 11150031900141442680, 2, 11150031900141442680, 1, 2, 7, 8,
// GPU:  11150031900141442680, 54324596931673839, 1, 7]},
// GPU:  {"type": "i32", "expect": [3735928559, 12648430, 305419896, 2596069104, 12648430, 2596069104, 1, 0, 2, 0]}]}

gpu.module @m {
  memref.global "private" @buffer : memref<2xi128, #gpu.address_space<workgroup>> {alignment = 16}

  gpu.func @wide(%pair: !llvm.ptr<1> {llvm.align = 16 : i64}, %words: !llvm.ptr<1>, %five: i32, %b64: !llvm.ptr<1>,
                 %b32: !llvm.ptr<1>) kernel {
    %c9 = arith.constant 9 : i32
    %yes = arith.cmpi slt, %five, %c9 : i32
    %c7 = arith.constant 7 : i64
    %c8 = arith.constant 8 : i64
    %in = ptx.ld "global.b128" %pair : (!llvm.ptr<1>) -> i128
    %w:4 = ptx.ld "global.v4.b32" %words : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
    %d:2 = ptx.mov "b128" %in : (i128) -> (i64, i64)

    %p = ptx.mov "b128" %d#0, %d#1 : (i64, i64) -> i128
    ptx.st "global.b128" %b64, %p : (!llvm.ptr<1>, i128) -> ()
    %q = ptx.mov "b128" %w#0, %w#1, %w#2, %w#3 : (i32, i32, i32, i32) -> vector<2xi64>
    ptx.st "global.b128" %b64 + 16, %q : (!llvm.ptr<1>, vector<2xi64>) -> ()
    %h = ptx.mov "b128" %in sink [0] : (i128) -> i64
    ptx.st "global.b64" %b64 + 32, %h : (!llvm.ptr<1>, i64) -> ()
    %g = ptx.mov "b128" %q sink [0] : (vector<2xi64>) -> i64
    ptx.st "global.b64" %b64 + 40, %g : (!llvm.ptr<1>, i64) -> ()

    // Kept, and done.
    %old = ptx.mov "b128" %c7, %c8 : (i64, i64) -> i128
    %new = ptx.mov "b128" %d#0, %d#1 pred(%yes) preserve(%old) : (i64, i64) -> i128
    ptx.st "global.b128" %b64 + 48, %new : (!llvm.ptr<1>, i128) -> ()
    %kept = ptx.mov "b128" %d#0, %d#1 pred(not %yes) preserve(%old) : (i64, i64) -> i128
    ptx.st "global.b128" %b64 + 64, %kept : (!llvm.ptr<1>, i128) -> ()

    // Through shared memory, in halves that change places.
    %s32 = ptx.mov "u32" symbol @buffer : () -> i32
    %s64 = arith.extui %s32 : i32 to i64
    %s = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
    ptx.st "shared.b128" %s + 16, %q : (!llvm.ptr<3>, vector<2xi64>) -> ()
    %lo = ptx.ld "shared::cta.b64" %s + 16 : (!llvm.ptr<3>) -> i64
    %hi = ptx.ld "shared.b64" %s + 24 : (!llvm.ptr<3>) -> i64
    ptx.st "shared::cta.v2.b64" %s, %hi, %lo : (!llvm.ptr<3>, i64, i64) -> ()
    %r = ptx.ld "shared.b128" %s : (!llvm.ptr<3>) -> i128
    ptx.st "global.b128" %b64 + 80, %r : (!llvm.ptr<1>, i128) -> ()

    // An unpack of which a word is kept.
    %e:2 = ptx.mov "b128" %in pred(%yes) preserve(%c7, %c8) : (i128) -> (i64, i64)
    %f = ptx.mov "b128" %in pred(not %yes) preserve(%c7) sink [1] : (i128) -> i64
    ptx.st "global.b64" %b64 + 96, %e#0 : (!llvm.ptr<1>, i64) -> ()
    ptx.st "global.b64" %b64 + 104, %f : (!llvm.ptr<1>, i64) -> ()

    %u:4 = ptx.mov "b128" %q : (vector<2xi64>) -> (i32, i32, i32, i32)
    ptx.st "global.v4.b32" %b32, %u#0, %u#1, %u#2, %u#3 : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
    %v:2 = ptx.mov "b128" %q sink [0, 2] : (vector<2xi64>) -> (i32, i32)
    ptx.st "global.v2.b32" %b32 + 16, %v#0, %v#1 : (!llvm.ptr<1>, i32, i32) -> ()
    %x:4 = ptx.mov "b128" %in : (i128) -> (i32, i32, i32, i32)
    ptx.st "global.b32" %b32 + 24, %x#0 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 28, %x#1 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 32, %x#2 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 36, %x#3 : (!llvm.ptr<1>, i32) -> ()
    gpu.return
  }
}
