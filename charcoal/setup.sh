#!/usr/bin/env bash
# Installs what Charcoal is built and tested with, on Debian; elsewhere says what is missing.
set -euo pipefail

# LLVM 19 is what the plugin is written for; libuv is the event loop, BlocksRuntime holds variables that activities share,
# Csmith makes random programs, gdb and lldb list activities, and valgrind and Python look at what tools see.
packages=(clang-19 llvm-19-dev lld-19 libclang-rt-19-dev clang-format-19 libuv1-dev libblocksruntime-dev csmith libcsmith-dev gdb lldb-19 valgrind python3)
missing=()
for it in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${Status}' "$it" 2>/dev/null)" = "install ok installed" ] || missing+=("$it")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing ${missing[*]}" >&2
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "Charcoal needs these packages of Debian: ${missing[*]}" >&2
  exit 1
fi
