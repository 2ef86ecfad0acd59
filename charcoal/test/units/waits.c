// What a library does that waits lets others run.
#include "charcoal.h"
#include <stdio.h>
#include <unistd.h>

void rest(void);
int take(charcoal_semaphore *semaphore);
int receive(int from);

#if PART == 1
int main(void) {
  charcoal_semaphore none = CHARCOAL_SEMAPHORE(0), *semaphore = &none;
  charcoal_activity other;
  int ends[2];
  shared int turns = 0;
  if (pipe(ends))
    return 1;
  int to = ends[1];
  activate(&other) {
    turns += 1;
    charcoal_sleep(2);
    charcoal_semaphore_post(semaphore);
    charcoal_sleep(2);
    turns += (int)write(to, "x", 1);
  };
  rest();
  int after = turns, taken = take(semaphore), received = receive(ends[0]);
  charcoal_join(&other);
  printf("%d %d %d %d\n", after, taken, received, turns);
  return 0;
}
#else
void rest(void) { yield(); }
int take(charcoal_semaphore *semaphore) { return charcoal_semaphore_wait(semaphore); }
int receive(int from) {
  char byte;
  return read(from, &byte, 1) == 1 ? byte : -1;
}
#endif
