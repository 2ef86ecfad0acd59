// Atomic code begins at its beginning.
#include "charcoal.h"

int enters(int n) {
  if (n)
    goto inside; // error: cannot jump from this goto statement to its label
  atomic {
  inside:
    n++;
  }
  return n;
}
