/* SPDX-License-Identifier: MIT */
/*
 * A posse plays an environment by itself.
 */
#include "environment/environment.h"
#include "object/object.h"
#include "object/round.h"

/* The same stream with STREAM_SLOTS slots, or unchanged if there is no memory left. */
static posse_draw *play_enlarged(posse_draw *draw, arena *memory) {
    posse_draw *large = draw != NULL ? draw_make(memory, STREAM_SLOTS) : NULL;
    if (large == NULL) return draw;
    draw_start(large, draw->seed, draw->run, draw->stream, draw->position);
    return large;
}

/* Simulations play many rounds, so they switch to large random buffers, which are faster but take more memory. */
static void enlarge_streams(posse *p) {
    p->simulates = true;
    p->selector_draw = play_enlarged(p->selector_draw, &p->memory);
    p->ties_draw = play_enlarged(p->ties_draw, &p->memory);
    p->floor_draw = play_enlarged(p->floor_draw, &p->memory);
    for (int i = 0; i < p->count; i++) p->members[i].draw = play_enlarged(p->members[i].draw, &p->members[i].memory);
}

posse_error posse_restart(posse *p, uint32_t run) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    if (!p->simulates) enlarge_streams(p);
    object_begin(p, run);
    return POSSE_OK;
}

static bool spaces_match(const posse_space *a, const posse_space *b) {
    return a->arms == b->arms && a->dim == b->dim && a->features == b->features &&
           a->shared_features == b->shared_features;
}

posse_error run_prepare(posse *p, const posse_environment *e) {
    if (!spaces_match(p->space, e->space)) return POSSE_ERROR_FIT;
    for (int i = 0; i < p->count; i++)
        if (p->members[i].active && learner_is_external(p->members[i].ops)) return POSSE_ERROR_FIT;
    if (!p->simulates) enlarge_streams(p);
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
