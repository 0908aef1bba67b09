// One ptx op for each repeat, slots as values inside a block.

// RUN: tile-opt %s --tile-expand | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>
!tail = memref<3x1xi32, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
!head = memref<3x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
!out = memref<4x1xi32, 1>

gpu.module @m {

// R66: source and destination may alias, and the meaning is sequential: every instruction reads what the one before wrote.
// CHECK-LABEL: gpu.func @shift(
// CHECK:         %[[A0:.*]] = ptx.ld
// CHECK:         %[[B1:.*]] = ptx.mov "b32" %[[A0]] : (i32) -> i32
// CHECK-NEXT:    %[[B2:.*]] = ptx.mov "b32" %[[B1]] : (i32) -> i32
// CHECK-NEXT:    %[[B3:.*]] = ptx.mov "b32" %[[B2]] : (i32) -> i32
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[A0]]
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}} + 4, %[[B1]]
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}} + 8, %[[B2]]
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}} + 12, %[[B3]]
// CHECK-NOT:     llvm.alloca
gpu.func @shift(%in: !out, %out: !out) kernel {
  %a = tile.alloc : !t
  tile.apply "ld.global.b32"(%a, %in) : !t, !out
  %tail = tile.slice %a[1, 0] [3, 1] : !t to !tail
  %head = memref.subview %a[0, 0] [3, 1] [1, 1] : !t to !head
  tile.apply "mov.b32"(%tail, %head) : !tail, !head
  tile.apply "st.global.b32"(%out, %a) : !out, !t
  gpu.return
}

// R101: repeats are row-major over the tile's own shape; a permuted view is written in slot order 0, 3, 1, 4, 2, 5.
// CHECK-LABEL: gpu.func @permuted(
// CHECK:         %[[L0:.*]] = ptx.ld "global.b32" %[[P:.*]] : (!llvm.ptr<1>) -> i32
// CHECK-NEXT:    %[[L3:.*]] = ptx.ld "global.b32" %[[P]] + 4 :
// CHECK-NEXT:    %[[L1:.*]] = ptx.ld "global.b32" %[[P]] + 8 :
// CHECK-NEXT:    %[[L4:.*]] = ptx.ld "global.b32" %[[P]] + 12 :
// CHECK-NEXT:    %[[L2:.*]] = ptx.ld "global.b32" %[[P]] + 16 :
// CHECK-NEXT:    %[[L5:.*]] = ptx.ld "global.b32" %[[P]] + 20 :
// CHECK:         ptx.st "global.b32" %[[Q:.*]], %[[L0]] :
// CHECK-NEXT:    ptx.st "global.b32" %[[Q]] + 4, %[[L1]] :
// CHECK-NEXT:    ptx.st "global.b32" %[[Q]] + 8, %[[L2]] :
// CHECK-NEXT:    ptx.st "global.b32" %[[Q]] + 12, %[[L3]] :
gpu.func @permuted(%in: memref<2x3x1xi32, 1>, %out: memref<2x3x1xi32, 1>) kernel {
  %a = tile.alloc : memref<2x3x1xi32, #gpu.address_space<private>>
  %turned = tile.view %a : memref<2x3x1xi32, #gpu.address_space<private>>
         to memref<3x2x1xi32, #tile.layout<[3, 2] : [1, 3]>, #gpu.address_space<private>>
  %in_turned = tile.view %in : memref<2x3x1xi32, 1> to memref<3x2x1xi32, 1>
  tile.apply "ld.global.b32"(%turned, %in_turned)
    : memref<3x2x1xi32, #tile.layout<[3, 2] : [1, 3]>, #gpu.address_space<private>>, memref<3x2x1xi32, 1>
  tile.apply "st.global.b32"(%out, %a) : memref<2x3x1xi32, 1>, memref<2x3x1xi32, #gpu.address_space<private>>
  gpu.return
}

