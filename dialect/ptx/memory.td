// Loads and stores.
#ifndef PTX_TILE_PTX_MEMORY_TD
#define PTX_TILE_PTX_MEMORY_TD

include "ptx/types.td"

//===------------------------------------------------------------------------------------------------------------===//
// Qualifiers (ISA 8 and 9.7.9)
//===------------------------------------------------------------------------------------------------------------===//

def weak : Ptx_Token<"weak", "orders nothing; what is meant where no semantics stands", 60>;
let ordered = 1 in {
  def volatile : Ptx_Token<"volatile", "as relaxed for all of the system, each as often as written", 11>;
  def relaxed : Ptx_Token<"relaxed", "atomic among the threads of its scope, orders nothing else", 60, 70>;
  def acquire : Ptx_Token<"acquire", "what follows sees what came before the release that it reads", 60, 70>;
  def release : Ptx_Token<"release", "who acquires from it sees what came before it", 60, 70>;
  def mmio : Ptx_Token<"mmio", "of memory-mapped devices: each is done as it is written, and once", 82, 70>;
}

def cta : Ptx_Token<"cta", "among the threads of a block", 60, 70>;
def cluster : Ptx_Token<"cluster", "among the threads of a cluster", 78, 90>;
def gpu : Ptx_Token<"gpu", "among the threads of a device", 60, 70>;
def sys : Ptx_Token<"sys", "among all threads, those of the host too", 60, 70>;
// With PTX 8.3 ptxas 13.5 has b128 in the narrower scopes only.
def sysOfB128 : Ptx_Token<"sys", "among all threads, those of the host too", 84, 70>;

def ca : Ptx_Token<"ca", "cached in L1 and L2, as by default", 20, 20>;
def cg : Ptx_Token<"cg", "cached in L2 only", 20, 20>;
def cs : Ptx_Token<"cs", "streaming: likely used once", 20, 20>;
def lu : Ptx_Token<"lu", "last use: need not be written back", 20, 20>;
def cv : Ptx_Token<"cv", "fetched again whatever is cached", 20, 20>;
def wb : Ptx_Token<"wb", "written back later, as by default", 20, 20>;
def wt : Ptx_Token<"wt", "written through L2 to the memory of the host", 20, 20>;

def nc : Ptx_Token<"nc", "nothing writes it while the kernel runs: read through a cache that is not coherent", 31, 32>;

foreach priority = [["evict_normal", "evicted in the usual order, as by default"],
                    ["evict_unchanged", "leaves the order of eviction as it is"],
                    ["evict_first", "evicted before others"],
                    ["evict_last", "evicted after others"],
                    ["no_allocate", "not put there"]] in
  def L1_#priority[0] : Ptx_Token<"L1::"#priority[0], "in L1 "#priority[1], 74, 70>;
foreach priority = [["evict_normal", "evicted in the usual order, as by default"],
                    ["evict_first", "evicted before others"],
                    ["evict_last", "evicted after others"]] in
  def L2_#priority[0] : Ptx_Token<"L2::"#priority[0], "in L2 "#priority[1], 88, 100>;
def L2_cache_hint : Ptx_Token<"L2::cache_hint", "in L2 as the cache policy says", 74, 80>;

def L2_64B : Ptx_Token<"L2::64B", "fetches 64 bytes into L2", 74, 75>;
def L2_128B : Ptx_Token<"L2::128B", "fetches 128 bytes into L2", 74, 75>;
def L2_256B : Ptx_Token<"L2::256B", "fetches 256 bytes into L2", 74, 80>;

defvar priorities = [L1_evict_normal, L1_evict_unchanged, L1_evict_first, L1_evict_last, L1_no_allocate];

