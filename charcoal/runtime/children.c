// Children: a descriptor tells when one has ended.
#include "commands.h"
#include "posix.h"

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// What has ended, but for the children of `system`.
static pid_t wait_own(pid_t child, int *status, int options, struct rusage *used) {
  for (;;) {
    int how = 0;
    pid_t ended = wait4(child, &how, options, used);
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
    pid_t ended = wait_own(child, status, options | WNOHANG, NULL);
    if (ended != 0)
      return ended;
    int failed = pause_again(&pause);
    if (failed)
      return (pid_t)fails(failed);
  }
}

STANDS_IN(pid_t, charcoal_waitpid, pid_t child, int *status, int options) {
  if (options & WNOHANG || charcoal_is_alone())
    return wait_own(child, status, options, NULL);
  // It may have ended, or be nobody's to wait for.
  pid_t ended = wait_own(child, status, options | WNOHANG, NULL);
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

// In atomic code, handlers of signals interrupt a wait.
static pid_t wait_for_command(pid_t child, int *status) {
  pid_t ended;
  do
    ended = charcoal_waitpid(child, status, 0);
  while (ended < 0 && errno == EINTR);
  return ended;
}

STANDS_IN(int, charcoal_system, const char *command) {
  extern int system(const char *);
  if (!command)
    return system(command);
  pid_t child = -1;
  struct starting it = {command, command_begins(), {0}};
  // All are blocked while it starts (command_start).
  pthread_sigmask(SIG_SETMASK, NULL, &it.mask);
  int failed = command_start(start_command, &it, &child), status = -1;
  if (!failed && wait_for_command(child, &status) < 0)
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

// Others that hear of children keep all waiting; those of `system` are none that they hear of.
STANDS_IN(pid_t, charcoal_wait4, pid_t child, int *status, int options, struct rusage *used) {
  return wait_own(child, status, options, used);
}

STANDS_IN(pid_t, charcoal_wait3, int *status, int options, struct rusage *used) {
  return wait_own(-1, status, options, used);
}

// What `waitpid` would say of the end of a child.
static int status_of(const siginfo_t *said) {
  return said->si_code == CLD_EXITED ? W_EXITCODE(said->si_status, 0) : W_EXITCODE(0, said->si_status);
}

STANDS_IN(int, charcoal_waitid, idtype_t of, id_t which, siginfo_t *into, int options) {
  for (;;) {
    siginfo_t said = {0};
    int failed = waitid(of, which, &said, options);
    bool is_end = said.si_code == CLD_EXITED || said.si_code == CLD_KILLED || said.si_code == CLD_DUMPED;
    if (!failed && of != P_PID && of != P_PIDFD && !(options & WNOWAIT) && said.si_pid > 0 && is_end &&
        command_heard(said.si_pid, status_of(&said)))
      continue;
    if (into)
      *into = said;
    return failed;
  }
}
