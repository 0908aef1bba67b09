"""What may be changed in the table that dialect/build.rs makes of the records, one fault a change.

A change is made where TableGen's loops are unrolled: it is in one form of one instruction, or in one token, type,
special register or kind of symbol. C++ sees none of this. Texts of the documentation stay as they are.
"""

import collections
import random
import re

# `touches` are the mnemonics that it may concern.
Change = collections.namedtuple("Change", "what old new touches")

FORM = re.compile(r"^Form \{.*?semantics: (?:None|Some\(semantics::\w+\)) \}", re.M)
POSITION = re.compile(r'Position \{ name: "([^"]*)", optional: (\w+), tokens: &\[([^]]*)\] \}')
OPERAND = re.compile(r'Operand \{ name: "([^"]*)", .*?, named: (?:None|Some\([\w:]+\)) \}')
NEEDS = re.compile(r"ptx: (\d+), sm: (\d+)")
VERSIONS = [10, 20, 31, 50, 63, 70, 74, 78, 80, 83, 86, 88, 90]
SMS = [0, 20, 35, 50, 70, 75, 80, 90, 100]


def replaced(match, group, new):
    """The whole match with one of its groups replaced."""
    begin, end = match.start(group) - match.start(), match.end(group) - match.start()
    return match[0][:begin] + new + match[0][end:]


def flipped(text, flag):
    old = re.search(rf"\b{flag}: (true|false)", text)
    return old and text[: old.start(1)] + ("false" if old[1] == "true" else "true") + text[old.end(1) :]


def without(text, part):
    """A text without one element of a list."""
    part = next(it for it in (f"{part}, ", f", {part}", part) if it in text)
    return text.replace(part, "", 1)


