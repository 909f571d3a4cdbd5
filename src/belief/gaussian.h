/*
 * What a gaussian belief starts from, for those that hold many of them at once (lanes/).
 */
#ifndef POSSE_BELIEF_GAUSSIAN_H
#define POSSE_BELIEF_GAUSSIAN_H

/* An arm before any reward: precision is 1 / sd^2 and weighted_sum precision times mean. */
typedef struct gaussian_start {
    double mean, sd, precision, weighted_sum;
} gaussian_start;

gaussian_start gaussian_prior(const void *plan, int arm);
double gaussian_noise_precision(const void *plan);

#endif
