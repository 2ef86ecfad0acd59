// What functions take and give back: structures, floating point, vectors, wide integers, pairs in registers.
#include <complex.h>
#include <stdio.h>
#include <string.h>

#define KEEP __attribute__((noinline))

struct pair {
  long a, b;
};
struct mixed {
  double d;
  int i;
};
struct large {
  int items[20];
};
struct huge {
  long items[40];
};
typedef float four __attribute__((vector_size(16)));
typedef double wide __attribute__((vector_size(64)));

static int steps;
static void count(void) { steps += 1; }
// Nobody knows what it calls: it may suspend.
static void (*volatile counts)(void) = count;
KEEP static void step(void) { counts(); }

KEEP static struct pair pair_of(long a, long b) {
  step();
  return (struct pair){a + b, a - b};
}
KEEP static struct mixed mixed_of(double d, int i) {
  step();
  return (struct mixed){d * i, i + 1};
}
KEEP static struct large large_of(int seed) {
  struct large it;
  for (int i = 0; i < 20; i++) {
    step();
    it.items[i] = seed * i;
  }
  return it;
}
// The caller's copy of the argument is changed.
KEEP static long sum(struct large it) {
  long all = 0;
  for (int i = 0; i < 20; i++) {
    it.items[i] += 1;
    step();
    all += it.items[i];
  }
  return all;
}
KEEP static long sum_of(struct huge it, long times) {
  long all = 0;
  for (int i = 0; i < 40; i++) {
    step();
    all += it.items[i] * times;
  }
  it.items[0] = all;
  step();
  return it.items[0];
}
KEEP static float half(float x) {
  step();
  return x / 2;
}
KEEP static long double third(long double x) {
  step();
  return x / 3;
}
KEEP static double complex turned(double complex z) {
  step();
  return z * I;
}
KEEP static four scaled(four v, float by) {
  step();
  return v * by;
}
KEEP static wide added(wide a, wide b) {
  step();
  return a + b;
}
KEEP static unsigned __int128 product(unsigned long a, unsigned long b) {
  step();
  return (unsigned __int128)a * b;
}
KEEP static _Bool odd(int n) {
  step();
  return n & 1;
}
KEEP static signed char narrow(int n) {
  step();
  return (signed char)n;
}
KEEP static const char *text(int n) {
  step();
  return n ? "yes" : "no";
}
KEEP static long many(long a, long b, long c, long d, long e, long f, long g, double h, long i, struct pair j) {
  step();
  long x = a + b * 2 + c * 3 + d * 4 + e * 5;
  step();
  return x + f * 6 + g * 7 + (long)h * 8 + i * 9 + j.a + j.b;
}

int main(void) {
  struct pair p = {1, 2};
  struct mixed m = {1.5, 2};
  float f = 1000;
  long double l = 1;
  double complex z = 1 + 2 * I;
  four v = {1, 2, 3, 4};
  wide w = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned __int128 big = 1;
  for (int i = 0; i < 12; i++) {
    p = pair_of(p.a, p.b + i);
    m = mixed_of(m.d + 1, m.i);
    f = half(f) + half(f + 1);
    l = third(l) + 1;
    z = turned(z) + i;
    v = scaled(v, 1.5f) + scaled(v, 0.25f);
    w = added(w, added(w, w));
    big = product((unsigned long)big + 12345678901234567UL, (unsigned long)(big >> 64) + 7);
  }
  printf("%ld %ld %g %d %g %Lg %g%+gi\n", p.a, p.b, m.d, m.i, (double)f, l, creal(z), cimag(z));
  printf("%g %g %g %g %g %lx%016lx\n", (double)v[0], (double)v[3], w[0], w[7], (double)v[1], (long)(big >> 64),
         (long)big);
  struct large large = large_of(3);
  long before = sum(large);
  printf("%ld %ld %d %d %s %s\n", before, sum(large), odd(3) + odd(4), narrow(300), text(1), text(0));
  struct huge huge = {{1, 2, 3}};
  printf("%ld %ld\n", sum_of(huge, 2), huge.items[0]);
  printf("%ld %d\n", many(1, 2, 3, 4, 5, 6, 7, 8.5, 9, p), steps);
  return 0;
}
