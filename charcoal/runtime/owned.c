// Which descriptors are the runtime's own, in any thread: a program that closes all that there is does not know of
// them.
#include "internal.h"

#include <unistd.h>

#define MOST (1 << 20)
#define WORD 64

static uint64_t owned[MOST / WORD];
static int highest = -1;

static bool is_counted(int descriptor) { return descriptor >= 0 && descriptor < MOST; }

void own(int descriptor) {
  if (!is_counted(descriptor))
    return;
  __atomic_fetch_or(&owned[descriptor / WORD], UINT64_C(1) << descriptor % WORD, __ATOMIC_RELAXED);
  int last = __atomic_load_n(&highest, __ATOMIC_RELAXED);
  while (last < descriptor &&
         !__atomic_compare_exchange_n(&highest, &last, descriptor, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

void disown(int descriptor) {
  if (is_counted(descriptor))
    __atomic_fetch_and(&owned[descriptor / WORD], ~(UINT64_C(1) << descriptor % WORD), __ATOMIC_RELAXED);
}

bool is_owned(int descriptor) {
  return is_counted(descriptor) &&
         __atomic_load_n(&owned[descriptor / WORD], __ATOMIC_RELAXED) >> descriptor % WORD & 1;
}

int highest_owned(void) { return __atomic_load_n(&highest, __ATOMIC_RELAXED); }

void close_owned(void) {
  for (int it = 0; it <= highest_owned(); it++)
    if (is_owned(it)) {
      disown(it);
      close(it);
    }
}
