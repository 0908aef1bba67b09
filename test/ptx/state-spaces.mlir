// Loads and stores of each state space, and of 128 bits, which raise the PTX version.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --ptx 8.2 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 'ptx.ld' op {{.*}} needs sm_70 and PTX 8.3; the target is sm_90 and PTX 8.2

// CHECK: .version 8.3
gpu.module @m {

// CHECK-LABEL: .entry spaces(
// CHECK:         ld.shared.v2.b16 {%rs{{[0-9]+}}, %rs{{[0-9]+}}}, [%rd{{[0-9]+}}+4];
// CHECK:         ld.shared::cta.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK:         st.shared::cta.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:         st.shared.b16 [%rd{{[0-9]+}}], 17;
// CHECK:         ld.local.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
// CHECK:         st.local.b32 [%rd{{[0-9]+}}+-8], %r{{[0-9]+}};
gpu.func @spaces(%s: !llvm.ptr<3>, %l: !llvm.ptr<5>) kernel {
  %c17 = arith.constant 17 : i16
  %h:2 = ptx.ld "shared.v2.b16" %s + 4 : (!llvm.ptr<3>) -> (i16, i16)
  %v = ptx.ld "shared::cta.b32" %s : (!llvm.ptr<3>) -> i32
  ptx.st "shared::cta.b32" %s, %v : (!llvm.ptr<3>, i32) -> ()
  ptx.st "shared.b16" %s, %c17 : (!llvm.ptr<3>, i16) -> ()
  %q:4 = ptx.ld "local.v4.b32" %l : (!llvm.ptr<5>) -> (i32, i32, i32, i32)
  ptx.st "local.b32" %l + -8, %q#3 : (!llvm.ptr<5>, i32) -> ()
  gpu.return
}

// CHECK-LABEL: .entry wide(
// CHECK:         ld.global.b128 %rq{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK:         st.shared.b128 [%rd{{[0-9]+}}+16], %rq{{[0-9]+}};
gpu.func @wide(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>) kernel {
  %v = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  ptx.st "shared.b128" %s + 16, %v : (!llvm.ptr<3>, i128) -> ()
  gpu.return
}

}
