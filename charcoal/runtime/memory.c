// Memory of frames and of locals: lists of blocks of one size, for each thread.
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define STEP POOL_STEP
#define CLASSES POOL_CLASSES
#define CHUNK 65536

static __thread char *chunk, *chunk_end;

// What threads have left that have ended.
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *spare[CLASSES + 1];

// What is left of a chunk.
struct rest {
  struct rest *next;
  char *end;
};
static struct rest *rests;

// What is large. A program may have a `malloc` of its own, which is called here in the middle of a suspension.
static void *own_malloc(size_t size) {
  struct charcoal_thread *t = here();
  int flag = t->flag;
  t->flag = RUNS;
  t->depth += 1;
  void *memory = malloc(size);
  t->depth -= 1;
  t->flag = flag;
  return memory;
}

static struct block *take_spare(size_t class) {
  if (!__atomic_load_n(&spare[class], __ATOMIC_RELAXED))
    return NULL;
  pthread_mutex_lock(&spare_lock);
  struct block *all = spare[class];
  spare[class] = NULL;
  pthread_mutex_unlock(&spare_lock);
  return all;
}

static void give_spare(struct block *first, size_t class) {
  if (!first)
    return;
  struct block *last = first;
  while (last->next)
    last = last->next;
  last->next = spare[class];
  __atomic_store_n(&spare[class], first, __ATOMIC_RELAXED);
}

void memory_end(void) {
  pthread_mutex_lock(&spare_lock);
  for (size_t class = 0; class <= CLASSES; class ++) {
    give_spare(charcoal_thread.free[class], class);
    charcoal_thread.free[class] = NULL;
  }
  if ((size_t)(chunk_end - chunk) >= sizeof(struct rest)) {
    struct rest *rest = (struct rest *)(void *)chunk;
    *rest = (struct rest){rests, chunk_end};
    __atomic_store_n(&rests, rest, __ATOMIC_RELAXED);
  }
  chunk = chunk_end = NULL;
  pthread_mutex_unlock(&spare_lock);
}

// A chunk that has room for so much, begun by a thread that has ended.
static bool take_rest(size_t size) {
  if (!__atomic_load_n(&rests, __ATOMIC_RELAXED))
    return false;
  pthread_mutex_lock(&spare_lock);
  struct rest *rest = rests;
  bool fits = rest && (size_t)(rest->end - (char *)rest) >= size;
  if (fits)
    rests = rest->next;
  pthread_mutex_unlock(&spare_lock);
  if (fits) {
    chunk = (char *)rest;
    chunk_end = rest->end;
  }
  return fits;
}

static void *take_new(size_t size) {
  if ((size_t)(chunk_end - chunk) < size && !take_rest(size)) {
    // Not `malloc`, since a program's own one may have local variables that are taken here.
    char *more = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
      return NULL;
    chunk = more;
    chunk_end = more + CHUNK;
  }
  void *block = chunk;
  chunk += size;
  return block;
}

void *pool_take_more(size_t size) {
  size_t class = (size + STEP - 1) / STEP;
  if (class > CLASSES)
    return own_malloc(size);
  struct block *block = take_spare(class);
  if (!block)
    return take_new(class * STEP + (class == 0 ? STEP : 0));
  charcoal_thread.free[class] = block->next;
  return block;
}

// Arrays of variable length: each in front of the one that was made before it.
struct array {
  struct array *next;
  size_t is_left; // it was taken in atomic code
  struct left_block block;
  char data[];
};

static void *take_in_signal(struct signal_memory *memory, size_t size) {
  size = (size + STEP - 1) / STEP * STEP;
  if (sizeof memory->bytes - memory->used < size) {
    void *more = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
      charcoal_die("out of memory for local variables of a signal handler");
    return more;
  }
  void *block = memory->bytes + memory->used;
  memory->used += size;
  return block;
}

// Blocks are given back in the reverse order.
static void give_in_signal(struct signal_memory *memory, void *block, size_t size) {
  uintptr_t at = (uintptr_t)block, begin = (uintptr_t)memory->bytes;
  if (at >= begin && at < begin + sizeof memory->bytes)
    memory->used = at - begin;
  else
    munmap(block, (size + STEP - 1) / STEP * STEP);
}

void memory_forked(void) { pthread_mutex_init(&spare_lock, NULL); }

static void *left_take(struct left_block *block, size_t size) {
  *block = (struct left_block){charcoal_thread.blocks, size};
  charcoal_thread.blocks = block;
  return block + 1;
}

void left_give(struct left_block *block) {
  charcoal_thread.blocks = block->below;
  if (block->size)
    pool_give(block, block->size);
  else
    free((char *)block - offsetof(struct array, block));
}

void *charcoal_locals(size_t size);
void *charcoal_locals(size_t size) {
  struct charcoal_thread *t = &charcoal_thread;
  if (__builtin_expect(t->in_signal != NULL, false))
    return take_in_signal(t->in_signal, size);
  bool is_atomic = t->depth > 0;
  size += is_atomic ? sizeof(struct left_block) : 0;
  void *block = pool_take(size);
  if (!block)
    charcoal_die("out of memory for local variables");
  return is_atomic ? left_take(block, size) : block;
}

void charcoal_locals_free(void *block, size_t size);
void charcoal_locals_free(void *block, size_t size) {
  struct charcoal_thread *t = &charcoal_thread;
  if (__builtin_expect(t->in_signal != NULL, false))
    give_in_signal(t->in_signal, block, size);
  else if (t->blocks == (struct left_block *)block - 1)
    left_give(t->blocks);
  else
    pool_give(block, size);
}

void *charcoal_array(struct array **chain, size_t size);
void *charcoal_array(struct array **chain, size_t size) {
  size_t whole;
  struct array *array = __builtin_add_overflow(sizeof *array, size, &whole) ? NULL : malloc(whole);
  if (!array)
    charcoal_die("out of memory for an array on the stack");
  array->next = *chain;
  *chain = array;
  array->is_left = charcoal_thread.depth > 0;
  return array->is_left ? left_take(&array->block, 0) : array->data;
}

// Since atomic code may end before a function does, other blocks may stand above.
static void forget(const struct left_block *block) {
  struct left_block **at = &charcoal_thread.blocks;
  while (*at != block)
    at = &(*at)->below;
  *at = block->below;
}

void charcoal_arrays_free(struct array **chain, struct array *down_to);
void charcoal_arrays_free(struct array **chain, struct array *down_to) {
  while (*chain && *chain != down_to) {
    struct array *array = *chain;
    *chain = array->next;
    if (array->is_left)
      forget(&array->block);
    free(array);
  }
}

void charcoal_die(const char *what) {
  const charcoal_activity *current = charcoal_thread.current;
  fprintf(stderr, "charcoal: %s, in activity %s\n", what, current && current->name ? current->name : "(none)");
  trace_end();
  abort();
}
