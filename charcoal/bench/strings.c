// The paper's comparison of strings (paper 5, Yielding): a loop so small that asking in each round would be most of it.
// Yields every 2^n rounds; prints microseconds for two strings of a megabyte.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef CHARCOAL
#include "charcoal.h"
#else
#define yield() (void)0
#endif

#define SIZE (1 << 20)

__attribute__((noinline)) static int compare(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

__attribute__((noinline)) static int compare_often(const char *a, const char *b, unsigned rounds) {
  for (;;) {
    for (unsigned left = rounds; left > 0; left--) {
      if (!*a || *a != *b)
        return (unsigned char)*a - (unsigned char)*b;
      a++;
      b++;
    }
    yield();
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  char *a = malloc(SIZE + 1), *b = malloc(SIZE + 1);
  if (!a || !b)
    return 1;
  memset(a, 'x', SIZE);
  a[SIZE] = 0;
  memcpy(b, a, SIZE + 1);
  int sum = 0;
  double best = 1e9;
  for (int i = 0; i < 200; i++) {
    double begun = now();
    sum += n ? compare_often(a, b, 1u << n) : compare(a, b);
    double took = now() - begun;
    best = took < best ? took : best;
  }
  printf("%.0f us (%d)\n", best, sum);
  return 0;
}
