// The instructions of PTX ISA 9.0, chapter 9.7, that have no record yet: one who writes one has misspelled nothing. A
// mnemonic that gets a record counts here no more.
#ifndef PTX_TILE_PTX_LACKING_TD
#define PTX_TILE_PTX_LACKING_TD

class Ptx_Lacking<list<string> names> {
  list<string> mnemonics = names;
}

def IntegerLacking : Ptx_Lacking<["addc", "bmsk", "madc", "subc"]>;
def MoveLacking : Ptx_Lacking<[
  "applypriority", "cp", "createpolicy", "cvta", "discard", "getctarank", "isspacep", "ldu", "mapa", "multimem",
  "prefetch", "prefetchu", "shfl", "tensormap"
]>;
def TextureLacking : Ptx_Lacking<["istypep", "suld", "suq", "sured", "sust", "tex", "tld4", "txq"]>;
def ControlLacking : Ptx_Lacking<["bra", "brx", "call", "exit", "ret"]>;
def SynchronizationLacking : Ptx_Lacking<[
  "activemask", "atom", "bar", "barrier", "clusterlaunchcontrol", "elect", "fence", "griddepcontrol", "match",
  "mbarrier", "membar", "red", "redux", "vote"
]>;
def MatrixLacking : Ptx_Lacking<["ldmatrix", "mma", "movmatrix", "stmatrix", "tcgen05", "wgmma", "wmma"]>;
def StackLacking : Ptx_Lacking<["alloca", "stackrestore", "stacksave"]>;
def VideoLacking : Ptx_Lacking<[
  "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad", "vmax", "vmax2", "vmax4",
  "vmin", "vmin2", "vmin4", "vset", "vset2", "vset4", "vshl", "vshr", "vsub", "vsub2", "vsub4"
]>;
def OtherLacking : Ptx_Lacking<["brkpt", "nanosleep", "pmevent", "setmaxnreg", "trap"]>;

#endif // PTX_TILE_PTX_LACKING_TD
