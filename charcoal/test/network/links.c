// The descriptors between two nodes, and the calls that move bytes through them.
#include "network.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

void fail(const char *what) {
  fprintf(stderr, "network: %s: %s\n", what, strerror(errno));
  // Other processes would wait for what does not come any more.
  kill(0, SIGKILL);
  _exit(1);
}

static void make_tcp(int ends[2]) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof at;
  int listens = socket(AF_INET, SOCK_STREAM, 0);
  if (listens < 0 || bind(listens, (struct sockaddr *)&at, sizeof at) || listen(listens, 1) ||
      getsockname(listens, (struct sockaddr *)&at, &length))
    fail("listen");
  ends[1] = socket(AF_INET, SOCK_STREAM, 0);
  if (ends[1] < 0 || connect(ends[1], (struct sockaddr *)&at, sizeof at))
    fail("connect");
  ends[0] = accept(listens, NULL, NULL);
  if (ends[0] < 0 || close(listens))
    fail("accept");
}

static void make_terminal(int ends[2]) {
  struct termios raw;
  if (openpty(&ends[0], &ends[1], NULL, NULL, NULL) || tcgetattr(ends[1], &raw))
    fail("openpty");
  cfmakeraw(&raw);
  if (tcsetattr(ends[1], TCSANOW, &raw))
    fail("tcsetattr");
}

void link_make(struct link *link, enum link_kind kind) {
  int ends[2];
  if (kind == PIPE && pipe(ends))
    fail("pipe");
  if (kind == STREAM && socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    fail("socketpair");
  if (kind == PACKETS && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
    fail("socketpair");
  if (kind == TCP)
    make_tcp(ends);
  if (kind == TERMINAL)
    make_terminal(ends);
  *link = (struct link){kind, ends[1], ends[0]};
}

static int is_socket(const struct link *link) {
  return link->kind == STREAM || link->kind == TCP || link->kind == PACKETS;
}

// Signals of children interrupt these calls, too, where one thread has blocked them (as `system` does).
static void await(int descriptor, short events, unsigned how) {
  struct pollfd one = {descriptor, events, 0};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  int ready = 0;
  switch (how % 4) {
  case 0:
    while ((ready = poll(&one, 1, -1)) == -1 && errno == EINTR)
      ;
    break;
  case 1:
    // The time may pass before anything comes.
    while ((ready = ppoll(&one, 1, &(struct timespec){0, 300000}, NULL)) == 0 || (ready == -1 && errno == EINTR))
      ;
    break;
  case 2:
    while ((ready = select(descriptor + 1, events == POLLIN ? &set : NULL, events == POLLOUT ? &set : NULL, NULL,
                           NULL)) == -1 &&
           errno == EINTR)
      ;
    break;
  default: {
    struct epoll_event event = {.events = (uint32_t)events, .data.fd = 7};
    int all = epoll_create1(EPOLL_CLOEXEC);
    if (all < 0 || epoll_ctl(all, EPOLL_CTL_ADD, descriptor, &event))
      fail("epoll_ctl");
    while ((ready = epoll_wait(all, &event, 1, 2)) == 0 || (ready == -1 && errno == EINTR))
      ;
    if (event.data.fd != 7 || close(all))
      fail("epoll_wait");
  }
  }
  if (ready != 1)
    fail("a descriptor that is ready");
}

// One call that sends, and how many bytes it took.
static ssize_t send_some(const struct link *link, char *bytes, size_t count, unsigned how) {
  struct iovec pieces[2] = {{bytes, count / 2}, {bytes + count / 2, count - count / 2}};
  if (!is_socket(link))
    return how % 2 ? write(link->from, bytes, count) : writev(link->from, pieces, 2);
  struct msghdr header = {.msg_iov = pieces, .msg_iovlen = 2};
  switch (how % 6) {
  case 0:
    return write(link->from, bytes, count);
  case 1:
    return send(link->from, bytes, count, MSG_NOSIGNAL);
  case 2:
    return sendto(link->from, bytes, count, 0, NULL, 0);
  case 3:
    return writev(link->from, pieces, 2);
  case 4:
    return sendmsg(link->from, &header, MSG_NOSIGNAL);
  default: {
    ssize_t sent = send(link->from, bytes, count, MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) {
      await(link->from, POLLOUT, how / 6);
      return 0;
    }
    return sent;
  }
  }
}

static ssize_t receive_some(const struct link *link, char *bytes, size_t count, unsigned how) {
  struct iovec pieces[2] = {{bytes, count / 2}, {bytes + count / 2, count - count / 2}};
  if (how % 16 >= 8)
    await(link->to, POLLIN, how / 16);
  if (!is_socket(link))
    return how % 2 ? read(link->to, bytes, count) : readv(link->to, pieces, 2);
  struct msghdr header = {.msg_iov = pieces, .msg_iovlen = 2};
  switch (how % 8) {
  case 0:
    return read(link->to, bytes, count);
  case 1:
    return recv(link->to, bytes, count, 0);
  case 2:
    return recvfrom(link->to, bytes, count, 0, NULL, NULL);
  case 3:
    return readv(link->to, pieces, 2);
  case 4:
    return recvmsg(link->to, &header, MSG_CMSG_CLOEXEC);
  // Signals of children may end it early, as they do in plain C.
  case 5:
    return recv(link->to, bytes, count, MSG_WAITALL);
  case 6: {
    char first;
    if (recv(link->to, &first, 1, MSG_PEEK) != 1)
      fail("MSG_PEEK");
    ssize_t some = recv(link->to, bytes, count, 0);
    if (some > 0 && bytes[0] != first)
      fail("another first byte than was seen");
    return some;
  }
  default: {
    ssize_t some = recv(link->to, bytes, count, MSG_DONTWAIT);
    if (some < 0 && errno == EAGAIN) {
      await(link->to, POLLIN, how / 16);
      return 0;
    }
    return some;
  }
  }
}

void message_send(const struct link *link, const struct message *message) {
  struct dice dice = {message->seed};
  char *bytes = malloc(message->size);
  if (!bytes)
    fail("malloc");
  for (size_t i = 0; i < message->size; i++)
    bytes[i] = (char)(i * 31 + message->seed);
  for (size_t done = 0; done < message->size;) {
    size_t left = message->size - done;
    size_t count = link->kind == PACKETS || roll(&dice, 3) == 0 ? left : 1 + roll(&dice, (uint32_t)left);
    ssize_t some = send_some(link, bytes + done, count, message->sent_by + roll(&dice, 64));
    if (some < 0)
      fail("send");
    done += (size_t)some;
  }
  free(bytes);
}

uint32_t message_receive(const struct link *link, const struct message *message) {
  struct dice dice = {message->seed + 1};
  uint32_t sum = message->size;
  char *bytes = malloc(message->size);
  if (!bytes)
    fail("malloc");
  for (size_t done = 0; done < message->size;) {
    size_t left = message->size - done;
    size_t count = link->kind == PACKETS || roll(&dice, 3) == 0 ? left : 1 + roll(&dice, (uint32_t)left);
    ssize_t some = receive_some(link, bytes + done, count, message->received_by + roll(&dice, 128));
    if (some < 0)
      fail("receive");
    done += (size_t)some;
  }
  for (size_t i = 0; i < message->size; i++)
    if (bytes[i] != (char)(i * 31 + message->seed))
      fail("another byte than was sent");
    else
      sum = sum * 31 + (unsigned char)bytes[i];
  free(bytes);
  return sum;
}
