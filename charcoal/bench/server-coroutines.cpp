// The web server of bench/server.c with a coroutine of C++20 for each connection.
// bench/server-coroutines PORT
#include "coroutines.h"
#include "http.h"
#include <cerrno>
#include <fcntl.h>

// How much of an answer has been sent, or -1.
static ssize_t sends(int descriptor, size_t from) {
  ssize_t sent = write(descriptor, answer + from, sizeof answer - 1 - from);
  return sent < 0 && errno == EAGAIN ? 0 : sent;
}

// How many requests have come, or -1 at the end. The memory for them is only there meanwhile.
__attribute__((noinline)) static int receives(int descriptor, int *state) {
  char text[2048];
  ssize_t size = read(descriptor, text, sizeof text);
  if (size < 0 && errno == EAGAIN)
    return 0;
  return size > 0 ? requests_in(text, static_cast<size_t>(size), state) : -1;
}

static task serve(int descriptor) {
  watched connection(descriptor);
  for (int state = 0;;) {
    co_await connection.wait(EPOLLIN);
    int left = receives(descriptor, &state);
    if (left < 0)
      co_return;
    for (size_t from = 0; left > 0;) {
      ssize_t sent = sends(descriptor, from);
      if (sent < 0)
        co_return;
      from += static_cast<size_t>(sent);
      if (from < sizeof answer - 1) {
        co_await connection.wait(EPOLLOUT);
        continue;
      }
      from = 0;
      left--;
    }
  }
}

static task accepts(int listening) {
  watched it(listening);
  for (;;) {
    int descriptor = accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
      co_await it.wait(EPOLLIN);
      continue;
    }
    sends_at_once(descriptor);
    serve(descriptor);
  }
}

int main(int argc, char **argv) {
  prepare();
  int listening = listens(argc, argv);
  if (fcntl(listening, F_SETFL, O_NONBLOCK) < 0)
    return 1;
  open_epoll_set();
  accepts(listening);
  run();
  return 0;
}
