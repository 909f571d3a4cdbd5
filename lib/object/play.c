/* SPDX-License-Identifier: MIT */
/*
 * A posse plays an environment by itself.
 */
#include "environment/environment.h"
#include "object/object.h"
#include "object/run.h"

posse_error posse_restart(posse *p, uint32_t run) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    streams_simulate(p);
    object_begin(p, run);
    return POSSE_OK;
}

static bool spaces_match(const posse_space *a, const posse_space *b) {
    return a->arms == b->arms && a->dim == b->dim && a->features == b->features &&
           a->shared_features == b->shared_features && a->episodes == b->episodes && a->nonzeros == b->nonzeros;
}

posse_error run_prepare(posse *p, const posse_environment *e) {
    if (!spaces_match(p->space, e->space)) return POSSE_ERROR_FIT;
    for (int i = 0; i < p->count; i++)
        if (p->members[i].active && p->members[i].external) return POSSE_ERROR_FIT;
    streams_simulate(p);
    return POSSE_OK;
}

posse_error posse_play(posse *p, posse_environment *e, size_t rounds, const posse_trace *trace) {
    if (p == NULL || e == NULL) return POSSE_ERROR_ARGUMENT;
    if (e->ops->logbook != NULL) return POSSE_ERROR_FIT;
    posse_error error = run_prepare(p, e);
    if (error != POSSE_OK) return error;
    const posse_trace nobody_asks = {0};
    if (trace == NULL) trace = &nobody_asks;
    for (size_t i = 0; i < rounds; i++) {
        posse_decision d;
        error = run_round(p, e, &d);
        if (error != POSSE_OK) return error;
        if (trace->learners != NULL) trace->learners[i] = d.learner;
        if (trace->arms != NULL) trace->arms[i] = d.arm;
        if (trace->floors != NULL) trace->floors[i] = d.floor;
        if (trace->regrets != NULL) trace->regrets[i] = environment_regret(e, &d);
    }
    return POSSE_OK;
}
