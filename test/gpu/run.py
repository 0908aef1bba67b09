"""Runs the GPU tests packed beside it (pack.py and silicon.rs say how); needs Python and CuPy, no LLVM.

Each argument of a kernel is an object with `type`, one of i8 to i128, f16, bf16, f32, f64, and

    scalar    the value, passed as it is; or else the argument is the address of a buffer:
    values    its elements before the launch; absent: poison
    expect    its elements after the launch; absent: as before, for what the kernel must only read
    mask      the bits of `expect` that count; absent: all
    near      numbers that its elements are after the launch, but for an error of `relative` or `absolute`; "any" is
              no number

Many elements are one string, their bytes as hexadecimal digits, or {"groups": 3, "of": [1, 0], "step": 2}: 1, 0, 3, 2, 5, 4. Results are compared bit by bit, where they are not
near. Around each buffer lies more poison, which no kernel may touch. With `--plant-faults` one expectation of each test
is changed first, so that all must fail.
"""

import json
import math
import pathlib
import struct
import sys

import cupy

GUARD = 256  # bytes before and after a buffer; keeps the alignment that CuPy allocates with
POISON = 0xCD


def width(type):
    return int(type.lstrip("bfi")) // 8


def encode(type, values):
    if isinstance(values, str):
        return bytes.fromhex(values)
    if isinstance(values, dict):
        values = [value + values["step"] * i for i in range(values["groups"]) for value in values["of"]]
    if type[0] == "f":
        return struct.pack(f"<{len(values)}{ {2: 'e', 4: 'f', 8: 'd'}[width(type)] }", *values)
    mask = (1 << 8 * width(type)) - 1  # either signedness
    return b"".join((value & mask).to_bytes(width(type), "little") for value in values)


def decode(type, bits):
    if type == "bf16":  # the upper half of an f32
        return struct.unpack("<f", bytes(2) + bits)[0]
    return struct.unpack("<" + {2: "e", 4: "f", 8: "d"}[width(type)], bits)[0]


def scalar(arg):
    kind = "float" if arg["type"][0] == "f" else "uint"
    value = arg["scalar"] if kind == "float" else int.from_bytes(encode(arg["type"], [arg["scalar"]]), "little")
    return getattr(cupy, f"{kind}{8 * width(arg['type'])}")(value)


def contents(arg):
    """What a buffer holds before the launch and must hold after it, guards included."""
    given = {key: encode(arg["type"], arg[key]) for key in ("values", "expect") if key in arg}
    size = max(map(len, given.values())) if given else len(arg["near"]) * width(arg["type"])
    poison = bytes([POISON]) * size
    before = given.get("values", poison)
    after = given.get("expect", before)
    if len(before) != len(after):
        raise ValueError("as many elements in 'values' as in 'expect' are wanted")
    exact = "near" not in arg and "mask" not in arg
    if exact and before is poison and any(a == bytes([POISON]) * len(a) for a in split(after, width(arg["type"]))):
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


def masked(got, want, mask):
    """What was got, with the bits of what was wanted where the mask has none."""
    mask = bytes([0xFF]) * GUARD + mask + bytes([0xFF]) * GUARD
    return bytes(g & m | w & ~m & 0xFF for g, w, m in zip(got, want, mask))


def far(got, arg):
    """The elements that are too far from what they approximate, as text."""
    for index, (bits, want) in enumerate(zip(split(got[GUARD:-GUARD], width(arg["type"])), arg["near"])):
        if want == "any":
            continue
        number, want = decode(arg["type"], bits), float(want)
        if math.isfinite(number) and math.isfinite(want):
            good = abs(number - want) <= max(arg["relative"] * abs(want), arg["absolute"])
        else:
            good = number == want or math.isnan(number) and math.isnan(want)
        if not good:
            yield f"element {index}: got {number!r}, expected {want!r} or near it"


MODULES = {}


def run(test, dir):
    """Launches one kernel and returns what is wrong with its results."""
    path = dir / test.get("ptx", f"{test['name']}.ptx")
    if path not in MODULES:
        MODULES[path] = cupy.RawModule(path=str(path))
    kernel = MODULES[path].get_function(test["kernel"])
    args, buffers = [], []
    for number, arg in enumerate(test["args"]):
        if "scalar" in arg:
            args.append(scalar(arg))
            continue
        before, after = contents(arg)
        buffer = cupy.array(list(before), dtype="uint8")
        args.append(buffer[GUARD:])
        buffers.append((number, arg, buffer, after))
    kernel(tuple(test["grid"]), tuple(test["block"]), tuple(args), shared_mem=test.get("shared", 0))
    return [
        f"argument {number}, {fault}"
        for number, arg, buffer, after in buffers
        for fault in faults(bytes(cupy.asnumpy(buffer)), after, arg)
    ]


def faults(got, want, arg):
    if "near" in arg:
        yield from far(got, arg)
        got = got[:GUARD] + want[GUARD:-GUARD] + got[-GUARD:]
    if "mask" in arg:
        got = masked(got, want, encode(arg["type"], arg["mask"]))
    yield from differences(got, want, width(arg["type"]))


def plant(test):
    """Makes one expectation of a test wrong: one in the middle of those that count."""
    for arg in test["args"]:
        if "near" in arg:
            places = [at for at, number in enumerate(arg["near"]) if not isinstance(number, str) and abs(number) > 1e-3]
            at = places[len(places) // 2]
            arg["near"][at] *= 1.5
            return
        if "expect" in arg:
            size = width(arg["type"])
            expect = bytearray(encode(arg["type"], arg["expect"]))
            mask = encode(arg["type"], arg["mask"]) if "mask" in arg else bytes([0xFF]) * len(expect)
            places = [at for at, bits in enumerate(mask) if bits]
            at = places[len(places) // 2]
            expect[at] ^= mask[at] & -mask[at]
            if "mask" not in arg and bytes(expect[at - at % size :][:size]) == bytes([POISON]) * size:
                expect[at] ^= 0xFF
            arg["expect"] = expect.hex()
            return


def main():
    dir = pathlib.Path(__file__).parent
    passed = failed = 0
    tests = [test for file in ("tests.json", "silicon.json") if (dir / file).exists()
             for test in json.loads((dir / file).read_text())]
    if "--plant-faults" in sys.argv[1:]:
        list(map(plant, tests))
    for test in tests:
        try:
            found = run(test, dir)
        except Exception as error:  # one broken test must not hide the others
            found = [f"{type(error).__name__}: {error}"]
        passed, failed = (passed, failed + 1) if found else (passed + 1, failed)
        print(f"FAIL {test['name']}: {found[0]} ({len(found)} in all)" if found else f"PASS {test['name']}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
