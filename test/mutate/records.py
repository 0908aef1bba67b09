"""Mutants of the records, which changes.py makes: given to the unit tests, to ptxas (a sample, then all), to the pages.

Changes of different instructions do not meet: ptxas is asked of many at once, and a fault says of which instruction
it is.
"""

import re
import subprocess

import changes
from crates import Alone, Tree

UNITS = ["instruction::", "legality::", "semantics::tests"]
SAMPLE = ["--test=variants", "--", "--nocapture", "ptxas_"]
CERTIFY = ["--test=variants", "--", "--ignored", "--nocapture", "certify"]
PAGES = ["--test=docs", "--", "documentation_is_up_to_date"]


def mutate(root, rounds, shared, seed):
    """A change of each instruction for each round and some of what they share, as (what it is, who catches it)."""
    alone = Alone(root)
    table = alone.path / "made/instructions.rs"
    text = table.read_text()
    found, left = [], []
    for change in changes.sample(text, rounds, shared, seed):
        table.write_text(changed(text, [change]))
        caught = by_unit_tests(alone)
        found.append((change.what, caught)) if caught else left.append(change)
    table.write_text(text)

    tree = Tree(root)
    table = tree.output_folder("--release") / "instructions.rs"
    for judge, says in ((SAMPLE, "ptxas"), (CERTIFY, "ptxas"), (PAGES, "pages")):
        rest = []
        for group in apart(left):
            caught = accused(tree, table, text, judge, group)
            found += [(change.what, says) for change in caught]
            rest += [change for change in group if change not in caught]
        left = rest
    table.write_text(text)
    return found + [(change.what, "missed") for change in left]


def changed(text, some):
    for change in some:
        text = text.replace(change.old, change.new, 1)
    return text


def by_unit_tests(alone):
    if not alone.passes("cargo", "test", "--lib", "--no-run"):
        return "unviable"
    return "" if alone.passes("cargo", "test", "--lib", "--", *UNITS) else "unit tests"


def accused(tree, table, text, judge, group):
    """The changes of a group whose instructions a test names. Where it fails and names none, it is asked of halves."""
    table.write_text(changed(text, group))
    ran = tree.run("cargo", "test", "--release", "--package=ptx-tile-tools", *judge, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT)
    before, after = changes.Table(text), changes.Table(changed(text, group))
    words = {mnemonic: before.words(mnemonic) | after.words(mnemonic) for mnemonic in before.instructions}
    said = ran.stdout.rpartition(" faults\n")[2]  # certify says more before that
    names = {named(line, words) for line in said.splitlines()}
    caught = [change for change in group if change.touches & names]
    if caught or ran.returncode == 0:
        return caught
    if len(group) == 1:
        return group
    halves = group[: len(group) // 2], group[len(group) // 2 :]
    return [change for half in halves for change in accused(tree, table, text, judge, half)]


def named(line, words):
    """The mnemonic that a fault is of, if any."""
    if " is old: " in line:
        page = re.search(r"docs/instructions/(\w+)\.md is old", line)
        return page and page[1]
    found = re.search(rf'\b({"|".join(sorted(words))})(?: "|: |((?:\.[\w:]+)+))', line)
    if not found:
        return None
    # A word of another instruction, which that lacks now, is a fault of that one.
    foreign = set((found[2] or "").split(".")) - words[found[1]] - {""}
    return None if foreign else found[1]


def apart(some):
    """Groups of changes that concern different instructions."""
    groups = []
    for change in some:
        free = (group for group in groups if all(change.touches.isdisjoint(other.touches) for other in group))
        group = next(free, None)
        if group is None:
            groups.append(group := [])
        group.append(change)
    return groups
