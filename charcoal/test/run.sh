#!/usr/bin/env bash
# Programs of test/plain print what plain C prints at each level of optimisation, however often they are suspended; those of
# test/activities print what stands in their .txt.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
export CHARCOAL_BUILD=${CHARCOAL_BUILD:-$here/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where `-pg` leaves its profile.
export GMON_OUT_PREFIX=$work/gmon
runs=0 bad=0
wrong() {
  bad=$((bad + 1))
  echo "WRONG $1"
  diff "$work/expected" "$work/actual" | head -5
}
run() {
  ASAN_OPTIONS=detect_leaks=0 CHARCOAL_SWITCH_EVERY=$every timeout 60 "$work/hot" >"$work/actual" 2>&1
  echo "exit $?" >>"$work/actual"
  runs=$((runs + 1))
}
# How often the program has been suspended.
turns() {
  ASAN_OPTIONS=detect_leaks=0 CHARCOAL_STATS=1 timeout 60 "$work/hot" 2>&1 >"$work/out" | sed -n 's/^charcoal: \([0-9]*\) turns$/\1/p'
}
# Each way of compiling: a name, then options.
ways=("O0 -O0" "O1 -O1" "O2 -O2" "O3 -O3" "Os -Os -g" "LTO -O2 -flto -fuse-ld=lld" "ThinLTO -O2 -flto=thin -fuse-ld=lld" "PIE -O2 -fPIC -pie" "entry -O1 -finstrument-functions" "pg -O2 -pg" "ASan -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined")
read -ra only <<<"${WAYS:-}"
for way in "${ways[@]}"; do
  read -ra options <<<"$way"
  name=${options[0]}
  options=("${options[@]:1}")
  [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $name "* ]] || continue
  for file in "$here"/test/plain/*.c; do
    program=$(basename "$file" .c)
    clang-19 -w "${options[@]}" "$file" -o "$work/plain" -lm || exit 1
    "$work/plain" >"$work/expected"
    echo "exit $?" >>"$work/expected"
    "$here/bin/charcoal-cc" -w "${options[@]}" "$file" -o "$work/hot" -lm || { bad=$((bad + 1)); continue; }
    for every in 0 1 2 3 5 7 100 100000; do
      run
      cmp -s "$work/expected" "$work/actual" || wrong "$program $name, a switch every $every checks"
    done
    [ "$(CHARCOAL_SWITCH_EVERY=1 turns)" -gt 100 ] || wrong "$program $name is not suspended"
  done
  for file in "$here"/test/activities/*.c; do
    program=$(basename "$file" .c)
    cp "${file%.c}.txt" "$work/expected"
    (cd "$here/test/activities" && ../../bin/charcoal-cc -Wall -Wextra -Werror "${options[@]}" "$program.c" -o "$work/hot" -lm) || { bad=$((bad + 1)); continue; }
    everies=(0)
    export CHARCOAL_TICK=0
    [ "$program" != ticks ] || export CHARCOAL_TICK=1
    grep -q "any number of switches" "$file" && everies=(0 1 2 3 7 100)
    for every in "${everies[@]}"; do
      run
      # With debug information places have lines, too.
      sed -i 's/ in \([a-z_]*\) ([a-z]*\.c:[0-9]*)$/ in \1/' "$work/actual"
      cmp -s "$work/expected" "$work/actual" || wrong "$program $name, a switch every $every checks"
    done
  done
done
echo "$runs runs, $bad wrong"
[ "$bad" = 0 ]
