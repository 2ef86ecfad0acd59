// Handlers of signals run atomically, in the middle of whatever they interrupt.
//
// Compiled code calls these in the place of the library's (pass/waiting.cpp): what is installed is a function that
// keeps the state of the interrupted code, and calls the program's handler. What that does to activities is noted, and
// done by the scheduler of the thread that has installed it: the runtime itself may have been interrupted.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Those that want no information are called with it all the same, and do not look.
typedef void (*handler)(int, siginfo_t *, void *);

static handler handlers[NSIG];
// Which of them want information.
static bool is_informed[NSIG];

bool signals_are_noted;

// What handlers have asked for, in the order in which they did.
#define MOST_NOTED 256
static struct note {
  void *on;
  bool cancels;
  unsigned times;
} noted[MOST_NOTED];
static unsigned noted_count;
// The thread whose scheduler does it, and what tells it so while it waits; -1 where nothing does yet.
static struct charcoal_thread *owner;
static int event = -1;

// Handlers may interrupt one another, and run in threads that have no scheduler.
static bool is_busy;

static void lock(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
  while (__atomic_exchange_n(&is_busy, true, __ATOMIC_ACQUIRE))
    continue;
}

static void unlock(const sigset_t *before) {
  __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

static struct note *note_of(const void *on, bool cancels) {
  for (unsigned i = 0; i < noted_count; i++)
    if (noted[i].on == on && noted[i].cancels == cancels)
      return &noted[i];
  if (noted_count == MOST_NOTED)
    charcoal_die("signals want too much of activities before these have a turn");
  return &noted[noted_count++];
}

bool signal_notes(void *on, bool cancels) {
  sigset_t before;
  if (!here()->in_signal || !owner)
    return false;
  lock(&before);
  struct note *it = note_of(on, cancels);
  *it = (struct note){on, cancels, it->times + 1};
  __atomic_store_n(&signals_are_noted, true, __ATOMIC_RELEASE);
  if (event >= 0)
    eventfd_write(event, 1);
  int runs = RUNS;
  __atomic_compare_exchange_n(&owner->flag, &runs, YIELDS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  unlock(&before);
  return true;
}

void signals_look(void) {
  struct note own[MOST_NOTED];
  sigset_t before;
  eventfd_t ignored;
  if (here() != owner)
    return;
  lock(&before);
  unsigned count = noted_count;
  memcpy(own, noted, count * sizeof *own);
  memset(noted, 0, sizeof noted);
  noted_count = 0;
  signals_are_noted = false;
  if (event >= 0)
    eventfd_read(event, &ignored);
  unlock(&before);
  for (unsigned i = 0; i < count; i++)
    for (unsigned times = own[i].times; times > 0; times--)
      if (own[i].cancels)
        charcoal_cancel(own[i].on);
      else
        charcoal_semaphore_post(own[i].on);
}

bool signals_have_handlers(void) { return here() == owner; }

bool signals_may_come(void) {
  if (here() != owner)
    return false;
  // Only now: programs count their descriptors.
  if (event < 0)
    event = inbox_event();
  return true;
}

void signals_forked(void) {
  if (owner)
    owner = here();
  event = -1;
}

void signals_end(void) {
  sigset_t before;
  if (here() != owner)
    return;
  lock(&before);
  owner = NULL;
  event = -1;
  unlock(&before);
}

// Handlers may run on small stacks, one within another and in several threads: what they have for local variables
// stands elsewhere, while there is some.
#define MOST_AT_ONCE 16
static struct signal_memory memories[MOST_AT_ONCE];

static struct signal_memory *memory_take(void) {
  for (int i = 0; i < MOST_AT_ONCE; i++)
    if (!__atomic_exchange_n(&memories[i].is_taken, true, __ATOMIC_ACQUIRE)) {
      memories[i].used = 0;
      return &memories[i];
    }
  return NULL;
}

void signal_memory_give(struct signal_memory *memory) { __atomic_store_n(&memory->is_taken, false, __ATOMIC_RELEASE); }

static void handle(int number, siginfo_t *information, void *context) {
  struct charcoal_thread *t = &charcoal_thread;
  int flag = t->flag, error = errno;
  struct signal_memory *own = memory_take();
  if (!own)
    charcoal_die("more handlers of signals run at once than there is memory for");
  own->outer = t->in_signal;
  t->flag = RUNS;
  t->depth += 1;
  t->in_signal = own;
  handlers[number](number, information, context);
  t->in_signal = own->outer;
  signal_memory_give(own);
  t->depth -= 1;
  t->flag = flag == RUNS && signals_wait() ? YIELDS : flag;
  errno = error;
}

int charcoal_sigaction(int number, const struct sigaction *action, struct sigaction *before);
int charcoal_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  struct sigaction own, old;
  handler last = NULL;
  if (number > 0 && number < NSIG)
    last = handlers[number];
  bool was_informed = last && is_informed[number];
  if (action) {
    own = *action;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN && number > 0 && number < NSIG) {
      handlers[number] = action->sa_sigaction;
      is_informed[number] = action->sa_flags & SA_SIGINFO;
      // Before `main`, too.
      if (!owner && (here()->root || gettid() == getpid()))
        owner = here();
      own.sa_sigaction = handle;
      own.sa_flags |= SA_SIGINFO;
    }
  }
  int failed = sigaction(number, action ? &own : NULL, &old);
  if (failed && number > 0 && number < NSIG)
    handlers[number] = last;
  if (!failed && before) {
    *before = old;
    if (stack_handles(&old))
      *before = (struct sigaction){.sa_handler = SIG_DFL};
    if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == handle) {
      before->sa_sigaction = last;
      before->sa_flags &= was_informed ? ~0 : ~SA_SIGINFO;
    }
  }
  return failed;
}

typedef void (*simple)(int);

static simple install(int number, simple with, int flags) {
  struct sigaction action = {.sa_handler = with, .sa_flags = flags}, before;
  sigemptyset(&action.sa_mask);
  return charcoal_sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

simple charcoal_signal(int number, simple with);
simple charcoal_signal(int number, simple with) { return install(number, with, SA_RESTART); }

// What `signal` is without the library's own features (`-std=c11`).
simple charcoal_signal_once(int number, simple with);
simple charcoal_signal_once(int number, simple with) { return install(number, with, SA_RESETHAND | SA_NODEFER); }
