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
static __thread int number_of_timer; // the signal that it sends; 0 where there is none
// The signal for it, in all threads: 0 before one is chosen, -1 where there is none.
static int number;

static void interrupt(int unused) { (void)unused; }

// A signal that nobody has a handler for.
static int choose(void) {
  struct sigaction now, own = {.sa_handler = interrupt};
  for (int it = SIGRTMAX; it >= SIGRTMIN; it--)
    if (__sigaction(it, NULL, &now) == 0 && now.sa_handler == SIG_DFL && __sigaction(it, &own, NULL) == 0)
      return it;
  return -1;
}

void short_calls_leave(int to) {
  if (to <= 0 || to != __atomic_load_n(&number, __ATOMIC_RELAXED))
    return;
  __atomic_store_n(&number, choose(), __ATOMIC_RELAXED);
  // What comes of it yet is nobody's.
  const struct sigaction ignored = {.sa_handler = SIG_IGN}, none = {.sa_handler = SIG_DFL};
  __sigaction(to, &ignored, NULL);
  __sigaction(to, &none, NULL);
}

static bool has_timer(void) {
  int now = __atomic_load_n(&number, __ATOMIC_RELAXED);
  if (now == 0)
    __atomic_store_n(&number, now = choose(), __ATOMIC_RELAXED);
  if (number_of_timer == now)
    return true;
  short_calls_end();
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = now};
  event._sigev_un._tid = gettid();
  if (now < 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    return false;
  number_of_timer = now;
  return true;
}

void short_call_begins(void) {
  const struct itimerspec often = {{0, PERIOD}, {0, PERIOD}};
  sigset_t one;
  if (!has_timer())
    return;
  // A program may have blocked all.
  sigemptyset(&one);
  sigaddset(&one, number_of_timer);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  timer_settime(timer, 0, &often, NULL);
}

void short_call_ends(void) {
  const struct itimerspec never = {0};
  if (number_of_timer > 0)
    timer_settime(timer, 0, &never, NULL);
}

void short_calls_end(void) {
  if (number_of_timer > 0)
    timer_delete(timer);
  number_of_timer = 0;
}

// A child has no timers.
void short_calls_forked(void) { number_of_timer = 0; }
