// One keeps the others waiting for seconds, and calls deeper than the stack is then.
#include "charcoal.h"
#include <stdio.h>

__attribute__((noinline)) static int deep(int n) {
  volatile char own[200];
  own[n % 200] = (char)n;
  return deep(n + 1) + own[n % 200];
}

int main(void) {
  charcoal_activity one, other;
  activate(&one) {
    atomic { charcoal_sleep(3000); }
    deep(0);
  };
  activate(&other) { puts("the other"); };
  charcoal_join(&one);
  charcoal_join(&other);
  return 0;
}
