"""Prints a slice whose begin is an affine map: the sum of as many quotients as the argument says, modulo 64."""

import sys

terms = " + ".join(f"(d0 + {n}) floordiv {n + 2}" for n in range(int(sys.argv[1])))
print(f"""#map = affine_map<(d0) -> (({terms}) mod 64)>
gpu.module @m {{
  gpu.func @k(%in: memref<64xi32, 1>) kernel attributes {{known_block_size = array<i32: 8, 1, 1>}} {{
    %t = gpu.thread_id x
    %b = affine.apply #map(%t)
    %s = tile.slice %in[%b] [1] : memref<64xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    gpu.return
  }}
}}""")
