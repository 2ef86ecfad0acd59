// What bench/tasks.c measures, with coroutines of C++20 and the scheduler of bench/coroutines.h.
#include "coroutines.h"
#include "measure.h"

static task nothing() { co_return; }

// Each begins, does nothing and ends, a hundred at a time.
static void spawns(long count) {
  double begun = now();
  for (long left = count / 100; left > 0; left--) {
    for (int i = 0; i < 100; i++)
      nothing();
    run();
  }
  printf("spawn %.1f ns\n", (now() - begun) / static_cast<double>(count));
}

static task yields(long count) {
  for (long left = count; left > 0; left--)
    co_await yield();
}

static void switches(long count) {
  double begun = now();
  for (int i = 0; i < 2; i++)
    yields(count);
  run();
  printf("switch %.1f ns\n", (now() - begun) / static_cast<double>(2 * count));
}

static semaphore never(0);

static task waits() { co_await never.wait(); }

static void idle(long count) {
  long before = resident();
  double begun = now();
  for (long i = 0; i < count; i++)
    waits();
  run();
  double n = static_cast<double>(count);
  printf("idle %.1f bytes, %.1f ns\n", static_cast<double>(resident() - before) / n, (now() - begun) / n);
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
  idle(count);
  return 0;
}
