// Semaphores, joins, sleeping, pipes, and what is cancelled.
#include "charcoal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static charcoal_semaphore items = CHARCOAL_SEMAPHORE(0), room = CHARCOAL_SEMAPHORE(2);
static int buffer[2], in, out, ends[2];
static char text[32];

int main(void) {
  charcoal_activity producer, consumer, sleeper, reader, cancelled[3];
  setvbuf(stdout, NULL, _IOLBF, 0);
  activate(&producer) {
    for (int i = 1; i <= 6; i++) {
      charcoal_semaphore_wait(&room);
      buffer[in++ % 2] = i;
      charcoal_semaphore_post(&items);
    }
  };
  shared int sum = 0;
  activate(&consumer) {
    for (int i = 1; i <= 6; i++) {
      charcoal_semaphore_wait(&items);
      sum = sum * 10 + buffer[out++ % 2];
      charcoal_semaphore_post(&room);
    }
  };
  printf("joined %d %d\n", charcoal_join(&producer), charcoal_join(&consumer));
  printf("%d\n", sum);

  if (pipe(ends))
    return 1;
  activate(&reader) {
    ssize_t size = read(ends[0], text, sizeof text - 1);
    printf("read %zd\n", size);
  };
  activate(&sleeper) {
    charcoal_sleep(30);
    printf("slept\n");
    usleep(10000);
    printf("wrote %zd\n", write(ends[1], "hello", 5));
  };
  charcoal_join(&reader);
  printf("%s\n", text);
  charcoal_join(&sleeper);

  activate(&cancelled[0]) { printf("semaphore %s\n", strerror(charcoal_semaphore_wait(&items))); };
  activate(&cancelled[1]) { printf("sleep %s\n", strerror(charcoal_sleep(100000))); };
  activate(&cancelled[2]) {
    char one;
    errno = 0;
    printf("read %zd", read(ends[0], &one, 1));
    printf(" %s\n", strerror(errno));
    printf("again %s\n", strerror(charcoal_sleep(1)));
  };
  yield();
  for (int i = 0; i < 3; i++)
    charcoal_cancel(&cancelled[i]);
  for (int i = 0; i < 3; i++)
    charcoal_join(&cancelled[i]);
  charcoal_semaphore_post(&items);
  printf("%d\n", charcoal_semaphore_wait(&items));
  charcoal_activity zeroed = {0};
  printf("%d %d\n", charcoal_join(charcoal_current()) == EDEADLK, charcoal_join(&zeroed) == EINVAL);
  return 7;
}
