// The children of `system`, whose ends are its own to hear of: a handler of SIGCHLD, or another activity, may wait for
// any child meanwhile.
#include "commands.h"

#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

struct command {
  struct command *next;
  pid_t child;
  int status;
  bool has_ended, is_left; // nobody waits for it any more
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct command *all;
static unsigned running;
static struct sigaction kept[2];
static const int ignored[2] = {SIGINT, SIGQUIT};

// A handler may ask while the thread that it interrupts does.
static void enter(sigset_t *before) {
  sigset_t every;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, before);
  pthread_mutex_lock(&lock);
}

static void leave_to(const sigset_t *before) {
  pthread_mutex_unlock(&lock);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

unsigned command_begins(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigset_t before;
  enter(&before);
  if (running++ == 0)
    for (int i = 0; i < 2; i++)
      __sigaction(ignored[i], &ignore, &kept[i]);
  unsigned defaults = 0;
  for (unsigned i = 0; i < 2; i++)
    defaults |= kept[i].sa_handler != SIG_IGN ? 1U << i : 0;
  leave_to(&before);
  return defaults;
}

void command_ends(void) {
  sigset_t before;
  enter(&before);
  if (--running == 0)
    for (int i = 0; i < 2; i++)
      __sigaction(ignored[i], &kept[i], NULL);
  leave_to(&before);
}

int command_start(int (*start)(void *, pid_t *), void *with, pid_t *child) {
  sigset_t before;
  struct command *command = malloc(sizeof *command);
  if (!command)
    return ENOMEM;
  enter(&before);
  int failed = start(with, child);
  if (!failed) {
    *command = (struct command){.next = all, .child = *child};
    all = command;
  }
  leave_to(&before);
  if (failed)
    free(command);
  return failed;
}

static struct command **find(pid_t child) {
  struct command **at = &all;
  while (*at && (*at)->child != child)
    at = &(*at)->next;
  return at;
}

static void drop(struct command **at) {
  struct command *command = *at;
  *at = command->next;
  free(command);
}

// Memory is not given back here: this may be a handler.
bool command_heard(pid_t child, int status) {
  sigset_t before;
  enter(&before);
  struct command *command = *find(child);
  if (command && (WIFEXITED(status) || WIFSIGNALED(status))) {
    command->has_ended = true;
    command->status = status;
  }
  leave_to(&before);
  return command;
}

bool command_take(pid_t child, int *status) {
  sigset_t before;
  enter(&before);
  struct command **at = find(child);
  bool has_ended = *at && (*at)->has_ended;
  if (has_ended) {
    *status = (*at)->status;
    drop(at);
  }
  leave_to(&before);
  return has_ended;
}

// Looks after those for which nobody waits any more.
static void reap_left(void) {
  for (struct command **at = &all; *at;)
    if ((*at)->is_left && ((*at)->has_ended || waitpid((*at)->child, NULL, WNOHANG) != 0))
      drop(at);
    else
      at = &(*at)->next;
}

void command_leave(pid_t child) {
  sigset_t before;
  enter(&before);
  struct command *command = *find(child);
  if (command)
    command->is_left = true;
  reap_left();
  leave_to(&before);
}

void command_done(pid_t child) {
  sigset_t before;
  enter(&before);
  struct command **at = find(child);
  if (*at)
    drop(at);
  reap_left();
  leave_to(&before);
}

void commands_forked(void) {
  pthread_mutex_init(&lock, NULL);
  all = NULL;
}
