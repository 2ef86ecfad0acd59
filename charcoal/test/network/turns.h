// What differs between activities and the threads of plain C, to which they are compared.
#pragma once
#include "network.h"

// A file to lock, and how many hold it, for all processes.
extern const char *lock_path;
extern int *inside;

// Runs nodes beside one another; activities stand in so many threads.
void run_parts(int parts, int nodes, void (*node)(int));
// Runs the same twice, beside one another.
void run_both(void (*part)(void *with, int which), void *with);
// Changes something of all in more than one step, as a whole.
void whole_block(struct dice *dice);
// Something that waits for ever is told not to.
uint32_t cancels(struct dice *dice);
