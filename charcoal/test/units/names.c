// Names that mean another function than the one that the compiler sees: parts that are compiled by themselves, some of
// them by another compiler (test/units.sh).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int step(int n) { return n + 1; }
static int (*volatile steps)(int) = step;
// Three calls at which it may be suspended.
#define WORK(n) (steps(n) + 2 * steps((n) + 1) + 4 * steps((n) + 2))

#if PART == 1
int hook(int n);
int weakly(int n);
int called_otherwise(int n);
int chosen(int n);
char *strdup(const char *text);
int wait(int *status);
unsigned sleep(unsigned seconds);
static int stub(int n) { return n; }
int hook(int n) __attribute__((weak, alias("stub_by_name")));
int stub_by_name(int n) { return stub(n); }

int main(void) {
  for (int i = 0; i < 4; i++) {
    int before = steps(i);
    int got[] = {hook(i), weakly(i), called_otherwise(i), chosen(i)};
    printf("%d: %d %d %d %d, then %d\n", before, got[0], got[1], got[2], got[3], steps(i));
  }
  char *copy = strdup("of the program's own");
  int status = 0;
  printf("%s, %d %d, %u\n", copy, wait(&status), status, sleep(7));
  free(copy);
  return 0;
}
#elif PART == 2
// Takes the place of a weak alias, of a weak function and of the library's.
int hook(int n) { return WORK(n); }
char *strdup(const char *text) {
  char *copy = malloc(strlen(text) + 10);
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += WORK(i);
  sprintf(copy, "%d %s", sum, text);
  return copy;
}
int other_name(int n) __attribute__((alias("called_otherwise")));
int called_otherwise(int n) { return WORK(n) + steps(n); }
__attribute__((weak)) int weakly(int n) { return -n; }
#elif PART == 3
int weakly(int n) { return 100 + WORK(n); }
#elif PART == 4
static int one(int n) { return WORK(n); }
static int other(int n) { return n; }
static int is_first(void) { return 1; }
static int (*volatile asks)(void) = is_first;
static int (*choose(void))(int) { return asks() ? one : other; }
int chosen(int n) __attribute__((ifunc("choose")));
// These would have to be compiled for charcoal, too: calls of the library's are the runtime's.
int wait(int *status) { return *status = WORK(10); }
unsigned sleep(unsigned seconds) { return (unsigned)WORK((int)seconds); }
#endif
