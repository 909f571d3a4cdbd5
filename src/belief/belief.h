/*
 * Beliefs: a prior over the mean rewards of an instance and what has been learned since. A belief lives in R^dim: arm a
 * has coordinates x_a, a *world* is a vector w drawn from the posterior, and the value of arm a in it is <w, x_a>. A
 * one-hot belief has one coordinate per arm, so that w holds the values themselves.
 */
#ifndef POSSE_BELIEF_BELIEF_H
#define POSSE_BELIEF_BELIEF_H

#include "core/part.h"
#include "core/space.h"

typedef struct belief_shape {
    int dim;
    bool one_hot;
} belief_shape;

typedef struct belief_ops {
    posse_kind kind;
    belief_shape (*shape)(const void *plan);
    /* Learns one reward. point: the arm's coordinates in the space, NULL for independent arms. */
    void (*update)(const void *plan, void *state, int arm, const double *point, double reward);
    /* Draws a world from the posterior. */
    void (*draw)(const void *plan, const void *state, posse_draw *draw, double *world);
    /* Adds scale times the posterior mean of a world to `world`. */
    void (*add_mean)(const void *plan, const void *state, double scale, double *world);
    /* log of the probability (density) of a reward under the posterior predictive: what a mixture learns from. */
    double (*evidence)(const void *plan, const void *state, int arm, const double *point, double reward);
} belief_ops;

extern const belief_ops belief_gaussian;
extern const belief_ops belief_beta;
extern const belief_ops belief_linear;
extern const belief_ops belief_information_lock;
extern const belief_ops belief_hypotheses;
extern const belief_ops belief_mixture;

/* A belief as another part holds it. */
typedef struct belief {
    part part;
    const belief_ops *ops;
    const posse_space *space;
    belief_shape shape;
} belief;

/*
 * Makes the belief that a POSSE_PART setting asks for: the part given or, left out, the prior of the environment. From
 * within a `prepare`.
 */
posse_error belief_of_setting(const posse_setup *setup, const posse_option *setting, belief *out);

/* Makes the belief of a description; key and index say where it stands. */
posse_error belief_make(const posse_setup *setup, const posse_part *description, const char *key, int index,
                        belief *out);

static inline void belief_update(const belief *b, void *state, int arm, const double *point, double reward) {
    b->ops->update(b->part.plan, state, arm, point, reward);
}

static inline void belief_draw(const belief *b, const void *state, posse_draw *draw, double *world) {
    b->ops->draw(b->part.plan, state, draw, world);
}

static inline void belief_add_mean(const belief *b, const void *state, double scale, double *world) {
    b->ops->add_mean(b->part.plan, state, scale, world);
}

static inline double belief_evidence(const belief *b, const void *state, int arm, const double *point, double reward) {
    return b->ops->evidence(b->part.plan, state, arm, point, reward);
}

/*
 * The best arm of a world (-1 on the ball) and its value; *coordinates are its coordinates in the space (NULL where the
 * belief is one-hot), on the ball written to `point`.
 */
int belief_best(const belief *b, const double *world, double *value, const double **coordinates, double *point);

/* Refuses a space without separate arms; `what` names the kind. */
posse_error belief_needs_arms(const posse_setup *setup, const char *what);

#endif
