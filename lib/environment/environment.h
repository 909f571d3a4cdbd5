/* SPDX-License-Identifier: MIT */
/*
 * Environments: families of bandit problems with a prior. Their table, posse_environment_ops, is public
 * (posse_extend.h).
 */
#ifndef POSSE_ENVIRONMENT_ENVIRONMENT_H
#define POSSE_ENVIRONMENT_ENVIRONMENT_H

#include "base/assert.h"
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
extern const posse_environment_ops environment_mdp;

struct posse_environment {
    posse_host host;
    arena memory;
    const kept_recipe *recipe; /* what it was made from */
    part part;
    const posse_environment_ops *ops;
    posse_space *space;
    posse_part prior;
    void *instance;
    posse_draw *noise;
    posse_draw *contexts; /* if rounds have features; else NULL */
    bool built_in;        /* the kind is one of the library's own, whose rounds need no check */
    posse_round round;    /* the latest one; empty before the first */
    uint64_t brought;     /* number of rounds of this run, if rounds have features */
    uint64_t seed;
    uint32_t run;
    posse_sparse *sparse; /* if contexts are sparse: the latest round as an application sees it; else NULL */
    int *indices;
    double *values;
    uint64_t instance_draws; /* number of draws that the instances of this run have taken */
};

/* Checks the round that an extension has made. POSSE_ERROR_CONTEXT: it is wrong, and the log gets the reason. */
posse_error environment_check_round(const posse_environment *e);

/* Makes the next round if rounds have features; otherwise *round is NULL. POSSE_ERROR_CONTEXT: the round is wrong. */
static inline posse_error environment_bring(posse_environment *e, const posse_round **round) {
    *round = NULL;
    if (e->contexts == NULL) return POSSE_OK;
    e->ops->bring(e->part.plan, e->instance, e->contexts, &e->round);
    e->brought++;
    *round = &e->round;
    POSSE_ASSERT(!e->built_in || environment_check_round(e) == POSSE_OK);
    return e->built_in ? POSSE_OK : environment_check_round(e);
}

/*
 * The reward and the regret of a decision that is known to play one of this environment's arms. A point of sparse
 * contexts has the slots of a posse, which mean nothing here.
 */
static inline double environment_reward(posse_environment *e, const posse_decision *d) {
    return e->ops->reward(e->part.plan, e->instance, d->arm, space_is_sparse(e->space) ? NULL : d->point, e->noise);
}

static inline double environment_regret(const posse_environment *e, const posse_decision *d) {
    return e->ops->regret(e->part.plan, e->instance, d->arm, space_is_sparse(e->space) ? NULL : d->point);
}

/* The latest round, if rounds are episodes, as the point that parts learn from. */
static inline const double *environment_episode(const posse_environment *e) {
    return e->ops->episode(e->part.plan, e->instance);
}

#define PARAMETER_ARMS                                                                                                 \
    {                                                                                                                  \
        .name = "arms", .type = POSSE_TYPE_COUNT, .flags = POSSE_PARAM_REQUIRED, .low = 1, .high = ARMS_MAX,           \
        .help = "how many"                                                                                             \
    }

/* What the mean rewards of independent arms are drawn from: two numbers for each arm. Or one fixed instance. */
typedef struct arms_prior {
    int arms;
    const double *first, *second;
    const double *fixed; /* the means of a fixed instance, or NULL */
} arms_prior;

/* Reads the settings: the number of arms, followed by the two lists. means: of a fixed instance; may be NULL. */
posse_error arms_prior_read(const posse_setup *setup, const posse_option *means, arms_prior *out);

/* The belief that has this prior, by its kind and the names of its first two options; none for a fixed instance. */
posse_part arms_prior_part(const arms_prior *p, const char *kind, const char *first, const char *second);

/* `reward_kind` of kinds whose rewards are clicks, and of kinds that cannot know what they are. */
posse_reward_kind environment_pays_clicks(const posse_part *given);
posse_reward_kind environment_pays_unknown(const posse_part *given);

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
