// Four activities put items into a buffer of sixteen slots, and four take them out: semaphores count what is free and
// what is full, and atomic blocks keep the buffer's fields together. Prints nanoseconds of processor time for an item.
// bench/buffer [ITEMS]
#include "buffer.h"
#include "charcoal.h"

static struct {
  uint64_t items[SLOTS];
  unsigned begin, count;
  charcoal_semaphore is_free, is_full;
} buffer = {.is_free = CHARCOAL_SEMAPHORE(SLOTS), .is_full = CHARCOAL_SEMAPHORE(0)};

static void put(uint64_t item) {
  charcoal_semaphore_wait(&buffer.is_free);
  atomic {
    buffer.items[(buffer.begin + buffer.count) % SLOTS] = item;
    buffer.count++;
    charcoal_semaphore_post(&buffer.is_full);
  }
}

static uint64_t take(void) {
  uint64_t item = 0;
  charcoal_semaphore_wait(&buffer.is_full);
  atomic {
    item = buffer.items[buffer.begin];
    buffer.begin = (buffer.begin + 1) % SLOTS;
    buffer.count--;
    charcoal_semaphore_post(&buffer.is_free);
  }
  return item;
}

int main(int argc, char **argv) {
  charcoal_activity all[2 * SIDES];
  long share = share_of(argc, argv);
  shared uint64_t sum = 0;
  double begun = now();
  for (int i = 0; i < SIDES; i++) {
    activate(&all[2 * i]) {
      for (long n = 0; n < share; n++)
        put((uint64_t)(i * share + n));
    };
    activate(&all[2 * i + 1]) {
      uint64_t own = 0;
      for (long n = 0; n < share; n++)
        own += worth(take());
      atomic { sum += own; }
    };
  }
  for (int i = 0; i < 2 * SIDES; i++)
    charcoal_join(&all[i]);
  return say(share, now() - begun, sum);
}
