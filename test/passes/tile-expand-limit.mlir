// An expansion past the limit says its size before anything is expanded.

// RUN: tile-opt %s --tile-expand -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-expand=limit=1048577 -split-input-file -o /dev/null
// RUN: not tile-opt %s --tile-expand=limit=2 -split-input-file 2>&1 | FileCheck %s --check-prefix=SMALL

!t = memref<1048577x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @more(%n: i32) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.apply' op expands to 1048577 instructions, more than the limit of 1048576; make it smaller, or raise that in a pass pipeline, by tile-expand{limit=...}}}
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
}

// -----

// The limit is that of one op.
// SMALL: 'tile.apply' op expands to 1048577 instructions, more than the limit of 2
// SMALL: 'tile.apply' op expands to 4 instructions, more than the limit of 2
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @few(%n: i32) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
}
