// Waits for descriptors: `poll`, `select`, `epoll_wait`, and what other calls wait with.
#include "posix.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MOST_SECONDS 1000000000L

// Adds a descriptor to a set. One that cannot be waited for is always ready, which the call itself has seen.
static int add(int set, const struct pollfd *all, nfds_t at) {
  struct epoll_event event = {.data.fd = all[at].fd, .events = (uint32_t)(unsigned short)all[at].events};
  if (all[at].fd < 0 || epoll_ctl(set, EPOLL_CTL_ADD, all[at].fd, &event) == 0 || errno == EPERM)
    return 0;
  if (errno != EEXIST)
    return errno;
  // It stands there more than once.
  for (nfds_t i = 0; i < at; i++)
    if (all[i].fd == all[at].fd)
      event.events |= (uint32_t)(unsigned short)all[i].events;
  return epoll_ctl(set, EPOLL_CTL_MOD, all[at].fd, &event) == 0 ? 0 : errno;
}

// A timer that ends a wait; -1 where there is no such time.
static int timer_for(int set, const struct timespec *most) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct itimerspec when = {.it_value = *most};
  // The system takes no longer ones, and nothing at all for never.
  if (when.it_value.tv_sec > MOST_SECONDS)
    when.it_value.tv_sec = MOST_SECONDS;
  if (when.it_value.tv_sec == 0 && when.it_value.tv_nsec == 0)
    when.it_value.tv_nsec = 1;
  struct epoll_event event = {.data.fd = timer, .events = EPOLLIN};
  if (timer >= 0 && timerfd_settime(timer, 0, &when, NULL) == 0 && epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == 0)
    return timer;
  int failed = errno;
  if (timer >= 0)
    close(timer);
  errno = failed;
  return -1;
}

int watch_begin(struct watch *watch, const struct pollfd *all, nfds_t count, const struct timespec *most) {
  *watch = (struct watch){epoll_create1(EPOLL_CLOEXEC), -1};
  own(watch->set);
  int failed = watch->set < 0 ? errno : 0;
  for (nfds_t i = 0; i < count && !failed; i++)
    failed = add(watch->set, all, i);
  if (!failed && most && (watch->timer = timer_for(watch->set, most)) < 0)
    failed = errno;
  own(watch->timer);
  if (failed)
    watch_end(watch);
  return failed;
}

int watch_wait(const struct watch *watch) {
  int failed = charcoal_wait_for(watch->set, POLLIN);
  uint64_t times;
  if (!failed && watch->timer >= 0 && read(watch->timer, &times, sizeof times) > 0)
    return ETIMEDOUT;
  return failed;
}

void watch_end(const struct watch *watch) {
  const int own[2] = {watch->timer, watch->set};
  for (int i = 0; i < 2; i++)
    if (own[i] >= 0) {
      disown(own[i]);
      close(own[i]);
    }
}

int charcoal_wait_one(int descriptor, int events);
int charcoal_wait_for(int descriptor, int events) {
  struct watch watch;
  struct pollfd it = {descriptor, (short)events, 0};
  if (events == POLLIN || events == POLLOUT)
    return charcoal_wait_one(descriptor, events);
  int failed = watch_begin(&watch, &it, 1, NULL);
  if (failed)
    return failed;
  failed = watch_wait(&watch);
  watch_end(&watch);
  return failed;
}

bool is_ready(int descriptor, short events) {
  struct pollfd it = {descriptor, events, 0};
  return poll(&it, 1, 0) != 0;
}

// What ends a wait; all else says that there can be none.
static bool ends_wait(int failed) { return failed == ECANCELED || failed == EBADF; }

int wait_until_ready(int descriptor, short events) {
  unsigned long pause = 0;
  unsigned closed = io_closed(descriptor);
  int failed = charcoal_wait_for(descriptor, events);
  if (!failed && io_closed(descriptor) != closed)
    return EBADF;
  return !failed || ends_wait(failed) ? failed : pause_again(&pause);
}

