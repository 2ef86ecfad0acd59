// The buffer of bench/buffer.c with fibers of Boost.Context. Nothing comes in between but where they wait, so the
// buffer needs no lock.
// bench/buffer-boost [ITEMS]
#include "buffer.h"
#include "fibers.h"

static uint64_t items[SLOTS];
static unsigned first, count;
static semaphore is_free(SLOTS), is_full(0);

static void put(uint64_t item) {
  is_free.wait();
  items[(first + count) % SLOTS] = item;
  count++;
  is_full.post();
}

static uint64_t take() {
  is_full.wait();
  uint64_t item = items[first];
  first = (first + 1) % SLOTS;
  count--;
  is_free.post();
  return item;
}

int main(int argc, char **argv) {
  long share = share_of(argc, argv);
  uint64_t sum = 0;
  double begun = now();
  for (int i = 0; i < SIDES; i++) {
    start([i, share] {
      for (long n = 0; n < share; n++)
        put(static_cast<uint64_t>(i * share + n));
    });
    start([&sum, share] {
      for (long n = 0; n < share; n++)
        sum += worth(take());
    });
  }
  run();
  return say(share, now() - begun, sum);
}
