// Begins that are no constants: of memory they become part of the address, of registers the loops that decide them are
// unrolled (R36, R37, R38).

// RUN: tile-opt %s --tile-expand | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s | tile-opt | tile-opt --emit-bytecode | tile-opt --tile-check

!in = memref<64x4xf32, 1>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
!quad = memref<1x4xf32, #gpu.address_space<private>>

gpu.module @m {

// Launch sizes: each thread its row, aligned as a row is.
// CHECK-LABEL: gpu.func @row_of_thread(
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         %[[S:.*]] = arith.index_cast %[[T]] : index to i32
// CHECK:         %[[N:.*]] = arith.extui %[[S]] : i32 to i64
// CHECK:         %[[P:.*]] = llvm.getelementptr %{{.*}}[%[[N]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<16 x i8>
// CHECK-NEXT:    ptx.ld "global.v4.b32" %[[P]] :
// PTX-LABEL:   .entry row_of_thread(
// PTX:         mov.u32 %[[T:r[0-9]+]], %tid.x;
// PTX:         mul.wide.u32 %[[B:rd[0-9]+]], %[[T]], 16;
// PTX:         add.s64 %[[P:rd[0-9]+]], %{{.*}}, %[[B]];
// PTX-NEXT:    ld.global.v4.b32 {{{.*}}}, [%[[P]]];
gpu.func @row_of_thread(%in: !in {llvm.align = 16 : i32}, %out: !in {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %i = tile.slice %in[%t, 0] [1, 4] : !in to !row
  %o = tile.slice %out[%t, 0] [1, 4] : !in to !row
  %a = tile.alloc : !quad
  tile.apply "ld.global.v4.b32"(%a, %i) : !quad, !row
  tile.apply "st.global.v4.b32"(%o, %a) : !row, !quad
  gpu.return
}

// Arithmetic with a range, and a promise: memref.subview.
// PTX-LABEL:   .entry arithmetic(
// PTX:         ld.param.b64 %[[IN:rd[0-9]+]],
// PTX:         ld.param.b64 %[[N:rd[0-9]+]],
// PTX:         shl.b64 %[[M:rd[0-9]+]], %{{.*}}, 4;
// PTX-NEXT:    add.s64 %[[P:rd[0-9]+]], %[[IN]], %[[M]];
// PTX-NEXT:    ld.global.b32 %[[A:r[0-9]+]], [%[[P]]];
// PTX-NEXT:    ld.global.b32 %[[B:r[0-9]+]], [%[[P]]+16];
// PTX-NEXT:    shl.b64 %[[O:rd[0-9]+]], %[[N]], 4;
// PTX-NEXT:    add.s64 %[[Q:rd[0-9]+]], %[[IN]], %[[O]];
// PTX-NEXT:    st.global.b32 [%[[Q]]+4], %[[A]];
// PTX-NEXT:    st.global.b32 [%[[Q]]+20], %[[B]];
gpu.func @arithmetic(%in: !in, %n: index) kernel {
  %c63 = arith.constant 63 : index
  %m = arith.remui %n, %c63 : index
  %i = tile.slice %in[%m, 0] [2, 1] : !in to memref<2x1xf32, strided<[4, 1], offset: ?>, 1>
  %o = memref.subview %in[%n, 1] [2, 1] [1, 1] : !in to memref<2x1xf32, strided<[4, 1], offset: ?>, 1>
  %a = tile.alloc : memref<2x1xf32, #gpu.address_space<private>>
  tile.apply "ld.global.b32"(%a, %i)
    : memref<2x1xf32, #gpu.address_space<private>>, memref<2x1xf32, strided<[4, 1], offset: ?>, 1>
  tile.apply "st.global.b32"(%o, %a)
    : memref<2x1xf32, strided<[4, 1], offset: ?>, 1>, memref<2x1xf32, #gpu.address_space<private>>
  gpu.return
}

// A slice of a view of a slice: 8-byte pieces of 16-bit rows. The loop stays.
// CHECK-LABEL: gpu.func @nested(
// CHECK:         scf.for
// CHECK:           ptx.ld "global.b64"
// PTX-LABEL:   .entry nested(
// PTX:       {{^}}$L__
// PTX:         ld.global.b64 %[[V:.*]], [%[[P:rd[0-9]+]]+8];
// PTX-NEXT:    st.global.b64 [%[[P]]+8], %[[V]];
// PTX-NOT:     ld.global
// PTX:         bra
// PTX:         ret;
gpu.func @nested(%in: memref<64x8xi16, 1> {llvm.align = 8 : i32}) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %j = arith.muli %i, %c8 : index
    %k = arith.divui %i, %c2 : index
    %s = tile.slice %in[%j, 0] [4, 8] : memref<64x8xi16, 1> to memref<4x8xi16, strided<[8, 1], offset: ?>, 1>
    %v = tile.view %s : memref<4x8xi16, strided<[8, 1], offset: ?>, 1> to memref<4x2xi64, strided<[2, 1], offset: ?>, 1>
    %e = tile.slice %v[%k, 1] [1, 1] : memref<4x2xi64, strided<[2, 1], offset: ?>, 1>
           to memref<1x1xi64, strided<[2, 1], offset: ?>, 1>
    %a = tile.alloc : memref<1x1xi64, #gpu.address_space<private>>
    tile.apply "ld.global.b64"(%a, %e)
      : memref<1x1xi64, #gpu.address_space<private>>, memref<1x1xi64, strided<[2, 1], offset: ?>, 1>
    tile.apply "st.global.b64"(%e, %a)
      : memref<1x1xi64, strided<[2, 1], offset: ?>, 1>, memref<1x1xi64, #gpu.address_space<private>>
  }
  gpu.return
}

