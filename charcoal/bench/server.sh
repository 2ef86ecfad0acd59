#!/usr/bin/env bash
# The web server beside the same in Go, with threads, with callbacks of libuv and with coroutines of C++, each on one processor with
# wrk on another: requests a second over 1,000 connections in turns and the processor time of one, then the memory of 50,000 idle
# connections, or as many as the machine allows. That of threads is without what the system has for each. Needs wrk and Python.
# bench/server.sh [TURNS]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=turns.sh
source "$(dirname "$0")/turns.sh"
turns=${1:-5}
compile_all server charcoal go threads callbacks coroutines
ulimit -n "$(ulimit -Hn)"
# As many idle connections as a process may have open; the system has fewer threads.
idle=$(($(ulimit -n) > 51000 ? 50000 : $(ulimit -n) - 1000))
idle_threads=$((idle > 20000 ? 20000 : idle))
declare -A port=([charcoal]=9311 [go]=9312 [threads]=9313 [callbacks]=9314 [coroutines]=9315) id=()
trap 'kill "${id[@]}" 2>/dev/null; rm -rf "$work"' EXIT
start() {
  GOMAXPROCS=1 "${pin[@]}" "$work/server-$1" "${port[$1]}" &
  id[$1]=$!
}
# Microseconds that a server has used of its processor.
used() { awk -v ticks="$(getconf CLK_TCK)" '{print ($14 + $15) * 1e6 / ticks}' "/proc/${id[$1]}/stat"; }
for it in "${contestants[@]}"; do start "$it"; done
sleep 1
for ((turn = 0; turn < turns; turn++)); do
  for it in "${contestants[@]}"; do
    before=$(used "$it")
    said=$("${beside[@]}" wrk -t1 -c1000 -d3s "http://127.0.0.1:${port[$it]}/")
    after=$(used "$it")
    count=$(awk '/requests in/ {print $1}' <<<"$said")
    note "requests a second" "$it" "$(sed -n 's/^Requests.sec: *//p' <<<"$said")"
    note "us of processor time for a request" "$it" "$(awk "BEGIN {printf \"%.2f\", ($after - $before) / $count}")"
    sed -n "s/^ *Socket errors/$it: errors of sockets/p" <<<"$said"
  done
done
for it in "${contestants[@]}"; do
  kill "${id[$it]}"
  wait "${id[$it]}" 2>/dev/null || true
  start "$it"
  sleep 1
  count=$([ "$it" = threads ] && echo "$idle_threads" || echo "$idle")
  kilobytes=$(python3 - "${port[$it]}" "$count" "${id[$it]}" <<'P'
import socket, sys, time

port, count, server = map(int, sys.argv[1:])

def memory():
    with open("/proc/%d/status" % server) as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

before, all = memory(), []
for i in range(count):
    it = socket.socket()
    it.connect(("127.0.0.%d" % (1 + i // 20000), port))
    it.send(b"GET / HTTP/1.1\r\n\r\n")
    all.append(it)
for it in all:
    it.recv(200)
time.sleep(1)
print(memory() - before)
P
  )
  echo "$it: $kilobytes kB for $count idle connections"
  note "bytes for an idle connection" "$it" "$((kilobytes * 1024 / count))"
done
report
