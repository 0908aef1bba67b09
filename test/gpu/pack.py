"""Packs GPU tests into a folder that runs where there is only Python and CuPy: python3 DIR/run.py

A GPU test is a .mlir file of this folder. Its lines `// GPU:` hold, as JSON,

    kernel         the entry's name
    grid, block    launch shape, one to three extents each
    shared         bytes of dynamic shared memory (optional)
    args           the kernel's arguments in order; run.py says what one holds
    program        another file to compile instead of this one, relative to it (optional)

lit packs and runs each such file alone, `./dev pack-gpu DIR` packs all of them: one description serves both.
tile-translate must be on PATH.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
MARK = "// GPU:"


def describe(file):
    lines = file.read_text().splitlines()
    test = json.loads("\n".join(line.removeprefix(MARK) for line in lines if line.startswith(MARK)) or "{}")
    if not any("expect" in arg for arg in test.get("args", [])):
        sys.exit(f"{file}: no argument under `{MARK}` expects anything, so the test could not fail")
    return {"name": file.stem, "program": file.name} | test


def main():
    parser = argparse.ArgumentParser(description="pack GPU tests for a machine with Python and CuPy")
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("tests", type=pathlib.Path, nargs="*", help="default: every .mlir file beside this script")
    parser.add_argument("--chip", default="sm_90")
    args = parser.parse_args()

    args.dir.mkdir(parents=True, exist_ok=True)
    tests = []
    for file in args.tests or sorted(HERE.glob("*.mlir")):
        test = describe(file)
        program, ptx = file.parent / test.pop("program"), args.dir / f"{file.stem}.ptx"
        command = ["tile-translate", "--mlir-to-ptx", "--chip", args.chip, program, "-o", ptx]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"{file}: tile-translate failed")
        tests.append(test)
    (args.dir / "tests.json").write_text("[" + ",\n".join(map(json.dumps, tests)) + "]\n")
    shutil.copy(HERE / "run.py", args.dir)
    print(f"packed {len(tests)} tests for {args.chip}: run them with python3 {args.dir / 'run.py'}")


if __name__ == "__main__":
    main()
