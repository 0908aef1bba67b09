// A type of nvgpu is no argument of a kernel.

// RUN: tile-opt %s --tile-to-nvvm -verify-diagnostics
// RUN: tile-opt %s --tile-to-nvvm=bare-pointers=false -verify-diagnostics

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero,
                                   interleave = none>
gpu.module @m {
  // expected-error @+1 {{'gpu.func' op argument #0 is !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, which convert-gpu-to-nvvm has no type for; take an !llvm.ptr, and make that of it by builtin.unrealized_conversion_cast}}
  gpu.func @k(%map: !map) kernel {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.return
  }
}