// R91: the words of a group need not be adjacent: slots (0, 4), (1, 5), (2, 6), (3, 7).
// CHECK-LABEL: gpu.func @apart(
// CHECK:         %[[U0:.*]]:2 = ptx.mov "b64" %{{.*}} : (i64) -> (i32, i32)
// CHECK-NEXT:    %[[U1:.*]]:2 = ptx.mov "b64"
// CHECK-NEXT:    %[[U2:.*]]:2 = ptx.mov "b64"
// CHECK-NEXT:    %[[U3:.*]]:2 = ptx.mov "b64"
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[U0]]#0
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U1]]#0
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U2]]#0
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U3]]#0
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U0]]#1
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U1]]#1
gpu.func @apart(%w: i64, %out: memref<8x1xi32, 1>) kernel {
  %a = tile.alloc : memref<4x2xi32, #tile.layout<[4, 2] : [1, 4]>, #gpu.address_space<private>>
  %w4 = tile.alloc : memref<4x1xi64, #gpu.address_space<private>>
  tile.apply "mov.b64"(%w4, %w) : memref<4x1xi64, #gpu.address_space<private>>, i64
  tile.apply "mov.b64"(%a, %w4)
    : memref<4x2xi32, #tile.layout<[4, 2] : [1, 4]>, #gpu.address_space<private>>, memref<4x1xi64, #gpu.address_space<private>>
  %flat = tile.view %a : memref<4x2xi32, #tile.layout<[4, 2] : [1, 4]>, #gpu.address_space<private>>
            to memref<8x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %flat) : memref<8x1xi32, 1>, memref<8x1xi32, #gpu.address_space<private>>
  gpu.return
}

// R74, R75, R94: predicate, preserved value and sink go to every instruction; a sunk word keeps its slot's value.
// CHECK-LABEL: gpu.func @clauses(
// CHECK-SAME:    %{{.*}}: i64, %[[P:[a-z0-9]+]]: i1
// CHECK:         %[[OLD0:.*]] = ptx.mov "b32" %c7
// CHECK-NEXT:    %[[OLD1:.*]] = ptx.mov "b32" %c7
// CHECK:         %[[HI:.*]] = ptx.mov "b64" %{{.*}} pred(not %[[P]]) preserve(%[[OLD1]]) sink [0] : (i64) -> i32
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[OLD0]] :
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}} + 4, %[[HI]] :
gpu.func @clauses(%w: i64, %p: i1, %out: memref<2x1xi32, 1>) kernel {
  %c7 = arith.constant 7 : i32
  %a = tile.alloc : memref<1x2xi32, #gpu.address_space<private>>
  %v = tile.view %a : memref<1x2xi32, #gpu.address_space<private>> to memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "mov.b32"(%v, %c7) : memref<2x1xi32, #gpu.address_space<private>>, i32
  tile.apply "mov.b64"(%a, %w) pred(not %p) preserve_dst sink [0] : memref<1x2xi32, #gpu.address_space<private>>, i64
  tile.apply "st.global.b32"(%out, %v) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
  gpu.return
}

// tile.read, tile.write, memref.load and memref.store name slots and make no instruction (R33).
// CHECK-LABEL: gpu.func @elements(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i32
// CHECK-NOT:     llvm.
// CHECK:         %[[SUM:.*]] = arith.addi %[[N]], %[[N]] : i32
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[N]] :
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}} + 4, %[[SUM]] :
gpu.func @elements(%n: i32, %out: memref<2x1xi32, 1>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  tile.write %n, %a[0, 0] : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  %e = memref.load %a[%c0, %c0] : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  %f = tile.read %a[0, %c0] : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  %sum = arith.addi %e, %f : i32
  memref.store %sum, %a[%c1, %c0] : memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %a) : memref<2x1xi32, 1>, memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  gpu.return
}

// No other tile op need use a tile.
// CHECK-LABEL: gpu.func @elements_alone(
// CHECK-NOT:     tile.
// CHECK:         ptx.st "global.b32" %{{.*}}, %arg0
gpu.func @elements_alone(%n: i32, %ptr: !llvm.ptr<1>) kernel {
  %c0 = arith.constant 0 : index
  %a = tile.alloc : memref<2xi32, #gpu.address_space<private>>
  %never = tile.alloc : memref<2xi32, #gpu.address_space<private>>
  memref.store %n, %a[%c0] : memref<2xi32, #gpu.address_space<private>>
  %e = memref.load %a[%c0] : memref<2xi32, #gpu.address_space<private>>
  ptx.st "global.b32" %ptr, %e : (!llvm.ptr<1>, i32) -> ()
  gpu.return
}

