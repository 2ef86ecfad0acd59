// What the runtime asks for and may not get: FAULT=what:n fails the n-th call of that. Linked in with --wrap.
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <uv.h>

// Whether this call is the one that fails.
static bool fails(const char *what) {
  static const char *fault;
  static size_t length;
  static long left = -1;
  if (!fault) {
    fault = getenv("FAULT") ? getenv("FAULT") : "";
    length = strcspn(fault, ":");
    left = fault[length] ? strtol(fault + length + 1, NULL, 10) : 0;
  }
  if (strlen(what) != length || strncmp(what, fault, length) != 0 || left <= 0 || --left > 0)
    return false;
  static const char text[] = "fault\n";
  (void)!fwrite(text, 1, sizeof text - 1, stderr);
  return true;
}

#define WRAP(type, name, parameters, arguments, failure)                                                               \
  type __real_##name parameters;                                                                                       \
  type __wrap_##name parameters;                                                                                       \
  type __wrap_##name parameters {                                                                                      \
    if (!fails(#name))                                                                                                 \
      return __real_##name arguments;                                                                                  \
    errno = ENOMEM;                                                                                                    \
    return failure;                                                                                                    \
  }

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(int, epoll_create1, (int flags), (flags), -1)
WRAP(int, epoll_ctl, (int set, int what, int descriptor, struct epoll_event *event), (set, what, descriptor, event), -1)
WRAP(int, uv_loop_init, (uv_loop_t * loop), (loop), UV_ENOMEM)
WRAP(int, uv_poll_init, (uv_loop_t * loop, uv_poll_t *poll, int descriptor), (loop, poll, descriptor), UV_ENOMEM)
WRAP(int, uv_poll_start, (uv_poll_t * poll, int events, uv_poll_cb then), (poll, events, then), UV_ENOMEM)
WRAP(int, eventfd, (unsigned start, int flags), (start, flags), -1)
WRAP(int, timerfd_create, (int clock, int flags), (clock, flags), -1)
WRAP(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *with),
     (thread, how, run, with), EAGAIN)
WRAP(int, uv_timer_start, (uv_timer_t * timer, uv_timer_cb then, uint64_t after, uint64_t again),
     (timer, then, after, again), UV_EINVAL)
WRAP(int, uv_queue_work, (uv_loop_t * loop, uv_work_t *work, uv_work_cb run, uv_after_work_cb then),
     (loop, work, run, then), UV_EINVAL)
