// Addresses of symbols: the name itself stands in the instruction, whatever LLVM calls it, and a symbol that nothing
// else uses is still there.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s
// RUN: tile-opt %s --symbol-dce | tile-translate --mlir-to-ptx - | FileCheck %s

// Stock passes alone lower it, too; pure ops that nobody reads they drop.
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}))' \
// RUN:   | tile-translate --mlir-to-ptx - | FileCheck %s --check-prefix=STOCK
// STOCK-LABEL: .entry stock(
// STOCK:         mov.u64 [[A:%rd[0-9]+]], a_$_b+4;
// STOCK:         mov.u64 [[B:%rd[0-9]+]], stock;
// STOCK:         st.global.v2.b64 [%rd{{[0-9]+}}], {[[A]], [[B]]};

// What waits for its symbol has a number, so that no stage in between merges or drops it.
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(convert-ptx-to-llvm))' | FileCheck %s --check-prefix=WAITS
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(convert-ptx-to-llvm,canonicalize,cse))' | FileCheck %s --check-prefix=WAITS
// WAITS-LABEL:   gpu.func @unread(
// WAITS-COUNT-4:   ptx.mov "u64" symbol @{{.*}} {instruction = {{[0-9]+}} : i64} : () -> i64
// WAITS:           llvm.inline_asm {{.*}}"=l,s"

// RUN: not tile-translate --mlir-to-ptx --chip sm_30 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 'ptx.mov' op {{.*}} needs sm_35 and PTX 3.1; the target is sm_30 and PTX 3.2

gpu.module @m {

// CHECK-DAG: .global .align 4 .b8 a_$_b[16] = {1, 0, 0, 0,
// CHECK-DAG: .const .align 8 .b8 constants[16] = {
// CHECK-DAG: .global .align 4 .b8 plain[16]
// CHECK-DAG: .global .align 4 .u32 defined
// CHECK-DAG: .extern .shared .align 16 .b8 dynamic[]
memref.global "private" @a.b : memref<4xi32, 1> = dense<[1, 2, 3, 4]>
memref.global "private" constant @constants : memref<2xi64, 4> = dense<[5, 6]> {alignment = 8}
memref.global "private" @plain : memref<4xi32> = dense<7>
memref.global "private" @table : memref<64xi32, #gpu.address_space<workgroup>>
llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.mlir.global internal @defined(0 : i32) {addr_space = 1 : i32} : i32
func.func private @function(%n: i32) -> i32 { return %n : i32 }

// CHECK-LABEL: .entry addresses(
// CHECK:         .shared .align 4 .b8 table[256];
// CHECK:         mov.u64 %rd{{[0-9]+}}, a_$_b+4;
// CHECK-NEXT:    mov.s64 %rd{{[0-9]+}}, constants+8;
// CHECK-NEXT:    mov.b64 %rd{{[0-9]+}}, plain;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, plain+12;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, table+16;
// CHECK-NEXT:    mov.u32 %r{{[0-9]+}}, table;
// CHECK-NEXT:    mov.b32 %r{{[0-9]+}}, dynamic+2147483647;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, defined;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, function;
// CHECK-NEXT:    mov.b64 %rd{{[0-9]+}}, addresses;
// CHECK-NEXT:    ret;
gpu.func @addresses() kernel {
  %a = ptx.mov "u64" symbol @a.b + 4 : () -> i64
  %b = ptx.mov "s64" symbol @constants + 8 : () -> i64
  %c = ptx.mov "b64" symbol @plain + 0 : () -> i64
  %d = ptx.mov "u64" symbol @plain + 12 : () -> i64
  %e = ptx.mov "u64" symbol @table + 16 : () -> i64
  %f = ptx.mov "u32" symbol @table : () -> i32
  %g = ptx.mov "b32" symbol @dynamic + 2147483647 : () -> i32
  %h = ptx.mov "u64" symbol @defined : () -> i64
  %i = ptx.mov "u64" symbol @function : () -> i64
  %j = ptx.mov "b64" symbol @addresses : () -> i64
  gpu.return
}

// Unread and equal ones, too.
// CHECK-LABEL: .entry unread(
// CHECK-COUNT-4: mov.u64 %rd{{[0-9]+}}, a_$_b;
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, defined;
// CHECK-NEXT:    ret;
gpu.func @unread() kernel {
  %a = ptx.mov "u64" symbol @a.b : () -> i64
  %b = ptx.mov "u64" symbol @a.b : () -> i64
  %c = ptx.mov "u64" symbol @a.b : () -> i64
  %d = ptx.mov "u64" symbol @a.b : () -> i64
  %e = ptx.mov "u64" symbol @defined : () -> i64
  gpu.return
}

// The equal instructions of two branches are two.
// CHECK-LABEL: .entry branches(
// CHECK:         @%p{{[0-9]+}} bra
// CHECK:         @%p{{[0-9]+}} mov.u64 [[A:%rd[0-9]+]], a_$_b;
// CHECK:         mov.u64 {{%rd[0-9]+}}, a_$_b;
// CHECK:         ret;
gpu.func @branches(%p: i1, %out: !llvm.ptr<1>) kernel {
  scf.if %p {
    %a = ptx.mov "u64" symbol @a.b pred(%p) : () -> i64
    ptx.st "global.b64" %out, %a : (!llvm.ptr<1>, i64) -> ()
  } else {
    %a = ptx.mov "u64" symbol @a.b : () -> i64
    ptx.st "global.b64" %out, %a : (!llvm.ptr<1>, i64) -> ()
  }
  gpu.return
}

gpu.func @stock(%out: !llvm.ptr<1>) kernel {
  %a = ptx.mov "u64" symbol @a.b + 4 : () -> i64
  %b = ptx.mov "u64" symbol @stock : () -> i64
  ptx.st "global.v2.b64" %out, %a, %b : (!llvm.ptr<1>, i64, i64) -> ()
  gpu.return
}

}
