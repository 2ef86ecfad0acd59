#!/usr/bin/env bash
# The web server beside the same in Go, each on one processor with wrk on another: requests a second over 1,000 connections in
# turns, then the memory of 50,000 idle ones, or as many as the machine allows. Needs wrk, Go and Python.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
"$here/bin/charcoal-cc" -O2 "$here/bench/server.c" -o "$work/charcoal"
(cd "$work" && GO111MODULE=off go build -o go "$here/bench/server.go")
ulimit -n "$(ulimit -Hn)"
# As many idle connections as a process may have open.
idle=$(($(ulimit -n) > 51000 ? 50000 : $(ulimit -n) - 1000))
declare -A port=([charcoal]=9311 [go]=9312) all=() id=()
trap 'kill "${id[@]}" 2>/dev/null; rm -rf "$work"' EXIT
for it in charcoal go; do
  GOMAXPROCS=1 taskset -c 0 "$work/$it" "${port[$it]}" &
  id[$it]=$!
done
sleep 1
memory() { awk '/^VmRSS/ {print $2}' "/proc/${id[$1]}/status"; }
median() { tr ' ' '\n' <<<"$1" | grep . | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
for ((turn = 0; turn < 5; turn++)); do
  for it in charcoal go; do
    all[$it]="${all[$it]:-} $(taskset -c 1 wrk -t1 -c1000 -d3s "http://127.0.0.1:${port[$it]}/" | sed -n 's/^Requests.sec: *//p')"
  done
done
for it in charcoal go; do echo "$it: $(median "${all[$it]}") requests a second (${all[$it]# })"; done
for it in charcoal go; do
  kill "${id[$it]}"
  GOMAXPROCS=1 taskset -c 0 "$work/$it" "${port[$it]}" &
  id[$it]=$!
  sleep 1
  before=$(memory "$it")
  python3 - "${port[$it]}" "$idle" <<'P' &
import socket, sys, time
all = []
for i in range(int(sys.argv[2])):
    it = socket.socket()
    it.connect(("127.0.0.%d" % (1 + i // 20000), int(sys.argv[1])))
    it.send(b"GET / HTTP/1.1\r\n\r\n")
    all.append(it)
for it in all:
    it.recv(200)
print("connected", len(all), flush=True)
time.sleep(4)
P
  client=$!
  sleep 2
  while kill -0 "$client" 2>/dev/null; do
    now=$(memory "$it")
    sleep 0.5
  done
  echo "$it: $((now - before)) kB for $idle idle connections"
done
