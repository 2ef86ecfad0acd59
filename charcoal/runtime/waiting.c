// The waits that all others are made of: for time, and for a descriptor.
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

SUSPENDS int charcoal_sleep(unsigned long milliseconds) {
  if (charcoal_current() && charcoal_current()->is_cancelled)
    return ECANCELED;
  if (may_suspend())
    return io_sleep(milliseconds);
  struct timespec left = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
  while (nanosleep(&left, &left) && errno == EINTR)
    continue;
  return 0;
}

bool charcoal_may_wait(int descriptor);
// Called as what may suspend: the depth is that of its caller.
SUSPENDS bool charcoal_may_wait(int descriptor) {
  int flags;
  return may_suspend() && (flags = fcntl(descriptor, F_GETFL)) >= 0 && !(flags & O_NONBLOCK);
}

SUSPENDS int charcoal_wait_for(int descriptor, int events) {
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
  int failed = may_suspend() ? io_work(run, with) : ENOMEM;
  // Without a thread for it, all wait.
  if (failed)
    run(with);
  return 0;
}

bool charcoal_is_alone(void);
SUSPENDS bool charcoal_is_alone(void) {
  return !may_suspend() || (!charcoal_thread.ready.first && !io_is_waited_for());
}

pid_t charcoal_fork(void);
SUSPENDS pid_t charcoal_fork(void) {
  pid_t child = fork();
  if (child == 0)
    scheduler_forked();
  return child;
}

int charcoal_close(int descriptor);
int charcoal_close(int descriptor) {
  io_close(descriptor);
  return close(descriptor);
}
