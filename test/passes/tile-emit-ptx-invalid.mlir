// One error for each fault, also where LLVM 22 ends the process, crashes, or prints what ptxas cannot read.

// RUN: tile-opt %s --tile-emit-ptx -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @+1 {{kernel name "my.kernel-1" is not a PTX identifier; one is a letter, then letters, digits, _ and $}}
  llvm.func @"my.kernel-1"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "1k" is not a PTX identifier}}
  llvm.func @"1k"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "k\"" is not a PTX identifier}}
  llvm.func @"k\22"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "a\nb" is not a PTX identifier}}
  llvm.func @"a\0Ab"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "a\0b" is not a PTX identifier}}
  llvm.func @"a\00b"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "é" is not a PTX identifier}}
  llvm.func @"\C3\A9"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "%tid" is not a PTX identifier}}
  llvm.func @"%tid"() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "_" is not a PTX identifier}}
  llvm.func @_() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{kernel name "WARP_SZ" is a constant of PTX; choose another}}
  llvm.func @WARP_SZ() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{function name "a.b" is not a PTX identifier}}
  llvm.func @a.b() {
    llvm.return
  }
  // expected-error @+1 {{global name "g.h" is not a PTX identifier}}
  llvm.mlir.global external @g.h(1 : i32) {addr_space = 1 : i32} : i32
  // expected-error @+1 {{function name "llvm.nvvm.bogus" is reserved for intrinsics, and LLVM 22 has none of that name}}
  llvm.func @llvm.nvvm.bogus()
}

// -----

// Of these LLVM prints `.u7`, or crashes.
gpu.module @m {
  // expected-error @+1 {{'llvm.func' op argument #1: i7 is no type of PTX; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64}}
  llvm.func @integer(%a: i1, %b: i7) attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'llvm.func' op argument #0: vector<4294967295xi32> is no type of PTX}}
  llvm.func @lanes(%a: vector<4294967295xi32>) attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'llvm.func' op argument #0: !llvm.target<"spirv.Image", i32> is no type of PTX}}
  llvm.func @image(%a: !llvm.target<"spirv.Image", i32>) attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'llvm.func' op argument #0: f80 is no type of PTX}}
  llvm.func @float(%a: f80) attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'llvm.func' op argument #0: vector<[4]xf32> is no type of PTX}}
  llvm.func @scalable(%a: vector<[4]xf32>) attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+1 {{'llvm.mlir.global' op i24 is no type of PTX}}
  llvm.mlir.global external @global(1 : i24) {addr_space = 1 : i32} : i24
}

// -----

gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel} {
    // expected-error @+1 {{'tile.alloc' op is not expanded; run tile-expand, or tile-to-nvvm as a whole}}
    %t = tile.alloc : memref<4xi32, #gpu.address_space<private>>
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    // expected-error @+1 {{'ptx.mov' op is not lowered to the llvm or nvvm dialect; tile-to-nvvm lowers what it knows, another op needs a pass before it}}
    %b = ptx.mov "b32" %a : (i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op is not lowered to the llvm or nvvm dialect}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    // expected-error @+1 {{'arith.addi' op is not lowered to the llvm or nvvm dialect}}
    %b = arith.addi %a, %a : i32
    llvm.return
  }
}

// -----

// Not the cast that it stands on.
gpu.module @m {
  llvm.func @k(%a: i64) attributes {nvvm.kernel} {
    %i = builtin.unrealized_conversion_cast %a : i64 to index
    // expected-error @+1 {{'arith.addi' op is not lowered to the llvm or nvvm dialect}}
    %b = arith.addi %i, %i : index
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%a: i64) attributes {nvvm.kernel} {
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op is not lowered to the llvm or nvvm dialect}}
    %i = builtin.unrealized_conversion_cast %a : i64 to index
    llvm.return
  }
}

// -----

// LLVM: fatal error.
// expected-error @+1 {{'gpu.module' op LLVM says for sm_75 and PTX 6.3: Cannot select: intrinsic %llvm.nvvm.barrier.cluster.arrive}}
gpu.module @m [#nvvm.target<chip = "sm_75", verifyTarget = false>] {
  llvm.func @k() attributes {nvvm.kernel} {
    nvvm.cluster.arrive
    llvm.return
  }
}

// -----

// LLVM: fatal error.
// expected-error @+1 {{Invalid $ operand number in inline asm string: 'mov.b32 $0, $7;'}}
gpu.module @m {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    %b = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $7;", "=r,r" %a : (i32) -> i32
    llvm.return
  }
}

// -----

// LLVM: crash.
// expected-error @+1 {{with the constraints "=r,5": failed to parse constraints}}
gpu.module @m {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    %b = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,5" %a : (i32) -> i32
    llvm.return
  }
}

// -----

// LLVM: an error in its own way of reporting.
// expected-error @+1 {{couldn't allocate output register for constraint 'z'}}
gpu.module @m {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    %b = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=z,r" %a : (i32) -> i32
    llvm.return
  }
}

// -----

// Inside of a kernel these names are its argument and its local memory.
gpu.module @m {
  // expected-error @+1 {{global name "k_param_0" is what an argument of "k" is called in PTX; choose another}}
  llvm.mlir.global external @k_param_0(7 : i32) {addr_space = 1 : i32} : i32
  // expected-error @+1 {{global name "__local_depot0" is what local memory is called in PTX; choose another}}
  llvm.mlir.global external @__local_depot0(7 : i32) {addr_space = 1 : i32} : i32
  llvm.mlir.global external @n_param_0(7 : i32) {addr_space = 1 : i32} : i32
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// Not wrong, but nothing that ptxas could finish.
// expected-warning @+1 {{the PTX calls __nv_expf, __nv_tanhf, which is in NVIDIA's libdevice and not in the PTX}}
gpu.module @m {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @__nv_tanhf(f32) -> f32
  llvm.func @k(%a: f32) attributes {nvvm.kernel} {
    %b = llvm.call @__nv_expf(%a) : (f32) -> f32
    %c = llvm.call @__nv_tanhf(%b) : (f32) -> f32
    llvm.return
  }
}

// -----

// All is well again after each.
gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// Of tile code outside of every gpu.module nothing would be made.
func.func @host(%n: i32) {
  // expected-error @+1 {{'ptx.mov' op is outside of every gpu.module, and only these are translated}}
  %a = ptx.mov "b32" %n : (i32) -> i32
  return
}
gpu.module @m {
}

// -----

// MLIR's translation crashes on it.
gpu.module @value_of_a_global {
  llvm.mlir.global internal @table(1 : i32) {addr_space = 1 : i32} : i32
  // expected-error @+1 {{'llvm.mlir.global' op has the value "table", which is no function; an initializer with llvm.mlir.addressof can name a global}}
  llvm.mlir.global internal @names(@table) {addr_space = 1 : i32} : !llvm.ptr<1>
}

// -----

gpu.module @kernels {
}
module @inner {
  // expected-error @+1 {{'gpu.module' op is not directly in the module, and only those that are are translated; move it, or translate its module}}
  gpu.module @kernels {
  }
}
