// What makes no sense in atomic code.
#include "charcoal.h"

int work(int);

charcoal_atomic_function int joins(charcoal_activity *it) {
  return charcoal_join(it); // warning: `charcoal_join` in atomic code fails unless the activity is done
}

int turns(int n) {
  for (int i = 0; i < 4; i++) {
    atomic {
      work(i);
      if (n == i)
        break;
      yield(); // warning: `yield()` in atomic code lets nobody run
    }
    yield();
  }
  atomic {
    if (n > 3)
      return work(n);
  }
  yield();
  return n;
}
