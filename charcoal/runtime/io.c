// Waits for the system, on the scheduler's own thread: for time by way of libuv, for descriptors by way of one epoll
// set, which libuv watches while it has to wait for something, too.
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <uv.h>

// How many events are taken at once.
#define EVENTS 256

// Who waits for a descriptor: activities in the order in which they came.
struct slot {
  struct charcoal_queue readers, writers;
  unsigned closed; // how often it has been
  bool was_asked;  // the set is likely to have it
};

struct io {
  uv_loop_t loop;
  uv_poll_t watch; // of the epoll set
  size_t handles;  // of libuv that somebody waits for
  size_t closing;  // that nobody waits for any more, and that libuv still has
  size_t waiting;  // activities that wait for descriptors
  struct slot *slots;
  int slot_count;
  int set;
  bool is_watched;
};

// What an activity waits for by way of libuv.
struct charcoal_wait {
  union {
    uv_handle_t handle;
    uv_timer_t timer;
  };
  charcoal_activity *activity;
};

static void for_own(const struct io *io, void (*each)(int)) {
  each(io->set);
  each(uv_backend_fd(&io->loop));
  each(io->loop.async_io_watcher.fd);
  each(io->loop.async_wfd);
}

static struct io *io_here(void) {
  struct charcoal_thread *t = &charcoal_thread;
  if (t->io)
    return t->io;
  struct io *io = calloc(1, sizeof *io);
  if (!io)
    return NULL;
  io->set = epoll_create1(EPOLL_CLOEXEC);
  if (io->set < 0 || uv_loop_init(&io->loop) != 0) {
    if (io->set >= 0)
      close(io->set);
    free(io);
    return NULL;
  }
  if (uv_poll_init(&io->loop, &io->watch, io->set) != 0) {
    uv_loop_close(&io->loop);
    close(io->set);
    free(io);
    return NULL;
  }
  for_own(io, own);
  return t->io = io;
}

bool io_is_expected_of(const struct charcoal_thread *thread) {
  const struct io *io = __atomic_load_n(&thread->io, __ATOMIC_ACQUIRE);
  return io && __atomic_load_n(&io->waiting, __ATOMIC_RELAXED) + __atomic_load_n(&io->handles, __ATOMIC_RELAXED) > 0;
}

bool io_is_expected(void) {
  const struct io *io = charcoal_thread.io;
  return io && io->waiting + io->handles > 0;
}

bool io_is_waited_for(void) { return charcoal_thread.remote > 0 || io_is_expected(); }

static void wake_all(struct charcoal_queue *queue, long result) {
  for (charcoal_activity *it; (it = queue_take(queue));) {
    charcoal_thread.io->waiting -= 1;
    wake(it, result);
  }
}

// Asks for what those wait for that wait for a descriptor.
static int ask(struct io *io, int descriptor) {
  struct slot *slot = &io->slots[descriptor];
  struct epoll_event event = {.data.fd = descriptor, .events = EPOLLONESHOT};
  event.events |= slot->readers.first ? EPOLLIN | EPOLLRDHUP : 0;
  event.events |= slot->writers.first ? EPOLLOUT : 0;
  // It may have been closed, and another one have its number: only the system knows whether it is new.
  int likely = slot->was_asked ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  int other = slot->was_asked ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  bool is_right = epoll_ctl(io->set, likely, descriptor, &event) == 0;
  if (!is_right && errno == (slot->was_asked ? ENOENT : EEXIST))
    is_right = epoll_ctl(io->set, other, descriptor, &event) == 0;
  slot->was_asked = is_right;
  return is_right ? 0 : errno;
}

static void take_events(struct io *io, int timeout) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(io->set, events, EVENTS, timeout);
  for (int i = 0; i < count; i++) {
    int descriptor = events[i].data.fd;
    // The scheduler looks into it next.
    if (inbox_is(descriptor))
      continue;
    struct slot *slot = &io->slots[descriptor];
    uint32_t what = events[i].events;
    if (what & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
      wake_all(&slot->readers, 0);
    if (what & (EPOLLOUT | EPOLLHUP | EPOLLERR))
      wake_all(&slot->writers, 0);
    if (slot->readers.first || slot->writers.first)
      ask(io, descriptor);
  }
}

