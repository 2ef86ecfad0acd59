#!/usr/bin/env bash
# The resolver beside the same in Go, with threads, with callbacks of libuv and with coroutines of C++, in turns: each on one
# processor with a server of names on another. Prints medians and ratios.
# bench/resolver.sh [TURNS [NAMES [AT ONCE]]]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=turns.sh
source "$(dirname "$0")/turns.sh"
turns=${1:-7} count=${2:-10000} at_once=${3:-1000} port=5399
compile_all resolver charcoal go threads callbacks coroutines
clang-19 -O2 "$here/bench/names.c" -o "$work/names"
"${beside[@]}" "$work/names" "$port" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
sleep 0.5
kill -0 "$server"
for ((turn = 0; turn < turns; turn++)); do
  for it in "${contestants[@]}"; do
    # One that loses an answer waits for it.
    said=$(GOMAXPROCS=1 timeout 60 "${pin[@]}" "$work/resolver-$it" "$port" "$count" "$at_once") || {
      echo "$it has failed: $said" >&2
      exit 1
    }
    note "elapsed ms" "$it" "$(number elapsed <<<"$said")"
    note "processor ms" "$it" "$(number processor <<<"$said")"
    note "most memory in kB" "$it" "$(number memory <<<"$said")"
  done
done
echo "$count names, $at_once at once, each answered after 5 ms:"
report
