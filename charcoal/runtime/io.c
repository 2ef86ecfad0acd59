// Waits for the system by way of libuv, on the scheduler's own thread.
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <uv.h>

struct io {
  uv_loop_t loop;
  size_t waiting;
};

// What an activity waits for.
struct charcoal_wait {
  union {
    uv_handle_t handle;
    uv_timer_t timer;
    uv_poll_t poll;
  };
  charcoal_activity *activity;
};

static struct io *io_here(void) {
  struct charcoal_thread *t = &charcoal_thread;
  if (t->io)
    return t->io;
  struct io *io = malloc(sizeof *io);
  if (io && uv_loop_init(&io->loop) != 0) {
    free(io);
    io = NULL;
  }
  if (io)
    io->waiting = 0;
  return t->io = io;
}

bool io_is_waited_for(void) { return charcoal_thread.io && charcoal_thread.io->waiting > 0; }

void io_poll(bool wait) { uv_run(&charcoal_thread.io->loop, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT); }

static void closed(uv_handle_t *handle) { free((struct charcoal_wait *)handle); }

// Its activity, which does not wait for it any more.
static charcoal_activity *end(struct charcoal_wait *wait) {
  charcoal_activity *activity = wait->activity;
  activity->io = NULL;
  charcoal_thread.io->waiting -= 1;
  uv_close(&wait->handle, closed);
  return activity;
}

void io_forget(charcoal_activity *activity) {
  if (activity->io)
    end(activity->io);
}

static void begin(struct charcoal_wait *wait) {
  wait->activity = charcoal_current();
  wait->activity->io = wait;
  charcoal_thread.io->waiting += 1;
  suspend(NULL);
}

static void on_timer(uv_timer_t *timer) { wake(end((struct charcoal_wait *)timer), 0); }

static void on_poll(uv_poll_t *poll, int status, int events) {
  (void)events;
  wake(end((struct charcoal_wait *)poll), status < 0 ? -status : 0);
}

int io_sleep(uint64_t milliseconds) {
  struct io *io = io_here();
  struct charcoal_wait *wait = io ? malloc(sizeof *wait) : NULL;
  if (!wait)
    return ENOMEM;
  uv_update_time(&io->loop);
  uv_timer_init(&io->loop, &wait->timer);
  uv_timer_start(&wait->timer, on_timer, milliseconds, 0);
  begin(wait);
  return 0;
}

int io_wait(int descriptor, int events) {
  struct io *io = io_here();
  struct charcoal_wait *wait = io ? malloc(sizeof *wait) : NULL;
  if (!wait)
    return ENOMEM;
  int failed = uv_poll_init(&io->loop, &wait->poll, descriptor);
  if (failed) {
    free(wait);
    return -failed;
  }
  int wanted = (events & POLLIN ? UV_READABLE : 0) | (events & POLLOUT ? UV_WRITABLE : 0);
  failed = uv_poll_start(&wait->poll, wanted, on_poll);
  if (failed) {
    uv_close(&wait->handle, closed);
    return -failed;
  }
  begin(wait);
  return 0;
}
