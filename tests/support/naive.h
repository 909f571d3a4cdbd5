/* SPDX-License-Identifier: MIT */
/*
 * A naive twin of the runner: it decides and learns round by round, stores everything, and computes means in long
 * double. It shares no code with the runner except the agenda.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include "experiment/record/agenda.h"

/* All rounds of all competitors, including the oracle: [competitor][run][round from 0]. */
typedef struct naive {
    const agenda *agenda;
    double *regret;
    int *learner, *arm; /* of selectors; the learner by its place in the experiment */
    double *gaps;       /* [run][round from 0][arm] */
    int *oracle;        /* [run]: the competitor that is the oracle */
    posse **posses;     /* of selectors: for the weights of plays */
} naive;

naive naive_run(const agenda *a);
void naive_free(naive *n);

double naive_at(const naive *n, int who, uint32_t run, uint64_t round);       /* the regret of a round, from 1 */
long double naive_sum(const naive *n, int who, uint32_t run, uint64_t round); /* of all rounds up to this one */
int naive_choice(const naive *n, int selector, uint32_t run, uint64_t round);

/* The regret of a learner's plays in the rounds before this one, counted from 1. *plays is their number. */
long double naive_inside(const naive *n, int selector, uint32_t run, int learner, uint64_t round, uint64_t *plays);

/* The same as the selector charges it: with the selector's weights of plays and its share of their regret. */
long double naive_charge(const naive *n, int selector, uint32_t run, int learner, uint64_t round);

/* max over l of the regret after its l-th play / sqrt(l); 0 if it never played. */
long double naive_coefficient(const naive *n, int selector, uint32_t run, int learner);

/* A mean over runs, the half-width of its interval, and the 0.95 quantile (sorts). */
long double naive_mean(const long double *x, uint32_t runs);
long double naive_ci95(const long double *x, uint32_t runs);
long double naive_quantile(long double *x, uint32_t runs);

#endif
