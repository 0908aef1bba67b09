"""Prints the program on standard input, with `@kernels` in it, so often that threads run at once: `repeat.py 200`. Aliases
stay as they are."""

import sys

aliases, module = sys.stdin.read().split("gpu.module", 1)
print(aliases)
for number in range(int(sys.argv[1])):
    print("gpu.module" + module.replace("@kernels", f"@kernels{number}"))