// The iters of a tile layout that an axis has: 0 to 3 and 4 to 7 lie 4 apart, the fours 64.
// CHECK-LABEL: gpu.func @iters(
// CHECK-DAG:     %[[INNER:.*]] = arith.remui
// CHECK-DAG:     %[[OUTER:.*]] = arith.divui
gpu.func @iters(%in: memref<128xi32, 1> {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 2, 1, 1>} {
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %m = arith.muli %t, %c4 : index
  %v = tile.view %in : memref<128xi32, 1> to memref<8x16xi32, #tile.layout<[2, 4, 16] : [64, 4, 1]>, 1>
  %s = tile.slice %v[%m, 0] [4, 4] : memref<8x16xi32, #tile.layout<[2, 4, 16] : [64, 4, 1]>, 1>
         to memref<4x4xi32, #tile.layout<[4, 4] : [4, 1], offset = [?]>, 1>
  %a = tile.alloc : memref<4x4xi32, #gpu.address_space<private>>
  tile.apply "ld.global.v4.b32"(%a, %s)
    : memref<4x4xi32, #gpu.address_space<private>>, memref<4x4xi32, #tile.layout<[4, 4] : [4, 1], offset = [?]>, 1>
  gpu.return
}

// From elsewhere a swizzle is computed: with 4 elements of each row it moves, by exclusive or.
// CHECK-LABEL: gpu.func @anywhere(
// CHECK:         %[[READ:.*]] = arith.shrui %[[M:.*]], %{{.*}} : i32
// CHECK:         %[[BITS:.*]] = arith.andi %[[READ]],
// CHECK:         %[[CHANGED:.*]] = arith.shli %[[BITS]],
// CHECK:         arith.xori %[[M]], %[[CHANGED]]
// CHECK:         ptx.ld "shared.v4.b32" %[[P:[a-z0-9]+]] :
// CHECK-NEXT:    ptx.ld "shared.v4.b32" %[[P]] + 1024 :
gpu.func @anywhere() workgroup(%in: memref<4096xi32, 3> {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 8, 1, 1>} {
  %t = gpu.thread_id x
  %v = tile.view %in : memref<4096xi32, 3>
         to memref<2x8x8x8x4xi32, #tile.swizzle<<[2, 8, 8, 8, 4] : [2048, 256, 32, 4, 1]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  %s = tile.slice %v[0, 0, %t, 0, 0] [1, 2, 1, 1, 4]
         : memref<2x8x8x8x4xi32, #tile.swizzle<<[2, 8, 8, 8, 4] : [2048, 256, 32, 4, 1]>, per_element = 2, swizzle = 3, atom = 3>, 3>
         to memref<1x2x1x1x4xi32, #tile.swizzle<<[1, 2, 1, 1, 4] : [2048, 256, 32, 4, 1], offset = [?]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  %a = tile.alloc : memref<1x2x1x1x4xi32, #gpu.address_space<private>>
  tile.apply "ld.shared.v4.b32"(%a, %s) : memref<1x2x1x1x4xi32, #gpu.address_space<private>>,
    memref<1x2x1x1x4xi32, #tile.swizzle<<[1, 2, 1, 1, 4] : [2048, 256, 32, 4, 1], offset = [?]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  gpu.return
}

// From multiples of the period on a swizzle looks the same.
// PTX-LABEL:   .entry swizzled(
// PTX:         ld.shared.v4.b32 {{{.*}}}, [%[[P:rd[0-9]+]]];
// PTX-NEXT:    ld.shared.v4.b32 {{{.*}}}, [%[[P]]+144];
// PTX-NEXT:    ld.shared.v4.b32 {{{.*}}}, [%[[P]]+288];
gpu.func @swizzled() workgroup(%in: memref<4096xi32, 3> {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 8, 1, 1>} {
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %m = arith.muli %t, %c8 : index
  %v = tile.view %in : memref<4096xi32, 3>
         to memref<128x32xi32, #tile.swizzle<<[128, 32] : [32, 1]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  %s = tile.slice %v[%m, 0] [3, 4]
         : memref<128x32xi32, #tile.swizzle<<[128, 32] : [32, 1]>, per_element = 2, swizzle = 3, atom = 3>, 3>
         to memref<3x4xi32, #tile.swizzle<<[3, 4] : [32, 1], offset = [?]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  %a = tile.alloc : memref<3x4xi32, #gpu.address_space<private>>
  tile.apply "ld.shared.v4.b32"(%a, %s) : memref<3x4xi32, #gpu.address_space<private>>,
    memref<3x4xi32, #tile.swizzle<<[3, 4] : [32, 1], offset = [?]>, per_element = 2, swizzle = 3, atom = 3>, 3>
  gpu.return
}

// What the program never gets to begins nowhere.
// CHECK-LABEL: gpu.func @never(
gpu.func @never(%in: !in {llvm.align = 16 : i32}, %n: index) kernel {
  %false = arith.constant false
  cf.cond_br %false, ^never(%n : index), ^end
^never(%i: index):
  %m = arith.addi %i, %n : index
  %s = tile.slice %in[%m, 0] [1, 4] : !in to !row
  %a = tile.alloc : !quad
  tile.apply "ld.global.v4.b32"(%a, %s) : !quad, !row
  cf.br ^end
^end:
  gpu.return
}
}
