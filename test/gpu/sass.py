"""Compares the machine code of two programs, a tile program and the same by hand: python3 sass.py OURS THEIRS

Without arguments: each program of examples/ and of bench/ with its twin in cuda/. A program is a .mlir, .cu or .ptx
file (cubin.py), of one kernel. Ours must have

    no local memory    neither stack nor spilled registers
    no more registers  than theirs
    no more code       instructions, but for the branch to itself that ends a kernel and the NOPs behind it

cuobjdump, which says what there is, must be on PATH.
"""

import pathlib
import re
import sys
import tempfile
import typing

import cubin


class Code(typing.NamedTuple):
    registers: int
    local: int  # bytes
    instructions: list[str]


def read(path):
    """The one kernel of a cubin."""
    usage = cubin.run("cuobjdump", "-res-usage", path)
    used = {name: list(map(int, re.findall(rf"\b{name}:(\d+)", usage))) for name in ("REG", "STACK", "LOCAL")}
    if any(len(numbers) != 1 for numbers in used.values()):
        sys.exit(f"sass: {path} has {len(used['REG'])} kernels, one is wanted")
    lines = re.findall(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", cubin.run("cuobjdump", "-sass", path), re.MULTILINE)
    to_itself = (i for i, (place, text) in enumerate(lines) if re.fullmatch(rf"BRA 0x0*{place.lstrip('0')}", text))
    end = next(to_itself, None)
    if end is None or any(text != "NOP" for _, text in lines[end + 1 :]):
        sys.exit(f"sass: {path} does not end in a branch to itself and NOPs")
    return Code(used["REG"][0], used["STACK"][0] + used["LOCAL"][0], [text for _, text in lines[:end]])


def worse(ours, theirs):
    """What is worse about ours, in words."""
    if ours.local or any(re.search(r"\b(LDL|STL)\b", text) for text in ours.instructions):
        yield f"{ours.local} bytes of local memory"
    if ours.registers > theirs.registers:
        yield f"{ours.registers} registers, by hand {theirs.registers}"
    if len(ours.instructions) > len(theirs.instructions):
        yield f"{len(ours.instructions)} instructions, by hand {len(theirs.instructions)}"


def compare(pairs):
    """Prints a line for each pair of programs, and says whether ours are as good."""
    print(f"{'':24}{'registers':>18}{'instructions':>18}")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            codes = []
            for whose, source in zip(("ours", "theirs"), pair):
                made = pathlib.Path(folder) / f"{source.stem}.{whose}.cubin"
                cubin.compile(source, made)
                codes.append(read(made))
            ours, theirs = codes
            faults = list(worse(ours, theirs))
            verdict = "ok" if not faults else "WORSE: " + ", ".join(faults)
            registers = f"{ours.registers} of {theirs.registers}"
            instructions = f"{len(ours.instructions)} of {len(theirs.instructions)}"
            print(f"{pair[0].stem:24}{registers:>18}{instructions:>18}  {verdict}")
            good &= not faults
    return good


def main():
    given = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if len(given) not in (0, 2):
        sys.exit("usage: sass.py [OURS THEIRS]")
    pairs = [given] if given else [(program, cubin.twin(program)) for program in cubin.PROGRAMS]
    sys.exit(not compare(pairs))


if __name__ == "__main__":
    main()
