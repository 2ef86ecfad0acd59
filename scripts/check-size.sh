#!/usr/bin/env bash
# Whether the addon is small enough to be published: the profile `dist` is what is published.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=8000000
cargo build --profile dist --quiet -p headstart-napi
library=$(find "${CARGO_TARGET_DIR:-target}/dist" -maxdepth 1 \( -name 'libheadstart_napi.so' -o -name 'libheadstart_napi.dylib' -o -name 'headstart_napi.dll' \))
size=$(wc -c < "$library")
echo "the addon has $size bytes of $limit"
if [ "$size" -ge "$limit" ]; then
  echo "error: $library: the addon is too large; build for size what runs once (Cargo.toml), or leave something out" >&2
  exit 1
fi
