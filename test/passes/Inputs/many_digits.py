"""Prints subviews of subviews, each begun by the quotient and the remainder of one of as many values as the argument
says."""

import sys

begun = "memref<64x8xi32, strided<[8, 1], offset: ?>, 1>"
word = "memref<1x1xi32, strided<[8, 1], offset: ?>, 1>"
count = int(sys.argv[1])
values = ", ".join(f"%n{k}: index" for k in range(count))
print(f"""gpu.module @m {{
  gpu.func @k(%s: memref<64x8xi32, 1>, {values}) kernel {{
    %c8 = arith.constant 8 : index""")
source, of = "%s", "memref<64x8xi32, 1>"
for k in range(count):
    print(f"""    %q{k} = arith.divui %n{k}, %c8 : index
    %r{k} = arith.remui %n{k}, %c8 : index
    %s{k} = memref.subview {source}[%q{k}, %r{k}] [64, 8] [1, 1] : {of} to {begun}""")
    source, of = f"%s{k}", begun
print(f"""    %e = tile.slice {source}[0, 0] [1, 1] : {of} to {word}
    %a = tile.alloc : memref<1x1xi32, #gpu.address_space<private>>
    tile.apply "st.global.b32"(%e, %a) : {word}, memref<1x1xi32, #gpu.address_space<private>>
    gpu.return
  }}
}}""")
