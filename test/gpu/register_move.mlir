// The program that README shows, run.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"program": "../../examples/register_move.mlir",
// GPU:  "kernel": "register_move", "grid": [1], "block": [1],
// GPU:  "args": [{"type": "i32", "expect": [17, 17, 17, 17]}]}
