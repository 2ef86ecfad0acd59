// Descriptors that are closed, copied and used again while somebody waits for them; several who are faster than others.
#define _GNU_SOURCE
#include "charcoal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// Its number is another connection's before the one who waits has a turn.
static void reused(void) {
  int ends[2], others[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  int from = ends[0];
  charcoal_activity waits;
  activate(&waits) {
    char byte = 0;
    ssize_t got = recv(from, &byte, 1, 0);
    printf("reused: %zd %s\n", got, got < 0 ? strerror(errno) : "");
  };
  yield();
  atomic {
    write(ends[1], "x", 1);
    poll(&(struct pollfd){from, POLLIN, 0}, 1, -1);
    close(from);
    socketpair(AF_UNIX, SOCK_STREAM, 0, others);
    write(others[1], "secret", 6);
  }
  charcoal_join(&waits);
  char text[10] = {0};
  printf("%d %zd %s\n", others[0] == from, recv(others[0], text, 9, 0), text);
  close(ends[1]);
  close(others[0]);
  close(others[1]);
}

static void copied(void) {
  int ends[2], others[2];
  pipe(ends);
  pipe(others);
  int from = ends[0];
  charcoal_activity waits;
  activate(&waits) {
    char byte;
    ssize_t got = read(from, &byte, 1);
    printf("copied over: %zd %s\n", got, got < 0 ? strerror(errno) : "");
  };
  yield();
  dup2(others[0], from);
  charcoal_join(&waits);
  close(ends[1]);
  close(others[1]);
  char byte;
  printf("%zd\n", read(from, &byte, 1));
  close(from);
  close(others[0]);
}

// Records of up to PIPE_BUF bytes are written as wholes.
static void records(void) {
  enum { WRITERS = 5, TIMES = 60, PIECES = 4, PIECE = 75 };
  int ends[2];
  pipe(ends);
  fcntl(ends[1], F_SETPIPE_SZ, 4096);
  int to = ends[1];
  charcoal_activity all[WRITERS];
  for (int i = 0; i < WRITERS; i++)
    activate(&all[i]) {
      char text[PIECES * PIECE];
      struct iovec pieces[PIECES];
      memset(text, 'a' + i, sizeof text);
      for (int k = 0; k < PIECES; k++)
        pieces[k] = (struct iovec){text + k * PIECE, PIECE};
      for (int k = 0; k < TIMES; k++)
        writev(to, pieces, PIECES);
    };
  char record[PIECES * PIECE];
  int torn = 0;
  for (int i = 0; i < WRITERS * TIMES; i++) {
    for (size_t done = 0; done < sizeof record;)
      done += (size_t)read(ends[0], record + done, sizeof record - done);
    for (size_t k = 1; k < sizeof record; k++)
      torn += record[k] != record[0];
  }
  for (int i = 0; i < WRITERS; i++)
    charcoal_join(&all[i]);
  printf("%d torn\n", torn);
  close(ends[0]);
  close(ends[1]);
}

static void peeks(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  int to = ends[1];
  charcoal_activity sends;
  activate(&sends) {
    for (int i = 0; i < 4; i++) {
      write(to, "ab", 2);
      charcoal_sleep(2);
    }
  };
  char text[9] = {0};
  printf("%zd %s\n", recv(ends[0], text, 8, MSG_PEEK | MSG_WAITALL), text);
  charcoal_join(&sends);
  close(ends[0]);
  close(ends[1]);
}

// What comes later than a time limit does not count; a descriptor that comes with the second part does.
static void partly(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  struct timeval limit = {0, 20000};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  write(ends[1], "half", 4);
  char text[9] = {0};
  printf("%zd", recv(ends[0], text, 8, MSG_PEEK | MSG_WAITALL));
  printf(" %zd\n", recv(ends[0], text, 8, MSG_WAITALL));
  int to = ends[1];
  charcoal_activity sends;
  activate(&sends) {
    write(to, "one ", 4);
    charcoal_sleep(2);
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec piece = {(char[]){"two "}, 4};
    struct msghdr with = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *first = CMSG_FIRSTHDR(&with);
    *first = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(first), &to, sizeof to);
    sendmsg(to, &with, 0);
  };
  char control[CMSG_SPACE(sizeof(int))];
  struct iovec piece = {text, 8};
  struct msghdr header = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t got = recvmsg(ends[0], &header, MSG_WAITALL);
  const struct cmsghdr *came = CMSG_FIRSTHDR(&header);
  printf("%zd %s, %d\n", got, text, came && came->cmsg_type == SCM_RIGHTS);
  charcoal_join(&sends);
  if (came) {
    int copy;
    memcpy(&copy, CMSG_DATA(came), sizeof copy);
    close(copy);
  }
  close(ends[0]);
  close(ends[1]);
}

// A queue of connections that is full: a time limit counts.
static void full(void) {
  struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0charcoal-test-full"};
  snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "charcoal-test-%d", getpid());
  socklen_t size = sizeof at;
  int listens = socket(AF_UNIX, SOCK_STREAM, 0), first = socket(AF_UNIX, SOCK_STREAM, 0),
      second = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listens, (struct sockaddr *)&at, size);
  listen(listens, 0);
  struct timeval limit = {0, 20000};
  setsockopt(second, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int one = connect(first, (struct sockaddr *)&at, size), other = connect(second, (struct sockaddr *)&at, size);
  printf("%d %d %s\n", one, other, strerror(errno));
  close(listens);
  close(first);
  close(second);
}

// No others than those of the program.
static void ranges(void) {
  int ends[2];
  pipe(ends);
  int from = ends[0], to = ends[1];
  charcoal_activity writes;
  activate(&writes) {
    charcoal_sleep(1);
    write(to, "x", 1);
  };
  close_range((unsigned)to + 1, UINT_MAX, 0);
  char byte = 0;
  ssize_t got = read(from, &byte, 1);
  charcoal_join(&writes);
  printf("%zd %c, %d\n", got, byte, charcoal_wait_for(INT_MAX, POLLIN) == EBADF);
  close(from);
  close(to);
}

int main(void) {
  charcoal_activity beside;
  // Somebody else is there all the time.
  activate(&beside) { charcoal_sleep(100000); };
  reused();
  copied();
  records();
  peeks();
  partly();
  full();
  ranges();
  charcoal_cancel(&beside);
  charcoal_join(&beside);
  return 0;
}
