// What stock passes may do with the ops, as their records and traits say.

// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: tile-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: tile-opt %s --inline | FileCheck %s --check-prefix=INLINE

!t = memref<1x1xi32, #gpu.address_space<private>>
!out = memref<1x1xi32, 1>

gpu.module @m {

// Pure instructions merge (D33); loads, reads of what varies and differently predicated ones do not; an application is
// never pure (R1).
// CSE-LABEL: gpu.func @merge(
// CSE-NEXT:    ptx.mov "b32" %{{[a-z0-9]+}} : (i32) -> i32
// CSE-NEXT:    ptx.mov "b32" %{{.*}} pred(
// CSE-NEXT:    ptx.mov "b32" %{{.*}} pred(not
// CSE-NEXT:    ptx.ld
// CSE-NEXT:    ptx.ld
// CSE-NEXT:    ptx.st
// CSE-NEXT:    ptx.ld
// CSE-NEXT:    ptx.mov "u64" special "clock64"
// CSE-NEXT:    ptx.mov "u64" special "clock64"
// CSE-NEXT:    ptx.mov "u32" special "laneid"
// CSE-NEXT:    tile.alloc
// CSE-NEXT:    tile.apply
// CSE-NEXT:    tile.apply
gpu.func @merge(%n: i32, %p: i1, %ptr: !llvm.ptr<1>) -> (i32, i32, i32, i32, i32, i32, i32, i64, i64, i32, i32) {
  %a = ptx.mov "b32" %n : (i32) -> i32
  %b = ptx.mov "b32" %n : (i32) -> i32
  %c = ptx.mov "b32" %n pred(%p) : (i32) -> i32
  %d = ptx.mov "b32" %n pred(not %p) : (i32) -> i32
  %e = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %f = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
  ptx.st "global.b32" %ptr, %n : (!llvm.ptr<1>, i32) -> ()
  %g = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %h = ptx.mov "u64" special "clock64" : () -> i64
  %i = ptx.mov "u64" special "clock64" : () -> i64
  %j = ptx.mov "u32" special "laneid" : () -> i32
  %k = ptx.mov "u32" special "laneid" : () -> i32
  %t = tile.alloc : !t
  tile.apply "mov.b32"(%t, %n) : !t, i32
  tile.apply "mov.b32"(%t, %n) : !t, i32
  gpu.return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k : i32, i32, i32, i32, i32, i32, i32, i64, i64, i32, i32
}

// Loads stay, all of them, read or not; no memory is known from before one that orders it, also as an application.
// CSE-LABEL: gpu.func @ordered(
// CSE-COUNT-2: ptx.ld "volatile.global.b32"
// CSE-COUNT-2: ptx.ld "relaxed.cta.shared.b32"
// CSE-COUNT-2: ptx.ld "mmio.relaxed.sys.global.b32"
// CSE-NEXT:    memref.load
// CSE-NEXT:    ptx.ld "acquire.gpu.global.b32"
// CSE-NEXT:    memref.load
// CSE-NEXT:    tile.apply "ld.acquire.gpu.global.b32"
// CSE-NEXT:    memref.load
// CANON-LABEL: gpu.func @ordered(
// CANON-COUNT-2: ptx.ld "volatile.global.b32"
// CANON-COUNT-2: ptx.ld "relaxed.cta.shared.b32"
// CANON-COUNT-2: ptx.ld "mmio.relaxed.sys.global.b32"
// CANON:         ptx.ld "acquire.gpu.global.b32"
// CANON:         tile.apply "ld.acquire.gpu.global.b32"
// CANON:         ptx.ld "global.b32"
gpu.func @ordered(%ptr: !llvm.ptr<1>, %s: !llvm.ptr<3>, %data: memref<f32>, %flag: !out) -> (f32, f32, f32) {
  %t = tile.alloc : !t
  %a = ptx.ld "volatile.global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %b = ptx.ld "volatile.global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %c = ptx.ld "relaxed.cta.shared.b32" %s : (!llvm.ptr<3>) -> i32
  %d = ptx.ld "relaxed.cta.shared.b32" %s : (!llvm.ptr<3>) -> i32
  %e = ptx.ld "mmio.relaxed.sys.global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %f = ptx.ld "mmio.relaxed.sys.global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %x = memref.load %data[] : memref<f32>
  %g = ptx.ld "acquire.gpu.global.b32" %ptr : (!llvm.ptr<1>) -> i32
  %y = memref.load %data[] : memref<f32>
  tile.apply "ld.acquire.gpu.global.b32"(%t, %flag) : !t, !out
  %z = memref.load %data[] : memref<f32>
  %h = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
  gpu.return %x, %y, %z : f32, f32, f32
}

// What nobody reads goes, if it has no effect.
// CANON-LABEL: gpu.func @unread(
// CANON-NOT:   ptx.mov
// CANON-NOT:   tile.view
// CANON:       ptx.st
gpu.func @unread(%n: i32, %ptr: !llvm.ptr<1>, %memory: memref<2x1xi32, 1>) {
  %a = ptx.mov "b32" %n : (i32) -> i32
  %v = tile.view %memory : memref<2x1xi32, 1> to memref<1x2xi32, 1>
  ptx.st "global.b32" %ptr, %n : (!llvm.ptr<1>, i32) -> ()
  gpu.return
}

// Pure instructions leave a loop, with a barrier in it or not; loads and reads of what varies stay, each on its side.
// LICM-LABEL: gpu.func @loop(
// LICM:         %[[A:.*]] = ptx.mov
// LICM:         scf.for
// LICM-NEXT:      %[[B:.*]] = ptx.ld
// LICM-NEXT:      gpu.barrier
// LICM-NEXT:      ptx.mov "u32" special "clock"
// LICM-NEXT:      ptx.st "global.b32" %{{.*}}, %[[A]]
gpu.func @loop(%n: i32, %ptr: !llvm.ptr<1>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %count step %c1 {
    %a = ptx.mov "b32" %n : (i32) -> i32
    %b = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
    gpu.barrier
    %t = ptx.mov "u32" special "clock" : () -> i32
    ptx.st "global.b32" %ptr, %a : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %ptr, %b : (!llvm.ptr<1>, i32) -> ()
  }
  gpu.return
}

}

// Functions with our ops in them are inlined.
func.func private @callee(%out: !out, %n: i32) {
  %t = tile.alloc : !t
  tile.apply "mov.b32"(%t, %n) : !t, i32
  tile.apply "st.global.b32"(%out, %t) : !out, !t
  return
}
// INLINE-LABEL: func.func @caller(
// INLINE-NOT:     call
// INLINE:         tile.apply "mov.b32"
// INLINE-NEXT:    tile.apply "st.global.b32"
func.func @caller(%out: !out, %n: i32) {
  call @callee(%out, %n) : (!out, i32) -> ()
  return
}
