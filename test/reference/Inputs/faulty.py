"""Prints the records of cases.jsonl with four faults."""

import json
import sys

for line in open(sys.argv[1]):
    record = json.loads(line)
    match record["id"]:
        case "perm-dst":
            record["peer_result"][0]["instructions"][1]["dst"] = [["b", 3]]
        case "perm-src":
            instructions = record["peer_result"][0]["instructions"]
            instructions[0], instructions[1] = instructions[1], instructions[0]
        case "offset-src":
            record["peer_result"][0]["instructions"].pop()
        case "fused-iters":
            record["registers"]["b"] += 1
    print(json.dumps(record))
