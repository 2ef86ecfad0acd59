// A scheduler for coroutines of C++20 as one writes it by hand: who is ready runs in the order in which it became that,
// and an epoll set wakes those that wait for descriptors. Whoever waits stands in lists by memory of its own frame.
#pragma once

#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sys/epoll.h>
#include <unistd.h>

struct waiting {
  waiting *next = nullptr;
  std::coroutine_handle<> who;
};

class line {
  waiting *first = nullptr, *last = nullptr;

public:
  void put(waiting &it) {
    it.next = nullptr;
    (first ? last->next : first) = &it;
    last = &it;
  }
  waiting *take() {
    waiting *it = first;
    if (it)
      first = it->next;
    return it;
  }
};

inline line ready;

// Stands in a line until somebody puts it among those who are ready.
struct turn : waiting {
  line &in;
  explicit turn(line &of = ready) : in(of) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept {
    who = self;
    in.put(*this);
  }
  void await_resume() const noexcept {}
};

inline turn yield() { return turn(); }

// A coroutine that begins when its turn comes and that nobody has to keep.
struct task {
  struct promise_type {
    task get_return_object() const { return {}; }
    turn initial_suspend() const { return turn(); }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const {}
    void unhandled_exception() const { std::terminate(); }
  };
};

class semaphore {
  long count;
  line waiting_here;

public:
  explicit semaphore(long n) : count(n) {}
  auto wait() {
    struct one : turn {
      semaphore &of;
      explicit one(semaphore &it) : turn(it.waiting_here), of(it) {}
      bool await_ready() const noexcept {
        if (of.count == 0)
          return false;
        of.count--;
        return true;
      }
    };
    return one(*this);
  }
  void post() {
    if (waiting *it = waiting_here.take())
      ready.put(*it);
    else
      count++;
  }
};

inline int epoll_set = -1;
inline long waiting_for_descriptors = 0;

// A descriptor, which is closed with it. It is in the set from the first wait on, for what the last wait was for.
class watched {
  waiting here;
  uint32_t asked = 0;

  void ask(uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &here;
    if (epoll_ctl(epoll_set, asked ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event) < 0) {
      perror("epoll_ctl");
      exit(1);
    }
    asked = events;
  }

public:
  const int descriptor;
  explicit watched(int it) : descriptor(it) {}
  watched(const watched &) = delete;
  ~watched() { close(descriptor); }
  auto wait(uint32_t events) {
    struct until {
      watched &of;
      uint32_t events;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> self) const {
        of.here.who = self;
        if (of.asked != events)
          of.ask(events);
        waiting_for_descriptors++;
      }
      void await_resume() const noexcept {}
    };
    return until{*this, events};
  }
};

inline void wait_for_events() {
  epoll_event events[256];
  int count = epoll_wait(epoll_set, events, 256, -1);
  for (int i = 0; i < count; i++)
    ready.put(*static_cast<waiting *>(events[i].data.ptr));
  waiting_for_descriptors -= count > 0 ? count : 0;
}

// Runs until nobody is ready and nobody waits for a descriptor.
inline void run() {
  for (;;) {
    while (waiting *next = ready.take())
      next->who.resume();
    if (waiting_for_descriptors == 0)
      return;
    wait_for_events();
  }
}

inline void open_epoll_set() {
  epoll_set = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_set < 0) {
    perror("epoll_create1");
    exit(1);
  }
}
