// What an op names instead of taking it as a value: special registers, and symbols whose address is read.
#ifndef PTX_TILE_PTX_NAMES_TD
#define PTX_TILE_PTX_NAMES_TD

include "ptx/types.td"

// A register is read by types of its own width, and the oldest vectors and gridid also by narrower ones, which they
// were once; ptxas 13.5 refuses every other width and .f32, .f64.
defvar read32 = [u32, s32, b32];
defvar read64 = [u64, s64, b64];
defvar read16 = [u16, s16, b16];

class Vector32<string name, string section, string what> : Ptx_SpecialRegister<name, section, read32, what> {
  let isVector = 1;
}
class Launch<string name, string section, string what>
    : Ptx_SpecialRegister<name, section, !listconcat(read32, read16), what> {
  let isVector = 1;
}
class Register32<string name, string section, string what, int leastPtx = 10, int leastSm = 0>
    : Ptx_SpecialRegister<name, section, read32, what> {
  let ptx = leastPtx;
  let sm = leastSm;
}
class Register64<string name, string section, string what, int leastPtx = 10, int leastSm = 0>
    : Ptx_SpecialRegister<name, section, read64, what> {
  let ptx = leastPtx;
  let sm = leastSm;
}

def tid : Launch<"tid", "10.1", "thread in its block">;
def ntid : Launch<"ntid", "10.2", "threads of a block">;
def laneid : Register32<"laneid", "10.3", "lane in the warp", 13>;
let varies = 1 in
def warpid : Register32<"warpid", "10.4", "warp in the block, which may change", 13>;
def nwarpid : Register32<"nwarpid", "10.5", "most warp numbers", 20, 20>;
def ctaid : Launch<"ctaid", "10.6", "block in the grid">;
def nctaid : Launch<"nctaid", "10.7", "blocks of the grid">;
let varies = 1 in
def smid : Register32<"smid", "10.8", "multiprocessor, which may change", 13>;
def nsmid : Register32<"nsmid", "10.9", "most multiprocessor numbers", 20, 20>;
def gridid : Ptx_SpecialRegister<"gridid", "10.10", !listconcat(read64, read32, read16), "number of the grid launch">;
let ptx = 78, sm = 90 in {
  def is_explicit_cluster
      : Ptx_SpecialRegister<"is_explicit_cluster", "10.11", [pred], "whether the launch said a cluster size">;
  def clusterid : Vector32<"clusterid", "10.12", "cluster in the grid">;
  def nclusterid : Vector32<"nclusterid", "10.13", "clusters of the grid">;
  def cluster_ctaid : Vector32<"cluster_ctaid", "10.14", "block in its cluster">;
  def cluster_nctaid : Vector32<"cluster_nctaid", "10.15", "blocks of a cluster">;
  def cluster_ctarank : Register32<"cluster_ctarank", "10.16", "block in its cluster, as one number">;
  def cluster_nctarank : Register32<"cluster_nctarank", "10.17", "blocks of a cluster, as one number">;
}
foreach it = [["eq", "10.18"], ["le", "10.19"], ["lt", "10.20"], ["ge", "10.21"], ["gt", "10.22"]] in
  def lanemask_#it[0] : Register32<"lanemask_"#it[0], it[1], "mask of the lanes that compare so to this one", 20, 20>;
let varies = 1 in {
  def clock : Register32<"clock", "10.23", "cycle counter">;
  def clock_hi : Register32<"clock_hi", "10.23", "upper half of the cycle counter", 50, 20>;
  def clock64 : Register64<"clock64", "10.24", "cycle counter", 20, 20>;
  foreach i = 0-3 in
    def pm#i : Register32<"pm"#i, "10.25", "performance counter", 13>;
  foreach i = 4-7 in
    def pm#i : Register32<"pm"#i, "10.25", "performance counter", 30, 20>;
  foreach i = 0-7 in
    def pm#i#_64 : Register64<"pm"#i#"_64", "10.26", "performance counter", 40, 50>;
}
foreach i = 0-31 in
  def envreg#i : Register32<"envreg"#i, "10.27", "what the driver sets before the launch", 21>;
let varies = 1 in {
  def globaltimer : Register64<"globaltimer", "10.28", "nanosecond timer", 31, 30>;
  def globaltimer_lo : Register32<"globaltimer_lo", "10.28", "lower half of the nanosecond timer", 31, 30>;
  def globaltimer_hi : Register32<"globaltimer_hi", "10.28", "upper half of the nanosecond timer", 31, 30>;
}
foreach which = ["begin", "end", "cap", "0", "1"] in
  def reserved_smem_offset_#which
      : Register32<"reserved_smem_offset_"#which, "10.29", "shared memory that the system keeps", 76, 80>;
def total_smem_size : Register32<"total_smem_size", "10.30", "bytes of shared memory of a block", 41, 20>;
def aggr_smem_size : Register32<"aggr_smem_size", "10.31", "the same, with what the system keeps", 81, 90>;
def dynamic_smem_size : Register32<"dynamic_smem_size", "10.32", "bytes of shared memory given at launch", 41, 20>;
def current_graph_exec : Register64<"current_graph_exec", "10.33", "the executing device graph", 80, 50>;

//===------------------------------------------------------------------------------------------------------------===//
// Symbols
//===------------------------------------------------------------------------------------------------------------===//

// An address is one in the variable's own state space (ISA 6.4.1). Of global memory ptxas 13.5 refuses 32 bits, but
// takes them as soon as there is an offset; of constant memory and of functions it takes half of the address.
class Variable<string what, Ptx_StateSpace space, list<Ptx_Type> types> : Ptx_SymbolKind<what, types> {
  let spaces = [space];
}
def GlobalVariable : Variable<"variable in global memory", Global, read64>;
def SharedVariable : Variable<"variable in shared memory", Shared, !listconcat(read64, read32)>;
def ConstVariable : Variable<"variable in constant memory", Const, read64>;
def DeviceFunction : Ptx_SymbolKind<"function", [u64, b64]>;
def KernelEntry : Ptx_SymbolKind<"kernel", [u64, b64]> {
  let isKernel = 1;
  let ptx = 31;
  let sm = 35;
}

#endif // PTX_TILE_PTX_NAMES_TD
