// The children of `system` (commands.c).
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// While a command runs, what is meant for it does not end the program. Returns which of SIGINT (1) and SIGQUIT (2) it
// does not ignore.
unsigned command_begins(void);
void command_ends(void);
// Starts one, by a function that gives an error; nobody else hears of its end from then on.
int command_start(int (*start)(void *with, pid_t *child), void *with, pid_t *child);
// Whether a child that somebody has heard of is one.
bool command_heard(pid_t child, int status);
// Whether somebody has heard of the end of one. Then it is done.
bool command_take(pid_t child, int *status);
// It goes on, but nobody waits for it.
void command_leave(pid_t child);
void command_done(pid_t child);
