// Whether anything is left to run: in a thread whose activities wait for one another, or in all threads that do.
#include "internal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How many activities a report names.
#define MOST_NAMED 20
// Threads that are not this runtime's may end: the question is asked again, at first more often (milliseconds).
#define FIRST_QUESTIONS 3
#define BETWEEN_FIRST 100
#define BETWEEN_OTHERS 1000

struct charcoal_thread *charcoal_schedulers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void register_fork(void) { pthread_atfork(trace_forks, NULL, scheduler_forked); }

void scheduler_begins(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_fork);
  pthread_mutex_lock(&lock);
  here()->next_scheduler = charcoal_schedulers;
  charcoal_schedulers = here();
  pthread_mutex_unlock(&lock);
}

void scheduler_ends(void) {
  pthread_mutex_lock(&lock);
  struct charcoal_thread **it = &charcoal_schedulers;
  while (*it != here())
    it = &(*it)->next_scheduler;
  *it = here()->next_scheduler;
  pthread_mutex_unlock(&lock);
}

void schedulers_forked(void) {
  pthread_mutex_init(&lock, NULL);
  here()->next_scheduler = NULL;
  here()->is_idle = false;
  charcoal_schedulers = here();
}

// Which word of /proc/self/stat says it, counted behind the command's name (proc(5): num_threads is field 20).
#define THREADS_WORD 18

// How many threads the process has; 0 where the system does not say. (A list of /proc/self/task may end early while
// threads do.)
static size_t thread_count(void) {
  char text[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  if (length <= 0)
    return 0;
  text[length] = 0;
  // The name may have blanks and parentheses of its own.
  const char *at = strrchr(text, ')');
  for (int word = 0; at && word < THREADS_WORD; word++)
    at = strchr(at + 1, ' ');
  return at ? strtoul(at, NULL, 10) : 0;
}

// Whether all threads of the process are this runtime's: others may send something yet.
static bool knows_all_threads(void) {
  size_t known = tick_threads() + job_threads(), all = thread_count();
  for (const struct charcoal_thread *it = charcoal_schedulers; it; it = it->next_scheduler)
    known++;
  return all > 0 && all <= known;
}

const char *place_of(const charcoal_activity *activity) {
  const struct charcoal_frame *frame = activity->top;
  while (frame && frame->next && frame->site->where[0] == '(')
    frame = frame->next;
  return frame ? frame->site->where : "its beginning";
}

static void print_activities(const struct charcoal_thread *thread, unsigned *count) {
  for (const charcoal_activity *it = thread->newest; it; it = it->older)
    if (++*count <= MOST_NAMED)
      fprintf(stderr, "  %s, in %s\n", it->name, place_of(it));
}

// Says who waits where, the newest first, in one thread or in all.
_Noreturn static void report(const struct charcoal_thread *one) {
  unsigned count = 0;
  fprintf(stderr, "charcoal: nothing is left to run, and these wait:\n");
  if (one)
    print_activities(one, &count);
  else
    for (const struct charcoal_thread *it = charcoal_schedulers; it; it = it->next_scheduler)
      print_activities(it, &count);
  if (count > MOST_NAMED)
    fprintf(stderr, "  and %u more\n", count - MOST_NAMED);
  exit(1);
}

_Noreturn void report_deadlock(void) { report(here()); }

int idle_begins(void) {
  bool all_wait = true;
  pthread_mutex_lock(&lock);
  here()->is_idle = true;
  for (const struct charcoal_thread *it = charcoal_schedulers; it; it = it->next_scheduler)
    all_wait &= it->is_idle && !inbox_has(it);
  // Only who runs could wake one of them. Nobody goes on from here: the lock stays.
  if (all_wait && knows_all_threads())
    report(NULL);
  pthread_mutex_unlock(&lock);
  if (!all_wait)
    return -1;
  return here()->questions++ < FIRST_QUESTIONS ? BETWEEN_FIRST : BETWEEN_OTHERS;
}

void idle_ends(void) {
  pthread_mutex_lock(&lock);
  here()->is_idle = false;
  pthread_mutex_unlock(&lock);
  if (inbox_has(here()))
    here()->questions = 0;
}
