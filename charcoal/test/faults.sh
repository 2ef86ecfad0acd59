#!/usr/bin/env bash
# Each allocation and each call of the system that the runtime makes fails once: the program gets an error, or ends with one
# that names the activity. It never crashes, and never hangs.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
whats=(malloc calloc epoll_create1 epoll_ctl uv_loop_init uv_poll_init uv_poll_start)
wraps=()
for what in "${whats[@]}"; do wraps+=("-Wl,--wrap=$what"); done
clang-19 -O1 -g -c "$here/test/faults.c" -o "$work/faults.o" || exit 1
runs=0 bad=0
for file in "$here"/test/activities/{atomic,turns,waits}.c; do
  program=$(basename "$file" .c)
  "$here/bin/charcoal-cc" -O1 -g -fsanitize=address "$file" "$work/faults.o" "${wraps[@]}" -o "$work/$program" || exit 1
  for what in "${whats[@]}"; do
    for ((n = 1; n < 100; n++)); do
      ASAN_OPTIONS=detect_leaks=0:handle_abort=0:allocator_may_return_null=1 FAULT=$what:$n timeout 10 "$work/$program" >"$work/out" 2>"$work/err"
      status=$?
      grep -qa "^fault$" "$work/err" || break
      runs=$((runs + 1))
      # 134: it was aborted, for a reason that it names.
      if [ $status -ge 124 ] && ! { [ $status = 134 ] && grep -q "^charcoal: .*, in activity " "$work/err"; }; then
        bad=$((bad + 1))
        echo "WRONG $program, $what fails the time $n: exit $status"
        grep -av "^fault$" "$work/err" | head -3
      fi
    done
  done
done
echo "$runs faults, $bad wrong"
[ "$bad" = 0 ] && [ "$runs" -gt 10 ]
