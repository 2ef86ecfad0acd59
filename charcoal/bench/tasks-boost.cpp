// What bench/tasks.c measures, with fibers of Boost.Context and the scheduler of bench/fibers.h. Each has a stack, of
// which the system gives pages as they are used; a million would take gigabytes, so fewer are idle.
#include "fibers.h"
#include "measure.h"
#include <algorithm>
#include <cstdlib>

#define MOST_IDLE 20000L

// Each begins, does nothing and ends, a hundred at a time.
static void spawns(long count) {
  double begun = now();
  for (long left = count / 100; left > 0; left--) {
    for (int i = 0; i < 100; i++)
      start([] {});
    run();
  }
  printf("spawn %.1f ns\n", (now() - begun) / static_cast<double>(count));
}

static void switches(long count) {
  double begun = now();
  for (int i = 0; i < 2; i++)
    start([count] {
      for (long left = count; left > 0; left--)
        yield();
    });
  run();
  printf("switch %.1f ns\n", (now() - begun) / static_cast<double>(2 * count));
}

static semaphore never(0);

static void idle(long count) {
  long before = resident();
  double begun = now();
  for (long i = 0; i < count; i++)
    start([] { never.wait(); });
  run();
  double n = static_cast<double>(count);
  printf("idle %.1f bytes, %.1f ns (%ld fibers)\n", static_cast<double>(resident() - before) / n, (now() - begun) / n,
         count);
  begun = now();
  for (long i = 0; i < count; i++)
    never.post();
  run();
  printf("end %.1f ns\n", (now() - begun) / n);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 1000000;
  spawns(count);
  switches(count);
  idle(std::min(count, MOST_IDLE));
  return 0;
}
