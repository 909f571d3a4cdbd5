/* SPDX-License-Identifier: MIT */
/*
 * For each kind of belief there is an *oracle*: from a history of rewards, the posterior's mean and covariance and the
 * log of the history's marginal likelihood, from scratch and in long double. Tests compare every belief of the
 * menagerie with its oracle.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "menagerie.h"

#define COORDINATES_MAX 18

/* ---- histories of rewards ---- */

typedef struct event {
    int arm;
    double point[COORDINATES_MAX];
    double reward;
} event;

typedef struct history {
    const habitat *home;
    int count;
    event *events; /* free them */
} history;

history history_make(const habitat *h, int count, uint64_t seed);
void history_shuffle(history *made, uint64_t seed);

/* ---- the right posterior ---- */

typedef struct posterior {
    int dim;
    long double mean[COORDINATES_MAX];
    long double covariance[COORDINATES_MAX][COORDINATES_MAX];
    long double likelihood; /* log of the history's marginal likelihood */
} posterior;

void oracle(const posse_part *described, const history *past, posterior *out);

/* ---- the beliefs themselves ---- */

/* Whether a belief is asked to be robust. */
bool is_robust(const posse_part *described);

/* Calls a test for every belief in the menagerie, except those that approximate (test_logistic.c, test_clicks.c). */
void for_every_belief(void (*law)(const specimen *s));

/* The belief of a specimen after a history. */
void open_after(twin *t, const specimen *s, const history *past);

/* Learns an event; the log likelihood of an event; the mean of every coordinate. */
void tell(twin *t, const habitat *h, const event *e);
double foretell(const twin *t, const habitat *h, const event *e);
void mean_of(const twin *t, double mean[COORDINATES_MAX]);

/* ---- linear algebra of any dimension ---- */

/* A symmetric positive matrix becomes its Cholesky factor, in the lower half. */
void factorize(int dim, long double *m);
/* Solves (L L^T) x = b in place. */
void solve(int dim, const long double *factor, long double *b);

#endif
