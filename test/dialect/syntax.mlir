// Every op and attribute as text, in generic form and as bytecode.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s | not grep "[^ ]  [^ ]"

!tile = memref<4x1xi32, #gpu.address_space<private>>
!spread = memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
!pairs = memref<4x2xi32, #gpu.address_space<private>>
!wide = memref<4x1xi64, #gpu.address_space<private>>
!halves = memref<4x1xi32, #tile.layout<[2, 2] : [4, 1]>, #gpu.address_space<private>>
!shared_out = memref<8x64xi16, #tile.swizzle<<[512] : [1]>, per_element = 3, swizzle = 3, atom = 3>, 3>
!distributed = memref<8x16xi32, #tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], offset = [5@warpid]>, #gpu.address_space<private>>

gpu.module @m {
  // CHECK-LABEL: gpu.func @tiles(
  // CHECK-SAME:    %[[OUT:.*]]: memref<4x1xi32, 1>, %[[SH:.*]]: memref<8x64xi16, 3>, %[[P:.*]]: i1, %[[N:.*]]: i32, %[[I:.*]]: index, %{{.*}}: memref<1073741824xi32, 1>, %[[POLICY:.*]]: i64)
  gpu.func @tiles(%out: memref<4x1xi32, 1>, %sh: memref<8x64xi16, 3>, %p: i1, %n: i32, %i: index, %big: memref<1073741824xi32, 1>, %policy: i64) kernel {
    // CHECK: %[[A:.*]] = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
    %a = tile.alloc : !tile
    // CHECK: %[[B:.*]] = tile.alloc : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
    %b = tile.alloc : !spread
    %pairs = tile.alloc : !pairs
    %wide = tile.alloc : !wide
    // CHECK: tile.alloc : memref<8x16xi32, #tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], offset = [5@warpid]>, #gpu.address_space<private>>
    %d = tile.alloc : !distributed
    // CHECK: tile.alloc : memref<4x1xi32, #tile.layout<[2, 2] : [4, 1]>, #gpu.address_space<private>>
    %h = tile.alloc : !halves
    // CHECK: tile.view %[[A]] : memref<4x1xi32, #gpu.address_space<private>> to memref<2x2xi32, #gpu.address_space<private>>
    %v = tile.view %a : !tile to memref<2x2xi32, #gpu.address_space<private>>
    // CHECK: tile.view %[[SH]] : {{.*}} to memref<8x64xi16, #tile.swizzle<<[512] : [1]>, per_element = 3, swizzle = 3, atom = 3>, 3>
    %w = tile.view %sh : memref<8x64xi16, 3> to !shared_out
    // Memory of any size is viewed at once.
    // CHECK: tile.view %[[BIG:.*]] : memref<1073741824xi32, 1> to memref<134217728x4xi64, 1>
    %big_view = tile.view %big : memref<1073741824xi32, 1> to memref<134217728x4xi64, 1>
    // CHECK: tile.slice %[[A]][1, 0] [2, 1] : memref<4x1xi32, #gpu.address_space<private>> to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    %s = tile.slice %a[1, 0] [2, 1] : !tile to memref<2x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
    // CHECK: %[[E:.*]] = tile.read %[[A]][1, 0] : memref<4x1xi32, #gpu.address_space<private>>
    %e = tile.read %a[1, 0] : !tile
    // CHECK: tile.write %[[E]], %[[B]][%[[I]], 0] : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
    tile.write %e, %b[%i, 0] : !spread
    // CHECK: tile.apply "mov.b32"(%[[B]], %[[A]]) : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>, memref<4x1xi32, #gpu.address_space<private>>
    tile.apply "mov.b32"(%b, %a) : !spread, !tile
    // CHECK: tile.apply "mov.b32"(%[[B]], %[[N]]) pred(not %[[P]]) preserve_dst : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>, i32
    tile.apply "mov.b32"(%b, %n) pred(not %p) preserve_dst : !spread, i32
    // Clauses come in any order, and are printed in one.
    // CHECK: tile.apply "mov.b32"(%[[B]], %[[N]]) pred(not %[[P]]) preserve_dst : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>, i32
    tile.apply "mov.b32"(%b, %n) preserve_dst pred(not %p) scope(thread) : !spread, i32
    // CHECK: tile.apply "mov.b64"({{.*}}) pred(%[[P]]) sink [0] {note = "kept"} :
    tile.apply "mov.b64"(%pairs, %wide) pred(%p) sink [0] {note = "kept"} : !pairs, !wide
    // CHECK: tile.apply "st.global.b32"(%[[OUT]], %[[B]]) :
    tile.apply "st.global.b32"(%out, %b) : memref<4x1xi32, 1>, !spread
    // CHECK: tile.apply "ld.acquire.gpu.global.L2::cache_hint.u32"(%[[A]], %[[OUT]]) pred(%[[P]]) preserve_dst cache_policy(%[[POLICY]]) :
    tile.apply "ld.global.acquire.gpu.L2::cache_hint.u32"(%a, %out) pred(%p) preserve_dst cache_policy(%policy) : !tile, memref<4x1xi32, 1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @instructions(
  // CHECK-SAME:    %[[N:.*]]: i32, %[[W:.*]]: i64, %[[P:.*]]: i1, %[[PTR:.*]]: !llvm.ptr<1>)
  gpu.func @instructions(%n: i32, %w: i64, %p: i1, %ptr: !llvm.ptr<1>) kernel {
    // CHECK: %[[COPY:.*]] = ptx.mov "b32" %[[N]] : (i32) -> i32
    %copy = ptx.mov "b32" %n : (i32) -> i32
    // CHECK: ptx.mov "b64" %[[N]], %[[COPY]] : (i32, i32) -> i64
    %pack = ptx.mov "b64" %n, %copy : (i32, i32) -> i64
    // CHECK: %[[UN:.*]]:2 = ptx.mov "b64" %[[W]] : (i64) -> (i32, i32)
    %lo, %hi = ptx.mov "b64" %w : (i64) -> (i32, i32)
    // CHECK: ptx.mov "b64" %[[W]] sink [0] : (i64) -> i32
    %top = ptx.mov "b64" %w sink [0] : (i64) -> i32
    // CHECK: ptx.mov "b32" %[[N]] pred(%[[P]]) : (i32) -> i32
    %maybe = ptx.mov "b32" %n pred(%p) : (i32) -> i32
    // CHECK: ptx.mov "b32" %[[N]] pred(%[[P]]) preserve(%[[COPY]]) : (i32) -> i32
    %other = ptx.mov "b32" %n preserve(%copy) pred(%p) : (i32) -> i32
    // CHECK: ptx.mov "b32" %[[N]] pred(not %[[P]]) preserve(%[[COPY]]) : (i32) -> i32
    %kept = ptx.mov "b32" %n pred(not %p) preserve(%copy) : (i32) -> i32
    // CHECK: ptx.mov "b64" %[[W]] pred(%[[P]]) preserve(%[[UN]]#0, %[[UN]]#1) : (i64) -> (i32, i32)
    %k0, %k1 = ptx.mov "b64" %w pred(%p) preserve(%lo, %hi) : (i64) -> (i32, i32)
    // CHECK: ptx.ld "global.v2.b32" %[[PTR]] + 8 : (!llvm.ptr<1>) -> (i32, i32)
    %l0, %l1 = ptx.ld "global.v2.b32" %ptr + 8 : (!llvm.ptr<1>) -> (i32, i32)
    // CHECK: ptx.st "global.b32" %[[PTR]] + -4, %[[N]] pred(%[[P]]) : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.b32" %ptr + -4, %n pred(%p) : (!llvm.ptr<1>, i32) -> ()
    // CHECK: ptx.ld "global.nc.L1::no_allocate.L2::cache_hint.L2::128B.b32" %[[PTR]] + 8, %[[W]] : (!llvm.ptr<1>, i64) -> i32
    %hinted = ptx.ld "global.nc.L2::128B.L2::cache_hint.L1::no_allocate.b32" %ptr + 8, %w : (!llvm.ptr<1>, i64) -> i32
    // CHECK: ptx.st "release.sys.global.L2::cache_hint.v2.b32" %[[PTR]], %[[N]], %[[COPY]], %[[W]] pred(not %[[P]]) : (!llvm.ptr<1>, i32, i32, i64) -> ()
    ptx.st "release.sys.global.L2::cache_hint.v2.b32" %ptr, %n, %copy, %w pred(not %p) : (!llvm.ptr<1>, i32, i32, i64) -> ()
    gpu.return
  }
}
