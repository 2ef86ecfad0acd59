// Children: a descriptor tells when one has ended.
#include "posix.h"

#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Any child, or one for which there is no descriptor: asked for again and again.
static pid_t wait_again(pid_t child, int *status, int options) {
  unsigned long pause = 0;
  for (;;) {
    pid_t ended = waitpid(child, status, options | WNOHANG);
    if (ended != 0)
      return ended;
    int failed = pause_again(&pause);
    if (failed)
      return (pid_t)fails(failed);
  }
}

STANDS_IN(pid_t, charcoal_waitpid, pid_t child, int *status, int options) {
  if (options & WNOHANG || charcoal_is_alone())
    return waitpid(child, status, options);
  // It may have ended, or be nobody's to wait for.
  pid_t ended = waitpid(child, status, options | WNOHANG);
  if (ended != 0)
    return ended;
  int descriptor = child > 0 && !(options & (WUNTRACED | WCONTINUED)) ? (int)syscall(SYS_pidfd_open, child, 0) : -1;
  if (descriptor < 0)
    return wait_again(child, status, options);
  int failed = wait_until_ready(descriptor, POLLIN);
  close(descriptor);
  // Somebody else may have been faster, or the program told that it does not want to know.
  return failed ? (pid_t)fails(failed) : wait_again(child, status, options);
}

STANDS_IN(pid_t, charcoal_wait, int *status) { return charcoal_waitpid(-1, status, 0); }

// While a command runs, what is meant for it does not end the program, and nobody hears of its end; several may run at
// once.
static int commands;
static struct sigaction kept[2];
static sigset_t kept_mask;
static const int ignored[2] = {SIGINT, SIGQUIT};

// Commands whose activity has been cancelled: they go on, and are asked now and then whether they have ended.
#define MOST_LEFT 64
static pid_t left[MOST_LEFT];
static int left_count;

static void look_after_left(void) {
  for (int i = left_count - 1; i >= 0; i--)
    if (waitpid(left[i], NULL, WNOHANG) != 0)
      left[i] = left[--left_count];
}

static void command_begins(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigset_t ends;
  if (commands++ > 0)
    return;
  for (int i = 0; i < 2; i++)
    sigaction(ignored[i], &ignore, &kept[i]);
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &ends, &kept_mask);
}

static void command_ends(void) {
  if (--commands > 0)
    return;
  for (int i = 0; i < 2; i++)
    sigaction(ignored[i], &kept[i], NULL);
  pthread_sigmask(SIG_SETMASK, &kept_mask, NULL);
}

static int start_command(const char *command, pid_t *child) {
  char *arguments[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  posix_spawnattr_t how;
  sigset_t defaults;
  sigemptyset(&defaults);
  for (int i = 0; i < 2; i++)
    if (kept[i].sa_handler != SIG_IGN)
      sigaddset(&defaults, ignored[i]);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigdefault(&how, &defaults);
  posix_spawnattr_setsigmask(&how, &kept_mask);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int failed = posix_spawn(child, "/bin/sh", NULL, &how, arguments, environ);
  posix_spawnattr_destroy(&how);
  return failed;
}

STANDS_IN(int, charcoal_system, const char *command) {
  extern int system(const char *);
  if (!command || charcoal_is_alone())
    return system(command);
  pid_t child;
  command_begins();
  int failed = start_command(command, &child), status = -1;
  if (!failed && charcoal_waitpid(child, &status, 0) < 0) {
    failed = errno;
    if (failed == ECANCELED && left_count < MOST_LEFT)
      left[left_count++] = child;
  }
  command_ends();
  look_after_left();
  if (failed)
    errno = failed;
  return failed ? -1 : status;
}
