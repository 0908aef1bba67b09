// What a module expands to has a limit, too: what passes it is an error, and nothing after it is expanded.

// RUN: tile-opt %s --tile-expand=module-limit=10 -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-expand=module-limit=20 -split-input-file -o /dev/null

!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @first(%n: i32) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
  gpu.func @second(%n: i32) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    // expected-error @+1 {{'tile.apply' op expands to 4 instructions, which with all before it in the module makes 12, more than the limit of 10; compile the functions in several modules, or raise that in a pass pipeline, by tile-expand{module-limit=...}}}
    tile.apply "mov.b32"(%a, %n) : !t, i32
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
}

// -----

// A loop becomes the ops of its turns, which are counted before there are any.
!t = memref<4x1xi32, #gpu.address_space<private>>
!one = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @loop(%n: i32) kernel {
    %a = tile.alloc : !t
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @+1 {{'scf.for' op decides which registers are meant, and would become 16 ops, which with all before it in the module makes 16, more than the limit of 10; compile}}
    scf.for %i = %c0 to %c4 step %c1 {
      %one = tile.slice %a[%i, 0] [1, 1] : !t to !one
      tile.apply "mov.b32"(%one, %n) : !one, i32
    }
    gpu.return
  }
}
