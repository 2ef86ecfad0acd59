// The waits that all others are made of: for time, and for a descriptor.
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

// Thirty thousand years: what clocks count goes no further.
#define LONGEST 1000000000000000UL

SUSPENDS int charcoal_sleep(unsigned long milliseconds) {
  if (charcoal_current() && charcoal_current()->is_cancelled)
    return ECANCELED;
  if (milliseconds > LONGEST)
    milliseconds = LONGEST;
  // Without what is needed for it, all wait.
  if (may_suspend() && io_sleep(milliseconds) == 0)
    return 0;
  struct timespec left = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
  while (nanosleep(&left, &left) && errno == EINTR)
    continue;
  return 0;
}

// Whether nobody else would run during a wait.
static bool is_alone(void) {
  const charcoal_activity *newest = charcoal_thread.newest;
  // A handler may wake others.
  bool is_only = newest && !newest->older;
  if (!may_suspend())
    return true;
  // One that has been cancelled waits for nothing any more.
  if (charcoal_thread.current->is_cancelled)
    return false;
  return is_only || (!charcoal_thread.ready.first && !io_is_waited_for() && !signals_have_handlers());
}

bool charcoal_may_wait(int descriptor);
// Called as what may suspend: the depth is that of its caller.
SUSPENDS bool charcoal_may_wait(int descriptor) {
  int flags;
  return !is_alone() && (flags = fcntl(descriptor, F_GETFL)) >= 0 && !(flags & O_NONBLOCK);
}

int charcoal_wait_one(int descriptor, int events);
SUSPENDS int charcoal_wait_one(int descriptor, int events) {
  if (!may_suspend())
    return 0;
  if (charcoal_current()->is_cancelled)
    return ECANCELED;
  return io_wait(descriptor, events);
}

int charcoal_work(void (*run)(void *), void *with);
SUSPENDS int charcoal_work(void (*run)(void *), void *with) {
  const charcoal_activity *self = charcoal_current();
  if (self && self->is_cancelled)
    return ECANCELED;
  int failed = may_suspend() ? job_begin(run, with) : ENOMEM;
  // Without a thread for it, all wait.
  if (failed)
    run(with);
  return 0;
}

bool charcoal_is_alone(void);
SUSPENDS bool charcoal_is_alone(void) { return is_alone(); }

pid_t charcoal_fork(void);
pid_t charcoal_fork(void) {
  struct charcoal_thread *t = here();
  // What the program has registered for it (`pthread_atfork`) runs atomically.
  t->depth += 1;
  pid_t child = fork();
  t->depth -= 1;
  return child;
}
