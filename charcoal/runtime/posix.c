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
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Tells the pass to leave the names of the library as they are here.
const char charcoal_is_library __attribute__((used)) = 1;

// Whether a call that would wait may suspend the activity instead: not in atomic code, nor where the program asked for
// a descriptor that never waits.
bool charcoal_may_wait(int descriptor);

static bool would_wait(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK); }

static ssize_t fails(int with) {
  errno = with;
  return -1;
}

// Has another thread call a function while others run; in atomic code it is called at once. 0, or ECANCELED.
int charcoal_work(void (*run)(void *), void *with);
// Whether nobody else would run meanwhile.
bool charcoal_is_alone(void);

// A read or write of a file, which is never ready later.
struct transfer {
  int descriptor;
  void *into;
  const void *from;
  size_t size;
  ssize_t done;
  int error;
};

static void run_transfer(void *of) {
  struct transfer *it = of;
  it->done = it->into ? read(it->descriptor, it->into, it->size) : write(it->descriptor, it->from, it->size);
  it->error = errno;
}

static bool is_file(int descriptor) {
  struct stat of;
  return fstat(descriptor, &of) == 0 && (S_ISREG(of.st_mode) || S_ISBLK(of.st_mode));
}

// Waits until a descriptor is ready that is not. What is no descriptor, or always ready, is for the call itself to say.
static int wait_until_ready(int descriptor, int events) {
  struct pollfd it = {descriptor, (short)events, 0};
  return charcoal_may_wait(descriptor) && poll(&it, 1, 0) == 0 ? charcoal_wait_for(descriptor, events) : 0;
}

// Of what is no socket: a file is read by another thread, where others can run meanwhile; all else once it is ready.
static ssize_t transfer(struct transfer *it, int events) {
  bool is_alone = charcoal_is_alone(), is_worked = !is_alone && is_file(it->descriptor);
  int failed = is_worked ? charcoal_work(run_transfer, it) : is_alone ? 0 : wait_until_ready(it->descriptor, events);
  if (failed)
    return fails(failed);
  if (!is_worked)
    run_transfer(it);
  errno = it->error;
  return it->done;
}

ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags);
ssize_t charcoal_recv(int descriptor, void *into, size_t size, int flags) {
  for (;;) {
    ssize_t got = recv(descriptor, into, size, flags | MSG_DONTWAIT);
    if (!would_wait(got) || flags & MSG_DONTWAIT)
      return got;
    if (!charcoal_may_wait(descriptor))
      return recv(descriptor, into, size, flags);
    int failed = charcoal_wait_for(descriptor, POLLIN);
    if (failed)
      return fails(failed);
  }
}

ssize_t charcoal_read(int descriptor, void *into, size_t size);
ssize_t charcoal_read(int descriptor, void *into, size_t size) {
  // Of nothing, and of a datagram of nothing, they say different things.
  ssize_t got = size > 0 ? charcoal_recv(descriptor, into, size, 0) : read(descriptor, into, size);
  if (got >= 0 || errno != ENOTSOCK)
    return got;
  struct transfer it = {.descriptor = descriptor, .into = into, .size = size};
  return transfer(&it, POLLIN);
}

// A blocking socket takes all before it returns.
ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags);
ssize_t charcoal_send(int descriptor, const void *from, size_t size, int flags) {
  size_t sent = 0;
  for (;;) {
    ssize_t more = send(descriptor, (const char *)from + sent, size - sent, flags | MSG_DONTWAIT);
    if (more < 0 && !would_wait(more))
      return sent > 0 ? (ssize_t)sent : more;
    sent += more > 0 ? (size_t)more : 0;
    if (sent >= size || flags & MSG_DONTWAIT)
      return more < 0 && sent == 0 ? more : (ssize_t)sent;
    if (!charcoal_may_wait(descriptor)) {
      ssize_t rest = send(descriptor, (const char *)from + sent, size - sent, flags);
      return rest < 0 ? (sent > 0 ? (ssize_t)sent : rest) : (ssize_t)sent + rest;
    }
    int failed = charcoal_wait_for(descriptor, POLLOUT);
    if (failed)
      return sent > 0 ? (ssize_t)sent : fails(failed);
  }
}

ssize_t charcoal_write(int descriptor, const void *from, size_t size);
ssize_t charcoal_write(int descriptor, const void *from, size_t size) {
  ssize_t sent = size > 0 ? charcoal_send(descriptor, from, size, 0) : write(descriptor, from, size);
  if (sent >= 0 || errno != ENOTSOCK)
    return sent;
  struct transfer it = {.descriptor = descriptor, .from = from, .size = size};
  return transfer(&it, POLLOUT);
}

int charcoal_accept(int descriptor, struct sockaddr *address, socklen_t *size);
int charcoal_accept(int descriptor, struct sockaddr *address, socklen_t *size) {
  int failed = wait_until_ready(descriptor, POLLIN);
  return failed ? (int)fails(failed) : accept(descriptor, address, size);
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

struct lookup {
  const char *node, *service;
  const struct addrinfo *hints;
  struct addrinfo **found;
  int status, error;
};

static void run_lookup(void *of) {
  struct lookup *it = of;
  it->status = getaddrinfo(it->node, it->service, it->hints, it->found);
  it->error = errno;
}

int charcoal_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int charcoal_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  struct lookup it = {.node = node, .service = service, .hints = hints, .found = found};
  if (charcoal_work(run_lookup, &it)) {
    errno = ECANCELED;
    return EAI_SYSTEM;
  }
  errno = it.error;
  return it.status;
}

struct flush {
  int (*how)(int);
  int descriptor, status, error;
};

static void run_flush(void *of) {
  struct flush *it = of;
  it->status = it->how(it->descriptor);
  it->error = errno;
}

static int flush(int descriptor, int (*how)(int)) {
  struct flush it = {.how = how, .descriptor = descriptor};
  int failed = charcoal_work(run_flush, &it);
  errno = failed ? failed : it.error;
  return failed ? -1 : it.status;
}

int charcoal_fsync(int descriptor);
int charcoal_fsync(int descriptor) { return flush(descriptor, fsync); }

int charcoal_fdatasync(int descriptor);
int charcoal_fdatasync(int descriptor) { return flush(descriptor, fdatasync); }

// A child has a descriptor, which can be read once it has ended. For any child, whoever comes next, all wait.
pid_t charcoal_waitpid(pid_t child, int *status, int options);
pid_t charcoal_waitpid(pid_t child, int *status, int options) {
  if (child > 0 && !(options & (WNOHANG | WUNTRACED | WCONTINUED)) && !charcoal_is_alone()) {
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    int failed = descriptor >= 0 ? charcoal_wait_for(descriptor, POLLIN) : 0;
    if (descriptor >= 0)
      close(descriptor);
    if (failed)
      return (pid_t)fails(failed);
  }
  return waitpid(child, status, options);
}
