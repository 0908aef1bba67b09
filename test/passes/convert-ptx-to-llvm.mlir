// ptx ops as inline asm, by our pass, by stock convert-gpu-to-nvvm and by stock convert-to-llvm.

// RUN: tile-opt %s --convert-ptx-to-llvm | FileCheck %s --check-prefixes=CHECK,OURS
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(convert-to-llvm))' | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: func @forms(
  gpu.func @forms(%n: i32, %w: i64, %x: f32, %h: f16, %v: vector<2xf32>, %p: i1, %ptr: !llvm.ptr<1>) -> i64 {
    // CHECK: %[[COPY:.*]] = llvm.inline_asm has_side_effects asm_dialect = att {instruction = {{[0-9]+}} : i64} "mov.b32 $0, $1;", "=r,rn" %{{.*}} : (i32) -> i32
    %copy = ptx.mov "b32" %n : (i32) -> i32
    // CHECK: llvm.inline_asm {{.*}} "mov.b64 $0, {$1, $2};", "=l,rn,rn" %{{.*}}, %[[COPY]] : (i32, i32) -> i64
    %pack = ptx.mov "b64" %n, %copy : (i32, i32) -> i64
    // CHECK: %[[PAIR:.*]] = llvm.inline_asm {{.*}} "mov.b64 {$0, $1}, $2;", "=r,=r,ln" %{{.*}} : (i64) -> !llvm.struct<(i32, i32)>
    // CHECK: %[[LO:.*]] = llvm.extractvalue %[[PAIR]][0]
    // CHECK: %[[HI:.*]] = llvm.extractvalue %[[PAIR]][1]
    %lo, %hi = ptx.mov "b64" %pack : (i64) -> (i32, i32)
    // One result is no struct.
    // CHECK: %[[TOP:.*]] = llvm.inline_asm {{.*}} "mov.b64 {_, $0}, $1;", "=r,ln" %{{.*}} : (i64) -> i32
    %top = ptx.mov "b64" %w sink [0] : (i64) -> i32
    // Preserved values are tied, and come last.
    // CHECK: llvm.inline_asm {{.*}} "@!$2 mov.b32 $0, $1;", "=r,rn,b,0" %{{.*}}, %{{.*}}, %[[COPY]] : (i32, i1, i32) -> i32
    %kept = ptx.mov "b32" %n pred(not %p) preserve(%copy) : (i32) -> i32
    // A vector of 64 bits is one register.
    // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<2xf32> to i64
    // CHECK: %[[MOVED:.*]] = llvm.inline_asm {{.*}} "mov.b64 $0, $1;", "=l,l" %[[BITS]] : (i64) -> i64
    // CHECK: llvm.bitcast %[[MOVED]] : i64 to vector<2xf32>
    %vector = ptx.mov "b64" %v : (vector<2xf32>) -> vector<2xf32>
    // CHECK: llvm.inline_asm {{.*}} "mov.b16 $0, $1;", "=h,h" %{{.*}} : (f16) -> f16
    %half = ptx.mov "b16" %h : (f16) -> f16
    // CHECK: %[[LD:.*]] = llvm.inline_asm {{.*}} "ld.global.v2.b32 {$0, $1}, [$2+8];", "=r,=r,l,~{memory}" %{{.*}} : (!llvm.ptr<1>) -> !llvm.struct<(i32, i32)>
    %l0, %l1 = ptx.ld "global.v2.b32" %ptr + 8 : (!llvm.ptr<1>) -> (i32, i32)
    // CHECK: llvm.inline_asm {{.*}} "@$2 st.global.b32 [$0], $1;", "l,rn,b,~{memory}" %{{.*}}, %[[HI]], %{{.*}} : (!llvm.ptr<1>, i32, i1) -> ()
    ptx.st "global.b32" %ptr, %hi pred(%p) : (!llvm.ptr<1>, i32) -> ()
    %ends = arith.addi %top, %kept : i32
    %more = arith.addi %ends, %lo : i32
    %half_bits = arith.bitcast %half : f16 to i16
    %half_wide = arith.extui %half_bits : i16 to i32
    %sum = arith.addi %more, %half_wide : i32
    ptx.st "global.b32" %ptr, %l0 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %ptr, %l1 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %ptr, %sum : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b64" %ptr, %vector : (!llvm.ptr<1>, vector<2xf32>) -> ()
    gpu.return %w : i64
  }

  // Constants are immediates: integers by constraint, others as text; none costs a mov.
  // CHECK-LABEL: func @constants(
  gpu.func @constants(%ptr: !llvm.ptr<1>) {
    %i = arith.constant 17 : i32
    %f = arith.constant 1.0 : f32
    %d = arith.constant -2.0 : f64
    %h = arith.constant 1.5 : f16
    %v = arith.constant dense<[1.0, 2.0]> : vector<2xf16>
    %true = arith.constant true
    // CHECK: "mov.b32 $0, $1;", "=r,rn" %{{.*}} : (i32) -> i32
    %0 = ptx.mov "b32" %i : (i32) -> i32
    // CHECK: "mov.f32 $0, 0f3F800000;", "=r" : () -> f32
    %1 = ptx.mov "f32" %f : (f32) -> f32
    // CHECK: "mov.b64 $0, 0dC000000000000000;", "=l" : () -> f64
    %2 = ptx.mov "b64" %d : (f64) -> f64
    // CHECK: "mov.b16 $0, 0x3E00;", "=h" : () -> f16
    %3 = ptx.mov "b16" %h : (f16) -> f16
    // CHECK: "mov.b32 $0, 0x40003C00;", "=r" : () -> i32
    %4 = ptx.mov "b32" %v : (vector<2xf16>) -> vector<2xf16>
    // CHECK: "mov.pred $0, 0x1;", "=b" : () -> i1
    %5 = ptx.mov "pred" %true : (i1) -> i1
    // CHECK: "@$1 st.global.b32 [$0], 0f3F800000;", "l,b,~{memory}"
    ptx.st "global.b32" %ptr, %f pred(%5) : (!llvm.ptr<1>, f32) -> ()
    ptx.st "global.b32" %ptr, %0 : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %ptr, %1 : (!llvm.ptr<1>, f32) -> ()
    ptx.st "global.b64" %ptr, %2 : (!llvm.ptr<1>, f64) -> ()
    ptx.st "global.b16" %ptr, %3 : (!llvm.ptr<1>, f16) -> ()
    ptx.st "global.b32" %ptr, %4 : (!llvm.ptr<1>, vector<2xf16>) -> ()
    gpu.return
  }

  // A pure op that nobody uses stays (stock greedy rewrites drop it), and no two blocks are equal: one number for a row.
  // OURS-LABEL: func @unused(
  // OURS:         {instruction = [[A:[0-9]+]] : i64} "mov.b32
  // OURS-NEXT:    att "mov.b32
  // OURS-NEXT:    cf.br
  // OURS-NOT:     {instruction = [[A]] : i64}
  // OURS:         {instruction = {{[0-9]+}} : i64} "mov.b32
  // OURS-NEXT:    att "mov.b32
  gpu.func @unused(%n: i32, %p: i1) {
    cf.cond_br %p, ^one, ^other
  ^one:
    %0 = ptx.mov "b32" %n : (i32) -> i32
    %1 = ptx.mov "b32" %n : (i32) -> i32
    cf.br ^end
  ^other:
    %2 = ptx.mov "b32" %n : (i32) -> i32
    %3 = ptx.mov "b32" %n : (i32) -> i32
    cf.br ^end
  ^end:
    gpu.return
  }
}
