// The `main` of the process: runs the program's as the first activity.
#include "internal.h"

#include <stdlib.h>

extern int charcoal_main(int argc, char **argv, char **environment);

static int count;
static char **arguments, **environment;

// Its frame is the first: what `charcoal_main` gives is the result of the activity.
static void begin(struct charcoal_frame *frame) {
  (void)frame;
  struct charcoal_thread *t = &charcoal_thread;
  bool is_atomic = !charcoal_is_interruptible((void *)charcoal_main);
  t->depth += is_atomic;
  int status = charcoal_main(count, arguments, environment);
  t->depth -= is_atomic;
  if (t->flag != UNWINDS)
    __builtin_memcpy(t->result, &status, sizeof status);
}

static const struct charcoal_site beginning = {begin, "main", sizeof(struct charcoal_frame), 0, 0, NATIVE};

int main(int argc, char **argv, char **env) {
  count = argc;
  arguments = argv;
  environment = env;
  struct charcoal_frame *frame = pool_take(beginning.size);
  if (!frame)
    charcoal_die("out of memory");
  *frame = (struct charcoal_frame){NULL, &beginning};
  charcoal_activity first = {.top = frame, .name = "main", .state = CHARCOAL_RUNNABLE};
  queue_put(&charcoal_thread.ready, &first);
  run_until_done(&first);
  exit((int)first.result);
}
