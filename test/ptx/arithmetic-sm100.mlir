// What Blackwell added to arithmetic: packed singles, mixed precision, three sources.

// RUN: tile-translate --mlir-to-ptx --chip sm_100 %s | grep -v ld.param | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --chip sm_90 %s 2>&1 | FileCheck %s --check-prefix=OLD

!v = memref<2x1xvector<2xf32>, #gpu.address_space<private>>
!f = memref<2x1xf32, #gpu.address_space<private>>
!h = memref<2x1xf16, #gpu.address_space<private>>

// OLD: error: 'tile.apply' op add.rm.ftz.f32x2 needs sm_100 and PTX 8.6; the target is sm_90 and PTX 7.8
gpu.module @m {
// CHECK: .version 8.8

// CHECK-LABEL: .entry tiles(
// CHECK:         add.rm.ftz.f32x2 [[A:%rd[0-9]+]], [[X:%rd[0-9]+]], [[X]];
// CHECK-NEXT:    add.rm.ftz.f32x2 [[B:%rd[0-9]+]], [[X]], [[X]];
// CHECK-NEXT:    fma.rn.f32x2 [[C:%rd[0-9]+]], [[A]], [[X]], [[A]];
// CHECK-NEXT:    fma.rn.f32x2 [[D:%rd[0-9]+]], [[B]], [[X]], [[B]];
// CHECK-NEXT:    st.global.b64 [%rd{{[0-9]+}}], [[C]];
// CHECK-NEXT:    st.global.b64 [%rd{{[0-9]+}}+8], [[D]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%x: vector<2xf32>, %out: memref<2x1xi64, 1>) kernel {
  %a = tile.alloc : !v
  tile.apply "add.rm.ftz.f32x2"(%a, %x, %x) : !v, vector<2xf32>, vector<2xf32>
  tile.apply "fma.rn.f32x2"(%a, %a, %x, %a) : !v, !v, vector<2xf32>, !v
  tile.apply "st.global.b64"(%out, %a) : memref<2x1xi64, 1>, !v
  gpu.return
}

// The shorter types come first. Types keep their order, other modifiers need not.
// CHECK-LABEL: .entry mixed(
// CHECK:         add.rz.sat.f32.f16 [[A:%r[0-9]+]], %rs{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    sub.f32.bf16 [[B:%r[0-9]+]], %rs{{[0-9]+}}, [[A]];
// CHECK-NEXT:    fma.rn.f32.f16 [[C:%r[0-9]+]], %rs{{[0-9]+}}, %rs{{[0-9]+}}, [[B]];
// CHECK-NEXT:    min.ftz.NaN.abs.f32 [[D:%r[0-9]+]], [[A]], [[B]], [[C]];
// CHECK-NEXT:    max.f32 [[E:%r[0-9]+]], [[D]], 0f3F800000, 0f3F800000;
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    ret;
gpu.func @mixed(%h: f16, %b: bf16, %out: !llvm.ptr<1>) kernel {
  %c1 = arith.constant 1.0 : f32
  %a = ptx.add "sat.f32.rz.f16" %h, %c1 : (f16, f32) -> f32
  %s = ptx.sub "f32.bf16" %b, %a : (bf16, f32) -> f32
  %c = ptx.fma "rn.f32.f16" %h, %h, %s : (f16, f16, f32) -> f32
  %d = ptx.min "abs.NaN.ftz.f32" %a, %s, %c : (f32, f32, f32) -> f32
  %e = ptx.max "f32" %d, %c1, %c1 : (f32, f32, f32) -> f32
  ptx.st "global.b32" %out, %e : (!llvm.ptr<1>, f32) -> ()
  gpu.return
}

}
