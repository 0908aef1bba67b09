"""Time and memory of commands."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Cost:
    user: float  # seconds
    system: float
    wall: float
    memory: int  # the greatest resident set, bytes

    @property
    def processor(self):
        return self.user + self.system


def run(command, limit=None):
    """One run, with the processes that it waits for; None where one takes more than `limit` seconds of processor time.

    Its output goes nowhere; what it says of an error is shown where it fails.
    """
    limits = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) if limit else None
    with tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # else Popen waits for it again
        if process.returncode and limit and usage.ru_utime + usage.ru_stime >= limit - 1:
            return None
        if process.returncode:
            errors.seek(0)
            sys.exit(f"bench: {' '.join(command)} failed\n{errors.read()}".rstrip())
    return Cost(usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss * 1024)


def medians(runs, *commands):
    """The median of each command, in turn within each round, so that a slow spell meets all of them."""
    first = [run(command) for command in commands]
    # It brings files and libraries into the cache, which does not count beside several seconds.
    rounds = [first] if max(cost.wall for cost in first) > 5 else []
    rounds += [[run(command) for command in commands] for _ in range(runs - len(rounds))]
    return [middle(costs) for costs in zip(*rounds)]


def middle(costs):
    return Cost(*(statistics.median(getattr(cost, field) for cost in costs) for field in Cost.__dataclass_fields__))
