/* SPDX-License-Identifier: MIT */
/*
 * The processes that share an experiment, as `mpirun -n N posse ..` starts them. Rank 0 writes the files and decides;
 * the others play blocks for it. Without mpirun, or without MPI in this build, there is only rank 0 and MPI is not
 * used. All of these functions are called by one thread.
 *
 * While an experiment runs, the others send rank 0 blocks, or say what went wrong. When rank 0 has all blocks, or has
 * to stop, it dismisses the others, and receives what they were still sending until all have answered. So no process is
 * left waiting.
 */
#ifndef POSSE_EXPERIMENT_PLAY_RANKS_H
#define POSSE_EXPERIMENT_PLAY_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANKS_TEXT 512

/* Joins the other ranks. NULL: it worked; otherwise what is wrong, in words. */
const char *ranks_begin(void);
void ranks_end(void);

int ranks_count(void);
int ranks_own(void);
int ranks_here(void); /* how many of them are on this machine */

/* All ranks call these at the same point, and all get the same answer. */
uint64_t ranks_first(uint64_t value); /* the value of rank 0 */
uint64_t ranks_largest(uint64_t value);
uint64_t ranks_sum(uint64_t value);

/* ---- rank 0 ---- */

/* Receives the next block of a rank; waits for it a tenth of a second at most. False: it has not come. */
bool ranks_receive(int from, void *block, size_t size);

/* Whether a rank cannot go on, and why, in its own words; the text is empty if it was told to stop. */
bool ranks_trouble(char text[RANKS_TEXT]);

/* Tells the others that the experiment is over for them. scratch: room for a block. */
void ranks_dismiss(void *scratch, size_t size);

/* ---- the others ---- */

/* Sends a block, and waits until it has arrived. */
void ranks_send(const void *block, size_t size);
void ranks_complain(const char *text);

/* Whether rank 0 has dismissed this rank, which then has answered. */
bool ranks_dismissed(void);

/* Lets a moment pass before a rank with nothing else to do asks again. */
void ranks_rest(void);

#endif
