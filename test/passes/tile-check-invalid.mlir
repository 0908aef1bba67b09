// What an op alone cannot know.

// RUN: tile-opt %s --tile-check -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-expand -split-input-file -verify-diagnostics

!t = memref<4x1xi32, #gpu.address_space<private>>

// Tile code stands in a gpu.module.
func.func @host(%n: i32) {
  // expected-error @+1 {{'tile.alloc' op is in no function of a gpu.module, where tile code stands (outline gpu.launch first)}}
  %a = tile.alloc : !t
  return
}

// -----

// Registers have a name, no address (design, 3.1).
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @argument(%a: !t, %n: i32) {
    // expected-error @+1 {{'tile.apply' op uses a register tile that is a block argument; it must come from a tile.alloc through tile.view, tile.slice and memref.subview}}
    tile.apply "mov.b32"(%a, %n) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @selected(%p: i1, %n: i32) kernel {
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    // expected-error @+1 {{'arith.select' op operand #1 is a tile of registers, which have no address; use tile.read and tile.write, or memory}}
    %c = arith.select %p, %a, %b : !t
    tile.apply "mov.b32"(%c, %n) : !t, i32
    gpu.return
  }
}

// -----

!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @copied(%out: memref<4x1xi32, 1>) kernel {
    %a = tile.alloc : !t
    %v = memref.subview %a[0, 0] [4, 1] [1, 1] : !t to memref<4x1xi32, strided<[1, 1]>, #gpu.address_space<private>>
    // expected-error @+1 {{'memref.copy' op operand #0 is a tile of registers}}
    memref.copy %v, %out : memref<4x1xi32, strided<[1, 1]>, #gpu.address_space<private>> to memref<4x1xi32, 1>
    gpu.return
  }
}

// -----

// A private alloca that tile ops use is registers, and one that they do not use is memory.
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  func.func private @callee(!t)
  gpu.func @alloca(%n: i32) kernel {
    %memory = memref.alloca() : !t
    func.call @callee(%memory) : (!t) -> ()
    %a = memref.alloca() : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    // expected-error @+1 {{'func.call' op operand #0 is a tile of registers}}
    func.call @callee(%a) : (!t) -> ()
    gpu.return
  }
}

// -----

// Registers do not go round a loop as a value.
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @carried(%n: index, %i: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc : !t
    // expected-error @+1 {{'scf.for' op operand #3 passes on a tile of registers, which is no value; allocate it before the loop or branch, and write it inside}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %a) -> (!t) {
      tile.apply "mov.b32"(%t, %i) : !t, i32
      scf.yield %t : !t
    }
    gpu.return
  }
}

// -----

// A tile layout is for tile ops only.
gpu.module @m {
  // expected-error @+1 {{'gpu.func' op argument of type memref<4x1xi32, #tile.layout<[4] : [1]>, 1>: a tile layout is for tile ops only; take a strided memref and view it by tile.view}}
  gpu.func @layout_of_an_argument(%a: memref<4x1xi32, #tile.layout<[4] : [1]>, 1>) kernel {
    gpu.return
  }
}

// -----

!t = memref<4xi32, #tile.layout<[4] : [2]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @load(%i: index) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'memref.load' op uses a value of type memref<4xi32, #tile.layout<[4] : [2]>, #gpu.address_space<private>>: a tile layout is for tile ops only; use tile.read, tile.write, tile.slice or tile.view}}
    %e = memref.load %a[%i] : !t
    gpu.return
  }
}

// -----

// 13, R112: a vector is aligned as a whole, and nothing states more than the width of an element.
!t = memref<1x4xi32, #gpu.address_space<private>>
!m = memref<1x4xi32, 1>
gpu.module @m {
  gpu.func @unaligned(%in: !m) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.apply' op operand #1 (a): ld.global.v4.b32 needs an address aligned to 16 bytes, the memory is known to be aligned to 4 (the width of an element, as nothing states more); state more by memref.assume_alignment, llvm.align on the argument, or the alignment of the allocation (R112)}}
    tile.apply "ld.global.v4.b32"(%a, %in) : !t, !m
    gpu.return
  }
}

// -----

