"""Prints the assembly text of the gpu.binary ops on standard input, as MLIR's printer escapes it."""

import re
import sys

for text in re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read()):
    text = re.sub(r"\\([0-9A-F]{2}|.)", lambda escape: chr(int(escape[1], 16)) if len(escape[1]) == 2 else escape[1], text)
    sys.stdout.write(text)
