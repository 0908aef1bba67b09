// Special registers as text, in generic form and as bytecode, and what stock passes may do with reads of them.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: tile-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM

gpu.module @m {

// CHECK-LABEL: gpu.func @syntax(
// CHECK-SAME:    %[[P:.*]]: i1, %[[OLD:.*]]: i32)
// CHECK-NEXT:    ptx.mov "u32" special "tid.x" : () -> i32
// CHECK-NEXT:    ptx.mov "u32" special "laneid" pred(not %[[P]]) preserve(%[[OLD]]) : () -> i32
// CHECK-NEXT:    %{{.*}}:4 = ptx.mov "v4.u32" special "tid" : () -> (i32, i32, i32, i32)
// CHECK-NEXT:    %{{.*}}:2 = ptx.mov "v4.b32" special "ctaid" pred(%[[P]]) sink [0, 3] : () -> (i32, i32)
// CHECK-NEXT:    ptx.mov "pred" special "is_explicit_cluster" : () -> i1
// CHECK-NEXT:    ptx.mov "pred" not %[[P]] pred(not %[[P]]) : (i1) -> i1
gpu.func @syntax(%p: i1, %old: i32) {
  %t = ptx.mov "u32" special "tid.x" : () -> i32
  %l = ptx.mov "u32" special "laneid" pred(not %p) preserve(%old) : () -> i32
  %v:4 = ptx.mov "v4.u32" special "tid" : () -> (i32, i32, i32, i32)
  %w:2 = ptx.mov "v4.b32" special "ctaid" pred(%p) sink [0, 3] : () -> (i32, i32)
  %c = ptx.mov "pred" special "is_explicit_cluster" : () -> i1
  %n = ptx.mov "pred" not %p pred(not %p) : (i1) -> i1
  gpu.return
}

// Reads of what stays the same merge, with nothing between them; reads of what varies do not.
// CSE-LABEL: gpu.func @merge(
// CSE-COUNT-1: special "tid.x"
// CSE-NOT:     special "tid.x"
// CSE-COUNT-2: special "clock64"
// CSE-COUNT-2: special "smid"
// CSE-COUNT-2: special "warpid"
// CSE-COUNT-2: special "pm3"
// CSE-COUNT-2: special "globaltimer_lo"
// CSE:         gpu.return
gpu.func @merge() -> (i32, i32, i64, i64, i32, i32, i32, i32, i32, i32, i32, i32) {
  %a = ptx.mov "u32" special "tid.x" : () -> i32
  %b = ptx.mov "u32" special "tid.x" : () -> i32
  %c = ptx.mov "u64" special "clock64" : () -> i64
  %d = ptx.mov "u64" special "clock64" : () -> i64
  %e = ptx.mov "u32" special "smid" : () -> i32
  %f = ptx.mov "u32" special "smid" : () -> i32
  %g = ptx.mov "u32" special "warpid" : () -> i32
  %h = ptx.mov "u32" special "warpid" : () -> i32
  %i = ptx.mov "u32" special "pm3" : () -> i32
  %j = ptx.mov "u32" special "pm3" : () -> i32
  %k = ptx.mov "u32" special "globaltimer_lo" : () -> i32
  %l = ptx.mov "u32" special "globaltimer_lo" : () -> i32
  gpu.return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l
    : i32, i32, i64, i64, i32, i32, i32, i32, i32, i32, i32, i32
}

// CANON-LABEL: gpu.func @unread(
// CANON-NOT:     special "laneid"
// CANON:         special "clock"
gpu.func @unread() {
  %a = ptx.mov "u32" special "laneid" : () -> i32
  %b = ptx.mov "u32" special "clock" : () -> i32
  gpu.return
}

// LICM-LABEL: gpu.func @loop(
// LICM:         special "ntid.x"
// LICM:         scf.for
// LICM-NEXT:      special "clock"
gpu.func @loop(%ptr: !llvm.ptr<1>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %count step %c1 {
    %a = ptx.mov "u32" special "ntid.x" : () -> i32
    %b = ptx.mov "u32" special "clock" : () -> i32
    ptx.st "global.v2.b32" %ptr, %a, %b : (!llvm.ptr<1>, i32, i32) -> ()
  }
  gpu.return
}

}
