"""Whether a trace is one that Perfetto reads: JSON of Trace Events, in which what begins ends, and turns do not overlap."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)
begun, last, turns = {}, {}, 0
for it in events:
    assert {"ph", "pid", "tid", "ts", "name", "cat"} <= it.keys(), it
    if it["ph"] == "b":
        begun.setdefault(it["id"], []).append(it["name"])
    elif it["ph"] == "e":
        assert begun[it["id"]].pop() == it["name"], it
    else:
        assert it["ph"] == "X" and it["ts"] >= last.get(it["tid"], 0), it
        last[it["tid"]] = it["ts"] + it["dur"] - 0.001
        turns += 1
left = [names for names in begun.values() if names]
assert not left, left
assert turns > 0
print(f"a trace of {turns} turns of {len(begun)} activities")
