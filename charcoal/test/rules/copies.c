// An activity has copies of what it captures, and no arrays.
#include "charcoal.h"

int starts(void) {
  charcoal_activity one, other;
  charcoal_semaphore limit = CHARCOAL_SEMAPHORE(1);
  shared charcoal_semaphore common = CHARCOAL_SEMAPHORE(1);
  charcoal_semaphore *its = &limit;
  int count = 0, list[2] = {0};
  activate(&one) {
    charcoal_semaphore_wait(&limit); // error: an activity sees a copy of this variable
    charcoal_semaphore_post(&limit); // error: an activity sees a copy of this variable
    charcoal_semaphore_wait(&common);
    charcoal_semaphore_post(its);
    count++;       // error: variable is not assignable
    (void)list[0]; // error: cannot refer to declaration with an array type inside block
  };
  activate(&other) {
    charcoal_join(&one);   // error: an activity sees a copy of this variable
    charcoal_cancel(&one); // error: an activity sees a copy of this variable
  };
  return charcoal_join(&one) + charcoal_join(&other);
}
