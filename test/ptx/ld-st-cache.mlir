// What loads and stores say of caches, alone and together, in whatever order they were written.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --chip sm_75 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 'tile.apply' op {{.*}} needs sm_80 and PTX 7.4; the target is sm_75

!r = memref<2x1xf32, #gpu.address_space<private>>
!pairs = memref<1x2xf32, #gpu.address_space<private>>
!m = memref<2x1xf32, 1>
!mpairs = memref<1x2xf32, 1>

gpu.module @m {

// CHECK-LABEL: .entry caches(
// CHECK:         ld.global.cg.f32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK:         ld.global.cg.f32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+4];
// CHECK:         ld.weak.global.lu.L2::256B.f32
// CHECK:         ld.global.ca.nc.L2::64B.f32
// CHECK:         ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
// CHECK:         st.global.wt.f32
// CHECK:         st.weak.global.L1::evict_last.v2.f32
gpu.func @caches(%m: !m, %pairs: !mpairs {llvm.align = 8 : i64}) kernel {
  %r = tile.alloc : !r
  %p = tile.alloc : !pairs
  tile.apply "ld.cg.global.f32"(%r, %m) : !r, !m
  tile.apply "ld.L2::256B.weak.lu.global.f32"(%r, %m) : !r, !m
  tile.apply "ld.nc.global.L2::64B.ca.f32"(%r, %m) : !r, !m
  tile.apply "ld.global.nc.v2.L2::128B.L1::no_allocate.f32"(%p, %pairs) : !pairs, !mpairs
  tile.apply "st.global.wt.f32"(%m, %r) : !m, !r
  tile.apply "st.L1::evict_last.weak.global.v2.f32"(%pairs, %p) : !mpairs, !pairs
  gpu.return
}

// The policy is one for all repeats, a register or a constant.
// CHECK-LABEL: .entry policies(
// CHECK:         ld.param.b64 [[POLICY:%rd[0-9]+]], [policies_param_1];
// CHECK:         ld.global.L2::cache_hint.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}], [[POLICY]];
// CHECK:         ld.global.L2::cache_hint.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+4], [[POLICY]];
// CHECK:         @!%p{{[0-9]+}} st.release.gpu.global.L1::evict_first.L2::cache_hint.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}}, [[POLICY]];
// CHECK:         ld.global.nc.L2::cache_hint.L2::128B.v2.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}], 1508705875169116160;
// CHECK:         st.global.cs.L2::cache_hint.v2.b32 [%rd{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}}, 1508705875169116160;
// CHECK-NOT:     mov
gpu.func @policies(%m: !m, %policy: i64, %pairs: !mpairs {llvm.align = 8 : i64}, %b: i1) kernel {
  %r = tile.alloc : !r
  %p = tile.alloc : !pairs
  %constant = arith.constant 0x14F0000000000000 : i64
  tile.apply "ld.global.L2::cache_hint.b32"(%r, %m) cache_policy(%policy) : !r, !m
  tile.apply "st.release.gpu.global.L1::evict_first.L2::cache_hint.b32"(%m, %r) pred(not %b) cache_policy(%policy) : !m, !r
  tile.apply "ld.global.nc.L2::cache_hint.L2::128B.v2.b32"(%p, %pairs) cache_policy(%constant) : !pairs, !mpairs
  tile.apply "st.global.cs.L2::cache_hint.v2.b32"(%pairs, %p) cache_policy(%constant) : !mpairs, !pairs
  gpu.return
}

}
