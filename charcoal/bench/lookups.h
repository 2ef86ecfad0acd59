// What the resolvers have in common: which names they ask for, how many at once, and what they say at the end.
#pragma once

#include "dns.h"
#include "measure.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

struct lookups {
  struct sockaddr_in server;
  long count, at_once;
  double begun, begun_on_processor;
  long answered;
  uint64_t sum; // of all addresses
};

// A question, and what is needed to understand its answer.
struct question {
  unsigned char text[DNS_SIZE];
  size_t size;
};

// Arguments: a port of this machine, how many names, how many at once.
static inline struct lookups lookups_of(int argc, char **argv) {
  struct lookups all;
  memset(&all, 0, sizeof all);
  all.server.sin_family = AF_INET;
  all.server.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 5353));
  all.server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  all.count = argc > 2 ? atol(argv[2]) : 10000;
  all.at_once = argc > 3 ? atol(argv[3]) : 1000;
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  all.begun = nanoseconds(CLOCK_MONOTONIC);
  all.begun_on_processor = now();
  return all;
}

static inline void ask_for(struct question *into, long number) {
  char name[64];
  snprintf(name, sizeof name, "host%ld.bench.test", number);
  into->size = dns_ask(into->text, (unsigned)number & 0xffff, name);
}

// Whether what has come is the right answer.
static inline bool is_right(const struct question *question, const unsigned char *text, ssize_t size,
                            uint32_t *address) {
  return size > 0 && dns_answers(text, (size_t)size, question->text, question->size, address) &&
         *address == dns_address(question->text, question->size);
}

static inline void found(struct lookups *all, uint32_t address) {
  all->answered++;
  all->sum += address;
}

// Returns what the program ends with.
static inline int say(const struct lookups *all) {
  printf("elapsed %.1f ms\n", (nanoseconds(CLOCK_MONOTONIC) - all->begun) / 1e6);
  printf("processor %.1f ms\n", (now() - all->begun_on_processor) / 1e6);
  printf("memory %ld kB\n", peak());
  printf("answers %ld of %ld, checksum %llx\n", all->answered, all->count, (unsigned long long)all->sum);
  return all->answered != all->count;
}
