// What bench/tasks.c measures, with threads of the system: starting and joining one, and handing over between two.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *nothing(void *unused) { return unused; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turns = PTHREAD_COND_INITIALIZER;
static int turn;
static long rounds;

static void *hands_over(void *of) {
  int self = *(int *)of;
  pthread_mutex_lock(&lock);
  for (long left = rounds; left > 0; left--) {
    while (turn != self)
      pthread_cond_wait(&turns, &lock);
    turn = 1 - self;
    pthread_cond_signal(&turns);
  }
  pthread_mutex_unlock(&lock);
  return of;
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 20000;
  pthread_t one, two;
  double begun = now();
  for (long i = 0; i < count; i++)
    if (pthread_create(&one, NULL, nothing, NULL) || pthread_join(one, NULL))
      return 1;
  printf("spawn %.1f ns\n", (now() - begun) / (double)count);
  rounds = count;
  int ids[] = {0, 1};
  begun = now();
  if (pthread_create(&one, NULL, hands_over, &ids[0]) || pthread_create(&two, NULL, hands_over, &ids[1]))
    return 1;
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  printf("switch %.1f ns\n", (now() - begun) / (double)(2 * count));
  return 0;
}
