// Threads that call functions which wait, while activities run: at most four, begun when they are needed.
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#define MOST_WORKERS 4
#define WORKER_STACK (256 << 10)

// What an activity waits for. It is in the list until a worker has it.
struct charcoal_job {
  struct charcoal_job *next;
  struct ticket *ticket;
  void (*run)(void *);
  void *with;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static struct charcoal_job *first, *last;
static unsigned workers, idle;

static struct charcoal_job *next_job(void) {
  pthread_mutex_lock(&lock);
  idle += 1;
  while (!first)
    pthread_cond_wait(&wanted, &lock);
  idle -= 1;
  struct charcoal_job *job = first;
  first = job->next;
  pthread_mutex_unlock(&lock);
  return job;
}

static void *work(void *unused) {
  for (;;) {
    struct charcoal_job *job = next_job();
    struct ticket *ticket = job->ticket;
    job->run(job->with);
    ticket_wake(ticket);
  }
  return unused;
}

// What a thread gets for what it does itself.
static void leave_own(sigset_t *set) {
  static const int own[] = {SIGXFSZ, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(set, own[i]);
}

// Whether there is one more. It has no signals of others: those are for threads that run the program's code.
static bool start_worker(void) {
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  leave_own(&all);
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, WORKER_STACK);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_started = pthread_create(&thread, &attributes, work, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  workers += is_started;
  return is_started;
}

int job_begin(void (*run)(void *), void *with) {
  struct ticket *ticket = ticket_take();
  struct charcoal_job *job = ticket ? pool_take(sizeof *job) : NULL;
  if (!job) {
    if (ticket)
      ticket_give(ticket);
    return ENOMEM;
  }
  *job = (struct charcoal_job){NULL, ticket, run, with};
  pthread_mutex_lock(&lock);
  bool has_worker = idle > 0 || (workers < MOST_WORKERS && start_worker()) || workers > 0;
  if (has_worker) {
    if (first)
      last->next = job;
    else
      first = job;
    last = job;
    pthread_cond_signal(&wanted);
    here()->current->on.job = job;
    here()->current->has_job = true;
    here()->jobs += 1;
    ticket_wait();
  }
  pthread_mutex_unlock(&lock);
  if (!has_worker) {
    pool_give(job, sizeof *job);
    ticket_give(ticket);
  }
  return has_worker ? 0 : EAGAIN;
}

void job_end(charcoal_activity *activity) {
  pool_give(activity->on.job, sizeof *activity->on.job);
  activity->on.job = NULL;
  activity->has_job = false;
  here()->jobs -= 1;
}

bool job_forget(charcoal_activity *activity) {
  struct charcoal_job *job = activity->on.job, *before = NULL;
  pthread_mutex_lock(&lock);
  struct charcoal_job *at = first;
  while (at && at != job) {
    before = at;
    at = at->next;
  }
  if (at && before)
    before->next = at->next;
  else if (at)
    first = at->next;
  if (at && last == at)
    last = before;
  pthread_mutex_unlock(&lock);
  // What a worker does already uses memory of the activity, which so waits for its end.
  if (!at)
    return false;
  ticket_give(job->ticket);
  here()->remote -= 1;
  job_end(activity);
  return true;
}

size_t job_threads(void) {
  pthread_mutex_lock(&lock);
  size_t count = workers;
  pthread_mutex_unlock(&lock);
  return count;
}

void jobs_forked(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&wanted, NULL);
  first = last = NULL;
  workers = idle = 0;
  here()->jobs = 0;
}
