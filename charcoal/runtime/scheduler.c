// Suspends activities and lets them go on: one scheduler a thread, first come, first served.
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Nothing may be suspended outside of activities.
__thread struct charcoal_thread charcoal_thread = {.depth = 1};

struct main_code main_code;

static uint64_t random_state;

charcoal_activity *queue_take(struct charcoal_queue *queue) {
  charcoal_activity *first = queue->first;
  if (first)
    queue->first = first->next;
  return first;
}

// A stress test: CHARCOAL_SWITCH_EVERY=n suspends at every n-th check; with CHARCOAL_SWITCH_SEED=s at every n-th on
// average, at random. 0: none.
static int switch_every(void) {
  static int every = -1;
  if (every < 0) {
    const char *text = getenv("CHARCOAL_SWITCH_EVERY"), *seed = getenv("CHARCOAL_SWITCH_SEED");
    every = text ? atoi(text) : 0;
    random_state = seed ? strtoull(seed, NULL, 10) : 0;
  }
  return every;
}

static bool is_switched(unsigned every) {
  if (random_state == 0)
    return ++here()->checks % every == 0;
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (random_state >> 33) % every == 0;
}

// What an activity does between two turns.
static enum flag idle_flag(void) { return switch_every() ? YIELDS : RUNS; }

static void deliver(struct charcoal_frame *frame) {
  size_t size = frame->site->size - sizeof *frame;
  memcpy(here()->result, frame + 1, size);
}

#define DELIVERS(n) {deliver, "a result", sizeof(struct charcoal_frame) + 16 * (n), 0, 0, NATIVE}
static const struct charcoal_site results[] = {
    DELIVERS(1), DELIVERS(2),  DELIVERS(3),  DELIVERS(4),  DELIVERS(5),  DELIVERS(6),  DELIVERS(7),  DELIVERS(8),
    DELIVERS(9), DELIVERS(10), DELIVERS(11), DELIVERS(12), DELIVERS(13), DELIVERS(14), DELIVERS(15), DELIVERS(16),
};

#define SAVES_ALL __attribute__((preserve_most, noinline))

static void append(struct charcoal_frame *frame, const struct charcoal_site *site) {
  struct charcoal_thread *t = here();
  frame->next = NULL;
  frame->site = site;
  if (t->first)
    t->last->next = frame;
  else
    t->first = frame;
  t->last = frame;
}

// Whether a yield behind a call is to be one. Sets the flag to what it is otherwise.
static bool begins_turn(void) {
  struct charcoal_thread *t = here();
  if (t->depth > 0 || !t->current) {
    t->is_pending = true;
    // In a stress test code is asked again.
    set_flag(t->depth > 0 && t->current ? idle_flag() : RUNS);
    return false;
  }
  int every = switch_every();
  if (every > 0 && !is_switched((unsigned)every))
    return false;
  if (every == 0 && !t->ready.first && !io_is_waited_for() && !signals_wait()) {
    set_flag(RUNS);
    return false;
  }
  __atomic_store_n(&tick_state.is_useful, true, __ATOMIC_RELAXED);
  return true;
}

// The first frame of a turn that ends behind a call, in front of which stands what that has given.
SAVES_ALL static struct charcoal_frame *begin_unwinding(const struct charcoal_site *site) {
  struct charcoal_thread *t = here();
  if (!begins_turn())
    return NULL;
  struct charcoal_frame *frame = pool_take(site->size), *result = NULL;
  const struct charcoal_site *kind = site->result ? &results[(site->result - 1) / 16] : NULL;
  if (kind && frame && !(result = pool_take(kind->size))) {
    pool_give(frame, site->size);
    frame = NULL;
  }
  // Without memory there is no turn for others, for now.
  if (!frame)
    return NULL;
  if (kind) {
    memcpy(result + 1, t->result, kind->size - sizeof *result);
    append(result, kind);
  }
  append(frame, site);
  set_flag(UNWINDS);
  queue_put(&t->ready, t->current);
  return frame;
}

SAVES_ALL static struct charcoal_frame *take_frame(size_t size) {
  struct charcoal_frame *frame = pool_take(size);
  if (!frame)
    charcoal_die("out of memory for a frame");
  return frame;
}

// Compiled code keeps its registers over this call, so what is rare stands in functions of its own, which save more.
__attribute__((preserve_most)) struct charcoal_frame *charcoal_unwind(const struct charcoal_site *site);
__attribute__((preserve_most)) struct charcoal_frame *charcoal_unwind(const struct charcoal_site *site) {
  if (here()->flag != UNWINDS)
    return begin_unwinding(site);
  struct charcoal_frame *frame = pool_first(site->size);
  if (__builtin_expect(!frame, false))
    frame = take_frame(site->size);
  append(frame, site);
  return frame;
}

