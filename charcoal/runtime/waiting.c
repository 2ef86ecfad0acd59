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

int charcoal_close(int descriptor);
int charcoal_close(int descriptor) {
  io_close(descriptor);
  return close(descriptor);
}
