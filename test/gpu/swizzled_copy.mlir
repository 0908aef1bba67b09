// Through swizzled shared memory and back: a place that one side has otherwise than the other would show.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "swizzled_copy", "grid": [1], "block": [128], "program": "../../examples/swizzled_copy.mlir",
// GPU:  "args": [
// GPU:  {"type": "i16", "values": {"groups": 8192, "of": [1], "step": 5}},
// GPU:  {"type": "i16", "expect": {"groups": 8192, "of": [1], "step": 5}}]}