// A body, as clang lays it out (the Blocks specification of LLVM, "Block Implementation Specification").
struct body {
  void *class;
  int flags, reserved;
  void (*code)(void *);
  const struct {
    unsigned long reserved, size;
    void (*copy)(void *to, const void *from);
    void (*dispose)(const void *);
  } *descriptor;
};

#define HAS_COPY_DISPOSE (1 << 25)

// A copy that the activity has for itself: `Block_copy` without its counter, in memory of the pool.
struct body *body_copy(void (^block)(void)) {
  const struct body *body = (const struct body *)(const void *)block;
  size_t size = body->descriptor->size;
  struct body *copy = pool_take(size);
  if (!copy)
    return NULL;
  // Most capture a word or two: a call of `memcpy` would take longer.
  const uint64_t *from = (const uint64_t *)(const void *)body;
  uint64_t *to = (uint64_t *)(void *)copy;
  for (size_t left = size / sizeof *to; left > 0; left--) {
    *to++ = *from++;
    __asm__("" : "+r"(to));
  }
  memcpy(to, from, size % sizeof *to);
  if (body->flags & HAS_COPY_DISPOSE)
    body->descriptor->copy(copy, body);
  return copy;
}

void body_free(struct body *body) {
  if (body->flags & HAS_COPY_DISPOSE)
    body->descriptor->dispose(body);
  pool_give(body, body->descriptor->size);
}

void enlist(charcoal_activity *activity) {
  struct charcoal_thread *t = here();
  activity->older = t->newest;
  activity->newer = NULL;
  if (t->newest)
    t->newest->newer = activity;
  t->newest = activity;
  if (__builtin_expect(trace_is_on, false))
    trace_born(activity);
}

static void strike(charcoal_activity *activity) {
  if (activity->older)
    activity->older->newer = activity->newer;
  if (activity->newer)
    activity->newer->older = activity->older;
  else
    here()->newest = activity->older;
}

int charcoal_start(charcoal_activity *activity, const char *name, void (^body)(void)) {
  bool is_owned = !activity, has_scheduler = here()->root;
  struct body *copy = has_scheduler ? body_copy(body) : NULL;
  if (copy && is_owned)
    activity = pool_take(sizeof *activity);
  if (!copy || !activity) {
    if (copy)
      body_free(copy);
    // Who joins it learns that.
    if (activity)
      *activity = (charcoal_activity){.name = name, .state = CHARCOAL_DONE, .failed = has_scheduler ? ENOMEM : ENOTSUP};
    return has_scheduler ? ENOMEM : ENOTSUP;
  }
  *activity = (charcoal_activity){.body = copy, .name = name, .state = CHARCOAL_NEW, .is_owned = is_owned};
  enlist(activity);
  put_ready(activity);
  return 0;
}

static void finish(charcoal_activity *activity) {
  if (activity->body)
    body_free(activity->body);
  // Of those that are left when `main` returns, which ends the program, nothing may be there any more.
  if (activity != here()->root || activity->body)
    strike(activity);
  activity->state = CHARCOAL_DONE;
  if (here()->root == activity) {
    here()->root = NULL;
    // Only `main` returns anything.
    memcpy(&here()->status, activity->body ? (const char *)&(int){0} : here()->result, sizeof(int));
  }
  // Once the last is awake, the memory may be somebody else's.
  struct charcoal_queue joining = activity->joining;
  if (activity->is_owned)
    pool_give(activity, sizeof *activity);
  for (charcoal_activity *it; (it = queue_take(&joining));)
    wake(it, 0);
}

bool is_atomic_as_a_whole(const charcoal_activity *activity) {
  const struct body *body = activity->body;
  return body ? !is_interruptible((const void *)body->code) : !main_code.is_interruptible;
}

// Lets an activity begin: it has no frames yet.
static void begin(charcoal_activity *activity) {
  struct charcoal_thread *t = here();
  struct body *body = activity->body;
  bool is_atomic = is_atomic_as_a_whole(activity);
  activity->state = CHARCOAL_RUNNABLE;
  t->depth += is_atomic;
  if (body)
    body->code(body);
  else
    main_code.begin();
  t->depth -= is_atomic;
}

// Lets it go on from a frame.
static void go_on(struct charcoal_frame *frame) {
  const struct charcoal_site *site = frame->site;
  if (site->arguments == NATIVE) {
    site->resume(frame);
  } else {
    if (site->arguments & ENTERS_BY_MEMORY)
      here()->entering = frame;
    charcoal_resume(frame, (void *)site->resume, site->arguments & 0xffffff, site->arguments >> 24 & 3);
  }
  pool_give(frame, site->size);
}

