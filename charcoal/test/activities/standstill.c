// Threads that all wait for one another: the program says so, and ends.
#include "charcoal.h"
#include <stdio.h>

__attribute__((noinline)) static int take(charcoal_channel *from) {
  int value = 0;
  return charcoal_channel_receive(from, &value);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  charcoal_channel *one = charcoal_channel_new(sizeof(int), 1), *other = charcoal_channel_new(sizeof(int), 1);
  // One that ends is not counted.
  charcoal_os_thread *short_one = charcoal_thread_start("a short one", ^{
    charcoal_sleep(1);
  });
  printf("%d\n", charcoal_thread_join(short_one));
  charcoal_os_thread *thread = charcoal_thread_start("another thread", ^{
    charcoal_sleep(2);
    int value = take(one);
    charcoal_channel_send(other, &value);
  });
  // It has nothing to receive before it has sent something.
  int value = take(other);
  charcoal_channel_send(one, &value);
  return charcoal_thread_join(thread);
}