def MaybeWeak : Maybe<"semantics", [weak]>;
class Semantics<list<Ptx_Token> choices> : Ptx_Position<"semantics", choices>;
def Volatile : Semantics<[volatile]>;
def Mmio : Ptx_Position<"device memory", [mmio]>;
def Relaxed : Semantics<[relaxed]>;
class Scope<list<Ptx_Token> choices> : Ptx_Position<"scope", choices>;
def InGlobal : Spaces<[Global]>;
def InShared : Spaces<[Shared, SharedCta]>;
def InSharedOrLocal : Spaces<[Shared, SharedCta, Local]>;
def Nc : Ptx_Position<"read-only", [nc]>;
def MaybeL1 : Maybe<"L1 eviction priority", priorities>;
def MaybeL2 : Maybe<"L2 eviction priority", [L2_evict_normal, L2_evict_first, L2_evict_last]>;
def Prefetch : Maybe<"L2 prefetch size", [L2_64B, L2_128B, L2_256B]>;
class CacheOperator<list<Ptx_Token> choices> : Ptx_Position<"cache operator", choices>;
class MaybeCacheOperator<list<Ptx_Token> choices> : Maybe<"cache operator", choices>;
// One of the two at most.
class MaybeCached<list<Ptx_Token> choices>
    : Maybe<"cache operator or L1 eviction priority", !listconcat(choices, priorities)>;

// With the hint a form has an operand more.
class Hint<list<Ptx_Position> opcode, list<Ptx_Operand> policy> {
  list<Ptx_Position> positions = opcode;
  list<Ptx_Operand> operands = policy;
}
defvar noHint = [Hint<[], []>];
defvar maybeHint = !listconcat(noHint, [Hint<[Ptx_Position<"cache hint", [L2_cache_hint]>],
                                             [CachePolicy<"cache_policy", u64>]>]);

//===------------------------------------------------------------------------------------------------------------===//
// What one instruction moves
//===------------------------------------------------------------------------------------------------------------===//

// Registers have the width of the elements, though PTX has wider ones (R108).
defvar upTo32 = [b8, b16, b32, u8, u16, u32, s8, s16, s32, f32];
defvar of64 = [b64, u64, s64, f64];
defvar upTo64 = !listconcat(upTo32, of64);

