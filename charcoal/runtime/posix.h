// What stands in for calls of the C library that wait (sockets.c, files.c, readiness.c, children.c, clock.c, names.c).
//
// In interruptible code they suspend the activity, in atomic code they are what they were. Compiled code calls these in
// the place of the library's (pass/waiting.cpp). These files are interruptible code themselves.
#pragma once

#define _GNU_SOURCE
#define CHARCOAL_LONG_NAMES
#include "charcoal.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

// Tells the pass to leave the names of the library as they are here.
static const char charcoal_is_library __attribute__((used)) = 1;

// A function that compiled code calls, with its prototype.
#define STANDS_IN(type, name, ...)                                                                                     \
  type name(__VA_ARGS__);                                                                                              \
  type name(__VA_ARGS__)

// Whether a call that would wait may suspend the activity instead: not in atomic code, nor where the program asked for
// a descriptor that never waits.
bool charcoal_may_wait(int descriptor);
// Whether nobody else would run meanwhile.
bool charcoal_is_alone(void);
// Has another thread call a function while others run; in atomic code it is called at once. 0, or ECANCELED.
int charcoal_work(void (*run)(void *), void *with);

// Waits until one of some descriptors is what it is asked to be, for no longer than a time, if any. Returns 0,
// ETIMEDOUT, ECANCELED, or what the system says where it cannot wait.
struct watch {
  int set, timer;
};
int watch_begin(struct watch *watch, const struct pollfd *all, nfds_t count, const struct timespec *most);
int watch_wait(const struct watch *watch);
void watch_end(const struct watch *watch);

// Around a call in atomic code that is not to wait, though somebody else may have taken what it was ready for: it ends
// with EINTR then.
void short_call_begins(void);
void short_call_ends(void);
static inline bool was_late(ssize_t result) { return result < 0 && errno == EINTR; }

// How often a descriptor has been closed: its number may stand for another one since. What has begun with one tries
// nothing with another, so it asks, and tries, in one atomic block.
unsigned io_closed(int descriptor);
// Descriptors of the runtime's own, which the program does not close.
void own(int descriptor);
void disown(int descriptor);
// Whether a descriptor is ready now.
bool is_ready(int descriptor, short events);
// Waits until it is. Returns 0, ECANCELED, or EBADF where somebody closes it meanwhile. Where that cannot be waited
// for, for want of descriptors or memory, it returns after a pause.
int wait_until_ready(int descriptor, short events);

// How long a call on a socket may wait yet (`SO_RCVTIMEO`, `SO_SNDTIMEO`), of all its waits together.
struct patience {
  bool is_known, is_limited;
  struct timespec until; // of CLOCK_MONOTONIC
  unsigned in_vain;      // how often it was ready and still would wait
  unsigned long pause;
};
// Whether that is over.
bool patience_is_over(int descriptor, short events, struct patience *patience);
// As wait_until_ready, but EAGAIN once that is over.
int wait_for_socket(int descriptor, short events, struct patience *patience);

// A wait for what no descriptor tells: each pause is longer than the one before, up to 20 ms. 0, or ECANCELED.
int pause_again(unsigned long *milliseconds);

static inline ssize_t fails(int with) {
  errno = with;
  return -1;
}

static inline bool would_wait(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK); }
