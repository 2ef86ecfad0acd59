// What bodies capture in C++ is copied, and dropped when they are done; virtual calls are interrupted as others are.
#include "charcoal.h"
#include <cstdio>
#include <string>
#include <vector>

struct noisy {
  const char *name;
  explicit noisy(const char *it) : name(it) {}
  noisy(const noisy &other) : name(other.name) { std::printf("copy %s\n", name); }
  ~noisy() { std::printf("drop %s\n", name); }
};

struct base {
  virtual int grow(int n) {
    yield();
    return n + 1;
  }
  virtual ~base() {}
};

struct heir : base {
  int grow(int n) override {
    yield();
    return base::grow(n) * 2;
  }
};

int main() {
  charcoal_activity one, other;
  std::vector<int> numbers{1, 2, 3};
  noisy captured("captured");
  shared int sum = 0;
  heir own;
  base *it = &own;
  activate(&one) {
    std::string text = "hello";
    for (int n : numbers) {
      yield();
      sum += it->grow(n);
    }
    std::printf("%s %zu %s\n", text.c_str(), numbers.size(), captured.name);
  };
  activate(&other) {
    for (int i = 0; i < 3; i++) {
      atomic { sum += 10; }
      yield();
    }
  };
  charcoal_join(&one);
  charcoal_join(&other);
  std::printf("%d\n", sum);
  return 0;
}
