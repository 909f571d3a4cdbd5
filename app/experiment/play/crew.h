/* SPDX-License-Identifier: MIT */
/*
 * A crew: the threads of this process that play blocks of runs. It plays the blocks that are its own, beginning with a
 * given one, and hands them over in order, whichever is finished first.
 */
#ifndef POSSE_EXPERIMENT_PLAY_CREW_H
#define POSSE_EXPERIMENT_PLAY_CREW_H

#include "experiment/play/flights.h"

typedef struct crew crew;

typedef struct crew_plan {
    uint32_t first;                /* the block to begin with */
    bool (*plays)(uint32_t index); /* whether a block is this crew's */
    int threads;
    flights *flights; /* they play the runs, and the threads make blocks of them; NULL: the threads play */
} crew_plan;

/* Begins to play; to be ended with crew_end. NULL: there was no memory, or no thread could be started. */
crew *crew_begin(const agenda *a, const crew_plan *plan);

/*
 * Waits for the next block, a tenth of a second at most. Returns how many blocks are ready, `most` at most: those in
 * `blocks`, which are on loan until crew_release. 0: there is none yet, or there are no more.
 */
size_t crew_await(crew *c, const block **blocks, size_t most);
void crew_release(crew *c, size_t count);

/* What went wrong, in words; NULL: nothing. */
const char *crew_problem(crew *c);

uint64_t crew_rounds(const crew *c); /* played so far */
int crew_threads(const crew *c);     /* how many play: maybe fewer than planned, with the same results */

/* Stops playing, in the middle of a run if need be, and frees the crew. NULL is fine. */
void crew_end(crew *c);

#endif
