/* SPDX-License-Identifier: MIT */
/*
 * A model of rewards in contexts that learns by stochastic gradient descent, for learners: the mean reward of an arm
 * with features x is <w, x>, with one w for all arms (joint) or one for each (disjoint). A constant feature of 1 is
 * added to x. A reward r that counts h times is learned by a step of the squared loss, as Vowpal Wabbit's default does
 * it: adaptive (AdaGrad), normalised and invariant. For every weight w_j there is the sum of squared gradients G_j, and
 * the largest |x_j| so far, s_j. With g = 2 (<w, x> - r), each feature that is not 0 does
 *
 *     G_j += h g^2 x_j^2;   if |x_j| > s_j:  w_j *= s_j / |x_j|,  s_j = |x_j|;   b_j = 1 / (s_j sqrt(G_j))
 *
 * and then, with N the sum of h sum_j (x_j / s_j)^2 and T the sum of h over all steps, c = sqrt(T / N) and
 * p = c sum_j x_j^2 b_j:
 *
 *     w_j += c b_j x_j (r - <w, x>) (1 - exp(-2 rate h p)) / p
 *
 * The step is that of infinitely many small ones: it never goes beyond r, whatever the rate. Unlike Vowpal Wabbit's,
 * numbers are doubles, predictions are not clipped to the rewards seen, and rewards are learned without importance
 * weights (its --cb_type dm).
 *
 * A learner may have several models, for example of a bootstrap. They are side by side, in every weight.
 *
 * References: Duchi, Hazan, Singer, Adaptive subgradient methods (2011); Ross, Mineiro, Langford, Normalized online
 * learning (2013); Karampatziakis, Langford, Online importance weight aware updates (2011).
 */
#ifndef POSSE_LEARNER_SGD_MODEL_H
#define POSSE_LEARNER_SGD_MODEL_H

#include "learner/features.h"
#include "model/part.h"
#include "model/round.h"
#include "model/row.h"

/* The options of a learner with such a model. They must follow one another in this order. */
enum { SGD_RATE, SGD_KIND, SGD_FEATURES, SGD_OPTIONS };
#define PARAMETERS_OF_SGD                                                                                              \
    {.name = "rate",                                                                                                   \
     .type = POSSE_TYPE_REAL,                                                                                          \
     .fallback = 0.5,                                                                                                  \
     .low = 1e-6,                                                                                                      \
     .high = 1e6,                                                                                                      \
     .help = "learning rate of the steps"},                                                                            \
        PARAMETER_MODEL, PARAMETER_FEATURES

/* Models of a learner at most. */
#define SGD_MODELS_MAX 64

typedef struct sgd_model {
    const posse_space *space;
    const int *seen; /* the features that it uses, if not all */
    int slots;       /* of features, without the constant */
    int thetas;      /* 1, or the number of arms */
    int models;
    double rate;
} sgd_model;

/* Reads the options; `kind` is named if rounds have no features. */
posse_error sgd_prepare(const posse_setup *setup, const char *kind, const posse_option settings[SGD_OPTIONS],
                        int models, sgd_model *out);

/* ---- for the table of a learner whose plan begins with such a model, and whose state is that of the model ---- */

size_t sgd_state_size(const void *plan);
bool sgd_sane(const void *plan, const void *state);
void sgd_grow(const void *plan, void *state, const void *former_plan, const void *former_state);
/* The first model learns the reward. */
void sgd_learn(const void *plan, void *state, int arm, const double *point, double reward);

/* ---- for learners with rules of their own ---- */

/* Rewards learned so far. */
double sgd_learned(const void *state);

/* Counts a reward as learned. */
void sgd_count(void *state);

/* A number between 0 and 1 that the learner may keep; 0 at first. */
double *sgd_key(void *state);

/* The pairs of features that the model uses. room: for ROW_ROOM numbers. */
row sgd_row(const sgd_model *m, const double *features, double *room);

/* <w, x> for an arm. */
double sgd_value(const sgd_model *m, const void *state, int model, int arm, row x);

/* Learns a reward that counts `weight` times. */
void sgd_step(const sgd_model *m, void *state, int model, int arm, row x, double reward, double weight);

/* By how much <w, x> would change for each unit that the reward `reward` counts, while it counts little. */
double sgd_sensitivity(const sgd_model *m, const void *state, int model, int arm, row x, double reward);

/* Writes the value of each available arm to room in the state, and returns that room. */
double *sgd_values(const sgd_model *m, void *state, int model, const posse_round *round);

/* The place of the largest value, the first among equals. */
int sgd_best(const sgd_model *m, void *state, int model, const posse_round *round);

#endif
