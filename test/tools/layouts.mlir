// Layouts as pictures: one of the command line, and those of a file.

// RUN: tile-translate --layout-to-text --layout '#tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], replica = [2 : 4@warpid], offset = [5@warpid]>' --shape 8x16 | FileCheck %s --check-prefix=FRAGMENT --match-full-lines --strict-whitespace
//      FRAGMENT:#tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], replica = [2 : 4@warpid], offset = [5@warpid]>
// FRAGMENT-NEXT:shape 8x16: rows are axis 0, columns are axis 1
// FRAGMENT-NEXT:cell: W warpid, T laneid, m of 2 registers of the thread
// FRAGMENT-EMPTY:
// FRAGMENT-NEXT:  |          0..1          2..3          4..5          6..7           8..9         10..11         12..13         14..15
// FRAGMENT-NEXT:0 |   W5,9 T0:0,1   W5,9 T1:0,1   W5,9 T2:0,1   W5,9 T3:0,1   W6,10 T0:0,1   W6,10 T1:0,1   W6,10 T2:0,1   W6,10 T3:0,1
// FRAGMENT-NEXT:1 |   W5,9 T4:0,1   W5,9 T5:0,1   W5,9 T6:0,1   W5,9 T7:0,1   W6,10 T4:0,1   W6,10 T5:0,1   W6,10 T6:0,1   W6,10 T7:0,1
//      FRAGMENT:7 |  W5,9 T28:0,1  W5,9 T29:0,1  W5,9 T30:0,1  W5,9 T31:0,1  W6,10 T28:0,1  W6,10 T29:0,1  W6,10 T30:0,1  W6,10 T31:0,1
//  FRAGMENT-NOT:{{.}}

// The same shape is that of the extents, as near to a square as they allow; standard input is not read.
// RUN: echo broken | tile-translate --layout-to-svg --layout='#tile.layout<[8, 2, 4, 2] : [4@laneid, 1@warpid, 1@laneid, 1], replica = [2 : 4@warpid], offset = [5@warpid]>' -o %t.svg
// RUN: %python %S/Inputs/svg.py %t.svg | FileCheck %s --check-prefix=SVG
// SVG: title: row 0, columns 0 to 1: W5,9 T0, m 0,1
// SVG: title: row 3, columns 10 to 11: W6,10 T13, m 0,1
// SVG: title: row 7, columns 14 to 15: W6,10 T31, m 0,1
// SVG: text: #tile.layout<[8, 2, 4, 2]
// SVG: text: shape 8x16: rows are axis 0, columns are axis 1
// SVG: text: colour: the thread

// RUN: tile-translate --layout-to-text --layout 'strided<[2, 1], offset: 5>' --shape 4x1 | FileCheck %s --check-prefix=STRIDED
// STRIDED: cell: B bank, m of 12 elements of i32, the first at bank 0
// STRIDED: 3 |  B11:11

// RUN: tile-translate --layout-to-text --layout '#tile.swizzle<<[8, 64] : [64, 1]>, per_element = 3, swizzle = 3, atom = 3>' --shape 8x64xf16 | FileCheck %s --check-prefix=SWIZZLE
// SWIZZLE: 0 |      B0:0,1
// SWIZZLE: 1 |    B4:72,73
// SWIZZLE: 7 |  B28:504,505

// Of a file, each type once. That of %plain is the identity, that of %dynamic no tile.
// RUN: tile-translate --layout-to-text %s | FileCheck %s --check-prefix=FILE
// FILE:      memref<2x3x1xi32, strided<[1, 2, 1], offset: ?>, #gpu.address_space<workgroup>>
// FILE-NEXT: shape 2x3x1: rows are axis 0, columns are axis 1
// FILE-NEXT: cell: B bank, m of 6 elements of i32, the first at bank 0
// FILE-NEXT: m counts from where the slice begins, which is no constant
// FILE:      {{^}}memref<4x2x1xi32, strided<[2, 8, 1]>, #gpu.address_space<private>>
// FILE-NEXT: shape 4x2x1: rows are axis 0, columns are axis 1
// FILE-NEXT: cell: m of 15 registers of the thread
// FILE-EMPTY:
// FILE-NEXT:   |  0   1
// FILE-NEXT: 0 |  0   8
// FILE-NEXT: 1 |  2  10
// FILE-NEXT: 2 |  4  12
// FILE-NEXT: 3 |  6  14
// FILE-NOT:  {{^}}memref

// RUN: tile-translate --layout-to-svg %s -o %t.file.svg
// RUN: %python %S/Inputs/svg.py %t.file.svg | FileCheck %s --check-prefix=FILE-SVG
// FILE-SVG: text: memref<2x3x1xi32, strided<[1, 2, 1], offset: ?>, #gpu.address_space<workgroup>>
// FILE-SVG: text: memref<4x2x1xi32, strided<[2, 8, 1]>, #gpu.address_space<private>>

// What reads SVG here does find that one is broken.
// RUN: sed 's/&lt;/</' %t.file.svg > %t.broken.svg
// RUN: not %python %S/Inputs/svg.py %t.broken.svg

!spread = memref<4x2x1xi32, strided<[2, 8, 1]>, #gpu.address_space<private>>
!dynamic = memref<?x4xi32, strided<[9, 1]>>
!slice = memref<2x3x1xi32, strided<[1, 2, 1], offset: ?>, #gpu.address_space<workgroup>>

gpu.module @m {
  gpu.func @k(%plain: memref<4x4xi32>, %dynamic: !dynamic, %slice: !slice) kernel {
    %a = tile.alloc : !spread
    %b = tile.alloc : !spread
    gpu.return
  }
}
