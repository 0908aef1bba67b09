// RUN: tile-opt %s --tile-check --split-input-file --verify-diagnostics

// R36: what is not proven says which fact is missing.
!in = memref<64x4xf32, 1>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
gpu.module @m {
  gpu.func @unknown(%in: !in, %n: index, %i: i32) kernel {
    %t = gpu.thread_id x
    // expected-error @+1 {{'tile.slice' op begin of axis 0 must be 0 to 63, for 1 of 64 elements, and that is not known (R36): it depends on gpu.thread_id, which known_block_size on the kernel limits; constant loop bounds, launch sizes and arithmetic such as arith.remui and arith.minui give a range, a condition around it does not}}
    %a = tile.slice %in[%t, 0] [1, 4] : !in to !row
    // expected-error @+1 {{it depends on an argument of the function; constant loop bounds}}
    %b = tile.slice %in[%n, 0] [1, 4] : !in to !row
    %j = arith.index_cast %i : i32 to index
    // expected-error @+1 {{it depends on an argument of the function; constant loop bounds}}
    %c = tile.slice %in[%j, 0] [1, 4] : !in to !row
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      // expected-error @+1 {{it depends on the induction variable of scf.for, whose bounds are no constants; constant loop bounds}}
      %d = tile.slice %in[%k, 0] [1, 4] : !in to !row
    }
    gpu.return
  }
}

// -----

// A condition is no fact (R37, D27).
!in = memref<64x4xf32, 1>
!row = memref<1x4xf32, strided<[4, 1], offset: ?>, 1>
gpu.module @m {
  gpu.func @guarded(%in: !in, %n: index) kernel {
    %c64 = arith.constant 64 : index
    %p = arith.cmpi ult, %n, %c64 : index
    scf.if %p {
      // expected-error @+1 {{begin of axis 0 must be 0 to 63}}
      %a = tile.slice %in[%n, 0] [1, 4] : !in to !row
    }
    %m = arith.remui %n, %c64 : index
    %b = tile.slice %in[%m, 0] [1, 4] : !in to !row
    gpu.return
  }
}

// -----

!in = memref<64x4xf32, 1>
!rows = memref<2x4xf32, strided<[4, 1], offset: ?>, 1>
gpu.module @m {
  gpu.func @too_far(%in: !in, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    // expected-error @+1 {{'tile.slice' op begin of axis 0 is 0 to 63, and must be 0 to 62 for 2 of 64 elements (R36); arith.minui or arith.remui keep it there, a condition around it does not}}
    %a = tile.slice %in[%t, 0] [2, 4] : !in to !rows
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    // The last turn is at 63.
    scf.for %k = %c0 to %c64 step %c3 {
      // expected-error @+1 {{'tile.slice' op begin of axis 0 is 0 to 63, and must be 0 to 62 for 2 of 64 elements (R36)}}
      %d = tile.slice %in[%k, 0] [2, 4] : !in to !rows
    }
    gpu.return
  }
}

// -----

// Registers have no index when the program runs.
!t = memref<8x1xi32, #gpu.address_space<private>>
!s = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
gpu.module @m {
  gpu.func @registers(%n: index, %v: i32) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.alloc : !t
    // expected-error @+1 {{'tile.slice' op begin of axis 0 must be 0 to 7, for 1 of 8 elements, and that is not known (R36): it depends on an argument of the function; registers have no index when the program runs: begins}}
    %w = tile.slice %a[%n, 0] [1, 1] : !t to !s
    %t = gpu.thread_id x
    %s = tile.slice %a[%t, 0] [1, 1] : !t to !s
    // expected-error @+1 {{'tile.apply' op takes registers at a begin that depends on gpu.thread_id; registers have no index when the program runs: begins of a register tile may depend on constants and on loops with constant bounds, which are unrolled}}
    tile.apply "mov.b32"(%s, %v) : !s, i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %m = arith.remui %n, %c8 : index
    scf.for %i = %c0 to %m step %c1 {
      %r = tile.slice %a[%i, 0] [1, 1] : !t to !s
      // expected-error @+1 {{takes registers at a begin that depends on the induction variable of scf.for, whose bounds are no constants; registers have}}
      tile.apply "mov.b32"(%r, %v) : !s, i32
    }
    // expected-error @+1 {{'memref.subview' op begin of axis 0 must be 0 to 7}}
    %u = memref.subview %a[%n, 0] [1, 1] [1, 1] : !t to !s
    gpu.return
  }
}

