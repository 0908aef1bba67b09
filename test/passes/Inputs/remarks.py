"""Holds remarks against what they are about: `remarks.py REMARKS.yaml PROGRAM.mlir EXPANDED.mlir PROGRAM.ptx` counts the
ptx ops that expansion added to each function and the instructions of each entry, and ends with 1 where a remark says
another number."""

import collections
import re
import sys


def remarks(path):
    """Function, name and arguments of each remark."""
    for text in open(path).read().split("--- !")[1:]:
        pairs = re.findall(r"^ *(?:- )?([\w-]+): +'?([^'\n]*)'?$", text, re.M)
        arguments = dict(pairs)
        yield arguments.pop("Function"), arguments.pop("Name"), arguments


def ops(path):
    """How often each function of expanded IR has each ptx op."""
    found = collections.defaultdict(collections.Counter)
    for line in open(path):
        line = line.split("//")[0]
        if begin := re.search(r"\b(?:gpu|llvm)?\.?func @?\"?([\w$.]+)", line):
            function = begin[1]
        if op := re.search(r"(?:^|= )\s*ptx\.(\w+) ", line):
            found[function][op[1]] += 1
    return found


def instructions(path):
    """How many instructions each entry of PTX has."""
    entries = re.findall(r"\.entry (\w+)\(.*?^\{(.*?)^\}", open(path).read(), re.M | re.S)
    return {name: len(re.findall(r"^\s(?!\s*[.])[^/\n]*;", body, re.M)) for name, body in entries}


said = list(remarks(sys.argv[1]))
faults = []
by_hand, ptx = ops(sys.argv[2]), instructions(sys.argv[4])
for function, by_mnemonic in ops(sys.argv[3]).items():
    totals = [arguments for of, name, arguments in said if (of, name) == (function, "total")]
    total = {key: int(number) for key, number in totals[0].items() if number.isdigit()} if len(totals) == 1 else None
    if total != {"Instructions": by_mnemonic.total()} | by_mnemonic:
        faults.append(f"{function}: total {total}, not {by_mnemonic}")
    expanded = sum(int(arguments["Instructions"]) for of, name, arguments in said if (of, name) == (function, "expand"))
    if expanded != by_mnemonic.total() - by_hand[function].total():
        faults.append(f"{function}: applications became {expanded} instructions, not all of {by_mnemonic.total()}")
for function, count in ptx.items():
    of_ptx = [arguments for of, name, arguments in said if (of, name) == (function, "ptx")]
    its = sum(int(of_ptx[0][key]) for key in ("Named", "Added")) if len(of_ptx) == 1 else None
    if its != count:
        faults.append(f"{function}: {its} instructions of PTX, not {count}")
print("\n".join(faults))
sys.exit(bool(faults) or not said or not ptx)