!t = memref<1x8xi32, #gpu.address_space<private>>
!m = memref<1x8xi32, 1>
gpu.module @m {
  gpu.func @unaligned_256(%in: !m {llvm.align = 16 : i64}) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{ld.global.v8.b32 needs an address aligned to 32 bytes, the memory is known to be aligned to 16 (llvm.align)}}
    tile.apply "ld.global.v8.b32"(%a, %in) : !t, !m
    gpu.return
  }
}

// -----

!t = memref<1x4xi32, #gpu.address_space<private>>
!m = memref<1x4xi32, 1>
gpu.module @m {
  gpu.func @aligned_too_little(%in: !m {llvm.align = 8 : i64}) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{the memory is known to be aligned to 8 (llvm.align)}}
    tile.apply "ld.global.v4.b32"(%a, %in) : !t, !m
    gpu.return
  }
}

// -----

// R116: rows of six elements are not aligned to four.
!t = memref<2x4xi32, #gpu.address_space<private>>
!m = memref<2x6xi32, 1>
!rows = memref<2x4xi32, strided<[6, 1]>, 1>
gpu.module @m {
  gpu.func @rows(%in: !m {llvm.align = 16 : i64}) kernel {
    %a = tile.alloc : !t
    %rows = memref.subview %in[0, 0] [2, 4] [1, 1] : !m to !rows
    // expected-error @+1 {{operand #1 (a): repeat (1) begins 24 bytes from an address aligned to 16 (llvm.align), ld.global.v4.b32 needs a multiple of 16 bytes (R112)}}
    tile.apply "ld.global.v4.b32"(%a, %rows) : !t, !rows
    gpu.return
  }
}

// -----

// An alignment speaks of the first element of what it is stated for.
!t = memref<1x2xi32, #gpu.address_space<private>>
!m = memref<4xi32, 1>
!s = memref<1x2xi32, strided<[2, 1], offset: 1>, 1>
gpu.module @m {
  gpu.func @stated_for_a_view(%in: !m) kernel {
    %a = tile.alloc : !t
    %aligned = memref.assume_alignment %in, 8 : !m
    %s = tile.view %aligned : !m to memref<2x2xi32, 1>
    %t = tile.slice %s[0, 1] [1, 1] : memref<2x2xi32, 1> to memref<1x1xi32, strided<[2, 1], offset: 1>, 1>
    %u = memref.subview %aligned[1] [2] [1] : !m to memref<2xi32, strided<[1], offset: 1>, 1>
    %v = tile.view %u : memref<2xi32, strided<[1], offset: 1>, 1> to !s
    // expected-error @+1 {{operand #1 (a): repeat (0) begins 4 bytes from an address aligned to 8 (memref.assume_alignment), ld.global.v2.b32 needs a multiple of 8 bytes (R112)}}
    tile.apply "ld.global.v2.b32"(%a, %v) : !t, !s
    gpu.return
  }
}

// -----

// Memory viewed at a greater width is known to be aligned to its own.
!t = memref<2x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @wider_view(%in: memref<8xi8, 1>) kernel {
    %a = tile.alloc : !t
    %words = tile.view %in : memref<8xi8, 1> to memref<2x1xi32, 1>
    // expected-error @+1 {{operand #1 (a): ld.global.b32 needs an address aligned to 4 bytes, the memory is known to be aligned to 1}}
    tile.apply "ld.global.b32"(%a, %words) : !t, memref<2x1xi32, 1>
    gpu.return
  }
}

// -----

