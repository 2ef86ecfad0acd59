// Calls that wait for several things, for a time, or for others let activities run meanwhile; any number of switches.
#ifdef __OPTIMIZE__
#define _FORTIFY_SOURCE 2
#endif
#define _GNU_SOURCE
#include "charcoal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct pair {
  int ends[2];
};

static struct pair pipe_new(void) {
  struct pair it;
  if (pipe(it.ends))
    exit(9);
  return it;
}

static struct pair sockets_new(int type) {
  struct pair it;
  if (socketpair(AF_UNIX, type, 0, it.ends))
    exit(9);
  return it;
}

static void end(struct pair it) {
  close(it.ends[0]);
  close(it.ends[1]);
}

static void say_later(int descriptor, const char *what) {
  activate(NULL) {
    charcoal_sleep(5);
    if (write(descriptor, what, strlen(what)) < 0)
      perror("write");
  };
}

static bool polls(void) {
  struct pair one = pipe_new(), two = pipe_new();
  struct pollfd all[] = {{one.ends[0], POLLIN, 0}, {two.ends[0], POLLIN, 0}, {-1, POLLIN, 0}, {one.ends[0], 0, 0}};
  bool right = poll(all, 4, 0) == 0 && poll(all, 4, 3) == 0;
  say_later(two.ends[1], "x");
  right &= poll(all, 4, -1) == 1 && all[0].revents == 0 && all[1].revents == POLLIN;
  struct timespec most = {10, 0};
  right &= ppoll(all, 2, &most, NULL) == 1;
  say_later(one.ends[1], "y");
  right &= poll(all, 1, 10000) == 1;
  close(one.ends[1]);
  right &= poll(all, 4, -1) == 3 && all[3].revents == POLLHUP;
  close(one.ends[0]);
  end(two);
  all[0].fd = 999;
  return right && poll(all, 1, -1) == 1 && all[0].revents == POLLNVAL && poll(NULL, 0, 2) == 0;
}

static bool selects(void) {
  struct pair it = pipe_new();
  fd_set reads, writes;
  FD_ZERO(&reads);
  FD_ZERO(&writes);
  FD_SET(it.ends[0], &reads);
  struct timeval most = {0, 3000};
  bool right = select(it.ends[0] + 1, &reads, NULL, NULL, &most) == 0 && !FD_ISSET(it.ends[0], &reads) &&
               most.tv_sec == 0 && most.tv_usec == 0;
  FD_SET(it.ends[0], &reads);
  say_later(it.ends[1], "x");
  most = (struct timeval){10, 0};
  right &= select(it.ends[0] + 1, &reads, &writes, NULL, &most) == 1 && FD_ISSET(it.ends[0], &reads);
  right &= most.tv_sec < 10;
  FD_SET(it.ends[1], &writes);
  right &= select(it.ends[1] + 1, &reads, &writes, NULL, NULL) == 2;
  right &= select(-1, NULL, NULL, NULL, NULL) == -1 && errno == EINVAL;
  end(it);
  return right;
}

static bool epolls(void) {
  struct pair it = pipe_new();
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 42}, got[4];
  int set = epoll_create1(0);
  bool right = epoll_ctl(set, EPOLL_CTL_ADD, it.ends[0], &event) == 0 && epoll_wait(set, got, 4, 2) == 0;
  say_later(it.ends[1], "x");
  right &= epoll_wait(set, got, 4, -1) == 1 && got[0].data.u32 == 42;
  close(set);
  end(it);
  return right && epoll_wait(set, got, 4, -1) == -1 && errno == EBADF;
}

