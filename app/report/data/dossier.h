/* SPDX-License-Identifier: MIT */
/*
 * A dossier: the contents of the result files of one experiment. It has C competitors, P recorded rounds, S selectors,
 * M learners and N tasks. Arrays are flat, and the last index runs fastest.
 */
#ifndef REPORT_DATA_DOSSIER_H
#define REPORT_DATA_DOSSIER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/data/result_table.h"

typedef enum dossier_role {
    DOSSIER_SELECTOR,
    DOSSIER_LEARNER,
    DOSSIER_ORACLE,
    DOSSIER_LOG,
    DOSSIER_ROLES
} dossier_role;

extern const char *const dossier_roles[]; /* in words, as in summary.csv */

/* A mean and the half-width of its 95% interval; either is NaN where the files do not have it. */
typedef struct dossier_value {
    double mean, ci95;
} dossier_value;

typedef struct dossier_competitor {
    const char *name, *kind;
    dossier_role role;
    size_t rank; /* it decides the style (chart/prominence.h); learners have the same one in the list below */
    bool shown;  /* charts of curves draw it in its own style; otherwise it is grey */
    bool shares; /* it is a selector, and each of its learners learns from every play */
    dossier_value regret, optimal;
    double effective; /* rounds, on a log; otherwise NaN */
    double exponent;  /* regret grows like round^exponent over the second half of the rounds; NaN if that has no fit */
} dossier_competitor;

typedef struct dossier_learner {
    const char *name;
    size_t rank;   /* it decides the style */
    bool shown;    /* charts of areas draw it in its own colour */
    double chosen; /* how often selectors chose it, if that decides what is shown (chart/prominence.h) */
} dossier_learner;

typedef struct dossier {
    pool *memory; /* of everything but the manifest */
    json_t *manifest;
    const char *name, *title;
    result_table tables[TABLE_COUNT];

    dossier_competitor *competitors; /* selectors come first */
    size_t competitor_count, selector_count;
    dossier_learner *learners; /* in the order of the experiment file */
    size_t learner_count;

    double runs;
    double *rounds;
    size_t round_count;
    dossier_value *regret, *optimal; /* C x P */
    double *share;                   /* S x M x P */
    bool has_optimal;                /* false on the continuous ball, which has no optimal rate, and on a log */
    bool has_value;                  /* it is on a log: every regret here is a value */
    double *effective;               /* C x P of a log: effective rounds; otherwise NULL */
    size_t task_count;               /* N, of a run */
    dossier_value *task_regret;      /* C x N, if there are several; otherwise NULL */
} dossier;

/* An empty dossier in the memory of a pool. NULL: no memory. */
dossier *dossier_create(pool *memory);

/*
 * Reads the result files in a directory into the memory of a pool. On a problem it writes to `messages` where and what
 * it is, and returns NULL.
 */
dossier *dossier_read(const char *directory, pool *memory, FILE *messages);

/* Lets go of the manifest. It comes before pool_free, which frees the rest. NULL is fine. */
void dossier_free(dossier *r);

/* The text under a key of the manifest; "" if there is none. */
const char *dossier_text(const dossier *r, const char *key);

/* Writes a value as two fields of CSV, and the character that follows them. */
void dossier_put_value(FILE *out, dossier_value value, char after);

/* The final regret of a minus that of b, paired run by run; NaN where the files do not have it. */
dossier_value dossier_difference(const dossier *r, const char *a, const char *b);

/* The learner that has the smallest regret (on a log, the largest value) when it runs alone; NULL if none ran alone. */
const dossier_competitor *dossier_best_learner(const dossier *r);

/* How many claims have this verdict. */
size_t dossier_verdicts(const dossier *r, const char *verdict);

/* The slope of log regret over log round by least squares, over the rounds from half of the last one on. */
double dossier_exponent(const double *rounds, const dossier_value *regret, size_t count);

#endif
