#!/usr/bin/env bash
# The commands of tools/gdb.py list activities, and where their frames go on.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/test/activities" && ../../bin/charcoal-cc -g -O1 waits.c -o "$work/waits")
gdb -nx -batch -x "$here/tools/gdb.py" -ex "break io_sleep" -ex run -ex activities -ex "activity 1" -ex "activity 9" "$work/waits" >"$work/out" 2>&1 || true
for expected in "0 waits.c:39 running" "1 waits.c:35 waiting in " "charcoal_read (" "2 main waiting in charcoal_main (waits.c:45)" \
  "__main_block_invoke.6 (waits.c:36)" "there is no activity 9"; do
  grep -qF "$expected" "$work/out" || {
    echo "gdb does not print: $expected"
    cat "$work/out"
    exit 1
  }
done
echo "gdb lists activities and their frames"
