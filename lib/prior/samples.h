/* SPDX-License-Identifier: MIT */
/*
 * The data that a prior is fitted to: for each past instance and arm the mean reward, or the average of a number of
 * rewards, or nothing.
 */
#ifndef POSSE_PRIOR_SAMPLES_H
#define POSSE_PRIOR_SAMPLES_H

#include "data/csv.h"

typedef struct samples {
    int arms;
    size_t rows;
    double *values;     /* rows x arms; NaN: there is no value */
    double *counts;     /* number of rewards behind each value; NULL: values are the means themselves */
    double *squares;    /* of each row: sum of squared distances of its rewards from their averages */
    const char **names; /* of the arms */
    double rewards;     /* in all */
    double repeats;     /* rewards beyond the first of their row and arm: what the noise is estimated from */
} samples;

static inline const double *sample_row(const samples *s, size_t row) {
    return s->values + row * (size_t)s->arms;
}

static inline const double *sample_counts(const samples *s, size_t row) {
    return s->counts != NULL ? s->counts + row * (size_t)s->arms : NULL;
}

/* Whether every mean is known, and without noise. */
bool samples_are_complete(const samples *s);

/*
 * Reads samples from an open table: a row for each instance and a column for each arm (holes: cells may be empty), or a
 * row for each reward with these columns. Memory comes from the arena. POSSE_ERROR_FIT: c->problem is the message.
 */
posse_error samples_of_means(csv *c, bool holes, arena *memory, samples *out);

typedef struct play_columns {
    const char *task, *arm, *reward;
} play_columns;
posse_error samples_of_plays(csv *c, const play_columns *columns, arena *memory, samples *out);

/* The samples of the rows in a list, in its order. */
posse_error samples_pick(const samples *s, const size_t *list, size_t count, arena *memory, samples *out);

/*
 * For each arm: the mean over the rows that have a value, and the variance of the means behind the values, without
 * noise.
 */
void samples_moments(const samples *s, double noise_variance, double *means, double *variances);

/* The variance of a reward around its mean, from rewards of the same row and arm. */
double samples_noise(const samples *s);

#endif
