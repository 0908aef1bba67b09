"""Assembles PTX files, and what tile-translate makes of .mlir files: assemble.py PTXAS FILE... [-- OPTION OF tile-translate...]

Prints a line for each file; fails where tile-translate or ptxas refuses one, and where there is none.
"""

import pathlib
import subprocess
import sys

FLAG = "--chip="


def main():
    ptxas, *rest = sys.argv[1:]
    files, _, options = ("\n".join(rest)).partition("\n--\n")
    options = options.split("\n") if options else []
    chip = next((option.removeprefix(FLAG) for option in options if option.startswith(FLAG)), "sm_90")
    for file in map(pathlib.Path, files.split("\n")):
        ptx = file.read_bytes()
        if file.suffix == ".mlir":
            command = ["tile-translate", "--mlir-to-ptx", *options, file]
            ptx = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run([ptxas, f"-arch={chip}", "-o", "/dev/null", "/dev/stdin"], check=True, input=ptx)
        print(f"assembled {file.name} for {chip}")


if __name__ == "__main__":
    main()
