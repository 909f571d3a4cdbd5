/*
 * Earnings: what the selectors that balance regret know of each learner, with a confidence radius around its mean
 * reward,
 *
 *     rad(i) = confidence * sqrt( ln( M * max(1, ln n_i) / delta ) / n_i ),
 *
 * n_i the rewards heard of learner i, M the learners there are. Plays are counted when they are made and rewards when
 * they are heard: with rewards at once the two are the same.
 */
#ifndef POSSE_SELECTOR_EARNINGS_H
#define POSSE_SELECTOR_EARNINGS_H

#include "core/parameter.h"

typedef struct earnings {
    double active; /* 1, or 0 for a place that cannot be chosen */
    double plays;
    double heard; /* rewards */
    double sum;
    double mean;   /* sum / heard; 0 while nothing was heard */
    double radius; /* infinite while nothing was heard */
    double charge; /* what the choice goes by */
} earnings;

/* What the radius is made with. */
typedef struct confidence {
    double factor, delta;
} confidence;

#define PARAMETER_CONFIDENCE                                                                                           \
    {                                                                                                                  \
        .name = "confidence", .type = POSSE_REAL, .fallback = 1.0, .low = 0.0, .high = SCALE_MAX,                      \
        .help = "multiplies the confidence radius of a learner's mean reward"                                          \
    }
#define PARAMETER_DELTA(fallback_)                                                                                     \
    {                                                                                                                  \
        .name = "delta", .type = POSSE_REAL, .fallback = fallback_, .low = 1e-100, .high = 1.0,                        \
        .help = "its bounds may fail with this probability"                                                            \
    }

void earnings_start(earnings *list, int places);

/* One more reward of a learner. learners: M. */
void earnings_hear(earnings *e, const confidence *c, double learners, double reward);

/* How many learners there are has changed, and so do all radii. */
void earnings_recount(earnings *list, int places, const confidence *c, double learners);

/* The largest lower bound, mean - radius, of those that are active; -infinity where nothing was heard of any. */
double earnings_low(const earnings *list, int places);

/* The active one charged least, the first of equals. */
int earnings_least(const earnings *list, int places);

/* Whether these can be such counts, of which at least one is active. */
bool earnings_sane(const earnings *list, int places);

#endif
