// Several threads, each with a scheduler of its own, and how one wakes an activity of another.
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// What other threads wake in this one, in the order in which they do.
struct inbox {
  pthread_mutex_t lock;
  struct ticket *first, *last;
  int event; // can be read while there is something
};

static struct inbox *inbox_here(void) {
  struct charcoal_thread *t = here();
  if (t->inbox)
    return t->inbox;
  struct inbox *inbox = calloc(1, sizeof *inbox);
  if (!inbox)
    return NULL;
  inbox->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (inbox->event < 0 || io_watch(inbox->event) != 0) {
    if (inbox->event >= 0)
      close(inbox->event);
    free(inbox);
    return NULL;
  }
  own(inbox->event);
  pthread_mutex_init(&inbox->lock, NULL);
  return t->inbox = inbox;
}

bool inbox_is(int descriptor) { return here()->inbox && here()->inbox->event == descriptor; }

void inbox_forked(void) {
  struct charcoal_thread *t = here();
  if (t->inbox) {
    disown(t->inbox->event);
    close(t->inbox->event);
    free(t->inbox);
  }
  t->inbox = NULL;
  t->remote = 0;
}

int inbox_event(void) {
  const struct inbox *inbox = inbox_here();
  return inbox ? inbox->event : -1;
}

bool inbox_has(const struct charcoal_thread *thread) {
  return thread->inbox && __atomic_load_n(&thread->inbox->first, __ATOMIC_ACQUIRE);
}

struct ticket *ticket_take(void) {
  struct ticket *ticket = inbox_here() ? pool_take(sizeof *ticket) : NULL;
  if (ticket)
    *ticket = (struct ticket){NULL, here(), here()->current};
  return ticket;
}

void ticket_give(struct ticket *ticket) { pool_give(ticket, sizeof *ticket); }

void ticket_wait(void) {
  here()->remote += 1;
  suspend(NULL);
}

void ticket_wake(struct ticket *ticket) {
  struct inbox *inbox = ticket->thread->inbox;
  ticket->next = NULL;
  pthread_mutex_lock(&inbox->lock);
  bool was_empty = !inbox->first;
  if (was_empty)
    __atomic_store_n(&inbox->first, ticket, __ATOMIC_RELEASE);
  else
    inbox->last->next = ticket;
  inbox->last = ticket;
  // The thread may end as soon as it has the ticket.
  if (was_empty)
    eventfd_write(inbox->event, 1);
  pthread_mutex_unlock(&inbox->lock);
}

void inbox_look(void) {
  struct inbox *inbox = here()->inbox;
  if (!inbox_has(here()))
    return;
  eventfd_t ignored;
  pthread_mutex_lock(&inbox->lock);
  struct ticket *all = inbox->first;
  __atomic_store_n(&inbox->first, NULL, __ATOMIC_RELAXED);
  eventfd_read(inbox->event, &ignored);
  pthread_mutex_unlock(&inbox->lock);
  while (all) {
    struct ticket *next = all->next;
    here()->remote -= 1;
    if (all->activity->has_job)
      job_end(all->activity);
    wake(all->activity, 0);
    ticket_give(all);
    all = next;
  }
}

void abandon(void) {
  struct charcoal_thread *t = here();
  for (charcoal_activity *it = t->newest; it; it = it->older)
    if (it->channel && !channel_forget(it))
      channel_pass(it->channel);
    else if (it->has_job)
      job_forget(it);
  // What another thread does for one of them is over before its memory is gone.
  while (t->jobs > 0) {
    io_poll(-1);
    inbox_look();
  }
  inbox_look();
}

struct charcoal_os_thread {
  pthread_t thread;
  charcoal_channel *end; // closed when it has ended
  charcoal_activity first;
};

static void *run_thread(void *of) {
  charcoal_os_thread *self = of;
  enlist(&self->first);
  queue_put(&here()->ready, &self->first);
  run_until_done(&self->first);
  abandon();
  struct inbox *inbox = here()->inbox;
  if (inbox) {
    // Whoever has given the last ticket back may still hold the lock.
    pthread_mutex_lock(&inbox->lock);
    pthread_mutex_unlock(&inbox->lock);
    pthread_mutex_destroy(&inbox->lock);
    disown(inbox->event);
    close(inbox->event);
    free(inbox);
    here()->inbox = NULL;
  }
  io_end();
  charcoal_channel_close(self->end);
  // Not before: until then it may wake those that wait for its end.
  scheduler_ends();
  memory_end();
  return NULL;
}

charcoal_os_thread *charcoal_thread_start(const char *name, void (^body)(void)) {
  charcoal_os_thread *thread = calloc(1, sizeof *thread);
  charcoal_channel *end = thread ? charcoal_channel_new(1, 1) : NULL;
  struct body *copy = end ? body_copy(body) : NULL;
  if (copy) {
    thread->end = end;
    thread->first = (charcoal_activity){.body = copy, .name = name, .state = CHARCOAL_NEW};
    if (pthread_create(&thread->thread, NULL, run_thread, thread) == 0)
      return thread;
    body_free(copy);
  }
  if (end)
    charcoal_channel_free(end);
  free(thread);
  return NULL;
}

void thread_free(charcoal_os_thread *thread);
void thread_free(charcoal_os_thread *thread) {
  pthread_join(thread->thread, NULL);
  charcoal_channel_free(thread->end);
  free(thread);
}

charcoal_channel *thread_end(const charcoal_os_thread *thread);
charcoal_channel *thread_end(const charcoal_os_thread *thread) { return thread->end; }
