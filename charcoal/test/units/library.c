// A library in which a function is the program's, if that has one of the name; and one that has names of its own.
#include <stdio.h>

static int step(int n) { return n + 1; }
static int (*volatile steps)(int) = step;

#if PART == 1
int replaced(int n);
int kept(int n);
int both(int n);
int main(void) {
  for (int i = 0; i < 4; i++) {
    int before = steps(i);
    printf("%d: %d %d\n", before, both(i), kept(i) + steps(i));
  }
  return 0;
}
#elif PART == 2
int replaced(int n) { return steps(n) * 10 + steps(n); }
#elif PART == 3
int kept(int n) { return steps(n) + steps(n + 1); }
int wake(int n) { return steps(n) - 1; }
int leave(int n) { return wake(n) * 2; }
#else
int replaced(int n);
int kept(int n);
int leave(int n);
int both(int n) { return replaced(n) + kept(n) + leave(n); }
int replaced(int n) { return n; }
#endif
