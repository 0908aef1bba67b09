// Of the words 0x00020001 and 0x00040003 comes 0x00030001 and 0x00040002.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "turn", "grid": [1], "block": [128], "program": "../../examples/warpgroup_halves.mlir", "args": [
// GPU:  {"type": "i16", "values": {"groups": 512, "of": [1], "step": 1}},
// GPU:  {"type": "i16", "expect": {"groups": 128, "of": [1, 3, 2, 4], "step": 4}}]}
