#!/usr/bin/env bash
# archive.sh OUT OBJECTS…: an archive of the runtime, in which all that is its own is called `charcoal_…`, so that programs and
# their libraries may have any other names.
set -euo pipefail
out=$1
shift
objects=$(dirname "$1")
renamed=$(mktemp -d)
trap 'rm -rf "$renamed"' EXIT
# What the runtime defines, in all of its objects, but for names by which programs and libraries call it.
kept='main|(bsd_|s|sysv_|__sysv_)?signal|sigaction|sigset'
nm -g --defined-only "$objects"/*.o | awk -v kept="^($kept)$" 'NF == 3 && $3 !~ /^charcoal|\./ && $3 !~ kept { print $3 }' | sort -u |
  awk '{ print $1, "charcoal_own_" $1; print $1 ".charcoal", "charcoal_own_" $1 ".charcoal" }' >"$renamed/names"
for object in "$@"; do objcopy --redefine-syms="$renamed/names" "$object" "$renamed/$(basename "$object")"; done
rm -f "$out"
ar rcs "$out" "$renamed"/*.o
