// A tensor map comes to a kernel as a pointer, of which a cast makes what nvgpu takes. What MLIR lowers to intrinsics of
// LLVM's raises no PTX version by itself.

// RUN: tile-translate --mlir-to-ptx --chip sm_90 --ptx 8.0 %s | FileCheck %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero,
                                   interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @m {
  // CHECK-LABEL: .entry bulk(
  // CHECK:         cp.async.bulk.tensor.2d.shared::cluster.global
  // CHECK:         mbarrier.try_wait.parity
  // CHECK-COUNT-4: ld.shared.b16
  memref.global "private" @buffer : memref<64x64xf16, 3> {alignment = 128}
  gpu.func @bulk(%pointer: !llvm.ptr, %out: memref<4x1xf16>) kernel {
    %map = builtin.unrealized_conversion_cast %pointer : !llvm.ptr to !map
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = nvgpu.mbarrier.create -> !barriers
    nvgpu.mbarrier.init %b[%c0], %c1 : !barriers
    %s = memref.get_global @buffer : memref<64x64xf16, 3>
    %bytes = arith.constant 8192 : index
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
    nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %s : !map, !barriers -> memref<64x64xf16, 3>
    %first = arith.constant false
    %c1000 = arith.constant 1000 : index
    nvgpu.mbarrier.try_wait.parity %b[%c0], %first, %c1000 : !barriers
    %four = tile.slice %s[0, 0] [1, 4] : memref<64x64xf16, 3> to memref<1x4xf16, strided<[64, 1]>, 3>
    %rows = tile.view %four : memref<1x4xf16, strided<[64, 1]>, 3> to memref<4x1xf16, strided<[1, 1]>, 3>
    %t = tile.alloc : memref<4x1xf16, #gpu.address_space<private>>
    tile.apply "ld.shared.b16"(%t, %rows) : memref<4x1xf16, #gpu.address_space<private>>, memref<4x1xf16, strided<[1, 1]>, 3>
    tile.apply "st.global.b16"(%out, %t) : memref<4x1xf16>, memref<4x1xf16, #gpu.address_space<private>>
    gpu.return
  }
}
