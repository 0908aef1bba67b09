# The test suite: every .mlir and .test file under test/, examples/ through the link test/examples, and the pages of
# docs/instructions, whose examples run, through test/instructions.
#
# In a RUN line lit reads %t, %s, %p and what starts so: write %%tid, %%smid, %%p1 there. CHECK lines are left alone.

import glob
import os
import shutil
import subprocess
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# From `cargo test`, lit.rs says where the programs are; by hand (.venv/bin/lit test) they are those of ./dev build.
programs = lit_config.params.get("programs", os.path.join(root, "target", "release"))
llvm = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
if not os.path.exists(os.path.join(programs, "tile-opt")):
    lit_config.fatal(f"no tile-opt in {programs}: run ./dev build")

config.name = "ptx-tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".md"]
# embed-cpp is in test/embed; what the others have is run by fuzz.rs, gpu/sass.test and ./dev bench
config.excludes = ["Inputs", "README.md", "bench", "embed-cpp", "fuzz"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(programs, "lit")


def python_with_gpu():
    """A Python that imports CuPy and finds a GPU: often the system's, while lit runs in a venv."""
    probe = "import cupy; assert cupy.cuda.runtime.getDeviceCount() > 0"
    for python in (sys.executable, "python3"):
        if subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
            return python


# A test that needs one of these says REQUIRES, and is counted as unsupported without it.
in_venv = glob.glob(os.path.join(root, ".venv/lib/python*/site-packages/nvidia/cu*/bin/ptxas"))
ptxas = in_venv[0] if in_venv else shutil.which("ptxas")
gpu_python = python_with_gpu()
if ptxas:
    config.available_features.add("ptxas")
# nvcc comes with ptxas, what it compiles with by ./dev setup --cuda.
cuda_tools = os.path.dirname(ptxas or "")
if os.path.exists(os.path.join(cuda_tools, "../nvvm/bin/cicc")) and shutil.which("cuobjdump", path=cuda_tools):
    config.available_features.add("nvcc")
if gpu_python:
    config.available_features.add("gpu")

config.substitutions += [
    ("%root", root),
    ("%built", os.path.dirname(programs)),
    ("%plugin", os.path.join(programs, "libptx_tile.so")),
    ("%llvm", llvm),
    ("%ptxas", ptxas or "ptxas"),
    # The first block of MLIR under the heading Example.
    ("%example", "sed -n '/^## Example$/,$ { /^```mlir$/,/^```$/ { /^```mlir$/d; /^```$/q; p } }'"),
    ("%python", gpu_python or sys.executable),
]
tools = os.path.dirname(sys.executable)  # those of the venv
paths = [programs, os.path.join(llvm, "bin"), tools, os.environ["PATH"], cuda_tools]
config.environment["PATH"] = os.pathsep.join(paths)
# CuPy and Cargo keep things in HOME; a shared machine may allow one GPU only.
kept = ("HOME", "CARGO_HOME", "RUSTUP_HOME", "CUDA_VISIBLE_DEVICES")
config.environment |= {name: os.environ[name] for name in kept if name in os.environ}
for tool in ("cmake", "pkg-config"):
    if shutil.which(tool, path=config.environment["PATH"]):
        config.available_features.add(tool)
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # the source tree stays as it is
