// Logic, shifts and permutations of bits.

// RUN: tile-translate --mlir-to-ptx %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | grep -v ld.param | FileCheck %s

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>

gpu.module @m {

// Two written operands: both stay where %q is true, which the second application says, and a word that is sunk is
// written by nothing.
// CHECK-LABEL: .entry tiles(
// CHECK:         ld.global.b32 [[A:%r[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         ld.global.b32 [[B:%r[0-9]+]], [%rd{{[0-9]+}}+4];
// CHECK:         lop3.or.b32 [[C:%r[0-9]+]]|[[P:%p[0-9]+]], [[A]], [[X:%r[0-9]+]], 255, 0xCA, [[Q:%p[0-9]+]];
// CHECK-NEXT:    lop3.or.b32 [[D:%r[0-9]+]]|[[R:%p[0-9]+]], [[B]], [[X]], 255, 0xCA, [[Q]];
// CHECK-NEXT:    @![[Q]] lop3.and.b32 [[C]]|[[P]], [[A]], [[C]], [[X]], 0x0, [[P]];
// CHECK-NEXT:    @![[Q]] lop3.and.b32 [[D]]|[[R]], [[B]], [[D]], [[X]], 0x0, [[R]];
// CHECK-NEXT:    lop3.and.b32 _|[[S:%p[0-9]+]], [[A]], [[C]], [[X]], 0x80, [[P]];
// CHECK-NEXT:    lop3.and.b32 _|[[T:%p[0-9]+]], [[B]], [[D]], [[X]], 0x80, [[R]];
// CHECK-NEXT:    xor.pred [[U:%p[0-9]+]], [[S]], [[Q]];
// CHECK-NEXT:    xor.pred [[V:%p[0-9]+]], [[T]], [[Q]];
// CHECK-NEXT:    selp.b32 [[E:%r[0-9]+]], [[C]], 0, [[U]];
// CHECK-NEXT:    selp.b32 [[F:%r[0-9]+]], [[D]], 0, [[V]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[F]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%in: memref<2x1xi32, 1>, %out: memref<2x1xi32, 1>, %x: i32, %q: i1) kernel {
  %c0 = arith.constant 0 : i32
  %c255 = arith.constant 255 : i32
  %choose = arith.constant 0xCA : i32
  %and = arith.constant 0x80 : i32
  %a = tile.alloc : !w
  %b = tile.alloc : !w
  %p = tile.alloc : !p
  tile.apply "ld.global.b32"(%a, %in) : !w, memref<2x1xi32, 1>
  tile.apply "lop3.or.b32"(%b, %p, %a, %x, %c255, %choose, %q) : !w, !p, !w, i32, i32, i32, i1
  tile.apply "lop3.and.b32"(%b, %p, %a, %b, %x, %c0, %p) pred(not %q) preserve_dst : !w, !p, !w, !w, i32, i32, !p
  tile.apply "lop3.and.b32"(%b, %p, %a, %b, %x, %and, %p) sink [0] : !w, !p, !w, !w, i32, i32, !p
  tile.apply "xor.pred"(%p, %p, %q) : !p, !p, i1
  tile.apply "selp.b32"(%b, %b, %c0, %p) : !w, !w, i32, !p
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xi32, 1>, !w
  gpu.return
}

// CHECK-LABEL: .entry scalars(
// CHECK:         and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    and.pred %p{{[0-9]+}}, %p{{[0-9]+}}, 0x1;
// CHECK-NEXT:    or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, -1;
// CHECK-NEXT:    xor.b16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, -1;
// CHECK-NEXT:    not.pred %p{{[0-9]+}}, %p{{[0-9]+}};
// CHECK-NEXT:    cnot.b16 %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0xFF;
// CHECK-NEXT:    shf.r.clamp.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 40;
// CHECK-NEXT:    shl.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 3;
// CHECK-NEXT:    shl.b16 %rs{{[0-9]+}}, 1, %r{{[0-9]+}};
// CHECK-NEXT:    shr.s16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, 3;
// CHECK-NEXT:    shr.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 3;
// CHECK-NEXT:    prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 291;
// CHECK-NEXT:    prmt.b32.rc16 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, %r{{[0-9]+}};
// CHECK-NEXT:    lop3.or.b32 _|%p{{[0-9]+}}, %r{{[0-9]+}}, 3, %r{{[0-9]+}}, 0xFF, 0x1;
// CHECK-NEXT:    ret;
gpu.func @scalars(%i: i32, %s: i16, %l: i64, %p: i1, %f: f32) kernel {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %c0123 = arith.constant 0x0123 : i32
  %c255 = arith.constant 255 : i32
  %c1s = arith.constant 1 : i16
  %cm1s = arith.constant -1 : i16
  %cm1 = arith.constant -1 : i64
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %0 = ptx.and "b32" %f, %one : (f32, f32) -> i32
  %1 = ptx.and "pred" %p, %true : (i1, i1) -> i1
  %2 = ptx.or "b64" %l, %cm1 : (i64, i64) -> i64
  %3 = ptx.xor "b16" %s, %cm1s : (i16, i16) -> i16
  %4 = ptx.not "pred" %p : (i1) -> i1
  %5 = ptx.cnot "b16" %s : (i16) -> i16
  %6 = ptx.lop3 "b32" %i, %i, %i, %c255 : (i32, i32, i32, i32) -> i32
  %7 = ptx.shf "r.clamp.b32" %i, %i, %c40 : (i32, i32, i32) -> i32
  %8 = ptx.shl "b64" %l, %c3 : (i64, i32) -> i64
  %9 = ptx.shl "b16" %c1s, %i : (i16, i32) -> i16
  %10 = ptx.shr "s16" %s, %c3 : (i16, i32) -> i16
  %11 = ptx.shr "b32" %i, %c3 : (i32, i32) -> i32
  %12 = ptx.prmt "b32" %i, %i, %c0123 : (i32, i32, i32) -> i32
  %13 = ptx.prmt "rc16.b32" %i, %c0, %i : (i32, i32, i32) -> i32
  %14 = ptx.lop3 "or.b32" %i, %c3, %i, %c255, %true sink [0] : (i32, i32, i32, i32, i1) -> i1
  gpu.return
}

}
