// Vector loads and stores of every width, a layout that turns rows into columns, and predicates in registers.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "vectors", "grid": [1], "block": [1], "args": [
// GPU:  {"type": "i32", "values": [1, 2, 3, 4, 5, 6, 7, 8]},
// GPU:  {"type": "i32", "expect": [1, 5, 2, 6, 3, 7, 4, 8]},
// GPU:  {"type": "i8", "values": [1, 2, 3, 4], "expect": [3, 4, 1, 2]},
// GPU:  {"type": "f16", "values": [1.5, -2.0], "expect": [-2.0, 1.5]},
// GPU:  {"type": "f64", "values": [1.25, 2.5], "expect": [2.5, 1.25]},
// GPU:  {"type": "f32", "expect": [0.1, 0.1, -0.0]}]}

!rows = memref<2x4xi32, #gpu.address_space<private>>
!columns = memref<4x2xi32, #tile.layout<[4, 2] : [1, 4]>, #gpu.address_space<private>>
!bytes = memref<2x2xi8, #gpu.address_space<private>>
!halves = memref<1x2xf16, #gpu.address_space<private>>
!doubles = memref<1x2xf64, #gpu.address_space<private>>
!floats = memref<3x1xf32, #gpu.address_space<private>>
!flag = memref<1xi1, #gpu.address_space<private>>

gpu.module @m {
  gpu.func @vectors(%in: memref<2x4xi32, 1> {llvm.align = 16 : i64}, %out: memref<4x2xi32, 1> {llvm.align = 16 : i64},
                    %bytes: memref<2x2xi8, 1> {llvm.align = 4 : i64}, %halves: memref<1x2xf16, 1> {llvm.align = 4 : i64},
                    %doubles: memref<1x2xf64, 1> {llvm.align = 16 : i64}, %floats: memref<3x1xf32, 1>) kernel {
    %rows = tile.alloc : !rows
    tile.apply "ld.global.v4.b32"(%rows, %in) : !rows, memref<2x4xi32, 1>
    %columns = tile.view %rows : !rows to !columns
    tile.apply "st.global.v2.b32"(%out, %columns) : memref<4x2xi32, 1>, !columns

    // The two pairs of bytes change places, by register slots.
    %b = tile.alloc : !bytes
    tile.apply "ld.global.v2.b8"(%b, %bytes) : !bytes, memref<2x2xi8, 1>
    %b0 = tile.slice %b[0, 0] [1, 2] : !bytes to memref<1x2xi8, strided<[2, 1]>, #gpu.address_space<private>>
    %b1 = tile.slice %b[1, 0] [1, 2] : !bytes to memref<1x2xi8, strided<[2, 1], offset: 2>, #gpu.address_space<private>>
    %m0 = memref.subview %bytes[0, 0] [1, 2] [1, 1] : memref<2x2xi8, 1> to memref<1x2xi8, strided<[2, 1]>, 1>
    %m1 = memref.subview %bytes[1, 0] [1, 2] [1, 1] : memref<2x2xi8, 1> to memref<1x2xi8, strided<[2, 1], offset: 2>, 1>
    tile.apply "st.global.v2.b8"(%m0, %b1) : memref<1x2xi8, strided<[2, 1]>, 1>,
                                            memref<1x2xi8, strided<[2, 1], offset: 2>, #gpu.address_space<private>>
    tile.apply "st.global.v2.b8"(%m1, %b0) : memref<1x2xi8, strided<[2, 1], offset: 2>, 1>,
                                            memref<1x2xi8, strided<[2, 1]>, #gpu.address_space<private>>

    %h = tile.alloc : !halves
    tile.apply "ld.global.v2.b16"(%h, %halves) : !halves, memref<1x2xf16, 1>
    %h_turned = tile.alloc : !halves
    %h0 = tile.read %h[0, 0] : !halves
    %h1 = tile.read %h[0, 1] : !halves
    tile.write %h1, %h_turned[0, 0] : !halves
    tile.write %h0, %h_turned[0, 1] : !halves
    tile.apply "st.global.v2.b16"(%halves, %h_turned) : memref<1x2xf16, 1>, !halves

    %d = tile.alloc : !doubles
    tile.apply "ld.global.v2.b64"(%d, %doubles) : !doubles, memref<1x2xf64, 1>
    %e = tile.alloc : !doubles
    %d0 = tile.read %d[0, 0] : !doubles
    %d1 = tile.read %d[0, 1] : !doubles
    tile.write %d1, %e[0, 0] : !doubles
    tile.write %d0, %e[0, 1] : !doubles
    tile.apply "st.global.v2.b64"(%doubles, %e) : memref<1x2xf64, 1>, !doubles

    // mov.pred, and float constants as immediates.
    %tenth = arith.constant 0.1 : f32
    %minus = arith.constant -0.0 : f32
    %true = arith.constant true
    %flag = tile.alloc : !flag
    tile.apply "mov.pred"(%flag, %true) : !flag, i1
    %p = tile.read %flag[0] : !flag
    %f = tile.alloc : !floats
    tile.apply "mov.f32"(%f, %minus) : !floats, f32
    %two = tile.slice %f[0, 0] [2, 1] : !floats to memref<2x1xf32, strided<[1, 1]>, #gpu.address_space<private>>
    tile.apply "mov.b32"(%two, %tenth) pred(%p) preserve_dst : memref<2x1xf32, strided<[1, 1]>, #gpu.address_space<private>>, f32
    tile.apply "st.global.b32"(%floats, %f) : memref<3x1xf32, 1>, !floats
    gpu.return
  }
}
