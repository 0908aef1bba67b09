// How addresses are computed: few instructions, on 32 bits where it is known that these suffice.
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!rows = memref<64x4xf32, 1>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
!vector = memref<1x4xf32, #gpu.address_space<private>>
!table = memref<8x64x4xf32, 1>
!cell = memref<1x1x4xf32, strided<[256, 4, 1], offset: ?>, 1>
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
}
