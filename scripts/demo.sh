#!/usr/bin/env bash
# Shows the main job on a copy of examples/repo-status: check, explain, fix, its own tests before and
# after, and verify, with the path of its report at the end. VERIFY_RUNS says how many runs.
set -euo pipefail
cd "$(dirname "$0")/.."
headstart() { node "$root/packages/headstart/dist/cli.js" "$@"; }

root=$PWD
work=$(mktemp -d)
# The report stays, for whoever wants to look at it.
report=$(mktemp -d)/repo-status
trap 'rm -rf "$work"' EXIT
cp -r examples/repo-status "$work/repo-status"
cd "$work/repo-status"
git init -q . && git add -A
git -c user.name=demo -c user.email=demo@example.com -c commit.gpgsign=false commit -qm start

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run_tests() { # prints the runner's closing lines; fails as the tests do
  npm test --silent >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; return 1; }
  grep -E '^# (tests|pass|fail|duration_ms)|^ℹ (tests|pass|fail|duration_ms)' "$work/$1.log"
}
seconds() { sed -n 's/.*duration_ms \([0-9]*\).*/\1/p' "$work/$1.log" | awk '{printf "%.1f s", $1 / 1000}'; }

say "The program's own tests, before"
run_tests before

say "\$ headstart check"
headstart check . --deny none

line=$(grep -n 'path.join(dir, "onto")' src/rebase.js | head -n 1 | cut -d: -f1)
say "\$ headstart explain src/rebase.js:$line"
headstart explain "src/rebase.js:$line"

say "\$ headstart fix"
headstart fix .

say "\$ git diff"
git --no-pager diff --stat
git --no-pager diff

say "The program's own tests, after"
run_tests after

say "Tests before: $(seconds before); after: $(seconds after)."
echo "One run of each says little: these tests spend their time starting git, and what overlaps here"
echo "are small local files. How sure one can be is what verify says."

git checkout -q .
say "\$ headstart verify --runs ${VERIFY_RUNS:-5} --warmup 1"
headstart verify --runs "${VERIFY_RUNS:-5}" --warmup 1 --out "$report"
