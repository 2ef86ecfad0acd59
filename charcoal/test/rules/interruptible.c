// What somebody wants to be interruptible and cannot be; and ways into atomic code.
#include "charcoal.h"
#include <setjmp.h>

int work(int);
static jmp_buf back;

interruptible int jumps(int n) { // error: it is marked as interruptible and cannot be: it calls `setjmp`
  return setjmp(back) ? work(n) : work(work(n));
}

interruptible int takes(int n, ...) { // error: it is marked as interruptible and cannot be: it takes a variable number
  return work(n);
}

interruptible int calls(int n) { return work(n) + work(n + 1); }
