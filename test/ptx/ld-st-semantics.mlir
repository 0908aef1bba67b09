// What loads and stores say of other threads: each instruction stands in PTX as it was written, in its place and as
// often.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --chip sm_89 --ptx 8.4 %s 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not tile-translate --mlir-to-ptx --ptx 8.3 %s 2>&1 | FileCheck %s --check-prefix=WIDE
// CLUSTER: 'tile.apply' op ld.acquire.cluster.shared.b32 needs sm_90 and PTX 7.8; the target is sm_89 and PTX 8.4, for .cluster
// WIDE: 'ptx.ld' op {{.*}} needs sm_70 and PTX 8.4; the target is sm_90 and PTX 8.3

!r = memref<2x1xi32, #gpu.address_space<private>>
!w = memref<1x1xi64, #gpu.address_space<private>>
!m = memref<2x1xi32, 1>
!s = memref<2x1xi32, #gpu.address_space<workgroup>>

// CHECK: .version 8.4
gpu.module @m {

memref.global "private" @shared : !s

// CHECK-LABEL: .entry semantics(
// CHECK-COUNT-2: ld.global.b32
// CHECK-COUNT-2: ld.volatile.global.b32
// CHECK-COUNT-2: ld.volatile.global.b32
// CHECK-COUNT-2: ld.relaxed.cta.global.b32
// CHECK-COUNT-2: ld.acquire.cluster.shared.b32
// CHECK-COUNT-2: ld.acquire.gpu.global.b32
// CHECK-COUNT-2: ld.weak.shared::cta.b32
// CHECK-NOT:     ld.
// CHECK-COUNT-2: st.volatile.shared.b32
// CHECK-COUNT-2: st.relaxed.sys.global.b32
// CHECK-COUNT-2: st.relaxed.sys.global.b32
// CHECK-COUNT-2: st.release.gpu.global.b32
// CHECK-COUNT-2: st.weak.global.b32
// CHECK-NOT:     {{ld|st}}.
gpu.func @semantics(%m: !m) kernel {
  %r = tile.alloc : !r
  %s = memref.get_global @shared : !s
  tile.apply "ld.global.b32"(%r, %m) : !r, !m
  tile.apply "ld.volatile.global.b32"(%r, %m) : !r, !m
  tile.apply "ld.volatile.global.b32"(%r, %m) : !r, !m
  tile.apply "ld.relaxed.cta.global.b32"(%r, %m) : !r, !m
  tile.apply "ld.acquire.cluster.shared.b32"(%r, %s) : !r, !s
  tile.apply "ld.acquire.gpu.global.b32"(%r, %m) : !r, !m
  tile.apply "ld.weak.shared::cta.b32"(%r, %s) : !r, !s
  tile.apply "st.volatile.shared.b32"(%s, %r) : !s, !r
  tile.apply "st.relaxed.sys.global.b32"(%m, %r) : !m, !r
  tile.apply "st.relaxed.sys.global.b32"(%m, %r) : !m, !r
  tile.apply "st.release.gpu.global.b32"(%m, %r) : !m, !r
  tile.apply "st.weak.global.b32"(%m, %r) : !m, !r
  gpu.return
}

// Memory-mapped devices: one register, for all of the system. One of 128 bits for all of the system is newer than b128.
// CHECK-LABEL: .entry devices(
// CHECK:         ld.mmio.relaxed.sys.global.u8 [[H:%rs[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         st.mmio.relaxed.sys.global.u8 [%rd{{[0-9]+}}+1], [[H]];
// CHECK:         st.mmio.relaxed.sys.global.f64 [%rd{{[0-9]+}}+8], 0d3FF8000000000000;
// CHECK:         ld.acquire.sys.global.b128 [[Q:%rq[0-9]+]], [%rd{{[0-9]+}}+16];
// CHECK:         st.mmio.relaxed.sys.global.b128 [%rd{{[0-9]+}}+32], [[Q]];
gpu.func @devices(%p: !llvm.ptr<1>) kernel {
  %x = arith.constant 1.5 : f64
  %b = ptx.ld "mmio.relaxed.sys.global.u8" %p : (!llvm.ptr<1>) -> i8
  ptx.st "mmio.relaxed.sys.global.u8" %p + 1, %b : (!llvm.ptr<1>, i8) -> ()
  ptx.st "mmio.relaxed.sys.global.f64" %p + 8, %x : (!llvm.ptr<1>, f64) -> ()
  %w = ptx.ld "acquire.sys.global.b128" %p + 16 : (!llvm.ptr<1>) -> i128
  ptx.st "mmio.relaxed.sys.global.b128" %p + 32, %w : (!llvm.ptr<1>, i128) -> ()
  gpu.return
}

// A loop that waits for another thread reads again and again.
// CHECK-LABEL: .entry waits(
// CHECK:       [[LOOP:\$L[_A-Z0-9]+]]:
// CHECK:         ld.acquire.gpu.global.u32
// CHECK:         bra [[LOOP]];
gpu.func @waits(%p: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
  %c0 = arith.constant 0 : i32
  scf.while : () -> () {
    %flag = ptx.ld "acquire.gpu.global.u32" %p : (!llvm.ptr<1>) -> i32
    %again = arith.cmpi eq, %flag, %c0 : i32
    scf.condition(%again)
  } do {
    scf.yield
  }
  gpu.return
}

}
