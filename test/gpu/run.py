"""Runs the GPU tests packed beside it (pack.py says how); needs Python and CuPy, no LLVM.

Each argument of a kernel is an object with `type`, one of i8 to i64, f16, f32, f64, and

    scalar    the value, passed as it is; or else the argument is the address of a buffer:
    values    its elements before the launch; absent: poison
    expect    its elements after the launch; absent: as before, for what the kernel must only read

Results are compared bit by bit. Around each buffer lies more poison, which no kernel may touch.
"""

import json
import pathlib
import struct
import sys

import cupy

GUARD = 256  # bytes before and after a buffer; keeps the alignment that CuPy allocates with
POISON = 0xCD


def width(type):
    return int(type[1:]) // 8


def encode(type, values):
    if type[0] == "f":
        return struct.pack(f"<{len(values)}{ {2: 'e', 4: 'f', 8: 'd'}[width(type)] }", *values)
    mask = (1 << 8 * width(type)) - 1  # either signedness
    return b"".join((value & mask).to_bytes(width(type), "little") for value in values)


def scalar(arg):
    kind = "float" if arg["type"][0] == "f" else "uint"
    value = arg["scalar"] if kind == "float" else int.from_bytes(encode(arg["type"], [arg["scalar"]]), "little")
    return getattr(cupy, f"{kind}{8 * width(arg['type'])}")(value)


def contents(arg):
    """What a buffer holds before the launch and must hold after it, guards included."""
    count = len(arg["values"] if "values" in arg else arg["expect"])
    poison = bytes([POISON]) * (count * width(arg["type"]))
    before = encode(arg["type"], arg["values"]) if "values" in arg else poison
    after = encode(arg["type"], arg["expect"]) if "expect" in arg else before
    if len(before) != len(after):
        raise ValueError("as many elements in 'values' as in 'expect' are wanted")
    if before is poison and any(a == bytes([POISON]) * len(a) for a in split(after, width(arg["type"]))):
        raise ValueError("an expected element is the poison itself, so the test could not fail: change it")
    guard = bytes([POISON]) * GUARD
    return guard + before + guard, guard + after + guard


def split(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def differences(got, want, size):
    """The elements that differ, as text; GUARD bytes on either side are no elements."""
    last = len(want) - GUARD
    for at, (g, w) in enumerate(zip(split(got, size), split(want, size))):
        if g != w:
            index = at - GUARD // size
            place = f"element {index}" if GUARD <= at * size < last else f"element {index}, outside the buffer"
            yield f"{place}: got 0x{g[::-1].hex()}, expected 0x{w[::-1].hex()}"


def run(test, dir):
    """Launches one kernel and returns what is wrong with its results."""
    kernel = cupy.RawModule(path=str(dir / f"{test['name']}.ptx")).get_function(test["kernel"])
    args, buffers = [], []
    for number, arg in enumerate(test["args"]):
        if "scalar" in arg:
            args.append(scalar(arg))
            continue
        before, after = contents(arg)
        buffer = cupy.array(list(before), dtype="uint8")
        args.append(buffer[GUARD:])
        buffers.append((number, width(arg["type"]), buffer, after))
    kernel(tuple(test["grid"]), tuple(test["block"]), tuple(args), shared_mem=test.get("shared", 0))
    return [
        f"argument {number}, {difference}"
        for number, size, buffer, after in buffers
        for difference in differences(bytes(cupy.asnumpy(buffer)), after, size)
    ]


def main():
    dir = pathlib.Path(__file__).parent
    passed = failed = 0
    for test in json.loads((dir / "tests.json").read_text()):
        try:
            faults = run(test, dir)
        except Exception as error:  # one broken test must not hide the others
            faults = [f"{type(error).__name__}: {error}"]
        passed, failed = (passed, failed + 1) if faults else (passed + 1, failed)
        print(f"FAIL {test['name']}: {faults[0]} ({len(faults)} in all)" if faults else f"PASS {test['name']}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
