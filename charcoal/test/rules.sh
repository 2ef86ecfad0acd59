#!/usr/bin/env bash
# What breaks a rule of the language is said where it stands: each program of test/rules has the texts behind the lines of which
# they are said, and nothing else is. Options with which nothing can be interrupted are refused.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 count=0
for file in "$here"/test/rules/*.c; do
  for level in -O0 -O2 "-O2 -g"; do
    # shellcheck disable=SC2086
    "$here/bin/charcoal-cc" $level -c "$file" -o "$work/it.o" 2>&1 | sed -nE 's/^.*\.c:([0-9]+):[0-9]+: (error|warning): /\1 \2: /p' | sort -n >"$work/said"
    count=$((count + 1))
    while IFS=: read -r line text; do
      grep -qF "$line ${text%%: *}: " "$work/said" && grep "^$line " "$work/said" | grep -qF "${text#*: }" || {
        bad=$((bad + 1))
        echo "$(basename "$file"):$line, $level: not said: $text"
      }
    done < <(grep -noE '(error|warning): .*' "$file" | sed 's/:\(error\|warning\)/:\1/')
    wanted=$(grep -cE '// (error|warning): ' "$file")
    [ "$(wc -l <"$work/said")" = "$wanted" ] || {
      bad=$((bad + 1))
      echo "$(basename "$file"), $level: not just $wanted:"
      cat "$work/said"
    }
  done
done
for option in thread memory hwaddress kcfi; do
  count=$((count + 1))
  "$here/bin/charcoal-cc" -fsanitize=$option -c "$here/test/plain/values.c" -o "$work/it.o" >"$work/said" 2>&1
  grep -q "charcoal cannot be used with -fsanitize=$option" "$work/said" || {
    bad=$((bad + 1))
    echo "-fsanitize=$option is not refused"
  }
done
echo "$count programs that break rules, $bad not as wanted"
[ "$bad" = 0 ]
