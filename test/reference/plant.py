"""Shows that compare.py finds faults: plants them one at a time, in what the reference did and in what was decided."""

import copy


def faulty_copies(record):
    """Copies of a record on which both sides agree, each with one fault, and what the fault is."""
    used = set()
    for at, group in enumerate(record["peer_result"]):
        for number, instruction in enumerate(group["instructions"]):
            if "op" not in instruction:
                continue
            used |= {slot[0] for key in ("dst", "src") for slot in instruction.get(key, []) if isinstance(slot, list)}

            def planted(what, change):
                copied = copy.deepcopy(record)
                instructions = copied["peer_result"][at]["instructions"]
                change(instructions, instructions[number])
                return f"{what} of instruction {number}", copied

            for key in ("dst", "src"):
                for word, slot in enumerate(instruction.get(key, [])):
                    for other in [[slot[0], slot[1] + 1], ["other", slot[1]]] if isinstance(slot, list) else []:
                        yield planted(f"{key} {word}", lambda _, one: one[key].__setitem__(word, other))
            if "addr" in instruction:
                tile, element = instruction["addr"]
                yield planted("address", lambda _, one: one.update(addr=[tile, element + 1]))
            yield planted("opcode", lambda _, one: one.update(op=one["op"] + ".x"))
            yield planted("predicate", lambda _, one: one.update(pred=not one.get("pred")))
            if instruction.get("dst"):
                yield planted("preserving", lambda _, one: one.update(keep_dst=not one.get("keep_dst")))
            yield planted("absence", lambda all, _: all.pop(number))
            yield planted("repetition", lambda all, one: all.insert(number, one))
            if number:
                yield planted("order", lambda all, _: all.insert(number - 1, all.pop(number)))
    for tile, count in record["registers"].items():
        if tile in used:
            yield f"registers of {tile}", {**record, "registers": {**record["registers"], tile: count + 1}}
    yield "acceptance", {**record, "expect": "error"}


def faulty_decisions(name, kind, decisions):
    """Decisions that are wrong about one record, and how."""

    def changed(table, entry):
        rest = {other: value for other, value in decisions[table].items() if other != name}
        return {**decisions, table: rest if entry is None else {**rest, name: entry}}

    if kind == "differs":
        entry = decisions["differs"][name]
        yield "no decision", changed("differs", None)
        yield "the opposite", changed("differs", {**entry, "ours": "ok" if entry["ours"] == "refuses" else "refuses"})
        yield "other words", changed("differs", {**entry, "says": "planted"})
    else:
        for does in ("ok", "refuses"):
            needless = {"rule": "D1", "ours": does, "says": "", "why": "planted"}
            yield f"a needless decision ({does})", changed("differs", needless)
    if kind == "both refuse":
        yield "no decision", changed("refuses", None)
        yield "other words", changed("refuses", "planted")
    else:
        yield "a needless refusal", changed("refuses", "")


def all_found(records, expansions, found, decisions, outcome):
    """Plants everything above, and prints what is not found."""
    planted, missed = 0, []
    for record, expansion, (kind, _) in zip(records, expansions, found):
        faults = [(what, record, changed) for what, changed in faulty_decisions(record["id"], kind, decisions)]
        if kind == "same":
            faults += [(what, copied, decisions) for what, copied in faulty_copies(record)]
        for what, copied, changed in faults:
            planted += 1
            if outcome(copied, expansion, changed).kind != "FAIL":
                missed.append(f"{record['id']}: {what}")
    for line in missed:
        print(f"NOT FOUND {line}")
    print(f"planted {planted} faults, found {planted - len(missed)}")
    return planted and not missed
