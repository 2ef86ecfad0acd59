#!/usr/bin/env bash
# Each allocation and each call of the system that the runtime makes fails once: the program gets an error, or ends with one
# that names the activity. It never crashes, never hangs, and what ends by itself leaves no memory behind.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
whats=(malloc calloc epoll_create1 epoll_ctl eventfd timerfd_create pthread_create uv_loop_init uv_poll_init uv_poll_start uv_timer_start uv_queue_work)
wraps=()
for what in "${whats[@]}"; do wraps+=("-Wl,--wrap=$what"); done
clang-19 -O1 -g -c "$here/test/faults/fail.c" -o "$work/fail.o" || exit 1
runs=0 bad=0
export ASAN_OPTIONS=detect_leaks=1:exitcode=99:handle_abort=0:allocator_may_return_null=1
for file in "$here"/test/activities/{atomic,turns}.c "$here/test/faults/robust.c"; do
  program=$(basename "$file" .c)
  "$here/bin/charcoal-cc" -O1 -g -fsanitize=address "$file" "$work/fail.o" "${wraps[@]}" -o "$work/$program" || exit 1
  for what in none "${whats[@]}"; do
    for ((n = 1; n < 200; n++)); do
      # What the shell says of an end by a signal is known already.
      { FAULT=$what:$n timeout 20 "$work/$program" >"$work/out" 2>"$work/err"; status=$?; } 2>/dev/null
      [ "$what" = none ] || grep -qa "^fault$" "$work/err" || break
      runs=$((runs + 1))
      # 134: it was aborted, for a reason that it names.
      if [ $status = 99 ] || [ $status -ge 124 ] && ! { [ $status = 134 ] && grep -q "^charcoal: .*, in activity " "$work/err"; }; then
        bad=$((bad + 1))
        echo "WRONG $program, $what fails the time $n: exit $status"
        grep -av "^fault$" "$work/err" | head -3
      fi
      [ "$what" != none ] || break
    done
  done
done
echo "$runs faults, $bad wrong"
[ "$bad" = 0 ] && [ "$runs" -gt 10 ]
