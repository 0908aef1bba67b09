// Two blocks take turns over five rows, behind which nothing is touched.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "scale_rows", "grid": [2], "block": [64], "program": "../../examples/scale_rows.mlir", "args": [
// GPU:  {"type": "f32", "values": {"groups": 1280, "of": [1.0], "step": 1.0},
// GPU:   "expect": {"groups": 1280, "of": [3.0], "step": 3.0}},
// GPU:  {"type": "i64", "scalar": 5},
// GPU:  {"type": "f32", "scalar": 3.0}]}
