/* SPDX-License-Identifier: MIT */
/*
 * The divisors of docs/theory.md, by which a learner's regret is divided into its charge. All of them are one family,
 * g(n) = max(n, b)^alpha (1 + commitment / 2 ln max(1, n / b)):
 *     alpha 0                         the paper's rule
 *     b 1, commitment 0               n^alpha
 *     alpha 1/2, commitment 0         sqrt(max(n, b))
 *     alpha 1/2                       the rule of the selector, but for the constant factor sqrt(b)
 */
#ifndef DIVISOR_H
#define DIVISOR_H

#include "helpers.h"

typedef struct rule {
    const char *name;
    double alpha, b, commitment;
} rule;

#define RULES 6
extern const rule rules[RULES];
#define PAPER (&rules[0])
#define ROOT (&rules[2])
#define COMMITTED (&rules[RULES - 1])

/* g(n). */
double divisor(const rule *g, double n);

/* Q, the largest sqrt(m) / g(m). */
double worst_ratio(const rule *g, int rounds);

/* F(N), the contribution of a learner with N plays to the first term of the theorem, per d Q. */
double spent(const rule *g, int plays);

/* The first term of the theorem per d, by the closed forms of Theorem 10. */
double first_term(const rule *g, double count, double rounds);

/* left <= right, up to the rounding of sums of the same numbers in another order. */
bool at_most(double left, double right);

#endif
