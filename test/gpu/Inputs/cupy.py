"""Stands in for CuPy where run.py itself is tested: its kernel stores the bytes STORE into its first argument."""

import os


def array(values, dtype):
    return memoryview(bytearray(values))


def asnumpy(buffer):
    return buffer


class RawModule:
    def __init__(self, path):
        open(path).close()

    def get_function(self, name):
        def launch(grid, block, args, shared_mem):
            stored = bytes.fromhex(os.environ["STORE"])
            args[0][: len(stored)] = stored

        return launch
