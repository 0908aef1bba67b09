"""Prints what bench.py says of made-up measurements."""

import bench

BOUND = {"name": "copy", "of copy": 0.95}
print("as good:", list(bench.missed(BOUND, 1.01, 1.0, 0.96)))
print("slow:", list(bench.missed(BOUND, 1.03, 1.0, 0.96)))
print("narrow:", list(bench.missed(BOUND, 1.01, 1.0, 0.94)))
print("no bound:", list(bench.missed({"name": "convert"}, 1.01, 1.0, 0.5)))
