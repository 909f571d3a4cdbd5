/* SPDX-License-Identifier: MIT */
/*
 * A run: one posse, or one learner alone, plays one instance.
 */
#ifndef POSSE_OBJECT_RUN_H
#define POSSE_OBJECT_RUN_H

#include "base/lockstep.h"
#include "environment/environment.h"
#include "object/object.h"

/* Puts posse and environment before the first round of a run. */
static inline void run_begin(posse *p, posse_environment *e, uint32_t run) {
    posse_environment_begin(e, run);
    object_begin(p, run);
}

/*
 * Whether the posse can play this environment by itself (play.c). It also enlarges the posse's streams, which is
 * faster but takes more memory.
 */
posse_error run_prepare(posse *p, const posse_environment *e);

/* One round: the selector chooses a learner, the learner picks an arm, and both learn the environment's reward. */
static inline posse_error run_round(posse *p, posse_environment *e, posse_decision *d) {
    const posse_round *brought, *round;
    posse_round room;
    posse_error error = environment_bring(e, &brought);
    if (error == POSSE_OK) error = context_of_environment(p, brought, &room, &round);
    if (error == POSSE_OK) error = object_choose(p, round, d);
    lockstep();
    if (error != POSSE_OK) return error;
    double reward = environment_reward(e, d);
    if (!object_reward_fits(p, reward)) return POSSE_ERROR_REWARD;
    if (p->space->episodes) d->point = environment_episode(e);
    object_settle(p, d, reward);
    return POSSE_OK;
}

#endif
