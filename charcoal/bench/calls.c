// The paper's microbenchmark of calls (paper 5, Just Calling): a function that calls itself twice.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef CHARCOAL
#include "charcoal.h"
#else
#define atomic
#endif

__attribute__((noinline)) static long leaf_work(long x) { return x ^ (x >> 3); }

__attribute__((noinline)) static long tree(int depth, long x) {
  if (depth == 0)
    return x + 1;
  long left = tree(depth - 1, x);
  return tree(depth - 1, left);
}

// The same, atomically below a depth.
__attribute__((noinline)) static long tree_n(int depth, int n, long x) {
  if (depth == n) {
    long sum = 0;
    atomic { sum = tree(depth, x); }
    return sum;
  }
  long left = tree_n(depth - 1, n, x);
  return tree_n(depth - 1, n, left);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 26;
  int n = argc > 2 ? atoi(argv[2]) : 0;
  double begun = now();
  long sum = n ? tree_n(depth, n, leaf_work(0)) : tree(depth, leaf_work(0));
  double took = now() - begun;
  printf("%.3f ns a call (%ld)\n", took / (double)((2L << depth) - 1), sum);
  return 0;
}
