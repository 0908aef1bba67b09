// A move of every type under a predicate known only when the kernel runs: done and kept, plain and negated; and
// vectors, whose words change places.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "types", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i32", "scalar": 5},
// GPU:  {"type": "i16", "values": [15872, 49152, 49024, 16384, 4660, 17185]},
// GPU:  {"type": "i32", "values": [1036831949, 3236954112, 1006649344, 3154165760, 1073757184, 3221273600, 16909060,
// GPU:  3735928559]},
// GPU:  {"type": "i64", "values": [4591870180066957722, 13837309855095848960, 4611686019492741120,
// GPU:  13835058058495000576, 81985529216486895, 18364758544493064720]},
// GPU:  {"type": "i16", "expect": [15872, 49152, 49152, 15872, 49024, 16384, 16384, 49024, 4660, 17185, 17185, 4660]},
// GPU:  {"type": "i32", "expect": [1036831949, 3236954112, 3236954112, 1036831949, 1006649344, 3154165760, 3154165760,
// GPU:  1006649344, 1073757184, 3221273600, 3221273600, 1073757184, 16909060, 3735928559, 3735928559, 16909060]},
// GPU:  {"type": "i64", "expect": [4591870180066957722, 13837309855095848960, 13837309855095848960,
// GPU:  4591870180066957722, 4611686019492741120, 13835058058495000576, 13835058058495000576, 4611686019492741120,
// GPU:  81985529216486895, 18364758544493064720, 18364758544493064720, 81985529216486895]},
// GPU:  {"type": "i32", "expect": [1, 0, 1, 0, 1, 0]},
// GPU:  {"type": "i32", "expect": [4, 3, 2, 1, 2, 9, 17, 3]}]}

