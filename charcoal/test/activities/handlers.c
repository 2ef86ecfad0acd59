// Handlers of signals wake activities and cancel them, whatever they interrupt; any number of switches.
#include "charcoal.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static charcoal_semaphore come = CHARCOAL_SEMAPHORE(0), alarms = CHARCOAL_SEMAPHORE(0);
static charcoal_activity sleeper;

static void on_come(int number) {
  (void)number;
  charcoal_semaphore_post(&come);
}

static void on_alarm(int number) {
  (void)number;
  charcoal_semaphore_post(&alarms);
}

static void on_end(int number) {
  (void)number;
  charcoal_cancel(&sleeper);
}

// From a thread that has nothing to do with activities.
static void *sends(void *to) {
  usleep(20000);
  pthread_kill(*(pthread_t *)to, SIGUSR1);
  return NULL;
}

int main(void) {
  signal(SIGUSR1, on_come);
  signal(SIGALRM, on_alarm);
  signal(SIGTERM, on_end);
  // While all wait, for nothing but signals.
  pthread_t self = pthread_self(), other;
  if (pthread_create(&other, NULL, sends, &self))
    return 1;
  printf("%d\n", charcoal_semaphore_wait(&come));
  pthread_join(other, NULL);
  // While they run, and take and give what the handlers give.
  charcoal_activity waits, works;
  activate(&waits) {
    int got = 0;
    while (got < 100 && charcoal_semaphore_wait(&alarms) == 0)
      got++;
    printf("%d alarms\n", got);
  };
  shared int is_over = 0, turns = 0;
  activate(&works) {
    while (!is_over) {
      charcoal_semaphore_post(&come);
      yield();
      charcoal_semaphore_wait(&come);
      turns++;
    }
  };
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  charcoal_join(&waits);
  setitimer(ITIMER_REAL, &never, NULL);
  is_over = 1;
  charcoal_join(&works);
  printf("%s turns, %ld left\n", turns > 0 ? "some" : "no", come.count);
  activate(&sleeper) { printf("%s\n", strerror(charcoal_sleep(1000000))); };
  yield();
  raise(SIGTERM);
  return charcoal_join(&sleeper);
}
