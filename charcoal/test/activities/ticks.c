// Code that calls something in a loop leaves time to others, without saying so: ticks.
#include "charcoal.h"
#include <stdio.h>

static int busy = 1;
static int look(void) { return busy; }
static int (*volatile looks)(void) = look;

int main(void) {
  charcoal_activity one, other;
  activate(&one) {
    while (looks())
      continue;
    printf("one sees it\n");
  };
  activate(&other) {
    printf("the other has a turn\n");
    busy = 0;
  };
  charcoal_join(&one);
  charcoal_join(&other);
  return 0;
}
