// Activities take turns at each yield, keep copies of locals, and share those that are marked.
#include "charcoal.h"
#include <errno.h>
#include <stdio.h>

int main(void) {
  charcoal_activity all[3];
  shared int sum = 0;
  for (int i = 0; i < 3; i++) {
    activate(&all[i]) {
      for (int step = 0; step < 3; step++) {
        printf("activity %d step %d\n", i, step);
        sum += i + step;
        yield();
      }
    };
  }
  for (int i = 0; i < 3; i++)
    charcoal_join(&all[i]);
  printf("%d\n", sum);
  // Each has an errno of its own.
  activate(&all[0]) {
    errno = EDOM;
    yield();
    printf("%d\n", errno == EDOM);
  };
  activate(&all[1]) {
    errno = ERANGE;
    yield();
    printf("%d\n", errno == ERANGE);
  };
  errno = EBUSY;
  int failed = charcoal_join(&all[0]) | charcoal_join(&all[1]);
  printf("%d %d\n", failed, errno == EBUSY);
  return 0;
}
