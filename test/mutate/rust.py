"""Mutants of Rust: cargo-mutants makes them and gives them to unit tests, and what these miss goes to lit."""

import json

from crates import SLOW, Alone, Tree

FILES = ["dialect/legality.rs", "dialect/layout.rs", "passes/lower_ptx.rs"]
LIT = ["dialect", "passes", "ptx"]
OUTCOMES = {"CaughtMutant": "caught", "MissedMutant": "missed", "Unviable": "unviable", "Timeout": "timeout"}


def mutate(root, files, shard):
    """The mutants of files, as (what it is, outcome)."""
    tree, found = Tree(root), []
    missed = []
    for file in files or FILES:
        copy, package = (Alone(root), "alone") if file.startswith("dialect/") else (tree, "ptx-tile-passes")
        for outcome, diff in unit_tests(copy, package, file, shard):
            kind, name = OUTCOMES[outcome["summary"]], outcome["scenario"]["Mutant"]["name"]
            missed.append((name, diff)) if kind == "missed" else found.append((name, kind))
    if missed and not suite(tree):
        raise SystemExit("lit or the random programs fail without any mutant")
    for name, diff in missed:
        tree.run("patch", "-p1", "--silent", f"--input={diff}")
        found.append((name, "missed" if suite(tree) else "caught"))
        tree.run("patch", "-p1", "--silent", "--reverse", f"--input={diff}")
        print("{1}, by lit: {0}".format(*found[-1]), flush=True)
    return found


def unit_tests(copy, package, file, shard):
    """The outcomes of cargo-mutants for a file, each with the path of its diff."""
    out = copy.path.parent / file.replace("/", "-")
    skipped = [word for name in SLOW for word in ("--skip", name)]
    if not copy.passes("cargo", "test", f"--package={package}", "--lib", "--", *skipped):
        raise SystemExit(f"the unit tests of {file} fail without any mutant")
    shards = [f"--shard={shard}", "--sharding=round-robin"] if shard else []
    copy.run("cargo", "mutants", "--in-place", "--baseline=skip", "--timeout=60", "--no-shuffle", f"--file={file}",
             f"--output={out}", f"--test-package={package}", "--cargo-arg=--lib", *shards, "--", "--", *skipped)
    outcomes = json.loads((out / "mutants.out/outcomes.json").read_text())["outcomes"]
    return [(it, out / "mutants.out" / it["diff_path"]) for it in outcomes]


def suite(tree):
    """Whether lit and the random programs find nothing."""
    lit = [".venv/bin/lit", "--quiet", "--max-failures=1", f"-Dprograms={tree.built}/debug"]
    return (tree.passes("cargo", "build", "--package=ptx-tile-tools")
            and tree.passes(*lit, *(f"test/{folder}" for folder in LIT))
            and tree.passes("cargo", "test", "--package=ptx-tile-passes", "--test=execute"))
