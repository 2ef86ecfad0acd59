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

if [ -x /usr/bin/psql ]; then
  say "\$ npm run trace && headstart waterfalls traces.json"
  LOAD_SECONDS=4 npm run --silent trace
  headstart waterfalls traces.json
fi
