// Arithmetic that integers and floats have alike: exactly the lines that were asked for.

// RUN: tile-translate --mlir-to-ptx %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | grep -v ld.param | FileCheck %s

!w = memref<2x1xi32, #gpu.address_space<private>>
!d = memref<2x1xi64, #gpu.address_space<private>>
!f = memref<2x1xf32, #gpu.address_space<private>>
!v = memref<2x1xvector<2xf16>, #gpu.address_space<private>>
!spread = memref<2x1xi32, strided<[2, 1]>, #gpu.address_space<private>>

gpu.module @m {

// Tiles, a scalar, a constant, a predicate, what is preserved: the second result stays where %q is true.
// CHECK-LABEL: .entry tiles(
// CHECK:         ld.global.b32 [[A:%r[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         ld.global.b32 [[B:%r[0-9]+]], [%rd{{[0-9]+}}+4];
// CHECK-NEXT:    add.s32 [[C:%r[0-9]+]], [[A]], -7;
// CHECK-NEXT:    add.s32 [[D:%r[0-9]+]], [[B]], -7;
// CHECK-NEXT:    mul.wide.s32 [[E:%rd[0-9]+]], [[C]], [[X:%r[0-9]+]];
// CHECK-NEXT:    mul.wide.s32 [[F:%rd[0-9]+]], [[D]], [[X]];
// CHECK-NEXT:    mad.wide.u32 [[G:%rd[0-9]+]], [[A]], 5, [[E]];
// CHECK-NEXT:    mad.wide.u32 [[H:%rd[0-9]+]], [[B]], 5, [[F]];
// CHECK-NEXT:    @!%p{{[0-9]+}} max.s32 [[C]], [[A]], [[B]];
// CHECK-NEXT:    @!%p{{[0-9]+}} max.s32 [[D]], [[B]], [[B]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[C]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[D]];
// CHECK-NEXT:    st.global.b64 [%rd{{[0-9]+}}], [[G]];
// CHECK-NEXT:    st.global.b64 [%rd{{[0-9]+}}+8], [[H]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%in: memref<2x1xi32, 1>, %out: memref<2x1xi32, 1>, %wide: memref<2x1xi64, 1>, %x: i32, %q: i1) kernel {
  %cm7 = arith.constant -7 : i32
  %c5 = arith.constant 5 : i32
  %a = tile.alloc : !w
  %b = tile.alloc : !spread
  %e = tile.alloc : !d
  tile.apply "ld.global.b32"(%a, %in) : !w, memref<2x1xi32, 1>
  tile.apply "add.s32"(%b, %a, %cm7) : !spread, !w, i32
  tile.apply "mul.wide.s32"(%e, %b, %x) : !d, !spread, i32
  tile.apply "mad.wide.u32"(%e, %a, %c5, %e) : !d, !w, i32, !d
  %last = tile.read %a[1, 0] : !w
  tile.apply "max.s32"(%b, %a, %last) pred(not %q) preserve_dst : !spread, !w, i32
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xi32, 1>, !spread
  tile.apply "st.global.b64"(%wide, %e) : memref<2x1xi64, 1>, !d
  gpu.return
}

// In place; a float constant is an immediate, one of a packed type is not.
// CHECK-LABEL: .entry floats(
// CHECK:         ld.global.b32 [[A:%r[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         ld.global.b32 [[B:%r[0-9]+]], [%rd{{[0-9]+}}+4];
// CHECK-NEXT:    mul.rz.ftz.sat.f32 [[C:%r[0-9]+]], [[A]], 0f3FC00000;
// CHECK-NEXT:    mul.rz.ftz.sat.f32 [[D:%r[0-9]+]], [[B]], 0f3FC00000;
// CHECK-NEXT:    div.full.ftz.f32 [[E:%r[0-9]+]], 0f3F800000, [[C]];
// CHECK-NEXT:    div.full.ftz.f32 [[F:%r[0-9]+]], 0f3F800000, [[D]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[F]];
// CHECK-NEXT:    ret;
gpu.func @floats(%in: memref<2x1xf32, 1>, %out: memref<2x1xf32, 1>) kernel {
  %c1 = arith.constant 1.0 : f32
  %c15 = arith.constant 1.5 : f32
  %a = tile.alloc : !f
  tile.apply "ld.global.b32"(%a, %in) : !f, memref<2x1xf32, 1>
  tile.apply "mul.rz.ftz.sat.f32"(%a, %a, %c15) : !f, !f, f32
  tile.apply "div.full.ftz.f32"(%a, %c1, %a) : !f, f32, !f
  tile.apply "st.global.b32"(%out, %a) : memref<2x1xf32, 1>, !f
  gpu.return
}

