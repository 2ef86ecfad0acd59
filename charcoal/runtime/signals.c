// Handlers of signals run atomically, in the middle of whatever they interrupt.
//
// `sigaction` and `signal` are the runtime's own, whoever calls them: what is installed is a function that keeps the
// state of the interrupted code, and calls the program's handler. What that does to activities is noted, and done by
// the scheduler of the thread that has installed it: the runtime itself may have been interrupted.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

// Those that want no information are called with it all the same, and do not look.
typedef void (*handler)(int, siginfo_t *, void *);

static struct installed {
  handler with;
  bool is_informed; // it wants information
  struct charcoal_thread *owner;
} handlers[NSIG];

bool signals_are_noted;

// The first thread that has had a scheduler.
static struct charcoal_thread *first;

// What handlers have asked for, in the order in which they did.
#define MOST_NOTED 4096
static struct note {
  struct charcoal_thread *owner;
  void *on;
  bool cancels;
  unsigned times;
} noted[MOST_NOTED];
static unsigned noted_count;

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

static struct note *note_of(struct charcoal_thread *owner, void *on, bool cancels) {
  for (unsigned i = 0; i < noted_count; i++)
    if (noted[i].owner == owner && noted[i].on == on && noted[i].cancels == cancels)
      return &noted[i];
  if (noted_count == MOST_NOTED)
    charcoal_die("signals want too much of activities before these have a turn");
  noted[noted_count] = (struct note){owner, on, cancels, 0};
  return &noted[noted_count++];
}

