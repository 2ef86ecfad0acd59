#!/usr/bin/env bash
# Random programs of Csmith, interruptible and switched at random, print what plain C prints.
# test/csmith.sh FIRST COUNT [CFLAGS…]; CHARCOAL_BUILD: where the plugin and the runtime are.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
first=$1 count=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 skipped=0
levels=(-O0 -O1 -O2 -O3)
for ((seed = first; seed < first + count; seed++)); do
  # It writes a file beside where it is run.
  (cd "$work" && csmith --seed "$seed" --max-funcs 6 --no-packed-struct) >"$work/p.c" || { skipped=$((skipped + 1)); continue; }
  level=${levels[seed % 4]}
  clang-19 -w "$level" -I/usr/include/csmith "$work/p.c" -o "$work/plain" || { skipped=$((skipped + 1)); continue; }
  expected=$(timeout 2 "$work/plain") || { skipped=$((skipped + 1)); continue; }
  # Some do not end in good time with the sanitizers.
  if [ $# -gt 0 ]; then
    clang-19 -w "$level" "$@" -I/usr/include/csmith "$work/p.c" -o "$work/plain" && timeout 10 "$work/plain" >"$work/out" 2>&1 || { skipped=$((skipped + 1)); continue; }
  fi
  if ! "$here/bin/charcoal-cc" -w "$level" "$@" -I/usr/include/csmith "$work/p.c" -o "$work/hot" 2>"$work/err"; then
    echo "seed $seed $level does not compile: $(head -3 "$work/err")"
    bad=$((bad + 1))
    continue
  fi
  every=$((1 + seed % 5 * 3))
  actual=$(CHARCOAL_SWITCH_EVERY=$every CHARCOAL_SWITCH_SEED=$((seed + 1)) timeout 60 "$work/hot" 2>&1)
  if [ "$actual" != "$expected" ]; then
    echo "seed $seed $level every $every: ${actual: -200} instead of ${expected: -60}"
    bad=$((bad + 1))
  fi
done
echo "$count programs from seed $first, $skipped skipped, $bad wrong"
[ "$bad" = 0 ]
