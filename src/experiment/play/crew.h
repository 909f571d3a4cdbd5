/*
 * A crew: the threads of this process that play blocks of runs. It plays those that are its own, from a first one on,
 * and hands them over in order, whoever finishes first.
 */
#ifndef POSSE_PLAY_CREW_H
#define POSSE_PLAY_CREW_H

#include "experiment/record/block.h"

typedef struct crew crew;

typedef struct crew_plan {
    uint32_t first;                /* block */
    bool (*plays)(uint32_t index); /* whether a block is this crew's */
    int threads;
} crew_plan;

/* Begins to play. To be ended with crew_end. NULL: no memory, or no thread. */
crew *crew_begin(const agenda *a, const crew_plan *plan);

/* The next block, on loan until crew_release; waits for it a tenth of a second at most. NULL: not yet, or no more. */
const block *crew_await(crew *c);
void crew_release(crew *c);

/* What went wrong, in words; NULL: nothing. */
const char *crew_problem(crew *c);

uint64_t crew_rounds(const crew *c); /* played so far */
int crew_threads(const crew *c);     /* fewer than planned are fine: the results are the same */

/* Stops playing, in the middle of a run if need be, and frees the crew. NULL is fine. */
void crew_end(crew *c);

#endif
