/* SPDX-License-Identifier: MIT */
/*
 * What started this process. mpirun and similar programs set environment variables with the number of processes that
 * they have started, and the rank of this one.
 */
#ifndef POSSE_EXPERIMENT_PLAY_LAUNCHER_H
#define POSSE_EXPERIMENT_PLAY_LAUNCHER_H

#include <stdbool.h>

bool launcher_is_there(void);        /* such a program started this process, alone or among others */
bool launcher_has_many(void);        /* this process is one of several */
bool launcher_has_one_machine(void); /* all of them are known to be on this machine */
int launcher_rank(void);             /* 0 if this process is the only one */

/* Of several processes only rank 0 prints: standard output and error of the others are discarded from here on. */
void launcher_silence(void);

#endif
