// What test/network is made of: nodes that hand messages over through descriptors.
#pragma once
#include <stddef.h>
#include <stdint.h>

// A place of random numbers; each of several may have its own.
struct dice {
  uint64_t state;
};
static inline uint32_t roll(struct dice *dice, uint32_t sides) {
  // Knuth's linear congruential generator (MMIX).
  dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(dice->state >> 33) % sides;
}

enum link_kind { PIPE, STREAM, TCP, PACKETS, TERMINAL, LINK_KINDS };
struct link {
  enum link_kind kind;
  int from, to; // descriptors, and -1 until it is made
};

struct message {
  int from, to; // nodes
  uint32_t size, seed;
  unsigned sent_by, received_by; // which calls
};

// Says what is wrong, and ends all processes of the group.
_Noreturn void fail(const char *what);

// Makes the two ends.
void link_make(struct link *link, enum link_kind kind);
// Hand a message over whole, by the calls that `how` names. What comes is folded into a sum.
void message_send(const struct link *link, const struct message *message);
uint32_t message_receive(const struct link *link, const struct message *message);

// Something else that waits; what comes of it is the same however it is scheduled.
uint32_t interlude(struct dice *dice);