class Table:
    """The table as text, and what is in it."""

    def __init__(self, text):
        self.text = text
        tokens = re.findall(r"^static (TOKEN_\w+): .*kind: TokenKind::(\w+)", text, re.M)
        self.kinds = dict(tokens)
        self.semantics = sorted(set(re.findall(r"Some\(semantics::\w+\)", text)))
        self.types = [name for name, _ in re.findall(r"^static (TYPE_\w+)(): ", text, re.M)]
        self.instructions = {}
        starts = [match.start() for match in re.finditer(r"^Instruction \{", text, re.M)]
        ends = starts[1:] + [text.index("\n/// Every special register.")]
        for start, end in zip(starts, ends):
            part = text[start:end]
            self.instructions[re.search(r'mnemonic: "(\w+)"', part)[1]] = part

    def words(self, mnemonic):
        """The tokens of an instruction as they are written."""
        texts = dict(re.findall(r'^static (TOKEN_\w+): Token = Token \{ text: "([^"]*)"', self.text, re.M))
        return {texts[token] for token in re.findall(r"&(TOKEN_\w+)", self.instructions[mnemonic])}

    def of_instruction(self, mnemonic, choose):
        """A change of a kind that is chosen first, so that each kind is as likely."""
        part = self.instructions[mnemonic]
        forms = list(FORM.finditer(part))
        sites = collections.defaultdict(list)
        number, form = choose.choice(list(enumerate(forms)))
        summary = re.search(r'summary: "([^"]*)"', form[0])[1]
        for kind, what, new in self.of_form(form[0], choose):
            sites[kind].append((f"{mnemonic}, form {number} ({summary}): {what}", form[0], new))
        if len(forms) > 1:
            sites["form"].append((f"{mnemonic}, form {number} ({summary}): dropped", f"{form[0]}, ", ""))
        tail = part[forms[-1].end() :]
        for flag in ("reads_memory", "writes_memory", "convergent", "collective"):
            sites["effects"].append((f"{mnemonic}: {flag} flipped", tail, flipped(tail, flag)))
        for refused in re.findall(r"Refused \{[^}]*\}", tail):
            opcode = re.search(r'opcode: "([^"]*)"', refused)[1]
            sites["refused"].append((f"{mnemonic}: {opcode} no longer refused", tail, without(tail, refused)))
        what, old, new = choose.choice(sites[choose.choice(sorted(sites))])
        # The text around makes the place unique.
        changed = part.replace(old, new, 1) if old in part else part.replace(old.removesuffix(", "), "", 1)
        return Change(what, part, changed, frozenset([mnemonic]))

    def of_form(self, form, choose):
        """Kind, description and new text of each change of a form."""
        yield from self.of_positions(form, choose)
        operands = list(OPERAND.finditer(form))
        for operand in operands:
            for kind, what, new in self.of_operand(operand, choose):
                yield kind, f"operand {operand[1]}: {what}", form[: operand.start()] + new + form[operand.end() :]
            if len(operands) > 1:
                yield "operand", f"operand {operand[1]} dropped", without(form, operand[0])
        yield from self.of_needs(form, choose)
        its = re.search(r"semantics: (None|Some\(semantics::\w+\)) \}$", form)
        other = choose.choice([name for name in self.semantics if name != its[1]])
        yield "semantics", f"{its[1]} is {other}", form[: its.start(1)] + other + " }"

    def of_positions(self, form, choose):
        positions = list(POSITION.finditer(form))
        for position in positions:
            name, tokens = position[1], position[3].split(", ")
            put = lambda text: form[: position.start()] + text + form[position.end() :]
            token = choose.choice(tokens)
            kind = self.kinds[token.removeprefix("&")]
            others = [f"&{it}" for it in self.kinds if self.kinds[it] == kind and f"&{it}" not in tokens]
            other = choose.choice(others)
            if len(tokens) > 1:
                rest = ", ".join(it for it in tokens if it != token)
                yield "token", f"{name}: {token} dropped", put(replaced(position, 3, rest))
            swapped = ", ".join(other if it == token else it for it in tokens)
            yield "token", f"{name}: {token} is {other}", put(replaced(position, 3, swapped))
            yield "token", f"{name}: {other} added", put(replaced(position, 3, f"{position[3]}, {other}"))
            yield "optional", f"{name}: optional flipped", put(flipped(position[0], "optional"))
            yield "position", f"{name} dropped", without(form, position[0])
            yield "position", f"{name} twice", put(f"{position[0]}, {position[0]}")
        for one, two in zip(positions, positions[1:]):
            new = form[: one.start()] + two[0] + form[one.end() : two.start()] + one[0] + form[two.end() :]
            yield "position", f"{one[1]} and {two[1]} swapped", new

    def of_operand(self, operand, choose):
        text = operand[0]
        count = re.search(r"registers: (\d+)", text)
        other = choose.choice([it for it in "1248" if it != count[1]])
        yield "registers", f"{count[1]} registers are {other}", text.replace(count[0], f"registers: {other}")
        its = re.search(r"r#type: (OperandType::(?:First|Second|Own\(&\w+\)))", text)
        types = [f"OperandType::Own(&{it})" for it in self.types] + ["OperandType::First", "OperandType::Second"]
        other = choose.choice([it for it in types if it != its[1]])
        yield "type", f"{its[1]} is {other}", text.replace(its[0], f"r#type: {other}")
        for flag in ("written", "sink", "immediate"):
            yield flag, f"{flag} flipped", flipped(text, flag)
        for flag in ("address", "constant", "negatable", "exact_width", "joined", "cache_policy"):
            yield "flag", f"{flag} flipped", flipped(text, flag)
        bounds = re.search(r"Some\(\((-?\d+), (-?\d+)\)\)", text)
        if bounds:
            low, high = int(bounds[1]), int(bounds[2])
            low, high = choose.choice([(low, high + 1), (low, high - 1), (low + 1, high)])
            yield "bounds", f"bounds are {low} to {high}", text.replace(bounds[0], f"Some(({low}, {high}))")

    def of_needs(self, text, choose):
        needs = NEEDS.search(text)
        for group, what, known in ((1, "PTX", VERSIONS), (2, "SM", SMS)):
            other = choose.choice([it for it in known if it != int(needs[group])])
            new = text[: needs.start()] + replaced(needs, group, str(other)) + text[needs.end() :]
            yield "needs", f"least {what} {needs[group]} is {other}", new

    def of_shared(self, choose):
        """A change of what instructions share: a token, a type, a special register or a kind of symbol."""
        kind = choose.choice(["token", "type", "special register", "symbol"])
        pattern = {
            "token": r"^static (TOKEN_\w+): .*;$",
            "type": r"^static (TYPE_\w+): .*;$",
            "special register": r'SpecialRegister \{ name: "(\w+)",.*?chips: [^}]*\} \}',
            "symbol": r'SymbolKind \{ summary: "([^"]*)",.*?chips: [^}]*\} \}',
        }[kind]
        found = choose.choice(list(re.finditer(pattern, self.text, re.M)))
        changes = [(what, new) for what, new in self.of_record(found[0], choose) if new]
        what, new = choose.choice(changes)
        name = found[1]
        if kind in ("token", "type"):
            used = rf"&(TOKEN|TYPE)_{name.split('_', 1)[1]}\b"
        else:
            used = r"Some\(Named::"
        users = [mnemonic for mnemonic, part in self.instructions.items() if re.search(used, part)]
        return Change(f"{kind} {name}: {what}", found[0], new, frozenset(users))

    def of_record(self, text, choose):
        for flag in ("ordered", "float", "maybe_wider", "vector", "varies", "kernel"):
            yield f"{flag} flipped", flipped(text, flag)
        if NEEDS.search(text):
            yield from ((what, new) for _, what, new in self.of_needs(text, choose))
        for old, others in (
            (r"\btext: \"[\w:]+\"", ['text: "rn"', 'text: "ftz"']),
            (r"StateSpace\(\d\)", ["StateSpace(1)", "StateSpace(3)", "StateSpace(5)"]),
            (r"\bspace: Some\(\d\)", ["space: Some(1)", "space: Some(3)", "space: None"]),
            (r"\bwidth: \d+", ["width: 16", "width: 32", "width: 64"]),
            (r"\bcontainer: \"\w+\"", ['container: "b16"', 'container: "b32"']),
        ):
            its = re.search(old, text)
            if its:
                other = choose.choice([it for it in others if it != its[0]])
                yield f"{its[0]} is {other}", text.replace(its[0], other, 1)
        conversions = re.search(r"conversions: (Some\(Conversions \{[^}]*\}\))", text)
        if conversions:
            yield "without conversions", text.replace(conversions[1], "None")
        types = re.search(r"types: &\[([^]]*)\]", text)
        if types:
            first = re.match(r"&\w+|\w+ \{.*? \}(?=, )", types[1])
            rest = types[1][first.end() :].removeprefix(", ") if first else types[1]
            yield "without its first MLIR or PTX type", text.replace(types[0], f"types: &[{rest}]")


def sample(text, rounds, shared, seed):
    """A change of each instruction for each round, and some of what they share."""
    choose, table = random.Random(seed), Table(text)
    changes = [table.of_instruction(mnemonic, choose) for _ in range(rounds) for mnemonic in sorted(table.instructions)]
    return changes + [table.of_shared(choose) for _ in range(shared)]
