/* Charcoal: activities and atomic blocks for C (docs/charcoal.md). Compile with charcoal-cc. */
#ifndef CHARCOAL_H
#define CHARCOAL_H
/* What its macros become is no matter of style of the program's. */
#pragma clang system_header

#include <stddef.h>

#ifndef __BLOCKS__
#error "charcoal.h needs blocks: compile with charcoal-cc, or clang with -fblocks"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What an activity is doing. */
enum charcoal_state {
  CHARCOAL_NEW,
  CHARCOAL_RUNNABLE, /* it runs, or waits for its turn */
  CHARCOAL_WAITING,  /* for something that another activity or the system does */
  CHARCOAL_DONE,
};

typedef struct charcoal_activity charcoal_activity;

/* Activities in the order in which they came. */
struct charcoal_queue {
  charcoal_activity *first, *last;
};

/* An activity. The memory is the caller's, until the activity is done; all fields are the runtime's. */
struct charcoal_activity {
  charcoal_activity *next;
  struct charcoal_frame *top;
  void *body;
  const char *name;
  struct charcoal_queue *waits_in; /* the list that it stands in while it waits */
  struct charcoal_queue joining;   /* who waits for its end */
  long result;                     /* of what it has waited for */
  union {
    struct charcoal_wait *io; /* the time that it waits for */
    struct charcoal_job *job; /* what another thread does for it */
  } on;
  struct charcoal_channel *channel; /* where it waits for other threads */
  charcoal_activity *older, *newer; /* of all that are not done */
  unsigned char state;
  unsigned char is_cancelled : 1, is_owned : 1, has_job : 1;
  unsigned char failed; /* why it never began, as errno has it */
  int error;            /* its errno, while others run */
};

/* A counter that activities wait for while it is zero. Begin with CHARCOAL_SEMAPHORE(count). */
typedef struct charcoal_semaphore {
  long count;
  struct charcoal_queue waiting;
} charcoal_semaphore;

#define CHARCOAL_SEMAPHORE(n) ((charcoal_semaphore){.count = (n)})

/* Starts an activity with a body; without memory of the caller's, in the runtime's own. Returns 0, ENOMEM, or ENOTSUP
   in a thread that has no scheduler (charcoal_thread_start makes one that has). */
int charcoal_start(charcoal_activity *activity, const char *name, void (^body)(void));
/* Lets others run. */
void charcoal_yield(void);
/* Waits until an activity is done. Returns 0, what charcoal_start returned where that failed, ECANCELED where the
   caller has been cancelled, EDEADLK for the caller itself and in atomic code, where only another activity could end
   it, EINVAL for zeroed memory, or ESRCH in the child of a fork for one of the
   parent's. */
int charcoal_join(charcoal_activity *activity);
/* Wakes an activity that waits: what it waits for ends with ECANCELED, and so does all that it waits for later. */
void charcoal_cancel(charcoal_activity *activity);
/* The activity that runs; null outside of all. */
charcoal_activity *charcoal_current(void);

/* Takes one of a semaphore, or waits for one. Returns as charcoal_join does. */
int charcoal_semaphore_wait(charcoal_semaphore *semaphore);
/* Gives one back. */
void charcoal_semaphore_post(charcoal_semaphore *semaphore);

/* Waits for some milliseconds; in atomic code, the whole process does. Returns 0 or ECANCELED. */
int charcoal_sleep(unsigned long milliseconds);

/* Waits until a descriptor can be read or written (POLLIN, POLLOUT of poll.h), or has failed; not in atomic code.
   Returns 0, ECANCELED, or EBADF where somebody closes it meanwhile. */
int charcoal_wait_for(int descriptor, int events);

/* A thread with a scheduler and activities of its own. Activities stay in their thread, and threads share nothing but
   what goes through channels: a body sees copies, and must neither join, cancel nor wait for activities of other
   threads. */
typedef struct charcoal_os_thread charcoal_os_thread;
/* Starts one whose first activity has a body; the thread ends with it. Null where the system has none. */
charcoal_os_thread *charcoal_thread_start(const char *name, void (^body)(void));
/* Waits for its end, and frees it. Returns 0 or ECANCELED. */
int charcoal_thread_join(charcoal_os_thread *thread);

/* A queue of values of one size, by which activities of any threads hand over what they have. */
typedef struct charcoal_channel charcoal_channel;
/* Null where there is no memory. A capacity of 0 counts as 1. */
charcoal_channel *charcoal_channel_new(size_t size, size_t capacity);
/* Waits while it is full. Returns 0, EPIPE where it has been closed, ECANCELED, or EDEADLK in atomic code. */
int charcoal_channel_send(charcoal_channel *channel, const void *value);
/* Waits while it is empty. Returns as charcoal_channel_send does, EPIPE only once all that was sent has come. */
int charcoal_channel_receive(charcoal_channel *channel, void *value);
/* Ends it for those who send; who receives gets what is left. */
void charcoal_channel_close(charcoal_channel *channel);
/* Frees it, once nobody uses it any more. */
void charcoal_channel_free(charcoal_channel *channel);

