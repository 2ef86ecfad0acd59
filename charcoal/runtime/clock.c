// Waits for time.
#include "posix.h"

#include <limits.h>
#include <unistd.h>

#define LONGEST_PAUSE 20

int pause_again(unsigned long *milliseconds) {
  *milliseconds = *milliseconds ? *milliseconds * 2 : 1;
  if (*milliseconds > LONGEST_PAUSE)
    *milliseconds = LONGEST_PAUSE;
  return charcoal_sleep(*milliseconds);
}

STANDS_IN(unsigned, charcoal_sleep_seconds, unsigned seconds) {
  if (charcoal_is_alone())
    return sleep(seconds);
  return charcoal_sleep(seconds * 1000UL) ? seconds : 0;
}

STANDS_IN(int, charcoal_usleep, useconds_t microseconds) {
  if (charcoal_is_alone())
    return usleep(microseconds);
  int failed = charcoal_sleep((microseconds + 999UL) / 1000);
  return failed ? (int)fails(failed) : 0;
}

// What is wrong with a period, or how it ended.
static int sleep_for(const struct timespec *period) {
  if (period->tv_sec < 0 || period->tv_nsec < 0 || period->tv_nsec >= 1000000000)
    return EINVAL;
  unsigned long seconds = (unsigned long)period->tv_sec, most = ULONG_MAX / 1000 - 1;
  return charcoal_sleep((seconds < most ? seconds : most) * 1000 + (unsigned long)(period->tv_nsec + 999999) / 1000000);
}

STANDS_IN(int, charcoal_nanosleep, const struct timespec *period, struct timespec *left) {
  if (charcoal_is_alone())
    return nanosleep(period, left);
  int failed = sleep_for(period);
  if (failed == ECANCELED && left)
    *left = *period;
  return failed ? (int)fails(failed) : 0;
}

// Until a moment: a clock may be set meanwhile, so it is looked at again once a second.
static int sleep_until(clockid_t clock, const struct timespec *moment) {
  for (;;) {
    struct timespec now;
    clock_gettime(clock, &now);
    time_t seconds = moment->tv_sec - now.tv_sec;
    long nanoseconds = moment->tv_nsec - now.tv_nsec;
    if (seconds < 0 || (seconds == 0 && nanoseconds <= 0) || (seconds == 1 && nanoseconds <= -1000000000))
      return 0;
    long milliseconds = seconds > 1 ? 1000 : (long)seconds * 1000 + (nanoseconds + 999999) / 1000000;
    int failed = milliseconds > 0 ? charcoal_sleep(milliseconds > 1000 ? 1000 : (unsigned long)milliseconds) : 0;
    if (failed || milliseconds <= 0)
      return failed;
  }
}

STANDS_IN(int, charcoal_clock_nanosleep, clockid_t clock, int flags, const struct timespec *period,
          struct timespec *left) {
  bool is_known = (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && !(flags & ~TIMER_ABSTIME) &&
                  period->tv_sec >= 0 && period->tv_nsec >= 0 && period->tv_nsec < 1000000000;
  if (!is_known || charcoal_is_alone())
    return clock_nanosleep(clock, flags, period, left);
  if (flags)
    return sleep_until(clock, period);
  int failed = sleep_for(period);
  if (failed == ECANCELED && left)
    *left = *period;
  return failed;
}
