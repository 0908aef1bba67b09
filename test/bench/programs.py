"""The programs that are measured, of any size, as tile code."""

import re

TYPES = """\
!t = memref<{0}x1xi32, #gpu.address_space<private>>
!g = memref<{0}x1xi32, 1>
"""

STRAIGHT = """\
  gpu.func @{1}(%in: !g, %out: !g) kernel {{
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    tile.apply "ld.global.b32"(%a, %in) : !t, !g
    tile.apply "mov.b32"(%b, %a) : !t, !t
    tile.apply "st.global.b32"(%out, %b) : !g, !t
    gpu.return
  }}
"""

CROSSING = """\
  gpu.func @{1}(%in: !g, %out: !g, %count: index, %p: i1) kernel {{
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    tile.apply "ld.global.b32"(%a, %in) : !t, !g
    tile.apply "mov.b32"(%b, %a) : !t, !t
    scf.for %i = %zero to %count step %one {{
      tile.apply "add.u32"(%b, %b, %a) : !t, !t, !t
      scf.if %p {{
        tile.apply "mov.b32"(%a, %b) : !t, !t
      }}
    }}
    tile.apply "st.global.b32"(%out, %b) : !g, !t
    gpu.return
  }}
"""


def module(kernels, registers, count=1):
    body = "".join(kernels.format(registers, f"k{i}") for i in range(count))
    return TYPES.format(registers) + "gpu.module @m {\n" + body + "}\n"


def straight(registers):
    """Loads, moves and stores so many registers."""
    return module(STRAIGHT, registers)


def differs(ptx, registers):
    """What PTX has another number of than that of straight(registers): empty where it does the same work."""
    names = ("ld.global.b32", "mov.b32", "st.global.b32")
    counts = {name: len(re.findall(rf"^\s*{re.escape(name)}\s", ptx, re.MULTILINE)) for name in names}
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count != registers)


def crossing(registers):
    """The same with registers that live across a loop and a branch."""
    return module(CROSSING, registers)


def many(kernels):
    """Small kernels."""
    return module(STRAIGHT, 8, kernels)


EMPTY_KERNEL = "gpu.module @m {\n  gpu.func @k() kernel { gpu.return }\n}\n"
EMPTY = "module {}\n"