// CHECK-LABEL: .entry halves(
// CHECK:         add.f16x2 [[A:%r[0-9]+]], [[X:%r[0-9]+]], [[Y:%r[0-9]+]];
// CHECK-NEXT:    add.f16x2 [[B:%r[0-9]+]], [[X]], [[Y]];
// CHECK-NEXT:    neg.ftz.f16x2 [[C:%r[0-9]+]], [[A]];
// CHECK-NEXT:    neg.ftz.f16x2 [[D:%r[0-9]+]], [[B]];
// CHECK-NEXT:    min.NaN.xorsign.abs.f16x2 [[E:%r[0-9]+]], [[C]], [[A]];
// CHECK-NEXT:    min.NaN.xorsign.abs.f16x2 [[F:%r[0-9]+]], [[D]], [[B]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[F]];
// CHECK-NEXT:    ret;
gpu.func @halves(%x: vector<2xf16>, %y: i32, %out: memref<2x1xi32, 1>) kernel {
  %a = tile.alloc : !v
  %b = tile.alloc : !v
  tile.apply "add.f16x2"(%a, %x, %y) : !v, vector<2xf16>, i32
  tile.apply "neg.ftz.f16x2"(%b, %a) : !v, !v
  tile.apply "min.xorsign.abs.NaN.f16x2"(%b, %b, %a) : !v, !v, !v
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xi32, 1>, !v
  gpu.return
}

// CHECK-LABEL: .entry scalars(
// CHECK:         add.sat.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1;
// CHECK-NEXT:    sub.u16 %rs{{[0-9]+}}, 1, %rs{{[0-9]+}};
// CHECK-NEXT:    sub.rp.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 0d3FF8000000000000;
// CHECK-NEXT:    add.s16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    add.rn.bf16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    mul.hi.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, -9223372036854775808;
// CHECK-NEXT:    mul.wide.u16 %r{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    mad.lo.u16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, 1;
// CHECK-NEXT:    mad.hi.sat.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    mad.rn.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 0f3FC00000;
// CHECK-NEXT:    div.u64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 10;
// CHECK-NEXT:    div.rm.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    min.relu.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1;
// CHECK-NEXT:    max.u16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    max.ftz.NaN.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0f3FC00000;
// CHECK-NEXT:    abs.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    abs.bf16 %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    @%p{{[0-9]+}} neg.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NOT:     {{add|sub|mul|mad|div|min|max|abs|neg}}.
// CHECK:         ret;
gpu.func @scalars(%i: i32, %s: i16, %l: i64, %d: f64, %b: bf16, %v: vector<2xi16>, %p: i1) kernel {
  %c1 = arith.constant 1 : i32
  %c1s = arith.constant 1 : i16
  %c10 = arith.constant 10 : i64
  %least = arith.constant 0x8000000000000000 : i64
  %c15 = arith.constant 1.5 : f32
  %c15d = arith.constant 1.5 : f64
  %0 = ptx.add "sat.s32" %i, %c1 : (i32, i32) -> i32
  %1 = ptx.sub "u16" %c1s, %s : (i16, i16) -> i16
  %2 = ptx.sub "rp.f64" %d, %c15d : (f64, f64) -> f64
  %3 = ptx.add "s16x2" %v, %i : (vector<2xi16>, i32) -> i32
  %4 = ptx.add "rn.bf16" %b, %s : (bf16, i16) -> bf16
  %5 = ptx.mul "hi.s64" %l, %least : (i64, i64) -> i64
  %6 = ptx.mul "wide.u16" %s, %s : (i16, i16) -> i32
  %7 = ptx.mad "lo.u16" %s, %s, %c1s : (i16, i16, i16) -> i16
  %8 = ptx.mad "hi.sat.s32" %i, %i, %i : (i32, i32, i32) -> i32
  %9 = ptx.mad "rn.f32" %i, %i, %c15 : (i32, i32, f32) -> f32
  %10 = ptx.div "u64" %l, %c10 : (i64, i64) -> i64
  %11 = ptx.div "rm.f64" %d, %d : (f64, f64) -> f64
  %12 = ptx.min "relu.s32" %i, %c1 : (i32, i32) -> i32
  %13 = ptx.max "u16x2" %v, %v : (vector<2xi16>, vector<2xi16>) -> vector<2xi16>
  %14 = ptx.max "NaN.ftz.f32" %i, %c15 : (i32, f32) -> i32
  %15 = ptx.abs "s64" %l : (i64) -> i64
  %16 = ptx.abs "bf16" %b : (bf16) -> bf16
  %17 = ptx.neg "f64" %d pred(%p) : (f64) -> f64
  gpu.return
}

}