// An alignment is stated in bytes, whatever the width of the elements.
!t = memref<1x2xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @wider_view_of_a_part(%in: memref<16xi8, 1>) kernel {
    %a = tile.alloc : !t
    %part = memref.subview %in[4] [12] [1] : memref<16xi8, 1> to memref<12xi8, strided<[1], offset: 4>, 1>
    %aligned = memref.assume_alignment %part, 8 : memref<12xi8, strided<[1], offset: 4>, 1>
    %words = tile.view %aligned : memref<12xi8, strided<[1], offset: 4>, 1> to memref<1x3xi32, strided<[3, 1], offset: 1>, 1>
    %first = tile.slice %words[0, 0] [1, 2] : memref<1x3xi32, strided<[3, 1], offset: 1>, 1> to memref<1x2xi32, strided<[3, 1], offset: 1>, 1>
    tile.apply "ld.global.v2.b32"(%a, %first) : !t, memref<1x2xi32, strided<[3, 1], offset: 1>, 1>
    %second = tile.slice %words[0, 1] [1, 2] : memref<1x3xi32, strided<[3, 1], offset: 1>, 1> to memref<1x2xi32, strided<[3, 1], offset: 2>, 1>
    // expected-error @+1 {{operand #1 (a): repeat (0) begins 4 bytes from an address aligned to 8 (memref.assume_alignment), ld.global.v2.b32 needs a multiple of 8 bytes (R112)}}
    tile.apply "ld.global.v2.b32"(%a, %second) : !t, memref<1x2xi32, strided<[3, 1], offset: 2>, 1>
    gpu.return
  }
}

// -----

// Only the arguments of the function have its attributes.
!t = memref<1x2xi32, #gpu.address_space<private>>
!m = memref<1x2xi32, 1>
gpu.module @m {
  gpu.func @argument_of_a_block(%in: !m {llvm.align = 8 : i64}) kernel {
    cf.br ^next(%in : !m)
  ^next(%x: !m):
    %a = tile.alloc : !t
    // expected-error @+1 {{the memory is known to be aligned to 4}}
    tile.apply "ld.global.v2.b32"(%a, %x) : !t, !m
    gpu.return
  }
}

// -----

// R107: memory whose origin is known to be elsewhere.
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  memref.global "private" @shared : memref<4x1xi32, #gpu.address_space<workgroup>>
  gpu.func @origin() kernel {
    %a = tile.alloc : !t
    %s = memref.get_global @shared : memref<4x1xi32, #gpu.address_space<workgroup>>
    %g = memref.memory_space_cast %s : memref<4x1xi32, #gpu.address_space<workgroup>> to memref<4x1xi32>
    // expected-error @+1 {{operand #1 (a): comes from memref.memory_space_cast, behind which its memory is not known; ld.global.b32 wants global memory: use what was cast}}
    tile.apply "ld.global.b32"(%a, %g) : !t, memref<4x1xi32>
    %stack = memref.alloca() : memref<4x1xi32>
    // expected-error @+1 {{operand #0 (a): comes from memref.alloca}}
    tile.apply "st.global.b32"(%stack, %a) : memref<4x1xi32>, !t
    gpu.return
  }
}

// -----

// ISA 6.4.1: the offset of an address has 32 bits.
!t = memref<2x1xi32, #gpu.address_space<private>>
!m = memref<2x1xi32, strided<[1073741824, 1]>, 1>
gpu.module @m {
  gpu.func @far(%in: !m) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{operand #1 (a): ends 4294967300 bytes from its address, beyond the 32 bits of an offset (ISA 6.4.1); take a memref.subview nearer to it}}
    tile.apply "ld.global.b32"(%a, %in) : !t, !m
    gpu.return
  }
}

// -----

// R36: an index that turns out to be a constant.
!t = memref<4x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @bounds(%n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 9 : index
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.read' op index 9 on axis 0 is outside of 0 to 3 (R36)}}
    %e = tile.read %a[%c9, 0] : !t
    // expected-error @+1 {{'memref.store' op index 9 on axis 1 is outside of 0 to 0 (R36)}}
    memref.store %n, %a[%c0, %c9] : !t
    gpu.return
  }
}

// -----

// What tile ops make of memory has no address that stock passes know.
gpu.module @m {
  gpu.func @view_of_memory(%in: memref<4xi32, 1>, %i: index, %n: i32) kernel {
    %v = tile.view %in : memref<4xi32, 1> to memref<2x2xi32, 1>
    // expected-error @+1 {{'memref.store' op operand #1 comes from tile.view, which only tile ops read; use memref.subview or memref.reinterpret_cast}}
    memref.store %n, %v[%i, %i] : memref<2x2xi32, 1>
    gpu.return
  }
}

// -----

