// The buffer of bench/buffer.c with coroutines of C++20. Nothing comes in between but where they wait, so the buffer
// needs no lock.
// bench/buffer-coroutines [ITEMS]
#include "buffer.h"
#include "coroutines.h"

static uint64_t items[SLOTS];
static unsigned first, count;
static semaphore is_free(SLOTS), is_full(0);

static void put(uint64_t item) {
  items[(first + count) % SLOTS] = item;
  count++;
  is_full.post();
}

static uint64_t take() {
  uint64_t item = items[first];
  first = (first + 1) % SLOTS;
  count--;
  is_free.post();
  return item;
}

static task produces(uint64_t from, long share) {
  for (long n = 0; n < share; n++) {
    co_await is_free.wait();
    put(from + static_cast<uint64_t>(n));
  }
}

static task consumes(uint64_t &sum, long share) {
  for (long n = 0; n < share; n++) {
    co_await is_full.wait();
    sum += worth(take());
  }
}

int main(int argc, char **argv) {
  long share = share_of(argc, argv);
  uint64_t sum = 0;
  double begun = now();
  for (int i = 0; i < SIDES; i++) {
    produces(static_cast<uint64_t>(i * share), share);
    consumes(sum, share);
  }
  run();
  return say(share, now() - begun, sum);
}
