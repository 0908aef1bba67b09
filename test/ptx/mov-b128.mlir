// Registers of 128 bits go whole from one instruction to the next, around branches and loops, too.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --ptx 8.2 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 'ptx.mov' op {{.*}} needs sm_70 and PTX 8.3; the target is sm_90 and PTX 8.2

// CHECK: .version 8.3
gpu.module @m {

// CHECK-LABEL: .entry chain(
// CHECK:         mov.b128 [[A:%rq[0-9]+]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
// CHECK-NEXT:    mov.b128 {[[X:%r[0-9]+]], [[Y:%r[0-9]+]], [[Z:%r[0-9]+]], [[W:%r[0-9]+]]}, [[A]];
// CHECK-NEXT:    mov.b128 [[B:%rq[0-9]+]], {[[X]], [[Y]], [[Z]], [[W]]};
// CHECK-NEXT:    mov.b128 {_, [[H:%rd[0-9]+]]}, [[B]];
// CHECK-NEXT:    mov.b128 {_, %r{{[0-9]+}}, _, %r{{[0-9]+}}}, [[B]];
// CHECK-NEXT:    mov.b128 %rq{{[0-9]+}}, {1, [[H]]};
// CHECK-NOT:     mov.b128
// CHECK:         ret;
gpu.func @chain(%lo: i64, %hi: i64) kernel {
  %c1 = arith.constant 1 : i64
  %a = ptx.mov "b128" %lo, %hi : (i64, i64) -> i128
  %w:4 = ptx.mov "b128" %a : (i128) -> (i32, f32, i32, vector<2xf16>)
  %b = ptx.mov "b128" %w#0, %w#1, %w#2, %w#3 : (i32, f32, i32, vector<2xf16>) -> vector<2xi64>
  %h = ptx.mov "b128" %b sink [0] : (vector<2xi64>) -> i64
  %x:2 = ptx.mov "b128" %b sink [0, 2] : (vector<2xi64>) -> (i32, i32)
  %k = ptx.mov "b128" %c1, %h : (i64, i64) -> i128
  gpu.return
}

// CHECK-LABEL: .entry memory(
// CHECK:         ld.global.b128 [[Q:%rq[0-9]+]], [%rd{{[0-9]+}}];
// CHECK:         mov.b128 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, [[Q]];
// CHECK:         st.shared.b128 [%rd{{[0-9]+}}+16], [[Q]];
// CHECK-NOT:     mov.b128
// CHECK:         ret;
gpu.func @memory(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>) kernel {
  %q = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  %w:2 = ptx.mov "b128" %q : (i128) -> (i64, i64)
  ptx.st "shared.b128" %s + 16, %q : (!llvm.ptr<3>, i128) -> ()
  gpu.return
}

// The old value is in the register that is written where the predicate says so.
// CHECK-LABEL: .entry preserve(
// CHECK:         ld.global.b128 [[Q:%rq[0-9]+]],
// CHECK-NOT:     mov.b128
// CHECK:         @!%p{{[0-9]+}} mov.b128 [[Q]], {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
// CHECK-NEXT:    st.global.b128 [%rd{{[0-9]+}}], [[Q]];
// CHECK-NOT:     mov.b128
// CHECK:         ret;
gpu.func @preserve(%g: !llvm.ptr<1>, %lo: i64, %p: i1) kernel {
  %old = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  %new = ptx.mov "b128" %lo, %lo pred(not %p) preserve(%old) : (i64, i64) -> i128
  ptx.st "global.b128" %g, %new : (!llvm.ptr<1>, i128) -> ()
  gpu.return
}

// Where ways meet, it is one register, too.
// CHECK-LABEL: .entry ways(
// CHECK:         ld.global.b128 [[Q:%rq[0-9]+]],
// CHECK-COUNT-2: mov.b128 {{.*}}[[Q]]
// CHECK-NOT:     mov.b128
// CHECK:         st.global.b128 [%rd{{[0-9]+}}], [[Q]];
// CHECK:         ret;
gpu.func @ways(%g: !llvm.ptr<1>, %lo: i64, %p: i1, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> i128 {
    %y = scf.if %p -> i128 {
      %z = ptx.mov "b128" %lo, %lo : (i64, i64) -> i128
      scf.yield %z : i128
    } else {
      scf.yield %x : i128
    }
    %w:2 = ptx.mov "b128" %y : (i128) -> (i64, i64)
    scf.yield %y : i128
  }
  ptx.st "global.b128" %g, %last : (!llvm.ptr<1>, i128) -> ()
  gpu.return
}

// Tiles of 128-bit registers.
// CHECK-LABEL: .entry tiles(
// CHECK-COUNT-2: mov.b128 %rq{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK-COUNT-2: mov.b128 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, %rq{{[0-9]+}};
// CHECK-NOT:     mov.b128
// CHECK:         ret;
gpu.func @tiles(%n: i32) kernel {
  %words = tile.alloc : memref<2x4xi32, #gpu.address_space<private>>
  %flat = tile.view %words : memref<2x4xi32, #gpu.address_space<private>> to memref<8x1xi32, #gpu.address_space<private>>
  %wide = tile.alloc : memref<2x1xi128, #gpu.address_space<private>>
  %pairs = tile.alloc : memref<2x2xi64, #gpu.address_space<private>>
  tile.apply "mov.b32"(%flat, %n) : memref<8x1xi32, #gpu.address_space<private>>, i32
  tile.apply "mov.b128"(%wide, %words) : memref<2x1xi128, #gpu.address_space<private>>, memref<2x4xi32, #gpu.address_space<private>>
  tile.apply "mov.b128"(%pairs, %wide) : memref<2x2xi64, #gpu.address_space<private>>, memref<2x1xi128, #gpu.address_space<private>>
  gpu.return
}

// What was never written is no instruction.
// CHECK-LABEL: .entry undefined(
// CHECK:         mov.b128 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, %rq{{[0-9]+}};
// CHECK-NEXT:    ret;
gpu.func @undefined() kernel {
  %wide = tile.alloc : memref<1x1xi128, #gpu.address_space<private>>
  %pair = tile.alloc : memref<1x2xi64, #gpu.address_space<private>>
  tile.apply "mov.b128"(%pair, %wide) : memref<1x2xi64, #gpu.address_space<private>>, memref<1x1xi128, #gpu.address_space<private>>
  gpu.return
}

// A kernel's argument comes in halves, which LLVM puts together by an instruction of its own.
// CHECK-LABEL: .entry argument(
// CHECK:         ld.param.v2.b64 {[[LO:%rd[0-9]+]], [[HI:%rd[0-9]+]]}
// CHECK-NEXT:    mov.b128 [[Q:%rq[0-9]+]], {[[LO]], [[HI]]};
// CHECK-NEXT:    mov.b128 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, [[Q]];
// CHECK-NEXT:    ret;
gpu.func @argument(%q: i128) kernel {
  %w:2 = ptx.mov "b128" %q : (i128) -> (i64, i64)
  gpu.return
}

// Nor are halves joined that are not those of one register.
// CHECK-LABEL: .entry swapped(
// CHECK:         ld.global.b128 [[Q:%rq[0-9]+]],
// CHECK:         mov.b128 {[[LO:%rd[0-9]+]], [[HI:%rd[0-9]+]]}, [[Q]];
// CHECK:         mov.b128 [[R:%rq[0-9]+]], {[[HI]], [[LO]]};
// CHECK:         st.global.b128 [%rd{{[0-9]+}}], [[R]];
gpu.func @swapped(%g: !llvm.ptr<1>) kernel {
  %c64 = arith.constant 64 : i128
  %q = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  %lo = arith.shli %q, %c64 : i128
  %hi = arith.shrui %q, %c64 : i128
  %r = arith.ori %lo, %hi : i128
  ptx.st "global.b128" %g, %r : (!llvm.ptr<1>, i128) -> ()
  gpu.return
}

// Two values that change places in a loop, and one that comes in as halves.
// CHECK-LABEL: .entry change(
// CHECK:         ld.param.v2.b64 {[[LO:%rd[0-9]+]], [[HI:%rd[0-9]+]]}, [change_param_1];
// CHECK:         ld.global.b128 [[A:%rq[0-9]+]],
// CHECK:         ld.global.b128 [[B:%rq[0-9]+]],
// CHECK:         mov.b128 [[T:%rq[0-9]+]], [[A]];
// CHECK:         mov.b128 [[H:%rq[0-9]+]], {[[LO]], [[HI]]};
// CHECK:         mov.b128 {_, [[W:%rd[0-9]+]]}, [[H]];
// CHECK-NEXT:    mov.b128 [[V:%rq[0-9]+]], {[[W]], [[W]]};
// CHECK-NEXT:    mov.b128 {[[LO]], [[HI]]}, [[V]];
// CHECK:         mov.b128 [[A]], [[B]];
// CHECK-NEXT:    mov.b128 [[B]], [[T]];
// CHECK:         st.global.b128 [%rd{{[0-9]+}}], [[T]];
// CHECK-NEXT:    st.global.b128 [%rd{{[0-9]+}}+16], [[B]];
// CHECK-NEXT:    st.global.b128 [%rd{{[0-9]+}}+32], [[H]];
// CHECK:         ret;
gpu.func @change(%g: !llvm.ptr<1>, %h: i128, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
  %b = ptx.ld "global.b128" %g + 16 : (!llvm.ptr<1>) -> i128
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %h) -> (i128, i128, i128) {
    %w = ptx.mov "b128" %z sink [0] : (i128) -> i64
    %v = ptx.mov "b128" %w, %w : (i64, i64) -> i128
    scf.yield %y, %x, %v : i128, i128, i128
  }
  ptx.st "global.b128" %g, %r#0 : (!llvm.ptr<1>, i128) -> ()
  ptx.st "global.b128" %g + 16, %r#1 : (!llvm.ptr<1>, i128) -> ()
  ptx.st "global.b128" %g + 32, %r#2 : (!llvm.ptr<1>, i128) -> ()
  gpu.return
}

}
