// Groups of 8-bit lanes: lane 0 is the least significant (R89); what lies above the 8 bits of a register is no part of
// a lane; where the predicate is false the old values stay.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "bytes", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i8", "values": [1, 2, 3, 4, 165, 90, 200, 100]},
// GPU:  {"type": "i32", "values": [1144201745]},
// GPU:  {"type": "i16", "values": [4660]},
// GPU:  {"type": "i32", "scalar": 5},
// GPU:  {"type": "i32", "expect": [67305985, 75498111, 16909060, 168496141, 1520786085]},
// GPU:  {"type": "i16", "expect": [23205, 510, 11308, 258, 30583]},
// GPU:  {"type": "i8", "expect": [17, 34, 51, 68, 52, 18, 34, 68, 18, 52, 18, 99, 98, 17, 97, 96, 68, 2, 1]}]}

gpu.module @m {
  gpu.func @bytes(%in: !llvm.ptr<1>, %word: !llvm.ptr<1>, %half: !llvm.ptr<1>, %five: i32, %b32: !llvm.ptr<1>, %b16: !llvm.ptr<1>,
                  %b8: !llvm.ptr<1>) kernel {
    %c9 = arith.constant 9 : i32
    %yes = arith.cmpi slt, %five, %c9 : i32
    %no = arith.cmpi sgt, %five, %c9 : i32
    %a:4 = ptx.ld "global.v4.b8" %in : (!llvm.ptr<1>) -> (i8, i8, i8, i8)
    %b:2 = ptx.ld "global.v2.b8" %in + 4 : (!llvm.ptr<1>) -> (i8, f8E4M3FN)
    %c:2 = ptx.ld "global.v2.b8" %in + 6 : (!llvm.ptr<1>) -> (i8, i8)
    %w = ptx.ld "global.b32" %word : (!llvm.ptr<1>) -> i32
    %h = ptx.ld "global.b16" %half : (!llvm.ptr<1>) -> i16

    // Packs of 32 bits: registers, with constants between them, in another order, kept, done.
    %c7f = arith.constant 0x7F : i8
    %c80 = arith.constant 0x80 : i8
    %old = arith.constant 0x0A0B0C0D : i32
    %p0 = ptx.mov "b32" %a#0, %a#1, %a#2, %a#3 : (i8, i8, i8, i8) -> i32
    %p1 = ptx.mov "b32" %c7f, %a#1, %c80, %a#3 : (i8, i8, i8, i8) -> i32
    %p2 = ptx.mov "b32" %a#3, %a#2, %a#1, %a#0 pred(%yes) preserve(%old) : (i8, i8, i8, i8) -> i32
    %p3 = ptx.mov "b32" %a#0, %a#1, %a#2, %a#3 pred(not %yes) preserve(%old) : (i8, i8, i8, i8) -> i32
    %p4 = ptx.mov "b32" %b#0, %b#1, %b#0, %b#1 pred(not %no) : (i8, f8E4M3FN, i8, f8E4M3FN) -> i32
    ptx.st "global.b32" %b32, %p0 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 4, %p1 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 8, %p2 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 12, %p3 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %b32 + 16, %p4 : (!llvm.ptr<1>, i32) -> ()

    // Packs of 16 bits; 200 + 100 leaves 44 in 8 bits.
    %cfe = arith.constant 0xFE : i8
    %c1 = arith.constant 1 : i8
    %c7777 = arith.constant 0x7777 : i16
    %sum = arith.addi %c#0, %c#1 : i8
    %q0 = ptx.mov "b16" %b#0, %b#1 : (i8, f8E4M3FN) -> i16
    %q1 = ptx.mov "b16" %cfe, %c1 : (i8, i8) -> i16
    %q2 = ptx.mov "b16" %sum, %sum : (i8, i8) -> i16
    %q3 = ptx.mov "b16" %a#1, %a#0 pred(%yes) preserve(%c7777) : (i8, i8) -> i16
    %q4 = ptx.mov "b16" %a#1, %a#0 pred(%no) preserve(%c7777) : (i8, i8) -> i16
    ptx.st "global.b16" %b16, %q0 : (!llvm.ptr<1>, i16) -> ()
    ptx.st "global.b16" %b16 + 2, %q1 : (!llvm.ptr<1>, i16) -> ()
    ptx.st "global.b16" %b16 + 4, %q2 : (!llvm.ptr<1>, i16) -> ()
    ptx.st "global.b16" %b16 + 6, %q3 : (!llvm.ptr<1>, i16) -> ()
    ptx.st "global.b16" %b16 + 8, %q4 : (!llvm.ptr<1>, i16) -> ()

    // Unpacks: all, sunk, kept in part, of a constant.
    %c99 = arith.constant 99 : i8
    %c98 = arith.constant 98 : i8
    %c97 = arith.constant 97 : i8
    %c96 = arith.constant 96 : i8
    %c258 = arith.constant 258 : i16
    %u:4 = ptx.mov "b32" %w : (i32) -> (i8, i8, i8, i8)
    %v:2 = ptx.mov "b16" %h : (i16) -> (i8, i8)
    %s:2 = ptx.mov "b32" %w sink [0, 2] : (i32) -> (i8, i8)
    %t = ptx.mov "b16" %h sink [0] : (i16) -> i8
    %x:2 = ptx.mov "b16" %h pred(%yes) preserve(%c99, %c98) : (i16) -> (i8, i8)
    %y:2 = ptx.mov "b16" %h pred(%no) preserve(%c99, %c98) : (i16) -> (i8, i8)
    %z:2 = ptx.mov "b32" %w pred(not %yes) preserve(%c97, %c96) sink [0, 3] : (i32) -> (i8, i8)
    %k:2 = ptx.mov "b16" %c258 : (i16) -> (i8, i8)
    ptx.st "global.b8" %b8, %u#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 1, %u#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 2, %u#2 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 3, %u#3 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 4, %v#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 5, %v#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 6, %s#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 7, %s#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 8, %t : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 9, %x#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 10, %x#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 11, %y#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 12, %y#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 13, %u#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 14, %z#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 15, %z#1 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 16, %u#3 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 17, %k#0 : (!llvm.ptr<1>, i8) -> ()
    ptx.st "global.b8" %b8 + 18, %k#1 : (!llvm.ptr<1>, i8) -> ()
    gpu.return
  }
}