static struct timespec time_left(const struct timespec *until) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct timespec left = {until->tv_sec - now.tv_sec, until->tv_nsec - now.tv_nsec};
  if (left.tv_nsec < 0) {
    left.tv_nsec += 1000000000;
    left.tv_sec -= 1;
  }
  return left.tv_sec < 0 ? (struct timespec){0, 0} : left;
}

static struct timespec until_after(const struct timespec *most) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += most->tv_sec > MOST_SECONDS ? MOST_SECONDS : most->tv_sec;
  until.tv_nsec += most->tv_nsec;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec += 1;
  }
  return until;
}

static bool is_over(const struct timespec *until) {
  struct timespec left = time_left(until);
  return left.tv_sec == 0 && left.tv_nsec == 0;
}

static void ask_patience(int descriptor, short events, struct patience *patience) {
  struct timeval most = {0, 0};
  socklen_t size = sizeof most;
  int option = events & POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
  patience->is_known = true;
  patience->is_limited = getsockopt(descriptor, SOL_SOCKET, option, &most, &size) == 0 && (most.tv_sec || most.tv_usec);
  patience->until = until_after(&(struct timespec){most.tv_sec, most.tv_usec * 1000});
}

bool patience_is_over(int descriptor, short events, struct patience *patience) {
  if (!patience->is_known)
    ask_patience(descriptor, events, patience);
  return patience->is_limited && is_over(&patience->until);
}

int wait_for_socket(int descriptor, short events, struct patience *patience) {
  if (patience_is_over(descriptor, events, patience))
    return EAGAIN;
  // It is ready, and what it is asked for would still wait: as where the queue of a datagram's receiver is full.
  if (patience->in_vain++ > 1 && is_ready(descriptor, events))
    return pause_again(&patience->pause);
  if (!patience->is_limited)
    return wait_until_ready(descriptor, events);
  struct pollfd it = {descriptor, events, 0};
  struct timespec left = time_left(&patience->until);
  struct watch watch;
  unsigned long pause = 0;
  if (watch_begin(&watch, &it, 1, &left) != 0)
    return pause_again(&pause);
  int failed = watch_wait(&watch);
  watch_end(&watch);
  return failed == ETIMEDOUT ? EAGAIN : failed;
}

// Asks again and again, with a wait between two questions, until there is an answer or the time is over. `ask` gives 0
// where nothing is ready.
static int ask_again(int (*ask)(void *), void *of, const struct pollfd *all, nfds_t count,
                     const struct timespec *most) {
  int answer = ask(of), failed = 0;
  if (answer != 0 || (most && most->tv_sec == 0 && most->tv_nsec == 0))
    return answer;
  struct timespec until = {0, 0};
  if (most)
    until = until_after(most);
  struct watch watch;
  // Without descriptors for it, or where sets stand in sets, it is asked for again and again.
  bool is_watched = watch_begin(&watch, all, count, most) == 0;
  unsigned long pause = 0;
  unsigned in_vain = 0;
  while (answer == 0 && !failed) {
    // It may be ready for something else, as a pipe that has been hung up.
    failed = is_watched && in_vain++ < 2 ? watch_wait(&watch) : pause_again(&pause);
    if (!failed || failed == ETIMEDOUT)
      answer = ask(of);
    if (most && is_over(&until))
      failed = failed ? failed : ETIMEDOUT;
  }
  int error = answer < 0 ? errno : failed;
  if (is_watched)
    watch_end(&watch);
  return failed && failed != ETIMEDOUT ? (int)fails(failed) : answer < 0 ? (int)fails(error) : answer;
}

struct polled {
  struct pollfd *all;
  nfds_t count;
};

static int ask_poll(void *of) {
  struct polled *it = of;
  return poll(it->all, it->count, 0);
}

static int poll_for(struct pollfd *all, nfds_t count, const struct timespec *most) {
  struct polled it = {all, count};
  return ask_again(ask_poll, &it, all, count, most);
}

static struct timespec *in_milliseconds(int timeout, struct timespec *time) {
  *time = (struct timespec){timeout / 1000, timeout % 1000 * 1000000L};
  return timeout < 0 ? NULL : time;
}

STANDS_IN(int, charcoal_poll, struct pollfd *all, nfds_t count, int timeout) {
  struct timespec time;
  if (charcoal_is_alone())
    return poll(all, count, timeout);
  return poll_for(all, count, in_milliseconds(timeout, &time));
}

