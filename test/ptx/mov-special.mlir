// Special registers, and what their reads need of the target.

// RUN: split-file %s %t
// RUN: tile-translate --mlir-to-ptx %t/all.mlir | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %t/all.mlir | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %t/all.mlir | FileCheck %s
// RUN: tile-opt %t/all.mlir --canonicalize --cse | tile-translate --mlir-to-ptx - | FileCheck %s --check-prefix=VARIES

// RUN: not tile-translate --mlir-to-ptx --chip sm_80 %t/cluster.mlir 2>&1 | FileCheck %s --check-prefix=SM
// SM: 'ptx.mov' op mov.u32 needs sm_90 and PTX 7.8; the target is sm_80 and PTX 7.0, for %cluster_ctarank
// RUN: not tile-translate --mlir-to-ptx --chip sm_90 --ptx 8.0 %t/version.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: 'ptx.mov' op {{.*}} needs sm_90 and PTX 8.1; the target is sm_90 and PTX 8.0
// RUN: tile-translate --mlir-to-ptx --chip sm_90 %t/version.mlir | FileCheck %s --check-prefix=RAISED
// RAISED: .version 8.1
// RUN: not tile-translate --mlir-to-ptx --chip sm_37 %t/old.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// OLD-DAG: 'ptx.mov' op {{.*}} needs sm_50 and PTX 4.0; the target is sm_37 and PTX 4.1

//--- all.mlir
gpu.module @m {

// One % before each, and each as often as asked.
// CHECK-LABEL: .entry registers(
// CHECK:         mov.u32 %r{{[0-9]+}}, %tid.x;
// CHECK-NEXT:    mov.u32 %r{{[0-9]+}}, %tid.x;
// CHECK-NEXT:    mov.u16 %rs{{[0-9]+}}, %ntid.y;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, %gridid;
// CHECK-NEXT:    mov.b32 %r{{[0-9]+}}, %envreg31;
// CHECK-NEXT:    mov.pred %p{{[0-9]+}}, %is_explicit_cluster;
// CHECK-NEXT:    mov.v4.u32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, _}, %tid;
// CHECK-NEXT:    @!%p{{[0-9]+}} mov.v4.u32 {_, %r{{[0-9]+}}, _, _}, %nctaid;
// CHECK-NOT:     mov.
// CHECK:         ret;
gpu.func @registers(%p: i1) kernel {
  %a = ptx.mov "u32" special "tid.x" : () -> i32
  %b = ptx.mov "u32" special "tid.x" : () -> i32
  %c = ptx.mov "u16" special "ntid.y" : () -> i16
  %d = ptx.mov "u64" special "gridid" : () -> i64
  %e = ptx.mov "b32" special "envreg31" : () -> i32
  %f = ptx.mov "pred" special "is_explicit_cluster" : () -> i1
  %g:3 = ptx.mov "v4.u32" special "tid" sink [3] : () -> (i32, i32, i32)
  %h = ptx.mov "v4.u32" special "nctaid" pred(not %p) sink [0, 2, 3] : () -> i32
  gpu.return
}

// Two readings of a clock are two, on either side of what is timed, and stay in their loop.
// CHECK-LABEL:  .entry clocks(
// CHECK:          mov.u64 [[A:%rd[0-9]+]], %clock64;
// CHECK-NEXT:     mov.u64 [[B:%rd[0-9]+]], %clock64;
// CHECK:          ld.global.b32
// CHECK-NEXT:     mov.u64 [[C:%rd[0-9]+]], %clock64;
// CHECK-NOT:      clock
// CHECK:        $L{{.*}}:
// CHECK:          mov.u32 [[D:%r[0-9]+]], %clock;
// CHECK-NEXT:     st.global.b32 [%rd{{[0-9]+}}], [[D]];
// CHECK:          bra
// CHECK:          ret;
// VARIES-LABEL: .entry clocks(
// VARIES-COUNT-3: %clock64;
// VARIES-NOT:     clock
// VARIES:       $L{{.*}}:
// VARIES:         %clock;
// VARIES:         bra
// VARIES:         ret;
gpu.func @clocks(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ptx.mov "u64" special "clock64" : () -> i64
  %b = ptx.mov "u64" special "clock64" : () -> i64
  // Not an asm, and before the third reading all the same.
  %x = llvm.load %in : !llvm.ptr<1> -> i32
  %c = ptx.mov "u64" special "clock64" : () -> i64
  ptx.st "global.v2.b64" %out + 16, %a, %b : (!llvm.ptr<1>, i64, i64) -> ()
  ptx.st "global.b64" %out + 8, %c : (!llvm.ptr<1>, i64) -> ()
  ptx.st "global.b32" %out + 4, %x : (!llvm.ptr<1>, i32) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %d = ptx.mov "u32" special "clock" : () -> i32
    ptx.st "global.b32" %out, %d : (!llvm.ptr<1>, i32) -> ()
  }
  gpu.return
}

}

//--- cluster.mlir
gpu.module @m {
  gpu.func @cluster() kernel {
    %a = ptx.mov "u32" special "cluster_ctarank" : () -> i32
    gpu.return
  }
}

//--- version.mlir
gpu.module @m {
  gpu.func @version() kernel {
    %a = ptx.mov "u32" special "aggr_smem_size" : () -> i32
    gpu.return
  }
}

//--- old.mlir
gpu.module @m {
  gpu.func @old() kernel {
    %a = ptx.mov "u64" special "pm0_64" : () -> i64
    gpu.return
  }
}
