// Handlers of signals, in the middle of code that is suspended everywhere.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))

static volatile sig_atomic_t seen, informed;
static int steps;
static int count(int by) { return steps += by; }
static int (*volatile counts)(int) = count;
KEEP static int step(int by) { return counts(by); }

KEEP static int recursive(int n) {
  int own[4] = {n, n + 1, n + 2, n + 3};
  memcpy(own + 2, own, sizeof own[0]);
  return n == 0 ? step(0) * 0 + own[2] : recursive(n - 1) + own[1];
}
static void on_signal(int number) {
  errno = 0;
  seen += number + recursive(3);
}
static void on_information(int number, siginfo_t *information, void *context) {
  (void)context;
  informed += number + information->si_signo + recursive(2);
}

KEEP static int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += step(1);
    if (i % 7 == 0)
      raise(SIGUSR1);
    if (i % 5 == 0)
      raise(SIGUSR2);
    sum += recursive(i % 4);
  }
  return sum;
}

int main(void) {
  signal(SIGUSR1, on_signal);
  struct sigaction action = {.sa_sigaction = on_information, .sa_flags = SA_SIGINFO}, before;
  sigaction(SIGUSR2, &action, NULL);
  printf("%d %d %d %d\n", work(40), (int)seen, (int)informed, steps);
  sigaction(SIGUSR1, NULL, &before);
  printf("%d %d\n", before.sa_handler == on_signal, signal(SIGUSR1, SIG_IGN) == on_signal);
  raise(SIGUSR1);
  printf("%d\n", (int)seen);
  return sigaction(10000, &action, NULL) == -1 ? 3 : 4;
}