// With a mask of signals the system has to wait itself.
STANDS_IN(int, charcoal_ppoll, struct pollfd *all, nfds_t count, const struct timespec *most, const sigset_t *mask) {
  bool is_right = !most || (most->tv_sec >= 0 && most->tv_nsec >= 0 && most->tv_nsec < 1000000000);
  if (mask || !is_right || charcoal_is_alone())
    return ppoll(all, count, most, mask);
  return poll_for(all, count, most);
}

struct selected {
  fd_set *sets[3]; // to be read, to be written, and out of order
  fd_set asked[3];
  int count;
};

// Programs may have sets that are no larger than needed; the system looks at whole words.
static size_t set_size(int count) { return ((size_t)count + 63) / 64 * 8; }

static int ask_select(void *of) {
  struct selected *it = of;
  struct timeval none = {0, 0};
  for (int i = 0; i < 3; i++)
    if (it->sets[i])
      memcpy(it->sets[i], &it->asked[i], set_size(it->count));
  return select(it->count, it->sets[0], it->sets[1], it->sets[2], &none);
}

// What is asked for, as `poll` has it.
static nfds_t listed(const struct selected *it, struct pollfd *all) {
  static const short events[] = {POLLIN, POLLOUT, POLLPRI};
  nfds_t count = 0;
  for (int descriptor = 0; descriptor < it->count; descriptor++) {
    short wanted = 0;
    for (int i = 0; i < 3; i++)
      wanted |= it->sets[i] && FD_ISSET(descriptor, &it->asked[i]) ? events[i] : 0;
    if (wanted)
      all[count++] = (struct pollfd){descriptor, wanted, 0};
  }
  return count;
}

// The time that is left, where the system says that, too.
static void take_away(struct timeval *from, const struct timespec *begun) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct timeval passed = {now.tv_sec - begun->tv_sec, (now.tv_nsec - begun->tv_nsec) / 1000}, left;
  timersub(from, &passed, &left);
  *from = left.tv_sec < 0 ? (struct timeval){0, 0} : left;
}

STANDS_IN(int, charcoal_select, int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *most) {
  bool is_right = count >= 0 && count <= FD_SETSIZE && !(most && (most->tv_sec < 0 || most->tv_usec < 0));
  if (!is_right || charcoal_is_alone())
    return select(count, reads, writes, others, most);
  struct selected it = {.sets = {reads, writes, others}, .count = count};
  for (int i = 0; i < 3; i++)
    if (it.sets[i])
      memcpy(&it.asked[i], it.sets[i], set_size(count));
  struct pollfd *all = calloc((size_t)count + 1, sizeof *all);
  if (!all)
    return (int)fails(ENOMEM);
  struct timespec begun, time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &begun);
  if (most)
    time = (struct timespec){most->tv_sec + most->tv_usec / 1000000, most->tv_usec % 1000000 * 1000L};
  int answer = ask_again(ask_select, &it, all, listed(&it, all), most ? &time : NULL), error = errno;
  free(all);
  if (most)
    take_away(most, &begun);
  errno = error;
  return answer;
}

struct epolled {
  int set, most;
  struct epoll_event *into;
};

static int ask_epoll(void *of) {
  struct epolled *it = of;
  return epoll_wait(it->set, it->into, it->most, 0);
}

STANDS_IN(int, charcoal_epoll_wait, int set, struct epoll_event *into, int most, int timeout) {
  struct timespec time;
  struct pollfd all = {set, POLLIN, 0};
  struct epolled it = {set, most, into};
  if (charcoal_is_alone())
    return epoll_wait(set, into, most, timeout);
  return ask_again(ask_epoll, &it, &all, 1, in_milliseconds(timeout, &time));
}

// The form that checks its arguments (`_FORTIFY_SOURCE`).
_Noreturn void __chk_fail(void);
STANDS_IN(int, charcoal_poll_checked, struct pollfd *all, nfds_t count, int timeout, size_t size) {
  if (size / sizeof *all < count)
    __chk_fail();
  return charcoal_poll(all, count, timeout);
}
