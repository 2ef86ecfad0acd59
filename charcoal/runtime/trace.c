// What activities do and when, as a file that Perfetto (ui.perfetto.dev) and Chrome's tracing open:
// CHARCOAL_TRACE=file.
//
// The format is that of Trace Events (JSON, "Trace Event Format", Chromium). Each thread has its turns, named after the
// activities; each activity has a line of its own with its life and with what it waits for.
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

bool trace_is_on;

static FILE *out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *separator = "[\n";
static pid_t owner;

// Microseconds.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

// With a point, whatever the language is.
static void number(double it) {
  long long thousandths = (long long)(it * 1000);
  fprintf(out, "%lld.%03lld", thousandths / 1000, thousandths % 1000);
}

static void text(const char *it) {
  putc('"', out);
  for (; *it; it++) {
    unsigned char c = (unsigned char)*it;
    if (c == '"' || c == '\\')
      putc('\\', out);
    // Whatever the encoding is, what comes out is one.
    if (c >= 0x80)
      fprintf(out, "\\u%04x", c);
    else if (c >= ' ')
      putc(c, out);
  }
  putc('"', out);
}

void trace_end(void) {
  pthread_mutex_lock(&lock);
  // A child has what its parent has not written yet, too, and is none that it tells of.
  if (out && owner == getpid()) {
    fputs("\n]\n", out);
    fclose(out);
  }
  out = NULL;
  trace_is_on = false;
  pthread_mutex_unlock(&lock);
}

void trace_begin(void) {
  const char *name = getenv("CHARCOAL_TRACE");
  pthread_mutex_lock(&lock);
  if (name && !out) {
    out = fopen(name, "we");
    if (!out)
      perror(name);
    owner = getpid();
    trace_is_on = out;
    // A program that this one starts would write over it.
    unsetenv("CHARCOAL_TRACE");
    if (out)
      atexit(trace_end);
  }
  pthread_mutex_unlock(&lock);
}

void trace_forks(void) {
  if (!trace_is_on)
    return;
  pthread_mutex_lock(&lock);
  if (out)
    fflush(out);
  pthread_mutex_unlock(&lock);
}

void trace_forked(void) {
  pthread_mutex_init(&lock, NULL);
  trace_is_on = false;
}

// The beginning of an event: what is alike in all. The caller has the lock.
static void event(char phase, const char *name, double at) {
  fputs(separator, out);
  separator = ",\n";
  fprintf(out, "{\"ph\":\"%c\",\"pid\":%d,\"tid\":%d,\"ts\":", phase, getpid(), gettid());
  number(at);
  fputs(",\"name\":", out);
  text(name ? name : "(none)");
}

static void of_activity(char phase, const char *name, const charcoal_activity *activity, double at) {
  event(phase, name, at);
  // The memory may be that of another one later.
  fprintf(out, ",\"cat\":\"activity\",\"id\":\"%p\"}", (const void *)activity);
}

static bool enter(void) {
  pthread_mutex_lock(&lock);
  if (out)
    return true;
  pthread_mutex_unlock(&lock);
  return false;
}

void trace_born(const charcoal_activity *activity) {
  if (!enter())
    return;
  of_activity('b', activity->name, activity, now());
  pthread_mutex_unlock(&lock);
}

double trace_now(void) { return now(); }

void trace_turn(const charcoal_activity *activity, double begun, bool is_done) {
  if (!enter())
    return;
  double at = now();
  event('X', activity->name, begun);
  fputs(",\"cat\":\"turn\",\"dur\":", out);
  number(at - begun);
  putc('}', out);
  if (is_done)
    of_activity('e', activity->name, activity, at);
  else
    of_activity('b', place_of(activity), activity, at);
  pthread_mutex_unlock(&lock);
}

void trace_resumed(const charcoal_activity *activity) {
  if (!enter())
    return;
  of_activity('e', place_of(activity), activity, now());
  pthread_mutex_unlock(&lock);
}
