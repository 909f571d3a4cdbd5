/* SPDX-License-Identifier: MIT */
/*
 * Contexts: an application's description of a round is checked and becomes a posse_round, or is refused.
 */
#include <math.h>
#include <string.h>

#include "object/object.h"

int posse_feature_count(const posse *p) {
    return p != NULL ? p->space->features : 0;
}

int posse_shared_feature_count(const posse *p) {
    return p != NULL ? p->space->shared_features : 0;
}

/* Writes to the log what is wrong with a context, or with its number or arm at an index. */
#define REFUSE(p, name, index, ...)                                                                                    \
    (complain(&(p)->host.log, &(posse_place){&(posse_place){NULL, "context", -1}, name, index}, NULL, __VA_ARGS__),    \
     POSSE_ERROR_CONTEXT)

posse_error context_missing(const posse *p) {
    complain(&p->host.log, NULL, "context", "is missing; rounds have %d features", p->space->features);
    return POSSE_ERROR_CONTEXT;
}

posse_error context_reserve(const posse_space *space, arena *memory, double **out) {
    bool both = space->shared_features > 0 && space->features > space->shared_features;
    *out = NULL;
    if (!both) return POSSE_OK;
    *out = arena_allocate(memory, (size_t)space->arms * (size_t)space->features * sizeof **out);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error check_arm(const posse *p, bool past, const int *arms, int k) {
    if (arms[k] < 0 || arms[k] >= p->space->arms)
        return REFUSE(p, "arms", k, "there is no arm %d, only 0 to %d", arms[k], p->space->arms - 1);
    if (!past && !space_has(p->space, arms[k])) return REFUSE(p, "arms", k, "arm %d is retired", arms[k]);
    if (k > 0 && arms[k] == arms[k - 1]) return REFUSE(p, "arms", k, "arm %d is there twice", arms[k]);
    if (k > 0 && arms[k] < arms[k - 1])
        return REFUSE(p, "arms", k, "arm %d comes after arm %d; the numbers must rise", arms[k], arms[k - 1]);
    return POSSE_OK;
}

static posse_error context_read_arms(const posse *p, bool past, const posse_context *c, posse_round *out) {
    const posse_space *space = p->space;
    bool all = c->count == 0 && c->arms == NULL;
    if (c->count < 0 || (c->count == 0 && !all))
        return REFUSE(p, "count", -1, "%d arms; a round has at least one arm", c->count);
    if (c->count > space->arms)
        return REFUSE(p, "count", -1, "%d arms, and there are only %d in all", c->count, space->arms);
    out->count = all ? space->active_count : c->count;
    out->arms = all && space->active != NULL ? space->active : c->arms != NULL ? c->arms : space->every;
    posse_error error = POSSE_OK;
    for (int k = 0; k < out->count && error == POSSE_OK; k++) error = check_arm(p, past, out->arms, k);
    return error;
}

/* Whether all numbers are valid features. The loop has no early exit, so that the compiler can vectorise it. */
static bool all_fit(const double *numbers, size_t count) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) wrong |= !(fabs(numbers[i]) <= FEATURE_MAX);
    return !wrong;
}

static posse_error check_numbers(const posse *p, const char *name, const double *numbers, size_t count) {
    if (count == 0 && numbers != NULL) return REFUSE(p, name, -1, "given, but rounds of this posse have none");
    if (count > 0 && numbers == NULL) return REFUSE(p, name, -1, "is missing; there must be %zu numbers", count);
    if (all_fit(numbers, count)) return POSSE_OK;
    size_t i = 0;
    while (fabs(numbers[i]) <= FEATURE_MAX) i++;
    return REFUSE(p, name, (int)i, "%g is no feature; they must be finite and at most %g", numbers[i], FEATURE_MAX);
}

/* Writes the features of each arm: its own, followed by the shared ones. */
static void context_join(const posse *p, const posse_context *c, posse_round *out) {
    size_t own = (size_t)(p->space->features - p->space->shared_features), shared = (size_t)p->space->shared_features;
    for (size_t k = 0; k < (size_t)out->count; k++) {
        double *row = p->features + k * (own + shared);
        memcpy(row, c->points + k * own, own * sizeof *row);
        memcpy(row + own, c->shared, shared * sizeof *row);
    }
}

/* past: some arms may be retired by now. */
static posse_error read_context(const posse *p, bool past, const posse_context *c, posse_round *out) {
    const posse_space *space = p->space;
    if (!space_has_contexts(space)) {
        complain(&p->host.log, NULL, "context", "given, but rounds of this posse have no features");
        return POSSE_ERROR_CONTEXT;
    }
    size_t own = (size_t)(space->features - space->shared_features);
    posse_error error = context_read_arms(p, past, c, out);
    if (error == POSSE_OK) error = check_numbers(p, "shared", c->shared, (size_t)space->shared_features);
    if (error == POSSE_OK) error = check_numbers(p, "points", c->points, (size_t)out->count * own);
    if (error != POSSE_OK) return error;
    out->width = space->features;
    out->stride = own > 0 ? (size_t)out->width : 0;
    out->features = own == 0 ? c->shared : p->features != NULL ? p->features : c->points;
    if (p->features != NULL) context_join(p, c, out);
    return POSSE_OK;
}

posse_error context_to_round(const posse *p, const posse_context *c, posse_round *out) {
    return read_context(p, false, c, out);
}

posse_error context_past_play(const posse *p, const posse_action *action, posse_round *room, const posse_round **out,
                              const double **features) {
    *out = NULL;
    if (action->context == NULL) return context_none(p);
    posse_error error = read_context(p, true, action->context, room);
    if (error != POSSE_OK) return error;
    int place_ = round_place(room, action->arm);
    if (place_ < 0) return REFUSE(p, "arms", -1, "arm %d is not among them", action->arm);
    *features = round_features(room, place_);
    *out = room;
    return POSSE_OK;
}
