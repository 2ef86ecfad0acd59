// Waits for time.
#include "posix.h"

#include <unistd.h>

#define LONGEST_PAUSE 20

int pause_again(unsigned long *milliseconds) {
  *milliseconds = *milliseconds ? *milliseconds * 2 : 1;
  if (*milliseconds > LONGEST_PAUSE)
    *milliseconds = LONGEST_PAUSE;
  return charcoal_sleep(*milliseconds);
}

STANDS_IN(unsigned, charcoal_sleep_seconds, unsigned seconds) { return charcoal_sleep(seconds * 1000UL) ? seconds : 0; }

STANDS_IN(int, charcoal_usleep, useconds_t microseconds) {
  int failed = charcoal_sleep((microseconds + 999) / 1000);
  return failed ? (int)fails(failed) : 0;
}

// What is wrong with a period, or how it ended.
static int sleep_for(const struct timespec *period) {
  if (period->tv_sec < 0 || period->tv_nsec < 0 || period->tv_nsec >= 1000000000)
    return EINVAL;
  return charcoal_sleep((unsigned long)period->tv_sec * 1000 + (unsigned long)(period->tv_nsec + 999999) / 1000000);
}

STANDS_IN(int, charcoal_nanosleep, const struct timespec *period, struct timespec *left) {
  int failed = sleep_for(period);
  if (failed == ECANCELED && left)
    *left = *period;
  return failed ? (int)fails(failed) : 0;
}

// Until a moment it is the library's: others wait.
STANDS_IN(int, charcoal_clock_nanosleep, clockid_t clock, int flags, const struct timespec *period,
          struct timespec *left) {
  if (flags || charcoal_is_alone())
    return clock_nanosleep(clock, flags, period, left);
  int failed = sleep_for(period);
  if (failed == ECANCELED && left)
    *left = *period;
  return failed;
}
