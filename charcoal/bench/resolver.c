// Finds the addresses of many names: an activity for each, a thousand at once, which asks a server and waits.
// bench/resolver PORT [NAMES [AT ONCE]]
#include "charcoal.h"
#include "lookups.h"

static bool resolve(const struct lookups *all, long number, uint32_t *address) {
  struct question question;
  unsigned char text[DNS_SIZE];
  ask_for(&question, number);
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  if (descriptor < 0)
    return false;
  bool is_found = connect(descriptor, (const struct sockaddr *)&all->server, sizeof all->server) == 0 &&
                  send(descriptor, question.text, question.size, 0) >= 0 &&
                  is_right(&question, text, recv(descriptor, text, sizeof text, 0), address);
  close(descriptor);
  return is_found;
}

int main(int argc, char **argv) {
  struct lookups lookups = lookups_of(argc, argv), *all = &lookups;
  charcoal_semaphore at_once = CHARCOAL_SEMAPHORE(all->at_once), *limit = &at_once;
  for (long number = 0; number < all->count; number++) {
    charcoal_semaphore_wait(limit);
    activate(NULL) {
      uint32_t address;
      if (resolve(all, number, &address))
        atomic { found(all, address); }
      charcoal_semaphore_post(limit);
    };
  }
  for (long left = all->at_once; left > 0; left--)
    charcoal_semaphore_wait(limit);
  return say(all);
}
