#!/usr/bin/env bash
# The commands of tools/gdb.py and tools/lldb.py list activities, and where their frames go on; a trace is what Perfetto reads;
# valgrind finds nothing in a program that has nothing wrong, and what is wrong in one that has.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=$here/bin/charcoal-cc
(cd "$here/test/activities" && "$cc" -g -O1 waits.c -o "$work/waits")
prints() {
  for expected in "0 waits.c:39 running" "1 waits.c:35 waiting in " "charcoal_read (" "2 main waiting in charcoal_main (waits.c:45)" \
    "__main_block_invoke.6 (waits.c:36)" "there is no activity 9"; do
    grep -qF "$expected" "$work/out" || {
      echo "$1 does not print: $expected"
      cat "$work/out"
      exit 1
    }
  done
  echo "$1 lists activities and their frames"
}
gdb -nx -batch -x "$here/tools/gdb.py" -ex "break io_sleep" -ex run -ex activities -ex "activity 1" -ex "activity 9" "$work/waits" >"$work/out" 2>&1 || true
prints gdb
lldb-19 -x -b -o "command script import $here/tools/lldb.py" -o "settings set target.disable-aslr false" -o "breakpoint set -n io_sleep" -o run \
  -o activities -o "activity 1" -o "activity 9" "$work/waits" >"$work/out" 2>&1 || true
prints lldb
for program in threads turns waits; do
  "$cc" -O1 "$here/test/activities/$program.c" -o "$work/traced"
  CHARCOAL_TRACE=$work/trace.json "$work/traced" >/dev/null || true
  python3 "$here/test/trace.py" "$work/trace.json"
done
(cd "$here/test/activities" && "$cc" -gdwarf-4 -O1 -fcharcoal-checked turns.c -o "$work/checked")
valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=3 "$work/checked" >"$work/out" 2>&1 || { echo "valgrind does not like a right program:"; tail -20 "$work/out"; exit 1; }
"$cc" -gdwarf-4 -O1 -fcharcoal-checked -w "$here/test/tools/wrong.c" -o "$work/checked"
valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=3 "$work/checked" >"$work/out" 2>&1 && { echo "valgrind does not see what is wrong"; exit 1; }
grep -q "Invalid read" "$work/out" && grep -q "definitely lost" "$work/out" || { echo "valgrind does not see what is wrong:"; tail -20 "$work/out"; exit 1; }
echo "valgrind sees what is wrong, and only that"
(cd "$here/test/tools" && "$cc" -w -O0 stuck.c -o "$work/stuck")
{ CHARCOAL_PATIENCE=1 "$work/stuck" >"$work/out" 2>&1; status=$?; } 2>/dev/null || true
grep -q "^charcoal: stuck.c:13 lets nobody else run" "$work/out" && grep -q "^charcoal: the stack is full .* in activity stuck.c:13$" "$work/out" || {
  echo "it is not said which activity keeps others waiting, or has no stack left:"
  cat "$work/out"
  exit 1
}
echo "activities that keep others waiting, or have no stack left, are named"