// Tile code stands in a function, and that in a gpu.module.
gpu.module @m {
  // expected-error @+1 {{'tile.alloc' op is in no function of a gpu.module}}
  %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
}

// -----

// A cast that keeps the type's rank names the same registers; one that loses it would make a pointer.
gpu.module @m {
  gpu.func @unranked() kernel {
    %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
    // expected-error @+1 {{'memref.cast' op operand #0 is a tile of registers, which have no address; use tile.read and tile.write, or memory}}
    %b = memref.cast %a : memref<4x1xi32, #gpu.address_space<private>> to memref<*xi32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

// memref.alloc is a call of malloc, which gives no shared memory.
!t = memref<4x1xi32, #gpu.address_space<private>>
!s = memref<4x1xi32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @allocated() kernel {
    %a = tile.alloc : !t
    %s = memref.alloc() : !s
    // expected-error @+1 {{operand #1 (a): comes from memref.alloc, which is never in shared memory; take a memref.global, a workgroup argument of the gpu.func or gpu.dynamic_shared_memory}}
    tile.apply "ld.shared.b32"(%a, %s) : !t, !s
    gpu.return
  }
}

// -----

// What PTX takes as a constant alone is one. That is no rule of the verifier: a legal pass may make it so.
!t = memref<2x1xi32, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @table(%n: i32) kernel {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.apply' op operand #4: (immLut) is no constant; PTX takes a constant from 0 to 255 there, and no register}}
    tile.apply "lop3.b32"(%a, %a, %a, %a, %n) : !t, !t, !t, !t, i32
    %c256 = arith.constant 256 : i32
    // expected-error @+1 {{'tile.apply' op operand #4: (immLut) is 256; PTX takes a constant from 0 to 255 there, and no register}}
    tile.apply "lop3.b32"(%a, %a, %a, %a, %c256) : !t, !t, !t, !t, i32
    %c255 = arith.constant 255 : i32
    tile.apply "lop3.b32"(%a, %a, %a, %a, %c255) : !t, !t, !t, !t, i32
    gpu.return
  }
}

// -----

// The destinations of an application are distinct registers (R61), whatever views they are named by. A word that is
// sunk is not written.
!t = memref<2x1xi32, #gpu.address_space<private>>
!p = memref<3x1xi1, #gpu.address_space<private>>
!low = memref<2x1xi1, #gpu.address_space<private>>
!high = memref<2x1xi1, strided<[1, 1], offset: 1>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @destinations(%n: i32) kernel {
    %a = tile.alloc : !t
    %p = tile.alloc : !p
    %other = tile.alloc : !low
    %low = tile.slice %p[0, 0] [2, 1] : !p to !low
    %high = tile.slice %p[1, 0] [2, 1] : !p to !high
    // expected-error @+1 {{'tile.apply' op repeat (1) of operand #0 (p) and repeat (0) of operand #1 (q) write one register; all that an application writes are distinct registers (R61)}}
    tile.apply "setp.lt.s32"(%low, %high, %a, %n) : !low, !high, !t, i32
    // expected-error @+1 {{'tile.apply' op repeat (0) of operand #0 (p) and repeat (0) of operand #1 (q) write one register}}
    tile.apply "setp.lt.s32"(%low, %low, %a, %n) : !low, !low, !t, i32
    tile.apply "setp.lt.s32"(%low, %high, %a, %n) sink [1] : !low, !high, !t, i32
    tile.apply "setp.lt.s32"(%low, %other, %a, %n) : !low, !low, !t, i32
    gpu.return
  }
}

// -----

