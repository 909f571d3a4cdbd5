/*
 * What started this process: mpirun and its kin say in the environment how many they have started, and which this is.
 */
#ifndef POSSE_PLAY_LAUNCHER_H
#define POSSE_PLAY_LAUNCHER_H

#include <stdbool.h>

bool launcher_has_many(void);        /* this process is one of several */
bool launcher_has_one_machine(void); /* and all of them are known to be on this machine */
int launcher_rank(void);             /* 0 also where it is the only one */

/* Of several processes one speaks: standard output and error of all but rank 0 go nowhere from here on. */
void launcher_silence(void);

#endif
