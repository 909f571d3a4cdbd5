/* SPDX-License-Identifier: MIT */
/*
 * The regressions of a linear model in contexts: one theta for all arms (joint), or one for each of them (disjoint).
 * Each has a full covariance (regression.h), and their states are beside one another, or a diagonal one (diagonal.h),
 * and they have one state.
 *
 * The thetas make one long vector, a world: that of arm a begins at a * dim. Where contexts are sparse, the weight of
 * slot j for arm a is at j * count + a instead, so that a world grows at its end when slots are added.
 */
#ifndef POSSE_BELIEF_REGRESSIONS_H
#define POSSE_BELIEF_REGRESSIONS_H

#include "belief/diagonal.h"
#include "belief/regression.h"

/* `covariance`, an option of every model in contexts. */
#define PARAMETER_COVARIANCE                                                                                           \
    {                                                                                                                  \
        .name = "covariance", .type = POSSE_TYPE_WORD, .flags = POSSE_PARAM_OPTIONAL, .words = "full|diagonal",        \
        .help = "in contexts, of an arm's weights; diagonal: a step per feature that is not 0, the default if sparse"  \
    }

typedef struct regressions {
    bool disjoint;
    int count;        /* 1, or the number of arms */
    int dim;          /* of each theta */
    size_t each;      /* numbers in the state of each */
    double precision; /* of the prior */
    bool diagonal;
    const posse_space *space;
} regressions;

/* Whether a setting of PARAMETER_COVARIANCE, which may be absent, makes covariances diagonal. */
bool regressions_are_diagonal(const posse_setup *setup, const posse_option *covariance);

/*
 * Refuses a state of more than a gigabyte. covariance: the setting of PARAMETER_COVARIANCE. dim: the features that are
 * used; where contexts are sparse it is not read, because a theta has all slots.
 */
posse_error regressions_prepare(const posse_setup *setup, const posse_option *covariance, bool disjoint, int dim,
                                double precision, regressions *out);

/* Refuses the setting of PARAMETER_COVARIANCE where rounds have no features. */
posse_error regressions_refuse_covariance(const posse_setup *setup, const posse_option *covariance);

/* ---- x: the features of an arm in a round ---- */

/* <mean, x> and the variance of <theta, x>, for the theta of an arm. */
double regressions_mean(const regressions *r, const double *state, int arm, const double *x);
double regressions_variance(const regressions *r, const double *state, int arm, const double *x);

/* Learns a reward, and returns alpha (regression.h); or learns it with a logistic link. */
double regressions_update(const regressions *r, double *state, int arm, double noise, const double *x, double reward);
void regressions_logistic_update(const regressions *r, double *state, int arm, double bias, const double *x,
                                 double reward);

/* Only with a diagonal covariance: diagonal_drawn. key: a uniform that was drawn. */
double regressions_drawn(const regressions *r, const double *state, int arm, double scale, double key, const double *x);

/* regression_noise, which a diagonal covariance does not need. sd: of a weight. */
double regressions_noise(const regressions *r, double noise, double sd, const double *x);

/* ---- only with a full covariance: the state of the k-th regression, and that of the regression of an arm ---- */

static inline double *regressions_at(const regressions *r, const double *state, int k) {
    return (double *)(uintptr_t)state + (size_t)k * r->each;
}

static inline double *regressions_of(const regressions *r, const double *state, int arm) {
    return regressions_at(r, state, r->disjoint ? arm : 0);
}

/* Draws a world with `scale` times the root of the covariance. */
void regressions_draw_scaled(const regressions *r, const double *state, double scale, posse_draw *draw, double *world);

/* ---- for the table of a part whose plan begins with regressions, and whose state is theirs ---- */

size_t regressions_size(const void *plan);
void regressions_start(const void *plan, void *state);
bool regressions_sane(const void *plan, const void *state);
/* If each arm has a theta of its own, the thetas of added arms begin with the prior. */
void regressions_grow(const void *plan, void *state, const void *former_plan, const void *former_state);

posse_belief_shape regressions_shape(const void *plan);
void regressions_draw(const void *plan, const void *state, posse_draw *draw, double *world);
void regressions_add_mean(const void *plan, const void *state, double scale, double *world);

#endif
