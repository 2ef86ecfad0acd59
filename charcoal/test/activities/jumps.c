// Jumps out of functions with local variables, arrays and atomic code, and out of handlers; any number of switches.
#include "charcoal.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static jmp_buf back;
static sigjmp_buf from_handler;

__attribute__((noinline)) static void touch(char *it, int n) { it[n % 7] = (char)n; }

// Each has memory of its own, some of it an array.
__attribute__((noinline)) static int dive(int depth, int n) {
  char own[40] = "";
  char array[depth + 8];
  touch(own, n);
  touch(array, n);
  if (depth == 0)
    longjmp(back, n % 5 + 1);
  atomic { n += dive(depth - 1, n + own[1]); }
  return n + array[2];
}

__attribute__((noinline)) static int jumps(int n) {
  volatile int got = 0;
  atomic {
    int code = setjmp(back);
    if (code == 0)
      dive(5, n);
    got = code;
  }
  return got;
}

static void handle(int signal) {
  char own[100];
  touch(own, signal);
  siglongjmp(from_handler, 1);
}

__attribute__((noinline)) static int handled(int n) {
  char own[50];
  if (sigsetjmp(from_handler, 1) == 0) {
    touch(own, n);
    raise(SIGUSR1);
  }
  return n;
}

// Memory of the function that is taken in atomic code and outlives that.
__attribute__((noinline)) static int outlives(int n) {
  char *kept = NULL;
  atomic {
    kept = __builtin_alloca((size_t)n + 8);
    memset(kept, n, (size_t)n + 8);
  }
  yield();
  int sum = kept[n];
  atomic { sum += jumps(n); }
  yield();
  return sum + kept[1];
}

static long most_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main(void) {
  signal(SIGUSR1, handle);
  charcoal_activity all[3];
  shared long sum = 0;
  for (int i = 0; i < 3; i++)
    activate(&all[i]) {
      for (int n = 0; n < 50; n++)
        sum += jumps(n) + outlives(n % 9 + i) + handled(n);
    };
  for (int i = 0; i < 3; i++)
    charcoal_join(&all[i]);
  printf("%ld\n", sum);
  long before = most_memory();
  for (int n = 0; n < 20000; n++)
    sum += jumps(n);
#if __has_feature(address_sanitizer)
  before = most_memory();
#endif
  printf("%ld, %s\n", sum, most_memory() - before < 1000 ? "and no more memory" : "and more memory");
  return 0;
}
