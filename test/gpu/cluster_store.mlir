// Each thread of each block of a cluster stores where it stands.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "number", "grid": [2], "block": [64], "program": "../../examples/cluster_store.mlir", "args": [
// GPU:  {"type": "i32", "expect": {"groups": 128, "of": [0], "step": 1}}]}
