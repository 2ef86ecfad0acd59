// Calls of the C library that wait: in interruptible code they suspend the activity, in atomic code they are what they
// were.
//
// Compiled code calls these in the place of the library's (pass/waiting.cpp). Each first asks whether the descriptor is
// ready; if it is not, the activity waits for that and asks again when it goes on. This file is interruptible code
// itself.
#define _GNU_SOURCE
#define CHARCOAL_LONG_NAMES
#include "charcoal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Tells the pass to leave the names of the library as they are here.
const char charcoal_is_library __attribute__((used)) = 1;

// Waits until a descriptor is ready: 0, or what went wrong.
int charcoal_wait_for(int descriptor, int events);

#define WAITS(descriptor, events)                                                                                      \
  do {                                                                                                                 \
    int failed_ = charcoal_wait_for(descriptor, events);                                                               \
    if (failed_) {                                                                                                     \
      errno = failed_;                                                                                                 \
      return -1;                                                                                                       \
    }                                                                                                                  \
  } while (0)

ssize_t charcoal_read(int descriptor, void *into, size_t size);
ssize_t charcoal_read(int descriptor, void *into, size_t size) {
  WAITS(descriptor, POLLIN);
  return read(descriptor, into, size);
}

ssize_t charcoal_write(int descriptor, const void *from, size_t size);
ssize_t charcoal_write(int descriptor, const void *from, size_t size) {
  WAITS(descriptor, POLLOUT);
  return write(descriptor, from, size);
}

ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags);
ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags) {
  if (!(flags & MSG_DONTWAIT))
    WAITS(descriptor, POLLIN);
  return recv(descriptor, into, size, flags);
}

ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags);
ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags) {
  if (!(flags & MSG_DONTWAIT))
    WAITS(descriptor, POLLOUT);
  return send(descriptor, from, size, flags);
}

int charcoal_accept(int descriptor, struct sockaddr *address, socklen_t *size);
int charcoal_accept(int descriptor, struct sockaddr *address, socklen_t *size) {
  WAITS(descriptor, POLLIN);
  return accept(descriptor, address, size);
}

// A connection is made while others run: the socket does not block until that is done.
int charcoal_connect(int descriptor, const struct sockaddr *address, socklen_t size);
int charcoal_connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || flags & O_NONBLOCK || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
    return connect(descriptor, address, size);
  int failed = connect(descriptor, address, size) < 0 ? errno : 0;
  if (failed == EINPROGRESS) {
    failed = charcoal_wait_for(descriptor, POLLOUT);
    socklen_t length = sizeof failed;
    // In atomic code, and where the wait was ended, that is not known yet.
    struct pollfd it = {descriptor, POLLOUT, 0};
    if (!failed && poll(&it, 1, -1) >= 0)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failed, &length);
  }
  fcntl(descriptor, F_SETFL, flags);
  errno = failed;
  return failed ? -1 : 0;
}

unsigned charcoal_sleep_seconds(unsigned seconds);
unsigned charcoal_sleep_seconds(unsigned seconds) { return charcoal_sleep(seconds * 1000UL) ? seconds : 0; }

int charcoal_usleep(useconds_t microseconds);
int charcoal_usleep(useconds_t microseconds) {
  errno = charcoal_sleep((microseconds + 999) / 1000);
  return errno ? -1 : 0;
}

int charcoal_nanosleep(const struct timespec *period, struct timespec *left);
int charcoal_nanosleep(const struct timespec *period, struct timespec *left) {
  if (period->tv_sec < 0 || period->tv_nsec < 0 || period->tv_nsec >= 1000000000) {
    errno = EINVAL;
    return -1;
  }
  errno = charcoal_sleep((unsigned long)period->tv_sec * 1000 + (unsigned long)(period->tv_nsec + 999999) / 1000000);
  if (errno && left)
    *left = *period;
  return errno ? -1 : 0;
}
