// An activity that calls too deep: says which one, and where the limit comes from, before the program ends as it does.
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// How far beyond the end of the stack a function may reach that has large local variables.
#define BEYOND (1 << 20)
#define HANDLER_STACK (64 << 10)

static __thread char *lowest; // of this thread's stack; null where that is not known
static __thread void *handler_stack;

static void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

static void on_fault(int number, siginfo_t *information, void *context) {
  (void)number;
  const char *address = information->si_addr;
  const char *top = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
  bool is_near = lowest && address < lowest + 4096 && address + BEYOND > lowest && top < lowest + BEYOND;
  if (is_near) {
    const charcoal_activity *current = here()->current;
    say("charcoal: the stack is full (`ulimit -s`), in activity ");
    say(current && current->name ? current->name : "(none)");
    say("\n");
  }
  // It ends as it would have without this; what somebody has sent does not come again by itself.
  const struct sigaction none = {.sa_handler = SIG_DFL};
  __sigaction(SIGSEGV, &none, NULL);
  if (information->si_code <= 0)
    raise(SIGSEGV);
}

static char *lowest_of_stack(void) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return NULL;
  if (pthread_attr_getstack(&attributes, &start, &size) != 0)
    start = NULL;
  pthread_attr_destroy(&attributes);
  return start;
}

void stack_begin(void) {
  struct sigaction before;
  stack_t now;
  // A program may have its handler_stack, and so has a sanitizer.
  if (__sigaction(SIGSEGV, NULL, &before) != 0 || (before.sa_handler != SIG_DFL && before.sa_sigaction != on_fault))
    return;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE) || !(handler_stack = malloc(HANDLER_STACK)))
    return;
  lowest = lowest_of_stack();
  stack_t stack = {.ss_sp = handler_stack, .ss_size = HANDLER_STACK};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  if (sigaltstack(&stack, NULL) == 0 && before.sa_handler == SIG_DFL)
    __sigaction(SIGSEGV, &action, NULL);
}

void stack_end(void) {
  stack_t now;
  if (!handler_stack)
    return;
  // The program may have set another one.
  if (sigaltstack(NULL, &now) == 0 && now.ss_sp == handler_stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
  }
  free(handler_stack);
  handler_stack = NULL;
}

bool stack_handles(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == on_fault;
}
