"""From a record of cases.jsonl to a module of this project's IR.

Field by field, and for no record in particular: what is written is what the record says, also where it is illegal, so
that the refusal is ours. What the IR has no word for (an unknown parameter, an axis that nobody knows) is written as it
stands and refused by the parser. Untyped literals are i32, f32 and i1, as the reference types them (R34).
"""

import ast
import itertools
import math
import operator

TYPES = {f"{sign}int{bits}": f"i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64, 128)} | {
    "bool": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "float16x2": "vector<2xf16>", "uint8x4": "vector<4xi8>",
}
SPACES = {"local": "#gpu.address_space<private>", "global": "1", "shared": "3", "shared.dyn": "3"}
# What the reference takes the base of a tensor in memory to be aligned to, unless it is told.
ALIGNMENT = 64
ARITHMETIC = {ast.Add: "addi", ast.Sub: "subi", ast.Mult: "muli", ast.Mod: "remui", ast.FloorDiv: "divui"}
COMPARISONS = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"), ast.Lt: ("slt", "ult"), ast.LtE: ("sle", "ule"),
    ast.Gt: ("sgt", "ugt"), ast.GtE: ("sge", "uge"),
}
# The indices of threads that, bound to a name, narrow the active set (R28), with the clause of tile.where, and the
# threads of one.
TRACKED = {"lane_id()": ("lanes", 1), "warp_id()": ("warps", 32), "warpgroup_id()": ("warpgroups", 128)}


class Untranslatable(Exception):
    """A field holds what this translator does not know: a fault of the translator."""


class Value:
    """An SSA value, or an untyped literal that takes the type of what it meets."""

    def __init__(self, name, kind, signed=True, literal=None):
        self.name, self.kind, self.signed, self.literal = name, kind, signed, literal


class Tile:
    """A memref: its text, and the iters that a region of it is made from; `iters` is None where no region can be."""

    def __init__(self, name, shape, element, space, iters, offset, text):
        self.name, self.shape, self.element, self.space = name, shape, element, space
        self.iters, self.offset = iters, offset
        dimensions = "".join(f"{extent}x" for extent in shape)
        self.kind = f"memref<{dimensions}{element}{', ' + text if text else ''}, {space}>"


def row_major(shape):
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return [[extent, stride, "m"] for extent, stride in zip(shape, strides)]


def layout_text(shard, offset, replica=(), swizzle=None):
    on = lambda number, axis: str(number) if axis == "m" else f"{number}@{axis}"
    parts = [f"[{', '.join(str(iter[0]) for iter in shard)}] : [{', '.join(on(*iter[1:]) for iter in shard)}]"]
    if replica:
        parts.append(f"replica = [{', '.join(f'{extent} : {on(stride, axis)}' for extent, stride, axis in replica)}]")
    if offset:
        parts.append(f"offset = [{', '.join(on(number, axis) for axis, number in offset.items())}]")
    text = f"<{', '.join(parts)}>"
    if not swizzle:
        return f"#tile.layout{text}"
    per_element, bits, atom = swizzle
    return f"#tile.swizzle<{text}, per_element = {per_element}, swizzle = {bits}, atom = {atom}>"


def strided_text(iters, offset):
    if any(axis != "m" for _, _, axis in iters):
        raise Untranslatable("a strided memref over threads")
    start = offset if offset == "?" else offset.get("m", 0)
    strides = ", ".join(str(stride) for _, stride, _ in iters)
    return f"strided<[{strides}]{f', offset: {start}' if start else ''}>"


