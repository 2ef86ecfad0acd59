// What is left behind by `longjmp` and by exceptions: local variables in memory of the runtime's, the depth of atomic
// code, a handler.
//
// A function that calls `setjmp`, or catches, is atomic, and so is all that it calls. So what was taken there in atomic
// code later than a mark belongs to functions that a jump to it has left.
#include "internal.h"

// Written where `setjmp` is called, and in front of calls that may throw (pass/jumps.cpp).
struct mark {
  struct left_block *blocks;
  struct signal_memory *in_signal;
  int depth;
};

void charcoal_before_jump(struct mark *mark);
void charcoal_before_jump(struct mark *mark) {
  const struct charcoal_thread *t = here();
  *mark = (struct mark){t->blocks, t->in_signal, t->depth};
}

void charcoal_behind_jump(const struct mark *mark);
void charcoal_behind_jump(const struct mark *mark) {
  struct charcoal_thread *t = here();
  while (t->blocks && t->blocks != mark->blocks)
    left_give(t->blocks);
  while (t->in_signal && t->in_signal != mark->in_signal) {
    struct signal_memory *left = t->in_signal;
    t->in_signal = left->outer;
    signal_memory_give(left);
  }
  t->depth = mark->depth;
}