// More than the buffers of a socket hold, in pieces.
static bool messages(void) {
  struct pair it = sockets_new(SOCK_STREAM);
  enum { SIZE = 500000 };
  char *sent = malloc(3 * SIZE), *got = malloc(3 * SIZE);
  for (int i = 0; i < 3 * SIZE; i++)
    sent[i] = (char)(i * 7 + i / 999);
  shared bool right = true;
  charcoal_activity sender;
  activate(&sender) {
    struct iovec pieces[] = {{sent, 1}, {sent + 1, SIZE - 1}, {sent + SIZE, 0}, {sent + SIZE, SIZE}};
    struct msghdr header = {.msg_iov = pieces, .msg_iovlen = 4};
    right &= sendmsg(it.ends[0], &header, 0) == 2 * SIZE && pieces[1].iov_len == SIZE - 1;
    struct iovec rest[] = {{sent + 2 * SIZE, SIZE / 2}, {sent + 2 * SIZE + SIZE / 2, SIZE / 2}};
    right &= writev(it.ends[0], rest, 2) == SIZE;
  };
  charcoal_sleep(3);
  struct iovec piece = {got, 1000};
  struct msghdr header = {.msg_iov = &piece, .msg_iovlen = 1};
  right &= recvmsg(it.ends[1], &header, 0) == 1000;
  struct iovec two[] = {{got + 1000, 500}, {got + 1500, 500}};
  right &= readv(it.ends[1], two, 2) == 1000;
  right &= recv(it.ends[1], got + 2000, 3 * SIZE - 2000, MSG_WAITALL) == 3 * SIZE - 2000;
  charcoal_join(&sender);
  right &= memcmp(sent, got, 3 * SIZE) == 0;
  free(sent);
  free(got);
  end(it);
  return right;
}

static bool datagrams(void) {
  int one = socket(AF_INET, SOCK_DGRAM, 0), two = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, from;
  socklen_t size = sizeof address;
  bool right =
      bind(one, (struct sockaddr *)&address, size) == 0 && getsockname(one, (struct sockaddr *)&address, &size) == 0;
  activate(NULL) {
    charcoal_sleep(3);
    sendto(two, "hello", 5, 0, (const struct sockaddr *)&address, sizeof address);
  };
  char text[16];
  size = sizeof from;
  right &= recvfrom(one, text, sizeof text, 0, (struct sockaddr *)&from, &size) == 5 && memcmp(text, "hello", 5) == 0;
  right &= from.sin_family == AF_INET && from.sin_port != 0;
  char host[64];
  right &= getnameinfo((struct sockaddr *)&from, size, host, sizeof host, NULL, 0, NI_NUMERICHOST) == 0;
  right &= strcmp(host, "127.0.0.1") == 0;
  close(one);
  close(two);
  return right;
}

