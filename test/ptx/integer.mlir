// Integers: remainders, small products, bits and bit fields.

// RUN: tile-translate --mlir-to-ptx %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | grep -v ld.param | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | grep -v ld.param | FileCheck %s

!w = memref<2x1xi32, #gpu.address_space<private>>
!d = memref<2x1xi64, #gpu.address_space<private>>

gpu.module @m {

// Counts are 32 bits wide whatever is counted.
// CHECK-LABEL: .entry tiles(
// CHECK:         rem.u64 [[A:%rd[0-9]+]], [[X:%rd[0-9]+]], 12;
// CHECK-NEXT:    rem.u64 [[B:%rd[0-9]+]], [[X]], 12;
// CHECK-NEXT:    popc.b64 [[C:%r[0-9]+]], [[A]];
// CHECK-NEXT:    popc.b64 [[D:%r[0-9]+]], [[B]];
// CHECK-NEXT:    @%p{{[0-9]+}} bfind.shiftamt.s64 [[C]], [[A]];
// CHECK-NEXT:    @%p{{[0-9]+}} bfind.shiftamt.s64 [[D]], [[B]];
// CHECK-NEXT:    sad.s32 [[E:%r[0-9]+]], [[C]], 3, [[C]];
// CHECK-NEXT:    sad.s32 [[F:%r[0-9]+]], [[D]], 3, [[D]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}], [[E]];
// CHECK-NEXT:    st.global.b32 [%rd{{[0-9]+}}+4], [[F]];
// CHECK-NEXT:    ret;
gpu.func @tiles(%x: i64, %out: memref<2x1xi32, 1>, %p: i1) kernel {
  %c12 = arith.constant 12 : i64
  %c3 = arith.constant 3 : i32
  %a = tile.alloc : !d
  %b = tile.alloc : !w
  tile.apply "rem.u64"(%a, %x, %c12) : !d, i64, i64
  tile.apply "popc.b64"(%b, %a) : !w, !d
  tile.apply "bfind.s64.shiftamt"(%b, %a) pred(%p) preserve_dst : !w, !d
  tile.apply "sad.s32"(%b, %b, %c3, %b) : !w, !w, i32, !w
  tile.apply "st.global.b32"(%out, %b) : memref<2x1xi32, 1>, !w
  gpu.return
}

// Positions and lengths of fields that PTX takes as constants are, others come from registers.
// CHECK-LABEL: .entry fields(
// CHECK:         bfe.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4, 255;
// CHECK-NEXT:    mov.b32 [[C256:%r[0-9]+]], 256;
// CHECK-NEXT:    bfe.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[C256]], 4;
// CHECK-NEXT:    bfi.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4, %r{{[0-9]+}}, 0;
// CHECK-NEXT:    bfi.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, 4, [[C256]];
// CHECK-NOT:     {{bf|mov}}
// CHECK:         ret;
gpu.func @fields(%i: i32, %l: i64) kernel {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c255 = arith.constant 255 : i32
  %c256 = arith.constant 256 : i32
  %0 = ptx.bfe "u32" %i, %c4, %c255 : (i32, i32, i32) -> i32
  %1 = ptx.bfe "s64" %l, %c256, %c4 : (i64, i32, i32) -> i64
  %2 = ptx.bfi "b32" %i, %c4, %i, %c0 : (i32, i32, i32, i32) -> i32
  %3 = ptx.bfi "b64" %l, %l, %c4, %c256 : (i64, i64, i32, i32) -> i64
  gpu.return
}

// CHECK-LABEL: .entry scalars(
// CHECK:         rem.s16 %rs{{[0-9]+}}, %rs{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    mul24.hi.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 7;
// CHECK-NEXT:    mad24.lo.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, 7, 7;
// CHECK-NEXT:    mad24.hi.sat.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    clz.b32 %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    fns.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, -1;
// CHECK-NEXT:    brev.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK-NEXT:    szext.clamp.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 7;
// CHECK-NEXT:    dp4a.u32.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, 7;
// CHECK-NEXT:    dp2a.hi.s32.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NEXT:    ret;
gpu.func @scalars(%i: i32, %s: i16, %l: i64) kernel {
  %c7 = arith.constant 7 : i32
  %cm1 = arith.constant -1 : i32
  %0 = ptx.rem "s16" %s, %s : (i16, i16) -> i16
  %1 = ptx.mul24 "hi.s32" %i, %c7 : (i32, i32) -> i32
  %2 = ptx.mad24 "lo.u32" %i, %c7, %c7 : (i32, i32, i32) -> i32
  %3 = ptx.mad24 "hi.sat.s32" %i, %i, %i : (i32, i32, i32) -> i32
  %4 = ptx.clz "b32" %i : (i32) -> i32
  %5 = ptx.fns "b32" %i, %i, %cm1 : (i32, i32, i32) -> i32
  %6 = ptx.brev "b64" %l : (i64) -> i64
  %7 = ptx.szext "clamp.s32" %i, %c7 : (i32, i32) -> i32
  %8 = ptx.dp4a "u32.s32" %i, %i, %c7 : (i32, i32, i32) -> i32
  %9 = ptx.dp2a "hi.s32.u32" %i, %i, %i : (i32, i32, i32) -> i32
  gpu.return
}

}