/* What `atomic` is made of: one begins and the other ends in the same function. */
int charcoal_atomic_begin(void);
void charcoal_atomic_end(void);

#ifdef __cplusplus
}
#endif

static inline __attribute__((always_inline)) void charcoal_leave_atomic_(int *unused) {
  (void)unused;
  charcoal_atomic_end();
}

#define CHARCOAL_TEXT_(x) #x
#define CHARCOAL_TEXT(x) CHARCOAL_TEXT_(x)

/* activate(&activity) { … };  runs its body as an activity. It sees copies of local variables, and those marked with
   `shared` themselves. With a null pointer the runtime has the memory until the activity is done. */
#ifdef __cplusplus
// What the body has captured is there until the end of the expression.
struct charcoal_starting_ {
  charcoal_activity *of;
  const char *name;
  void operator=(void (^body)(void)) const { charcoal_start(of, name, body); }
};
#define charcoal_activate(activity) charcoal_starting_{(activity), __FILE__ ":" CHARCOAL_TEXT(__LINE__)} = ^
#else
#define charcoal_activate(activity)                                                                                    \
  for (                                                                                                                \
      struct {                                                                                                         \
        charcoal_activity *of;                                                                                         \
        void (^body)(void);                                                                                            \
        int left;                                                                                                      \
      } charcoal_new_ = {(activity), 0, 1};                                                                            \
      charcoal_new_.left; charcoal_start(charcoal_new_.of, __FILE__ ":" CHARCOAL_TEXT(__LINE__), charcoal_new_.body),  \
        charcoal_new_.left = 0)                                                                                        \
  charcoal_new_.body = ^
#endif

/* atomic { … }  : nothing comes in between in its dynamic extent. It may be left by break, continue,
   return and goto; break and continue lead to its end. */
#define charcoal_atomic                                                                                                \
  _Pragma("clang diagnostic push") _Pragma(                                                                            \
      "clang diagnostic ignored \"-Wgcc-compat\"") for (int charcoal_in_                                               \
                                                        __attribute__((cleanup(charcoal_leave_atomic_), unused)) =     \
                                                            charcoal_atomic_begin();                                   \
                                                        ; __extension__({ break; })) _Pragma("clang diagnostic pop")

/* A function that runs atomically as a whole. */
#define charcoal_atomic_function __attribute__((annotate("charcoal:atomic"), noinline))

/* A function of which somebody counts on it that it can be interrupted: an error of the compiler, with the reason,
   where it cannot be. Without this, such a function runs atomically. */
#define charcoal_interruptible __attribute__((annotate("charcoal:interruptible"), noinline))

/* What an activity captures without `shared` is a copy, of which nobody else knows: these take none. */
#define CHARCOAL_COPY_                                                                                                 \
  __attribute__((overloadable, unavailable("an activity sees a copy of this variable: have it use a pointer to that, " \
                                           "or mark it as shared")))
int charcoal_join(const charcoal_activity *copy) CHARCOAL_COPY_;
void charcoal_cancel(const charcoal_activity *copy) CHARCOAL_COPY_;
int charcoal_semaphore_wait(const charcoal_semaphore *copy) CHARCOAL_COPY_;
void charcoal_semaphore_post(const charcoal_semaphore *copy) CHARCOAL_COPY_;
#ifndef __cplusplus
/* Pointers of no type, which in C are of any. */
#define CHARCOAL_ANY_(type, name, to)                                                                                  \
  static inline __attribute__((overloadable, always_inline, unused)) type name(void *it) {                             \
    to *typed = (to *)it;                                                                                              \
    return name(typed);                                                                                                \
  }
CHARCOAL_ANY_(int, charcoal_join, charcoal_activity)
CHARCOAL_ANY_(void, charcoal_cancel, charcoal_activity)
CHARCOAL_ANY_(int, charcoal_semaphore_wait, charcoal_semaphore)
CHARCOAL_ANY_(void, charcoal_semaphore_post, charcoal_semaphore)
#undef CHARCOAL_ANY_
#endif
#undef CHARCOAL_COPY_

#ifndef CHARCOAL_LONG_NAMES
#define activate charcoal_activate
#define atomic charcoal_atomic
#define interruptible charcoal_interruptible
#define shared __block
#define yield charcoal_yield
#endif

#endif
