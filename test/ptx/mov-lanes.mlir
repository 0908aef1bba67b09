// Packs and unpacks of 8-bit lanes: NVPTX has no register of 8 bits, so the text declares them. One mov for each op.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s

gpu.module @m {

// CHECK-LABEL: .entry pack(
// CHECK:         { .reg .b8 b8_0, b8_1; cvt.u8.u16 b8_0, [[A:%rs[0-9]+]]; cvt.u8.u16 b8_1, [[B:%rs[0-9]+]]; mov.b16 %rs{{[0-9]+}}, {b8_0, b8_1}; }
// CHECK:         { .reg .b8 b8_0, b8_1, b8_2; cvt.u8.u16 b8_0, [[A]]; cvt.u8.u16 b8_1, [[B]]; cvt.u8.u16 b8_2, [[A]]; mov.b32 %r{{[0-9]+}}, {b8_0, 0xFE, b8_1, b8_2}; }
// CHECK:         mov.b16 %rs{{[0-9]+}}, {0xFE, 0xFE};
// CHECK:         { .reg .b8 b8_0, b8_1; @!%p{{[0-9]+}} cvt.u8.u16 b8_0, [[B]]; @!%p{{[0-9]+}} cvt.u8.u16 b8_1, [[A]]; @!%p{{[0-9]+}} mov.b16 %rs{{[0-9]+}}, {b8_0, b8_1}; }
// CHECK-NOT:     mov
// CHECK:         ret;
gpu.func @pack(%a: i8, %b: f8E5M2, %p: i1) kernel {
  %c = arith.constant -2 : i8
  %h = ptx.mov "b16" %a, %b : (i8, f8E5M2) -> i16
  %w = ptx.mov "b32" %a, %c, %b, %a : (i8, i8, f8E5M2, i8) -> i32
  %k = ptx.mov "b16" %c, %c : (i8, i8) -> f16
  %g = ptx.mov "b16" %b, %a pred(not %p) : (f8E5M2, i8) -> vector<2xi8>
  gpu.return
}

// CHECK-LABEL: .entry unpack(
// CHECK:         { .reg .b8 b8_0, b8_1; mov.b16 {b8_0, b8_1}, [[H:%rs[0-9]+]]; cvt.u16.u8 %rs{{[0-9]+}}, b8_0; cvt.u16.u8 %rs{{[0-9]+}}, b8_1; }
// CHECK:         { .reg .b8 b8_0, b8_1; mov.b32 {_, b8_0, _, b8_1}, %r{{[0-9]+}}; cvt.u16.u8 %rs{{[0-9]+}}, b8_0; cvt.u16.u8 %rs{{[0-9]+}}, b8_1; }
// CHECK:         { .reg .b8 b8_0, b8_1; mov.b16 {b8_0, b8_1}, 258; cvt.u16.u8 %rs{{[0-9]+}}, b8_0; cvt.u16.u8 %rs{{[0-9]+}}, b8_1; }
// CHECK-NOT:     mov.b32
// CHECK:         ret;
gpu.func @unpack(%h: i16, %w: i32) kernel {
  %c = arith.constant 258 : i16
  %a, %b = ptx.mov "b16" %h : (i16) -> (i8, i8)
  %x, %y = ptx.mov "b32" %w sink [0, 2] : (i32) -> (i8, f8E4M3FN)
  %k, %l = ptx.mov "b16" %c : (i16) -> (i8, i8)
  gpu.return
}

// Each instruction that writes is guarded, and the old values are in the registers that it writes.
// CHECK-LABEL: .entry preserve(
// CHECK:         ld.param.b8 [[OLD:%rs[0-9]+]], [preserve_param_1];
// CHECK:         { .reg .b8 b8_0; @[[P:%p[0-9]+]] mov.b16 {_, b8_0}, %rs{{[0-9]+}}; @[[P]] cvt.u16.u8 [[OLD]], b8_0; }
// CHECK:         st.global.b8 [%rd{{[0-9]+}}], [[OLD]];
gpu.func @preserve(%h: i16, %old: i8, %p: i1, %out: !llvm.ptr<1>) kernel {
  %a = ptx.mov "b16" %h pred(%p) preserve(%old) sink [0] : (i16) -> i8
  ptx.st "global.b8" %out, %a : (!llvm.ptr<1>, i8) -> ()
  gpu.return
}

// An output is never the register of an input that is still to be read: in a loop LLVM would take the same one.
// CHECK-LABEL: .entry loop(
// CHECK:         cvt.u8.u16 b8_0, [[X:%rs[0-9]+]]; cvt.u8.u16 b8_1, [[X]]; mov.b16 [[Y:%rs[0-9]+]], {b8_0, b8_1}; }
// CHECK:         mov.b16 {b8_0, b8_1}, [[Y]]; cvt.u16.u8 %rs{{[0-9]+}}, b8_0; cvt.u16.u8 %rs{{[0-9]+}}, b8_1; }
gpu.func @loop(%a: i8, %n: index, %out: !llvm.ptr<1>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> i8 {
    %h = ptx.mov "b16" %x, %x : (i8, i8) -> i16
    %y:2 = ptx.mov "b16" %h : (i16) -> (i8, i8)
    scf.yield %y#1 : i8
  }
  ptx.st "global.b8" %out, %last : (!llvm.ptr<1>, i8) -> ()
  gpu.return
}

// Tiles of bytes.
// CHECK-LABEL: .entry tiles(
// CHECK-COUNT-2: mov.b32 %r{{[0-9]+}}, {b8_0, b8_1, b8_2, b8_3}; }
// CHECK-COUNT-2: mov.b16 {b8_0, b8_1}, %rs{{[0-9]+}};
// CHECK:         ret;
gpu.func @tiles(%n: i8) kernel {
  %bytes = tile.alloc : memref<2x4xi8, #gpu.address_space<private>>
  %words = tile.alloc : memref<2x1xi32, #gpu.address_space<private>>
  %halves = tile.alloc : memref<2x1xf16, #gpu.address_space<private>>
  %pairs = tile.alloc : memref<2x2xi8, #gpu.address_space<private>>
  tile.apply "mov.b32"(%words, %bytes) : memref<2x1xi32, #gpu.address_space<private>>, memref<2x4xi8, #gpu.address_space<private>>
  tile.apply "mov.b16"(%pairs, %halves) : memref<2x2xi8, #gpu.address_space<private>>, memref<2x1xf16, #gpu.address_space<private>>
  gpu.return
}

}
