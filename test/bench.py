"""Measures what has a bound and fails when one is missed. tile-opt and mlir-opt must be on PATH: ./dev bench

Bounds are on processor time (user and system), which a busy machine disturbs less; wall time is printed for reading.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

COPY = """\
!t = memref<{0}x1xi32, #gpu.address_space<private>>
gpu.module @m {{
  gpu.func @copy() kernel {{
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    tile.apply "mov.b32"(%b, %a) : !t, !t
    gpu.return
  }}
}}
"""


def seconds(command):
    """Processor and wall time of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # else Popen waits for it again
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def medians(runs, *commands):
    """The median of each command, in turn within each round, so that a slow spell meets all of them."""
    for command in commands:
        seconds(command)  # files and libraries into the cache
    rounds = [[seconds(command) for command in commands] for _ in range(runs)]
    return [[statistics.median(times) for times in zip(*of_one)] for of_one in zip(*rounds)]


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def report(what, value, bound, unit=""):
    print(f"  {what}: {value:.2f}{unit}, at most {bound}{unit}: {'ok' if value <= bound else 'MISSED'}")
    return value <= bound


def main():
    for program in ("tile-opt", "mlir-opt"):
        if not shutil.which(program):
            sys.exit(f"bench: {program} is not on PATH")
    with tempfile.TemporaryDirectory() as folder:
        empty = write(folder, "empty.mlir", "module {}\n")
        out = ["-o", os.devnull]
        ours, stock = medians(20, ["tile-opt", empty, *out], ["mlir-opt", empty, *out])
        print("An empty module, median of 20:")
        for name, (cpu, wall) in (("tile-opt", ours), ("mlir-opt", stock)):
            print(f"  {name}: {cpu * 1e3:.1f} ms processor, {wall * 1e3:.1f} ms wall")
        good = report("ratio of processor time", ours[0] / stock[0], 1.5)

        sizes = (10_000, 100_000)
        inputs = [write(folder, f"copy{n}.mlir", COPY.format(n)) for n in sizes]
        small, large = medians(5, *(["tile-opt", "--tile-expand", path, *out] for path in inputs))
        print("tile-expand of a register copy, median of 5:")
        for n, (cpu, wall) in zip(sizes, (small, large)):
            print(f"  {n} repeats: {cpu:.3f} s processor, {wall:.3f} s wall")
        good &= report(f"{sizes[1]} repeats", large[0], 2, " s")
        good &= report("ratio of the two", large[0] / small[0], 20)
    sys.exit(not good)


if __name__ == "__main__":
    main()
