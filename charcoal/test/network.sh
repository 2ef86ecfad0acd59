#!/usr/bin/env bash
# Random networks of nodes (test/network) print the same as activities and as threads of plain C.
# test/network.sh FIRST COUNT: from which seed, and how many.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
export CHARCOAL_BUILD=${CHARCOAL_BUILD:-$here/build}
first=$1 count=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/test/network" || exit 1
bad=0
options=(-Wall -Wextra -Werror -D_GNU_SOURCE)
clang-19 "${options[@]}" -O1 network.c links.c interludes.c plain.c -lutil -lpthread -o "$work/plain" || exit 1
ways=("-O0" "-O1 -g" "-O2" "-O3 -flto -fuse-ld=lld" "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined")
for way in "${!ways[@]}"; do
  read -ra more <<<"${ways[way]}"
  "$here/bin/charcoal-cc" "${options[@]}" "${more[@]}" network.c links.c interludes.c hot.c -lutil -o "$work/hot$way" || exit 1
done
# Each has a group of processes of its own, which ends with it.
run() { timeout -s KILL 60 "$@" >>"$work/out" 2>&1 || echo "does not end" >>"$work/out"; }
everies=(0 1 2 3 7 100)
for ((seed = first; seed < first + count; seed++)); do
  way=$((seed % ${#ways[@]})) every=${everies[seed % 6]}
  : >"$work/out"
  run "$work/plain" "$seed"
  mv "$work/out" "$work/expected"
  : >"$work/out"
  CHARCOAL_TICK=$((seed % 4 / 2)) CHARCOAL_SWITCH_EVERY=$every run "$work/hot$way" "$seed"
  cmp -s "$work/expected" "$work/out" && continue
  bad=$((bad + 1))
  echo "WRONG network $seed ${ways[way]}, a switch every $every checks"
  diff "$work/expected" "$work/out" | grep -v '^[<>] [0-9]* [0-9]*$' | head -5
done
echo "$count networks from seed $first, $bad wrong"
[ "$bad" = 0 ]
