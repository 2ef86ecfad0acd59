// Waits for the system, on the scheduler's own thread: for time by way of libuv, for descriptors by way of one epoll
// set, which libuv watches while it has to wait for something, too.
#include "internal.h"

#include <errno.h>
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
  bool was_asked; // the set is likely to have it
};

struct io {
  uv_loop_t loop;
  uv_poll_t watch; // of the epoll set
  size_t handles;  // of libuv that somebody waits for
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
    uv_work_t work;
  };
  charcoal_activity *activity;
  // Of work that another thread does.
  void (*run)(void *);
  void *with;
};

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
  return t->io = io;
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
    take_events(io, timeout);
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

static void closed(uv_handle_t *handle) { free((struct charcoal_wait *)handle); }

// Its activity, which does not wait for it any more.
static charcoal_activity *end(struct charcoal_wait *wait) {
  charcoal_activity *activity = wait->activity;
  activity->io = NULL;
  charcoal_thread.io->handles -= 1;
  return activity;
}

bool io_forget(charcoal_activity *activity) {
  struct charcoal_wait *wait = activity->io;
  if (!wait)
    return true;
  if (wait->run) {
    // What another thread does already uses memory of the activity, which so waits for its end.
    uv_cancel((uv_req_t *)&wait->work);
    return false;
  }
  end(wait);
  uv_close(&wait->handle, closed);
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
  uv_close(&wait->handle, closed);
}

// What libuv makes of its variable (`uv_threadpool`, its documentation), once there is work.
static bool has_workers;
size_t io_threads(void) {
  if (!__atomic_load_n(&has_workers, __ATOMIC_RELAXED))
    return 0;
  const char *text = getenv("UV_THREADPOOL_SIZE");
  long count = text ? strtol(text, NULL, 10) : 4;
  return count <= 0 ? 1 : count > 1024 ? 1024 : (size_t)count;
}

static void do_work(uv_work_t *work) {
  struct charcoal_wait *wait = (struct charcoal_wait *)work;
  wait->run(wait->with);
}

static void on_worked(uv_work_t *work, int status) {
  struct charcoal_wait *wait = (struct charcoal_wait *)work;
  wake(end(wait), status == UV_ECANCELED ? ECANCELED : 0);
  free(wait);
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
  wait->activity->io = wait;
  charcoal_thread.io->handles += 1;
  suspend(NULL);
}

int io_work(void (*run)(void *), void *with) {
  struct charcoal_wait *wait = wait_here();
  if (!wait)
    return ENOMEM;
  wait->run = run;
  wait->with = with;
  __atomic_store_n(&has_workers, true, __ATOMIC_RELAXED);
  int failed = uv_queue_work(&charcoal_thread.io->loop, &wait->work, do_work, on_worked);
  if (failed) {
    free(wait);
    return -failed;
  }
  begin(wait);
  return 0;
}

int io_sleep(uint64_t milliseconds) {
  struct charcoal_wait *wait = wait_here();
  if (!wait)
    return ENOMEM;
  uv_loop_t *loop = &charcoal_thread.io->loop;
  uv_update_time(loop);
  uv_timer_init(loop, &wait->timer);
  int failed = uv_timer_start(&wait->timer, on_timer, milliseconds, 0);
  if (failed) {
    uv_close(&wait->handle, closed);
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
  struct slot *slot = io && descriptor >= 0 ? slot_of(io, descriptor) : NULL;
  if (!slot)
    return descriptor < 0 ? EBADF : ENOMEM;
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

void io_close(int descriptor) {
  struct io *io = charcoal_thread.io;
  if (!io || descriptor < 0 || descriptor >= io->slot_count)
    return;
  wake_all(&io->slots[descriptor].readers, EBADF);
  wake_all(&io->slots[descriptor].writers, EBADF);
  io->slots[descriptor].was_asked = false;
}

int io_watch(int descriptor) {
  struct io *io = io_here();
  struct epoll_event event = {.data.fd = descriptor, .events = EPOLLIN};
  if (!io)
    return ENOMEM;
  return epoll_ctl(io->set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void io_end(void) {
  struct io *io = charcoal_thread.io;
  if (!io)
    return;
  uv_close((uv_handle_t *)&io->watch, NULL);
  // What the program has not waited for ends unheard.
  uv_run(&io->loop, UV_RUN_NOWAIT);
  uv_loop_close(&io->loop);
  close(io->set);
  free(io->slots);
  free(io);
  charcoal_thread.io = NULL;
}

void io_forked(void) {
  struct io *io = charcoal_thread.io;
  if (!io)
    return;
  // The sets of the system are shared with the parent: this one makes its own.
  close(io->set);
  charcoal_thread.io = NULL;
}
