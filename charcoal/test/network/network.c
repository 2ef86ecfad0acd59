// A random network of nodes, some in processes of their own, prints what came through it. All take part in the messages
// in one order, so none waits for ever, and what each receives is the same however they are scheduled.
//   network SEED
#include "turns.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_NODES 12
#define MOST_MESSAGES 100

const char *lock_path;
int *inside;
static uint64_t seed;
static int messages;
static struct message all[MOST_MESSAGES];
static struct link links[MOST_NODES][MOST_NODES];
static int is_process[MOST_NODES];
static uint32_t sums[MOST_NODES];

static uint32_t take_part(int id) {
  struct dice dice = {seed * 100 + (uint64_t)id};
  uint32_t sum = (uint32_t)id;
  for (int i = 0; i < messages; i++) {
    const struct message *message = &all[i];
    const struct link *link = &links[message->from][message->to];
    if (message->from == id)
      message_send(link, message);
    else if (message->to == id)
      sum = sum * 17 + message_receive(link, message);
    else
      continue;
    if (roll(&dice, 3) == 0)
      sum = sum * 13 + interlude(&dice);
  }
  return sum;
}

static void node(int id) {
  if (!is_process[id]) {
    sums[id] = take_part(id);
    return;
  }
  int ends[2], status;
  if (pipe2(ends, O_CLOEXEC))
    fail("pipe");
  pid_t child = fork();
  if (child == 0) {
    uint32_t sum = take_part(id);
    _exit(write(ends[1], &sum, sizeof sum) != sizeof sum);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &sums[id], sizeof sums[id]) != sizeof sums[id] || close(ends[0]))
    fail("a process");
  if (waitpid(child, &status, 0) != child || status != 0)
    fail("the end of a process");
}

static uint32_t size_of(enum link_kind kind, struct dice *dice) {
  uint32_t large = 1 + roll(dice, kind == PACKETS ? 60000 : kind == TERMINAL ? 3000 : 300000);
  return roll(dice, 4) == 0 ? large : 1 + roll(dice, 200);
}

int main(int count, char **arguments) {
  char lock[] = "/tmp/network-lock-XXXXXX";
  seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
  struct dice dice = {seed};
  int nodes = 2 + (int)roll(&dice, MOST_NODES - 1), parts = 1 + (int)roll(&dice, 3), file = mkstemp(lock);
  inside = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (file < 0 || close(file) || inside == MAP_FAILED)
    fail("a file to lock");
  lock_path = lock;
  for (int i = 0; i < nodes; i++)
    is_process[i] = roll(&dice, 5) == 0;
  messages = 5 + (int)roll(&dice, MOST_MESSAGES - 4);
  for (int i = 0; i < messages; i++) {
    int from = (int)roll(&dice, (uint32_t)nodes), to = (from + 1 + (int)roll(&dice, (uint32_t)nodes - 1)) % nodes;
    struct link *link = &links[from][to];
    if (!link->from)
      link_make(link, roll(&dice, LINK_KINDS));
    all[i] = (struct message){
        from, to, size_of(link->kind, &dice), roll(&dice, 1000000), roll(&dice, 1000), roll(&dice, 1000)};
  }
  run_parts(parts, nodes, node);
  for (int i = 0; i < nodes; i++)
    printf("%d %u\n", i, sums[i]);
  return unlink(lock);
}
