// Nothing is left to run while somebody waits: the program says who waits where, and ends.
#include "charcoal.h"
#include <stdio.h>

static charcoal_semaphore first = CHARCOAL_SEMAPHORE(0), second = CHARCOAL_SEMAPHORE(0);

__attribute__((noinline)) static int take(charcoal_semaphore *semaphore) { return charcoal_semaphore_wait(semaphore); }

__attribute__((noinline)) static int joins(charcoal_activity *it) { return charcoal_join(it); }

int main(void) {
  charcoal_activity one, other;
  activate(&one) { printf("%d\n", take(&first)); };
  activate(&other) { printf("%d\n", take(&second)); };
  int failed = 0;
  atomic { failed = joins(&one); }
  setvbuf(stdout, NULL, _IONBF, 0);
  printf("%d in atomic code\n", failed);
  return charcoal_join(&one);
}
