#!/usr/bin/env bash
# Calls, comparisons of strings, tasks: beside plain C, Go, threads, coroutines of C++ and fibers of Boost, in turns; prints medians
# and ratios.
# bench/run.sh [TURNS]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=turns.sh
source "$(dirname "$0")/turns.sh"
turns=${1:-5}
for it in calls strings; do compile_all "$it" charcoal plain; done
compile_all calls go
clang-19 -O2 "$here/bench/threads.c" -o "$work/tasks-threads" -lpthread
compile_all tasks charcoal go coroutines boost
contestants+=(threads)
for ((turn = 0; turn < turns; turn++)); do
  note calls "plain C" "$("${pin[@]}" "$work/calls-plain" 26 | number)"
  note calls charcoal "$("${pin[@]}" "$work/calls-charcoal" 26 | number)"
  for n in 4 8; do note calls "N = $n" "$("${pin[@]}" "$work/calls-charcoal" 26 $n | number)"; done
  [ ! -e "$work/calls-go" ] || note calls go "$("${pin[@]}" "$work/calls-go" | number)"
  note strings "plain C" "$("${pin[@]}" "$work/strings-plain" 12 | number)"
  note strings charcoal "$("${pin[@]}" "$work/strings-charcoal" 12 | number)"
  for it in "${contestants[@]}"; do
    tasks=$("${pin[@]}" "$work/tasks-$it")
    for what in spawn switch; do note "$what" "$it" "$(number "$what" <<<"$tasks")"; done
    [ "$it" = threads ] || note "idle bytes" "$it" "$(number idle <<<"$tasks")"
  done
done
report
