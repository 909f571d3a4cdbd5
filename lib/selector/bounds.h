/* SPDX-License-Identifier: MIT */
/*
 * Candidate regret bounds, which balancing and dynamic-balancing share. Every learner has a number d_i: its regret
 * after n plays is taken to be at most R_i(n) = d_i sqrt(n). Among the active learners, the one whose bound, times a
 * weight, is smallest at its number of plays is chosen; ties go to the lowest index. Each selector decides which
 * learners are active. Both test whether a learner's bound can explain how little it has earned.
 *
 * The choice counts plays when they are made. The test counts the rewards that have arrived.
 */
#ifndef POSSE_SELECTOR_BOUNDS_H
#define POSSE_SELECTOR_BOUNDS_H

#include "selector/earnings.h"
#include "selector/selector.h"

#define PARAMETER_COEFFICIENTS                                                                                         \
    {                                                                                                                  \
        .name = "coefficients", .type = POSSE_TYPE_REALS, .flags = POSSE_PARAM_REQUIRED, .low = SCALE_MIN,             \
        .high = SCALE_MAX, .help = "d: the regret of learner i is taken to be at most d_i sqrt(n) in n plays"          \
    }

typedef struct bounds_plan {
    int places;
    confidence confidence;
    const double *coefficients; /* d, of every place */
    const double *slopes;       /* the least slope_i sqrt(n_i) is chosen */
} bounds_plan;

/*
 * The state: the number of learners, then the earnings of every place, then for every place 1 if it has a learner, else
 * 0. The charge is slope_i^2 n_i instead of its square root: bounds that are equal on paper are then equal in floating
 * point too, as long as slope_i^2 is exact.
 */
typedef struct bounds_view {
    double *learners;
    earnings *earnings;
    double *there;
} bounds_view;

bounds_view bounds_of(const bounds_plan *p, const void *state);

/*
 * Expands a setting of type POSSE_TYPE_REALS to one number for every place. The setting is one number for all, or a
 * list with one number for each founder. A learner that joins later gets the largest number of the list.
 */
posse_error bounds_numbers(const posse_setup *setup, const posse_option *setting, const double **out);

size_t bounds_state_size(const void *plan);
void bounds_start(const void *plan, void *state);
bool bounds_sane(const void *plan, const void *state);
int bounds_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
void bounds_played(const void *plan, void *state, int learner, int arm, const double *point);
void bounds_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
void bounds_potentials(const void *plan, const void *state, int learners, double *out);

/*
 * A learner joins, and is active, or leaves. Both recompute all radii, because these depend on the number of learners.
 */
void bounds_admit(const void *plan, void *state, int learner);
void bounds_retire(const void *plan, void *state, int learner);

/* Adds a reward to its learner's earnings. Returns false, and does nothing, if the learner has retired. */
bool bounds_hear(const bounds_plan *p, void *state, const posse_outcome *o);

/* The largest mean that a learner's bound can explain: mean + R_i(n) / n + radius. The learner must have a reward. */
double bounds_most(const bounds_plan *p, const earnings *e, int learner);

#endif
