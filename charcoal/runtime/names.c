// Names of hosts and services, which the library looks up: another thread waits for that.
#include "posix.h"

#include <netdb.h>

struct lookup {
  const char *node, *service;
  const struct addrinfo *hints;
  struct addrinfo **found;
  int status, error;
};

static void run_lookup(void *of) {
  struct lookup *it = of;
  it->status = getaddrinfo(it->node, it->service, it->hints, it->found);
  it->error = errno;
}

STANDS_IN(int, charcoal_getaddrinfo, const char *node, const char *service, const struct addrinfo *hints,
          struct addrinfo **found) {
  struct lookup it = {.node = node, .service = service, .hints = hints, .found = found};
  if (charcoal_work(run_lookup, &it)) {
    errno = ECANCELED;
    return EAI_SYSTEM;
  }
  if (it.status)
    errno = it.error;
  return it.status;
}

struct naming {
  const struct sockaddr *of;
  socklen_t size, host_size, service_size;
  char *host, *service;
  int flags, status, error;
};

static void run_naming(void *of) {
  struct naming *it = of;
  it->status = getnameinfo(it->of, it->size, it->host, it->host_size, it->service, it->service_size, it->flags);
  it->error = errno;
}

STANDS_IN(int, charcoal_getnameinfo, const struct sockaddr *of, socklen_t size, char *host, socklen_t host_size,
          char *service, socklen_t service_size, int flags) {
  struct naming it = {.of = of,
                      .size = size,
                      .host_size = host_size,
                      .service_size = service_size,
                      .host = host,
                      .service = service,
                      .flags = flags};
  if (charcoal_work(run_naming, &it)) {
    errno = ECANCELED;
    return EAI_SYSTEM;
  }
  if (it.status)
    errno = it.error;
  return it.status;
}
