/*
 * Runs abreast: a group of runs is played at once, one run in each lane of the processor's vector unit. Each run has
 * the same results as by posse_play, to the last bit, but takes less time. This is for simulations with thousands of
 * runs; applications have no use for it.
 *
 * It works for the environment `gaussian` and the learners `ucb` and `thompson` with a gaussian belief, alone or under
 * `bms`, or `bms-plus` with a budget of 0, with a gaussian belief and batch 1. The options `drift`, `window`,
 * `discount` and `floor`, and `prior.mean-sd` of the environment, are not supported. The number of arms and learners is
 * limited to those for which runs abreast are faster.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_ABREAST_H
#define POSSE_ABREAST_H

#include "posse_simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================ groups of runs ================================================== */

typedef struct posse_abreast posse_abreast;

/*
 * Creates a group of runs of an environment, which must outlive the group. Free it with posse_abreast_free.
 * POSSE_ERROR_ABSENT: runs of this environment cannot be played abreast.
 */
POSSE_API posse_error posse_abreast_create(const posse_environment *e, posse_abreast **out);
POSSE_API void posse_abreast_free(posse_abreast *a);

/* The number of runs that are played at once. */
POSSE_API size_t posse_abreast_width(const posse_abreast *a);

/* The number of rounds for which noise is drawn at a time. */
POSSE_API size_t posse_abreast_stretch(const posse_abreast *a);

/*
 * Adds a posse as a competitor: the first is competitor 0, the next 1. The posse must have the environment's seed, and
 * must outlive the group. It is not played itself, and what it has learned so far does not matter. The call puts all
 * competitors before their first round. POSSE_ERROR_ABSENT: the posse cannot be played abreast.
 */
POSSE_API posse_error posse_abreast_add(posse_abreast *a, const posse *p);

/* Puts every competitor before the first round of the runs first, …, first + width - 1. */
POSSE_API posse_error posse_abreast_begin(posse_abreast *a, uint32_t first);

/*
 * Lets a competitor play `rounds` rounds, from where its last call ended. The trace, which may be NULL, has an entry
 * for each round and run; the entries of one round are side by side. If the competitors play posse_abreast_stretch
 * rounds at a time, one competitor after the other, the noise is drawn only once for all of them.
 */
POSSE_API posse_error posse_abreast_play(posse_abreast *a, int competitor, size_t rounds, const posse_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
