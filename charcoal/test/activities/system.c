// Names, files and children are waited for while others run.
#include "charcoal.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int turns, is_over;

static int lookup(void) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *found = NULL;
  int failed = getaddrinfo("127.0.0.1", "80", &hints, &found);
  int family = failed ? -1 : found->ai_family;
  if (!failed)
    freeaddrinfo(found);
  return family == AF_INET && getaddrinfo("no address", "80", &hints, &found) == EAI_NONAME;
}

static int file(void) {
  char name[] = "/tmp/charcoal-XXXXXX", text[64] = "";
  int descriptor = mkstemp(name);
  unlink(name);
  ssize_t wrote = write(descriptor, "some words", 10);
  int flushed = fsync(descriptor) + fdatasync(descriptor);
  lseek(descriptor, 0, SEEK_SET);
  ssize_t got = read(descriptor, text, sizeof text);
  ssize_t end = read(descriptor, text + 20, 10);
  close(descriptor);
  int failed = read(descriptor, text + 20, 10) == -1 && errno == EBADF;
  return wrote == 10 && flushed == 0 && got == 10 && end == 0 && failed && strcmp(text, "some words") == 0;
}

static int child(void) {
  pid_t id = fork();
  if (id == 0) {
    usleep(20000);
    _exit(7);
  }
  int status = 0;
  pid_t got = waitpid(id, &status, 0);
  return got == id && WIFEXITED(status) && WEXITSTATUS(status) == 7 && waitpid(id, &status, 0) == -1 && errno == ECHILD;
}

int main(void) {
  charcoal_activity other, all[3];
  activate(&other) {
    while (!is_over) {
      turns++;
      charcoal_sleep(1);
    }
  };
  shared int names = 0, files = 0, children = 0;
  activate(&all[0]) { names = lookup(); };
  activate(&all[1]) { files = file(); };
  activate(&all[2]) { children = child(); };
  for (int i = 0; i < 3; i++)
    charcoal_join(&all[i]);
  is_over = 1;
  charcoal_join(&other);
  printf("%d %d %d, %s turns\n", names, files, children, turns > 5 ? "many" : "few");
  return 0;
}
