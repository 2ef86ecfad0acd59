// Starting and ending activities, handing over between two, and the memory of those that wait.
// Prints nanoseconds of processor time for each, and bytes.
#include "charcoal.h"
#include "measure.h"
#include <stdlib.h>

// Each begins, does nothing and ends, a hundred at a time.
static void spawns(long count) {
  static charcoal_activity all[100];
  double begun = now();
  for (long left = count / 100; left > 0; left--) {
    for (int i = 0; i < 100; i++)
      activate(&all[i]) { (void)left; };
    charcoal_join(&all[99]);
  }
  printf("spawn %.1f ns\n", (now() - begun) / (double)count);
}

static void switches(long count) {
  charcoal_activity all[2];
  double begun = now();
  for (int i = 0; i < 2; i++)
    activate(&all[i]) {
      for (long left = count; left > 0; left--)
        yield();
    };
  for (int i = 0; i < 2; i++)
    charcoal_join(&all[i]);
  printf("switch %.1f ns\n", (now() - begun) / (double)(2 * count));
}

static charcoal_semaphore never = CHARCOAL_SEMAPHORE(0);

static void idle(long count) {
  charcoal_activity *all = malloc((size_t)count * sizeof *all);
  if (!all)
    return;
  long before = resident();
  double begun = now();
  for (long i = 0; i < count; i++) {
    activate(&all[i]) { charcoal_semaphore_wait(&never); };
  }
  yield();
  printf("idle %.1f bytes, %.1f ns\n", (double)(resident() - before) / (double)count, (now() - begun) / (double)count);
  begun = now();
  for (long i = 0; i < count; i++)
    charcoal_semaphore_post(&never);
  for (long i = 0; i < count; i++)
    charcoal_join(&all[i]);
  printf("end %.1f ns\n", (now() - begun) / (double)count);
  free(all);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 1000000;
  spawns(count);
  switches(count);
  idle(count);
  return 0;
}
