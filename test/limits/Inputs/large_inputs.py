"""Runs tile-opt on inputs of about a megabyte, each of one kind of much, within bounds of memory and time.

    large_inputs.py [--memory MIB] [KIND...]

Each must end in success or in one error, and parsing alone as well. A line a run: kind, mode, outcome, seconds, MiB.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

SIZE = 1_000_000
MEMORY = 1024  # MiB
# Much deeper than programs are; MLIR's parser goes down by the stack.
DEPTH = 800
SECONDS = 60  # of a processor; no input takes half of it

PRIVATE = "#gpu.address_space<private>"
TYPES = f"""
!t = memref<4x1xi32, {PRIVATE}>
!b = memref<1024x1xi32, {PRIVATE}>
!s = memref<1x1xi32, strided<[1, 1], offset: ?>, {PRIVATE}>
!g = memref<1024x1xi32, 1>
!w = memref<1024x1xi32, strided<[1, 1], offset: ?>, 1>
"""
LOOP = "scf.for %i{0} = %c0 to %c{1} step %c1 {{\n"
NUMBERS = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 1024))
TILES = "%a = tile.alloc : !t\n%b = tile.alloc : !b\n"
APPLY = 'tile.apply "mov.b32"(%a, %x) : !t, i32\n'


def kernel(body, name="k", types=""):
    """A kernel of a body, with constants, tiles and arguments."""
    return f"""{TYPES}{types}
