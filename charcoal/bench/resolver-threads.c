// The resolver of bench/resolver.c with a thousand threads of the system, each of which takes the next name.
// bench/resolver-threads PORT [NAMES [AT ONCE]]
#include "lookups.h"
#include <pthread.h>

static struct lookups all;
static long next;

static bool resolve(long number, uint32_t *address) {
  struct question question;
  unsigned char text[DNS_SIZE];
  ask_for(&question, number);
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  if (descriptor < 0)
    return false;
  bool is_found = connect(descriptor, (const struct sockaddr *)&all.server, sizeof all.server) == 0 &&
                  send(descriptor, question.text, question.size, 0) >= 0 &&
                  is_right(&question, text, recv(descriptor, text, sizeof text, 0), address);
  close(descriptor);
  return is_found;
}

static void *resolves(void *of) {
  long number;
  uint32_t address;
  while ((number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < all.count)
    if (resolve(number, &address)) {
      __atomic_fetch_add(&all.answered, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&all.sum, address, __ATOMIC_RELAXED);
    }
  return of;
}

int main(int argc, char **argv) {
  all = lookups_of(argc, argv);
  pthread_t *threads = calloc((size_t)all.at_once, sizeof *threads);
  pthread_attr_t small;
  if (!threads || pthread_attr_init(&small) || pthread_attr_setstacksize(&small, 64 << 10))
    return 1;
  for (long i = 0; i < all.at_once; i++)
    if (pthread_create(&threads[i], &small, resolves, NULL)) {
      perror("pthread_create");
      return 1;
    }
  for (long i = 0; i < all.at_once; i++)
    pthread_join(threads[i], NULL);
  pthread_attr_destroy(&small);
  free(threads);
  return say(&all);
}
