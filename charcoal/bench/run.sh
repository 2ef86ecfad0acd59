#!/usr/bin/env bash
# Calls, comparisons of strings, tasks: beside plain C, Go and threads, in turns; prints medians and ratios.
# bench/run.sh [TURNS]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
turns=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pin=(taskset -c "$(($(nproc) - 1))")
cc=("$here/bin/charcoal-cc" -O2 -DCHARCOAL)
for it in calls strings; do
  clang-19 -O2 "$here/bench/$it.c" -o "$work/$it-plain"
  "${cc[@]}" "$here/bench/$it.c" -o "$work/$it"
done
"${cc[@]}" "$here/bench/tasks.c" -o "$work/tasks"
clang-19 -O2 "$here/bench/threads.c" -o "$work/threads" -lpthread
go=false
if command -v go >/dev/null; then
  go=true
  for it in calls tasks; do (cd "$work" && GO111MODULE=off go build -o "go-$it" "$here/bench/$it.go"); done
fi
# The number in a line that begins with a word; the first number without one.
number() { sed -n "s/^${1:-}[^0-9]*\([0-9.]*\).*/\1/p" | head -1; }
declare -A all
note() { all[$1]="${all[$1]:-} $2"; }
median() { tr ' ' '\n' <<<"${all[$1]}" | grep . | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
for ((turn = 0; turn < turns; turn++)); do
  note "calls, plain C" "$("${pin[@]}" "$work/calls-plain" 26 | number)"
  note "calls" "$("${pin[@]}" "$work/calls" 26 | number)"
  for n in 4 8; do note "calls, N = $n" "$("${pin[@]}" "$work/calls" 26 $n | number)"; done
  ! $go || note "calls, Go" "$("${pin[@]}" "$work/go-calls" | number)"
  note "strings, plain C" "$("${pin[@]}" "$work/strings-plain" 12 | number)"
  note "strings" "$("${pin[@]}" "$work/strings" 12 | number)"
  tasks=$("${pin[@]}" "$work/tasks")
  threads=$("${pin[@]}" "$work/threads")
  for what in spawn switch; do
    note "$what" "$(number $what <<<"$tasks")"
    note "$what, threads" "$(number $what <<<"$threads")"
  done
  note "idle bytes" "$(number idle <<<"$tasks")"
  if $go; then
    tasks=$("${pin[@]}" "$work/go-tasks")
    for what in spawn switch; do note "$what, Go" "$(number $what <<<"$tasks")"; done
    note "idle bytes, Go" "$(number idle <<<"$tasks")"
  fi
done
mapfile -t names < <(printf '%s\n' "${!all[@]}" | sort)
for it in "${names[@]}"; do
  base=${it%%,*}
  ratio=""
  [ "$base" = "$it" ] || ratio=$(awk -v a="$(median "$it")" -v b="$(median "$base")" 'BEGIN {printf " (%.2f of ours)", a / b}')
  printf '%-20s %s%s\n' "$it" "$(median "$it")" "$ratio"
done