gpu.module @m {{
  gpu.func @{name}(%x: i32, %g: !g, %w: !w, %n: index) kernel attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
{NUMBERS}{TILES}{body}
gpu.return
  }}
}}
"""


def lines(line, first=0):
    """As many lines as make a megabyte; {0} is the number of a line, {1} of the one before."""
    count = SIZE // len(line.format(10000, 10000))
    return "".join(line.format(i, i - 1) for i in range(first + 1, count + 1))


def last(text):
    """The number of the last line."""
    return re.findall(r"^%\D+(\d+) =", text, re.M)[-1]


def commas(item, size=SIZE):
    return ", ".join([item] * (size // (len(item) + 2)))


def views():
    chain = "%v0 = tile.view %a : !t to !t\n" + lines("%v{0} = tile.view %v{1} : !t to !t\n")
    return kernel(chain + f'tile.apply "mov.b32"(%v{last(chain)}, %x) : !t, i32\n')


def moving_views():
    chain = "%v0 = tile.view %w : !w to !w\n" + lines("%v{0} = tile.view %v{1} : !w to !w\n")
    return kernel(chain + f'tile.apply "st.global.b32"(%v{last(chain)}, %b) : !w, !b\n')


def views_used():
    store = 'tile.apply "st.global.b32"(%v{0}, %b) : !w, !b\n'
    return kernel("%v0 = tile.view %w : !w to !w\n" + lines("%v{0} = tile.view %v{1} : !w to !w\n" + store))


def slices():
    type_ = "memref<1024x1xi32, strided<[1, 1], offset: ?>, 1>"
    return kernel("%v0 = tile.view %w : !w to !w\n" + lines(f"%v{{0}} = tile.slice %v{{1}}[%c0, 0] [1024, 1] : !w to {type_}\n"))


def moving_slices():
    """Each with a term more, which an application adds up."""
    slice_ = "%v{0} = tile.slice %v{1}[%d, 0] [1024, 1] : !w to !w\n"
    load = 'tile.apply "ld.global.b32"(%b, %v{0}) : !b, !w\n'
    zero = "%d = arith.remui %n, %c1 : index\n%v0 = tile.view %w : !w to !w\n"
    return kernel(zero + lines(slice_ + load))


def turns(count, end):
    """A begin that cannot be computed at the last turn, of all loops."""
    sums = "%s0 = arith.addi %i0, %c0 : index\n"
    sums += "".join(f"%s{i} = arith.addi %s{i - 1}, %i{i} : index\n" for i in range(1, count))
    sums += f"%all = arith.constant {count} : index\n%z = arith.subi %all, %s{count - 1} : index\n"
    sums += "%q = arith.divui %c1024, %z : index\n%r = arith.remui %q, %c1024 : index\n"
    sums += "%s = tile.slice %b[%r, 0] [1, 1] : !b to !s\n" + 'tile.apply "mov.b32"(%s, %x) : !s, i32\n'
    return kernel("".join(LOOP.format(i, end) for i in range(count)) + sums + "}" * count)


def in_loop(line):
    return kernel(LOOP.format("", 1024) + lines(line) + "}")


def layout(dimensions, stride="1"):
    shape, strides = commas(dimensions, SIZE // 2), commas(stride, SIZE // 2)
    return kernel(f"%l = tile.alloc : memref<1x1xi32, #tile.layout<[{shape}] : [{strides}]>, {PRIVATE}>\n")


KINDS = {
    "opcode": lambda: kernel(f'tile.apply "mov.{"b32." * (SIZE // 4)}b32"(%a, %x) : !t, i32\n'),
    "register": lambda: kernel(f'%r = ptx.mov "u32" special "{"a" * SIZE}" : () -> i32\n'),
    "symbol": lambda: kernel(APPLY, name="a" * SIZE),
    "operands": lambda: kernel(f'tile.apply "mov.b32"(%a, {commas("%x", SIZE // 2)}) : !t, {commas("i32", SIZE // 2)}\n'),
    "packed": lambda: kernel(f'%p = ptx.mov "b64" {commas("%x", SIZE // 2)} : ({commas("i32", SIZE // 2)}) -> i64\n'),
    "sink": lambda: kernel(
        f'tile.apply "mov.b64"(%a, %x) sink [{", ".join(map(str, range(SIZE // 8)))}] : !t, i32\n'),
    "if": lambda: kernel("%p = arith.cmpi eq, %x, %x : i32\n" + "scf.if %p {\n" * DEPTH + APPLY + "}" * DEPTH),
    "where": lambda: kernel("tile.where lanes(0 to 16) {\n" * DEPTH + APPLY + "}" * DEPTH),
    "layout": lambda: layout("1"),
    "iters": lambda: layout("2"),
    # MLIR itself takes time for the square of it.
    "rank": lambda: kernel(f"%l = tile.alloc : memref<{'1x' * 10_000}i32, {PRIVATE}>\n"),
    "extent": lambda: kernel(f"%l = tile.alloc : memref<{2**62}x1xi32, {PRIVATE}>\n"),
    "repeats": lambda: kernel(
        f"%l = tile.alloc : memref<{2**31}x1xi32, {PRIVATE}>\n"
        f'tile.apply "mov.b32"(%l, %x) : memref<{2**31}x1xi32, {PRIVATE}>, i32\n'),
    "applies": lambda: kernel(lines(APPLY)),
    "wheres": lambda: kernel(lines("tile.where lanes(0 to 16) {{\n" + APPLY + "}}\n")),
    "views": views,
    "moving-views": moving_views,
    "views-used": views_used,
    "slices": slices,
    "begins": lambda: in_loop(
        "%s{0} = tile.slice %b[%i, 0] [1, 1] : !b to !s\n" + 'tile.apply "mov.b32"(%s{0}, %x) : !s, i32\n'),
    "reads": lambda: in_loop("%r{0} = tile.read %b[%i, 0] : !b\n"),
    "sums": lambda: in_loop(
        "%d{0} = arith.addi %i, %c1 : index\n%e{0} = arith.remui %d{0}, %c1024 : index\n"
        "%s{0} = tile.slice %b[%e{0}, 0] [1, 1] : !b to !s\n" + 'tile.apply "mov.b32"(%s{0}, %x) : !s, i32\n'),
    "turns": lambda: turns(300, 2),
    "moving-slices": moving_slices,
    "functions": lambda: TYPES + "gpu.module @m {\n" + lines(
        f"gpu.func @f{{0}}(%x: i32) kernel {{{{\n%a = tile.alloc : !t\n{APPLY}gpu.return }}}}\n") + "}\n",
}


def run(options, text):
    """Exit status, standard error, seconds of a processor and MiB of memory."""

    def bounded():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # a guard; what counts is resident

    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(text.encode())
        stdin.seek(0)
        child = subprocess.Popen(["tile-opt", "-o", os.devnull, *options], stdin=stdin, stderr=stderr, preexec_fn=bounded)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        return child.returncode, stderr.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def fault(status, said, memory, limit):
    """What is wrong with a run, or nothing."""
    errors = len(re.findall(r"^<stdin>:\d+:\d+: error: ", said, re.M))
    if status not in (0, 1):
        return f"ended by status {status}"
    if errors != status:
        return f"status {status} and {errors} errors"
    if memory > limit:
        return f"more than {limit} MiB"
    return None


def main():
    bad = 0
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--memory", type=int, default=MEMORY)
    arguments.add_argument("kinds", nargs="*", default=list(KINDS))
    arguments = arguments.parse_args()
    for kind in arguments.kinds:
        text = KINDS[kind]()
        for mode, options in (("parse", []), ("check", ["--tile-check"])):
            status, said, seconds, memory = run(options, text)
            wrong = fault(status, said, memory, arguments.memory)
            bad += wrong is not None
            error = re.search(r"error: .{,100}", said)
            print(f"{kind} {mode}: {wrong or 'good'}, {seconds:.1f} s, {memory} MiB, {error[0] if error else 'no error'}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
