// Local variables that others hold the addresses of, arrays of variable length, alignment, scopes.
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static int *held;
static int add(int by) { return *held += by; }
// Nobody knows what it calls: it may suspend.
static int (*volatile adds)(int) = add;
KEEP static void hold(int *it) { held = it; }
KEEP static int bump(int by) { return adds(by); }
KEEP static void fill(char *text, size_t size, int with) {
  for (size_t i = 0; i + 1 < size; i++)
    text[i] = (char)('a' + (with + (int)bump(0) * 0 + (int)i) % 26);
  text[size - 1] = 0;
}

KEEP static int escaping(int n) {
  int own = n;
  int *before = held;
  hold(&own);
  int got = bump(1) + bump(2);
  if (n > 0)
    got += escaping(n - 1);
  hold(&own);
  got += bump(3) * 1000;
  held = before;
  return got + own;
}

KEEP static unsigned long hashed(const char *text) {
  unsigned long hash = 5381;
  for (; *text; text++)
    hash = hash * 33 + (unsigned char)*text + (unsigned long)bump(0) * 0;
  return hash;
}

KEEP static unsigned long variable(int n) {
  unsigned long all = 0;
  for (int round = 1; round < n; round++) {
    char text[round * 3 + 1];
    char(*rows)[round] = alloca((size_t)round * (size_t)round);
    fill(text, sizeof text, round);
    for (int i = 0; i < round; i++)
      fill(rows[i], (size_t)round, i);
    all = all * 31 + hashed(text);
    for (int i = 0; i < round; i++)
      all = all * 17 + hashed(rows[i]);
    if (round == n / 2)
      continue;
    all += sizeof text;
  }
  return all;
}

// Its array may turn out not to be needed, and what sets the stack back stays.
KEEP static int jumping(int n) {
  int sum = 0, i = 0;
again: {
  int own[i + 1], *last = &own[i];
  *last = bump(0) * 0 + i;
  sum += *last;
  bump(0);
  sum += own[i];
  if (++i < n)
    goto again;
}
  return sum;
}

KEEP static int aligned(int n) {
  _Alignas(64) char line[64];
  _Alignas(32) double numbers[4] = {1, 2, 3, 4};
  fill(line, sizeof line, n);
  int ok = (uintptr_t)line % 64 == 0 && (uintptr_t)numbers % 32 == 0;
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += numbers[i] * bump(1);
  return ok ? (int)sum + (int)hashed(line) % 100 : -1;
}

KEEP static int scopes(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int inner[4] = {i, i + 1, i + 2, i + 3};
    hold(&inner[i % 4]);
    sum += bump(i);
    {
      int other[4] = {0};
      hold(&other[1]);
      bump(7);
      sum += other[1] + inner[i % 4];
    }
  }
  return sum;
}

struct node {
  struct node *next;
  int value;
};
// A list through the frames of a recursion.
KEEP static int linked(int n, struct node *before) {
  struct node own = {before, n};
  int shift = 0;
  hold(&shift);
  bump(n);
  if (n > 0)
    return linked(n - 1, &own) + shift;
  int sum = 0;
  for (struct node *it = &own; it; it = it->next)
    sum = sum * 3 + it->value + bump(0) * 0;
  return sum;
}

static void done(int *it) { printf("done %d\n", *it); }
KEEP static int cleaned(int n) {
  int first __attribute__((cleanup(done))) = n;
  hold(&first);
  bump(1);
  if (n == 2)
    return first;
  for (int i = 0; i < 2; i++) {
    int second __attribute__((cleanup(done))) = n * 10 + i;
    hold(&second);
    if (bump(5) == 16)
      break;
  }
  hold(&first);
  return bump(1);
}

// Its length is known to the compiler.
KEEP static int folded(int n) {
  int size = 3, own = n;
  hold(&own);
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int array[size];
    array[0] = array[1] = array[2] = i;
    sum += bump(1) + array[i];
  }
  return sum + own;
}

int main(void) {
  int base = 0;
  hold(&base);
  printf("%d\n", escaping(9));
  printf("%lx\n", variable(12));
  printf("%d %d %d\n", jumping(12), aligned(1), aligned(5));
  printf("%d\n", scopes(9));
  printf("%d\n", folded(9));
  hold(&base);
  printf("%d\n", linked(12, NULL));
  hold(&base);
  printf("%d %d %d\n", cleaned(1), cleaned(2), cleaned(3));
  hold(&base);
  printf("%d\n", bump(0));
  return 0;
}