// -----

// R112 with begins that are no constants.
!in = memref<64x6xf32, 1>
gpu.module @m {
  gpu.func @aligned(%in: !in {llvm.align = 16 : i32}) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %a = tile.alloc : memref<1x4xf32, #gpu.address_space<private>>
    %t = gpu.thread_id x
    %s = tile.slice %in[%t, 0] [1, 4] : !in to memref<1x4xf32, strided<[6, 1], offset: ?>, 1>
    // expected-error @+1 {{operand #1 (a): repeat (0) begins a multiple of 24 bytes from an address aligned to 16 (llvm.align), ld.global.v4.b32 needs a multiple of 16 bytes (R112)}}
    tile.apply "ld.global.v4.b32"(%a, %s)
      : memref<1x4xf32, #gpu.address_space<private>>, memref<1x4xf32, strided<[6, 1], offset: ?>, 1>
    // Rows at even numbers are.
    %c2 = arith.constant 2 : index
    %e = arith.muli %t, %c2 : index
    %r = tile.slice %in[%e, 0] [1, 4] : !in to memref<1x4xf32, strided<[6, 1], offset: ?>, 1>
    tile.apply "ld.global.v4.b32"(%a, %r)
      : memref<1x4xf32, #gpu.address_space<private>>, memref<1x4xf32, strided<[6, 1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// R53: wider elements begin where there is one.
gpu.module @m {
  gpu.func @view(%in: memref<64xi16, 1>) kernel attributes {known_block_size = array<i32: 31, 1, 1>} {
    %t = gpu.thread_id x
    %s = tile.slice %in[%t] [2] : memref<64xi16, 1> to memref<2xi16, strided<[1], offset: ?>, 1>
    // expected-error @+1 {{'tile.view' op source begins at a number of bits that is not known to be a multiple of 32, the width of an element of the result; make its begin such a multiple, by arith.muli for example (R53)}}
    %v = tile.view %s : memref<2xi16, strided<[1], offset: ?>, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// Iters of an axis: a region across two of them lies otherwise than one inside.
!in = memref<8x16xi32, #tile.layout<[2, 4, 16] : [128, 16, 1]>, 1>
gpu.module @m {
  gpu.func @iters(%m: memref<256xi32, 1>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %t = gpu.thread_id x
    %g = tile.view %m : memref<256xi32, 1> to memref<8x32xi32, #tile.layout<[2, 4, 32] : [128, 32, 1]>, 1>
    %v = tile.slice %g[0, 0] [8, 16] : memref<8x32xi32, #tile.layout<[2, 4, 32] : [128, 32, 1]>, 1>
           to memref<8x16xi32, #tile.layout<[2, 4, 16] : [128, 32, 1]>, 1>
    // One slope after all: 0 to 7 lie 32 apart.
    %s = tile.slice %v[%t, 0] [4, 16] : memref<8x16xi32, #tile.layout<[2, 4, 16] : [128, 32, 1]>, 1>
           to memref<4x16xi32, #tile.layout<[4, 16] : [32, 1], offset = [?]>, 1>
    %w = tile.view %m : memref<256xi32, 1> to memref<8x32xi32, #tile.layout<[2, 4, 32] : [32, 64, 1]>, 1>
    // expected-error @+1 {{'tile.slice' op begin of axis 0: may be 1: no layout describes 4 elements from 1 of axis 0: they must fill runs of 4 or lie in one; take several slices that do}}
    %u = tile.slice %w[%t, 0] [4, 32] : memref<8x32xi32, #tile.layout<[2, 4, 32] : [32, 64, 1]>, 1>
           to memref<4x32xi32, #tile.layout<[4, 32] : [64, 1], offset = [?]>, 1>
    gpu.return
  }
}

// -----

// A swizzle keeps runs of elements together, and no more.
gpu.module @m {
  gpu.func @swizzled() workgroup(%in: memref<4096xi32, 3> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %t = gpu.thread_id x
    %v = tile.view %in : memref<4096xi32, 3>
           to memref<32x32x4xi32, #tile.swizzle<<[4096] : [1]>, per_element = 1, swizzle = 3, atom = 3>, 3>
    %s = tile.slice %v[0, %t, 0] [1, 1, 4]
           : memref<32x32x4xi32, #tile.swizzle<<[4096] : [1]>, per_element = 1, swizzle = 3, atom = 3>, 3>
           to memref<1x1x4xi32, #tile.swizzle<<[4] : [1], offset = [?]>, per_element = 1, swizzle = 3, atom = 3>, 3>
    %a = tile.alloc : memref<1x1x4xi32, #gpu.address_space<private>>
    // expected-error @+1 {{operand #1 (a): the 4 elements of an instruction are not known to lie in one run of the 2 that the swizzle keeps together}}
    tile.apply "ld.shared.v4.b32"(%a, %s) : memref<1x1x4xi32, #gpu.address_space<private>>,
      memref<1x1x4xi32, #tile.swizzle<<[4] : [1], offset = [?]>, per_element = 1, swizzle = 3, atom = 3>, 3>
    gpu.return
  }
}

// -----

// Multiplication wraps: what is three times something is no multiple of three.
gpu.module @m {
  gpu.func @wraps(%m: memref<18xi32, 1>, %n: index) kernel {
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %a = arith.muli %n, %c3 : index
    %b = arith.remui %a, %c7 : index
    %v = tile.view %m : memref<18xi32, 1> to memref<9x2xi32, #tile.layout<[3, 3, 2] : [2, 6, 1]>, 1>
    // expected-error @+1 {{'tile.slice' op begin of axis 0: may be 1: no layout describes 3 elements from 1}}
    %s = tile.slice %v[%b, 0] [3, 2] : memref<9x2xi32, #tile.layout<[3, 3, 2] : [2, 6, 1]>, 1>
           to memref<3x2xi32, #tile.layout<[3, 2] : [6, 1], offset = [?]>, 1>
    gpu.return
  }
}

// -----

// An alignment that is stated of a part: the load begins 12 bytes after it, and then in steps of 16.
gpu.module @m {
  gpu.func @stated(%in: memref<64xi32, 1>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %s = memref.subview %in[1] [63] [1] : memref<64xi32, 1> to memref<63xi32, strided<[1], offset: 1>, 1>
    %a = memref.assume_alignment %s, 16 : memref<63xi32, strided<[1], offset: 1>, 1>
    %x = memref.subview %a[3] [60] [1] : memref<63xi32, strided<[1], offset: 1>, 1> to memref<60xi32, strided<[1], offset: 4>, 1>
    %q = tile.slice %x[%i] [4] : memref<60xi32, strided<[1], offset: 4>, 1> to memref<4xi32, strided<[1], offset: ?>, 1>
    %r = tile.alloc : memref<4xi32, #gpu.address_space<private>>
    // expected-error @+1 {{operand #1 (a): the repeat begins a multiple of 16 and 12 bytes from an address aligned to 16 (memref.assume_alignment), ld.global.v4.b32 needs a multiple of 16 bytes (R112)}}
    tile.apply "ld.global.v4.b32"(%r, %q) : memref<4xi32, #gpu.address_space<private>>, memref<4xi32, strided<[1], offset: ?>, 1>
    // Four elements on it is the address itself.
    %y = memref.subview %a[4] [56] [1] : memref<63xi32, strided<[1], offset: 1>, 1> to memref<56xi32, strided<[1], offset: 5>, 1>
    %z = tile.slice %y[%i] [4] : memref<56xi32, strided<[1], offset: 5>, 1> to memref<4xi32, strided<[1], offset: ?>, 1>
    tile.apply "ld.global.v4.b32"(%r, %z) : memref<4xi32, #gpu.address_space<private>>, memref<4xi32, strided<[1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// A memref.subview goes in steps: four elements from 2 on reach register 8.
gpu.module @m {
  gpu.func @steps(%x: i16) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = tile.alloc : memref<8x1xi16, #gpu.address_space<private>>
    scf.for %i = %c0 to %c3 step %c1 {
      // expected-error @+1 {{'memref.subview' op begin of axis 0 is 0 to 2, and must be 0 to 1 for 7 of 8 elements (R36)}}
      %s = memref.subview %a[%i, 0] [4, 1] [2, 1] : memref<8x1xi16, #gpu.address_space<private>>
             to memref<4x1xi16, strided<[2, 1], offset: ?>, #gpu.address_space<private>>
      tile.apply "mov.b16"(%s, %x) : memref<4x1xi16, strided<[2, 1], offset: ?>, #gpu.address_space<private>>, i16
    }
    gpu.return
  }
}

// -----

// Turns that are made at once do not decide which registers are meant. MLIR's analysis of ranges knows of a division by
// zero, and of bounds that are maps, no more than of anything.
gpu.module @m {
  gpu.func @other_loops(%x: i32, %in: memref<16x1xi32, 1>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %s = tile.slice %a[%i, 0] [1, 1] : memref<4x1xi32, #gpu.address_space<private>>
             to memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
      // expected-error @+1 {{takes registers at a begin that depends on an argument of a block of scf.parallel}}
      tile.apply "mov.b32"(%s, %x) : memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>, i32
    }
    %q = affine.apply affine_map<(d)[s] -> (d floordiv s)>(%c4)[%c0]
    // expected-error @+1 {{begin of axis 0 must be 0 to 15}}
    %r = tile.slice %in[%q, 0] [1, 1] : memref<16x1xi32, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    affine.for %i = affine_map<(d) -> (d)>(%n) to 4 {
      // expected-error @+1 {{it depends on the induction variable of affine.for, whose bounds are no constants; constant loop bounds}}
      %s = tile.slice %in[%i, 0] [1, 1] : memref<16x1xi32, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    }
    gpu.return
  }
}

// -----

// Compared without a sign, -1 is the greatest bound. Steps of 100 in 8 bits wrap.
gpu.module @m {
  gpu.func @loops(%out: memref<64xi32, 1>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %m = arith.minsi %n, %c64 : i32
    scf.for unsigned %i = %c0 to %m step %c1 : i32 {
      %j = arith.index_castui %i : i32 to index
      // expected-error @+1 {{it depends on the induction variable of scf.for, whose bounds are no constants}}
      %s = tile.slice %out[%j] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    }
    scf.for %i = %c0 to %m step %c1 : i32 {
      %j = arith.index_castui %i : i32 to index
      %s = tile.slice %out[%j] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    }
    gpu.return
  }
}

// -----

// What assume_alignment says of bytes, and a view that begins 4 of them later.
gpu.module @m {
  gpu.func @viewed(%in: memref<1028xi8, 1>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %a = memref.assume_alignment %in, 16 : memref<1028xi8, 1>
    %x = memref.view %a[%c4][] : memref<1028xi8, 1> to memref<256xi32, 1>
    %q = tile.slice %x[%i] [4] : memref<256xi32, 1> to memref<4xi32, strided<[1], offset: ?>, 1>
    %r = tile.alloc : memref<4xi32, #gpu.address_space<private>>
    // expected-error @+1 {{operand #1 (a): the repeat begins a multiple of 16 and 4 bytes from an address aligned to 16 (memref.assume_alignment)}}
    tile.apply "ld.global.v4.b32"(%r, %q) : memref<4xi32, #gpu.address_space<private>>, memref<4xi32, strided<[1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// A begin that has no value, a cast that says more than is so, and one fault with one error.
gpu.module @m {
  gpu.func @no_value(%x: i32, %n: index, %in: memref<64xi16, 1>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %a = tile.alloc : memref<4x1xi32, #gpu.address_space<private>>
    %q = arith.divui %c4, %c0 : index
    %b = arith.remui %q, %c4 : index
    %s = tile.slice %a[%b, 0] [1, 1] : memref<4x1xi32, #gpu.address_space<private>>
           to memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>
    // expected-error @+1 {{takes registers at a begin whose value cannot be computed for each turn of the loops that decide it: it divides by zero or overflows, or the turns are more than 65536}}
    tile.apply "mov.b32"(%s, %x) : memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>, i32
    // expected-error @+1 {{'memref.cast' op result: extent of axis 0 is dynamic}}
    %d = memref.cast %a : memref<4x1xi32, #gpu.address_space<private>> to memref<?x1xi32, #gpu.address_space<private>>
    %one = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    // expected-error @+1 {{begin of axis 0 must be 0 to 62}}
    %p = tile.slice %in[%n] [2] : memref<64xi16, 1> to memref<2xi16, strided<[1], offset: ?>, 1>
    %v = tile.view %p : memref<2xi16, strided<[1], offset: ?>, 1> to memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    tile.apply "ld.global.b32"(%one, %v) : memref<1x1xi32, #gpu.address_space<private>>, memref<1x1xi32, strided<[1, 1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// What is seen of a swizzle from elsewhere is not what it has there.
!swizzled = memref<8x1xi32, #tile.swizzle<<[8, 1] : [1, 1]>, per_element = 0, swizzle = 1, atom = 1>, 1>
!part = memref<2x1xi32, #tile.swizzle<<[2, 1] : [1, 1], offset = [?]>, per_element = 0, swizzle = 1, atom = 1>, 1>
gpu.module @m {
  gpu.func @viewed(%in: memref<8xi32, 1>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %t = gpu.thread_id x
    %v = tile.view %in : memref<8xi32, 1> to !swizzled
    %s = tile.slice %v[%t, 0] [2, 1] : !swizzled to !part
    // expected-error @+1 {{'tile.view' op source: begins where it is not known to be a multiple of 4 elements, after which the swizzle of its layout repeats}}
    %w = tile.view %s : !part to memref<2x1xi32, strided<[1, 1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// Threes of what wraps are no threes: 3 * -1 is 13 modulo 24.
!threes = memref<24x1xi32, #tile.layout<[8, 3, 1] : [4, 1, 1]>, 1>
!three = memref<3x1xi32, #tile.layout<[3, 1] : [1, 1], offset = [?]>, 1>
gpu.module @m {
  gpu.func @wraps(%in: memref<8x3xi32, strided<[4, 1]>, 1>, %n: index) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c3 = arith.constant 3 : index
    %c21 = arith.constant 21 : index
    %c24 = arith.constant 24 : index
    %t = gpu.thread_id x
    %v = tile.view %in : memref<8x3xi32, strided<[4, 1]>, 1> to !threes
    %small = arith.muli %t, %c3 : index
    %any = arith.muli %n, %c3 : index
    %rest = arith.remui %any, %c24 : index
    %inside = arith.minui %rest, %c21 : index
    %s = tile.slice %v[%small, 0] [3, 1] : !threes to !three
    // expected-error @+1 {{'tile.slice' op begin of axis 0: may be 1: no layout describes 3 elements from 1}}
    %u = tile.slice %v[%inside, 0] [3, 1] : !threes to !three
    gpu.return
  }
}

// -----

// A multiple of 2^62 times a row is beyond what is counted, and no constant.
gpu.module @m {
  gpu.func @zero(%in: memref<4x4xi16, 1> {llvm.align = 16 : i64}, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.andi %n, %c0 : index
    %s = tile.slice %in[%zero, 1] [1, 2] : memref<4x4xi16, 1> to memref<1x2xi16, strided<[4, 1], offset: ?>, 1>
    %a = tile.alloc : memref<1x2xi16, #gpu.address_space<private>>
    // expected-error @+1 {{'tile.apply' op operand #1 (a): repeat (0) begins a multiple of 576460752303423488 and 2 bytes from an address aligned to 16 (llvm.align), ld.global.v2.b16 needs a multiple of 4 bytes (R112)}}
    tile.apply "ld.global.v2.b16"(%a, %s)
      : memref<1x2xi16, #gpu.address_space<private>>, memref<1x2xi16, strided<[4, 1], offset: ?>, 1>
    gpu.return
  }
}

// -----

// Nor are sums of threes that wrap.
!threes = memref<24x1xi32, #tile.layout<[8, 3, 1] : [4, 1, 1]>, 1>
!three = memref<3x1xi32, #tile.layout<[3, 1] : [1, 1], offset = [?]>, 1>
gpu.module @m {
  gpu.func @sums(%in: memref<8x3xi32, strided<[4, 1]>, 1>, %n: index, %m: index) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c21 = arith.constant 21 : index
    %c24 = arith.constant 24 : index
    %t = gpu.thread_id x
    %v = tile.view %in : memref<8x3xi32, strided<[4, 1]>, 1> to !threes
    %small = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1 * 3)>(%t, %t)
    %any = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1 * 3)>(%n, %m)
    %rest = arith.remsi %any, %c24 : index
    %c0 = arith.constant 0 : index
    %from = arith.maxsi %rest, %c0 : index
    %inside = arith.minsi %from, %c21 : index
    %s = tile.slice %v[%small, 0] [3, 1] : !threes to !three
    // expected-error @+1 {{'tile.slice' op begin of axis 0}}
    %u = tile.slice %v[%inside, 0] [3, 1] : !threes to !three
    gpu.return
  }
}

// -----

// nvvm.reqntid is what a launch has, known_block_size beside it is not; in a function that is no kernel nothing holds
// it.
gpu.module @m {
  gpu.func @both(%in: memref<64xi32, 1>) kernel
      attributes {nvvm.reqntid = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %g = gpu.global_id x
    // expected-error @+1 {{begin of axis 0 is 0 to 127, and must be 0 to 63}}
    %s = tile.slice %in[%g] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    %t = gpu.thread_id x
    %u = tile.slice %in[%t] [57] : memref<64xi32, 1> to memref<57xi32, strided<[1], offset: ?>, 1>
    %d = gpu.block_dim x
    %v = tile.slice %in[%d] [56] : memref<64xi32, 1> to memref<56xi32, strided<[1], offset: ?>, 1>
    // expected-error @+1 {{begin of axis 0 is 8}}
    %w = tile.slice %in[%d] [57] : memref<64xi32, 1> to memref<57xi32, strided<[1], offset: ?>, 1>
    gpu.return
  }
  func.func @device(%in: memref<64xi32, 1>) attributes {nvvm.reqntid = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    // expected-error @+1 {{it depends on gpu.thread_id}}
    %s = tile.slice %in[%t] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    %c4 = arith.constant -4 : index
    %c1 = arith.constant 1 : index
    %m1 = arith.constant -1 : index
    scf.for unsigned %i = %c4 to %m1 step %c1 : index {
      // expected-error @+1 {{it depends on the induction variable of scf.for, whose variable wraps or never gets to its bound}}
      %u = tile.slice %in[%i] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    }
    return
  }
}
