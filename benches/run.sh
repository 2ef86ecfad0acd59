#!/usr/bin/env bash
# Measures Headstart beside other tools on the same files: benches/run.sh [FOLDER…]
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p headstart-bench
(cd benches && npm install --no-package-lock --no-audit --no-fund --loglevel=error >&2)
folders=("$@")
[ "${#folders[@]}" -gt 0 ] || folders=(node_modules/eslint/lib node_modules/typescript-eslint packages)
exec node benches/peers.mjs "${folders[@]}"
