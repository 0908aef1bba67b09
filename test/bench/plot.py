"""Draws time against the number of registers."""

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "ptx-tile", "font.family": "sans-serif"})

from matplotlib import pyplot, ticker  # noqa: E402, after the choice of what draws


def draw(path, lines):
    """`lines`: of each name, the seconds by number of registers."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for (name, times), marker in zip(lines.items(), "osD^v"):
        axes.loglog(times.keys(), times.values(), marker=marker, label=name)
    sizes = sorted({size for times in lines.values() for size in times})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda seconds, _: f"{seconds:g} s"))
    axes.set_xlabel("registers that a kernel loads, moves and stores")
    axes.set_ylabel("processor time (user) to PTX")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    figure.savefig(path, metadata={"Date": None})
