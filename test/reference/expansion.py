"""What one thread does in an expanded module: its instructions, in order, with the slot of each word.

The generic form that tile-opt prints is read and executed for a thread, so that it does not matter how a slot or an
address is computed: by constants, in a loop, from the lane. A value is an int, or one of the classes below; what cannot
be known (a kernel argument, a word that was moved) is carried as where it came from.
"""

import dataclasses
import math
import operator
import re


class Unreadable(Exception):
    """The expansion has something that this reader does not know."""


@dataclasses.dataclass(frozen=True)
class Place:
    """A pointer: into an array of registers or into memory, by the name of its tile, and bytes from its begin."""

    tile: str
    bytes: int


@dataclasses.dataclass(frozen=True)
class Word:
    """What was read from a slot, and the number of the instruction that wrote it there; None if none did."""

    tile: str
    slot: int
    writer: int | None


@dataclasses.dataclass(frozen=True)
class Scalar:
    """Any other value, with the words that it was computed from."""

    reads: frozenset = frozenset()


@dataclasses.dataclass(frozen=True)
class Result:
    """A word that an instruction writes, until it is stored to its slot."""

    instruction: int
    word: int


@dataclasses.dataclass
class Op:
    name: str
    results: list
    operands: list
    attributes: dict
    location: str
    regions: list


# Reading

OP = re.compile(r'\s*(?:(%\w+)(?::(\d+))? = )?"([\w.]+)"\(([^)]*)\)(.*)$')
LOCATION = re.compile(r" loc\((.*)\)$")
BLOCK = re.compile(r"\s*\^\w+(?:\((.*)\))?:")


def split(text):
    """Parts between commas that no bracket encloses."""
    parts, depth, start = [], 0, 0
    text = text.replace("->", "~~")
    for at, char in enumerate(text):
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def dictionary(text):
    """What stands between the first braces of `text`; a unit attribute has no value."""
    if not (found := re.search(r"<?\{(.*)\}", text)):
        return {}
    return {name: value for name, _, value in (part.partition(" = ") for part in split(found.group(1)))}


def read(text):
    """The ops of a module, those of a region in its op."""
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.M))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    at = 0

    def regions():
        """The regions of an op whose line has just been read, up to the line that closes the last one."""
        nonlocal at
        found = [([], [])]
        while True:
            line = lines[at]
            if line.lstrip().startswith("}"):
                at += 1
                if line.strip() != "}, {":
                    return found, line
                found.append(([], []))
            elif block := BLOCK.match(line):
                if found[-1][1] or found[-1][0]:
                    raise Unreadable("a region of several blocks")
                found[-1][0].extend(re.findall(r"(%\w+):", block.group(1) or ""))
                at += 1
            else:
                found[-1][1].append(op())

    def op():
        nonlocal at
        match = OP.match(lines[at])
        if not match:
            raise Unreadable(lines[at].strip())
        at += 1
        first, count, name, operands, rest = match.groups()
        results = [] if not first else [f"{first}#{i}" for i in range(int(count))] if count else [first]
        inner, closing = regions() if rest.endswith("({") else ([], rest)
        attributes = dictionary(rest.removesuffix("({") if inner else rest.split(" : (")[0])
        location = LOCATION.search(closing)
        location = location.group(1) if location else ""
        operands = [operand.strip() for operand in operands.split(",") if operand.strip()]
        return Op(name, results, operands, attributes, aliases.get(location, location), inner)

    return op()


def walk(op):
    yield op
    for _, ops in op.regions:
        for inner in ops:
            yield from walk(inner)


def bytes_of(kind):
    """The bytes of a type in memory."""
    if array := re.fullmatch(r"!llvm\.array<(\d+) x (.*)>", kind):
        return int(array.group(1)) * bytes_of(array.group(2))
    if vector := re.fullmatch(r"vector<(\d+)x(.*)>", kind):
        return int(vector.group(1)) * bytes_of(vector.group(2))
    if kind.startswith("!llvm.ptr"):
        return 8
    if bits := re.fullmatch(r"(?:i|f|bf)(\d+)", kind):
        return math.ceil(int(bits.group(1)) / 8)
    raise Unreadable(f"type {kind}")


