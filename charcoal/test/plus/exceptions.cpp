// Exceptions through atomic code: what catches them is interrupted again afterwards.
#include "charcoal.h"
#include <cstdio>
#include <stdexcept>
#include <string>

static int check(int n) {
  if (n % 3 == 2)
    throw std::runtime_error("at " + std::to_string(n));
  return n;
}
static int (*volatile checks)(int) = check;

__attribute__((noinline)) static int add(int n) {
  int local[4] = {n, 1, 2, 3};
  std::string text(30, 'x');
  return checks(n) + checks(n + 1) + local[checks(0)] + int(text.size());
}

__attribute__((noinline)) static int attempt(int n) {
  int result = 0;
  try {
    atomic { result = add(n); }
  } catch (const std::exception &error) {
    result = -int(std::string(error.what()).size());
  }
  return result;
}

int main() {
  static int turns;
  charcoal_activity other;
  activate(&other) {
    for (int i = 0; i < 7; i++) {
      turns++;
      yield();
    }
  };
  for (int i = 0; i < 7; i++) {
    int result = attempt(i);
    yield();
    std::printf("%d, %d turns\n", result, turns);
  }
  charcoal_join(&other);
}
