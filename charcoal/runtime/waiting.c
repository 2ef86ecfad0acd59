// The waits that all others are made of: for time, and for a descriptor.
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

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

int charcoal_wait_for(int descriptor, int events);
SUSPENDS int charcoal_wait_for(int descriptor, int events) {
  if (!may_suspend())
    return 0;
  if (charcoal_current()->is_cancelled)
    return ECANCELED;
  struct pollfd it = {descriptor, (short)events, 0};
  // What is no descriptor, or always ready, is for the call itself to say.
  if (poll(&it, 1, 0) != 0)
    return 0;
  return io_wait(descriptor, events);
}
