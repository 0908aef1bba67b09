// What is refused of addresses of symbols. ptxas takes some of it: a global address plus an offset in 32 bits.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @missing() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @nosuch is no variable or function of the gpu.module}}
    %q = ptx.mov "u64" symbol @nosuch : () -> i64
    gpu.return
  }
}

// -----

// Nor is one of another module.
memref.global "private" @outside : memref<4xi32, 1>
gpu.module @m {
  gpu.func @elsewhere() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @outside is no variable or function of the gpu.module}}
    %q = ptx.mov "u64" symbol @outside : () -> i64
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @g : memref<4xi32, 1>
  gpu.func @global_in_32_bits() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @g is a variable in global memory, whose address mov.u32 does not take; use mov.u64, mov.s64 or mov.b64}}
    %q = ptx.mov "u32" symbol @g + 16 : () -> i32
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @g : memref<4xi32>
  gpu.func @global_by_default() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @g is a variable in global memory, whose address mov.b32 does not take; use mov.u64, mov.s64 or mov.b64}}
    %q = ptx.mov "b32" symbol @g : () -> i32
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global internal constant @c(dense<0> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
  gpu.func @constant_in_32_bits() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @c is a variable in constant memory, whose address mov.u32 does not take; use mov.u64, mov.s64 or mov.b64}}
    %q = ptx.mov "u32" symbol @c : () -> i32
    gpu.return
  }
}

// -----

gpu.module @m {
  func.func private @f()
  gpu.func @signed_function() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @f is a function, whose address mov.s64 does not take; use mov.u64 or mov.b64}}
    %q = ptx.mov "s64" symbol @f : () -> i64
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @offset_of_kernel() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @offset_of_kernel is a kernel, to whose address PTX adds no constant; take out the offset}}
    %q = ptx.mov "u64" symbol @offset_of_kernel + 4 : () -> i64
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @r : memref<4xi32, #gpu.address_space<private>>
  gpu.func @registers() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @r is in registers, which have no address}}
    %q = ptx.mov "u64" symbol @r : () -> i64
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global internal @l(0 : i32) {addr_space = 5 : i32} : i32
  gpu.func @space() kernel {
    // expected-error @+1 {{'ptx.mov' op symbol @l is in memory space 5; wanted is a variable in constant memory,}}
    %q = ptx.mov "u64" symbol @l : () -> i64
    gpu.return
  }
}

// -----

module @outer {
  module @inner {}
  func.func @module() {
    // expected-error @+1 {{'ptx.mov' op symbol @inner is a 'builtin.module'; variables and functions have an address}}
    %q = ptx.mov "u64" symbol @inner : () -> i64
    return
  }
}

// -----

func.func @negative() {
  // expected-error @+1 {{'ptx.mov' op offset -4 of a symbol is negative; PTX adds constants from 0 to 2147483647 to it (ISA 6.4.1)}}
  %q = ptx.mov "u64" symbol @negative + -4 : () -> i64
  return
}

// -----

func.func @far() {
  // expected-error @+1 {{'ptx.mov' op offset 2147483648 does not fit the 32 bits that PTX gives it (ISA 6.4.1)}}
  %q = ptx.mov "u64" symbol @far + 2147483648 : () -> i64
  return
}

// -----

func.func @float() {
  // expected-error @+1 {{'ptx.mov' op mov.f64 reads no address of a symbol; mov.u32, mov.s32, mov.b32, mov.u64, mov.s64 and mov.b64 do}}
  %q = ptx.mov "f64" symbol @float : () -> f64
  return
}

// -----

func.func @other_instruction() {
  // expected-error @+1 {{'ptx.ld' op ld reads no address of a symbol}}
  %q = ptx.ld "global.b32" symbol @other_instruction : () -> i32
  return
}
