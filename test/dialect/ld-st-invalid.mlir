// What ld and st refuse: qualifiers that do not go together (R107, R109, R110), and what is refused though ptxas takes
// it.

// RUN: tile-opt %s -split-input-file -verify-diagnostics

// Semantics.

func.func @no_scope(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.relaxed.global.b32' lacks its scope: .cta, .cluster, .gpu or .sys}}
  %d = ptx.ld "relaxed.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @no_semantics(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.gpu.global.b32' lacks its semantics: .relaxed or .release}}
  ptx.st "gpu.global.b32" %p, %n : (!llvm.ptr<1>, i32) -> ()
  return
}

// -----

func.func @release_load(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.release.gpu.global.b32': ld has no modifier '.release'; there may stand .relaxed or .acquire}}
  %d = ptx.ld "release.gpu.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

// Nobody else sees local memory.
func.func @ordered_local(%p: !llvm.ptr<5>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.acquire.gpu.local.b32' is no form of ld: write .global, .shared or .shared::cta for .local}}
  %d = ptx.ld "acquire.gpu.local.b32" %p : (!llvm.ptr<5>) -> i32
  return
}

// -----

func.func @two_semantics(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.weak.relaxed.gpu.global.b32' is no form of ld: take out .weak}}
  %d = ptx.ld "weak.relaxed.gpu.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @ordered_cache_operator(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.release.sys.global.wt.b32' is no form of st: take out .wt}}
  ptx.st "release.sys.global.wt.b32" %p, %n : (!llvm.ptr<1>, i32) -> ()
  return
}

// -----

func.func @volatile_hint(%p: !llvm.ptr<1>, %policy: i64) {
  // expected-error @+1 {{'ptx.ld' op 'ld.volatile.global.L2::cache_hint.b32' is no form of ld: take out .L2::cache_hint, or take out .volatile}}
  %d = ptx.ld "volatile.global.L2::cache_hint.b32" %p, %policy : (!llvm.ptr<1>, i64) -> i32
  return
}

// -----

func.func @mmio(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.mmio.global.b32' lacks its semantics: .relaxed and its scope: .sys}}
  %d = ptx.ld "mmio.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @mmio_scope(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.mmio.relaxed.gpu.global.b32' is no form of ld: write .sys for .gpu, or take out .mmio}}
  %d = ptx.ld "mmio.relaxed.gpu.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @mmio_vector(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.mmio.relaxed.sys.global.v2.b32' is no form of st: take out .v2, or take out .mmio}}
  ptx.st "mmio.relaxed.sys.global.v2.b32" %p, %n, %n : (!llvm.ptr<1>, i32, i32) -> ()
  return
}

// -----

// Caches.

func.func @operator_and_priority(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.ca.L1::evict_last.b32' is no form of ld: take out .L1::evict_last}}
  %d = ptx.ld "global.ca.L1::evict_last.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @operator_of_load(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.global.ca.b32': st has no modifier '.ca'; there may stand .cg, .cs, .wb, .wt,}}
  ptx.st "global.ca.b32" %p, %n : (!llvm.ptr<1>, i32) -> ()
  return
}

// -----

func.func @priority_in_shared(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.shared.L1::evict_last.b32' is no form of ld: take out .L1::evict_last, or write .global for .shared}}
  %d = ptx.ld "shared.L1::evict_last.b32" %p : (!llvm.ptr<3>) -> i32
  return
}

// -----

func.func @prefetch_of_store(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.global.L2::128B.b32': st has no modifier '.L2::128B'}}
  ptx.st "global.L2::128B.b32" %p, %n : (!llvm.ptr<1>, i32) -> ()
  return
}

// -----

// What is weak may be read-only, but says so in one way.
func.func @weak_read_only(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.weak.global.nc.b32' is no form of ld: take out .nc, or take out .weak}}
  %d = ptx.ld "weak.global.nc.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @read_only_last_use(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.lu.nc.b32' is no form of ld: take out .nc, or write .ca, .cg or .cs for .lu or take that out}}
  %d = ptx.ld "global.lu.nc.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @read_only_shared(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.shared.nc.b32' is no form of ld: take out .nc, or write .global for .shared}}
  %d = ptx.ld "shared.nc.b32" %p : (!llvm.ptr<3>) -> i32
  return
}

// -----

// The hint's policy.

func.func @no_policy(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op ld.global.L2::cache_hint.b32 takes 2 inputs and 1 result; found 1 input and 1 result}}
  %d = ptx.ld "global.L2::cache_hint.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @policy_without_hint(%p: !llvm.ptr<1>, %n: i32, %policy: i64) {
  // expected-error @+1 {{'ptx.st' op st.global.b32 takes 2 inputs and 0 results; found 3 inputs and 0 results}}
  ptx.st "global.b32" %p, %n, %policy : (!llvm.ptr<1>, i32, i64) -> ()
  return
}

// -----

