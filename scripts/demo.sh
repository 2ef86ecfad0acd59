#!/usr/bin/env bash
# Shows the main job on examples/storefront, a service with a database and three others behind it: what check
# finds, what fix would write, and what verify measures, with the path of its report at the end. Nothing in the
# checkout is changed. VERIFY_RUNS says how many runs.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
headstart() { node "$root/packages/headstart/dist/cli.js" "$@"; }
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

work=$(mktemp -d)
# The report stays, for whoever wants to look at it.
report=$(mktemp -d)/storefront
trap 'rm -rf "$work"' EXIT
cp -r examples/storefront "$work/storefront"
# The link leads out of the copy.
ln -sfn "$root/packages/headstart" "$work/storefront/node_modules/headstart"
cd "$work/storefront"

say "\$ headstart check"
headstart check . --deny none

say "\$ headstart fix --level likely --diff"
headstart fix . --level likely --diff

say "\$ headstart verify --level likely --runs ${VERIFY_RUNS:-10} --warmup 1"
# verify itself runs in it, since what it runs needs the database.
scripts/with-postgres.sh bash -c '
  if [ -z "${DATABASE_URL:-}" ]; then
    echo "The rest of the demo needs PostgreSQL: install it (on Debian: apt-get install postgresql), then run make demo again." >&2
    exit 1
  fi
  exec node "$@"' demo "$root/packages/headstart/dist/cli.js" \
  verify --level likely --runs "${VERIFY_RUNS:-10}" --warmup 1 --out "$report"
echo "The picture of before and after: $report/timeline.svg"

[ -x /usr/bin/psql ] || exit 0

# The same from what runs of it show: its tests, and traces of production before and after.
say "\$ headstart observe -- node --test && headstart check"
scripts/with-postgres.sh node "$root/packages/headstart/dist/cli.js" observe -- node --test
headstart check . --deny none | grep -E '^(safe|likely)|observed' || true

say "\$ npm run trace && headstart waterfalls before.json"
export LOAD_SECONDS=4
TRACES=before.json npm run --silent trace
headstart waterfalls before.json --most 1

say "\$ headstart fix --level likely && headstart verify --level likely --schedules ${VERIFY_SCHEDULES:-5}"
cp -r . "$work/rewritten"
(cd "$work/rewritten" && headstart fix . --level likely)
scripts/with-postgres.sh node "$root/packages/headstart/dist/cli.js" \
  verify --level likely --runs 2 --warmup 1 --schedules "${VERIFY_SCHEDULES:-5}" --out "$report-schedules" | tail -n 3

say "\$ npm run trace && headstart waterfalls before.json --after after.json -o page.html"
(cd "$work/rewritten" && TRACES="$work/storefront/after.json" npm run --silent trace)
headstart waterfalls before.json --most 1 --after after.json -o "$report.html" | sed -n '/^Measured/,$p'
