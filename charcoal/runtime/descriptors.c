// What closes descriptors: who waits for one learns of it, and those of the runtime stay.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

int charcoal_close(int descriptor);
int charcoal_close(int descriptor) {
  // Programs that close all that there is do not know of these.
  if (is_owned(descriptor)) {
    errno = EBADF;
    return -1;
  }
  io_close(descriptor);
  return close(descriptor);
}

// Where a copy is to have a number that the runtime has, there is none for it.
static bool is_taken(int number) {
  bool is = is_owned(number);
  if (is)
    errno = EBUSY;
  return is;
}

int charcoal_dup2(int of, int number);
int charcoal_dup2(int of, int number) {
  if (is_taken(number))
    return -1;
  if (of != number)
    io_close(number);
  return dup2(of, number);
}

int charcoal_dup3(int of, int number, int flags);
int charcoal_dup3(int of, int number, int flags) {
  if (is_taken(number))
    return -1;
  io_close(number);
  return dup3(of, number, flags);
}

int charcoal_close_range(unsigned first, unsigned last, int flags);
int charcoal_close_range(unsigned first, unsigned last, int flags) {
  int waited = io_highest(), owned = highest_owned();
  unsigned most = (unsigned)(waited > owned ? waited : owned);
  if (first > last || (waited < 0 && owned < 0))
    return close_range(first, last, flags);
  for (; first <= last && first <= most; first++)
    if (!is_owned((int)first)) {
      if (!flags)
        io_close((int)first);
      if (close_range(first, first, flags))
        return -1;
    }
  return first <= last ? close_range(first, last, flags) : 0;
}

void charcoal_closefrom(int first);
void charcoal_closefrom(int first) { charcoal_close_range(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0); }
