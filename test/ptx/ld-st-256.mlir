// Vectors of 256 bits.

// RUN: tile-translate --mlir-to-ptx --chip sm_100 %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --chip sm_90 %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tile-translate --mlir-to-ptx --chip sm_100 --ptx 8.7 %s 2>&1 | FileCheck %s --check-prefix=VERSION
// OLD: 'tile.apply' op {{.*}} needs sm_100 and PTX 8.8; the target is sm_90
// VERSION: 'tile.apply' op {{.*}} needs sm_100 and PTX 8.8; the target is sm_100 and PTX 8.7

!eight = memref<2x8xf32, #gpu.address_space<private>>
!four = memref<2x4xf64, #gpu.address_space<private>>
!meight = memref<2x8xf32, 1>
!mfour = memref<2x4xf64, 1>

// CHECK: .version 8.8
gpu.module @m {

// CHECK-LABEL: .entry vectors(
// CHECK-COUNT-2: ld.global.nc.L1::evict_first.L2::evict_last.v8.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd
// CHECK-COUNT-2: ld.relaxed.gpu.global.L2::evict_normal.L2::cache_hint.L2::256B.v4.b64 {%rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}}, [%rd{{[0-9]+}}{{(\+32)?}}], [[POLICY:%rd[0-9]+]];
// CHECK-COUNT-2: st.volatile.global.v8.b32
// CHECK:         st.global.L2::evict_first.L2::cache_hint.v4.f64 [%rd{{[0-9]+}}], {%rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}}, [[POLICY]];
// CHECK:         st.global.L2::evict_first.L2::cache_hint.v4.f64 [%rd{{[0-9]+}}+32]
// CHECK:         st.release.cluster.global.v8.u32 [%rd{{[0-9]+}}+64], {1, 1, 1, 1, 1, 1, 1, 1};
// CHECK-NOT:     mov
gpu.func @vectors(%meight: !meight {llvm.align = 32 : i64}, %mfour: !mfour {llvm.align = 32 : i64}, %policy: i64,
                  %p: !llvm.ptr<1>) kernel {
  %eight = tile.alloc : !eight
  %four = tile.alloc : !four
  %c1 = arith.constant 1 : i32
  tile.apply "ld.global.nc.L1::evict_first.L2::evict_last.v8.f32"(%eight, %meight) : !eight, !meight
  tile.apply "ld.relaxed.gpu.global.L2::evict_normal.L2::cache_hint.L2::256B.v4.b64"(%four, %mfour)
      cache_policy(%policy) : !four, !mfour
  tile.apply "st.volatile.global.v8.b32"(%meight, %eight) : !meight, !eight
  tile.apply "st.global.L2::evict_first.L2::cache_hint.v4.f64"(%mfour, %four) cache_policy(%policy) : !mfour, !four
  ptx.st "release.cluster.global.v8.u32" %p + 64, %c1, %c1, %c1, %c1, %c1, %c1, %c1, %c1
      : (!llvm.ptr<1>, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
  gpu.return
}

}
