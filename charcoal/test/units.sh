#!/usr/bin/env bash
# Programs of several translation units, in which names mean other functions than each of these sees: weak ones, aliases, the
# program's own under names of the library, libraries that are replaced, inline functions. All print what plain C prints.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
export CHARCOAL_BUILD=${CHARCOAL_BUILD:-$here/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/test/units" || exit 1
bad=0 runs=0
# same NAME: what the program `hot` prints is what `plain` prints, or what is given.
same() {
  expected=${2:-$("$work/plain" 2>&1)}
  for every in 0 1 3; do
    runs=$((runs + 1))
    actual=$(CHARCOAL_SWITCH_EVERY=$every timeout 60 "$work/hot" 2>&1) && [ "$actual" = "$expected" ] || {
      bad=$((bad + 1))
      echo "WRONG $1 $level, a switch every $every checks"
      diff <(echo "$expected") <(echo "$actual") | head -4
    }
  done
}
cc=$here/bin/charcoal-cc cxx=$here/bin/charcoal-c++
# parts COMPILER FILE PREFIX OPTIONS…: an object of each part.
parts() {
  local compiler=$1 file=$2 prefix=$3
  shift 3
  for part in 1 2 3 4; do "$compiler" -w "$level" "$@" -DPART=$part -c "$file" -o "$work/$prefix$part.o" || exit 1; done
}
for level in -O0 -O1 -O2; do
  parts clang-19 names.c plain-
  parts "$cc" names.c hot-
  clang-19 "$work"/plain-[1234].o -o "$work/plain" && "$cc" "$work"/hot-[1234].o -o "$work/hot" && same names
  "$cc" "$work"/hot-[124].o "$work/plain-3.o" -o "$work/hot" && same "names, a strong one by another compiler"
  "$cc" "$work"/hot-[134].o "$work/plain-2.o" -o "$work/hot" && same "names, most by another compiler"
  parts clang-19 library.c plain- -fPIC
  parts "$cc" library.c hot- -fPIC
  for way in hot-2 plain-2; do
    clang-19 -shared "$work"/plain-[34].o -o "$work/libplain.so"
    "$cc" -shared "$work"/hot-[34].o -o "$work/libhot.so"
    clang-19 "$work"/plain-[12].o "$work/libplain.so" -Wl,-rpath,"$work" -o "$work/plain"
    "$cc" "$work/hot-1.o" "$work/$way.o" "$work/libhot.so" -Wl,-rpath,"$work" -o "$work/hot" && same "a function of a library that the program has ($way)"
    "$cc" "$work/hot-1.o" "$work/$way.o" "$work/libplain.so" -Wl,-rpath,"$work" -o "$work/hot" && same "a library with names of its own ($way)"
  done
  "$cc" "$level" -DPART=2 -fPIC -shared waits.c -o "$work/libwaits.so" && "$cc" "$level" -DPART=1 waits.c "$work/libwaits.so" -Wl,-rpath,"$work" -o "$work/hot" && same "a library that waits" "1 0 120 2"
  for part in 1 2; do
    clang++-19 -w -fblocks "$level" -DPART=$part -c inline.cpp -o "$work/plain-$part.o"
    "$cxx" -w -fno-exceptions "$level" -DPART=$part -c inline.cpp -o "$work/hot-$part.o" || exit 1
  done
  clang++-19 "$work"/plain-[12].o -lBlocksRuntime -o "$work/plain"
  "$cxx" "$work"/hot-[12].o -o "$work/hot" && same "inline functions"
  "$cxx" "$work/hot-2.o" "$work/hot-1.o" -o "$work/hot" && same "inline functions, the other way round"
done
echo "$runs runs of programs of several units, $bad wrong"
[ "$bad" = 0 ]
