// What the files of the runtime share, and what compiled code knows of it (pass/runtime.cpp).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define CHARCOAL_LONG_NAMES
#include "charcoal.h"

#define MOST_RESULT 256

// What the code behind a call looks at.
enum flag {
  RUNS = 0,
  YIELDS = 1,  // somebody wants a turn
  UNWINDS = 2, // the activity is being suspended: each function fills its frame and returns
};

// The place behind a call at which an activity may be suspended. Constant; written by the pass.
struct charcoal_site {
  // Where code goes on: behind the first instruction of a compiled function, or one of the runtime's own.
  void (*resume)(struct charcoal_frame *);
  const char *where;
  uint32_t size, pc;
  uint32_t result; // how many bytes a result has that code behind the place uses
  // How many bytes a function may have got on the stack and, from bit 24 on, how many values it leaves on that of the
  // x87 unit; bit 30: it finds its frame in memory. NATIVE for the runtime's own.
  uint32_t arguments;
};

#define NATIVE UINT32_MAX
#define ENTERS_BY_MEMORY (1U << 30)

// What a suspended function needs to go on; its values follow.
struct charcoal_frame {
  struct charcoal_frame *next;
  const struct charcoal_site *site;
};

// What the handler of a signal has for its local variables: it may interrupt the code that takes memory.
struct signal_memory {
  bool is_taken, is_mapped;
  struct signal_memory *outer;   // of the handler that this one interrupts
  struct charcoal_thread *owner; // that has installed the handler; null where that has ended
  size_t used;
  char bytes[16384] __attribute__((aligned(16)));
};

// What stands in front of memory that functions take in atomic code: `longjmp` may leave them.
struct left_block {
  struct left_block *below; // taken before
  size_t size;              // of all of it; 0: an array
};

// Memory that nobody has.
struct block {
  struct block *next;
};

#define POOL_STEP 16
#define POOL_CLASSES 64 // up to 1,024 bytes

// The state of a thread. Compiled code knows the first five fields (pass/runtime.cpp).
struct charcoal_thread {
  int flag;
  int depth;                       // of atomic code; at least 1 outside of activities
  struct charcoal_frame *entering; // the frame of a function that is resumed, where that looks for it here
  // What a function gave that was resumed: registers in their order (pass/results.cpp), or its value.
  char result[MOST_RESULT] __attribute__((aligned(16)));
  int is_pending; // a yield was asked for in atomic code
  // The frames of the activity that is being suspended, the innermost first.
  struct charcoal_frame *first, *last;
  charcoal_activity *current;
  charcoal_activity *newest; // of all that are not done
  charcoal_activity *root;   // the program ends with it
  int status;                // with which it has ended
  struct charcoal_queue ready;
  int *error; // where its errno stands, while it has a scheduler
  struct block *free[POOL_CLASSES + 1];
  unsigned checks;     // of a stress test
  bool is_poll_due;    // a tick has passed since the system was asked
  unsigned turns;      // that activities have had
  unsigned seen_turns; // when the thread that ticks last looked, and for how many ticks they have been that
  unsigned same_ticks;
  struct io *io;       // what waits for the system; null until something has
  struct inbox *inbox; // what other threads wake here; null until somebody waits for one
  size_t remote;       // how many wait for other threads
  size_t jobs;         // and for functions that these call
  struct charcoal_thread *next_thread;
  struct charcoal_thread *next_scheduler;
  bool is_idle;       // it waits for other threads, and for nothing else
  unsigned questions; // how often it has asked whether all do
  bool is_ticked;
  struct signal_memory *in_signal; // of the innermost handler that runs
  bool has_handlers;               // it has installed some, which may wake activities
  int signal_event;                // written to then while it waits, by its number and one; 0: none
  struct left_block *blocks;       // the newest that was taken in atomic code
};

_Static_assert(offsetof(struct charcoal_thread, flag) == 0 && offsetof(struct charcoal_thread, depth) == 4 &&
                   offsetof(struct charcoal_thread, entering) == 8 && offsetof(struct charcoal_thread, result) == 16 &&
                   offsetof(struct charcoal_thread, is_pending) == 272,
               "pass/runtime.cpp and resume.S know where these stand");

extern __thread struct charcoal_thread charcoal_thread __attribute__((tls_model("initial-exec")));

static inline struct charcoal_thread *here(void) { return &charcoal_thread; }

// Tells the pass that nothing here is to be interrupted, but for SUSPENDS, which keep to its rules by themselves.
static const char charcoal_is_runtime __attribute__((used)) = 1;
#define SUSPENDS __attribute__((annotate("charcoal:suspends")))

// What a function has in front of it that may suspend (MAGIC in pass/charcoal.h).
#define CHARCOAL_MAGIC 0x6c616f6372616863ULL
static inline bool is_interruptible(const void *function) {
  uint64_t mark;
  // Functions of a runtime's own code generator may begin where memory does; compiled ones do not.
  __builtin_memcpy(&mark, (const char *)function - sizeof mark, sizeof mark);
  return mark == CHARCOAL_MAGIC;
}

