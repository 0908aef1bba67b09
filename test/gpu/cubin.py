"""Machine code of a program: of tile code by tile-translate and ptxas, of CUDA C++ by nvcc, of PTX by ptxas.

All three must be on PATH. nvcc runs the ptxas beside it, which is to be the same one.
"""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PROGRAMS = sorted([*(HERE / "bench").glob("*.mlir"), *(HERE / "../../examples").resolve().glob("*.mlir")])


def twin(program):
    """The kernel of a tile program, as written by hand in CUDA C++."""
    return HERE / "cuda" / f"{program.stem}.cu"


def compile(source, cubin, chip="sm_90"):
    if source.suffix == ".cu":
        return run("nvcc", "-cubin", "-O3", f"-arch={chip}", source, "-o", cubin)
    if source.suffix == ".mlir":
        ptx = cubin.with_suffix(".ptx")
        run("tile-translate", "--mlir-to-ptx", "--chip", chip, source, "-o", ptx)
        source = ptx
    run("ptxas", "-O3", f"-arch={chip}", source, "-o", cubin)


def run(*command):
    """What a command prints."""
    if not shutil.which(command[0]):
        sys.exit(f"{command[0]} is not on PATH")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {' '.join(map(str, command))}")
    return done.stdout
