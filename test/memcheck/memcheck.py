"""Runs the programs and the C API under valgrind's memcheck, over examples and the tests of passes, legal inputs and not.

    memcheck.py [REGEX]      only the inputs whose path matches

Reads and writes outside of memory, of freed and of undefined memory, and memory that is lost, are faults. What is still
reachable at the end is none: LLVM keeps tables of its own, and Rust what is static. Needs no suppressions with LLVM 22.1
and valgrind 3.19; one that is added says why. First it is shown that planted faults are seen.
"""

import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAULT = 99
VALGRIND = ["valgrind", "--quiet", f"--error-exitcode={FAULT}", "--leak-check=full", "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite", "--num-callers=30"]
SECONDS = 600
# A million instructions take hours.
TOO_LARGE = {"tile-expand-limit.mlir"}


def inputs():
    """Names and commands: each example to PTX, and the first run of each test of a pass."""
    for example in sorted((ROOT / "examples").glob("*.mlir")):
        yield example, ["tile-translate", "--mlir-to-ptx", str(example)]
    for folder in ("passes", "dialect"):
        for test in sorted((ROOT / "test" / folder).glob("*.mlir")):
            command = first_run(test)
            if command and test.name not in TOO_LARGE:
                yield test, command


def first_run(test):
    run = re.search(r"RUN: (?:not )?(tile-(?:opt|translate) [^|>]*)", test.read_text())
    words = shlex.split(run[1].removesuffix("2").replace("%s", str(test))) if run else []
    return words if words and "%" not in " ".join(words) else None


def capi():
    """The program of test/embed/capi.test, which lit makes."""
    lit = Path(sys.executable).parent / "lit"
    subprocess.run([lit, "-q", "--filter", "embed/capi.test", ROOT / "test"], check=True)
    yield ROOT / "test/embed/capi.test", [str(ROOT / "target/release/lit/embed/Output/capi.test.tmp/capi")]


def checked(command):
    """Whether memory was in order, and what valgrind said."""
    try:
        run = subprocess.run(VALGRIND + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False, f"no end after {SECONDS} s"
    # A program that refuses its input ends with 1; one that is killed is a fault, too.
    return run.returncode in (0, 1), run.stderr


def sees_planted_faults():
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "planted")
        subprocess.run(["cc", "-O0", "-g", "-o", program, ROOT / "test/memcheck/planted.c"], check=True)
        return not any(checked([program, fault])[0] for fault in ("read", "leak"))


def main():
    if not sees_planted_faults():
        sys.exit("memcheck: valgrind does not see a planted fault")
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    work = [(name, command) for name, command in [*capi(), *inputs()] if wanted.search(str(name))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda its: checked(its[1]), work)
        bad = 0
        for (name, _), (good, said) in zip(work, outcomes):
            bad += not good
            print(f"{name.relative_to(ROOT)}: {'good' if good else said}", flush=True)
    print(f"{len(work)} runs, {bad} with faults")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
