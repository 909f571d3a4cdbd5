/* SPDX-License-Identifier: MIT */
/*
 * Environments: families of bandit problems with a prior. Their table, posse_environment_ops, is public
 * (posse_extend.h).
 */
#ifndef POSSE_ENVIRONMENT_ENVIRONMENT_H
#define POSSE_ENVIRONMENT_ENVIRONMENT_H

#include "model/part.h"
#include "model/round.h"
#include "model/space.h"

extern const posse_environment_ops environment_gaussian;
extern const posse_environment_ops environment_bernoulli;
extern const posse_environment_ops environment_linear;
extern const posse_environment_ops environment_logistic;
extern const posse_environment_ops environment_poisson;
extern const posse_environment_ops environment_information_lock;
extern const posse_environment_ops environment_drifting;
extern const posse_environment_ops environment_shifting;
extern const posse_environment_ops environment_log;
extern const posse_environment_ops environment_contextual;
extern const posse_environment_ops environment_table;
extern const posse_environment_ops environment_worlds;

struct posse_environment {
    posse_host host;
    arena memory;
    part part;
    const posse_environment_ops *ops;
    posse_space *space;
    posse_part prior;
    void *instance;
    posse_draw *noise;
    posse_draw *contexts; /* if rounds have features; else NULL */
    posse_round round;    /* the latest one; empty before the first */
    uint64_t brought;     /* number of rounds of this run, if rounds have features */
    uint64_t seed;
    uint32_t run;
    uint64_t instance_draws; /* number of draws that the instances of this run have taken */
};

/* Makes the next round if rounds have features, and returns it; otherwise returns NULL. */
static inline const posse_round *environment_bring(posse_environment *e) {
    if (e->contexts == NULL) return NULL;
    e->ops->bring(e->part.plan, e->instance, e->contexts, &e->round);
    e->brought++;
    return &e->round;
}

/* The reward and the regret of a decision that is known to play one of this environment's arms. */
static inline double environment_reward(posse_environment *e, const posse_decision *d) {
    return e->ops->reward(e->part.plan, e->instance, d->arm, d->point, e->noise);
}

static inline double environment_regret(const posse_environment *e, const posse_decision *d) {
    return e->ops->regret(e->part.plan, e->instance, d->arm, d->point);
}

/* The instance where arms are independent: the best mean, followed by the means. */
typedef struct independent_arms {
    double best;
    double means[];
} independent_arms;

size_t independent_size(int arms);

/* Sets `best` from the means that were written. */
void independent_finish(independent_arms *instance, int arms);

/* `regret` and `means` for the kinds that have such instances. */
double independent_regret(const void *plan, const void *instance, int arm, const double *point);
void independent_means(const void *plan, const void *instance, const posse_space *space, double *out);

#endif
