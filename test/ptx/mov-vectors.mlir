// Copies of several registers at once, and predicates.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s

gpu.module @m {

// CHECK-LABEL: .entry vectors(
// CHECK:         mov.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, {[[X:%r[0-9]+]], [[Y:%r[0-9]+]]};
// CHECK:         mov.v2.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {0f3F800000, [[X]]};
// CHECK:         mov.v2.b32 {%r{{[0-9]+}}, _}, {0x3F800000, 17};
// CHECK:         @%p{{[0-9]+}} mov.v4.u16 {_, %rs{{[0-9]+}}, %rs{{[0-9]+}}, _}, {%rs{{[0-9]+}}, 3, %rs{{[0-9]+}}, %rs{{[0-9]+}}};
// CHECK:         mov.v2.f64 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, {%rd{{[0-9]+}}, 0dC000000000000000};
// CHECK-NOT:     mov.v
// CHECK:         ret;
gpu.func @vectors(%x: f32, %y: i32, %h: i16, %d: f64, %p: i1) kernel {
  %c1 = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : i16
  %c17 = arith.constant 17 : i32
  %cm2 = arith.constant -2.0 : f64
  %a:2 = ptx.mov "v2.b32" %x, %y : (f32, i32) -> (f32, i32)
  %b:2 = ptx.mov "v2.f32" %c1, %x : (f32, f32) -> (f32, f32)
  %c = ptx.mov "v2.b32" %c1, %c17 sink [1] : (f32, i32) -> f32
  %e:2 = ptx.mov "v4.u16" %h, %c3, %h, %h pred(%p) sink [0, 3] : (i16, i16, i16, i16) -> (i16, i16)
  %f:2 = ptx.mov "v2.f64" %d, %cm2 : (f64, f64) -> (f64, f64)
  gpu.return
}

// CHECK-LABEL: .entry tile(
// CHECK-COUNT-3: mov.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK-NOT:     mov.v4
// CHECK:         ret;
gpu.func @tile(%in: memref<3x4xf32, 1>) kernel {
  %a = tile.alloc : memref<3x4xf32, #gpu.address_space<private>>
  %b = tile.alloc : memref<3x4xf32, #gpu.address_space<private>>
  %v = tile.view %a : memref<3x4xf32, #gpu.address_space<private>> to memref<12x1xf32, #gpu.address_space<private>>
  %w = memref.collapse_shape %in [[0, 1]] : memref<3x4xf32, 1> into memref<12xf32, 1>
  %x = memref.expand_shape %w [[0, 1]] output_shape [12, 1] : memref<12xf32, 1> into memref<12x1xf32, 1>
  tile.apply "ld.global.b32"(%v, %x) : memref<12x1xf32, #gpu.address_space<private>>, memref<12x1xf32, 1>
  tile.apply "mov.v4.b32"(%b, %a) : memref<3x4xf32, #gpu.address_space<private>>, memref<3x4xf32, #gpu.address_space<private>>
  gpu.return
}

// CHECK-LABEL: .entry predicates(
// CHECK:         mov.pred [[N:%p[0-9]+]], ![[P:%p[0-9]+]];
// CHECK-NEXT:    @![[N]] mov.pred %p{{[0-9]+}}, ![[N]];
// CHECK-NEXT:    mov.pred %p{{[0-9]+}}, !0x1;
// CHECK-NOT:     mov.pred
// CHECK:         ret;
gpu.func @predicates(%p: i1) kernel {
  %true = arith.constant true
  %n = ptx.mov "pred" not %p : (i1) -> i1
  %m = ptx.mov "pred" not %n pred(not %n) : (i1) -> i1
  %f = ptx.mov "pred" not %true : (i1) -> i1
  gpu.return
}

}
