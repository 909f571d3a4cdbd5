/*
 * Runs abreast: a group of runs is played at once, one run in each lane of the processor's vector unit. Each run is the
 * same as by posse_play, to the last bit; it is only faster. It is for simulations with thousands of runs; applications
 * have no use for it, and posse.h does without it.
 *
 * It works for the environment `gaussian` and the learners `ucb` and `thompson` with a gaussian belief, alone or under
 * `bms` with a gaussian belief and batch 1; and only up to a number of arms and learners beyond which it would not be
 * faster.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_ABREAST_H
#define POSSE_ABREAST_H

#include "posse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct posse_abreast posse_abreast;

/*
 * Makes a group of runs of an environment, which must outlive the group; to be freed with posse_abreast_free.
 * POSSE_ERROR_ABSENT: runs of this environment cannot be played abreast.
 */
POSSE_API posse_error posse_abreast_create(const posse_environment *e, posse_abreast **out);
POSSE_API void posse_abreast_free(posse_abreast *a);

/* How many runs are played at once. */
POSSE_API size_t posse_abreast_width(const posse_abreast *a);

/* For how many rounds at a time the noise is made. */
POSSE_API size_t posse_abreast_stretch(const posse_abreast *a);

/*
 * Adds a posse of the environment's seed, which must outlive the group: the first is competitor 0, the next 1. The
 * posse itself is not played, and what it has learned so far does not matter. All competitors are then before the first
 * round. POSSE_ERROR_ABSENT: it cannot be played abreast.
 */
POSSE_API posse_error posse_abreast_add(posse_abreast *a, const posse *p);

/* Puts every competitor before the first round of the runs first, …, first + width - 1. */
POSSE_API posse_error posse_abreast_begin(posse_abreast *a, uint32_t first);

/*
 * Lets a competitor play `rounds` rounds; it goes on where its last stretch ended. The trace, which may be NULL, has an
 * entry for each round and run: those of one round are side by side. The noise of a stretch is made once for all
 * competitors if they play it one after the other, posse_abreast_stretch rounds at a time.
 */
POSSE_API posse_error posse_abreast_play(posse_abreast *a, int competitor, size_t rounds, const posse_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
