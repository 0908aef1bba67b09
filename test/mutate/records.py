"""Mutants of the records, which changes.py makes: given to the unit tests, to ptxas (a sample, then all), to the pages,
to the tests of passes.

Changes of different instructions do not meet: ptxas is asked of many at once, and a fault says of which instruction
it is.
"""

import re
import subprocess

import changes
from crates import Alone, Tree

PACKAGES = ["--package=ptx-tile-tools", "--package=ptx-tile-passes"]
TESTS = ["--test=variants", "--test=docs", "--lib"]
UNITS = ["instruction::", "legality::", "named::", "semantics::tests"]


def mutate(root, rounds, shared, seed):
    """A change of each instruction for each round and some of what they share, as (what it is, who catches it)."""
    found, left = [], []

    def judged(change, who):
        found.append((change.what, who))
        print(f"{who}: {change.what}", flush=True)

    alone = Alone(root)
    table = alone.path / "made/instructions.rs"
    text = table.read_text()
    if by_unit_tests(alone):
        raise SystemExit("the unit tests fail without any mutant")
    for change in changes.sample(text, rounds, shared, seed):
        table.write_text(changed(text, [change]))
        who = by_unit_tests(alone)
        judged(change, who) if who else left.append(change)
    table.write_text(text)

    suite = Suite(Tree(root), text)
    for group in apart(left):
        for judge in suite.judges:
            caught = suite.accused(judge, group)
            for change in caught:
                judged(change, judge.__name__)
            group = [change for change in group if change not in caught]
        for change in group:
            judged(change, "missed")
    suite.put([])
    return found


def changed(text, some):
    for change in some:
        text = text.replace(change.old, change.new, 1)
    return text


def by_unit_tests(alone):
    if not alone.passes("cargo", "test", "--lib", "--no-run"):
        return "unviable"
    return "" if alone.passes("cargo", "test", "--lib", "--", *UNITS) else "unit tests"


class Suite:
    """What judges of many changes at once. Each judge gives what it says of faults, or nothing where it finds none."""

    def __init__(self, tree, text):
        self.tree, self.text = tree, text
        self.judges = [self.sample, self.certify, self.pages, self.lowering]
        self.table = tree.output_folder("test", "--no-run", *PACKAGES, *TESTS) / "instructions.rs"
        self.put([])
        for judge in self.judges:
            if judge(["mov"]) is not None:
                raise SystemExit(f"{judge.__name__} fails without any mutant")

    def put(self, some):
        text = changed(self.text, some)
        # Cargo builds anew what is written anew.
        if self.table.read_text() != text:
            self.table.write_text(text)

    def sample(self, mnemonics):
        return self.test("--test=variants", "--nocapture", "ptxas_")

    def certify(self, mnemonics):
        options = ["--ignored", "--nocapture", "certify"]
        said = self.test("--test=variants", *options, variables={"CERTIFY": " ".join(mnemonics)})
        return said and said.rpartition(" faults\n")[2]  # it says more before that

    def pages(self, mnemonics):
        said = self.test("--test=docs", "documentation_is_up_to_date")
        return said and "\n".join(line for line in said.splitlines() if " is old: " in line)

    def lowering(self, mnemonics):
        return None if self.test("--lib") is None else ""  # of which instruction a fault is, it does not say

    def test(self, target, *options, variables={}):
        command = ["cargo", "test", "--release", *PACKAGES, target, "--", *options]
        ran = self.tree.run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, variables=variables)
        return ran.stdout if ran.returncode else None

    def accused(self, judge, group):
        """The changes of a group that a judge has a fault of. Where it names no instruction, it is asked of halves."""
        if not group:
            return []
        self.put(group)
        said = judge(sorted(set().union(*(change.touches for change in group))))
        if said is None:
            return []
        if len(group) == 1:
            return group
        words = self.words(group)
        names = {named(line, words) for line in said.splitlines()}
        caught = [change for change in group if change.touches & names]
        if caught:
            return caught + self.accused(judge, [change for change in group if change not in caught])
        half = len(group) // 2
        return self.accused(judge, group[:half]) + self.accused(judge, group[half:])

    def words(self, group):
        """The words of each instruction, as they are and changed."""
        before, after = changes.Table(self.text), changes.Table(changed(self.text, group))
        return {mnemonic: before.words(mnemonic) | after.words(mnemonic) for mnemonic in before.instructions}


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
