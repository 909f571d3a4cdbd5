/* SPDX-License-Identifier: MIT */
/*
 * Learners: bandit algorithms. Their table, posse_learner_ops, is public (posse_extend.h): an application writes its
 * own learner exactly like those here.
 */
#ifndef POSSE_LEARNER_LEARNER_H
#define POSSE_LEARNER_LEARNER_H

#include "model/part.h"
#include "model/space.h"
#include "model/tally.h"

extern const posse_learner_ops learner_external;
extern const posse_learner_ops learner_fixed;
extern const posse_learner_ops learner_ucb;
extern const posse_learner_ops learner_thompson;
extern const posse_learner_ops learner_linear_thompson;
extern const posse_learner_ops learner_linear_ucb;
extern const posse_learner_ops learner_epsilon_greedy;
extern const posse_learner_ops learner_logistic_thompson;
extern const posse_learner_ops learner_logistic_ucb;
extern const posse_learner_ops learner_square_cb;
extern const posse_learner_ops learner_sgd_epsilon_greedy;
extern const posse_learner_ops learner_sgd_softmax;
extern const posse_learner_ops learner_sgd_bag;
extern const posse_learner_ops learner_sgd_cover;
extern const posse_learner_ops learner_sgd_square_cb;
extern const posse_learner_ops learner_sgd_regcb;
extern const posse_learner_ops learner_information_lock;
extern const posse_learner_ops learner_q_learning;
extern const posse_learner_ops learner_planner;

/* The option of learners that sometimes play a random arm, with its default. */
#define PARAMETER_EPSILON(share_)                                                                                      \
    {                                                                                                                  \
        .name = "epsilon", .type = POSSE_TYPE_REAL, .fallback = (share_), .low = 0.0, .high = 1.0,                     \
        .help = "share of the rounds in which it plays a random arm"                                                   \
    }

/* The options of inverse-gap weighting (square_cb.c). */
#define PARAMETER_GAMMA                                                                                                \
    {                                                                                                                  \
        .name = "gamma", .type = POSSE_TYPE_REAL, .fallback = 10.0, .low = 0.0, .high = SCALE_MAX,                     \
        .help = "how strongly it prefers better arms; 0: not at all"                                                   \
    }
#define PARAMETER_EXPONENT                                                                                             \
    {                                                                                                                  \
        .name = "exponent", .type = POSSE_TYPE_REAL, .fallback = 0.5, .low = 0.0, .high = 1.0,                         \
        .help = "growth of that preference: in round t it is gamma t^exponent"                                         \
    }

/* Refuses the continuous ball, which has no separate arms. */
posse_error learner_needs_arms(const posse_setup *setup, const char *kind);

/* For learners that try every arm first: retired arms are never due. */
void learner_retire_tallies(const posse_space *space, tally *tallies);

/* Refuses independent arms, which have no coordinates. */
posse_error learner_needs_points(const posse_setup *setup, const char *kind);

/* Refuses rounds without features. */
posse_error learner_needs_contexts(const posse_setup *setup, const char *kind);

#endif
