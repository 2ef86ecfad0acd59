// What nodes do between messages: other calls that wait, each with an outcome that does not depend on when.
#include "network.h"
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// None of them may end early.
static uint32_t sleeps(struct dice *dice) {
  int64_t begun = now(), asked = 1000 * (int64_t)roll(dice, 3000);
  struct timespec time = {0, asked}, until = {(begun + asked) / 1000000000, (begun + asked) % 1000000000};
  switch (roll(dice, 5)) {
  case 0:
    nanosleep(&time, NULL);
    break;
  case 1:
    usleep((unsigned)(asked / 1000));
    break;
  case 2:
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    break;
  case 3:
    if (poll(NULL, 0, (int)(asked / 1000000)))
      fail("poll of nothing");
    asked = asked / 1000000 * 1000000;
    break;
  default:
    if (select(0, NULL, NULL, NULL, &(struct timeval){0, asked / 1000}))
      fail("select of nothing");
  }
  if (now() - begun < asked)
    fail("a sleep that ended early");
  return 1;
}

static uint32_t files(struct dice *dice) {
  char name[] = "/tmp/network-XXXXXX", out[3000], in[3000];
  int file = mkstemp(name);
  if (file < 0 || unlink(name))
    fail("mkstemp");
  memset(out, (int)roll(dice, 256), sizeof out);
  off_t at = roll(dice, 100000);
  size_t count = 1 + roll(dice, sizeof out);
  struct iovec pieces[2] = {{in, count / 2}, {in + count / 2, count - count / 2}};
  if (pwrite(file, out, count, at) != (ssize_t)count || fsync(file) || fdatasync(file))
    fail("pwrite");
  if (pread(file, in, count, at) != (ssize_t)count || memcmp(in, out, count))
    fail("pread");
  if (lseek(file, at, SEEK_SET) != at || readv(file, pieces, 2) != (ssize_t)count || memcmp(in, out, count))
    fail("readv");
  if (read(file, in, 1) != 0 || write(file, "end", 3) != 3 || close(file))
    fail("the end of a file");
  return (uint32_t)count;
}

static uint32_t children(struct dice *dice) {
  int ends[2], status = 0;
  unsigned code = roll(dice, 100);
  if (pipe2(ends, O_CLOEXEC))
    fail("pipe");
  pid_t child = fork();
  if (child == 0) {
    usleep(300);
    char bytes[500] = {0};
    if (write(ends[1], bytes, sizeof bytes) != sizeof bytes)
      _exit(101);
    _exit((int)code);
  }
  close(ends[1]);
  char bytes[100];
  ssize_t all = 0, some;
  // Not to the end, which is when all processes that another thread has made meanwhile are gone, too.
  while (all < 500 && (some = read(ends[0], bytes, sizeof bytes)) > 0)
    all += some;
  if (child < 0 || close(ends[0]) || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    fail("waitpid");
  return (uint32_t)all + (uint32_t)WEXITSTATUS(status);
}

static uint32_t commands(struct dice *dice) {
  char text[40];
  snprintf(text, sizeof text, "exit %u", roll(dice, 100));
  int status = system(text);
  if (status < 0 || !WIFEXITED(status))
    fail("system");
  return (uint32_t)WEXITSTATUS(status);
}

static uint32_t names(struct dice *dice) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
  char host[50], text[50];
  snprintf(text, sizeof text, "127.0.0.%u", roll(dice, 200));
  if (getaddrinfo(text, "80", &hints, &found) ||
      getnameinfo(found->ai_addr, found->ai_addrlen, host, sizeof host, NULL, 0, NI_NUMERICHOST))
    fail("getaddrinfo");
  freeaddrinfo(found);
  return (uint32_t)strcmp(host, text) + (uint32_t)strlen(host);
}

// Only one at a time, whoever holds it: an activity, a thread, another process.
static uint32_t locks(struct dice *dice) {
  int file = open(lock_path, O_RDWR | O_CLOEXEC);
  if (file < 0 || flock(file, LOCK_EX))
    fail("flock");
  if (__atomic_add_fetch(inside, 1, __ATOMIC_SEQ_CST) != 1)
    fail("two hold one lock");
  usleep(roll(dice, 500));
  __atomic_sub_fetch(inside, 1, __ATOMIC_SEQ_CST);
  if (flock(file, LOCK_UN) || close(file))
    fail("unlock");
  return 2;
}

