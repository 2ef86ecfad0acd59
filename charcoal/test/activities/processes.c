// Children, handlers and threads: whose they are, and who hears of them.
#define _GNU_SOURCE
#include "charcoal.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void atomic_add(int *to, int what) { *to += what; }

static volatile sig_atomic_t ended;
static void reap(int number) {
  (void)number;
  while (waitpid(-1, NULL, WNOHANG) > 0)
    ended++;
}

// The children of `system` are its own, and others are heard of meanwhile.
static void commands(void) {
  signal(SIGCHLD, reap);
  charcoal_activity other;
  shared int status = -1;
  activate(&other) { status = system("sleep 0.05; exit 7"); };
  charcoal_sleep(5);
  if (fork() == 0)
    _exit(0);
  for (int i = 0; i < 1000 && ended == 0; i++)
    charcoal_sleep(1);
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  int heard = ended, blocked = sigismember(&mask, SIGCHLD);
  charcoal_join(&other);
  signal(SIGCHLD, SIG_DFL);
  printf("%d heard of, %d blocked, status %d\n", heard, blocked, WEXITSTATUS(status));
}

// So they are by other calls.
static void others_that_hear(void) {
  charcoal_activity all[3];
  shared int right = 0;
  for (int i = 0; i < 3; i++)
    activate(&all[i]) { atomic_add(&right, WEXITSTATUS(system("sleep 0.02; exit 9")) == 9); };
  int heard = 0;
  for (int i = 0; i < 60; i++) {
    siginfo_t said = {0};
    int status;
    heard += wait3(&status, WNOHANG, NULL) > 0;
    heard += wait4(-1, &status, WNOHANG, NULL) > 0;
    heard += waitid(P_ALL, 0, &said, WEXITED | WNOHANG) == 0 && said.si_pid > 0;
    charcoal_sleep(1);
  }
  for (int i = 0; i < 3; i++)
    charcoal_join(&all[i]);
  printf("%d right, %d heard of\n", right, heard);
}

static int nothing(int n) { return n; }
static int (*volatile through)(int) = nothing;
static int prepared;
static void prepare(void) {
  for (int i = 0; i < 20; i++)
    prepared += through(1);
}

static void forks(void) {
  int good = 0;
  pthread_atfork(prepare, NULL, NULL);
  for (int i = 0; i < 5; i++) {
    int ends[2], master;
    pid_t child = i == 4 ? forkpty(&master, NULL, NULL, NULL) : i % 2 ? vfork() : fork();
    if (child == 0)
      _exit(3);
    int status = 0;
    pipe(ends);
    good += child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3;
    close(ends[0]);
    close(ends[1]);
    if (i == 4)
      close(master);
  }
  printf("%d children, %d prepared\n", good, prepared);
}

// A child that a library makes closes what is waited for here, and has a scheduler of its own.
static void terminals(void) {
  int ends[2], master;
  pipe(ends);
  int from = ends[0];
  charcoal_activity reads;
  activate(&reads) {
    char bytes[8];
    printf("%zd bytes\n", read(from, bytes, sizeof bytes));
  };
  yield();
  pid_t child = forkpty(&master, NULL, NULL, NULL);
  if (child == 0) {
    close(ends[0]);
    char name[] = "/tmp/processes-XXXXXX", byte = 0;
    int file = mkstemp(name);
    unlink(name);
    // By a thread of the runtime's, which the child has not got yet.
    charcoal_activity other;
    activate(&other) { charcoal_sleep(1); };
    _exit(pwrite(file, "y", 1, 0) == 1 && pread(file, &byte, 1, 0) == 1 && byte == 'y' ? 4 : 5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  write(ends[1], "hello", 5);
  charcoal_join(&reads);
  printf("child %d\n", WEXITSTATUS(status));
  close(ends[0]);
  close(ends[1]);
  close(master);
}

// A child has turns by time, too, whatever its parent had.
static void ticks(void) {
  for (int i = 0; i < 40; i++)
    yield();
  charcoal_sleep(50);
  pid_t child = fork();
  if (child == 0) {
    charcoal_activity both[2];
    for (int i = 0; i < 2; i++)
      activate(&both[i]) {
        for (int k = 0; k < 5; k++)
          charcoal_sleep(2);
      };
    for (int i = 0; i < 2; i++)
      charcoal_join(&both[i]);
    _exit(6);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
}

static charcoal_semaphore *posted, *other_posted;
static void post(int number) { charcoal_semaphore_post(number == SIGUSR1 ? posted : other_posted); }

// Handlers wake those of the thread that has installed them.
static void handlers(void) {
  charcoal_semaphore semaphore = CHARCOAL_SEMAPHORE(0);
  posted = &semaphore;
  signal(SIGUSR1, post);
  charcoal_os_thread *thread = charcoal_thread_start("worker", ^{
    charcoal_semaphore own = CHARCOAL_SEMAPHORE(0);
    other_posted = &own;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    sigset(SIGUSR2, post);
#pragma clang diagnostic pop
    charcoal_activity kills;
    activate(&kills) { kill(getpid(), SIGUSR2); };
    charcoal_semaphore_wait(&own);
  });
  charcoal_thread_join(thread);
  charcoal_activity kills;
  activate(&kills) {
    charcoal_sleep(1);
    kill(getpid(), SIGUSR1);
  };
  printf("woken %d\n", charcoal_semaphore_wait(posted));
  charcoal_join(&kills);
}

static int sum_of(const char *bytes, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += through(bytes[i]);
  return sum;
}
static volatile int large;
static void use_much(int number) {
  (void)number;
  char bytes[100000];
  memset(bytes, 1, sizeof bytes);
  large = sum_of(bytes, sizeof bytes);
}

// One that was woken ends with its thread: another one gets what was for it.
static void passed_on(void) {
  charcoal_channel *channel = charcoal_channel_new(sizeof(int), 1);
  charcoal_channel *ready = charcoal_channel_new(1, 2);
  charcoal_os_thread *first = charcoal_thread_start("first", ^{
    activate(NULL) {
      int ignored;
      charcoal_channel_receive(channel, &ignored);
    };
    yield();
    charcoal_channel_send(ready, "");
    int value = 42;
    // It wakes the one above, which does not get a turn any more.
    atomic { charcoal_channel_send(channel, &value); }
  });
  char byte;
  charcoal_channel_receive(ready, &byte);
  charcoal_thread_join(first);
  int value = 0;
  printf("%d %d\n", charcoal_channel_receive(channel, &value), value);
  charcoal_channel_free(channel);
  charcoal_channel_free(ready);
}

int main(void) {
  charcoal_activity beside;
  activate(&beside) { charcoal_sleep(100000); };
  commands();
  others_that_hear();
  forks();
  terminals();
  ticks();
  handlers();
  signal(SIGUSR1, use_much);
  raise(SIGUSR1);
  printf("%d\n", large);
  passed_on();
  charcoal_cancel(&beside);
  charcoal_join(&beside);
  return 0;
}
