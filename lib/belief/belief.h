/* SPDX-License-Identifier: MIT */
/*
 * Beliefs: a prior over the mean rewards of an instance and what has been learned since. Their table, posse_belief_ops,
 * is public (posse_extend.h).
 */
#ifndef POSSE_BELIEF_BELIEF_H
#define POSSE_BELIEF_BELIEF_H

#include "model/part.h"
#include "model/round.h"
#include "model/space.h"

/* Parameters that every belief has. */
enum { BELIEF_ROBUST };
extern const posse_param belief_params[];

extern const posse_belief_ops belief_gaussian;
extern const posse_belief_ops belief_beta;
extern const posse_belief_ops belief_linear;
extern const posse_belief_ops belief_logistic;
extern const posse_belief_ops belief_normal_gamma;
extern const posse_belief_ops belief_gamma;
extern const posse_belief_ops belief_joint_gaussian;
extern const posse_belief_ops belief_information_lock;
extern const posse_belief_ops belief_hypotheses;
extern const posse_belief_ops belief_particles;
extern const posse_belief_ops belief_hierarchical;
extern const posse_belief_ops belief_mixture;
extern const posse_belief_ops belief_mdp;

/* A belief as another part holds it. */
struct posse_belief {
    part part;
    const posse_belief_ops *ops;
    const posse_space *space;
    posse_belief_shape shape;
    posse_belief_model model;
    bool robust;  /* the part is the robust form of the belief that was described (robust.h) */
    bool carries; /* it learns across tasks */
    bool moments; /* ops->moments can be called */
};

/*
 * Makes the belief that a POSSE_TYPE_PART setting asks for: the part that was given or, if it was left out, the prior
 * of the environment. To be called within a `prepare`.
 */
posse_error belief_of_setting(const posse_setup *setup, const posse_option *setting, posse_belief *out);

/*
 * Like belief_of_setting, but makes the robust form whether or not it is asked for. The kind must have a robust form.
 */
posse_error belief_of_setting_robust(const posse_setup *setup, const posse_option *setting, posse_belief *out);

/* Makes the belief of a description whose place, in messages, is that of the context. */
posse_error belief_make_at(const part_context *context, const posse_part *description, posse_belief *out);

/*
 * Makes the belief of a description inside another part, within the `prepare` of that part. `key` and `index` are its
 * place in messages.
 */
posse_error belief_make(const posse_setup *setup, const posse_part *description, const char *key, int index,
                        posse_belief *out);

/* The range of rewards that the belief can learn from. */
static inline posse_rewards belief_rewards(const posse_belief *b) {
    return part_rewards(POSSE_FAMILY_BELIEF, &b->part);
}

static inline void belief_update(const posse_belief *b, void *state, int arm, const double *point, double reward) {
    b->ops->update(b->part.plan, state, arm, point, reward);
}

static inline void belief_draw(const posse_belief *b, const void *state, posse_draw *draw, double *world) {
    b->ops->draw(b->part.plan, state, draw, world);
}

static inline void belief_add_mean(const posse_belief *b, const void *state, double scale, double *world) {
    b->ops->add_mean(b->part.plan, state, scale, world);
}

static inline double belief_evidence(const posse_belief *b, const void *state, int arm, const double *point,
                                     double reward) {
    return b->ops->evidence(b->part.plan, state, arm, point, reward);
}

/*
 * Begins a task, also the first one. A belief that learns across tasks keeps what it has learned about all of them, and
 * any other belief starts anew. draw: NULL if nothing can be drawn.
 */
void belief_next_task(const posse_belief *b, void *state, posse_draw *draw);

/*
 * For a robust belief: the log of the probability of all rewards so far under it, less the same under the belief that
 * it was made from (posse_surprise).
 */
double belief_surprise(const posse_belief *b, const void *state);

/*
 * The best active arm of a world (-1 on the ball) and its value; *coordinates are its coordinates in the space, NULL
 * where the belief is one-hot. On the ball they are written to `point`.
 */
int belief_best(const posse_belief *b, const double *world, double *value, const double **coordinates, double *point);

/* posse_belief_values */
int belief_values(const posse_belief *b, const double *world, const posse_round *round, double *values);

/* Refuses a space without separate arms; `what` names the kind. */
posse_error belief_needs_arms(const posse_setup *setup, const char *what);

#endif