static uint32_t limits(struct dice *dice) {
  int ends[2], listens = socket(AF_INET, SOCK_STREAM, 0);
  char byte;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    fail("socketpair");
  struct timeval limit = {0, 1000 + (int)roll(dice, 3000)};
  ssize_t some;
  if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit))
    fail("setsockopt");
  // Signals of children that nobody handles interrupt such calls, too, where one thread has blocked them (as `system`
  // does).
  while ((some = recv(ends[0], &byte, 1, 0)) == -1 && errno == EINTR)
    ;
  if (some != -1 || errno != EAGAIN)
    fail("SO_RCVTIMEO");
  struct pollfd both[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN | POLLOUT, 0}};
  if (poll(both, 1, 1) != 0 || poll(both, 2, -1) != 1 || both[1].revents != POLLOUT)
    fail("poll");
  if (shutdown(ends[1], SHUT_WR) || recv(ends[0], &byte, 1, 0) != 0 || poll(both, 1, -1) != 1 ||
      !(both[0].revents & POLLIN))
    fail("shutdown");
  if (send(ends[1], &byte, 1, MSG_NOSIGNAL) != -1 || errno != EPIPE || close(ends[0]) || close(ends[1]) ||
      close(listens))
    fail("EPIPE");
  return 3;
}

struct crowd {
  int ends[2], listens;
  struct sockaddr_in at;
  unsigned left, sum;
};

// Both take bytes from one pipe, each of which comes to one of them.
static void take_bytes(void *with, int which) {
  struct crowd *crowd = with;
  unsigned char bytes[5];
  ssize_t some;
  if (which)
    usleep(100);
  while ((some = read(crowd->ends[0], bytes, 1 + (size_t)which * 4)) > 0)
    for (ssize_t i = 0; i < some; i++) {
      __atomic_add_fetch(&crowd->sum, bytes[i], __ATOMIC_SEQ_CST);
      if (__atomic_sub_fetch(&crowd->left, 1, __ATOMIC_SEQ_CST) == 0)
        // Whoever else waits has to go.
        for (int once = 0; once < 2 && write(crowd->ends[1], (char[5]){0}, 5) == 5; once++)
          ;
      if (bytes[i] == 0)
        return;
    }
  fail("a pipe with two readers");
}

static uint32_t crowds(struct dice *dice) {
  struct crowd crowd = {.left = 50 + roll(dice, 200)};
  unsigned sum = 0;
  if (pipe2(crowd.ends, O_CLOEXEC))
    fail("pipe");
  for (unsigned i = 0, count = crowd.left; i < count; i++) {
    unsigned char byte = (unsigned char)(1 + roll(dice, 255));
    sum += byte;
    if (write(crowd.ends[1], &byte, 1) != 1)
      fail("write");
  }
  run_both(take_bytes, &crowd);
  if (close(crowd.ends[0]) || close(crowd.ends[1]) || sum != crowd.sum)
    fail("what two readers got");
  return sum;
}

// One connects as often as the other accepts; both say who they are.
static void meet(void *with, int which) {
  struct crowd *crowd = with;
  for (unsigned i = 0; i < crowd->left; i++) {
    char byte = (char)i;
    int connected =
        which ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : accept4(crowd->listens, NULL, NULL, SOCK_CLOEXEC);
    if (connected < 0 || (which && connect(connected, (struct sockaddr *)&crowd->at, sizeof crowd->at)))
      fail("connect and accept");
    if (send(connected, &byte, 1, 0) != 1 || recv(connected, &byte, 1, MSG_WAITALL) != 1 || byte != (char)i ||
        close(connected))
      fail("a short connection");
  }
}

static uint32_t meetings(struct dice *dice) {
  struct crowd crowd = {.left = 1 + roll(dice, 10),
                        .at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof crowd.at;
  crowd.listens = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (crowd.listens < 0 || bind(crowd.listens, (struct sockaddr *)&crowd.at, length) || listen(crowd.listens, 5) ||
      getsockname(crowd.listens, (struct sockaddr *)&crowd.at, &length))
    fail("listen");
  run_both(meet, &crowd);
  close(crowd.listens);
  return crowd.left;
}

// What has been interrupted does not tear values apart in an atomic block.
static uint32_t blocks(struct dice *dice) {
  for (unsigned i = 0, count = roll(dice, 20); i < count; i++)
    whole_block(dice);
  return 4;
}

uint32_t interlude(struct dice *dice) {
  static uint32_t (*const all[])(struct dice *) = {sleeps, sleeps, files,  children, commands, names,
                                                   locks,  limits, crowds, meetings, blocks,   cancels};
  return all[roll(dice, sizeof all / sizeof *all)](dice);
}
