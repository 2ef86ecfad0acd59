// Does what may fail for want of memory or of something of the system's, looks at each error, and ends by itself.
#include "charcoal.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void note(bool failed) { failures += failed; }

// Starts one and waits for its end, where there is one.
static void in_activity(void (*what)(void)) {
  charcoal_activity it;
  int failed = 0;
  activate(&it) { what(); };
  failed = charcoal_join(&it);
  note(failed != 0);
}

static void waits(void) {
  struct timeval most = {0, 1000};
  struct pollfd none[2] = {{-1, POLLIN, 0}, {-1, POLLOUT, 0}};
  note(charcoal_sleep(1) != 0);
  note(poll(none, 2, 1) < 0);
  note(select(0, NULL, NULL, NULL, &most) < 0);
  note(usleep(100) < 0);
}

static void talks(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return;
  int sends = ends[1];
  charcoal_activity other;
  activate(&other) {
    struct iovec pieces[] = {{(char *)"one", 3}, {(char *)"two", 3}};
    charcoal_sleep(1);
    note(writev(sends, pieces, 2) != 6);
    shutdown(sends, SHUT_WR);
  };
  char text[8];
  ssize_t got = 1;
  // Whoever is to write may not exist.
  if (other.failed)
    shutdown(sends, SHUT_WR);
  while (got > 0)
    got = read(ends[0], text, sizeof text);
  note(got < 0);
  note(charcoal_join(&other) != 0);
  close(ends[0]);
  close(sends);
}

static void files(void) {
  char name[] = "/tmp/charcoal-XXXXXX", text[4];
  int descriptor = mkstemp(name);
  unlink(name);
  note(write(descriptor, "abc", 3) != 3);
  note(fsync(descriptor) < 0);
  note(pread(descriptor, text, 3, 0) != 3);
  close(descriptor);
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *found = NULL;
  int failed = getaddrinfo("127.0.0.1", "80", &hints, &found);
  note(failed != 0);
  if (!failed)
    freeaddrinfo(found);
  note(system("exit 0") != 0);
}

static long sum_of(charcoal_channel *channel) {
  long sum = 0, value;
  while (charcoal_channel_receive(channel, &value) == 0)
    sum += value;
  return sum;
}

static void threads(void) {
  charcoal_channel *channel = charcoal_channel_new(sizeof(long), 2);
  note(!channel);
  if (!channel)
    return;
  charcoal_os_thread *thread = charcoal_thread_start("a thread", ^{
    for (long i = 0; i < 5; i++)
      note(charcoal_channel_send(channel, &i) != 0);
    note(charcoal_sleep(1) != 0);
    charcoal_channel_close(channel);
  });
  note(!thread);
  if (!thread)
    charcoal_channel_close(channel);
  note(sum_of(channel) != 10);
  // Those who send have to learn that nobody listens any more.
  charcoal_channel_close(channel);
  while (thread && charcoal_thread_join(thread) != 0)
    note(true);
  charcoal_channel_free(channel);
}

// Locals in memory of their own, and frames of them.
__attribute__((noinline)) static long deep(int n, long *sum) {
  long own[4] = {n, n + 1, n + 2, n + 3};
  yield();
  long below = n ? deep(n - 1, own) : 0;
  *sum += own[n % 4];
  return below + own[0];
}

static void nests(void) {
  long sum = 0, size = 5;
  charcoal_activity other;
  activate(&other) {
    for (int i = 0; i < 20; i++)
      yield();
  };
  long array[size];
  memset(array, 0, sizeof array);
  yield();
  note(deep(10, &sum) + array[3] == 0);
  charcoal_join(&other);
}

int main(void) {
  void (*all[])(void) = {waits, talks, files, threads, nests};
  // Somebody else who wants turns: then files and names are left to other threads.
  shared bool is_over = false;
  charcoal_activity other;
  activate(&other) {
    while (!is_over && charcoal_sleep(1) == 0)
      continue;
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    in_activity(all[i]);
  is_over = true;
  charcoal_cancel(&other);
  charcoal_join(&other);
  printf("%s\n", failures ? "something failed" : "nothing failed");
  return 0;
}
