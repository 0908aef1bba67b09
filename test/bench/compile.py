"""Measures compiling, and fails when a bound is missed. The programs and those of LLVM must be on PATH: ./dev bench

Bounds are on the time that a processor works for the user, which a busy machine disturbs least; ratios are of runs in
turn. `llc` is given the LLVM IR that our emitter gives to LLVM's code generator, without anything of MLIR to do.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import measure
import programs

SIZES = (1_024, 4_096, 16_384, 65_536)
CROSSING_SIZES = (256, 1_024, 4_096)
# What is measured for comparison alone is not waited for. The reference system has time for two sizes.
PATIENCE = 60
REFERENCE_SIZES = (1_024, 4_096)
REFERENCE_PATIENCE = 180
RUNS = 5
PROGRAMS = ("tile-opt", "tile-translate", "mlir-opt", "mlir-translate", "opt", "llc")
# nvptx.rs has the same.
IR_PASSES = "instsimplify,adce,mem2reg,sroa,early-cse,loop(loop-deletion)"
LLC = ["llc", "-O1", "-disable-nvptx-load-store-vectorizer", "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90"]
STOCK = "--gpu-lower-to-nvvm-pipeline=cubin-format=isa cubin-chip=sm_90 cubin-features=+ptx78"


class Bench:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.missed = 0
        self.report = []

    def say(self, line=""):
        print(line, flush=True)
        self.report.append(line)

    def bound(self, what, value, most, unit=""):
        good = value <= most
        self.missed += not good
        self.say(f"- {what}: {value:.2f}{unit}, at most {most}{unit}: {'ok' if good else 'MISSED'}")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def output(self, name, *command):
        path = str(self.folder / name)
        subprocess.run([*command, "-o", path], check=True)
        return path

    def final_ir(self, source):
        """What LLVM's code generator is given for a program of one gpu.module."""
        lower = ["tile-opt", "--tile-to-nvvm", source]
        lowered = subprocess.run(lower, check=True, capture_output=True, text=True).stdout
        inner = re.sub(r"gpu\.module @\w+ [^\n]*{\n", "module {\n", lowered, count=1).strip().splitlines()[1:-1]
        name = pathlib.Path(source).stem
        llvm = self.write(f"{name}.llvm.mlir", "\n".join(inner))
        ir = self.output(f"{name}.raw.ll", "mlir-translate", "--mlir-to-llvmir", llvm)
        return self.output(f"{name}.ll", "opt", "-S", f"-passes={IR_PASSES}", ir)

    def ours(self, source):
        return ["tile-translate", "--mlir-to-ptx", source]

    def start_up(self):
        self.say("\n## Start-up\n")
        empty = self.write("empty.mlir", programs.EMPTY)
        for what, argument in (("--version", "--version"), ("an empty module", empty)):
            ours, stock = measure.medians(20, ["tile-opt", argument], ["mlir-opt", argument])
            self.say(f"{what}: tile-opt {ours.processor * 1e3:.1f} ms of processor time, "
                     f"mlir-opt {stock.processor * 1e3:.1f} ms (medians of 20)\n")
            self.bound(f"ratio, {what}", ours.processor / stock.processor, 1.2)

    def straight(self, lines):
        self.say("\n## A kernel that loads, moves and stores N registers\n")
        self.say("| N | tile-translate | memory | llc -O1 alone | memory | ratio |\n|---|---|---|---|---|---|")
        least = measure.run(self.ours(self.write("none.mlir", programs.EMPTY_KERNEL))).memory
        results = {}
        for size in SIZES:
            source = self.write(f"straight{size}.mlir", programs.straight(size))
            ours, llc = measure.medians(RUNS, self.ours(source), [*LLC, self.final_ir(source), "-o", "/dev/null"])
            results[size] = ours, llc
            lines["ptx-tile: tile-translate --mlir-to-ptx"][size] = ours.user
            lines["llc -O1 alone, given LLVM IR"][size] = llc.user
            self.say(f"| {size:,} | {ours.user:.3f} s | {ours.memory / 1e6:.0f} MB "
                     f"| {llc.user:.3f} s | {llc.memory / 1e6:.0f} MB | {ours.user / llc.user:.2f} |")
        self.say()
        for size, (ours, llc) in results.items():
            self.bound(f"ratio to llc, N = {size:,}", ours.user / llc.user, 1.5)
        small, large = results[SIZES[1]][0], results[SIZES[-1]][0]
        self.bound(f"from N = {SIZES[1]:,} to {SIZES[-1]:,}", large.user / small.user, 26)
        memory = (large.memory - least) / (3 * SIZES[-1])
        self.bound("memory for each instruction above the start", memory / 1e3, 10, " KB")

    def crossing(self):
        self.say("\n## The same with registers that live across a loop and a branch\n")
        self.say("| N | tile-translate | llc -O1 alone | ratio |\n|---|---|---|---|")
        results = {}
        for size in CROSSING_SIZES:
            source = self.write(f"crossing{size}.mlir", programs.crossing(size))
            ours, llc = measure.medians(RUNS, self.ours(source), [*LLC, self.final_ir(source), "-o", "/dev/null"])
            results[size] = ours.user / llc.user
            self.say(f"| {size:,} | {ours.user:.3f} s | {llc.user:.3f} s | {results[size]:.2f} |")
        self.say()
        for size in CROSSING_SIZES:
            # Below, the start counts for more than the work.
            if size >= SIZES[0]:
                self.bound(f"ratio to llc, N = {size:,}", results[size], 1.5)

    def stock(self, lines):
        self.say("\n## The stock pipeline, given what tile-expand and convert-ptx-to-llvm make\n")
        for size in SIZES:
            source = str(self.folder / f"straight{size}.mlir")
            passes = "--pass-pipeline=builtin.module(gpu.module(tile-expand,convert-ptx-to-llvm))"
            expanded = self.output(f"expanded{size}.mlir", "tile-opt", passes, source)
            cost = measure.run(["mlir-opt", STOCK, expanded, "-o", "/dev/null"], PATIENCE)
            if not cost:
                self.say(f"- N = {size:,}: more than {PATIENCE} s")
                return
            lines["mlir-opt, its own pipeline, given expanded input"][size] = cost.user
            self.say(f"- N = {size:,}: {cost.user:.2f} s (one run)")

    def reference(self, lines):
        self.say("\n## The reference system, apache-tvm-tirx, by nvcc\n")
        self.say("Its PTX has N of ld.global.b32, mov.b32 and st.global.b32, as ours, and an addition for each address.\n")
        command = [sys.executable, str(pathlib.Path(__file__).with_name("reference.py"))]
        tried = subprocess.run([*command, "4", self.folder / "reference4.ptx"], capture_output=True, text=True)
        if tried.returncode:
            self.say(f"- it does not run here: {(tried.stderr.strip() or 'no reason given').splitlines()[-1]}")
            return
        for size in REFERENCE_SIZES:
            source, ptx = (self.folder / f"reference{size}.{kind}" for kind in ("cu", "ptx"))
            front = measure.run([*command, str(size), str(source)], REFERENCE_PATIENCE)
            cost = front and measure.run([*command, str(size), str(ptx)], REFERENCE_PATIENCE)
            if not cost:
                self.say(f"- N = {size:,}: more than {REFERENCE_PATIENCE} s")
                return
            differs = programs.differs(ptx.read_text(), size)
            if differs:
                self.missed += 1
                self.say(f"- N = {size:,}: its PTX does other work, with {differs}: MISSED")
                return
            lines["apache-tvm-tirx, by nvcc"][size] = cost.user
            self.say(f"- N = {size:,}: {cost.user:.2f} s, to CUDA C++ alone {front.user:.2f} s (one run each)")

    def many(self):
        self.say("\n## Many small kernels in a gpu.module\n")
        sources = [self.write(f"many{count}.mlir", programs.many(count)) for count in (500, 1_000)]
        half, whole = measure.medians(RUNS, *map(self.ours, sources))
        self.say(f"1,000 kernels: {whole.wall:.2f} s, with {whole.processor:.2f} s of processor time; "
                 f"500: {half.wall:.2f} s\n")
        self.bound("from 500 to 1,000", whole.user / half.user, 2.2)
        self.bound("share of the processor time that passes, on two processors", whole.wall / whole.processor, 0.85)

    def expand(self):
        self.say("\n## tile-expand of a register copy\n")
        sources = [self.write(f"expand{size}.mlir", programs.straight(size)) for size in (10_000, 100_000)]
        commands = [["tile-opt", "--tile-expand", path, "-o", "/dev/null"] for path in sources]
        small, large = measure.medians(RUNS, *commands)
        self.say(f"N = 10,000: {small.user:.3f} s; N = 100,000: {large.user:.3f} s\n")
        self.bound("ratio of the two", large.user / small.user, 20)


def main():
    parser = argparse.ArgumentParser(description="measure compiling")
    parser.add_argument("out", type=pathlib.Path, help="folder for compile.md and compile.svg")
    out = parser.parse_args().out
    for program in PROGRAMS:
        if not shutil.which(program):
            sys.exit(f"bench: {program} is not on PATH")
    out.mkdir(parents=True, exist_ok=True)
    lines = {name: {} for name in ("ptx-tile: tile-translate --mlir-to-ptx", "llc -O1 alone, given LLVM IR",
                                   "mlir-opt, its own pipeline, given expanded input", "apache-tvm-tirx, by nvcc")}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        bench.start_up()
        bench.straight(lines)
        bench.crossing()
        bench.many()
        bench.expand()
        bench.stock(lines)
        bench.reference(lines)
    (out / "compile.md").write_text("\n".join(bench.report) + "\n")
    import plot

    plot.draw(out / "compile.svg", {name: times for name, times in lines.items() if times})
    sys.exit(bench.missed > 0)


if __name__ == "__main__":
    main()