// R112: where a reinterpret_cast begins is followed if it is a constant, also behind a view that begins elsewhere.
!t = memref<1x4xi32, #gpu.address_space<private>>
!rows = memref<8x4xi32, 1>
!fifth = memref<1x4xi32, strided<[4, 1], offset: 4>, 1>
!ninth = memref<1x4xi32, strided<[4, 1], offset: 9>, 1>
!any = memref<1x4xi32, strided<[4, 1], offset: ?>, 1>
gpu.module @m {
  gpu.func @casts(%in: !rows {llvm.align = 16 : i32}, %i: index) kernel {
    %a = tile.alloc : !t
    %row = memref.subview %in[%i, 0] [1, 4] [1, 1] : !rows to !any
    %good = memref.reinterpret_cast %row to offset: [4], sizes: [1, 4], strides: [4, 1] : !any to !fifth
    tile.apply "ld.global.v4.b32"(%a, %good) : !t, !fifth
    %off = memref.reinterpret_cast %row to offset: [9], sizes: [1, 4], strides: [4, 1] : !any to !ninth
    // expected-error @+1 {{repeat (0) begins 36 bytes from an address aligned to 16 (llvm.align), ld.global.v4.b32 needs a multiple of 16 bytes (R112)}}
    tile.apply "ld.global.v4.b32"(%a, %off) : !t, !ninth
    %far = memref.reinterpret_cast %row to offset: [%i], sizes: [1, 4], strides: [4, 1] : !any to !any
    // expected-error @+1 {{aligned to 4 (the width of an element, as nothing states more of what memref.reinterpret_cast makes)}}
    tile.apply "ld.global.v4.b32"(%a, %far) : !t, !any
    gpu.return
  }
}

// -----

// R112: ops that make another type of a memref leave where it begins, also where that is known only as the program runs.
!t = memref<2x4xi32, #gpu.address_space<private>>
!columns = memref<16x2x4xi32, 1>
!block = memref<4x2x4xi32, strided<[8, 4, 1], offset: ?>, 1>
!turned = memref<2x4x4xi32, strided<[4, 8, 1], offset: ?>, 1>
!flat = memref<2x4xi32, strided<[4, 1], offset: ?>, 1>
!shifted = memref<2x4xi32, strided<[4, 1], offset: ?>, 1>
!whole = memref<128xi32, 1>
!run = memref<8xi32, strided<[1], offset: ?>, 1>
!split = memref<2x4xi32, strided<[4, 1], offset: ?>, 1>
gpu.module @m {
  gpu.func @same_place(%in: !columns {llvm.align = 16 : i32}, %whole: !whole {llvm.align = 16 : i32}, %i: index) kernel {
    %a = tile.alloc : !t
    %block = memref.subview %in[%i, 0, 0] [4, 2, 4] [1, 1, 1] : !columns to !block
    %turned = memref.transpose %block (i, j, k) -> (j, i, k) : !block to !turned
    %row = memref.subview %turned[0, %i, 0] [2, 1, 4] [1, 1, 1] : !turned to !flat
    tile.apply "ld.global.v4.b32"(%a, %row) : !t, !flat
    %c8 = arith.constant 8 : index
    %even = arith.muli %i, %c8 : index
    %run = memref.subview %whole[%even] [8] [1] : !whole to !run
    %split = memref.expand_shape %run [[0, 1]] output_shape [2, 4] : !run into !split
    tile.apply "ld.global.v4.b32"(%a, %split) : !t, !split
    %any = memref.subview %whole[%i] [8] [1] : !whole to !run
    %off = memref.expand_shape %any [[0, 1]] output_shape [2, 4] : !run into !split
    // expected-error @+1 {{repeat (0) begins a multiple of 4 bytes from an address aligned to 16 (llvm.align), ld.global.v4.b32 needs a multiple of 16 bytes (R112)}}
    tile.apply "ld.global.v4.b32"(%a, %off) : !t, !split
    gpu.return
  }
}

// -----

// Registers that are none are one fault, however often they are used.
!t = memref<4x1xi32, #gpu.address_space<private>>
!lanes = memref<32x4x1xi32, #tile.layout<[32, 4] : [1@laneid, 1]>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @allocated(%n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = memref.alloc() : !t
    // expected-error @+1 {{'tile.apply' op uses a register tile that comes from 'memref.alloc'; it must come from a tile.alloc through tile.view, tile.slice and memref.subview}}
    tile.apply "mov.b32"(%a, %n) : !t, i32
    tile.apply "mov.b32"(%a, %n) : !t, i32
    // expected-error @+1 {{a tile layout is for tile ops only; use tile.alloc}}
    %b = memref.alloc() : !lanes
    tile.apply "mov.b32"(%b, %n) scope(warp) : !lanes, i32
    gpu.return
  }
}
