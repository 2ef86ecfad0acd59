// A server of DNS that knows an address of every name, and takes five milliseconds to say it.
// bench/names PORT
#define _GNU_SOURCE
#include "dns.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Sockets of the same port, of which the system takes one for each client: what comes all at once is more than one of
// them has room for.
#define SOCKETS 16
#define DELAY 5000000LL
#define MOST 8192

// Answers that wait for their time, the first first.
struct pending {
  long long due;
  struct sockaddr_in to;
  int by;
  size_t size;
  unsigned char text[DNS_SIZE];
};

static struct pending all[MOST];
static unsigned begin, end;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void send_first(void) {
  const struct pending *it = &all[begin++ % MOST];
  sendto(it->by, it->text, it->size, 0, (const struct sockaddr *)&it->to, sizeof it->to);
}

static void take_all(int descriptor) {
  for (;;) {
    if (end - begin == MOST)
      send_first();
    struct pending *it = &all[end % MOST];
    socklen_t length = sizeof it->to;
    ssize_t size = recvfrom(descriptor, it->text, sizeof it->text, MSG_DONTWAIT, (struct sockaddr *)&it->to, &length);
    if (size < 0)
      return;
    it->size = dns_reply(it->text, (size_t)size, sizeof it->text);
    it->by = descriptor;
    it->due = now() + DELAY;
    end += it->size > 0;
  }
}

// Another server of the same port would get a part of the questions: whoever has the port for streams has it for all.
static int opens(int type, int port) {
  int descriptor = socket(AF_INET, type, 0), yes = 1, room = 4 << 20;
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if ((type == SOCK_DGRAM && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) < 0) ||
      bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    perror("bind");
    exit(1);
  }
  return descriptor;
}

int main(int argc, char **argv) {
  int port = argc > 1 ? atoi(argv[1]) : 5353;
  struct pollfd sockets[SOCKETS];
  opens(SOCK_STREAM, port);
  for (int i = 0; i < SOCKETS; i++)
    sockets[i] = (struct pollfd){opens(SOCK_DGRAM, port), POLLIN, 0};
  for (;;) {
    long long left = begin == end ? 0 : all[begin % MOST].due - now();
    struct timespec until = {0, left > 0 ? left : 0};
    if (ppoll(sockets, SOCKETS, begin == end ? NULL : &until, NULL) > 0)
      for (int i = 0; i < SOCKETS; i++)
        if (sockets[i].revents)
          take_all(sockets[i].fd);
    for (long long time = now(); begin != end && all[begin % MOST].due <= time;)
      send_first();
  }
}
