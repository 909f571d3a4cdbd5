/* SPDX-License-Identifier: MIT */
/*
 * The processes that share an experiment, as `mpirun -n N posse ..` starts them. Rank 0 writes the files and decides;
 * the others play blocks for it. Without mpirun, or without MPI in this build, there is only rank 0 and MPI is not
 * used. All of these functions are called by one thread.
 *
 * While an experiment runs, the others send blocks to rank 0, or report what went wrong. When rank 0 has all blocks, or
 * has to stop, it dismisses the others, and receives what they are still sending until all have answered. So no process
 * is left waiting.
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

/* Receives the next block of a rank; waits for it a tenth of a second at most. False: it has not arrived. */
bool ranks_receive(int from, void *block, size_t size);

/* Whether a rank has stopped, and why, in words; the text is empty if it was stopped from outside, by a signal. */
bool ranks_trouble(char text[RANKS_TEXT]);

/* Ends the experiment for the other ranks. scratch: room for a block. */
void ranks_dismiss(void *scratch, size_t size);

/* ---- the others ---- */

/* Sends a block, and waits until it has arrived. */
void ranks_send(const void *block, size_t size);
void ranks_complain(const char *text);

/* Whether rank 0 has dismissed this rank. If so, this call has sent the answer. */
bool ranks_dismissed(void);

/* Pauses before a rank that has nothing to do asks again. */
void ranks_rest(void);

#endif
