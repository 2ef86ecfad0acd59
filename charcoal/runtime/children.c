// Children: a descriptor tells when one has ended.
#include "commands.h"
#include "posix.h"

#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// What has ended, but for the children of `system`.
static pid_t wait_own(pid_t child, int *status, int options) {
  for (;;) {
    int how = 0;
    pid_t ended = waitpid(child, &how, options);
    if (ended > 0 && child <= 0 && command_heard(ended, how))
      continue;
    if (ended > 0 && status)
      *status = how;
    return ended;
  }
}

// Any child, or one for which there is no descriptor: asked for again and again.
static pid_t wait_again(pid_t child, int *status, int options) {
  unsigned long pause = 0;
  for (;;) {
    pid_t ended = wait_own(child, status, options | WNOHANG);
    if (ended != 0)
      return ended;
    int failed = pause_again(&pause);
    if (failed)
      return (pid_t)fails(failed);
  }
}

STANDS_IN(pid_t, charcoal_waitpid, pid_t child, int *status, int options) {
  if (options & WNOHANG || charcoal_is_alone())
    return wait_own(child, status, options);
  // It may have ended, or be nobody's to wait for.
  pid_t ended = wait_own(child, status, options | WNOHANG);
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

struct starting {
  const char *command;
  unsigned defaults; // signals that it does not ignore (command_begins)
  sigset_t mask;
};

static int start_command(void *of, pid_t *child) {
  const struct starting *it = of;
  char *arguments[] = {(char *)"sh", (char *)"-c", (char *)it->command, NULL};
  posix_spawnattr_t how;
  sigset_t defaults;
  sigemptyset(&defaults);
  if (it->defaults & 1)
    sigaddset(&defaults, SIGINT);
  if (it->defaults & 2)
    sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigdefault(&how, &defaults);
  posix_spawnattr_setsigmask(&how, &it->mask);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int failed = posix_spawn(child, "/bin/sh", NULL, &how, arguments, environ);
  posix_spawnattr_destroy(&how);
  return failed;
}

STANDS_IN(int, charcoal_system, const char *command) {
  extern int system(const char *);
  if (!command || charcoal_is_alone())
    return system(command);
  pid_t child = -1;
  struct starting it = {command, command_begins(), {0}};
  // All are blocked while it starts (command_start).
  pthread_sigmask(SIG_SETMASK, NULL, &it.mask);
  int failed = command_start(start_command, &it, &child), status = -1;
  if (!failed && charcoal_waitpid(child, &status, 0) < 0)
    failed = command_take(child, &status) ? 0 : errno;
  else if (!failed)
    command_done(child);
  command_ends();
  if (failed) {
    command_leave(child);
    errno = failed;
  }
  return failed ? -1 : status;
}
