#!/usr/bin/env bash
# Gets the servers that the tests of drivers use, where they are missing and that is possible: Redis and MariaDB from Debian
# (as root), one that speaks MongoDB's protocol by Go. Tests of those that cannot be had are skipped, and say so.
set -uo pipefail
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)"

missing=()
[ -x /usr/bin/redis-server ] || missing+=(redis-server)
[ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
if [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "observe: installing ${missing[*]}" >&2
  {
    apt-get update -qq
    # Tests start servers of their own; none has to run beside them.
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } > /dev/null 2>&1 || echo "observe: ${missing[*]} cannot be installed" >&2
fi

if command -v go > /dev/null; then
  timeout 600 node "$here/mongo-server.mjs" > /dev/null 2>&1 || echo "observe: no server of MongoDB's protocol can be built" >&2
fi
