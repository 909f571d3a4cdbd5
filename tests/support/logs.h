/* SPDX-License-Identifier: MIT */
/*
 * Logs whose truth is known: two kinds of visitors, three arms, and a logging policy whose probability of each arm
 * depends on the visitor.
 */
#ifndef LOGS_H
#define LOGS_H

#include "helpers.h"

#define LOG_ARMS 3
#define LOG_ROWS_MAX 4000
#define LOG_LEAST 0.2 /* the smallest probability */

typedef struct log_row {
    int sign, arm; /* sign: 0 or 1; features are 1 and -1 or 1 */
    double reward, probability;
} log_row;

typedef struct history {
    int rows;
    log_row row[LOG_ROWS_MAX];
} history;

void draw_history(history *l, int rows, uint64_t seed, uint32_t run);

/* The environment `log` of a history, which is written to a CSV file. */
posse_environment *log_made(const history *l, const char *estimate);

/* A learner that learns nothing: arm 0 for visitors of sign 1, otherwise arm 2. value_by_sight is its mean reward. */
extern const posse_part by_sight;
void register_sight(void); /* log_made calls it */
double value_by_sight(void);

/* The mean reward of a posse in a round, over rounds and runs that it plays itself, with its error. */
moments earned(posse *p, uint64_t rounds, uint32_t runs);

typedef struct appraised {
    int32_t learners[LOG_ROWS_MAX], arms[LOG_ROWS_MAX];
    double terms[LOG_ROWS_MAX], weights[LOG_ROWS_MAX];
} appraised;

void replay(posse *p, posse_environment *e, int rows, appraised *out);

extern const char *const log_estimates[4]; /* the words for posse_estimate, in its order */

#endif