// Memory: lists of blocks of one size, for each thread. Null where there is none. With CHARCOAL_CHECKED each block is
// `malloc`'s.
void *pool_take_more(size_t size);

// What a list has; null where it has nothing.
static inline void *pool_first(size_t size) {
#ifdef CHARCOAL_CHECKED
  return (void)size, NULL;
#endif
  size_t class = (size + POOL_STEP - 1) / POOL_STEP;
  struct block *block = class <= POOL_CLASSES ? charcoal_thread.free[class] : NULL;
  if (block)
    charcoal_thread.free[class] = block->next;
  return block;
}

static inline void *pool_take(size_t size) {
#ifdef CHARCOAL_CHECKED
  return malloc(size);
#endif
  void *block = pool_first(size);
  return block ? block : pool_take_more(size);
}

static inline void pool_give(void *block, size_t size) {
#ifdef CHARCOAL_CHECKED
  free(block);
  return;
#endif
  size_t class = (size + POOL_STEP - 1) / POOL_STEP;
  if (class > POOL_CLASSES) {
    free(block);
    return;
  }
  ((struct block *)block)->next = charcoal_thread.free[class];
  charcoal_thread.free[class] = block;
}

// Lets a compiled function go on (resume.S).
void charcoal_resume(struct charcoal_frame *frame, void *at, size_t arguments, unsigned floats);

// Gives the newest block back that was taken in atomic code.
void left_give(struct left_block *block);

// Leaves what this thread has to others.
void memory_end(void);
void memory_forked(void);

// Ends the program with what is wrong and the name of the activity.
_Noreturn void charcoal_die(const char *what);

// Scheduling.
static inline void queue_put(struct charcoal_queue *queue, charcoal_activity *activity) {
  activity->next = NULL;
  if (queue->first)
    queue->last->next = activity;
  else
    queue->first = activity;
  queue->last = activity;
}
charcoal_activity *queue_take(struct charcoal_queue *queue);
// Takes an activity out of a list.
void leave(struct charcoal_queue *queue, const charcoal_activity *activity);
// Whether the code that runs may be suspended.
static inline bool may_suspend(void) { return here()->depth == 0 && here()->current; }

static inline void set_flag(enum flag flag) { __atomic_store_n(&here()->flag, (int)flag, __ATOMIC_RELAXED); }

// The activity that runs waits in a list, if any; the caller has to return. It goes on once somebody calls `wake`.
static inline void suspend(struct charcoal_queue *in) {
  charcoal_activity *current = here()->current;
  current->state = CHARCOAL_WAITING;
  current->waits_in = in;
  if (in)
    queue_put(in, current);
  set_flag(UNWINDS);
}

// Runs activities until one of them is done, and gives what that returned.
int run_until_done(charcoal_activity *root);
// In the child of fork: there is nobody but the activity that has called it.
void scheduler_forked(void);
void tick_forked(void);
void commands_forked(void);
// Whether an activity cannot be interrupted anywhere.
bool is_atomic_as_a_whole(const charcoal_activity *activity);
// A copy of a body, for an activity to have; null without memory.
struct body *body_copy(void (^body)(void));
void body_free(struct body *body);
// Adds an activity to those that are not done.
void enlist(charcoal_activity *activity);
// The first activity, which has no body: the program's `main`.
// Filled in by the `main` of the process, where that is the runtime's.
extern struct main_code {
  void (*begin)(void);
  bool is_interruptible;
} main_code;

// Ticks: asked for when an activity becomes ready to run.
extern struct tick_state {
  bool is_asleep, is_useful;
} tick_state;
void tick_wake(void);

// Another one is ready to run: the one that runs may not take all the time.
static inline void put_ready(charcoal_activity *activity) {
  queue_put(&here()->ready, activity);
  if (__builtin_expect(__atomic_load_n(&tick_state.is_asleep, __ATOMIC_RELAXED), false))
    tick_wake();
}

// Lets an activity go on; what it waited for gives `result`.
static inline void wake(charcoal_activity *activity, long result) {
  activity->result = result;
  activity->state = CHARCOAL_RUNNABLE;
  activity->waits_in = NULL;
  put_ready(activity);
}

void tick_leave(void);

// How many threads ticks have.
size_t tick_threads(void);

// Threads that have schedulers.
extern struct charcoal_thread *charcoal_schedulers;
void scheduler_begins(void);
void scheduler_ends(void);
// In the child of fork there is one only.
void schedulers_forked(void);
// Where the program's own code goes on.
const char *place_of(const charcoal_activity *activity);
// Nothing is left to run in this thread: says who waits where, and ends the program.
_Noreturn void report_deadlock(void);
// This thread waits for others only; where all do, that is reported. Returns for how many milliseconds it may wait
// before it asks again; -1 for any time.
int idle_begins(void);
void idle_ends(void);

