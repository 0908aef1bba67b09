"""Changes the code and the records, one fault at a time, and counts what no test catches: see README.md."""

import argparse
import collections
import pathlib
import sys

import records
import rust

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENOUGH = 0.95


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__)
    parser.add_argument("files", nargs="*", help=f"Rust files, or records; by default {' '.join(rust.FILES)} records")
    parser.add_argument("--shard", help="K/N: part K of N of the mutants of each file, from 0 on")
    parser.add_argument("--seed", type=int, default=1, help="of the changes of records")
    parser.add_argument("--rounds", type=int, default=2, help="changes of each instruction")
    parser.add_argument("--shared", type=int, default=20, help="changes of what instructions share")
    args = parser.parse_args()
    files = args.files or [*rust.FILES, "records"]
    found = []
    if "records" in files:
        found += records.mutate(ROOT, args.rounds, args.shared, args.seed)
    code = [file for file in files if file != "records"]
    if code:
        found += rust.mutate(ROOT, code, args.shard)

    for what, kind in found:
        if kind == "missed":
            print(f"missed: {what}")
    kinds = collections.Counter(kind for _, kind in found)
    viable = len(found) - kinds["unviable"]
    caught = viable - kinds["missed"]
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    print(f"{caught} of {viable} mutants are caught, {100 * caught / max(viable, 1):.1f} %")
    return 0 if caught >= ENOUGH * viable else 1


if __name__ == "__main__":
    sys.exit(main())
