// Nodes as threads of plain C.
#include "turns.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void (*body)(int);

static void *run(void *of) {
  body((int)(intptr_t)of);
  return NULL;
}

void run_parts(int parts, int nodes, void (*node)(int)) {
  (void)parts;
  body = node;
  pthread_t *threads = malloc(sizeof *threads * (size_t)nodes);
  for (int i = 0; threads && i < nodes; i++)
    if (pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i))
      fail("pthread_create");
  for (int i = 0; threads && i < nodes; i++)
    pthread_join(threads[i], NULL);
  free(threads);
}

struct half {
  void (*part)(void *, int);
  void *with;
};

static void *run_second(void *of) {
  const struct half *half = of;
  half->part(half->with, 1);
  return NULL;
}

void run_both(void (*part)(void *, int), void *with) {
  pthread_t second;
  struct half half = {part, with};
  if (pthread_create(&second, NULL, run_second, &half))
    fail("pthread_create");
  part(with, 0);
  pthread_join(second, NULL);
}

void whole_block(struct dice *dice) { roll(dice, 2); }

uint32_t cancels(struct dice *dice) {
  roll(dice, 9);
  return 125; // ECANCELED
}
