"""The kernel of programs.straight for the reference system, which is imported where it is installed: ./dev bench

It is one process, from nothing to the text: to CUDA C++, or on to PTX by nvcc with the options of that system.
"""

import argparse
import pathlib

import tvm_tirx
from tvm_tirx.script import tirx as T
from tvm_tirx.support import nvcc

TARGET = {"kind": "cuda", "arch": "sm_90"}
TO_PTX = {"cuda": {"arch": "sm_90", "compiler": "nvcc", "target_format": "ptx"}}


def straight(registers):
    # The types and bodies of its functions are read where they are defined, so that `registers` is a constant there.
    @T.function
    def k0(source: T.Tensor((registers, 1), "uint32"), target: T.Tensor((registers, 1), "uint32")):
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=(1,), block=(1,))):
            a = T.alloc_local((registers, 1), "uint32", layout="default")
            b = T.alloc_local((registers, 1), "uint32", layout="default")
            T.cuda.tile.apply(T.ptx["ld.global.b32"], a, source)
            T.cuda.tile.apply(T.ptx["mov.b32"], b, a)
            T.cuda.tile.apply(T.ptx["st.global.b32"], target, b)

    return k0


def main():
    parser = argparse.ArgumentParser(description="compile a kernel that loads, moves and stores N registers")
    parser.add_argument("registers", type=int)
    parser.add_argument("out", type=pathlib.Path, help="a file .cu or .ptx")
    arguments = parser.parse_args()
    compiled = tvm_tirx.tirx.compile(straight(arguments.registers), target=tvm_tirx.target.Target(TARGET))
    (kernel,) = compiled.mod.imports  # of the module for the host
    text = kernel.inspect_source()
    if arguments.out.suffix == ".ptx":
        text = nvcc.compile_cuda(text, backend_config=TO_PTX).decode()
    arguments.out.write_text(text)


if __name__ == "__main__":
    main()
