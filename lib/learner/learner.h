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
extern const posse_learner_ops learner_information_lock;
extern const posse_learner_ops learner_q_learning;
extern const posse_learner_ops learner_planner;

/* Refuses the continuous ball, which has no separate arms. */
posse_error learner_needs_arms(const posse_setup *setup, const char *kind);

/* For learners that try every arm first: retired arms are never due. */
void learner_retire_tallies(const posse_space *space, tally *tallies);

/* Refuses independent arms, which have no coordinates. */
posse_error learner_needs_points(const posse_setup *setup, const char *kind);

/* Refuses rounds without features. */
posse_error learner_needs_contexts(const posse_setup *setup, const char *kind);

#endif
