// A scheduler for fibers of Boost.Context as one writes it by hand: who is ready runs in the order in which it became
// that, and whoever waits hands over to the next one directly.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <memory>
#include <utility>

struct task {
  boost::context::fiber rest; // what is left of it, while others run
  task *next = nullptr;
};

class line {
  task *first = nullptr, *last = nullptr;

public:
  void put(task *it) {
    it->next = nullptr;
    (first ? last->next : first) = it;
    last = it;
  }
  task *take() {
    task *it = first;
    if (it)
      first = it->next;
    return it;
  }
};

inline line ready;
inline task root; // the program's main, which goes on once nobody is ready
inline task *running = &root, *leaving;

// Stacks of the size that is usual, kept for those who come later; more are had from the system 32 at a time.
inline boost::context::pooled_fixedsize_stack stacks(boost::context::stack_traits::default_size(), 32, 32);

inline task *takes_over() {
  task *next = ready.take();
  leaving = running;
  return running = next ? next : &root;
}

// Keeps what is left of the one that ran before; without anything left, it has ended.
inline void keep(boost::context::fiber &&rest) {
  leaving->rest = std::move(rest);
  if (!leaving->rest)
    delete leaving;
}

inline void hand_over() { keep(std::move(takes_over()->rest).resume()); }

inline void wait_in(line &in) {
  in.put(running);
  hand_over();
}

inline void yield() { wait_in(ready); }

template <class body> void start(body run) {
  auto it = std::make_unique<task>();
  it->rest = boost::context::fiber(std::allocator_arg, stacks, [run](boost::context::fiber &&from) {
    keep(std::move(from));
    run();
    return std::move(takes_over()->rest);
  });
  ready.put(it.release());
}

// Runs until nobody is ready.
inline void run() { hand_over(); }

class semaphore {
  long count;
  line waiting;

public:
  explicit semaphore(long n) : count(n) {}
  void wait() {
    if (count > 0)
      count--;
    else
      wait_in(waiting);
  }
  void post() {
    if (task *it = waiting.take())
      ready.put(it);
    else
      count++;
  }
};
