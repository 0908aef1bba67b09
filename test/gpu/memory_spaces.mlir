// Shared memory of the module and of the launch, beside each other, and registers whose address is taken: rows of a
// block that its threads exchange.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "memory_spaces", "grid": [1], "block": [32], "shared": 576, "args": [
// GPU:  {"type": "i32", "values": [
// GPU:   0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203, 300, 301, 302, 303, 400, 401, 402, 403, 500,
// GPU:   501, 502, 503, 600, 601, 602, 603, 700, 701, 702, 703, 800, 801, 802, 803, 900, 901, 902, 903,
// GPU:   1000, 1001, 1002, 1003, 1100, 1101, 1102, 1103, 1200, 1201, 1202, 1203, 1300, 1301, 1302, 1303,
// GPU:   1400, 1401, 1402, 1403, 1500, 1501, 1502, 1503, 1600, 1601, 1602, 1603, 1700, 1701, 1702, 1703,
// GPU:   1800, 1801, 1802, 1803, 1900, 1901, 1902, 1903, 2000, 2001, 2002, 2003, 2100, 2101, 2102, 2103,
// GPU:   2200, 2201, 2202, 2203, 2300, 2301, 2302, 2303, 2400, 2401, 2402, 2403, 2500, 2501, 2502, 2503,
// GPU:   2600, 2601, 2602, 2603, 2700, 2701, 2702, 2703, 2800, 2801, 2802, 2803, 2900, 2901, 2902, 2903,
// GPU:   3000, 3001, 3002, 3003, 3100, 3101, 3102, 3103]},
// GPU:  {"type": "i32", "expect": [
// GPU:   3100, 3101, 3102, 3103, 3000, 3001, 3002, 3003, 2900, 2901, 2902, 2903, 2800, 2801, 2802, 2803,
// GPU:   2700, 2701, 2702, 2703, 2600, 2601, 2602, 2603, 2500, 2501, 2502, 2503, 2400, 2401, 2402, 2403,
// GPU:   2300, 2301, 2302, 2303, 2200, 2201, 2202, 2203, 2100, 2101, 2102, 2103, 2000, 2001, 2002, 2003,
// GPU:   1900, 1901, 1902, 1903, 1800, 1801, 1802, 1803, 1700, 1701, 1702, 1703, 1600, 1601, 1602, 1603,
// GPU:   1500, 1501, 1502, 1503, 1400, 1401, 1402, 1403, 1300, 1301, 1302, 1303, 1200, 1201, 1202, 1203,
// GPU:   1100, 1101, 1102, 1103, 1000, 1001, 1002, 1003, 900, 901, 902, 903, 800, 801, 802, 803, 700, 701,
// GPU:   702, 703, 600, 601, 602, 603, 500, 501, 502, 503, 400, 401, 402, 403, 300, 301, 302, 303, 200, 201,
// GPU:   202, 203, 100, 101, 102, 103, 0, 1, 2, 3]},
// GPU:  {"type": "i32", "expect": [
// GPU:   100, 101, 102, 103, 0, 1, 2, 3, 300, 301, 302, 303, 200, 201, 202, 203, 500, 501, 502, 503, 400,
// GPU:   401, 402, 403, 700, 701, 702, 703, 600, 601, 602, 603, 900, 901, 902, 903, 800, 801, 802, 803,
// GPU:   1100, 1101, 1102, 1103, 1000, 1001, 1002, 1003, 1300, 1301, 1302, 1303, 1200, 1201, 1202, 1203,
// GPU:   1500, 1501, 1502, 1503, 1400, 1401, 1402, 1403, 1700, 1701, 1702, 1703, 1600, 1601, 1602, 1603,
// GPU:   1900, 1901, 1902, 1903, 1800, 1801, 1802, 1803, 2100, 2101, 2102, 2103, 2000, 2001, 2002, 2003,
// GPU:   2300, 2301, 2302, 2303, 2200, 2201, 2202, 2203, 2500, 2501, 2502, 2503, 2400, 2401, 2402, 2403,
// GPU:   2700, 2701, 2702, 2703, 2600, 2601, 2602, 2603, 2900, 2901, 2902, 2903, 2800, 2801, 2802, 2803,
// GPU:   3100, 3101, 3102, 3103, 3000, 3001, 3002, 3003]},
// GPU:  {"type": "i32", "expect": [
// GPU:   0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203, 300, 301, 302, 303, 400, 401, 402, 403, 500,
// GPU:   501, 502, 503, 600, 601, 602, 603, 700, 701, 702, 703, 800, 801, 802, 803, 900, 901, 902, 903,
// GPU:   1000, 1001, 1002, 1003, 1100, 1101, 1102, 1103, 1200, 1201, 1202, 1203, 1300, 1301, 1302, 1303,
// GPU:   1400, 1401, 1402, 1403, 1500, 1501, 1502, 1503, 1600, 1601, 1602, 1603, 1700, 1701, 1702, 1703,
// GPU:   1800, 1801, 1802, 1803, 1900, 1901, 1902, 1903, 2000, 2001, 2002, 2003, 2100, 2101, 2102, 2103,
// GPU:   2200, 2201, 2202, 2203, 2300, 2301, 2302, 2303, 2400, 2401, 2402, 2403, 2500, 2501, 2502, 2503,
// GPU:   2600, 2601, 2602, 2603, 2700, 2701, 2702, 2703, 2800, 2801, 2802, 2803, 2900, 2901, 2902, 2903,
// GPU:   3000, 3001, 3002, 3003, 3100, 3101, 3102, 3103]}]}