gpu.module @m {
  gpu.func @types(%five: i32, %in16: !llvm.ptr<1>, %in32: !llvm.ptr<1>, %in64: !llvm.ptr<1>, %out16: !llvm.ptr<1>,
                  %out32: !llvm.ptr<1>, %out64: !llvm.ptr<1>, %preds: memref<6xi32, 1>, %vectors: !llvm.ptr<1>) kernel {
    %c9 = arith.constant 9 : i32
    %yes = arith.cmpi slt, %five, %c9 : i32
    %no = arith.cmpi sgt, %five, %c9 : i32

    %half = ptx.ld "global.b16" %in16 : (!llvm.ptr<1>) -> f16
    %half_old = ptx.ld "global.b16" %in16 + 2 : (!llvm.ptr<1>) -> f16
    %half0 = ptx.mov "b16" %half pred(%yes) preserve(%half_old) : (f16) -> f16
    ptx.st "global.b16" %out16, %half0 : (!llvm.ptr<1>, f16) -> ()
    %half1 = ptx.mov "b16" %half pred(%no) preserve(%half_old) : (f16) -> f16
    ptx.st "global.b16" %out16 + 2, %half1 : (!llvm.ptr<1>, f16) -> ()
    %half2 = ptx.mov "b16" %half pred(not %yes) preserve(%half_old) : (f16) -> f16
    ptx.st "global.b16" %out16 + 4, %half2 : (!llvm.ptr<1>, f16) -> ()
    %half3 = ptx.mov "b16" %half pred(not %no) preserve(%half_old) : (f16) -> f16
    ptx.st "global.b16" %out16 + 6, %half3 : (!llvm.ptr<1>, f16) -> ()

    %brain = ptx.ld "global.b16" %in16 + 4 : (!llvm.ptr<1>) -> bf16
    %brain_old = ptx.ld "global.b16" %in16 + 6 : (!llvm.ptr<1>) -> bf16
    %brain0 = ptx.mov "b16" %brain pred(%yes) preserve(%brain_old) : (bf16) -> bf16
    ptx.st "global.b16" %out16 + 8, %brain0 : (!llvm.ptr<1>, bf16) -> ()
    %brain1 = ptx.mov "b16" %brain pred(%no) preserve(%brain_old) : (bf16) -> bf16
    ptx.st "global.b16" %out16 + 10, %brain1 : (!llvm.ptr<1>, bf16) -> ()
    %brain2 = ptx.mov "b16" %brain pred(not %yes) preserve(%brain_old) : (bf16) -> bf16
    ptx.st "global.b16" %out16 + 12, %brain2 : (!llvm.ptr<1>, bf16) -> ()
    %brain3 = ptx.mov "b16" %brain pred(not %no) preserve(%brain_old) : (bf16) -> bf16
    ptx.st "global.b16" %out16 + 14, %brain3 : (!llvm.ptr<1>, bf16) -> ()

    %short = ptx.ld "global.b16" %in16 + 8 : (!llvm.ptr<1>) -> i16
    %short_old = ptx.ld "global.b16" %in16 + 10 : (!llvm.ptr<1>) -> i16
    %short0 = ptx.mov "u16" %short pred(%yes) preserve(%short_old) : (i16) -> i16
    ptx.st "global.b16" %out16 + 16, %short0 : (!llvm.ptr<1>, i16) -> ()
    %short1 = ptx.mov "u16" %short pred(%no) preserve(%short_old) : (i16) -> i16
    ptx.st "global.b16" %out16 + 18, %short1 : (!llvm.ptr<1>, i16) -> ()
    %short2 = ptx.mov "u16" %short pred(not %yes) preserve(%short_old) : (i16) -> i16
    ptx.st "global.b16" %out16 + 20, %short2 : (!llvm.ptr<1>, i16) -> ()
    %short3 = ptx.mov "u16" %short pred(not %no) preserve(%short_old) : (i16) -> i16
    ptx.st "global.b16" %out16 + 22, %short3 : (!llvm.ptr<1>, i16) -> ()

    %single = ptx.ld "global.b32" %in32 : (!llvm.ptr<1>) -> f32
    %single_old = ptx.ld "global.b32" %in32 + 4 : (!llvm.ptr<1>) -> f32
    %single0 = ptx.mov "f32" %single pred(%yes) preserve(%single_old) : (f32) -> f32
    ptx.st "global.b32" %out32, %single0 : (!llvm.ptr<1>, f32) -> ()
    %single1 = ptx.mov "f32" %single pred(%no) preserve(%single_old) : (f32) -> f32
    ptx.st "global.b32" %out32 + 4, %single1 : (!llvm.ptr<1>, f32) -> ()
    %single2 = ptx.mov "f32" %single pred(not %yes) preserve(%single_old) : (f32) -> f32
    ptx.st "global.b32" %out32 + 8, %single2 : (!llvm.ptr<1>, f32) -> ()
    %single3 = ptx.mov "f32" %single pred(not %no) preserve(%single_old) : (f32) -> f32
    ptx.st "global.b32" %out32 + 12, %single3 : (!llvm.ptr<1>, f32) -> ()

    %halves = ptx.ld "global.b32" %in32 + 8 : (!llvm.ptr<1>) -> vector<2xf16>
    %halves_old = ptx.ld "global.b32" %in32 + 12 : (!llvm.ptr<1>) -> vector<2xf16>
    %halves0 = ptx.mov "b32" %halves pred(%yes) preserve(%halves_old) : (vector<2xf16>) -> vector<2xf16>
    ptx.st "global.b32" %out32 + 16, %halves0 : (!llvm.ptr<1>, vector<2xf16>) -> ()
    %halves1 = ptx.mov "b32" %halves pred(%no) preserve(%halves_old) : (vector<2xf16>) -> vector<2xf16>
    ptx.st "global.b32" %out32 + 20, %halves1 : (!llvm.ptr<1>, vector<2xf16>) -> ()
    %halves2 = ptx.mov "b32" %halves pred(not %yes) preserve(%halves_old) : (vector<2xf16>) -> vector<2xf16>
    ptx.st "global.b32" %out32 + 24, %halves2 : (!llvm.ptr<1>, vector<2xf16>) -> ()
    %halves3 = ptx.mov "b32" %halves pred(not %no) preserve(%halves_old) : (vector<2xf16>) -> vector<2xf16>
    ptx.st "global.b32" %out32 + 28, %halves3 : (!llvm.ptr<1>, vector<2xf16>) -> ()

    %brains = ptx.ld "global.b32" %in32 + 16 : (!llvm.ptr<1>) -> vector<2xbf16>
    %brains_old = ptx.ld "global.b32" %in32 + 20 : (!llvm.ptr<1>) -> vector<2xbf16>
    %brains0 = ptx.mov "b32" %brains pred(%yes) preserve(%brains_old) : (vector<2xbf16>) -> vector<2xbf16>
    ptx.st "global.b32" %out32 + 32, %brains0 : (!llvm.ptr<1>, vector<2xbf16>) -> ()
    %brains1 = ptx.mov "b32" %brains pred(%no) preserve(%brains_old) : (vector<2xbf16>) -> vector<2xbf16>
    ptx.st "global.b32" %out32 + 36, %brains1 : (!llvm.ptr<1>, vector<2xbf16>) -> ()
    %brains2 = ptx.mov "b32" %brains pred(not %yes) preserve(%brains_old) : (vector<2xbf16>) -> vector<2xbf16>
    ptx.st "global.b32" %out32 + 40, %brains2 : (!llvm.ptr<1>, vector<2xbf16>) -> ()
    %brains3 = ptx.mov "b32" %brains pred(not %no) preserve(%brains_old) : (vector<2xbf16>) -> vector<2xbf16>
    ptx.st "global.b32" %out32 + 44, %brains3 : (!llvm.ptr<1>, vector<2xbf16>) -> ()

    %word = ptx.ld "global.b32" %in32 + 24 : (!llvm.ptr<1>) -> i32
    %word_old = ptx.ld "global.b32" %in32 + 28 : (!llvm.ptr<1>) -> i32
    %word0 = ptx.mov "s32" %word pred(%yes) preserve(%word_old) : (i32) -> i32
    ptx.st "global.b32" %out32 + 48, %word0 : (!llvm.ptr<1>, i32) -> ()
    %word1 = ptx.mov "s32" %word pred(%no) preserve(%word_old) : (i32) -> i32
    ptx.st "global.b32" %out32 + 52, %word1 : (!llvm.ptr<1>, i32) -> ()
    %word2 = ptx.mov "s32" %word pred(not %yes) preserve(%word_old) : (i32) -> i32
    ptx.st "global.b32" %out32 + 56, %word2 : (!llvm.ptr<1>, i32) -> ()
    %word3 = ptx.mov "s32" %word pred(not %no) preserve(%word_old) : (i32) -> i32
    ptx.st "global.b32" %out32 + 60, %word3 : (!llvm.ptr<1>, i32) -> ()

    %double = ptx.ld "global.b64" %in64 : (!llvm.ptr<1>) -> f64
    %double_old = ptx.ld "global.b64" %in64 + 8 : (!llvm.ptr<1>) -> f64
    %double0 = ptx.mov "f64" %double pred(%yes) preserve(%double_old) : (f64) -> f64
    ptx.st "global.b64" %out64, %double0 : (!llvm.ptr<1>, f64) -> ()
    %double1 = ptx.mov "f64" %double pred(%no) preserve(%double_old) : (f64) -> f64
    ptx.st "global.b64" %out64 + 8, %double1 : (!llvm.ptr<1>, f64) -> ()
    %double2 = ptx.mov "f64" %double pred(not %yes) preserve(%double_old) : (f64) -> f64
    ptx.st "global.b64" %out64 + 16, %double2 : (!llvm.ptr<1>, f64) -> ()
    %double3 = ptx.mov "f64" %double pred(not %no) preserve(%double_old) : (f64) -> f64
    ptx.st "global.b64" %out64 + 24, %double3 : (!llvm.ptr<1>, f64) -> ()

    %singles = ptx.ld "global.b64" %in64 + 16 : (!llvm.ptr<1>) -> vector<2xf32>
    %singles_old = ptx.ld "global.b64" %in64 + 24 : (!llvm.ptr<1>) -> vector<2xf32>
    %singles0 = ptx.mov "b64" %singles pred(%yes) preserve(%singles_old) : (vector<2xf32>) -> vector<2xf32>
    ptx.st "global.b64" %out64 + 32, %singles0 : (!llvm.ptr<1>, vector<2xf32>) -> ()
    %singles1 = ptx.mov "b64" %singles pred(%no) preserve(%singles_old) : (vector<2xf32>) -> vector<2xf32>
    ptx.st "global.b64" %out64 + 40, %singles1 : (!llvm.ptr<1>, vector<2xf32>) -> ()
    %singles2 = ptx.mov "b64" %singles pred(not %yes) preserve(%singles_old) : (vector<2xf32>) -> vector<2xf32>
    ptx.st "global.b64" %out64 + 48, %singles2 : (!llvm.ptr<1>, vector<2xf32>) -> ()
    %singles3 = ptx.mov "b64" %singles pred(not %no) preserve(%singles_old) : (vector<2xf32>) -> vector<2xf32>
    ptx.st "global.b64" %out64 + 56, %singles3 : (!llvm.ptr<1>, vector<2xf32>) -> ()

    %long = ptx.ld "global.b64" %in64 + 32 : (!llvm.ptr<1>) -> i64
    %long_old = ptx.ld "global.b64" %in64 + 40 : (!llvm.ptr<1>) -> i64
    %long0 = ptx.mov "u64" %long pred(%yes) preserve(%long_old) : (i64) -> i64
    ptx.st "global.b64" %out64 + 64, %long0 : (!llvm.ptr<1>, i64) -> ()
    %long1 = ptx.mov "u64" %long pred(%no) preserve(%long_old) : (i64) -> i64
    ptx.st "global.b64" %out64 + 72, %long1 : (!llvm.ptr<1>, i64) -> ()
    %long2 = ptx.mov "u64" %long pred(not %yes) preserve(%long_old) : (i64) -> i64
    ptx.st "global.b64" %out64 + 80, %long2 : (!llvm.ptr<1>, i64) -> ()
    %long3 = ptx.mov "u64" %long pred(not %no) preserve(%long_old) : (i64) -> i64
    ptx.st "global.b64" %out64 + 88, %long3 : (!llvm.ptr<1>, i64) -> ()

    // Predicates: copied, negated, kept.
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %p0 = ptx.mov "pred" %yes : (i1) -> i1
    %p1 = ptx.mov "pred" not %yes : (i1) -> i1
    %p2 = ptx.mov "pred" %no pred(%no) preserve(%yes) : (i1) -> i1
    %p3 = ptx.mov "pred" %no pred(%yes) preserve(%yes) : (i1) -> i1
    %p4 = ptx.mov "pred" not %no pred(not %no) preserve(%no) : (i1) -> i1
    %p5 = ptx.mov "pred" not %no pred(%no) preserve(%no) : (i1) -> i1
    %e0 = arith.extui %p0 : i1 to i32
    %e1 = arith.extui %p1 : i1 to i32
    %e2 = arith.extui %p2 : i1 to i32
    %e3 = arith.extui %p3 : i1 to i32
    %e4 = arith.extui %p4 : i1 to i32
    %e5 = arith.extui %p5 : i1 to i32
    memref.store %e0, %preds[%i0] : memref<6xi32, 1>
    memref.store %e1, %preds[%i1] : memref<6xi32, 1>
    memref.store %e2, %preds[%i2] : memref<6xi32, 1>
    memref.store %e3, %preds[%i3] : memref<6xi32, 1>
    memref.store %e4, %preds[%i4] : memref<6xi32, 1>
    memref.store %e5, %preds[%i5] : memref<6xi32, 1>

    // Vectors: all words, one sunk, one a constant and kept where the predicate is false.
    %n1 = arith.constant 1 : i32
    %n2 = arith.constant 2 : i32
    %n3 = arith.constant 3 : i32
    %n17 = arith.constant 17 : i32
    %one = ptx.mov "b32" %n1 : (i32) -> i32
    %two = ptx.mov "b32" %n2 : (i32) -> i32
    %three = ptx.mov "b32" %n3 : (i32) -> i32
    %four = arith.addi %one, %three : i32
    %v:4 = ptx.mov "v4.b32" %four, %three, %two, %one : (i32, i32, i32, i32) -> (i32, i32, i32, i32)
    ptx.st "global.v4.b32" %vectors, %v#0, %v#1, %v#2, %v#3 : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
    %w = ptx.mov "v2.u32" %one, %two sink [0] : (i32, i32) -> i32
    ptx.st "global.v2.b32" %vectors + 16, %w, %c9 : (!llvm.ptr<1>, i32, i32) -> ()
    %x:2 = ptx.mov "v2.s32" %n17, %three pred(%yes) preserve(%one, %two) : (i32, i32) -> (i32, i32)
    ptx.st "global.v2.b32" %vectors + 24, %x#0, %x#1 : (!llvm.ptr<1>, i32, i32) -> ()
    gpu.return
  }
}
