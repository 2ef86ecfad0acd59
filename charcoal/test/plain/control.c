// Control flow: pointers to functions, recursion, switch, computed jumps, tail calls, setjmp, callbacks, arguments in
// any number, jumps out of and into loops.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static int steps;
static int count(int by) { return steps += by; }
// Nobody knows what it calls: it may suspend.
static int (*volatile counts)(int) = count;
KEEP static int step(int by) { return counts(by); }

typedef int (*operation)(int, int);
KEEP static int add(int a, int b) { return step(1) + a + b - step(0); }
KEEP static int mul(int a, int b) { return (step(1), a * b); }
KEEP static int even(int n, operation with);
KEEP static int odd(int n, operation with) { return n == 0 ? 0 : with(even(n - 1, with), 1); }
KEEP static int even(int n, operation with) { return n == 0 ? 1 : with(odd(n - 1, with), 1); }

KEEP static int interpret(const unsigned char *code) {
  static const void *const jumps[] = {&&push, &&plus, &&times, &&twice, &&end};
  int stack[16], top = 0;
  goto *jumps[*code++];
push:
  stack[top++] = *code++;
  step(1);
  goto *jumps[*code++];
plus:
  top--;
  stack[top - 1] = add(stack[top - 1], stack[top]);
  goto *jumps[*code++];
times:
  top--;
  stack[top - 1] = mul(stack[top - 1], stack[top]);
  goto *jumps[*code++];
twice:
  stack[top] = stack[top - 1];
  top++;
  goto *jumps[*code++];
end:
  return stack[0];
}

KEEP static long counted(long n, long sum) {
  step(1);
  if (n == 0)
    return sum;
  __attribute__((musttail)) return counted(n - 1, sum + n);
}

static jmp_buf back;
KEEP static int thrower(int n) {
  if (n == 0)
    longjmp(back, step(1));
  return thrower(n - 1) + step(1);
}
KEEP static int catches(int n) {
  volatile int tries = 0;
  int got = setjmp(back);
  tries += 1;
  if (tries < 3)
    return thrower(n + tries);
  return got + tries;
}

static void *within[5];
KEEP static int jumps_back(int n) {
  volatile int tries = 0;
  int came = __builtin_setjmp(within);
  tries += 1 + came;
  return step(tries) * 0 + tries + n;
}
KEEP static int throws_far(int n) {
  if (n == 0)
    __builtin_longjmp(within, 1);
  return throws_far(n - 1) + step(1);
}
KEEP static int comes_back(void) {
  volatile int tries = 0;
  if (__builtin_setjmp(within) == 0) {
    tries = 1;
    throws_far(3);
  }
  return tries + step(0) * 0;
}

KEEP static int compare(const void *a, const void *b) {
  step(1);
  return *(const int *)a - *(const int *)b;
}

KEEP static int total(int count, ...) {
  va_list all;
  int sum = 0;
  va_start(all, count);
  for (int i = 0; i < count; i++)
    sum = add(sum, va_arg(all, int));
  va_end(all);
  return sum;
}
KEEP static int logged(char *out, const char *format, ...) {
  va_list all;
  va_start(all, format);
  int n = vsnprintf(out, 100, format, all);
  va_end(all);
  return n + step(1);
}

KEEP static int shape(int n) {
  int sum = 0;
  switch (n % 5) {
  case 0:
    sum += step(1);
    /* fall through */
  case 1:
    do {
      sum += add(sum, n);
      if (sum > 1000)
        goto out;
    case 2:
      sum += mul(n, 2);
    } while (sum < 50 + n);
    break;
  case 3:
    for (int i = 0; i < n; i++) {
      if (i % 3 == 0)
        continue;
      for (int j = 0; j < i; j++)
        if (add(i, j) > 12)
          goto next;
    next:
      sum += i;
    }
    break;
  default:
    return shape(n - 1) * 2;
  }
out:
  return sum + step(0) * 0;
}

static int at_exit_calls;
static void at_end(void) { printf("at the end %d\n", step(1) + at_exit_calls); }

// It never returns, but for a while.
__attribute__((noreturn)) KEEP static void quit(int n) {
  for (int i = 0; i < 5; i++)
    n += step(1) * 0;
  exit(n);
}
KEEP static int gives_up(int n) {
  int own[3] = {n, n, n};
  if (own[n % 3] >= 0)
    quit(own[step(0) * 0]);
  return n;
}

int main(void) {
  operation all[] = {add, mul};
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += all[i % 2](i, even(i, all[(i / 2) % 2]));
  printf("%d\n", sum);
  const unsigned char code[] = {0, 7, 0, 5, 1, 3, 2, 0, 3, 1, 4};
  printf("%d\n", interpret(code));
  printf("%ld\n", counted(200, 0));
  printf("%d\n", catches(5));
  printf("%d\n", catches(2));
  printf("%d %d\n", jumps_back(3), comes_back());
  int items[50];
  for (int i = 0; i < 50; i++)
    items[i] = (i * 37) % 50;
  qsort(items, 50, sizeof items[0], compare);
  printf("%d %d %d\n", items[0], items[25], items[49]);
  char text[100];
  int n = logged(text, "%s %d %g", "three", 4, 5.5);
  printf("%d %d %s\n", total(5, 1, 2, 3, 4, 5), n, text);
  for (int i = 0; i < 15; i++)
    printf("%d ", shape(i));
  printf("\n%d\n", steps);
  atexit(at_end);
  return gives_up(steps % 100);
}
