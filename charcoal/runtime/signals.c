// Handlers of signals run atomically, in the middle of whatever they interrupt.
//
// Compiled code calls these in the place of the library's (pass/waiting.cpp): what is installed is a function that
// keeps the state of the interrupted code, and calls the program's handler.
#include "internal.h"

#include <errno.h>
#include <signal.h>

// Those that want no information are called with it all the same, and do not look.
typedef void (*handler)(int, siginfo_t *, void *);

static handler handlers[NSIG];

static void handle(int number, siginfo_t *information, void *context) {
  struct charcoal_thread *t = &charcoal_thread;
  int flag = t->flag, error = errno;
  struct signal_memory *outer = t->in_signal, own = {0};
  t->flag = RUNS;
  t->depth += 1;
  t->in_signal = &own;
  handlers[number](number, information, context);
  t->in_signal = outer;
  t->depth -= 1;
  t->flag = flag;
  errno = error;
}

int charcoal_sigaction(int number, const struct sigaction *action, struct sigaction *before);
int charcoal_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  struct sigaction own, old;
  handler last = NULL;
  if (number > 0 && number < NSIG)
    last = handlers[number];
  if (action) {
    own = *action;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN && number > 0 && number < NSIG) {
      handlers[number] = action->sa_sigaction;
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
    if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == handle)
      before->sa_sigaction = last;
  }
  return failed;
}

typedef void (*simple)(int);

simple charcoal_signal(int number, simple with);
simple charcoal_signal(int number, simple with) {
  struct sigaction action = {.sa_handler = with, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  return charcoal_sigaction(number, &action, &before) ? SIG_ERR : before.sa_handler;
}
