// Channels: a ring of values, and who waits for room or for something in it, of whatever thread.
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
  struct ticket *first, *last;
};

struct charcoal_channel {
  pthread_mutex_t lock;
  struct waiting senders, receivers;
  size_t size, capacity, count, begin;
  bool is_closed;
  char values[];
};

charcoal_channel *charcoal_channel_new(size_t size, size_t capacity) {
  capacity = capacity ? capacity : 1;
  size_t bytes;
  if (__builtin_mul_overflow(size, capacity, &bytes) || __builtin_add_overflow(bytes, sizeof(charcoal_channel), &bytes))
    return NULL;
  charcoal_channel *channel = calloc(1, bytes);
  if (!channel)
    return NULL;
  pthread_mutex_init(&channel->lock, NULL);
  channel->size = size;
  channel->capacity = capacity;
  return channel;
}

void charcoal_channel_free(charcoal_channel *channel) {
  if (!channel)
    return;
  pthread_mutex_destroy(&channel->lock);
  free(channel);
}

static void put(struct waiting *waiting, struct ticket *ticket) {
  ticket->next = NULL;
  if (waiting->first)
    waiting->last->next = ticket;
  else
    waiting->first = ticket;
  waiting->last = ticket;
}

static void wake_one(struct waiting *waiting) {
  struct ticket *ticket = waiting->first;
  if (!ticket)
    return;
  waiting->first = ticket->next;
  ticket_wake(ticket);
}

void charcoal_channel_close(charcoal_channel *channel) {
  pthread_mutex_lock(&channel->lock);
  channel->is_closed = true;
  while (channel->senders.first)
    wake_one(&channel->senders);
  while (channel->receivers.first)
    wake_one(&channel->receivers);
  pthread_mutex_unlock(&channel->lock);
}

// An activity that has been woken for a channel has its turn: until now, another one would have to do that in its
// place.
static void arrive(void) {
  if (here()->current)
    here()->current->channel = NULL;
}

int channel_try_send(charcoal_channel *channel, const void *value);
int channel_try_send(charcoal_channel *channel, const void *value) {
  int result = EAGAIN;
  arrive();
  pthread_mutex_lock(&channel->lock);
  if (channel->is_closed) {
    result = EPIPE;
  } else if (channel->count < channel->capacity) {
    size_t at = (channel->begin + channel->count++) % channel->capacity;
    memcpy(channel->values + at * channel->size, value, channel->size);
    wake_one(&channel->receivers);
    result = 0;
  }
  pthread_mutex_unlock(&channel->lock);
  return result;
}

int channel_try_receive(charcoal_channel *channel, void *value);
int channel_try_receive(charcoal_channel *channel, void *value) {
  int result = EAGAIN;
  arrive();
  pthread_mutex_lock(&channel->lock);
  if (channel->count > 0) {
    memcpy(value, channel->values + channel->begin * channel->size, channel->size);
    channel->begin = (channel->begin + 1) % channel->capacity;
    channel->count -= 1;
    wake_one(&channel->senders);
    result = 0;
  } else if (channel->is_closed) {
    result = EPIPE;
  }
  pthread_mutex_unlock(&channel->lock);
  return result;
}

int channel_wait(charcoal_channel *channel, bool sends);
SUSPENDS int channel_wait(charcoal_channel *channel, bool sends) {
  charcoal_activity *self = charcoal_current();
  if (!may_suspend())
    return EDEADLK;
  if (self->is_cancelled)
    return ECANCELED;
  struct ticket *ticket = ticket_take();
  if (!ticket)
    return ENOMEM;
  pthread_mutex_lock(&channel->lock);
  bool waits = !channel->is_closed && (sends ? channel->count == channel->capacity : channel->count == 0);
  if (waits) {
    put(sends ? &channel->senders : &channel->receivers, ticket);
    self->channel = channel;
    ticket_wait();
  }
  pthread_mutex_unlock(&channel->lock);
  if (!waits)
    ticket_give(ticket);
  return 0;
}

void channel_pass(charcoal_channel *channel) {
  pthread_mutex_lock(&channel->lock);
  if (channel->count > 0)
    wake_one(&channel->receivers);
  if (channel->count < channel->capacity)
    wake_one(&channel->senders);
  pthread_mutex_unlock(&channel->lock);
}

void channel_forked(charcoal_channel *channel) {
  pthread_mutex_init(&channel->lock, NULL);
  channel->senders = channel->receivers = (struct waiting){0};
}

static bool take_out(struct waiting *waiting, const charcoal_activity *activity) {
  struct ticket *before = NULL;
  for (struct ticket *it = waiting->first; it; before = it, it = it->next) {
    if (it->activity != activity)
      continue;
    if (before)
      before->next = it->next;
    else
      waiting->first = it->next;
    if (waiting->last == it)
      waiting->last = before;
    ticket_give(it);
    return true;
  }
  return false;
}

bool channel_forget(charcoal_activity *activity) {
  charcoal_channel *channel = activity->channel;
  pthread_mutex_lock(&channel->lock);
  bool found = take_out(&channel->senders, activity) || take_out(&channel->receivers, activity);
  pthread_mutex_unlock(&channel->lock);
  charcoal_thread.remote -= found;
  if (found)
    activity->channel = NULL;
  return found;
}
