// Each element is tripled by the thread that has it.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "triple", "grid": [1], "block": [64], "program": "../../examples/load_compute_store.mlir", "args": [
// GPU:  {"type": "f32", "values": {"groups": 768, "of": [1.0], "step": 1.0}},
// GPU:  {"type": "f32", "expect": {"groups": 768, "of": [3.0], "step": 3.0}}]}
