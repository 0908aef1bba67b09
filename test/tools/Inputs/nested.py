"""Prints a program that nests something: nested.py KIND COUNT."""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
print({
    "ifs": "func.func @f(%p: i1) {\n" + "scf.if %p {\n" * count + "}\n" * count + "return\n}",
    "regions": '"test.x"() ({\n' * count + "}) : () -> ()\n" * count,
    "modules": "module {\n" * count + "}\n" * count,
    "arrays": "module attributes {test.x = " + "[" * count + "]" * count + "} {}",
    "dictionaries": "module attributes {test.x = " + "{x = " * count + "1" + "}" * count + "} {}",
    "tuples": '"test.x"() : () -> ' + "tuple<" * count + ">" * count,
    "functions": '"test.x"() : ' + "(" * count + ") -> ()" * count,
    "locations": "module {} loc(" + "callsite(" * count + "unknown" + " at unknown)" * count + ")",
    "sums": "module attributes {test.x = affine_map<(d0) -> (" + "d0 + " * count + "d0)>} {}",
    "aliases": "#a0 = []\n" + "".join(f"#a{i} = [#a{i - 1}]\n" for i in range(1, count))
               + f"module attributes {{test.x = #a{count - 1}}} {{}}",
}[kind])
