/*
 * The processes that share an experiment, as `mpirun -n N posse ..` starts them. Rank 0 has the files and the say; the
 * others play blocks for it. Without mpirun, or without MPI in this build, there is rank 0 alone and MPI is not
 * touched. All of this is called by one thread.
 *
 * While an experiment runs, the others send rank 0 blocks, or trouble; when it has enough, for better or worse, it
 * dismisses them, and takes what was still on its way until all have answered. So nobody is left waiting.
 */
#ifndef POSSE_PLAY_RANKS_H
#define POSSE_PLAY_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANKS_TEXT 512

/* Joins the others. NULL: done; else what is wrong. */
const char *ranks_begin(void);
void ranks_end(void);

int ranks_count(void);
int ranks_own(void);
int ranks_here(void); /* how many there are on this machine */

/* What all ranks call at the same point; each gets the same answer. */
uint64_t ranks_first(uint64_t value); /* rank 0's */
uint64_t ranks_largest(uint64_t value);
uint64_t ranks_sum(uint64_t value);

/* ---- rank 0 ---- */

/* Receives the next block of a rank; waits for it a tenth of a second at most. */
bool ranks_receive(int from, void *block, size_t size);

/* Whether a rank is in trouble, and what it says of it, RANKS_TEXT bytes at most: nothing if it was told to stop. */
bool ranks_trouble(char text[RANKS_TEXT]);

/* Ends the others' part of the experiment. scratch: a block's memory. */
void ranks_dismiss(void *scratch, size_t size);

/* ---- the others ---- */

/* Sends a block, and waits until it has arrived. */
void ranks_send(const void *block, size_t size);
void ranks_complain(const char *text);

/* Whether rank 0 has dismissed this one, which then has answered. */
bool ranks_dismissed(void);

/* For who has nothing to do but to ask again: lets a moment pass. */
void ranks_rest(void);

#endif
