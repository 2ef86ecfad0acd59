#!/usr/bin/env bash
# Objects compiled by charcoal-cc and by other compilers in one program: callbacks both ways, a `main` of either, libraries that are
# linked and that are loaded; and C++.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >other.c <<'C'
int times(int n, int (*callback)(int));
int twice(int (*callback)(int), int n) { return callback(n) + callback(n + 1); }
C
cat >own.c <<'C'
int twice(int (*callback)(int), int n);
static int add(int n) { return n + 1; }
static int (*volatile adds)(int) = add;
__attribute__((noinline)) static int deep(int n) { return n == 0 ? adds(0) : deep(n - 1) + adds(n); }
int times(int n, int (*callback)(int)) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += callback(i) + deep(3) + twice(deep, i);
  return sum;
}
C
cat >main.c <<'C'
#include <stdio.h>
int times(int n, int (*callback)(int));
static int square(int n) { return n * n; }
static int (*volatile squares)(int) = square;
__attribute__((noinline)) static int by_pointer(int n) { return squares(n) + squares(n + 1); }
int main(void) { printf("%d\n", times(20, by_pointer)); return 0; }
C
clang-19 -w -O2 other.c own.c main.c -o plain
expected=$(./plain)
cc=$here/bin/charcoal-cc
bad=0 runs=0
same() {
  for every in 0 1 3; do
    runs=$((runs + 1))
    [ "$(CHARCOAL_SWITCH_EVERY=$every LD_LIBRARY_PATH=. "./$1")" = "$expected" ] || { bad=$((bad + 1)); echo "WRONG $1, a switch every $every checks"; }
  done
}
for level in -O0 -O2; do
  for it in other own main; do
    clang-19 -w $level -fPIC -c $it.c -o $it-plain.o
    $cc -w $level -fPIC -c $it.c -o $it-hot.o
  done
  $cc other-plain.o own-hot.o main-hot.o -o foreign && same foreign
  $cc other-plain.o own-hot.o main-plain.o -o "main-of-others" && same main-of-others
  $cc other-hot.o own-plain.o main-hot.o -o between && same between
  $cc -shared other-hot.o own-hot.o -o libown.so && $cc main-hot.o -L. -lown -o linked && same linked
done
cat >loads.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
static int square(int n) { return n * n; }
static int (*volatile squares)(int) = square;
__attribute__((noinline)) static int by_pointer(int n) { return squares(n) + squares(n + 1); }
int main(void) {
  void *library = dlopen("./libown.so", RTLD_NOW);
  int (*times)(int, int (*)(int)) = library ? (int (*)(int, int (*)(int)))dlsym(library, "times") : 0;
  if (times) printf("%d\n", times(20, by_pointer)); else puts(dlerror());
  return 0;
}
C
$cc -w -O2 loads.c -o loads -ldl && same loads
expected=$(cat "$here/test/plus/objects.txt")
for level in -O0 -O2; do
  "$here/bin/charcoal-c++" -std=c++20 -fno-exceptions -Wall -Wextra -Werror $level "$here/test/plus/objects.cpp" -o objects && same objects
done
# With turns where they yield, and nowhere else.
export CHARCOAL_TICK=0
for level in -O0 -O2; do
  "$here/bin/charcoal-c++" -Wall -Wextra -Werror $level "$here/test/plus/exceptions.cpp" -o exceptions
  runs=$((runs + 1))
  diff <(./exceptions) "$here/test/plus/exceptions.txt" || { bad=$((bad + 1)); echo "WRONG exceptions $level"; }
done
echo "$runs mixed runs, $bad wrong"
[ "$bad" = 0 ]
