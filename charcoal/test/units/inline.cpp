// Inline functions, static variables and operators of C++ in several translation units (test/units.sh).
#include "inline.h"
#include <cstdio>
#include <cstdlib>
#include <new>

#if PART == 1
static int step(int n) { return n + 1; }
int (*volatile steps)(int) = step;
int counted::made = 0;

static int &first_of(int n) {
  static int first = grow(n) + twice(n);
  return first;
}
static int call(int (^body)(int), int n) { return body(n) + body(n + 1); }

int main() {
  for (int i = 0; i < 4; i++) {
    int before = steps(i);
    std::printf("%d: %d %d %d\n", before, twice(i), grow(i), first_of(i));
    counted it(i);
    int (^body)(int) = ^(int n) {
      return it.value + steps(n);
    };
    std::printf("%d %d\n", call(body, i), counted::made > 0);
  }
  for (const std::string &word : words(20))
    std::printf("%s ", word.c_str());
  int *memory = new int(steps(4));
  std::printf("%d\n", *memory);
  delete memory;
  return 0;
}
#else
int unlike(int n) { return n * 3; }
std::vector<std::string> words(int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; i++)
    all.push_back(std::to_string(grow(i) + twice(i)));
  return all;
}
void *operator new(std::size_t size) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += steps(i);
  void *memory = std::malloc(size + (sum == 6 ? 0 : std::size_t(1) << 60));
  return memory ? memory : std::malloc(size);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
#endif
