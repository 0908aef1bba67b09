// How addresses are computed: few instructions, on 32 bits where it is known that these suffice.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!rows = memref<64x4xf32, 1>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
!vector = memref<1x4xf32, #gpu.address_space<private>>
!table = memref<8x64x4xf32, 1>
!cell = memref<1x1x4xf32, strided<[256, 4, 1], offset: ?>, 1>
!far = memref<4x268435456xi32, 1>
!far_cell = memref<1x1xi32, strided<[268435456, 1], offset: ?>, 1>
!word = memref<1x1xi32, #gpu.address_space<private>>
!spread = memref<2x32x1x4xf32, #tile.layout<[2, 32, 1, 4] : [1@warpid, 1@laneid, 4, 1]>, #gpu.address_space<private>>

gpu.module @m {
  // Warps and lanes that lie in one row are threads. One multiplication reaches the base.
  // CHECK-LABEL: .entry threads(
  // CHECK:         mov.u32 %[[T:r[0-9]+]], %tid.x;
  // CHECK-NEXT:    mul.wide.{{[us]}}32 %[[AT:rd[0-9]+]], %[[T]], 16;
  // CHECK-NEXT:    add.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, %[[AT]];
  // CHECK-NEXT:    st.global.v4.b32 [%[[P]]],
  gpu.func @threads(%out: memref<2x32x1x4xf32, 1> {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !spread
    tile.apply "st.global.v4.b32"(%out, %a) scope(cta) : memref<2x32x1x4xf32, 1>, !spread
    gpu.return
  }

  // A constant of a begin is one of the instruction, before which the rest may be negative.
  // CHECK-LABEL: .entry backwards(
  // CHECK:         mov.u32 %[[T:r[0-9]+]], %tid.x;
  // CHECK:         neg.s32 %[[N:r[0-9]+]], %[[T]];
  // CHECK:         mul.wide.s32 %[[AT:rd[0-9]+]], %[[N]], 16;
  // CHECK:         add.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, %[[AT]];
  // CHECK:         st.global.v4.b32 [%[[P]]+1008],
  gpu.func @backwards(%out: !rows {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %last = arith.constant 63 : index
    %t = gpu.thread_id x
    %n = arith.subi %last, %t : index
    %a = tile.alloc : !vector
    %row = tile.slice %out[%n, 0] [1, 4] : !rows to !row
    tile.apply "st.global.v4.b32"(%row, %a) : !row, !vector
    gpu.return
  }

  // 2^34 rows of four bytes are too many for 32 bits.
  // CHECK-LABEL: .entry large(
  // CHECK-NOT:     add.s32
  // CHECK:         shl.b64 %[[AT:rd[0-9]+]], %rd{{[0-9]+}}, 2;
  // CHECK:         add.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, %[[AT]];
  // CHECK:         st.global.b32 [%[[P]]],
  gpu.func @large(%out: memref<17179869184x1xi32, 1>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 16777216, 1, 1>} {
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %m = arith.muli %b, %c1024 : index
    %n = arith.addi %m, %t : index
    %a = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    %e = tile.slice %out[%n, 0] [1, 1] : memref<17179869184x1xi32, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    tile.apply "st.global.b32"(%e, %a)
      : memref<1x1xi32, strided<[1, 1], offset: ?>, 1>, memref<1x1xi32, #gpu.address_space<private>>
    gpu.return
  }

  // Blocks share the number, which is one register, and not its multiple.
  // CHECK-LABEL: .entry blocks(
  // CHECK:         add.s32 %[[SUM:r[0-9]+]], %{{.*}}, %{{.*}};
  // CHECK-NEXT:    cvt.u64.u32 %[[N:rd[0-9]+]], %[[SUM]];
  // CHECK-NEXT:    mul.wide.u32 %[[AT:rd[0-9]+]], %[[SUM]], 16;
  // CHECK-NEXT:    add.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, %[[AT]];
  // CHECK-NEXT:    ld.global.v4.b32 {{.*}}, [%[[P]]];
  // CHECK:         bra
  // CHECK:         st.global.v4.b32 [%[[P]]],
  // CHECK:         shl.b64 %[[TO:rd[0-9]+]], %[[N]], 4;
  // CHECK-NEXT:    add.s64 %[[Q:rd[0-9]+]], %rd{{[0-9]+}}, %[[TO]];
  // CHECK-NEXT:    st.global.v4.b32 [%[[Q]]],
  gpu.func @blocks(%in: !table {llvm.align = 16 : i32}, %out: !table {llvm.align = 16 : i32}, %some: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %a = tile.alloc : !vector
    %from = tile.slice %in[%b, %t, 0] [1, 1, 4] : !table to !cell
    %to = tile.slice %out[%b, %t, 0] [1, 1, 4] : !table to !cell
    %source = tile.view %from : !cell to !row
    %target = tile.view %to : !cell to !row
    tile.apply "ld.global.v4.b32"(%a, %source) : !vector, !row
    scf.if %some {
      tile.apply "st.global.v4.b32"(%source, %a) : !row, !vector
    }
    tile.apply "st.global.v4.b32"(%target, %a) : !row, !vector
    gpu.return
  }

  // Rows of 2^32 bytes and four more.
  // CHECK-LABEL: .entry apart(
  // CHECK:         mad.lo.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, 4294967300, %rd{{[0-9]+}};
  // CHECK:         st.global.b32 [%[[P]]],
  gpu.func @apart(%out: memref<64x1073741825xi32, 1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    %e = tile.slice %out[%t, 0] [1, 1]
      : memref<64x1073741825xi32, 1> to memref<1x1xi32, strided<[1073741825, 1], offset: ?>, 1>
    tile.apply "st.global.b32"(%e, %a)
      : memref<1x1xi32, strided<[1073741825, 1], offset: ?>, 1>, memref<1x1xi32, #gpu.address_space<private>>
    gpu.return
  }

  // A begin is counted from the first there is: 2^31 rows of 2^30 bytes before the memory, and as many after, are none.
  // CHECK-LABEL: .entry beyond(
  // CHECK:         ld.param.b64 %[[P:rd[0-9]+]], [beyond_param_0];
  // CHECK:         st.global.b32 [%[[P]]],
  // CHECK:         add.s64 %[[P]], %[[P]], 1073741824;
  gpu.func @beyond(%out: !far) kernel {
    %first = arith.constant 2147483648 : index
    %end = arith.constant 2147483652 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc : !word
    scf.for %i = %first to %end step %c1 {
      %n = arith.subi %i, %first : index
      %e = tile.slice %out[%n, 0] [1, 1] : !far to !far_cell
      tile.apply "st.global.b32"(%e, %a) : !far_cell, !word
    }
    gpu.return
  }

  // 2^60 words are 2^62 bytes, or 2^65 bits.
  // CHECK-LABEL: .entry far_before(
  // CHECK:         add.s64 %[[P:rd[0-9]+]], %rd{{[0-9]+}}, -4611686018427387904;
  // CHECK-NEXT:    st.global.b32 [%[[P]]],
  gpu.func @far_before(%out: memref<64xi32, 1>, %n: index) kernel {
    %c = arith.constant 1152921504606846976 : index
    %m = arith.subi %n, %c : index
    %a = tile.alloc : !word
    %s = memref.subview %out[%m] [1] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    %v = tile.view %s : memref<1xi32, strided<[1], offset: ?>, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    tile.apply "st.global.b32"(%v, %a) : memref<1x1xi32, strided<[1, 1], offset: ?>, 1>, !word
    gpu.return
  }

  // Three words, each at every third place of 9,000,000,000: what 32 bits hold of a place is not its remainder.
  // CHECK-LABEL: .entry divided(
  // CHECK:         mul.wide.u32 %[[N:rd[0-9]+]], %{{.*}}, 1000000000;
  // CHECK-NEXT:    mul.hi.u64 %[[THIRD:rd[0-9]+]], %[[N]], 6148914691236517206;
  // CHECK-NEXT:    mul.lo.s64 %[[BEFORE:rd[0-9]+]], %[[THIRD]], 3;
  // CHECK-NEXT:    sub.s64 %{{.*}}, %[[N]], %[[BEFORE]];
  gpu.func @divided(%out: memref<3000000000x3xi32, strided<[0, 1]>, 1>) kernel
      attributes {known_grid_size = array<i32: 8, 1, 1>} {
    %apart = arith.constant 1000000000 : index
    %b = gpu.block_id x
    %m = arith.muli %b, %apart : index
    %a = tile.alloc : !word
    %all = tile.view %out : memref<3000000000x3xi32, strided<[0, 1]>, 1>
           to memref<9000000000x1xi32, #tile.layout<[3000000000, 3, 1] : [0, 1, 1]>, 1>
    %e = tile.slice %all[%m, 0] [1, 1] : memref<9000000000x1xi32, #tile.layout<[3000000000, 3, 1] : [0, 1, 1]>, 1>
         to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    tile.apply "st.global.b32"(%e, %a) : memref<1x1xi32, strided<[1, 1], offset: ?>, 1>, !word
    gpu.return
  }
}