def numbers(attribute):
    return [int(number) for number in re.findall(r"-?\d+", (attribute or "").partition(":")[2])]


# Executing

BINARY = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul, "divui": operator.floordiv,
    "divsi": operator.floordiv, "remui": operator.mod, "remsi": operator.mod, "andi": operator.and_,
    "ori": operator.or_, "xori": operator.xor, "shli": operator.lshift, "shrui": operator.rshift,
    "minui": min, "maxui": max, "minsi": min, "maxsi": max,
}
# eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge; nothing here is negative.
ORDER = [operator.lt, operator.le, operator.gt, operator.ge]
COMPARE = [operator.eq, operator.ne, *ORDER, *ORDER]
# Ops that hand on what they get.
SAME = {
    "arith.index_cast", "arith.index_castui", "arith.extui", "arith.extsi", "arith.trunci", "arith.bitcast",
    "llvm.bitcast", "llvm.inttoptr", "llvm.ptrtoint", "llvm.addrspacecast", "llvm.zext", "llvm.sext", "llvm.trunc",
    "memref.extract_aligned_pointer_as_index", "memref.assume_alignment", "memref.memory_space_cast",
}
DYNAMIC = -(2**31)


class Thread:
    """Executes a kernel as one thread. `arguments` are its: the name of a tile in memory, None for a scalar."""

    def __init__(self, module, arguments, number, block):
        self.block = (block + [1, 1])[:3]
        self.number = number
        # Tile by tile: the bytes of an element, and the number of registers.
        self.arrays = {}
        self.values, self.writers, self.instructions = {}, {}, []
        kernel = next(op for op in walk(module) if op.name == "gpu.func")
        (names, ops), = kernel.regions
        for name, argument in zip(names, arguments):
            self.values[name] = Place(argument, 0) if argument else Scalar()
        self.run(ops)

    def run(self, ops):
        """Executes a block, and returns what its terminator yields."""
        for op in ops:
            values = [self.values[operand] for operand in op.operands]
            if op.name in ("scf.yield", "gpu.return"):
                return values
            results = self.execute(op, values)
            if len(results) != len(op.results):
                raise Unreadable(f"{op.name} with {len(op.results)} results")
            self.values.update(zip(op.results, results))
        return []

    def execute(self, op, values):
        dialect, _, word = op.name.partition(".")
        if dialect == "ptx":
            return self.issue(op, word, values)
        if op.name in ("arith.constant", "llvm.mlir.constant"):
            text = op.attributes["value"].partition(" :")[0]
            known = {"true": 1, "false": 0}.get(text, text)
            return [int(known) if re.fullmatch(r"-?\d+", str(known)) else Scalar()]
        if op.name in SAME:
            return values
        if op.name == "arith.select" and isinstance(values[0], int):
            return [values[1] if values[0] else values[2]]
        if op.name in ("arith.cmpi", "llvm.icmp") and all(isinstance(value, int) for value in values):
            return [int(COMPARE[int(op.attributes["predicate"].split()[0])](*values))]
        if dialect in ("arith", "llvm") and word in BINARY and all(isinstance(value, int) for value in values):
            return [BINARY[word](*values)]
        if word == "addi" and isinstance(values[0], Place) and isinstance(values[1], int):
            return [dataclasses.replace(values[0], bytes=values[0].bytes + values[1])]
        if dialect == "arith":
            return [Scalar(frozenset().union(*map(reads, values)))]
        if dialect == "gpu" and (index := self.coordinate(op)) is not None:
            return [index]
        if method := getattr(self, op.name.replace(".", "_"), None):
            return method(op, values)
        raise Unreadable(op.name)

    def coordinate(self, op):
        x, y, _ = self.block
        if op.name == "gpu.lane_id":
            return self.number % 32
        if op.name not in ("gpu.thread_id", "gpu.block_dim"):
            return None
        axis = "xyz".index(re.search(r"dim (\w)", op.attributes["dimension"]).group(1))
        if op.name == "gpu.block_dim":
            return self.block[axis]
        return (self.number % x, self.number // x % y, self.number // (x * y))[axis]

    # Control flow

    def scf_for(self, op, values):
        (names, ops), = op.regions
        low, high, step, *carried = values
        for index in range(low, high, step):
            self.values.update(zip(names, [index, *carried]))
            carried = self.run(ops)
        return carried

    def scf_if(self, op, values):
        condition, = values
        if not isinstance(condition, int):
            self.instructions.append({"runtime_condition": True})
            condition = 1
        return self.run(op.regions[0 if condition else 1][1])

    # Registers

    def llvm_alloca(self, op, _):
        name = re.match(r'"(\w+)"', op.location)
        if not name:
            raise Unreadable(f"an array of registers that no tile.alloc is the location of: {op.location}")
        kind = op.attributes["elem_type"]
        array = re.fullmatch(r"!llvm\.array<(\d+) x (.*)>", kind)
        count, element = (int(array.group(1)), array.group(2)) if array else (1, kind)
        self.arrays[name.group(1)] = (bytes_of(element), count)
        return [Place(name.group(1), 0)]

    def llvm_getelementptr(self, op, values):
        base, *dynamic = values
        indices = numbers(op.attributes["rawConstantIndices"])
        indices = [dynamic.pop(0) if index == DYNAMIC else index for index in indices]
        if not all(isinstance(index, int) for index in indices):
            raise Unreadable("a slot that depends on what is known at run time only")
        kind, offset = op.attributes["elem_type"], base.bytes
        for depth, index in enumerate(indices):
            kind = re.fullmatch(r"!llvm\.array<\d+ x (.*)>", kind).group(1) if depth else kind
            offset += index * bytes_of(kind)
        return [Place(base.tile, offset)]

    def slot(self, place):
        size, _ = self.arrays[place.tile]
        if place.bytes % size:
            raise Unreadable(f"{place.tile} at byte {place.bytes}, inside of a slot")
        return place.tile, place.bytes // size

    def llvm_load(self, _, values):
        slot = self.slot(values[0])
        return [Word(*slot, self.writers.get(slot))]

    def llvm_store(self, _, values):
        value, slot = values[0], self.slot(values[1])
        if not isinstance(value, Result):
            raise Unreadable(f"{slot[0]}{slot[1]} is set to {value}, which no instruction wrote")
        self.instructions[value.instruction]["dst"][value.word] = slot
        self.writers[slot] = value.instruction
        return []

    # Instructions

    def issue(self, op, mnemonic, values):
        inputs, pred, _ = numbers(op.attributes["operandSegmentSizes"])
        if "special" in op.attributes or "symbol" in op.attributes:
            raise Unreadable("a special register or a symbol")
        number, modifiers = len(self.instructions), op.attributes["modifiers"].strip('"')
        instruction = {"op": f"{mnemonic}.{modifiers}", "dst": [None] * len(op.results), "src": []}
        for value in values[:inputs]:
            if isinstance(value, Place):
                offset = int(op.attributes.get("offset", "0").split()[0])
                instruction["addr"] = (value.tile, value.bytes + offset)
            else:
                instruction["src"].append(value)
        instruction["pred"] = bool(pred) and "negated" not in op.attributes
        instruction["old"] = values[inputs + pred :]
        self.instructions.append(instruction)
        return [Result(number, word) for word in range(len(op.results))]


def reads(value):
    if isinstance(value, Word):
        return {value}
    return value.reads if isinstance(value, Scalar) else set()
