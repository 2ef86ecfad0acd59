# What the runners share: contestants are compiled, measured in turns, and their medians printed beside ours. To be sourced.
# shellcheck shell=bash disable=SC2034
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The last processor is for what is measured, another one, where there is one, for what that needs. That is in a session of its own:
# the system shares time out by session, and with a thousand threads on the one processor it would get none of a busy other.
pin=(taskset -c "$(($(nproc) - 1))")
beside=(setsid taskset -c "${BESIDE:-0}")

# Whether clang finds a header, of C or C++.
finds() { echo "#include <$2>" | clang-19 -x "$1" "${@:3}" -fsyntax-only - 2>/dev/null; }

# Whether there is what a contestant needs.
has() {
  case $1 in
  go) command -v go >/dev/null ;;
  callbacks) finds c uv.h ;;
  coroutines) finds c++ coroutine -std=c++20 ;;
  boost) finds c++ boost/context/fiber.hpp && finds c++ boost/pool/pool.hpp ;;
  esac
}
declare -A needs=([go]=Go [callbacks]=libuv1-dev [coroutines]=libstdc++-12-dev [boost]=libboost-context-dev)

# compile BENCHMARK CONTESTANT: to the place of its name in $work.
compile() {
  local from="$here/bench/$1-$2" to="$work/$1-$2"
  case $2 in
  # How fast a small loop is depends on where it lies: at the same place in all.
  charcoal) "$here/bin/charcoal-cc" -O2 -falign-loops=32 -DCHARCOAL "$here/bench/$1.c" -o "$to" ;;
  plain) clang-19 -O2 -falign-loops=32 "$here/bench/$1.c" -o "$to" ;;
  threads) clang-19 -O2 "$from.c" -o "$to" -lpthread ;;
  callbacks) clang-19 -O2 "$from.c" -o "$to" -luv ;;
  coroutines) clang++-19 -std=c++20 -O2 "$from.cpp" -o "$to" ;;
  boost) clang++-19 -std=c++20 -O2 "$from.cpp" -o "$to" -lboost_context ;;
  go) (cd "$work" && GO111MODULE=off go build -o "$to" "$here/bench/$1.go") ;;
  esac
}

# compile_all BENCHMARK CONTESTANT...: leaves those in $contestants that can be compiled here.
compile_all() {
  contestants=()
  for it in "${@:2}"; do
    if [ -z "${needs[$it]:-}" ] || has "$it"; then
      compile "$1" "$it"
      contestants+=("$it")
    else
      echo "$1: $it is left out, which needs ${needs[$it]}" >&2
    fi
  done
}

# The number in a line that begins with a word; the first number without one.
number() { sed -n "s/^${1:-}[^0-9]*\([0-9.]*\).*/\1/p" | head -1; }

# note WHAT CONTESTANT NUMBER
declare -A all
note() {
  local name=$1
  [ "$2" = charcoal ] || name="$1, $2"
  all[$name]="${all[$name]:-} $3"
}

median() { tr ' ' '\n' <<<"${all[$1]}" | grep . | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# Each median, and its ratio to ours, which has the name before the comma.
report() {
  local names base ratio
  mapfile -t names < <(printf '%s\n' "${!all[@]}" | LC_ALL=C sort)
  for it in "${names[@]}"; do
    base=${it%%,*}
    ratio=""
    [ "$base" = "$it" ] || ratio=$(awk -v a="$(median "$it")" -v b="$(median "$base")" 'BEGIN {printf " (%.2f of ours)", a / b}')
    printf '%-50s %s%s\n' "$it" "$(median "$it")" "$ratio"
  done
}
