// A thread that is nobody's may still send something, however long all others wait.
#include "charcoal.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static charcoal_channel *channel;

static void *send_late(void *unused) {
  usleep(500000);
  charcoal_channel_send(channel, &(int){42});
  return unused;
}

int main(void) {
  channel = charcoal_channel_new(sizeof(int), 1);
  pthread_t thread;
  if (!channel || pthread_create(&thread, NULL, send_late, NULL))
    return 1;
  int value = 0;
  charcoal_os_thread *other = charcoal_thread_start("another", ^{
    int got = 0;
    charcoal_channel_receive(channel, &got);
    printf("%d\n", got);
    charcoal_channel_send(channel, &got);
  });
  charcoal_thread_join(other);
  printf("%d %d\n", charcoal_channel_receive(channel, &value), value);
  pthread_join(thread, NULL);
  charcoal_channel_free(channel);
  return 0;
}
