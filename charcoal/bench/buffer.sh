#!/usr/bin/env bash
# The bounded buffer beside the same in Go, with threads, with coroutines of C++ and with fibers of Boost, in turns, all on one
# processor. Prints medians and ratios.
# bench/buffer.sh [TURNS [ITEMS]]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=turns.sh
source "$(dirname "$0")/turns.sh"
turns=${1:-5} items=${2:-4000000}
compile_all buffer charcoal go threads coroutines boost
for ((turn = 0; turn < turns; turn++)); do
  for it in "${contestants[@]}"; do
    said=$(GOMAXPROCS=1 "${pin[@]}" "$work/buffer-$it" "$items") || {
      echo "$it has failed: $said" >&2
      exit 1
    }
    note "ns of processor time for an item" "$it" "$(number item <<<"$said")"
    [ "$it" != go ] || note "ns of processor time for an item" "go with a channel" "$(number channel <<<"$said")"
  done
done
report
