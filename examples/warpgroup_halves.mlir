// A warpgroup unpacks the halves of two words a thread, and packs the low ones and the high ones: no thread needs what
// another has, and nothing but the named moves is issued.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!memory = memref<4x32x2x1xi32, #gpu.address_space<global>>
!words = memref<4x32x2x1xi32, #tile.layout<[4, 32, 2, 1] : [1@wid_in_wg, 1@laneid, 1, 1]>, #gpu.address_space<private>>
!halves = memref<4x32x2x2xi16, #tile.layout<[4, 32, 2, 2] : [1@wid_in_wg, 1@laneid, 2, 1]>, #gpu.address_space<private>>
!turned = memref<4x32x2x2xi16, #tile.layout<[4, 32, 2, 2] : [1@wid_in_wg, 1@laneid, 1, 2]>, #gpu.address_space<private>>

gpu.module @kernels {
  gpu.func @turn(%in: !memory, %out: !memory) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %words = tile.alloc : !words
    %halves = tile.alloc : !halves
    %turned = tile.view %halves : !halves to !turned
    tile.apply "ld.global.b32"(%words, %in) scope(warpgroup) : !words, !memory
    tile.apply "mov.b32"(%halves, %words) scope(warpgroup) : !halves, !words
    tile.apply "mov.b32"(%words, %turned) scope(warpgroup) : !words, !turned
    tile.apply "st.global.b32"(%out, %words) scope(warpgroup) : !memory, !words
    gpu.return
  }
}

// CHECK-COUNT-2: ld.global.b32
// CHECK-DAG:     mov.b32 {[[A:%rs[0-9]+]], [[B:%rs[0-9]+]]}, %r
// CHECK-DAG:     mov.b32 {[[C:%rs[0-9]+]], [[D:%rs[0-9]+]]}, %r
// CHECK-DAG:     mov.b32 %r{{[0-9]+}}, {[[A]], [[C]]};
// CHECK-DAG:     mov.b32 %r{{[0-9]+}}, {[[B]], [[D]]};
// CHECK-COUNT-2: st.global.b32
