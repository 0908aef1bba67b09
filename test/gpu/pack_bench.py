"""Packs the GPU bench into a folder that runs where there is only Python and CuPy: python3 DIR/bench.py

A program of bench/ and its twin in cuda/ become machine code by the same ptxas. Its lines `// BENCH:` hold, as JSON,

    grid, block    launch shape
    in, out        the buffers, its first two arguments: element type, number of elements and, for the input, the end
                   of the whole numbers from 0 that it is filled with; absent: any bits
    scalars        its other arguments, each a type and a value (optional)
    expect         what out holds afterwards, in CuPy: `a` is the input, `o` what out held before
    of copy        the least share of the bandwidth of a copy by the driver (optional)
"""

import argparse
import json
import pathlib
import shutil
import sys

import cubin

MARK = "// BENCH:"


def describe(file):
    lines = file.read_text().splitlines()
    text = "\n".join(line.removeprefix(MARK) for line in lines if line.startswith(MARK))
    if not text:
        sys.exit(f"{file}: no line `{MARK}` says how to launch it")
    return {"name": file.stem} | json.loads(text)


def main():
    parser = argparse.ArgumentParser(description="pack the GPU bench for a machine with Python and CuPy")
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--chip", default="sm_90")
    args = parser.parse_args()

    args.dir.mkdir(parents=True, exist_ok=True)
    kernels = []
    for file in sorted((cubin.HERE / "bench").glob("*.mlir")):
        for source, whose in ((file, "ours"), (cubin.twin(file), "theirs")):
            cubin.compile(source, args.dir / f"{file.stem}.{whose}.cubin", args.chip)
        kernels.append(describe(file))
    (args.dir / "bench.json").write_text("[" + ",\n".join(map(json.dumps, kernels)) + "]\n")
    shutil.copy(cubin.HERE / "bench.py", args.dir)
    print(f"packed {len(kernels)} kernels for {args.chip}: measure them with python3 {args.dir / 'bench.py'}")


if __name__ == "__main__":
    main()