bool signal_notes(void *on, bool cancels) {
  sigset_t before;
  if (!here()->in_signal)
    return false;
  lock(&before);
  struct charcoal_thread *owner = here()->in_signal->owner;
  // Those whom it would wake have ended with their thread.
  if (owner) {
    note_of(owner, on, cancels)->times += 1;
    __atomic_store_n(&signals_are_noted, true, __ATOMIC_RELEASE);
    if (owner->signal_event > 0)
      eventfd_write(owner->signal_event - 1, 1);
    int runs = RUNS;
    __atomic_compare_exchange_n(&owner->flag, &runs, YIELDS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  unlock(&before);
  return true;
}

// Takes the first of what is noted for this thread. Returns whether there is something.
static bool take_note(struct note *into) {
  bool found = false;
  sigset_t before;
  lock(&before);
  for (unsigned i = 0; i < noted_count && !found; i++)
    if (noted[i].owner == here()) {
      *into = noted[i];
      noted_count -= 1;
      memmove(&noted[i], &noted[i + 1], (noted_count - i) * sizeof *noted);
      found = true;
    }
  signals_are_noted = noted_count > 0;
  unlock(&before);
  return found;
}

void signals_look(void) {
  struct note note;
  eventfd_t ignored;
  if (!here()->has_handlers)
    return;
  if (here()->signal_event > 0)
    eventfd_read(here()->signal_event - 1, &ignored);
  // It is that of the inbox, where something may have come meanwhile.
  if (here()->signal_event > 0 && inbox_has(here()))
    eventfd_write(here()->signal_event - 1, 1);
  while (take_note(&note))
    for (; note.times > 0; note.times--)
      if (note.cancels)
        charcoal_cancel(note.on);
      else
        charcoal_semaphore_post(note.on);
}

void signals_begin(void) {
  if (!first)
    first = here();
}

bool signals_have_handlers(void) { return here()->has_handlers; }

bool signals_may_come(void) {
  if (!here()->has_handlers)
    return false;
  // Only now: programs count their descriptors.
  if (here()->signal_event == 0)
    here()->signal_event = inbox_event() + 1;
  return true;
}

// Whether this thread has installed one that is in force.
static void count_own(void) {
  here()->has_handlers = false;
  for (int i = 0; i < NSIG; i++)
    here()->has_handlers |= handlers[i].with && handlers[i].owner == here();
}

void signals_forked(void) {
  // There is nobody else for whom they could be.
  for (int i = 0; i < NSIG; i++)
    handlers[i].owner = handlers[i].with ? here() : NULL;
  noted_count = 0;
  signals_are_noted = false;
  // Another thread of the parent may have been at it.
  is_busy = false;
  here()->signal_event = 0;
  first = here();
  count_own();
}

void signals_end(void) {
  sigset_t before;
  struct charcoal_thread *t = here();
  if (!t->has_handlers)
    return;
  struct note ignored;
  while (take_note(&ignored))
    continue;
  lock(&before);
  for (int i = 0; i < NSIG; i++)
    if (handlers[i].owner == t)
      handlers[i].owner = NULL;
  if (first == t)
    first = NULL;
  t->has_handlers = false;
  t->signal_event = 0;
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
  struct signal_memory *more = mmap(NULL, sizeof *more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED)
    return NULL;
  more->is_mapped = true;
  return more;
}

void signal_memory_give(struct signal_memory *memory) {
  if (memory->is_mapped)
    munmap(memory, sizeof *memory);
  else
    __atomic_store_n(&memory->is_taken, false, __ATOMIC_RELEASE);
}

static void handle(int number, siginfo_t *information, void *context) {
  struct charcoal_thread *t = &charcoal_thread;
  int flag = t->flag, error = errno;
  struct signal_memory *own = memory_take();
  if (!own)
    charcoal_die("out of memory for a handler of signals");
  struct installed it = handlers[number];
  struct charcoal_frame *entering = t->entering;
  t->entering = NULL;
  own->outer = t->in_signal;
  own->owner = it.owner;
  t->flag = RUNS;
  t->depth += 1;
  t->in_signal = own;
  it.with(number, information, context);
  t->in_signal = own->outer;
  signal_memory_give(own);
  t->depth -= 1;
  t->entering = entering;
  t->flag = flag == RUNS && signals_wait() ? YIELDS : flag;
  errno = error;
}

// Whose activities a handler may wake: this thread's, else whose the one before was, else those of the first.
static struct charcoal_thread *owner_of(int number) {
  struct charcoal_thread *t = here();
  // Before `main`, too.
  if (t->root || gettid() == getpid())
    return t;
  return handlers[number].owner ? handlers[number].owner : first;
}

// Installs what calls a handler of the program.
static void wrap(int number, struct sigaction *own) {
  struct installed *it = &handlers[number];
  *it = (struct installed){own->sa_sigaction, own->sa_flags & SA_SIGINFO, owner_of(number)};
  if (it->owner)
    it->owner->has_handlers = true;
  own->sa_sigaction = handle;
  own->sa_flags |= SA_SIGINFO;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  struct sigaction own, old;
  bool is_signal = number > 0 && number < NSIG;
  struct installed last = is_signal ? handlers[number] : (struct installed){0};
  short_calls_leave(number);
  if (action) {
    own = *action;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN && is_signal)
      wrap(number, &own);
  }
  int failed = __sigaction(number, action ? &own : NULL, &old);
  if (failed && is_signal)
    handlers[number] = last;
  else if (action && is_signal && own.sa_sigaction != handle)
    handlers[number] = (struct installed){0};
  if (action)
    count_own();
  if (!failed && before) {
    *before = old;
    if (stack_handles(&old))
      *before = (struct sigaction){.sa_handler = SIG_DFL};
    if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == handle) {
      before->sa_sigaction = last.with;
      before->sa_flags &= last.is_informed ? ~0 : ~SA_SIGINFO;
    }
  }
  return failed;
}

typedef void (*simple)(int);

static simple install(int number, simple with, int flags) {
  struct sigaction action = {.sa_handler = with, .sa_flags = flags}, before;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}

simple signal(int number, simple with) { return install(number, with, SA_RESTART); }

simple bsd_signal(int number, simple with);
simple bsd_signal(int number, simple with) { return signal(number, with); }

simple ssignal(int number, simple with) { return signal(number, with); }

// What `signal` is without the library's own features (`-std=c11`).
simple sysv_signal(int number, simple with) { return install(number, with, SA_RESETHAND | SA_NODEFER); }

simple __sysv_signal(int number, simple with);
simple __sysv_signal(int number, simple with) { return sysv_signal(number, with); }

// That of System V, which may also block a signal (POSIX.1-2008, sigset).
simple sigset(int number, simple with) {
  sigset_t one, masked;
  struct sigaction now;
  sigemptyset(&one);
  if (sigaddset(&one, number) != 0 || sigaction(number, NULL, &now) != 0 ||
      pthread_sigmask(with == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &one, &masked) != 0)
    return SIG_ERR;
  bool was_held = sigismember(&masked, number) == 1;
  if (with != SIG_HOLD && install(number, with, 0) == SIG_ERR)
    return SIG_ERR;
  return was_held ? SIG_HOLD : now.sa_handler;
}
