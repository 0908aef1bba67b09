// Floats: fma, roots, approximations, signs and kinds.

// RUN: tile-translate --mlir-to-ptx %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | grep -v ld.param | FileCheck %s

!f = memref<2x1xf32, #gpu.address_space<private>>
!b = memref<2x1xbf16, #gpu.address_space<private>>
!p = memref<2x1xi1, #gpu.address_space<private>>

gpu.module @m {

// CHECK-LABEL: .entry tiles(
// CHECK:         ld.global.b32 [[A:%r[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         ld.global.b32 [[B:%r[0-9]+]], [%rd{{[0-9]+}}+4];
// CHECK-NEXT:    fma.rn.ftz.f32 [[C:%r[0-9]+]], [[A]], [[X:%r[0-9]+]], 0f40000000;
// CHECK-NEXT:    fma.rn.ftz.f32 [[D:%r[0-9]+]], [[B]], [[X]], 0f40000000;
// CHECK-NEXT:    testp.subnormal.f32 [[P:%p[0-9]+]], [[C]];
// CHECK-NEXT:    testp.subnormal.f32 [[Q:%p[0-9]+]], [[D]];
// CHECK-NEXT:    @%p{{[0-9]+}} ex2.approx.f32 [[C]], [[A]];
// CHECK-NEXT:    @%p{{[0-9]+}} ex2.approx.f32 [[D]], [[B]];
// CHECK-NEXT:    selp.f32 [[E:%r[0-9]+]], [[A]], [[C]], [[P]];
// CHECK-NEXT:    selp.f32 [[F:%r[0-9]+]], [[B]], [[D]], [[Q]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[F]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%in: memref<2x1xf32, 1>, %out: memref<2x1xf32, 1>, %x: f32, %q: i1) kernel {
  %c2 = arith.constant 2.0 : f32
  %a = tile.alloc : !f
  %b = tile.alloc : !f
  %p = tile.alloc : !p
  tile.apply "ld.global.b32"(%a, %in) : !f, memref<2x1xf32, 1>
  tile.apply "fma.rn.ftz.f32"(%b, %a, %x, %c2) : !f, !f, f32, f32
  tile.apply "testp.subnormal.f32"(%p, %b) : !p, !f
  tile.apply "ex2.approx.f32"(%b, %a) pred(%q) preserve_dst : !f, !f
  tile.apply "selp.f32"(%b, %a, %b, %p) : !f, !f, !f, !p
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xf32, 1>, !f
  gpu.return
}

// A constant bfloat is in a register: PTX has none.
// CHECK-LABEL: .entry bfloats(
// CHECK:         mov.b16 [[ONE:%rs[0-9]+]], 16256;
// CHECK-NEXT:    fma.rn.oob.relu.bf16 [[A:%rs[0-9]+]], [[X:%rs[0-9]+]], [[X]], [[ONE]];
// CHECK-NEXT:    fma.rn.oob.relu.bf16 [[B:%rs[0-9]+]], [[X]], [[X]], [[ONE]];
// CHECK-NEXT:    tanh.approx.bf16 [[C:%rs[0-9]+]], [[A]];
// CHECK-NEXT:    tanh.approx.bf16 [[D:%rs[0-9]+]], [[B]];
// CHECK-NEXT:    st.global.b16 [%rd{{[0-9]+}}], [[C]];
// CHECK-NEXT:    st.global.b16 [%rd{{[0-9]+}}+2], [[D]];
// CHECK-NEXT:    ret;
gpu.func @bfloats(%x: bf16, %out: memref<2x1xbf16, 1>) kernel {
  %c1 = arith.constant 1.0 : bf16
  %a = tile.alloc : !b
  tile.apply "fma.rn.relu.oob.bf16"(%a, %x, %x, %c1) : !b, bf16, bf16, bf16
  tile.apply "tanh.approx.bf16"(%a, %a) : !b, !b
  tile.apply "st.global.b16"(%out, %a) : memref<2x1xbf16, 1>, !b
  gpu.return
}

// CHECK-LABEL: .entry scalars(
// CHECK:         fma.rp.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    fma.rn.ftz.relu.f16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    sqrt.rm.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    sqrt.approx.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    rcp.rz.ftz.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    rcp.approx.ftz.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    rsqrt.approx.ftz.f64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    rsqrt.approx.f32 %r{{[0-9]+}}, 0f40000000;
// CHECK-NEXT:    sin.approx.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    cos.approx.ftz.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    lg2.approx.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    ex2.approx.f16 %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    ex2.approx.ftz.bf16x2 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    tanh.approx.f32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    copysign.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0f40000000;
// CHECK-NEXT:    testp.notanumber.f64 %p{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    ret;
gpu.func @scalars(%f: f32, %d: f64, %h: f16, %v: vector<2xbf16>) kernel {
  %c2 = arith.constant 2.0 : f32
  %0 = ptx.fma "rp.f64" %d, %d, %d : (f64, f64, f64) -> f64
  %1 = ptx.fma "rn.relu.ftz.f16" %h, %h, %h : (f16, f16, f16) -> f16
  %2 = ptx.sqrt "rm.f64" %d : (f64) -> f64
  %3 = ptx.sqrt "approx.f32" %f : (f32) -> f32
  %4 = ptx.rcp "rz.ftz.f32" %f : (f32) -> f32
  %5 = ptx.rcp "approx.ftz.f64" %d : (f64) -> f64
  %6 = ptx.rsqrt "approx.ftz.f64" %d : (f64) -> f64
  %7 = ptx.rsqrt "approx.f32" %c2 : (f32) -> f32
  %8 = ptx.sin "approx.f32" %f : (f32) -> f32
  %9 = ptx.cos "approx.ftz.f32" %f : (f32) -> f32
  %10 = ptx.lg2 "approx.f32" %f : (f32) -> f32
  %11 = ptx.ex2 "approx.f16" %h : (f16) -> f16
  %12 = ptx.ex2 "ftz.approx.bf16x2" %v : (vector<2xbf16>) -> vector<2xbf16>
  %13 = ptx.tanh "approx.f32" %f : (f32) -> f32
  %14 = ptx.copysign "f32" %f, %c2 : (f32, f32) -> f32
  %15 = ptx.testp "notanumber.f64" %d : (f64) -> i1
  gpu.return
}

}
