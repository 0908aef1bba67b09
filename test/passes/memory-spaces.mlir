// Loads and stores in shared and local memory, and what orders them.

// RUN: tile-translate --mlir-to-ptx %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks

!quad = memref<1x4xi32, #gpu.address_space<private>>
!out = memref<32x4xi32, 1>
!orow = memref<1x4xi32, strided<[4, 1], offset: ?>, 1>
!shared = memref<32x4xi32, #gpu.address_space<workgroup>>
!srow = memref<1x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
!many = memref<16x4xi32, #gpu.address_space<private>>
!mrow = memref<1x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<private>>
!mone = memref<1x1xi32, strided<[4, 1], offset: ?>, #gpu.address_space<private>>

gpu.module @m {
memref.global "private" @buffer : !shared {alignment = 16}

// What the launch gives is declared before all kernels.
// CHECK:       .extern .shared .align 16 .b8 __dynamic_shmem__0[];

// Static: a barrier stays between what is written and what is read.
// CHECK-LABEL: .entry static(
// CHECK:         .shared .align 16 .b8 buffer[512];
// CHECK:         ld.global.v4.b32
// CHECK:         st.shared.v4.b32
// CHECK:         bar.sync 0;
// CHECK:         ld.shared::cta.v4.b32
// CHECK:         st.global.v4.b32
gpu.func @static(%in: !out {llvm.align = 16 : i32}, %out: !out {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c31 = arith.constant 31 : index
  %t = gpu.thread_id x
  %u = arith.subi %c31, %t : index
  %b = memref.get_global @buffer : !shared
  %mine = tile.slice %b[%t, 0] [1, 4] : !shared to !srow
  %other = tile.slice %b[%u, 0] [1, 4] : !shared to !srow
  %i = tile.slice %in[%t, 0] [1, 4] : !out to !orow
  %o = tile.slice %out[%t, 0] [1, 4] : !out to !orow
  %a = tile.alloc : !quad
  tile.apply "ld.global.v4.b32"(%a, %i) : !quad, !orow
  tile.apply "st.shared.v4.b32"(%mine, %a) : !srow, !quad
  gpu.barrier
  tile.apply "ld.shared::cta.v4.b32"(%a, %other) : !quad, !srow
  tile.apply "st.global.v4.b32"(%o, %a) : !orow, !quad
  gpu.return
}

// Dynamic: what the launch gives begins at one address, and is aligned to 16 bytes; a view 64 bytes further is too.
// CHECK-LABEL: .entry dynamic(
// CHECK-NOT:     .shared
// CHECK:         mov.b64 %[[BASE:rd[0-9]+]], __dynamic_shmem__0;
// CHECK:         st.shared.v4.b32 [%{{.*}}], {%
// CHECK:         ret;
gpu.func @dynamic(%in: !out {llvm.align = 16 : i32}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %b = memref.view %d[%c64][] : memref<?xi8, #gpu.address_space<workgroup>> to !shared
  %mine = tile.slice %b[%t, 0] [1, 4] : !shared to !srow
  %i = tile.slice %in[%t, 0] [1, 4] : !out to !orow
  %a = tile.alloc : !quad
  tile.apply "ld.global.v4.b32"(%a, %i) : !quad, !orow
  tile.apply "st.shared.v4.b32"(%mine, %a) : !srow, !quad
  gpu.return
}

// What the function declares, with its alignment.
// CHECK-LABEL: .entry declared(
// CHECK:         .shared .align 16 .b8 [[DECLARED:[a-z_0-9]+]][512];
// CHECK:         mov.b64 %[[BASE:rd[0-9]+]], [[DECLARED]];
// CHECK:         ld.shared.v4.b32
gpu.func @declared(%out: !out {llvm.align = 16 : i32}) workgroup(%b: !shared {llvm.align = 16 : i32}) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %s = tile.slice %b[%t, 0] [1, 4] : !shared to !srow
  %o = tile.slice %out[%t, 0] [1, 4] : !out to !orow
  %a = tile.alloc : !quad
  tile.apply "ld.shared.v4.b32"(%a, %s) : !quad, !srow
  tile.apply "st.global.v4.b32"(%o, %a) : !orow, !quad
  gpu.return
}

// Registers whose address is taken are local memory, at any begin; a remark says so, once. Others are not.
// CHECK-LABEL: .entry local(
// CHECK:         .local .align 16 .b8 [[DEPOT:[a-z_0-9]+]][256];
// CHECK:         st.local.v4.b32 [%[[P:rd[0-9]+]]], {%
// CHECK-NEXT:    ld.local.v4.b32 {%{{.*}}}, [%[[P]]];
// CHECK-NEXT:    ld.local.b32 %{{.*}}, [%[[P]]+8];
// CHECK:         ret;
// REMARKS:       memory-spaces.mlir:[[#@LINE+7]]:8: remark: 'tile.alloc' op stays in local memory: "st.local.v4.b32" takes its address
// REMARKS-NOT:   remark:
gpu.func @local(%out: !out {llvm.align = 16 : i32}, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %c16 = arith.constant 16 : index
  %m = arith.remui %n, %c16 : index
  %l = tile.alloc : !many
  %a = tile.alloc : !quad
  %words = tile.view %a : !quad to memref<4x1xi32, #gpu.address_space<private>>
  tile.apply "mov.b32"(%words, %c7) : memref<4x1xi32, #gpu.address_space<private>>, i32
  %s = tile.slice %l[%m, 0] [1, 4] : !many to !mrow
  tile.apply "st.local.v4.b32"(%s, %a) : !mrow, !quad
  tile.apply "ld.local.v4.b32"(%a, %s) : !quad, !mrow
  %third = tile.slice %l[%m, 2] [1, 1] : !many to !mone
  %b = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
  tile.apply "ld.local.b32"(%b, %third) : memref<1x1xi32, #gpu.address_space<private>>, !mone
  %o = tile.slice %out[0, 0] [1, 4] : !out to memref<1x4xi32, strided<[4, 1]>, 1>
  tile.apply "st.global.v4.b32"(%o, %a) : memref<1x4xi32, strided<[4, 1]>, 1>, !quad
  gpu.return
}
}