!rows = memref<32x4xi32, 1>
!row = memref<1x4xi32, strided<[4, 1], offset: ?>, 1>
!shared = memref<32x4xi32, #gpu.address_space<workgroup>>
!srow = memref<1x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
!local = memref<4x4xi32, #gpu.address_space<private>>
!lrow = memref<1x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<private>>
!quad = memref<1x4xi32, #gpu.address_space<private>>

gpu.module @m {
  memref.global "private" @static : !shared {alignment = 16}

  gpu.func @memory_spaces(%in: !rows {llvm.align = 16 : i32}, %reversed: !rows {llvm.align = 16 : i32},
                          %swapped: !rows {llvm.align = 16 : i32}, %same: !rows {llvm.align = 16 : i32}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %other_end = arith.subi %c31, %t : index
    %neighbour = arith.xori %t, %c1 : index
    %own = arith.andi %t, %c3 : index
    %beside = arith.xori %own, %c1 : index
    %mine = tile.alloc : !quad
    %theirs = tile.alloc : !quad
    %in_t = tile.slice %in[%t, 0] [1, 4] : !rows to !row
    tile.apply "ld.global.v4.b32"(%mine, %in_t) : !quad, !row

    %static = memref.get_global @static : !shared
    %static_t = tile.slice %static[%t, 0] [1, 4] : !shared to !srow
    %static_other = tile.slice %static[%other_end, 0] [1, 4] : !shared to !srow
    %launch = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %dynamic = memref.view %launch[%c64][] : memref<?xi8, #gpu.address_space<workgroup>> to !shared
    %dynamic_t = tile.slice %dynamic[%t, 0] [1, 4] : !shared to !srow
    %dynamic_other = tile.slice %dynamic[%neighbour, 0] [1, 4] : !shared to !srow
    tile.apply "st.shared.v4.b32"(%static_t, %mine) : !srow, !quad
    tile.apply "st.shared::cta.v4.b32"(%dynamic_other, %mine) : !srow, !quad
    gpu.barrier
    tile.apply "ld.shared::cta.v4.b32"(%theirs, %static_other) : !quad, !srow
    %reversed_t = tile.slice %reversed[%t, 0] [1, 4] : !rows to !row
    tile.apply "st.global.v4.b32"(%reversed_t, %theirs) : !row, !quad

    // One row over another would come back as the wrong one.
    %local = tile.alloc : !local
    %local_own = tile.slice %local[%own, 0] [1, 4] : !local to !lrow
    %local_beside = tile.slice %local[%beside, 0] [1, 4] : !local to !lrow
    tile.apply "st.local.v4.b32"(%local_own, %mine) : !lrow, !quad
    tile.apply "st.local.v4.b32"(%local_beside, %theirs) : !lrow, !quad
    tile.apply "ld.local.v4.b32"(%mine, %local_own) : !quad, !lrow
    %same_t = tile.slice %same[%t, 0] [1, 4] : !rows to !row
    tile.apply "st.global.v4.b32"(%same_t, %mine) : !row, !quad

    tile.apply "ld.shared.v4.b32"(%theirs, %dynamic_t) : !quad, !srow
    %swapped_t = tile.slice %swapped[%t, 0] [1, 4] : !rows to !row
    tile.apply "st.global.v4.b32"(%swapped_t, %theirs) : !row, !quad
    gpu.return
  }
}
