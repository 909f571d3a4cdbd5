/* SPDX-License-Identifier: MIT */
/*
 * Earnings: the statistics that selectors which balance regret keep of each learner. They include a confidence radius
 * around its mean reward,
 *
 *     rad(i) = confidence * sqrt( ln( M * max(1, ln n_i) / delta ) / n_i ),
 *
 * where n_i is the number of rewards of learner i that have arrived, and M the number of learners. Plays are counted
 * when they are made and rewards when they arrive. If rewards arrive at once, the two numbers are equal.
 */
#ifndef POSSE_SELECTOR_EARNINGS_H
#define POSSE_SELECTOR_EARNINGS_H

#include "model/parameter.h"

typedef struct earnings {
    double active; /* 1, or 0 for a place that cannot be chosen */
    double plays;
    double heard; /* rewards that have arrived */
    double sum;
    double mean;   /* sum / heard; 0 while no reward has arrived */
    double radius; /* infinite while no reward has arrived */
    double charge; /* the smallest charge is chosen */
} earnings;
_Static_assert(sizeof(earnings) % 8 == 0, "a state is made of 8-byte numbers");

/* The parameters of the radius. */
typedef struct confidence {
    double factor, delta;
} confidence;

#define PARAMETER_CONFIDENCE                                                                                           \
    {                                                                                                                  \
        .name = "confidence", .type = POSSE_TYPE_REAL, .fallback = 1.0, .low = 0.0, .high = SCALE_MAX,                 \
        .help = "factor on the confidence radius of a learner's mean reward"                                           \
    }
#define PARAMETER_DELTA(fallback_)                                                                                     \
    {                                                                                                                  \
        .name = "delta", .type = POSSE_TYPE_REAL, .fallback = fallback_, .low = 1e-100, .high = 1.0,                   \
        .help = "probability with which the bounds may fail"                                                           \
    }

void earnings_start(earnings *list, int places);

/* Counts one more reward of a learner. learners: M. */
void earnings_hear(earnings *e, const confidence *c, double learners, double reward);

/* Computes all radii anew, because the number of learners has changed. */
void earnings_recount(earnings *list, int places, const confidence *c, double learners);

/* The largest lower bound, mean - factor * radius, of the active learners; -infinity while none has a reward. */
double earnings_low(const earnings *list, int places, double factor);

/* The active learner with the smallest charge, the first among equals. */
int earnings_least(const earnings *list, int places);

/* Whether the numbers are possible and at least one learner is active. */
bool earnings_sane(const earnings *list, int places);

#endif
