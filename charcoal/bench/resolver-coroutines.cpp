// The resolver of bench/resolver.c with a coroutine of C++20 for each name.
// bench/resolver-coroutines PORT [NAMES [AT ONCE]]
#include "coroutines.h"
#include "lookups.h"

static bool sends(int descriptor, const lookups &all, const question &asked) {
  return connect(descriptor, reinterpret_cast<const sockaddr *>(&all.server), sizeof all.server) == 0 &&
         send(descriptor, asked.text, asked.size, 0) >= 0;
}

// The memory for the answer is only there meanwhile.
__attribute__((noinline)) static bool receives(int descriptor, const question &asked, uint32_t &address) {
  unsigned char text[DNS_SIZE];
  return is_right(&asked, text, recv(descriptor, text, sizeof text, 0), &address);
}

static task resolves(lookups &all, long number, semaphore &limit) {
  question asked;
  uint32_t address;
  ask_for(&asked, number);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (descriptor >= 0) {
    watched it(descriptor);
    if (sends(descriptor, all, asked)) {
      co_await it.wait(EPOLLIN);
      if (receives(descriptor, asked, address))
        found(&all, address);
    }
  }
  limit.post();
}

static task resolves_all(lookups &all, semaphore &limit) {
  for (long number = 0; number < all.count; number++) {
    co_await limit.wait();
    resolves(all, number, limit);
  }
}

int main(int argc, char **argv) {
  lookups all = lookups_of(argc, argv);
  semaphore limit(all.at_once);
  open_epoll_set();
  resolves_all(all, limit);
  run();
  close(epoll_set);
  return say(&all);
}