// A time after which a socket gives up.
static bool times_out(void) {
  struct pair it = sockets_new(SOCK_STREAM);
  struct timeval most = {0, 4000};
  char text[4];
  bool right = setsockopt(it.ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0;
  right &= recv(it.ends[0], text, 4, 0) == -1 && errno == EAGAIN;
  say_later(it.ends[1], "x");
  most.tv_sec = 10;
  setsockopt(it.ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  right &= read(it.ends[0], text, 4) == 1;
  end(it);
  return right;
}

// A pipe has room for less than this, and who reads it is an activity, too.
static bool pipes(void) {
  struct pair it = pipe_new();
  enum { SIZE = 300000 };
  char *sent = malloc(SIZE), *got = malloc(SIZE);
  for (int i = 0; i < SIZE; i++)
    sent[i] = (char)(i * 3 + i / 777);
  shared bool right = true;
  charcoal_activity writer;
  activate(&writer) {
    right &= write(it.ends[1], sent, SIZE / 2) == SIZE / 2;
    struct iovec pieces[] = {{sent + SIZE / 2, SIZE / 4}, {sent + SIZE / 2 + SIZE / 4, SIZE / 4}};
    right &= writev(it.ends[1], pieces, 2) == SIZE / 2;
    close(it.ends[1]);
  };
  charcoal_sleep(3);
  ssize_t more;
  size_t done = 0;
  while ((more = read(it.ends[0], got + done, SIZE - done)) > 0)
    done += (size_t)more;
  charcoal_join(&writer);
  right &= done == SIZE && memcmp(sent, got, SIZE) == 0;
  right &= pread(it.ends[0], got, 4, 0) == -1 && errno == ESPIPE;
  free(sent);
  free(got);
  close(it.ends[0]);
  return right;
}

static bool locks(void) {
  char name[] = "/tmp/charcoal-XXXXXX", text[8] = "";
  int one = mkstemp(name), two = open(name, O_RDWR);
  unlink(name);
  bool right = pwrite(one, "abcdef", 6, 0) == 6 && pread(two, text, 3, 2) == 3 && strcmp(text, "cde") == 0;
  right &= flock(one, LOCK_EX) == 0 && flock(two, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK;
  shared bool is_free = false;
  activate(NULL) {
    charcoal_sleep(5);
    is_free = true;
    flock(one, LOCK_UN);
  };
  right &= flock(two, LOCK_EX) == 0 && is_free;
  right &= lockf(one, F_LOCK, 0) == 0 && lockf(one, F_ULOCK, 0) == 0;
  close(one);
  close(two);
  return right;
}

static bool children(void) {
  int status = system("exit 3");
  bool right = WIFEXITED(status) && WEXITSTATUS(status) == 3 && system(NULL) != 0;
  shared bool both = true;
  charcoal_activity other;
  activate(&other) { both &= system("sleep 0.01") == 0; };
  right &= system("sleep 0.02; kill -TERM $$") == SIGTERM;
  charcoal_join(&other);
  pid_t id = fork();
  if (id == 0)
    _exit(5);
  return right && both && wait(&status) == id && WEXITSTATUS(status) == 5 && wait(&status) == -1 && errno == ECHILD;
}

// What waits ends with the error that says so, and the descriptors that it had are closed.
static bool cancels(void) {
  struct pair it = pipe_new();
  int before = dup(0);
  close(before);
  shared int ends = 0;
  charcoal_activity all[4];
  activate(&all[0]) {
    struct pollfd of[] = {{it.ends[0], POLLIN, 0}, {it.ends[0], POLLPRI, 0}};
    ends += poll(of, 2, 10000) == -1 && errno == ECANCELED;
  };
  activate(&all[1]) {
    struct timeval most = {10, 0};
    ends += select(0, NULL, NULL, NULL, &most) == -1 && errno == ECANCELED;
  };
  activate(&all[2]) {
    char text[4];
    ends += read(it.ends[0], text, 4) == -1 && errno == ECANCELED;
  };
  activate(&all[3]) { ends += system("sleep 0.2") == -1 && errno == ECANCELED; };
  charcoal_sleep(10);
  for (int i = 0; i < 4; i++)
    charcoal_cancel(&all[i]);
  for (int i = 0; i < 4; i++)
    charcoal_join(&all[i]);
  int after = dup(0);
  close(after);
  while (wait(NULL) > 0)
    continue;
  end(it);
  return ends == 4 && before == after;
}

int main(void) {
  static const struct {
    const char *name;
    bool (*holds)(void);
  } all[] = {
      {"poll", polls},     {"select", selects}, {"epoll", epolls}, {"messages", messages}, {"datagrams", datagrams},
      {"time", times_out}, {"pipes", pipes},    {"locks", locks},  {"children", children}, {"cancel", cancels},
  };
  shared unsigned turns = 0;
  shared bool is_over = false;
  charcoal_activity other;
  activate(&other) {
    while (!is_over) {
      turns++;
      charcoal_sleep(1);
    }
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    unsigned before = turns;
    bool right = all[i].holds();
    printf("%s: %s, %s\n", all[i].name, right ? "right" : "wrong", turns > before ? "others ran" : "nobody else ran");
  }
  is_over = true;
  charcoal_join(&other);
  return 0;
}
