#!/usr/bin/env bash
# The invariants of ARCHITECTURE.md that a look at the source can hold.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
complain() { printf 'error: %s\n' "$1" >&2; status=1; }

# 1. Only the front end and what prints programs import the parser.
if found=$(grep -rlE '\boxc_[a-z]+' crates tests benches --include='*.rs' --include=Cargo.toml | grep -vE '^crates/(atomicity|frontend|overhead)/'); then
  complain "the parser is imported outside crates/frontend, crates/overhead and crates/atomicity: $found"
fi
# 2. Analysis does no I/O.
if found=$(grep -rnE 'std::(fs|net|process|env)|println!|eprintln!' crates/ir/src crates/models/src crates/callgraph/src crates/effects/src crates/overlap/src crates/overhead/src crates/atomicity/src); then
  complain "I/O in the analysis: $found"
fi
# Nothing is left unfinished.
if found=$(grep -rnE 'todo!\(|unimplemented!\(|#\[ignore\]|\b(it|test|describe)\.(skip|only)\(' crates tests packages/*/src packages/*/test benches --include='*.rs' --include='*.ts' --exclude-dir=node_modules); then
  complain "unfinished or switched off: $found"
fi
exit "$status"
