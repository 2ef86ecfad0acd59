// What the benchmarks measure with: clocks, and the memory of the process.
#pragma once

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline double nanoseconds(clockid_t of) {
  struct timespec t;
  clock_gettime(of, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Processor time of the process, its own and the system's for it.
static inline double now(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

static inline long resident(void) {
  long size = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file)
    return 0;
  if (fscanf(file, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

// The most memory that there has been, in kilobytes.
static inline long peak(void) {
  char line[128];
  long most = 0;
  FILE *file = fopen("/proc/self/status", "r");
  if (!file)
    return 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, "VmHWM:", 6) == 0 && sscanf(line + 6, "%ld", &most) == 1)
      break;
  fclose(file);
  return most;
}
