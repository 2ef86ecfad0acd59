#!/usr/bin/env bash
# Runs a command with DATABASE_URL set to a PostgreSQL of its own, which is gone afterwards. Uses the
# one in DATABASE_URL where there is one; installs PostgreSQL where it is missing and that is possible
# (Debian and its kin, as root). Where it cannot be had, it says so and runs the command without.
set -euo pipefail
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"

without() {
  echo "storefront: $1; tests that need PostgreSQL are skipped" >&2
  shift
  exec "$@"
}

find_binaries() { # the newest folder that has all that is needed
  local folder
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) ${PATH//:/ }; do
    if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ] && [ -x "$folder/psql" ]; then
      echo "$folder"
      return
    fi
  done
  return 1
}

install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "storefront: installing PostgreSQL" >&2
  {
    apt-get update -qq
    apt-get install -y -qq postgresql-common
    # The server is started here, when it is needed, and none by the system.
    sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
    apt-get install -y -qq postgresql
  } >/dev/null 2>&1
}

[ -z "${DATABASE_URL:-}" ] || exec "$@"
bin=$(find_binaries) || { install && bin=$(find_binaries); } ||
  without "PostgreSQL is not installed, and cannot be installed by this user" "$@"

data=$(mktemp -d)
as=()
# The server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  id postgres >/dev/null 2>&1 || without "there is no user postgres to run the server as root for" "$@"
  chown postgres "$data"
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
stop() {
  (cd / && "${as[@]}" "$bin/pg_ctl" -D "$data/cluster" -m immediate stop) >/dev/null 2>&1 || true
  rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

(cd / && "${as[@]}" "$bin/initdb" -D "$data/cluster" -U storefront -A trust --no-sync) >"$data.log" 2>&1 &&
  (cd / && "${as[@]}" "$bin/pg_ctl" -D "$data/cluster" -w -l "$data/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$data -c fsync=off" start) >>"$data.log" 2>&1 || {
  reason=$(tail -n 1 "$data.log")
  rm -f "$data.log"
  without "PostgreSQL does not start ($reason)" "$@"
}
rm -f "$data.log"
psql=("$bin/psql" -q -v ON_ERROR_STOP=1 -h "$data" -U storefront)
"${psql[@]}" -d postgres -c "CREATE DATABASE shop"
"${psql[@]}" -d shop -f "$here/testing/schema.sql"

DATABASE_URL="postgres://storefront@/shop?host=$data" "$@"
