// Nodes as activities, in one thread or in several.
#include "charcoal.h"
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_some(int from, int step, int nodes, void (*node)(int)) {
  charcoal_activity *all = calloc((size_t)nodes, sizeof *all);
  if (!all)
    fail("calloc");
  for (int i = from; i < nodes; i += step)
    activate(&all[i]) { node(i); };
  for (int i = from; i < nodes; i += step)
    if (charcoal_join(&all[i]))
      fail("join");
  free(all);
}

void run_parts(int parts, int nodes, void (*node)(int)) {
  charcoal_os_thread *threads[8];
  for (int i = 1; i < parts; i++)
    threads[i] = charcoal_thread_start("part", ^{
      run_some(i, parts, nodes, node);
    });
  run_some(0, parts, nodes, node);
  for (int i = 1; i < parts; i++)
    if (charcoal_thread_join(threads[i]))
      fail("charcoal_thread_join");
}

void run_both(void (*part)(void *, int), void *with) {
  charcoal_activity second;
  activate(&second) { part(with, 1); };
  part(with, 0);
  if (charcoal_join(&second))
    fail("join");
}

static _Thread_local int first, second;

void whole_block(struct dice *dice) {
  atomic {
    int was = first;
    if (first != second)
      fail("a block that is not whole");
    first = was + 1;
    usleep(roll(dice, 2));
    second = was + 1;
  }
}

static void wait_for_ever(unsigned how) {
  int ends[2], result = 0, lock;
  char byte;
  struct pollfd one;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    fail("socketpair");
  switch (how) {
  case 0:
    result = (int)read(ends[0], &byte, 1);
    break;
  case 1:
    one = (struct pollfd){ends[0], POLLIN, 0};
    result = poll(&one, 1, -1);
    break;
  case 2:
    result = (int)recv(ends[0], &byte, 1, MSG_WAITALL);
    break;
  case 3:
    result = usleep(900000000);
    break;
  case 4:
    lock = open(lock_path, O_RDWR | O_CLOEXEC);
    result = flock(lock, LOCK_EX);
    // The lock may have been free.
    if (result == 0) {
      if (__atomic_add_fetch(inside, 1, __ATOMIC_SEQ_CST) != 1)
        fail("two hold one lock");
      __atomic_sub_fetch(inside, 1, __ATOMIC_SEQ_CST);
      flock(lock, LOCK_UN);
      result = -1;
      errno = ECANCELED;
    }
    int error = errno;
    close(lock);
    errno = error;
    break;
  case 5: {
    charcoal_semaphore none = CHARCOAL_SEMAPHORE(0);
    errno = charcoal_semaphore_wait(&none);
    result = -1;
    break;
  }
  case 6: {
    char bytes[100000] = {0};
    for (ssize_t some = 0; some >= 0;)
      result = (int)(some = send(ends[0], bytes, sizeof bytes, 0));
    break;
  }
  case 7: {
    pid_t child = fork();
    if (child == 0) {
      sleep(1000);
      _exit(0);
    }
    result = waitpid(child, NULL, 0);
    int why = errno;
    kill(child, SIGKILL);
    atomic {
      if (waitpid(child, NULL, 0) != child)
        fail("waitpid of a child that was given up");
    }
    errno = why;
    break;
  }
  default: {
    charcoal_channel *channel = charcoal_channel_new(1, 1);
    errno = charcoal_channel_receive(channel, &byte);
    result = -1;
    charcoal_channel_free(channel);
  }
  }
  if (result != -1 || errno != ECANCELED)
    fail("something that was cancelled");
  close(ends[0]);
  close(ends[1]);
}

uint32_t cancels(struct dice *dice) {
  unsigned how = roll(dice, 9);
  charcoal_activity waits;
  activate(&waits) { wait_for_ever(how); };
  yield();
  if (how % 2)
    usleep(200);
  charcoal_cancel(&waits);
  int result = charcoal_join(&waits);
  return result ? (uint32_t)result : ECANCELED;
}
