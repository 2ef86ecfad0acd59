// What activities do to one another: yield, join, cancel, semaphores, atomic code.
#include "internal.h"

#include <errno.h>
#include <stdio.h>

charcoal_activity *charcoal_current(void) { return here()->current; }

bool charcoal_is_interruptible(const void *function);
bool charcoal_is_interruptible(const void *function) { return is_interruptible(function); }

int charcoal_atomic_begin(void) {
  here()->depth += 1;
  return 0;
}

void charcoal_atomic_left(void);
void charcoal_atomic_left(void) {
  struct charcoal_thread *t = here();
  int runs = RUNS;
  t->is_pending = false;
  __atomic_compare_exchange_n(&t->flag, &runs, YIELDS, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Compiled code does the same by itself (pass/atomic.cpp).
void charcoal_atomic_end(void) {
  struct charcoal_thread *t = here();
  t->depth -= 1;
  if (t->depth == 0 && t->is_pending)
    charcoal_atomic_left();
}

SUSPENDS void charcoal_yield(void) {
  if (!may_suspend() || (!here()->ready.first && !signals_wait()))
    return;
  charcoal_activity *self = here()->current;
  suspend(NULL);
  wake(self, 0);
}

// A wait that nobody can end while atomic code runs.
static int never(const char *what, const charcoal_activity *other) {
  const charcoal_activity *self = here()->current;
  fprintf(stderr, "charcoal: %s waits for %s in atomic code, where only another activity could end that%s%s\n",
          self && self->name ? self->name : "code outside of activities", what, other ? ": " : "",
          other && other->name ? other->name : "");
  if (self && is_atomic_as_a_whole(self))
    fprintf(stderr, "charcoal: all of it runs atomically; -Rpass-missed=charcoal says why\n");
  return EDEADLK;
}

SUSPENDS int charcoal_join(charcoal_activity *activity) {
  charcoal_activity *self = here()->current;
  if (activity->state == CHARCOAL_DONE)
    return activity->failed;
  if (activity == self)
    return EDEADLK;
  // It has never been started.
  if (activity->state == CHARCOAL_NEW && !activity->body)
    return EINVAL;
  if (!may_suspend())
    return never("an activity", activity);
  if (self->is_cancelled)
    return ECANCELED;
  suspend(&activity->joining);
  return 0;
}

SUSPENDS int charcoal_semaphore_wait(charcoal_semaphore *semaphore) {
  charcoal_activity *self = here()->current;
  if (self && self->is_cancelled)
    return ECANCELED;
  if (semaphore->count > 0) {
    semaphore->count -= 1;
    return 0;
  }
  if (!may_suspend())
    return never("a semaphore", NULL);
  suspend(&semaphore->waiting);
  return 0;
}

void charcoal_semaphore_post(charcoal_semaphore *semaphore) {
  if (__builtin_expect(here()->in_signal != NULL, false) && signal_notes(semaphore, false))
    return;
  charcoal_activity *first = queue_take(&semaphore->waiting);
  if (first)
    wake(first, 0);
  else
    semaphore->count += 1;
}

void leave(struct charcoal_queue *queue, const charcoal_activity *activity) {
  charcoal_activity *before = NULL, *at = queue->first;
  while (at && at != activity) {
    before = at;
    at = at->next;
  }
  if (!at)
    return;
  if (before)
    before->next = at->next;
  else
    queue->first = at->next;
  if (queue->last == at)
    queue->last = before;
}

void charcoal_cancel(charcoal_activity *activity) {
  if (__builtin_expect(here()->in_signal != NULL, false) && signal_notes(activity, true))
    return;
  if (activity->state == CHARCOAL_DONE || activity->is_cancelled)
    return;
  activity->is_cancelled = true;
  if (activity->state != CHARCOAL_WAITING)
    return;
  if (activity->waits_in) {
    leave(activity->waits_in, activity);
    io_left(activity->waits_in);
  } else if (activity->channel   ? !channel_forget(activity)
             : activity->has_job ? !job_forget(activity)
                                 : !io_forget(activity)) {
    return;
  }
  wake(activity, ECANCELED);
}