func.func @narrow_policy(%p: !llvm.ptr<1>, %policy: i32) {
  // expected-error @+1 {{'ptx.ld' op operand cache_policy: element type i32 is 32 bits wide, ld.global.L2::cache_hint.b32 (.u64 words) takes 64}}
  %d = ptx.ld "global.L2::cache_hint.b32" %p, %policy : (!llvm.ptr<1>, i32) -> i32
  return
}

// -----

// Vectors and types.

// Longer ones are in global memory.
func.func @long_in_shared(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.shared.v4.b64' is no form of ld: write .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32 or .f32 for .b64, or write .v2 for .v4 or take that out, or write .global for .shared}}
  %d:4 = ptx.ld "shared.v4.b64" %p : (!llvm.ptr<3>) -> (i64, i64, i64, i64)
  return
}

// -----

func.func @vector_of_b128(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.v2.b128' is no form of ld: write .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32, .f32, .b64, .u64, .s64 or .f64 for .b128, or take out .v2}}
  %d:2 = ptx.ld "global.v2.b128" %p : (!llvm.ptr<1>) -> (i128, i128)
  return
}

// -----

func.func @priority_of_short_vector(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.L2::evict_last.v4.b32' is no form of ld: write .b64, .u64, .s64 or .f64 for .b32, or write .v8 for .v4, or take out .L2::evict_last}}
  %d:4 = ptx.ld "global.L2::evict_last.v4.b32" %p : (!llvm.ptr<1>) -> (i32, i32, i32, i32)
  return
}

// -----

// An integer type takes no float, a float type the integer of its width (R109).
func.func @float_as_integer(%p: !llvm.ptr<1>, %x: f32) {
  // expected-error @+1 {{'ptx.st' op operand b: element type f32 is none of those that st.global.u32 takes: i32; use i32 (R70)}}
  ptx.st "global.u32" %p, %x : (!llvm.ptr<1>, f32) -> ()
  return
}

// -----

// Registers are as wide as what they hold (R108).
func.func @wider_register(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op operand d: element type i32 is 32 bits wide, ld.global.u8 takes 8; use i8 (R70)}}
  %d = ptx.ld "global.u8" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

// Refused by choice.

func.func @generic(%p: !llvm.ptr) {
  // expected-error @+1 {{'ptx.ld' op 'ld.b32' lacks its state space: .global, .shared, .shared::cta or .local}}
  %d = ptx.ld "b32" %p : (!llvm.ptr) -> i32
  return
}

// -----

func.func @constant_memory(%p: !llvm.ptr<4>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.const.b32' is refused: an operand is in global, shared or local memory (R107)}}
  %d = ptx.ld "const.b32" %p : (!llvm.ptr<4>) -> i32
  return
}

// -----

func.func @other_block(%p: !llvm.ptr<3>, %n: i32) {
  // expected-error @+1 {{'ptx.st' op 'st.shared::cluster.b32' is refused: an operand is in the shared memory of its own block (R107)}}
  ptx.st "shared::cluster.b32" %p, %n : (!llvm.ptr<3>, i32) -> ()
  return
}

// -----

func.func @volatile_priority(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.volatile.global.L2::evict_last.v4.f64' is refused: the ISA gives volatile no eviction priority (R110)}}
  %d:4 = ptx.ld "volatile.global.L2::evict_last.v4.f64" %p : (!llvm.ptr<1>) -> (f64, f64, f64, f64)
  return
}

// -----

func.func @operator_and_l2_priority(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.cg.L2::evict_first.v4.f64' is refused: the ISA has a cache operator or eviction priorities, not both}}
  %d:4 = ptx.ld "global.cg.L2::evict_first.v4.f64" %p : (!llvm.ptr<1>) -> (f64, f64, f64, f64)
  return
}

// -----

func.func @eight_halves(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ptx.ld' op 'ld.global.v8.b16' is no form of ld: write .b32, .u32, .s32 or .f32 for .b16, or write .v2 or .v4 for .v8 or take that out}}
  %d:8 = ptx.ld "global.v8.b16" %p : (!llvm.ptr<1>) -> (i16, i16, i16, i16, i16, i16, i16, i16)
  return
}

// -----

func.func @eight_stored_halves(%p: !llvm.ptr<1>, %a: i16) {
  // expected-error @+1 {{'ptx.st' op 'st.global.v8.b16' is refused: a vector of 8 has elements of 32 bits (R110)}}
  ptx.st "global.v8.b16" %p, %a, %a, %a, %a, %a, %a, %a, %a : (!llvm.ptr<1>, i16, i16, i16, i16, i16, i16, i16, i16) -> ()
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ld.global.v3.b32': ld has no modifier '.v3'; write .v2, .v4 or .v8}}
  %d = ptx.ld "global.v3.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{'ld.volatil.global.b32': ld has no modifier '.volatil'; write .volatile}}
  %d = ptx.ld "volatil.global.b32" %p : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @f(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{ld has no modifier '.L2::evict_frist'; write .L2::evict_first}}
  %d = ptx.ld "global.L2::evict_frist.b32" %p : (!llvm.ptr<1>) -> i32
  return
}
