"""Measures the kernels packed beside it (pack_bench.py says how); fails when a bound is missed; needs Python and CuPy.

Each kernel is there twice: `ours` is a tile program, `theirs` the same by hand in CUDA C++. A round measures ours,
theirs and a copy of the input by the driver, one after the other, so that a slow spell meets all of them; what counts is the
median of the rounds. Bytes are those read and those written.
"""

import json
import pathlib
import statistics
import sys

import cupy

DIR = pathlib.Path(__file__).parent
ROUNDS = 40
LAUNCHES = 8  # in a measurement, so that beginning and end of it hardly count
RATIO = 1.02  # the most that ours may take, of the time of theirs


def filled(first, type, count, end=None):
    """A buffer of any bits, or of whole numbers from 0 to before `end`: the hashes of numbers from `first` on."""
    words = -(-count * cupy.dtype(type).itemsize // 4) if end is None else count
    bits = cupy.arange(first, first + words, dtype="uint32")
    for factor, shift in ((2654435761, 15), (2246822519, 13)):
        bits *= cupy.uint32(factor)
        bits ^= bits >> shift
    return bits.view(type)[:count] if end is None else (bits % cupy.uint32(end)).astype(type)


def same(x, y):
    return x.nbytes == y.nbytes and bool((x.view("uint32") == y.view("uint32")).all())


def milliseconds(launch):
    """Of one of several launches. Another comes first, so that the GPU never waits for Python."""
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    launch()
    begin.record()
    for _ in range(LAUNCHES):
        launch()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) / LAUNCHES


class Kernel:
    def __init__(self, its):
        self.its = its
        self.input = filled(0, *its["in"])
        self.scalars = [getattr(cupy, type)(value) for type, value in its.get("scalars", [])]

    def launcher(self, whose, out):
        kernel = cupy.RawModule(path=str(DIR / f"{self.its['name']}.{whose}.cubin")).get_function(self.its["name"])
        shape = (self.its["grid"],), (self.its["block"],)
        return lambda: kernel(*shape, (self.input, out, *self.scalars))

    def faults(self, launchers, before, outs):
        """What is wrong with the results, which have been computed once."""
        for launch, out in zip(launchers, outs):
            out[...] = before
            launch()
        expect = eval(self.its["expect"], {"cupy": cupy, "a": self.input, "o": before})
        if same(expect, before):
            yield "its result is what was there before, so the check could not fail"
        for whose, out in zip(("ours", "theirs"), outs):
            if not same(out, expect):
                yield f"{whose} gives wrong results"

    def measure(self):
        """The medians of ours, of theirs and of the driver's copy, in ms, after a check of the results."""
        before = filled(1 << 30, *self.its["out"])
        outs = [cupy.empty_like(before) for _ in range(2)]
        launchers = [self.launcher(*each) for each in zip(("ours", "theirs"), outs)]
        for fault in self.faults(launchers, before, outs):
            sys.exit(f"bench: {self.its['name']}: {fault}")
        copied = cupy.empty_like(self.input)
        launchers.append(lambda: copied.data.copy_from_device_async(self.input.data, self.input.nbytes))
        rounds = [[milliseconds(launch) for launch in launchers] for _ in range(ROUNDS)]
        return [statistics.median(times) for times in zip(*rounds)]

    def bytes(self):
        return sum(cupy.dtype(self.its[side][0]).itemsize * self.its[side][1] for side in ("in", "out"))


def missed(its, ours, theirs, share):
    """The bounds that a kernel misses, in words."""
    if ours / theirs > RATIO:
        yield f"{its['name']} takes {ours / theirs:.3f} of nvcc's time, at most {RATIO} is wanted"
    if share < its.get("of copy", 0):
        yield f"{its['name']} has {share:.3f} of the copy's bandwidth, at least {its['of copy']} is wanted"


def main():
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}, medians of {ROUNDS} rounds")
    print(f"{'':14}{'ours':>10}{'nvcc':>10}{'ratio':>8}{'ours':>12}{'driver copy':>14}{'share':>8}")
    faults = []
    for its in json.loads((DIR / "bench.json").read_text()):
        kernel = Kernel(its)
        ours, theirs, copy = kernel.measure()
        speed, of_copy = kernel.bytes() / ours / 1e9, 2 * kernel.input.nbytes / copy / 1e9
        print(f"{its['name']:14}{ours:7.3f} ms{theirs:7.3f} ms{ours / theirs:8.3f}{speed:7.3f} TB/s{of_copy:9.3f} TB/s"
              f"{speed / of_copy:8.3f}", flush=True)
        faults += missed(its, ours, theirs, speed / of_copy)
    print("\n".join(f"MISSED: {fault}" for fault in faults) or "all bounds are held")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
