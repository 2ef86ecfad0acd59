// Threads with activities of their own hand over values by way of channels; any number of switches.
#include "charcoal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define ITEMS 500

struct item {
  int from, number;
};

static void produce(charcoal_channel *into, int from) {
  for (int i = 0; i < ITEMS; i++) {
    struct item item = {from, i};
    charcoal_channel_send(into, &item);
  }
}

int main(void) {
  charcoal_channel *items = charcoal_channel_new(sizeof(struct item), 3), *sums = charcoal_channel_new(sizeof(long), 1);
  charcoal_os_thread *threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    threads[i] = charcoal_thread_start("producer", ^{
      charcoal_activity both[2];
      for (int half = 0; half < 2; half++)
        activate(&both[half]) { produce(items, 2 * i + half); };
      for (int half = 0; half < 2; half++)
        charcoal_join(&both[half]);
    });
  charcoal_activity consumers[3];
  for (int i = 0; i < 3; i++)
    activate(&consumers[i]) {
      struct item item;
      long sum = 0;
      int next[2 * THREADS] = {0}, is_ordered = 1;
      while (charcoal_channel_receive(items, &item) == 0) {
        is_ordered &= item.number >= next[item.from];
        next[item.from] = item.number + 1;
        sum += item.number;
      }
      sum = is_ordered ? sum : -1000000;
      charcoal_channel_send(sums, &sum);
    };
  int failed = 0;
  for (int i = 0; i < THREADS; i++)
    failed |= charcoal_thread_join(threads[i]);
  charcoal_channel_close(items);
  long all = 0, one = 0;
  for (int i = 0; i < 3; i++) {
    charcoal_channel_receive(sums, &one);
    all += one;
  }
  for (int i = 0; i < 3; i++)
    charcoal_join(&consumers[i]);
  printf("%ld %d\n", all, failed);
  charcoal_activity waits;
  activate(&waits) { printf("%s\n", strerror(charcoal_channel_receive(sums, &(long){0}))); };
  yield();
  charcoal_cancel(&waits);
  charcoal_join(&waits);
  struct item item = {0, 0};
  printf("%d %d\n", charcoal_channel_send(items, &item) == EPIPE, charcoal_channel_receive(items, &item) == EPIPE);
  atomic { printf("%d\n", charcoal_channel_receive(sums, &one) == EDEADLK); }
  charcoal_channel_free(items);
  charcoal_channel_free(sums);
  return 0;
}
