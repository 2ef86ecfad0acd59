// Calls that would wait if somebody else were faster: of a descriptor that was ready, another process or thread may
// have taken what there was. A timer interrupts them then, a millisecond later, again and again until they return.
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define PERIOD 1000000 // nanoseconds

static __thread timer_t timer;
static __thread enum { NOT_YET, THERE, NONE } state;

static void interrupt(int number) { (void)number; }

// A signal that nobody has a handler for; 0 where there is none.
static int number_for_it(void) {
  static int found = -1;
  struct sigaction now, own = {.sa_handler = interrupt};
  if (found >= 0)
    return found;
  for (int number = SIGRTMAX; number >= SIGRTMIN; number--)
    if (__sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL && __sigaction(number, &own, NULL) == 0)
      return found = number;
  return found = 0;
}

static bool has_timer(void) {
  if (state != NOT_YET)
    return state == THERE;
  sigset_t one;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number_for_it()};
  event._sigev_un._tid = gettid();
  state = NONE;
  if (event.sigev_signo == 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    return false;
  sigemptyset(&one);
  sigaddset(&one, event.sigev_signo);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  state = THERE;
  return true;
}

void short_call_begins(void) {
  const struct itimerspec often = {{0, PERIOD}, {0, PERIOD}};
  if (has_timer())
    timer_settime(timer, 0, &often, NULL);
}

void short_call_ends(void) {
  const struct itimerspec never = {0};
  if (state == THERE)
    timer_settime(timer, 0, &never, NULL);
}

void short_calls_end(void) {
  if (state == THERE)
    timer_delete(timer);
  state = NOT_YET;
}

// A child has no timers.
void short_calls_forked(void) { state = NOT_YET; }