class Access<string what, int elements, list<Ptx_Type> types, int leastPtx = 10, int leastSm = 0> {
  string name = what;
  int count = elements;
  list<Ptx_Position> positions = !listconcat(!if(!eq(count, 1), []<Ptx_Position>, [Vector<"v"#count>]), [Types<types>]);
  int ptx = leastPtx;
  int sm = leastSm;
  // Among which threads it may be ordered.
  list<Ptx_Token> scopes = [cta, cluster, gpu, sys];
}
def OneUpTo64 : Access<"scalar", 1, upTo64>;
def One128 : Access<"scalar", 1, [b128]> {
  let scopes = [cta, cluster, gpu, sysOfB128];
}
defvar vectors = [Access<"vector", 2, upTo64>, Access<"vector", 4, upTo32>];
// Vectors end at 128 bits, so that there is none of b128 (R110).
defvar upTo128 = !listconcat([Access<"scalar", 1, !listconcat(upTo64, [b128])>], vectors);
defvar upTo128InScope = !listconcat([OneUpTo64, One128], vectors);
// In global memory there are longer ones.
defvar of256 = [Access<"vector of 256 bits", 4, of64, 88, 100>,
                Access<"vector of 256 bits", 8, [b32, u32, s32, f32], 88, 100>];

//===------------------------------------------------------------------------------------------------------------===//
// Instructions
//===------------------------------------------------------------------------------------------------------------===//

// A form for each access and hint, with the qualifiers before the hint and those between it and the vector length.
class Loads<string what, list<Ptx_Position> before, list<Hint> hints, list<Ptx_Position> after, list<Access> accesses,
            string isaSection = "9.7.9.8"> {
  list<Form> forms = !foldl([]<Form>, hints, all, hint, !listconcat(all, !foreach(access, accesses,
      Form<what#" "#access.name, isaSection, !listconcat(before, hint.positions, after, access.positions),
           !listconcat([Dst<"d", access.count>, Address<"a", access.count>], hint.operands), access.ptx, access.sm>)));
}
class Stores<string what, list<Ptx_Position> before, list<Hint> hints, list<Access> accesses> {
  list<Form> forms = !foldl([]<Form>, hints, all, hint, !listconcat(all, !foreach(access, accesses,
      Form<what#" "#access.name, "9.7.9.11", !listconcat(before, hint.positions, access.positions),
           !listconcat([Address<"a", access.count>, SrcOrImm<"b", access.count>], hint.operands), access.ptx,
           access.sm>)));
}
class OrderedLoads<list<Ptx_Position> before, list<Hint> hints, list<Ptx_Position> after, list<Access> accesses> {
  list<Form> forms = !foldl([]<Form>, accesses, all, access, !listconcat(all,
      Loads<"ordered", !listconcat([Semantics<[relaxed, acquire]>, Scope<access.scopes>], before), hints, after,
            [access]>.forms));
}
class OrderedStores<list<Ptx_Position> before, list<Hint> hints, list<Access> accesses> {
  list<Form> forms = !foldl([]<Form>, accesses, all, access, !listconcat(all,
      Stores<"ordered", !listconcat([Semantics<[relaxed, release]>, Scope<access.scopes>], before), hints,
             [access]>.forms));
}

// What ptxas 13.5 takes and the ISA does not list, or the contract leaves out.
class RefusedAccesses<string mnemonic, list<Ptx_Token> cacheOperators> {
  list<Ptx_Refused> refused = !listconcat(
      [Ptx_Refused<mnemonic#".*", "a tile is in a state space that is known (R107)", "without a state space">,
       Ptx_Refused<mnemonic#".*", "registers have the width of the elements (R108)", "with a wider register">,
       Ptx_Refused<mnemonic#".*", "a pointer has 64 bits in every state space", "with an address of 32 bits">,
       Ptx_Refused<mnemonic#".*shared::cluster*", "an operand is in the shared memory of its own block (R107)">,
       Ptx_Refused<mnemonic#".*volatile*L2::evict*", "the ISA gives volatile no eviction priority (R110)">],
      !foreach(operator, cacheOperators, Ptx_Refused<mnemonic#"*."#operator.token#".*L2::evict*",
                                                     "the ISA has a cache operator or eviction priorities, not both">));
}

// Not here: kernel parameters, which are values here; the suffix .unified of an address, which is about linking.
def Ptx_LdOp : Ptx_Instruction<"ld"> {
  let summary = "load registers from memory";
  let description = [{
    The elements of a vector are consecutive from the address, which is aligned to all of them together (R112). To passes
    a load with `volatile`, `relaxed`, `acquire` or `mmio` is also a write, so that nothing merges, drops or moves it.
    `nc` promises that nothing writes this memory while the kernel runs. With `L2::cache_hint` the cache policy is the
    last input.

    ```mlir
    %v     = ptx.ld "global.b32" %ptr : (!llvm.ptr<1>) -> i32
    %v, %w = ptx.ld "global.v2.b32" %ptr + 8 : (!llvm.ptr<1>) -> (i32, i32)
    %flag  = ptx.ld "acquire.gpu.global.u32" %ptr : (!llvm.ptr<1>) -> i32
    %v     = ptx.ld "global.nc.L1::no_allocate.L2::128B.f32" %ptr : (!llvm.ptr<1>) -> f32
    %v     = ptx.ld "global.L2::cache_hint.b32" %ptr, %policy : (!llvm.ptr<1>, i64) -> i32
    ```
  }];
  let readsMemory = 1;
  let semantics = "same_bits";
  defvar operators = [ca, cg, cs, lu, cv];
  let forms = !listconcat(
      Loads<"weak", [MaybeWeak, InGlobal, MaybeCached<operators>], maybeHint, [Prefetch], upTo128>.forms,
      Loads<"weak", [MaybeWeak, InGlobal, MaybeL1, MaybeL2], maybeHint, [Prefetch], of256>.forms,
      Loads<"weak", [MaybeWeak, InGlobal, CacheOperator<operators>], maybeHint, [Prefetch], of256>.forms,
      Loads<"weak", [MaybeWeak, InSharedOrLocal, MaybeCacheOperator<operators>], noHint, [], upTo128>.forms,
      Loads<"read-only", [InGlobal, Nc, MaybeL1], maybeHint, [Prefetch], upTo128, "9.7.9.9">.forms,
      Loads<"read-only", [InGlobal, Nc, MaybeL1, MaybeL2], maybeHint, [Prefetch], of256, "9.7.9.9">.forms,
      Loads<"read-only", [InGlobal, CacheOperator<[ca, cg, cs]>, Nc], maybeHint, [Prefetch],
            !listconcat(upTo128, of256), "9.7.9.9">.forms,
      Loads<"volatile", [Volatile, InGlobal], noHint, [Prefetch], !listconcat(upTo128, of256)>.forms,
      Loads<"volatile", [Volatile, InShared], noHint, [], upTo128>.forms,
      OrderedLoads<[InGlobal, MaybeL1], maybeHint, [Prefetch], upTo128InScope>.forms,
      OrderedLoads<[InGlobal, MaybeL1, MaybeL2], maybeHint, [Prefetch], of256>.forms,
      OrderedLoads<[InShared], noHint, [], upTo128InScope>.forms,
      Loads<"mmio", [Mmio, Relaxed, Scope<[sys]>, InGlobal], noHint, [], [OneUpTo64]>.forms,
      Loads<"mmio", [Mmio, Relaxed, Scope<[sysOfB128]>, InGlobal], noHint, [], [One128]>.forms);
  let refused = !listconcat(
      [Ptx_Refused<"ld.*const*", "an operand is in global, shared or local memory (R107)">,
       Ptx_Refused<"ld.*.v*", "no word of a load is sunk (R94)", "with a sink">],
      RefusedAccesses<"ld", operators>.refused);
}

def Ptx_StOp : Ptx_Instruction<"st"> {
  let summary = "store registers to memory";
  let description = [{
    The counterpart of `ptx.ld`. The value comes after the address, and the cache policy after the value.

    ```mlir
    ptx.st "global.b32" %ptr, %v : (!llvm.ptr<1>, i32) -> ()
    ptx.st "release.gpu.global.u32" %ptr, %flag : (!llvm.ptr<1>, i32) -> ()
    ptx.st "global.L2::cache_hint.v2.b32" %ptr + 8, %v, %w, %policy : (!llvm.ptr<1>, i32, i32, i64) -> ()
    ```
  }];
  let writesMemory = 1;
  let semantics = "same_bits";
  defvar operators = [wb, cg, cs, wt];
  let forms = !listconcat(
      Stores<"weak", [MaybeWeak, InGlobal, MaybeCached<operators>], maybeHint, upTo128>.forms,
      Stores<"weak", [MaybeWeak, InGlobal, MaybeL1, MaybeL2], maybeHint, of256>.forms,
      Stores<"weak", [MaybeWeak, InGlobal, CacheOperator<operators>], maybeHint, of256>.forms,
      Stores<"weak", [MaybeWeak, InSharedOrLocal, MaybeCacheOperator<operators>], noHint, upTo128>.forms,
      Stores<"volatile", [Volatile, InGlobal], noHint, !listconcat(upTo128, of256)>.forms,
      Stores<"volatile", [Volatile, InShared], noHint, upTo128>.forms,
      OrderedStores<[InGlobal, MaybeL1], maybeHint, upTo128InScope>.forms,
      OrderedStores<[InGlobal, MaybeL1, MaybeL2], maybeHint, of256>.forms,
      OrderedStores<[InShared], noHint, upTo128InScope>.forms,
      Stores<"mmio", [Mmio, Relaxed, Scope<[sys]>, InGlobal], noHint, [OneUpTo64]>.forms,
      Stores<"mmio", [Mmio, Relaxed, Scope<[sysOfB128]>, InGlobal], noHint, [One128]>.forms);
  let refused = !listconcat(RefusedAccesses<"st", operators>.refused,
      !foreach(type, ["b8", "u8", "s8", "b16", "u16", "s16"],
               Ptx_Refused<"st.*.v8."#type, "a vector of 8 has elements of 32 bits (R110)">));
}

#endif // PTX_TILE_PTX_MEMORY_TD
