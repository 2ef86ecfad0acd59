// The `main` of the process: runs the program's as the first activity.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

extern int charcoal_main(int argc, char **argv, char **environment);

static int count;
static char **arguments, **environment;

static void begin(void) {
  struct charcoal_thread *t = &charcoal_thread;
  int status = charcoal_main(count, arguments, environment);
  if (t->flag != UNWINDS)
    __builtin_memcpy(t->result, &status, sizeof status);
}

static void print_turns(void) { fprintf(stderr, "charcoal: %u turns\n", charcoal_thread.turns); }

int main(int argc, char **argv, char **env) {
  count = argc;
  arguments = argv;
  environment = env;
  if (getenv("CHARCOAL_STATS"))
    atexit(print_turns);
  main_code = (struct main_code){begin, is_interruptible((void *)charcoal_main)};
  trace_begin();
  charcoal_activity first = {.name = "main", .state = CHARCOAL_NEW};
  enlist(&first);
  queue_put(&charcoal_thread.ready, &first);
  exit(run_until_done(&first));
}
