/* SPDX-License-Identifier: MIT */
/*
 * Candidate regret bounds: what balancing and dynamic-balancing have in common. Every learner comes with a number d_i
 * that says its regret after n plays is at most R_i(n) = d_i sqrt(n). The learner that has used up the least of its
 * bound is chosen, ties to the lowest index, among those that are active. Which ones are is up to the rule; both rules
 * ask whether what a learner has earned can be explained by its bound.
 *
 * The choice counts plays when they are made, the question counts the rewards heard.
 */
#ifndef POSSE_SELECTOR_BOUNDS_H
#define POSSE_SELECTOR_BOUNDS_H

#include "selector/earnings.h"
#include "selector/selector.h"

#define PARAMETER_COEFFICIENTS                                                                                         \
    {                                                                                                                  \
        .name = "coefficients", .type = POSSE_REALS, .flags = POSSE_REQUIRED, .low = SCALE_MIN, .high = SCALE_MAX,     \
        .help = "d: the regret of learner i is taken to be at most d_i sqrt(n) in n plays"                             \
    }

typedef struct bounds_plan {
    int places;
    confidence confidence;
    const double *coefficients; /* d, of every place */
    const double *slopes;       /* the least slope_i sqrt(n_i) is chosen */
} bounds_plan;

/*
 * The state: how many learners there are, then per place the earnings, then per place whether (1) someone is there. The
 * charge is slope_i^2 n_i: where bounds tie on paper these do, too, as long as slope_i^2 is exact.
 */
typedef struct bounds_view {
    double *learners;
    earnings *earnings;
    double *there;
} bounds_view;

bounds_view bounds_of(const bounds_plan *p, const void *state);

/*
 * A setting of type POSSE_REALS for every place: one number for all, or a list with one for each founder. A newcomer
 * has the largest of a list.
 */
posse_error bounds_numbers(const posse_setup *setup, const posse_option *setting, const double **out);

size_t bounds_state_size(const void *plan);
void bounds_start(const void *plan, void *state);
bool bounds_sane(const void *plan, const void *state);
int bounds_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
void bounds_played(const void *plan, void *state, int learner, int arm, const double *point);
void bounds_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
void bounds_potentials(const void *plan, const void *state, int learners, double *out);

/* A learner takes its place, active, or leaves it. All radii follow. */
void bounds_admit(const void *plan, void *state, int learner);
void bounds_retire(const void *plan, void *state, int learner);

/* A reward is added to its learner's earnings. False: the learner has retired, and nothing was done. */
bool bounds_hear(const bounds_plan *p, void *state, const posse_outcome *o);

/* The mean that the bound of a learner of which something was heard can explain at most: mean + R_i(n) / n + radius. */
double bounds_most(const bounds_plan *p, const earnings *e, int learner);

#endif
