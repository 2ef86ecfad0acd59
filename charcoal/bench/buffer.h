// What the bounded buffers have in common: how many take part, what the items are, and what is said at the end.
#pragma once

#include "measure.h"
#include <stdint.h>
#include <stdlib.h>

#define SLOTS 16
#define SIDES 4 // producers, and as many consumers

// What one consumer has got: squares, so that what came twice does not make up for what was lost.
static inline uint64_t worth(uint64_t item) { return item * item; }

// How many items each producer makes and each consumer takes.
static inline long share_of(int argc, char **argv) { return (argc > 1 ? atol(argv[1]) : 4000000) / SIDES; }

// Returns what the program ends with.
static inline int say(long share, double took, uint64_t sum) {
  uint64_t expected = 0;
  for (uint64_t item = 0; item < (uint64_t)share * SIDES; item++)
    expected += worth(item);
  printf("item %.1f ns, checksum %llx%s\n", took / (double)(share * SIDES), (unsigned long long)sum,
         sum == expected ? "" : ", which is wrong");
  return sum != expected;
}