class Program:
    """The module of one record. `arguments` are the kernel's: the name of a tile in memory, None for a scalar."""

    def __init__(self, record, number):
        self.record, self.number = record, number
        self.arguments, self.argument_texts, self.lines = [], [], []
        self.indent, self.counter = 2, itertools.count()
        self.tiles, self.names = {}, {}
        self.text = self.module()

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def fresh(self, stem="v"):
        return f"%{stem}{next(self.counter)}"

    def define(self, right, kind, signed=True, stem="v"):
        name = self.fresh(stem)
        self.emit(f"{name} = {right}")
        return Value(name, kind, signed)

    def module(self):
        record = self.record
        for name, kind in record.get("params", {}).items():
            self.arguments.append(None)
            self.argument_texts.append(f"%{name}: {TYPES[kind]}")
            self.names[name] = Value(f"%{name}", TYPES[kind], not kind.startswith("u"))
        for name, text in record.get("bindings", {}).items():
            self.names[name] = self.expression(text)
        for operand in record["operands"] + record.get("declared", []):
            if operand["kind"] == "tile" and operand["name"] not in self.tiles:
                self.tiles[operand["name"]] = self.declare(operand)
        closing = self.open_loop() + self.open_guard()
        self.instruction() if record.get("surface") == "instruction" else self.apply()
        for line in reversed(closing):
            self.indent -= 1
            self.emit(line)
        launch = record["launch"]
        attributes = [
            f"{name} = array<i32: {', '.join(map(str, (extents + [1, 1])[:3]))}>"
            for name, extents in (("known_block_size", launch["block"]), ("known_cluster_size", launch["cluster"]))
            if extents and all(isinstance(extent, int) for extent in extents)
        ]
        attributes = f" attributes {{{', '.join(attributes)}}}" if attributes else ""
        head = f"  gpu.func @case({', '.join(self.argument_texts)}) kernel{attributes} {{"
        return "\n".join([f"gpu.module @case{self.number} {{", head, *self.lines, "    gpu.return", "  }", "}", ""])

    # Scalars

    def expression(self, source):
        return self.typed(self.node(ast.parse(source, mode="eval").body))

    def typed(self, value, like=None):
        """A literal becomes a constant, of the type of what it meets or of its own kind."""
        if value.literal is None:
            return value
        own = {bool: "i1", int: "i32", float: "f32"}[type(value.literal)]
        return self.constant(value.literal, like.kind if like else own, like.signed if like else True)

    def constant(self, number, kind, signed=True):
        text = str(number).lower() if kind == "i1" else f"{float(number) if 'f' in kind else number} : {kind}"
        return self.define(f"arith.constant {text}", kind, signed)

    def node(self, node):
        match node:
            case ast.Constant(value=bool() | int() | float()):
                return Value(None, None, literal=node.value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                return Value(None, None, literal=-number)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id=name) if name in self.tiles:
                return Value(self.tiles[name].name, self.tiles[name].kind)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=indices)):
                tile = self.tiles[name]
                at = ", ".join(ast.unparse(index) for index in indices)
                return self.define(f"tile.read {tile.name}[{at}] : {tile.kind}", tile.element, signed=False)
            case ast.Call(func=ast.Name(id=kind), args=[ast.Constant(value=number)]) if kind in TYPES:
                return self.constant(number, TYPES[kind], not kind.startswith("u"))
            case ast.Call(func=ast.Name(id="pred"), args=[inner]):
                return self.not_zero(self.typed(self.node(inner)))
            case ast.Call(func=ast.Name(id="lane_id"), args=[]):
                return self.define("gpu.lane_id", "index", signed=False)
            case ast.Call(func=ast.Name(id="thread_idx"), args=[ast.Constant(value=axis)]):
                return self.define(f"gpu.thread_id {axis}", "index", signed=False)
            case ast.Call(func=ast.Name(id="warp_id" | "warpgroup_id" as what), args=[]):
                thread = self.define("gpu.thread_id x", "index", signed=False)
                return self.binary("divui", thread, Value(None, None, literal=32 if what == "warp_id" else 128))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                return self.binary(ARITHMETIC[type(op)], self.node(left), self.node(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                left, right = self.same_type(self.node(left), self.node(right))
                word = COMPARISONS[type(op)][not left.signed]
                return self.define(f"arith.cmpi {word}, {left.name}, {right.name} : {left.kind}", "i1")
            case ast.BoolOp(op=ast.And(), values=[first, *rest]):
                value = self.typed(self.node(first))
                for other in rest:
                    value = self.binary("andi", value, self.node(other))
                return value
        raise Untranslatable(ast.unparse(node))

    def same_type(self, left, right):
        left = self.typed(left, right if right.literal is None else None)
        return left, self.typed(right, left)

    def binary(self, op, left, right):
        left, right = self.same_type(left, right)
        return self.define(f"arith.{op} {left.name}, {right.name} : {left.kind}", left.kind, left.signed)

    def not_zero(self, value):
        zero = self.constant(0, value.kind)
        return self.define(f"arith.cmpi ne, {value.name}, {zero.name} : {value.kind}", "i1")

    def index(self, source):
        value = self.expression(source)
        if value.kind == "index":
            return value.name
        return self.define(f"arith.index_cast {value.name} : {value.kind} to index", "index").name

    # Tiles

    def declare(self, operand):
        """Registers are allocated, at a location that names them; memory is an argument of the kernel."""
        shape, layout, space = operand["shape"], operand["layout"], SPACES[operand["space"]]
        plain = layout in ("default", None)
        iters, offset = (row_major(shape), {}) if plain else (layout["shard"], layout["offset"])
        aligned = [iter[0] for iter in iters] == shape and (plain or not layout["replica"] and "swizzle" not in layout)
        registers = operand["space"] == "local"
        if plain:
            text = ""
        elif registers:
            text = layout_text(iters, offset, layout["replica"], layout.get("swizzle"))
        elif aligned:
            text = strided_text(iters, offset)
        else:
            raise Untranslatable("memory with a layout that is not strided")
        name = f"%tile_{operand['name']}"
        tile = Tile(name, shape, TYPES[operand["dtype"]], space, iters if aligned else None, offset, text)
        if registers:
            # The line is the number of the record, so that an error there is known to be its.
            self.emit(f"{name} = tile.alloc : {tile.kind} loc(\"{operand['name']}\"(\"case\":{self.number}:1))")
        else:
            self.arguments.append(operand["name"])
            alignment = f"{{llvm.align = {operand.get('align', ALIGNMENT)} : i64}}"
            self.argument_texts.append(f"{name}: {tile.kind} {alignment}")
        return tile

    def operand(self, operand):
        tile = self.tiles[operand["name"]]
        if view := operand.get("view"):
            element = TYPES[view["dtype"]] if "dtype" in view else tile.element
            layout = view.get("layout")
            text = layout_text(layout["shard"], layout["offset"], layout["replica"]) if layout else ""
            result = Tile(self.fresh("view"), tile.shape, element, tile.space, None, {}, text)
            self.emit(f"{result.name} = tile.view {tile.name} : {tile.kind} to {result.kind}")
            tile = result
        return self.region(tile, operand["region"]) if "region" in operand else tile

    def region(self, tile, region):
        """tile.slice where extents are constant and steps are 1, else memref.subview, of a strided type."""
        axes = [self.axis(text) for text in region] + [("0", extent, 1) for extent in tile.shape[len(region) :]]
        if tile.iters is None or len(axes) != len(tile.shape):
            raise Untranslatable("a region of a layout that is not one iter for each axis")
        iters, offset = [], dict(tile.offset)
        for (begin, extent, step), (_, stride, axis) in zip(axes, tile.iters):
            iters.append(["?" if isinstance(extent, str) else extent, stride * step, axis])
            moved = offset.get(axis, 0)
            moved = moved + int(begin) * stride if is_number(begin) and moved != "?" else "?"
            # What begins before its tile has no layout: the slice shall be refused, not the type of its result.
            if moved := moved if moved == "?" else max(moved, 0):
                offset[axis] = moved
        shape = [iter[0] for iter in iters]
        begins, extents, steps = (list(each) for each in zip(*axes))
        fixed = all(map(is_number, begins))
        begins = [begin if is_number(begin) else self.index(begin) for begin in begins]
        extents = [self.index(extent) if isinstance(extent, str) else extent for extent in extents]
        at, size, by = (f"[{', '.join(map(str, each))}]" for each in (begins, extents, steps))
        sliced = "?" not in shape and set(steps) == {1}
        if sliced or any(axis != "m" for _, _, axis in iters):
            op, numbers, text = "tile.slice", f"{at} {size}", layout_text(iters, offset)
        else:
            op, numbers, text = "memref.subview", f"{at} {size} {by}", strided_text(iters, offset if fixed else "?")
        result = Tile(self.fresh("region"), shape, tile.element, tile.space, iters, offset, text)
        self.emit(f"{result.name} = {op} {tile.name}{numbers} : {tile.kind} to {result.kind}")
        return result

    def axis(self, text):
        """Begin, extent and step of one subscript; the extent is text where it is no constant."""
        begin, end, *step = text.split(":") if ":" in text else (text, f"({text}) + 1")
        step = int(step[0]) if step else 1
        names = {node.id for node in ast.walk(ast.parse(f"({begin}, {end})")) if isinstance(node, ast.Name)}
        # Exact for expressions that are linear in their names, as an extent must be to be a constant at all.
        samples = {evaluate(f"({end}) - ({begin})", {name: sample for name in names}) for sample in (3, 5, 1000)}
        extent = -(-samples.pop() // step) if len(samples) == 1 else f"({end}) - ({begin})"
        return begin if names & set(self.names) else str(evaluate(begin, {})), extent, step

    # What is around the call

    def open_loop(self):
        closing = []
        for name, count in self.record.get("loop", {}).items():
            bounds = [self.constant(number, "index").name for number in (0, count, 1)]
            self.names[name] = Value(self.fresh(name), "index", signed=False)
            self.emit(f"scf.for {self.names[name].name} = {bounds[0]} to {bounds[1]} step {bounds[2]} {{")
            self.indent += 1
            closing.append("}")
        return closing

    def open_guard(self):
        """A comparison of a bound index with a constant declares the active set; any other condition is a condition."""
        if not (guard := self.record.get("guard")):
            return []
        match ast.parse(guard, mode="eval").body:
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=bound)]) if (
                self.record.get("bindings", {}).get(name) in TRACKED
            ):
                clause, threads = TRACKED[self.record["bindings"][name]]
                block = math.prod(self.record["launch"]["block"])
                extent = min(32, block) if clause == "lanes" else max(1, block // threads)
                low, high = {
                    ast.Lt: (0, bound), ast.LtE: (0, bound + 1), ast.Gt: (bound + 1, extent),
                    ast.GtE: (bound, extent), ast.Eq: (bound, bound + 1),
                }[type(op)]
                self.emit(f"tile.where {clause}({low} to {high}) {{")
            case _:
                self.emit(f"scf.if {self.expression(guard).name} {{")
        self.indent += 1
        return ["}"]

    # The call

    def apply(self):
        record, operands, sunk = self.record, [], []
        for place, operand in enumerate(record["operands"]):
            if operand["kind"] == "tile":
                operands.append(self.operand(operand))
            elif operand["kind"] == "scalar":
                operands.append(self.expression(operand["value"]))
            else:
                sunk.append(place)
        clauses = ""
        if (scope := record["scope"]) not in (None, "thread"):
            clauses += f" scope({scope.removeprefix('cuda.')})"  # both spellings name it (R8)
        if record["pred"] is not None:
            pred = self.expression(record["pred"])
            clauses += f" pred({(self.not_zero(pred) if pred.kind == 'i32' else pred).name})"  # D7
        if record["preserve_dst"] == "True":
            clauses += " preserve_dst"
        elif record["preserve_dst"] not in (None, "False"):
            clauses += f" preserve_dst({record['preserve_dst']})"
        if sunk:
            clauses += f" sink {sunk}"
        for name, text in record["other_params"].items():
            value = text if text.startswith("'") else self.expression(text).name
            clauses += f" {name}({value})"
        names, kinds = (", ".join(getattr(each, what) for each in operands) for what in ("name", "kind"))
        self.emit(f'tile.apply "{record["opcode"]}"({names}){clauses} : {kinds}')

    def instruction(self):
        """Not an application: one instruction on elements of tiles."""
        mnemonic, modifiers = self.record["opcode"].split(".", 1)
        operands = self.record["operands"]
        sunk = [place for place, operand in enumerate(operands) if operand["kind"] == "sink"]
        # A store writes no register; an unpack, which a sink is for, all but its last operand.
        count = 0 if mnemonic == "st" else len(operands) - 1 if sunk else 1
        inputs = [self.input(operand) for operand in operands[count:]]
        written = [operand for operand in operands[:count] if operand["kind"] != "sink"]
        kinds = [self.tiles[operand["name"]].element for operand in written]
        results = [self.fresh("word") for _ in written]
        text = f"{', '.join(results)} = " if results else ""
        text += f'ptx.{mnemonic} "{modifiers}" {", ".join(each.name for each in inputs)}'
        text += f" sink {sunk}" if sunk else ""
        result = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
        self.emit(f"{text} : ({', '.join(each.kind for each in inputs)}) -> {result}")
        for name, operand in zip(results, written):
            tile = self.tiles[operand["name"]]
            self.emit(f"tile.write {name}, {tile.name}{operand['element']} : {tile.kind}")

    def input(self, operand):
        if operand["kind"] == "scalar":
            return self.expression(operand["value"])
        tile = self.tiles[operand["name"]]
        if operand["space"] == "local":
            return self.define(f"tile.read {tile.name}{operand['element']} : {tile.kind}", tile.element)
        if any(operand["element"]):
            raise Untranslatable("an address that is not the first element's")
        address = self.define(f"memref.extract_aligned_pointer_as_index {tile.name} : {tile.kind} -> index", "index")
        number = self.define(f"arith.index_cast {address.name} : index to i64", "i64")
        kind = f"!llvm.ptr<{tile.space}>"
        return self.define(f"llvm.inttoptr {number.name} : i64 to {kind}", kind)


def is_number(text):
    return text.lstrip("-").isdigit()


def evaluate(text, names):
    """An expression of integers; a name that has no value is a fault of the record."""
    operators = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod}

    def value(node):
        match node:
            case ast.Constant(value=int()):
                return node.value
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in operators:
                return operators[type(op)](value(left), value(right))
        raise Untranslatable(ast.unparse(node))

    return value(ast.parse(text, mode="eval").body)