static void on_set(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)status;
  (void)events;
  take_events(charcoal_thread.io, 0);
}

void io_poll(int timeout) {
  struct io *io = charcoal_thread.io;
  if (io->handles == 0) {
    if (io->closing > 0)
      uv_run(&io->loop, UV_RUN_NOWAIT);
    // That may have woken somebody.
    take_events(io, charcoal_thread.ready.first ? 0 : timeout);
    return;
  }
  bool watches = io->waiting + charcoal_thread.remote > 0 || charcoal_thread.inbox;
  if (watches != io->is_watched) {
    if (!watches)
      uv_poll_stop(&io->watch);
    else if (uv_poll_start(&io->watch, UV_READABLE, on_set) != 0) {
      // Without that, both are looked at in turns.
      take_events(io, timeout ? 1 : 0);
      timeout = watches = 0;
    }
    io->is_watched = watches;
  }
  uv_run(&io->loop, timeout ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

static void closed(uv_handle_t *handle) {
  struct io *io = handle->data;
  io->closing -= 1;
  free((struct charcoal_wait *)handle);
}

// How many may be closing before libuv has to let them go.
#define MOST_CLOSING 256

static void close_wait(struct charcoal_wait *wait) {
  struct io *io = charcoal_thread.io;
  wait->handle.data = io;
  uv_close(&wait->handle, closed);
  io->closing += 1;
}

// Its activity, which does not wait for it any more.
static charcoal_activity *end(struct charcoal_wait *wait) {
  charcoal_activity *activity = wait->activity;
  activity->on.io = NULL;
  charcoal_thread.io->handles -= 1;
  return activity;
}

bool io_forget(charcoal_activity *activity) {
  struct charcoal_wait *wait = activity->on.io;
  if (!wait)
    return true;
  end(wait);
  close_wait(wait);
  if (charcoal_thread.io->closing > MOST_CLOSING)
    uv_run(&charcoal_thread.io->loop, UV_RUN_NOWAIT);
  return true;
}

void io_left(const struct charcoal_queue *queue) {
  const struct io *io = charcoal_thread.io;
  if (io && (const char *)queue >= (const char *)io->slots &&
      (const char *)queue < (const char *)(io->slots + io->slot_count))
    charcoal_thread.io->waiting -= 1;
}

static void on_timer(uv_timer_t *timer) {
  struct charcoal_wait *wait = (struct charcoal_wait *)timer;
  wake(end(wait), 0);
  close_wait(wait);
}

// Has a wait of the activity that runs.
static struct charcoal_wait *wait_here(void) {
  struct io *io = io_here();
  struct charcoal_wait *wait = io ? calloc(1, sizeof *wait) : NULL;
  if (wait)
    wait->activity = charcoal_current();
  return wait;
}

static void begin(struct charcoal_wait *wait) {
  wait->activity->on.io = wait;
  charcoal_thread.io->handles += 1;
  suspend(NULL);
}

// libuv counts whole milliseconds, of which the first has begun already: one more, since no wait may end early.
int io_sleep(uint64_t milliseconds) {
  struct charcoal_wait *wait = wait_here();
  if (!wait)
    return ENOMEM;
  uv_loop_t *loop = &charcoal_thread.io->loop;
  uv_update_time(loop);
  uv_timer_init(loop, &wait->timer);
  int failed = uv_timer_start(&wait->timer, on_timer, milliseconds + (milliseconds > 0), 0);
  if (failed) {
    close_wait(wait);
    return -failed;
  }
  begin(wait);
  return 0;
}

// Has a slot for a descriptor. Those who wait know their lists by address, so these move only while nobody waits there.
static struct slot *slot_of(struct io *io, int descriptor) {
  if (descriptor < io->slot_count)
    return &io->slots[descriptor];
  int count = io->slot_count ? io->slot_count : 64;
  while (count <= descriptor)
    count *= 2;
  struct slot *slots = calloc((size_t)count, sizeof *slots);
  if (!slots)
    return NULL;
  for (int i = 0; i < io->slot_count; i++) {
    slots[i] = io->slots[i];
    for (charcoal_activity *it = slots[i].readers.first; it; it = it->next)
      it->waits_in = &slots[i].readers;
    for (charcoal_activity *it = slots[i].writers.first; it; it = it->next)
      it->waits_in = &slots[i].writers;
  }
  free(io->slots);
  io->slots = slots;
  io->slot_count = count;
  return &io->slots[descriptor];
}

int io_wait(int descriptor, int events) {
  struct io *io = io_here();
  // One that there is not may have any number.
  bool is_known = descriptor >= 0 && io && (descriptor < io->slot_count || fcntl(descriptor, F_GETFD) >= 0);
  struct slot *slot = is_known ? slot_of(io, descriptor) : NULL;
  if (!slot)
    return io && !is_known ? EBADF : ENOMEM;
  struct charcoal_queue *queue = events & POLLIN ? &slot->readers : &slot->writers;
  suspend(queue);
  int failed = ask(io, descriptor);
  io->waiting += 1;
  if (failed) {
    // A file is always ready, and what is no descriptor is for the call itself to say; memory may be short.
    charcoal_activity *self = charcoal_thread.current;
    leave(queue, self);
    io->waiting -= 1;
    wake(self, failed == EPERM || failed == EBADF ? 0 : failed);
  }
  return 0;
}

unsigned io_closed(int descriptor) {
  const struct io *io = charcoal_thread.io;
  return io && descriptor >= 0 && descriptor < io->slot_count ? io->slots[descriptor].closed : 0;
}

void io_close(int descriptor) {
  struct io *io = charcoal_thread.io;
  // Whoever is about to wait for it has to see that, too.
  if (!io || descriptor < 0 ||
      (descriptor >= io->slot_count && (fcntl(descriptor, F_GETFD) < 0 || !slot_of(io, descriptor))))
    return;
  io->slots[descriptor].closed += 1;
  wake_all(&io->slots[descriptor].readers, EBADF);
  wake_all(&io->slots[descriptor].writers, EBADF);
  // The description may live on, in a child or under another number.
  if (io->slots[descriptor].was_asked)
    epoll_ctl(io->set, EPOLL_CTL_DEL, descriptor, NULL);
  io->slots[descriptor].was_asked = false;
}

int io_watch(int descriptor) {
  struct io *io = io_here();
  struct epoll_event event = {.data.fd = descriptor, .events = EPOLLIN};
  if (!io)
    return ENOMEM;
  return epoll_ctl(io->set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

static void close_any(uv_handle_t *handle, void *of) {
  struct io *io = of;
  if (uv_is_closing(handle))
    return;
  if (handle == (uv_handle_t *)&io->watch)
    uv_close(handle, NULL);
  else
    close_wait((struct charcoal_wait *)handle);
}

// What the program has not waited for ends unheard.
static void end_loop(struct io *io) {
  for_own(io, disown);
  uv_walk(&io->loop, close_any, io);
  uv_run(&io->loop, UV_RUN_NOWAIT);
  uv_loop_close(&io->loop);
}

static void free_io(struct io *io) {
  charcoal_thread.io = NULL;
  close(io->set);
  free(io->slots);
  free(io);
}

void io_end(void) {
  struct io *io = charcoal_thread.io;
  if (!io)
    return;
  end_loop(io);
  free_io(io);
}

void io_forked(void) {
  struct io *io = charcoal_thread.io;
  if (io)
    for_own(io, disown);
  // What others waited with is of no use here.
  close_owned();
  if (!io)
    return;
  // The sets of the system are shared with the parent: this one makes its own.
  if (uv_loop_fork(&io->loop) == 0)
    end_loop(io);
  free_io(io);
}

int io_highest(void) { return charcoal_thread.io ? charcoal_thread.io->slot_count : -1; }
