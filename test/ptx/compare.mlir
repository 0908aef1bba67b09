// Comparisons, and selections by their results.

// RUN: tile-translate --mlir-to-ptx %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | grep -v ld.param | FileCheck %s

!w = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>
// The two predicates of an instruction lie side by side.
!pairs = memref<2x2xi1, #gpu.address_space<private>>
!even = memref<2x1xi1, strided<[2, 1]>, #gpu.address_space<private>>
!odd = memref<2x1xi1, strided<[2, 1], offset: 1>, #gpu.address_space<private>>

gpu.module @m {

// CHECK-LABEL: .entry tiles(
// CHECK:         ld.global.b32 [[A:%r[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         ld.global.b32 [[B:%r[0-9]+]], [%rd{{[0-9]+}}+4];
// CHECK:         setp.lt.s32 [[P:%p[0-9]+]]|[[Q:%p[0-9]+]], [[A]], 7;
// CHECK-NEXT:    setp.lt.s32 [[R:%p[0-9]+]]|[[S:%p[0-9]+]], [[B]], 7;
// CHECK-NEXT:    @[[X:%p[0-9]+]] setp.ge.xor.u32 [[P]]|[[Q]], [[A]], [[B]], ![[Q]];
// CHECK-NEXT:    @[[X]] setp.ge.xor.u32 [[R]]|[[S]], [[B]], [[B]], ![[S]];
// CHECK-NEXT:    setp.eq.and.b32 _|[[T:%p[0-9]+]], [[A]], 0, [[P]];
// CHECK-NEXT:    setp.eq.and.b32 _|[[U:%p[0-9]+]], [[B]], 0, [[R]];
// CHECK-NEXT:    selp.s32 [[C:%r[0-9]+]], 1, [[A]], [[T]];
// CHECK-NEXT:    selp.s32 [[D:%r[0-9]+]], 1, [[B]], [[U]];
// CHECK-NEXT:    set.ne.or.s32.s32 [[E:%r[0-9]+]], [[A]], [[C]], ![[P]];
// CHECK-NEXT:    set.ne.or.s32.s32 [[F:%r[0-9]+]], [[B]], [[D]], ![[R]];
// CHECK-NEXT:    slct.u32.s32 [[G:%r[0-9]+]], [[C]], 7, [[E]];
// CHECK-NEXT:    slct.u32.s32 [[H:%r[0-9]+]], [[D]], 7, [[F]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[G]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[H]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%in: memref<2x1xi32, 1>, %out: memref<2x1xi32, 1>, %x: i1) kernel {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %a = tile.alloc : !w
  %b = tile.alloc : !w
  %e = tile.alloc : !w
  %pairs = tile.alloc : !pairs
  %p = tile.slice %pairs[0, 0] [2, 1] : !pairs to !even
  %q = tile.slice %pairs[0, 1] [2, 1] : !pairs to !odd
  tile.apply "ld.global.b32"(%a, %in) : !w, memref<2x1xi32, 1>
  %last = tile.read %a[1, 0] : !w
  tile.apply "setp.lt.s32"(%p, %q, %a, %c7) : !even, !odd, !w, i32
  tile.apply "setp.ge.xor.u32"(%p, %q, %a, %last, not %q) pred(%x) preserve_dst : !even, !odd, !w, i32, !odd
  tile.apply "setp.eq.and.b32"(%p, %q, %a, %c0, %p) sink [0] : !even, !odd, !w, i32, !even
  tile.apply "selp.s32"(%b, %c1, %a, %q) : !w, i32, !w, !odd
  tile.apply "set.ne.or.s32.s32"(%e, %a, %b, not %p) : !w, !w, !w, !even
  tile.apply "slct.u32.s32"(%b, %b, %c7, %e) : !w, !w, i32, !w
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xi32, 1>, !w
  gpu.return
}

// CHECK-LABEL: .entry scalars(
// CHECK:         setp.ltu.ftz.f32 %p{{[0-9]+}}, %r{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    setp.hs.u64 %p{{[0-9]+}}, %rd{{[0-9]+}}, -1;
// CHECK-NEXT:    setp.gt.xor.f64 %p{{[0-9]+}}|%p{{[0-9]+}}, %rd{{[0-9]+}}, 0d3FF0000000000000, !0x1;
// CHECK-NEXT:    setp.nan.f16 %p{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    setp.le.and.ftz.f16x2 %p{{[0-9]+}}|_, %r{{[0-9]+}}, %r{{[0-9]+}}, %p{{[0-9]+}};
// CHECK-NEXT:    setp.num.or.bf16 %p{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, !%p{{[0-9]+}};
// CHECK-NEXT:    set.lt.u32.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    set.eq.ftz.f16x2.f16x2 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    set.gtu.and.bf16.f64 %rs{{[0-9]+}}, %rd{{[0-9]+}}, 0d3FF0000000000000, %p{{[0-9]+}};
// CHECK-NEXT:    set.geu.s16.bf16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    set.lo.or.f32.u16 %r{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, 0x1;
// CHECK-NEXT:    selp.f64 %rd{{[0-9]+}}, 0d3FF0000000000000, %rd{{[0-9]+}}, %p{{[0-9]+}};
// CHECK-NEXT:    slct.ftz.b16.f32 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    ret;
gpu.func @scalars(%f: f32, %l: i64, %d: f64, %h: f16, %b: bf16, %s: i16, %v: vector<2xf16>, %p: i1) kernel {
  %one = arith.constant 1.0 : f32
  %oned = arith.constant 1.0 : f64
  %cm1 = arith.constant -1 : i64
  %true = arith.constant true
  %0 = ptx.setp "ltu.ftz.f32" %f, %one : (f32, f32) -> i1
  %1 = ptx.setp "hs.u64" %l, %cm1 : (i64, i64) -> i1
  %2:2 = ptx.setp "gt.xor.f64" %d, %oned, not %true : (f64, f64, i1) -> (i1, i1)
  %3 = ptx.setp "nan.f16" %h, %s : (f16, i16) -> i1
  %4 = ptx.setp "le.and.ftz.f16x2" %v, %v, %p sink [1] : (vector<2xf16>, vector<2xf16>, i1) -> i1
  %5 = ptx.setp "num.or.bf16" %b, %b, not %p : (bf16, bf16, i1) -> i1
  %6 = ptx.set "lt.u32.f32" %f, %one : (f32, f32) -> i32
  %7 = ptx.set "eq.ftz.f16x2.f16x2" %v, %v : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
  %8 = ptx.set "gtu.and.bf16.f64" %d, %oned, %p : (f64, f64, i1) -> bf16
  %9 = ptx.set "geu.s16.bf16" %b, %b : (bf16, bf16) -> i16
  %10 = ptx.set "lo.or.f32.u16" %s, %s, %true : (i16, i16, i1) -> f32
  %11 = ptx.selp "f64" %oned, %d, %p : (f64, f64, i1) -> f64
  %12 = ptx.slct "ftz.b16.f32" %h, %s, %one : (f16, i16, f32) -> i16
  gpu.return
}

}