// What activities do, in a file (CHARCOAL_TRACE). All but the first are called where it is on.
extern bool trace_is_on;
void trace_begin(void);
void trace_end(void);
// Around a fork: the child tells nothing.
void trace_forks(void);
void trace_forked(void);
// The moment, in microseconds.
double trace_now(void);
// An activity is there.
void trace_born(const charcoal_activity *activity);
// It has had a turn, and is done or suspended; or goes on.
void trace_turn(const charcoal_activity *activity, double begun, bool is_done);
void trace_resumed(const charcoal_activity *activity);

// Handlers of signals. What they ask for is noted, and done between two turns.
extern bool signals_are_noted;
static inline bool signals_wait(void) { return __atomic_load_n(&signals_are_noted, __ATOMIC_ACQUIRE); }
// Whether a handler runs; then what it wants of a semaphore or of an activity is noted.
bool signal_notes(void *on, bool cancels);
void signals_look(void);
// Whether handlers may wake activities of this thread. What they note ends its waiting from now on.
bool signals_may_come(void);
// The same, when nothing waits yet.
bool signals_have_handlers(void);
// A handler has been left by a jump.
void signal_memory_give(struct signal_memory *memory);
void signals_forked(void);
void signals_begin(void);
void signals_end(void);

// Around a call that is not to wait for long: it ends with EINTR then.
void short_call_begins(void);
void short_call_ends(void);
void short_calls_end(void);
// The program wants a signal for itself.
void short_calls_leave(int to);
void short_calls_forked(void);

// Says which activity it was where this thread's stack is full.
struct sigaction;
// The library's own: by the other name it is the runtime's (signals.c).
int __sigaction(int number, const struct sigaction *action, struct sigaction *before);
void stack_begin(void);
void stack_end(void);
// Whether a handler of SIGSEGV is that, of which the program knows nothing.
bool stack_handles(const struct sigaction *action);

// Input and output. The activity that runs waits for the system; the caller has to return.
bool io_is_waited_for(void);
// The same, of the system alone and not of other threads.
bool io_is_expected(void);
// Whether activities of a thread wait for the system; asked by another one, while that has turns.
bool io_is_expected_of(const struct charcoal_thread *thread);
// Waits for no longer than some milliseconds; -1: for any time.
void io_poll(int timeout);
// Ends the wait of an activity that is cancelled; false where it goes on until its end.
bool io_forget(charcoal_activity *activity);
// An activity has been taken out of a list, which may have been that of a descriptor.
void io_left(const struct charcoal_queue *queue);
// A descriptor is about to be closed: who waits for it goes on with EBADF.
void io_close(int descriptor);
// How often a descriptor has been closed here: its number may stand for another one since.
unsigned io_closed(int descriptor);
// Behind it nobody waits for a descriptor here.
int io_highest(void);
// Descriptors of the runtime's own, of all threads.
void own(int descriptor);
void disown(int descriptor);
bool is_owned(int descriptor);
int highest_owned(void);
// Closes all of them.
void close_owned(void);
// Frees what this thread has had for waiting.
void io_end(void);
// In the child of fork: nothing is waited for. What the parent waits for stays its own.
void io_forked(void);
int io_sleep(uint64_t milliseconds);
int io_wait(int descriptor, int events);
// Has the scheduler look when a descriptor of the runtime's own can be read. Returns 0, or what went wrong.
int io_watch(int descriptor);

// Has another thread call a function: the activity that runs waits for that, and the caller has to return. 0, ENOMEM or
// EAGAIN.
int job_begin(void (*run)(void *), void *with);
// It has been done.
void job_end(charcoal_activity *activity);
// An activity that waits for that is cancelled: false where it goes on until its end.
bool job_forget(charcoal_activity *activity);
size_t job_threads(void);
void jobs_forked(void);

// Other threads. Whoever waits for one has a ticket, which that hands back by way of the inbox of its thread.
struct ticket {
  struct ticket *next;
  struct charcoal_thread *thread;
  charcoal_activity *activity;
};
// Has a ticket for the activity that runs; null without memory.
struct ticket *ticket_take(void);
void ticket_give(struct ticket *ticket);
// The activity that runs waits until somebody wakes its ticket: the caller has to return.
void ticket_wait(void);
// Lets it go on, from any thread.
void ticket_wake(struct ticket *ticket);
// Wakes here whom other threads have let go on.
void inbox_look(void);
// A descriptor of the inbox can be read.
bool inbox_is(int descriptor);
void inbox_forked(void);
// The thread ends: whoever of it waits for others is forgotten.
void abandon(void);
// In the child of fork: nobody waits for it any more.
void channel_forked(charcoal_channel *channel);
// That descriptor; -1 where there is none.
int inbox_event(void);
// Whether somebody has woken anybody there.
bool inbox_has(const struct charcoal_thread *thread);
// An activity that waits for a channel is cancelled: false where somebody has woken it already.
bool channel_forget(charcoal_activity *activity);
// One that has been woken for a channel will not run any more: another one may do what it was woken for.
void channel_pass(charcoal_channel *channel);
