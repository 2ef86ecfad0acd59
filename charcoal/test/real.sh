#!/usr/bin/env bash
# Real programs compiled unchanged, all their functions interruptible: zlib, Lua and SQLite pass their own tests; how much
# slower and larger they are. Needs a Debian with source packages switched on (deb-src), dpkg-dev and tcl-dev; for the tests of Lua, a checkout of
# its repository at the tag v5.4.8 (those are in no package).
# test/real.sh FOLDER LUA
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(realpath -m "${1:?a folder to work in}") lua=$(realpath "${2:?a checkout of Lua}")
hot=$here/bin/charcoal-cc
mkdir -p "$work"
cd "$work"
text() { size -A "$1" | awk '/^\.text/ {sum += $2} END {print sum}'; }
# larger PLAIN HOT [BYTES OF THE RUNTIME]: of programs as they are linked, what several files need stands there once.
echo "int main(void) { return 0; }" >empty.c
"$hot" -O2 empty.c -o empty
larger() { awk -v a="$(text "$1")" -v b="$(text "$2")" -v own="${3:-0}" 'BEGIN {b -= own; printf ".text %d to %d, %.2f\n", a, b, b / a}'; }
# Seconds of processor time: the median of five, in turns.
slower() {
  local plain=() hots=()
  for ((i = 0; i < 5; i++)); do
    plain+=("$(user "$1")")
    hots+=("$(user "$2")")
  done
  paste <(printf '%s\n' "${plain[@]}" | sort -n) <(printf '%s\n' "${hots[@]}" | sort -n) |
    awk 'NR == 3 {printf "time %.2f to %.2f s, %.2f\n", $1, $2, $2 / $1}'
}
user() { local t; t=$( { TIMEFORMAT=%U; time bash -c "$1" >/dev/null 2>&1; } 2>&1 ); echo "$t"; }

echo zlib
[ -d zlib ] || { apt-get source -qq --download-only zlib && dpkg-source -x zlib_*.dsc zlib >/dev/null; }
for way in plain hot; do
  mkdir -p "zlib/$way"
  (cd "zlib/$way" && CC=$([ $way = hot ] && echo "$hot" || echo clang-19) CFLAGS=-O3 ../configure --static >/dev/null && make -s libz.a example minigzip 2>/dev/null)
done
for every in 0 1 3; do
  (cd zlib/hot && CHARCOAL_SWITCH_EVERY=$every ./example >out) && (cd zlib/plain && ./example >out) && cmp zlib/hot/out zlib/plain/out
done && echo "its example prints the same"
head -c 30000000 /dev/urandom | base64 >data
larger zlib/plain/minigzip zlib/hot/minigzip "$(text empty)"
slower "zlib/plain/minigzip -c <data" "zlib/hot/minigzip -c <data"

echo Lua
for way in plain hot; do
  rm -rf "lua-$way" && cp -r "$lua" "lua-$way"
  (
    cd "lua-$way"
    cc=$([ $way = hot ] && echo "$hot" || echo clang-19)
    for file in l*.c; do
      case $file in ltests.c | lua.c) ;; *) "$cc" -O2 -w -std=gnu99 -DLUA_USE_LINUX -DLUA_COMPAT_5_3 -c "$file" ;; esac
    done
    ar rcs liblua.a l*.o
    "$cc" -O2 -w -std=gnu99 -DLUA_USE_LINUX lua.c liblua.a -o lua -Wl,-E -lm -ldl
  )
done
(cd lua-hot/testes && ../lua -e "_U=true" all.lua | grep "final OK")
cat >program.lua <<'L'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {} for i = 1, 300000 do t[i] = (i * 7919) % 100003 end table.sort(t)
local w = {} for x in string.gmatch(string.rep("the quick brown fox ", 20000), "%a+") do w[#w + 1] = x:upper() end
print(fib(30), #t, #w)
L
larger lua-plain/lua lua-hot/lua "$(text empty)"
slower "lua-plain/lua program.lua" "lua-hot/lua program.lua"

echo SQLite
[ -d sqlite ] || { apt-get source -qq --download-only sqlite3 && mkdir sqlite && tar xf sqlite3_*.orig.tar.xz -C sqlite --strip-components=1; }
for way in plain hot; do
  mkdir -p "sqlite/$way"
  (cd "sqlite/$way" && CC=$([ $way = hot ] && echo "$hot" || echo clang-19) CFLAGS="-O2 -w" ../configure --disable-shared --with-tcl=/usr/lib/tcl8.6 >/dev/null && make -s speedtest1 fuzzcheck testfixture >/dev/null)
  "$([ $way = hot ] && echo "$hot" || echo clang-19)" -O2 -w -c "sqlite/$way/sqlite3.c" -o "sqlite-$way.o"
done
CHARCOAL_SWITCH_EVERY=50 sqlite/hot/fuzzcheck sqlite/test/fuzzdata[1-4].db | tail -1
# They do not run for root.
tests=$work/sqlite/test/veryquick.test
mkdir -p own && cp sqlite/hot/testfixture own && chmod -R a+rX . && chown -R nobody own
(cd own && su -s /bin/bash nobody -c "./testfixture $tests" | grep "errors out of")
larger sqlite-plain.o sqlite-hot.o
slower "sqlite/plain/speedtest1 --size 30" "sqlite/hot/speedtest1 --size 30"
