// The buffer of bench/buffer.c with threads of the system, a mutex and two condition variables.
// bench/buffer-threads [ITEMS]
#include "buffer.h"
#include <pthread.h>

static struct {
  uint64_t items[SLOTS];
  unsigned begin, count;
  pthread_mutex_t lock;
  pthread_cond_t has_room, has_items;
} buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .has_room = PTHREAD_COND_INITIALIZER, .has_items = PTHREAD_COND_INITIALIZER};

struct side {
  pthread_t thread;
  uint64_t first; // of the items that a producer makes
  long share;
  uint64_t sum;
};

static void put(uint64_t item) {
  pthread_mutex_lock(&buffer.lock);
  while (buffer.count == SLOTS)
    pthread_cond_wait(&buffer.has_room, &buffer.lock);
  buffer.items[(buffer.begin + buffer.count) % SLOTS] = item;
  buffer.count++;
  pthread_cond_signal(&buffer.has_items);
  pthread_mutex_unlock(&buffer.lock);
}

static uint64_t take(void) {
  pthread_mutex_lock(&buffer.lock);
  while (buffer.count == 0)
    pthread_cond_wait(&buffer.has_items, &buffer.lock);
  uint64_t item = buffer.items[buffer.begin];
  buffer.begin = (buffer.begin + 1) % SLOTS;
  buffer.count--;
  pthread_cond_signal(&buffer.has_room);
  pthread_mutex_unlock(&buffer.lock);
  return item;
}

static void *produces(void *of) {
  const struct side *self = of;
  for (long n = 0; n < self->share; n++)
    put(self->first + (uint64_t)n);
  return NULL;
}

static void *consumes(void *of) {
  struct side *self = of;
  for (long n = 0; n < self->share; n++)
    self->sum += worth(take());
  return NULL;
}

int main(int argc, char **argv) {
  struct side all[2 * SIDES];
  long share = share_of(argc, argv);
  uint64_t sum = 0;
  double begun = now();
  for (int i = 0; i < 2 * SIDES; i++) {
    all[i] = (struct side){.first = (uint64_t)(i / 2 * share), .share = share};
    if (pthread_create(&all[i].thread, NULL, i % 2 ? consumes : produces, &all[i]))
      return 1;
  }
  for (int i = 0; i < 2 * SIDES; i++) {
    pthread_join(all[i].thread, NULL);
    sum += all[i].sum;
  }
  return say(share, now() - begun, sum);
}