// Keeps the frames of an activity that has been suspended.
static bool is_suspended(charcoal_activity *activity) {
  struct charcoal_thread *t = here();
  if (t->flag != UNWINDS)
    return false;
  t->last->next = activity->top;
  activity->top = t->first;
  t->first = t->last = NULL;
  return true;
}

// Lets an activity run until it is suspended or done. Returns whether it is suspended.
static bool take_turn(charcoal_activity *activity) {
  struct charcoal_thread *t = here();
  t->current = activity;
  t->depth = 0;
  // What it has waited for, in the register in which its caller expects it.
  memcpy(t->result, &activity->result, sizeof activity->result);
  set_flag(idle_flag());
  bool suspended = false;
  *t->error = activity->error;
  if (activity->state == CHARCOAL_NEW) {
    begin(activity);
    suspended = is_suspended(activity);
  }
  while (!suspended && activity->top) {
    struct charcoal_frame *frame = activity->top;
    activity->top = frame->next;
    go_on(frame);
    suspended = is_suspended(activity);
  }
  set_flag(RUNS);
  t->depth = 1;
  t->current = NULL;
  return suspended;
}

static __attribute__((noinline)) bool take_traced_turn(charcoal_activity *activity) {
  if (activity->top)
    trace_resumed(activity);
  double begun = trace_now();
  bool suspended = take_turn(activity);
  trace_turn(activity, begun, !suspended);
  return suspended;
}

static void run(charcoal_activity *activity) {
  bool suspended = __builtin_expect(trace_is_on, false) ? take_traced_turn(activity) : take_turn(activity);
  if (suspended)
    activity->error = *here()->error;
  else
    finish(activity);
}

// How long it sleeps where no descriptor can be had that would wake it.
#define WITHOUT_DESCRIPTOR 10000000 // nanoseconds

// Nobody is ready to run: waits for the system, for other threads, or for signals.
static void wait_for_others(void) {
  struct charcoal_thread *t = here();
  bool by_signal = signals_may_come();
  // One may have come before it was known whom to tell.
  if (by_signal && signals_wait()) {
    signals_look();
    if (t->ready.first)
      return;
  }
  if (by_signal && t->signal_event == 0) {
    nanosleep(&(struct timespec){0, WITHOUT_DESCRIPTOR}, NULL);
    if (t->io)
      io_poll(0);
  } else if (by_signal || io_is_expected() || t->jobs > 0) {
    io_poll(-1);
  } else if (t->remote > 0) {
    io_poll(idle_begins());
    idle_ends();
  } else {
    report_deadlock();
  }
}

int run_until_done(charcoal_activity *root) {
  struct charcoal_thread *t = here();
  t->root = root;
  t->error = &errno;
  scheduler_begins();
  signals_begin();
  stack_begin();
  while (t->root) {
    if (t->inbox)
      inbox_look();
    if (__builtin_expect(signals_wait(), false))
      signals_look();
    charcoal_activity *next = queue_take(&t->ready);
    if (next) {
      run(next);
      if (++t->turns % 64 == 0 || __builtin_expect(__atomic_load_n(&t->is_poll_due, __ATOMIC_RELAXED), false)) {
        t->is_poll_due = false;
        if (io_is_waited_for())
          io_poll(0);
      }
    } else {
      wait_for_others();
    }
  }
  tick_leave();
  signals_end();
  short_calls_end();
  stack_end();
  return t->status;
}

// None of those of before is there any more, and whoever looks at one sees that.
static void leave_behind(charcoal_activity *activity) {
  // Only such wait there.
  if (activity->waits_in)
    activity->waits_in->first = NULL;
  if (activity->channel)
    channel_forked(activity->channel);
  activity->joining.first = NULL;
  activity->state = CHARCOAL_DONE;
  activity->failed = ESRCH;
}

void scheduler_forked(void) {
  struct charcoal_thread *t = here();
  tick_forked();
  jobs_forked();
  memory_forked();
  commands_forked();
  short_calls_forked();
  signals_forked();
  if (!t->current) {
    charcoal_schedulers = NULL;
    return;
  }
  for (const struct charcoal_thread *of = charcoal_schedulers; of; of = of->next_scheduler)
    for (charcoal_activity *it = of->newest; it; it = it->older)
      if (it != t->current)
        leave_behind(it);
  t->ready.first = NULL;
  t->current->older = t->current->newer = NULL;
  t->current->joining.first = NULL;
  t->newest = t->root = t->current;
  inbox_forked();
  io_forked();
  trace_forked();
  schedulers_forked();
}
