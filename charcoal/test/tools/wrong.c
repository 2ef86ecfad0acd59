// Looks at a local variable of a function that has returned, and loses memory.
#include "charcoal.h"
#include <stdio.h>
#include <stdlib.h>

static int *kept;

__attribute__((noinline)) static void keep(void) {
  int own = 7;
  kept = &own;
  yield();
}

int main(void) {
  charcoal_activity other;
  activate(&other) {
    keep();
    yield();
    void *volatile lost = malloc(100);
    lost = NULL;
    (void)lost;
  };
  for (int i = 0; i < 5; i++)
    yield();
  charcoal_join(&other);
  printf("%d\n", *kept);
  return 0;
}
