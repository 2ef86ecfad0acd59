// Functions that stand in more than one translation unit.
#pragma once
#include <string>
#include <vector>

extern int (*volatile steps)(int);
int unlike(int n);

// The linker keeps one of them; only one unit knows that `unlike` never suspends.
inline __attribute__((noinline)) int twice(int n) { return unlike(n) + unlike(n + 1); }
template <typename T> __attribute__((noinline)) T grow(T value) { return value + steps(int(value)) + steps(1); }

struct counted {
  static int made;
  int value;
  explicit counted(int n) : value(n) {}
  counted(const counted &other) : value(steps(other.value) - 1) { made += steps(0); }
  ~counted() { made += steps(1) - 2; }
};
std::vector<std::string> words(int n);
