// Nothing comes in between in the dynamic extent of an atomic block, whatever it calls; any number of switches.
#include "charcoal.h"
#include <errno.h>
#include <stdio.h>

static int balance = 1000, violations;
static int look(void) { return balance; }
static int (*volatile looks)(void) = look;
static void move(int by) {
  int before = looks();
  for (int i = 0; i < 3; i++)
    if (looks() != before)
      violations += 1;
  yield();
  balance = before + by;
}

static int leaves(int how) {
  for (int i = 0; i < 3; i++)
    atomic {
      move(1);
      if (how == 0)
        break;
      if (how == 1)
        return i;
      if (how == 2)
        goto out;
    }
out:
  return how;
}

int main(void) {
  charcoal_activity all[20];
  for (int i = 0; i < 20; i++)
    activate(&all[i]) {
      for (int round = 0; round < 20; round++) {
        atomic {
          move(3);
          atomic { move(-1); }
        }
        looks();
      }
    };
  for (int i = 0; i < 20; i++)
    charcoal_join(&all[i]);
  printf("%d, %d violations\n", balance, violations);
  int got = 0;
  for (int how = 0; how < 4; how++)
    got = got * 10 + leaves(how);
  printf("%d %d\n", got, balance);
  // All blocks have been left: activities take turns again.
  charcoal_activity other;
  shared int ran = 0;
  activate(&other) { ran = 1; };
  for (int i = 0; i < 100 && !ran; i++)
    yield();
  printf("%d\n", ran);
  return 0;
}
