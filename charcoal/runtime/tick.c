// Asks threads that run activities for a yield, every millisecond while that is of use.
//
// A thread of its own sets their flags, so that no signal interrupts what the program waits for. It only ever turns
// RUNS into YIELDS; the scheduler's own stores come after what it has decided.
#include "internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIOD 1000000 // nanoseconds
#define IDLE_TICKS 20  // after which it sleeps until somebody needs it

// In a line of its own: the thread that ticks writes it, and all others look at it at each turn.
__attribute__((aligned(64))) struct tick_state tick_state = {.is_asleep = true};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static bool is_started;
static struct charcoal_thread *threads; // that have activities

// CHARCOAL_PATIENCE=seconds: after how many an activity is named that lets nobody else run; 0: never.
static unsigned patience(void) {
  static int seconds = -1;
  if (seconds < 0) {
    const char *text = getenv("CHARCOAL_PATIENCE");
    seconds = text ? atoi(text) : 10;
  }
  return (unsigned)seconds * (1000000000U / PERIOD);
}

// Whether others want a turn, or wait for something that only this thread hears of, and one has had it since the last
// tick.
static bool watch(struct charcoal_thread *t) {
  unsigned turns = __atomic_load_n(&t->turns, __ATOMIC_RELAXED);
  const charcoal_activity *current = t->current;
  bool has_others = t->ready.first || io_is_expected_of(t);
  bool is_same = turns == t->seen_turns && current && has_others;
  t->seen_turns = turns;
  t->same_ticks = is_same ? t->same_ticks + 1 : 0;
  if (is_same && t->same_ticks == patience())
    fprintf(stderr,
            "charcoal: %s lets nobody else run: it is in atomic code, or in a loop without calls, which should "
            "yield()\n",
            current->name ? current->name : "(none)");
  return is_same;
}

// Returns whether somebody waits for what was asked for before.
static bool ask(void) {
  bool waits = false;
  for (struct charcoal_thread *t = threads; t; t = t->next_thread) {
    int runs = RUNS;
    waits |= watch(t);
    __atomic_store_n(&t->is_poll_due, true, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&t->flag, &runs, YIELDS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  return waits;
}

static void *tick(void *unused) {
  const struct timespec period = {0, PERIOD};
  unsigned idle = 0;
  for (;;) {
    nanosleep(&period, NULL);
    idle = __atomic_exchange_n(&tick_state.is_useful, false, __ATOMIC_RELAXED) ? 0 : idle + 1;
    pthread_mutex_lock(&lock);
    if (idle >= IDLE_TICKS) {
      __atomic_store_n(&tick_state.is_asleep, true, __ATOMIC_RELAXED);
      while (__atomic_load_n(&tick_state.is_asleep, __ATOMIC_RELAXED))
        pthread_cond_wait(&wanted, &lock);
      idle = 0;
    }
    if (ask())
      idle = 0;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void start(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Without it activities take turns where they wait, and nowhere else.
  is_started = pthread_create(&thread, NULL, tick, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (is_started)
    pthread_detach(thread);
}

// A child of fork has one thread only.
void tick_forked(void) {
  is_started = false;
  threads = NULL;
  charcoal_thread.is_ticked = false;
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&wanted, NULL);
  __atomic_store_n(&tick_state.is_asleep, true, __ATOMIC_RELAXED);
}

// CHARCOAL_TICK=0 leaves turns to where activities wait and yield.
static bool is_wanted(void) {
  static int answer = -1;
  if (answer < 0) {
    const char *text = getenv("CHARCOAL_TICK");
    answer = !text || text[0] != '0';
  }
  return answer;
}

void tick_wake(void) {
  if (!is_wanted()) {
    __atomic_store_n(&tick_state.is_asleep, false, __ATOMIC_RELAXED);
    return;
  }
  struct charcoal_thread *self = &charcoal_thread;
  pthread_mutex_lock(&lock);
  if (!self->is_ticked) {
    self->is_ticked = true;
    self->next_thread = threads;
    threads = self;
  }
  __atomic_store_n(&tick_state.is_asleep, false, __ATOMIC_RELAXED);
  if (!is_started)
    start();
  pthread_cond_signal(&wanted);
  pthread_mutex_unlock(&lock);
}

size_t tick_threads(void) {
  pthread_mutex_lock(&lock);
  size_t count = is_started;
  pthread_mutex_unlock(&lock);
  return count;
}

void tick_leave(void) {
  pthread_mutex_lock(&lock);
  for (struct charcoal_thread **it = &threads; *it; it = &(*it)->next_thread)
    if (*it == &charcoal_thread) {
      *it = charcoal_thread.next_thread;
      break;
    }
  charcoal_thread.is_ticked = false;
  pthread_mutex_unlock(&lock);
}
