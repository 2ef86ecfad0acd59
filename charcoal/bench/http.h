// What the web servers have in common: the answer, where requests end, the socket that listens.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, world\n";

// How many requests end in what has come.
static inline int requests_in(const char *text, size_t size, int *state) {
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

// As many connections as the system allows, and none of them ends the program.
static inline void prepare(void) {
  signal(SIGPIPE, SIG_IGN);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
}

static inline struct sockaddr_in address_of(int argc, char **argv) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 8080));
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  return address;
}

// A socket that listens on the port that the program was called with.
static inline int listens(int argc, char **argv) {
  int listening = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = address_of(argc, argv);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) < 0 || listen(listening, 4096) < 0) {
    perror("listen");
    exit(1);
  }
  return listening;
}

// What is written goes out at once.
static inline void sends_at_once(int descriptor) {
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}
