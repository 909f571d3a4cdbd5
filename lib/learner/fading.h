/* SPDX-License-Identifier: MIT */
/*
 * Tallies of arms (model/tally.h) that forget, for environments that change. With a *window*, only the latest rewards
 * are in them. With a *discount*, every reward that is learned multiplies the weight of all rewards before it by this
 * factor:
 *
 *     n_a = sum over the rewards of arm a of discount^(rewards learned since),   and the mean likewise.
 *
 * Reference: Garivier, Moulines, On upper-confidence bound policies for switching bandit problems (2011).
 */
#ifndef POSSE_LEARNER_FADING_H
#define POSSE_LEARNER_FADING_H

#include "model/part.h"
#include "model/tally.h"

/* The two options of a learner that can forget. */
#define PARAMETER_WINDOW                                                                                               \
    {                                                                                                                  \
        .name = "window", .type = POSSE_TYPE_COUNT, .fallback = 0.0, .low = 0.0, .high = 1e6,                          \
        .help = "number of latest rewards that it learns from; 0: all"                                                 \
    }
#define PARAMETER_DISCOUNT                                                                                             \
    {                                                                                                                  \
        .name = "discount", .type = POSSE_TYPE_REAL, .flags = POSSE_PARAM_ABOVE, .fallback = 1.0, .low = 0.0,          \
        .high = 1.0, .help = "factor on older rewards, applied with every new reward; 1: all count the same"           \
    }

typedef struct fading {
    int arms;
    double window;   /* 0: endless */
    double discount; /* 1: none */
} fading;

/* Reads the two options; *out is NULL if nothing is forgotten. Refuses them if both are given. */
posse_error fading_prepare(const posse_setup *setup, const posse_option *window, const posse_option *discount,
                           const fading **out);

/*
 * The state beside the tallies: the number of rewards learned, the sum of their weights, and the rewards in the window,
 * in a ring. It is zeros before the first reward, and empty if f is NULL.
 */
size_t fading_size(const fading *f);
bool fading_sane(const fading *f, const void *state, const tally *tallies);

/* Learns a reward of an arm. The tallies of other arms change, too. */
void fading_learn(const fading *f, void *state, tally *tallies, int arm, double reward);

/*
 * The number of rewards learned so far, forgotten ones included, and the sum of the weights of all that are remembered.
 */
double fading_learned(const void *state);
double fading_total(const void *state);

#endif