// A static memref.alloca in private space is a tile too.
// CHECK-LABEL: gpu.func @alloca(
// CHECK-NOT:     memref.alloca
// CHECK:         ptx.mov "b32"
gpu.func @alloca(%n: i32) kernel {
  %a = memref.alloca() : !t
  tile.apply "mov.b32"(%a, %n) : !t, i32
  gpu.return
}

// What was never written is undefined, and is read all the same: from an array that nobody stores to.
// CHECK-LABEL: gpu.func @undefined(
// CHECK:         llvm.alloca
// CHECK-NOT:     llvm.store
// CHECK:         %[[U:.*]] = llvm.load
// CHECK-NEXT:    ptx.st "global.b32" %{{.*}}, %[[U]]
gpu.func @undefined(%out: !out) kernel {
  %a = tile.alloc : !t
  tile.apply "st.global.b32"(%out, %a) : !out, !t
  gpu.return
}

// The same bits as another type: f32 registers read as i32.
// CHECK-LABEL: gpu.func @bits(
// CHECK:         %[[F:.*]] = ptx.mov "f32" %{{.*}} : (f32) -> f32
// CHECK:         %[[I:.*]] = llvm.bitcast %[[F]] : f32 to i32
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[I]] :
gpu.func @bits(%x: f32, %out: memref<1x1xi32, 1>) kernel {
  %a = tile.alloc : memref<1x1xf32, #gpu.address_space<private>>
  tile.apply "mov.f32"(%a, %x) : memref<1x1xf32, #gpu.address_space<private>>, f32
  %v = tile.view %a : memref<1x1xf32, #gpu.address_space<private>> to memref<1x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %v) : memref<1x1xi32, 1>, memref<1x1xi32, #gpu.address_space<private>>
  gpu.return
}

// No repeat axis is one repeat; several axes are row-major.
// CHECK-LABEL: gpu.func @ranks(
// CHECK-COUNT-1: ptx.mov "u32"
// CHECK-NOT:     ptx.mov "u32"
// CHECK-COUNT-24: ptx.mov "s32"
// CHECK-NOT:     ptx.mov
gpu.func @ranks(%n: i32) kernel {
  %a = tile.alloc : memref<1xi32, #gpu.address_space<private>>
  tile.apply "mov.u32"(%a, %n) : memref<1xi32, #gpu.address_space<private>>, i32
  %b = tile.alloc : memref<2x3x4x1xi32, #gpu.address_space<private>>
  tile.apply "mov.s32"(%b, %n) : memref<2x3x4x1xi32, #gpu.address_space<private>>, i32
  gpu.return
}

// Modifiers in any order are printed in canonical order (R4).
// CHECK-LABEL: gpu.func @canonical(
// CHECK:         ptx.st "global.v2.b32"
gpu.func @canonical(%out: memref<1x2xi32, 1> {llvm.align = 8 : i64}) kernel {
  %a = tile.alloc : memref<1x2xi32, #gpu.address_space<private>>
  tile.apply "st.b32.v2.global"(%out, %a) : memref<1x2xi32, 1>, memref<1x2xi32, #gpu.address_space<private>>
  gpu.return
}

// canonicalize makes a memref.cast of a memref.subview of all there is.
// CHECK-LABEL: gpu.func @cast(
// CHECK-NOT:     memref.cast
// CHECK:         ptx.st "global.b32"
// CHECK:         gpu.return
gpu.func @cast(%out: memref<3x1xi32, 1>) kernel {
  %a = tile.alloc : memref<3x1xi32, #gpu.address_space<private>>
  %b = memref.cast %a : memref<3x1xi32, #gpu.address_space<private>> to !head
  tile.apply "st.global.b32"(%out, %b) : memref<3x1xi32, 1>, !head
  gpu.return
}

}
