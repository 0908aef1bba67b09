"""Compares expansion with the reference system, record by record: instruction by instruction, slot by slot.

cases.jsonl holds 252 observations of apache-tvm-tirx 0.1.0a4 for sm_90, one a line: a call of a PTX instruction on
tiles, and what became of it. They are reduced to facts: generated code and the texts of messages are left out, layouts
are iters [extent, stride, axis], expressions lack the names of their Python modules, a call in another form than plain
operands is spelled out by fields ("view", "element", "declared", "surface"), and a computed word of an instruction is
the slots that its expression reads at that moment. "registers" are the slots that a tile gets,
"slots_outside_allocation" those used beyond.

translate.py makes a module of every record, tile-opt expands all of them in one run with forward=false, and
expansion.py says what each thread then does. Outcomes:

    same         the same instructions on the same slots, which hold what the same instruction wrote
    both refuse  ours by the words that decisions.json has for the record
    differs      decisions.json says by which rule and why, what ours does, and how that reads here
    skipped      ours says that something is not there yet

Everything else fails, also a line of decisions.json that is not true any more. tile-opt must be on PATH.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import plant
from expansion import Thread, Unreadable, Word, read, reads
from translate import TYPES, Program

HERE = pathlib.Path(__file__).parent
COMMAND = [
    "tile-opt", "--tile-expand=forward=false", "--split-input-file", "--mlir-print-op-generic",
    "--mlir-print-debuginfo", "-",
]
SEPARATOR = "// -----\n"
# A rule of the contract, a number of its list of differences, or a section of the design.
RULE = re.compile(r"[DR]\d+|design \d+(\.\d+)?")

# What tile-opt made of a record: its program, what was printed, and the messages of its errors.
Expansion = collections.namedtuple("Expansion", "program output errors")
Outcome = collections.namedtuple("Outcome", "kind why")


def expand(records):
    programs = [Program(record, number) for number, record in enumerate(records)]
    source = SEPARATOR.join(program.text for program in programs)
    run = subprocess.run(COMMAND, input=source, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"tile-opt ended with {run.returncode}:\n{run.stderr[-4000:]}")
    owner = [number for number, program in enumerate(programs) for _ in range(program.text.count("\n") + 1)]
    errors = collections.defaultdict(list)
    # At a location of a file "case", where tiles are declared, the line is the number of the record.
    for file, line, message in re.findall(r"^(\S*?):(\d+):\d+: error: (.*)$", run.stderr, re.M):
        errors[int(line) if file == "case" else owner[int(line) - 1]].append(message)
    outputs = run.stdout.split(SEPARATOR)
    if len(outputs) != len(programs):
        sys.exit(f"tile-opt printed {len(outputs)} modules for {len(programs)}:\n{run.stderr[-4000:]}")
    return [Expansion(*pair, errors[number]) for number, pair in enumerate(zip(programs, outputs))]


# Instructions of both sides in one form, so that equal is the same. A word that is read is its tile, its slot, and the
# number of the instruction that wrote it there.


def ours(record, expansion):
    """What each thread does, by its number, and the registers of each tile."""
    module, threads, registers = read(expansion.output), {}, {}
    for number in (number for group in record.get("peer_result", [None]) for number in threads_of(group)):
        thread = Thread(module, expansion.program.arguments, number, record["launch"]["block"])
        threads[number] = [our_form(instruction) for instruction in thread.instructions]
        registers |= {tile: count for tile, (_, count) in thread.arrays.items()}
    return threads, registers


def threads_of(group):
    """The threads that the reference has do the same; where it refuses, thread 0 stands for all."""
    ranges = group["threads"] if group else [[0, 0]]
    return [number for first, last in ranges for number in range(first, last + 1)]


def our_form(instruction):
    if "runtime_condition" in instruction:
        return instruction
    word = lambda read: (read.tile, read.slot, read.writer)
    form = lambda value: word(value) if isinstance(value, Word) else ("scalar", sorted(map(word, reads(value))))
    return {**instruction, "src": list(map(form, instruction["src"])), "old": list(map(form, instruction["old"]))}


def theirs(record, instructions):
    tiles = [operand for operand in record["operands"] + record.get("declared", []) if operand["kind"] == "tile"]
    bytes_of = {tile["name"]: int(re.search(r"\d+", TYPES[tile["dtype"]]).group()) // 8 for tile in tiles}
    writers, forms = {}, []
    word = lambda slot: (*slot, writers.get(tuple(slot)))
    for number, instruction in enumerate(instructions):
        if "runtime_condition" in instruction:
            forms.append({"runtime_condition": True})
            continue
        form = {"op": instruction["op"], "dst": [tuple(slot) for slot in instruction.get("dst", [])]}
        form["src"] = [
            ("scalar", sorted(map(word, source["scalar"]))) if isinstance(source, dict) else word(source)
            for source in instruction.get("src", [])
        ]
        if "addr" in instruction:
            tile, element = instruction["addr"]
            form["addr"] = (tile, element * bytes_of[tile])
        form["pred"] = instruction.get("pred", False)
        form["old"] = [word(slot) for slot in form["dst"]] if instruction.get("keep_dst") else []
        writers |= {slot: number for slot in form["dst"]}
        forms.append(form)
    return forms


def show(form):
    if "runtime_condition" in form:
        return "a condition"
    slot = lambda at: "nowhere" if at is None else f"{at[0]}[{at[1]}]"
    word = lambda read: slot(read) + ("" if read[2] is None else f" of instruction {read[2]}")
    words = [slot(at) for at in form["dst"]]
    words += [f"[{form['addr'][0]}+{form['addr'][1]}]"] if "addr" in form else []
    words += [f"scalar({', '.join(map(word, read[1]))})" if read[0] == "scalar" else word(read) for read in form["src"]]
    old = f" old {', '.join(map(word, form['old']))}" if form["old"] else ""
    return f"{form['op']} {', '.join(words)}{' pred' if form['pred'] else ''}{old}"


def difference(record, threads, registers):
    """The first thing in which an expansion is not what the reference made; None if there is none."""
    for group in record["peer_result"]:
        expected = theirs(record, group["instructions"])
        for number in threads_of(group):
            found = threads[number]
            for place, (one, other) in enumerate(zip(found, expected)):
                if one != other:
                    return f"thread {number}, instruction {place}: {show(one)}; the reference has {show(other)}"
            if len(found) != len(expected):
                return f"thread {number} has {len(found)} instructions; the reference has {len(expected)}"
    for tile, count in record["registers"].items():
        # A tile that nothing reads or writes has no array.
        if registers.get(tile, count) != count:
            return f"{tile} has {registers[tile]} registers; the reference gives it {count}"
    return None


# Outcomes


def missing(record, message):
    """What ours does not have yet, by its own words. An opcode that the reference refuses too is simply wrong."""
    if (at := message.find(" not supported yet")) >= 0:
        return re.sub(r"^'tile.apply' op (operand #\d+( \(\w+\))?: )?", "", message[:at]) + " not supported yet"
    unknown = r"unknown instruction '\w+'"
    if record["expect"] == "ok":
        unknown += r"|\w+ has no modifier '\S+'|\S+ is no form of \w+"
    found = re.search(unknown, message)
    return found and found.group()


def outcome(record, expansion, decisions):
    """What became of a record, in the light of what was decided about it."""
    decided = {table: entries[record["id"]] for table, entries in decisions.items() if record["id"] in entries}
    kind, why = undecided(record, expansion)
    if kind == "FAIL":
        return Outcome(kind, why)
    entry = decided.pop({"differs": "differs", "both refuse": "refuses"}.get(kind), None)
    for table in decided:
        return Outcome("FAIL", f"is '{kind}' now; remove it from \"{table}\" in decisions.json")
    if kind in ("same", "skipped"):
        return Outcome(kind, why)
    if entry is None:
        return Outcome("FAIL", f"{kind}, about which decisions.json says nothing: {why}")
    if kind == "both refuse":
        return Outcome(kind if entry in why else "FAIL", why if entry in why else f"should refuse by '{entry}': {why}")
    does = "refuses" if expansion.errors else "ok"
    if entry["ours"] != does or entry["says"] not in why:
        return Outcome("FAIL", f"decisions.json has {entry['ours']}, '{entry['says']}'; ours {does}: {why}")
    return Outcome(kind, f"{entry['rule']}, ours {does}: {entry['why']}")


def undecided(record, expansion):
    """The outcome by itself."""
    errors, output = expansion.errors, expansion.output
    if len(errors) > 1:
        return "FAIL", f"{len(errors)} errors for one fault: {' | '.join(errors)}"
    if errors:
        if why := missing(record, errors[0]):
            return "skipped", why
        return "both refuse" if record["expect"] == "error" else "differs", errors[0]
    if not output.strip():
        return "FAIL", "neither an expansion nor an error"
    try:
        threads, registers = ours(record, expansion)
    except Unreadable as what:
        return "FAIL", f"the expansion has something unreadable: {what}"
    if record["expect"] == "error":
        return "differs", f"the reference refuses, ours is {'; '.join(map(show, threads[0]))}"
    why = difference(record, threads, registers)
    return ("differs", why) if why else ("same", "")


def faults_of(decisions, records):
    """What is wrong with decisions.json by itself."""
    known = {record["id"] for record in records}
    for name in (name for entries in decisions.values() for name in entries if name not in known):
        yield f"{name}: decisions.json decides about a record that does not exist"
    for name, entry in decisions["differs"].items():
        if not RULE.fullmatch(entry["rule"]) or not entry["why"] or not entry["says"]:
            yield f"{name}: decisions.json lacks a rule, a reason, or how it reads"


def print_one(record, expansion, found):
    print(expansion.program.text, *(f"error: {error}" for error in expansion.errors), sep="\n")
    if not expansion.errors:
        for number, forms in ours(record, expansion)[0].items():
            print(f"ours, thread {number}", *map(show, forms), sep="\n  ")
    for group in record.get("peer_result", []):
        forms = theirs(record, group["instructions"])
        print(f"the reference, threads {group['threads']}", *map(show, forms), sep="\n  ")
    print(f"{found.kind}: {found.why}")


def main():
    parser = argparse.ArgumentParser(description="compare expansion with the reference system")
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "cases.jsonl")
    parser.add_argument("--verbose", action="store_true", help="print every record")
    parser.add_argument("--show", metavar="ID", help="print one record: its program, our expansion, theirs")
    parser.add_argument("--self-test", action="store_true", help="plant faults, and fail if one is not found")
    args = parser.parse_args()

    records = [json.loads(line) for line in args.cases.read_text().splitlines()]
    decisions = json.loads((HERE / "decisions.json").read_text())
    faults = list(faults_of(decisions, records))
    if args.show:
        records = [record for record in records if record["id"] == args.show]
    if not records:
        sys.exit("no such record")
    expansions = expand(records)
    found = [outcome(record, expansion, decisions) for record, expansion in zip(records, expansions)]
    if args.show:
        print_one(records[0], expansions[0], found[0])
        sys.exit(found[0].kind == "FAIL")
    if args.self_test:
        sys.exit(not plant.all_found(records, expansions, found, decisions, outcome))

    of_kind = collections.defaultdict(list)
    for record, (kind, why) in zip(records, found):
        of_kind[kind].append((record["id"], why))
    for kind in ["same", "both refuse"] * args.verbose + ["differs"]:
        print(f"{kind}:", *(f"  {name}{': ' if why else ''}{why}" for name, why in of_kind[kind]), sep="\n")
    skipped = collections.defaultdict(list)
    for name, why in of_kind["skipped"]:
        skipped[why].append(name)
    print("skipped:", *(f"  {why}: {', '.join(names)}" for why, names in sorted(skipped.items())), sep="\n")
    for fault in [f"{name}: {why}" for name, why in of_kind["FAIL"]] + faults:
        print(f"FAIL {fault}")
    counts = [f"{len(of_kind[kind])} {kind}" for kind in ("same", "both refuse", "differs", "skipped")]
    print(f"{len(records)} records: {', '.join(counts)}, {len(of_kind['FAIL'])} failed")
    sys.exit(bool(of_kind["FAIL"] or faults))


if __name__ == "__main__":
    main()
