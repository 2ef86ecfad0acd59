// A web server: an activity for each connection, which reads requests and answers each with the same page.
// bench/server PORT
#include "charcoal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, world\n";

// How many requests end in what has come.
static int requests_in(const char *text, size_t size, int *state) {
  static const char end[] = "\r\n\r\n";
  int count = 0;
  for (size_t i = 0; i < size; i++) {
    *state = text[i] == end[*state] ? *state + 1 : text[i] == '\r';
    if (*state == 4) {
      count++;
      *state = 0;
    }
  }
  return count;
}

// Answers what has come. The memory for that is only there meanwhile.
__attribute__((noinline)) static bool answers(int descriptor, int *state) {
  char text[2048];
  ssize_t size = read(descriptor, text, sizeof text);
  for (int left = size > 0 ? requests_in(text, (size_t)size, state) : 0; left > 0; left--)
    if (write(descriptor, answer, sizeof answer - 1) < 0)
      return false;
  return size > 0;
}

static void serve(int descriptor) {
  int state = 0;
  while (charcoal_wait_for(descriptor, POLLIN) == 0 && answers(descriptor, &state))
    continue;
  close(descriptor);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  int listening = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 8080)),
                                .sin_addr.s_addr = htonl(INADDR_ANY)};
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) < 0 || listen(listening, 4096) < 0) {
    perror("listen");
    return 1;
  }
  for (;;) {
    int descriptor = accept(listening, NULL, NULL);
    if (descriptor < 0)
      continue;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    activate(NULL) { serve(descriptor); };
  }
}
