/* SPDX-License-Identifier: MIT */
/*
 * The results of an experiment: everything in the result files except the runs themselves, which are streamed to
 * results.h5. Arrays are flat and their last index runs fastest; the letters are those of agenda.h. For a selector and
 * a learner that it does not play, the share is 0 and every other number is NaN.
 */
#ifndef POSSE_EXPERIMENT_RECORD_RESULTS_H
#define POSSE_EXPERIMENT_RECORD_RESULTS_H

#include "experiment/record/agenda.h"

/* A mean over runs and the half-width of its 95% interval, 1.96 sd / sqrt(R). NaN: there is none. */
typedef struct estimate {
    double mean, ci95;
} estimate;

typedef struct results {
    const agenda *agenda; /* on loan */

    /*
     * On a log, `regret` is value: the mean over runs. Its half-width is 1.96 times the root of the sum of two
     * variances. One is the mean squared standard error of a run, which comes from the rows; all runs share the log, so
     * more runs do not narrow it. The other is the variance of the mean over runs, each of which has its own
     * randomness.
     */
    estimate *regret;        /* C: at T */
    estimate *optimal;       /* C: over the last tenth */
    estimate *regret_curve;  /* C x P */
    estimate *optimal_curve; /* C x P: in that round alone */
    double *effective;       /* C of a log: the effective number of rows, mean over runs; otherwise NaN */
    double *effective_curve; /* C x P */
    estimate *pairs;         /* C (C - 1) / 2: final regret of a less that of b, in order of a, then b > a */

    estimate *task_regret; /* C x N */

    double *share; /* S x P x M: share of runs in which selector s chose learner m */

    double *learner_plays;       /* S x M: means over runs */
    double *learner_regret;      /* S x M */
    double *learner_coefficient; /* S x M: 0.95 quantile over runs of max_l regret after the l-th play / sqrt(l) */

    /* d*, the smallest learner coefficient of a run: the largest over runs, and the 0.95 quantile. S each. */
    double *d_star_largest, *d_star_95;

    double *clipped; /* S: rewards outside the selector's range, in all runs; exact below 2^53. NaN: no range */

    double *matching_chosen, *matching_best, *matching_z; /* S x MATCHING_ROUNDS x M */

    claim_result *claims;

    uint64_t hash; /* of all numbers above, and of the numbers of every run */

    /*
     * How strongly the rewards contradict the belief of a selector: the mean of posse_surprise over the first
     * watched_runs runs, after watched_rounds rounds (play/watch.h). NaN: the selector has no belief, or one that
     * cannot be watched.
     */
    double *surprise;       /* S */
    double *surprise_limit; /* S: of the sum over these runs, posse_surprise_limit */
    uint32_t watched_runs;
    uint64_t watched_rounds;

    double seconds;
    int threads;
} results;

/*
 * Makes results in which all numbers are 0 and every surprise is NaN, to be freed with results_free. NULL: no memory.
 */
results *results_make(const agenda *a);
void results_free(results *r);

#endif
