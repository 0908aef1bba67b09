// nvgpu beside tiles: copies to shared memory, matrices and barriers by its ops, what is left by instructions.

// RUN: tile-translate --mlir-to-ptx --chip sm_90 %s | FileCheck %s
// RUN: tile-opt %s --convert-nvgpu-to-nvvm | tile-translate --mlir-to-ptx --chip sm_90 - | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(tile-to-nvvm{chip=sm_90})' | FileCheck %s --check-prefix=NVVM

// NVVM-NOT: {{nvgpu|unrealized}}
// NVVM:     nvvm.mma.sync
// NVVM-NOT: {{nvgpu|unrealized}}

!shared = memref<16x16xf16, #gpu.address_space<workgroup>>
!pairs = memref<2x1xvector<2xf16>, #gpu.address_space<private>>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @m {
  // CHECK-LABEL: .entry mma(
  // CHECK:         cp.async.ca.shared.global
  // CHECK:         cp.async.wait_group 0;
  // CHECK:         ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // CHECK:         mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
  // CHECK-NEXT:      {%[[A:r[0-9]+]], %[[B:r[0-9]+]]},
  // CHECK:         neg.f16x2 %[[C:r[0-9]+]], %[[A]];
  // CHECK-NEXT:    neg.f16x2 %[[D:r[0-9]+]], %[[B]];
  // CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], %[[C]];
  // CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], %[[D]];
  gpu.func @mma(%in: memref<16x16xf16>, %out: memref<2x1xvector<2xf16>, 1>) workgroup(%a: !shared) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %tid = gpu.thread_id x
    %row = arith.remui %tid, %c16 : index
    %token = nvgpu.device_async_copy %in[%row, %c0], %a[%row, %c0], 8 : memref<16x16xf16> to !shared
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.barrier
    %l = nvgpu.ldmatrix %a[%row, %c0] {numTiles = 4 : i32, transpose = false} : !shared -> vector<4x2xf16>
    %r = nvgpu.ldmatrix %a[%row, %c8] {numTiles = 2 : i32, transpose = true} : !shared -> vector<2x2xf16>
    %zero = arith.constant dense<0.0> : vector<2x2xf16>
    %d = nvgpu.mma.sync (%l, %r, %zero) {mmaShape = [16, 8, 16]}
           : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %d0 = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
    %d1 = vector.extract %d[1] : vector<2xf16> from vector<2x2xf16>
    %t = tile.alloc : !pairs
    tile.write %d0, %t[0, 0] : !pairs
    tile.write %d1, %t[1, 0] : !pairs
    tile.apply "neg.f16x2"(%t, %t) : !pairs, !pairs
    tile.apply "st.global.b32"(%out, %t) : memref<2x1xvector<2xf16>, 1>, !pairs
    gpu.return
  }

  // CHECK-LABEL: .entry barriers(
  // CHECK:         mbarrier.init.shared.b64
  // CHECK:         mov.b32 %r{{[0-9]+}}, %r
  // CHECK:         mbarrier.arrive.shared.b64
  // CHECK:         mbarrier.try_wait.parity
  gpu.func @barriers(%out: memref<1x1xi32, 1>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1000 = arith.constant 1000 : index
    %first = arith.constant false
    %b = nvgpu.mbarrier.create -> !barriers
    nvgpu.mbarrier.init %b[%c0], %c64 : !barriers
    gpu.barrier
    %t = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    tile.apply "mov.b32"(%t, %n) : memref<1x1xi32, #gpu.address_space<private>>, i32
    %token = nvgpu.mbarrier.arrive %b[%c0] : !barriers -> !nvgpu.mbarrier.token
    nvgpu.mbarrier.try_wait.parity %b[%c0], %first, %c1000 : !barriers
    tile.apply "st.global.b32"(%out, %t) : memref<1x1xi32, 1>, memref<1x1xi32, #gpu.address_space<private>>
    gpu.return
  }
}
