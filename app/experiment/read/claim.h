/* SPDX-License-Identifier: MIT */
/*
 * Claims: comparisons of expressions in measured quantities, checked with paired 95% intervals.
 *
 *     claim      = comparison { "and" comparison }
 *     comparison = sum ( "<" | "<=" | ">" | ">=" ) sum
 *     sum, product, unary minus, parentheses and numbers as usual, over
 *         regret("name")  regret("name", round)  optimal("name")  best_learner()
 * and on a log
 *         value("name")  value("name", round)  best_learner()
 *
 * A term is a number per run (regret or value at a round, or the optimal rate of the last tenth). An expression f of
 * several terms is evaluated at their means; its interval comes from the runs by linearisation, 1.96 sd_r( sum_k
 * df/dx_k x_kr ) / sqrt(R), which for linear f is the paired interval.
 */
#ifndef POSSE_EXPERIMENT_READ_CLAIM_H
#define POSSE_EXPERIMENT_READ_CLAIM_H

#include "common/pool.h"

typedef enum claim_quantity { CLAIM_REGRET, CLAIM_OPTIMAL, CLAIM_BEST_LEARNER, CLAIM_VALUE } claim_quantity;

/*
 * A term of an expression. The reader of the experiment has checked that the name is that of a competitor and that the
 * round is 1 .. T.
 */
typedef struct claim_term {
    claim_quantity quantity;
    const char *name; /* of the competitor; NULL for best_learner() */
    uint64_t round;   /* 0: the last */
    size_t column;    /* where it first appears in the text, from 0, in bytes */
} claim_term;

/* Bounds on the memory and the stack that a hostile text can take. */
#define CLAIM_TERMS_MAX 64
#define CLAIM_NODES_MAX 1000
#define CLAIM_DEPTH_MAX 50

typedef struct claim_node claim_node; /* of the expression's tree; private to claim.c */

typedef struct claim {
    const char *says;
    const char *holds; /* the text of the expression */
    claim_node *root;
    claim_term *terms; /* each term once, in order of appearance */
    size_t term_count;
} claim;

/*
 * Parses `holds` into memory of the pool. On a problem returns false, with *column (from 0, in bytes of the text) and
 * *message set; if memory was the reason, the pool has failed, too.
 */
bool claim_parse(claim *c, pool *memory, size_t *column, const char **message);

typedef enum claim_verdict { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_UNDECIDED } claim_verdict;

typedef struct claim_result {
    claim_verdict verdict; /* holds or fails if the interval excludes equality */
    double margin; /* right side less left side of `<` and `<=`, left less right of `>` and `>=`: positive is for
                      the claim. Of several comparisons, that with the least margin / ci95 */
    double ci95;
} claim_result;

/*
 * The sample of runs that a claim is checked with: its K terms, in order. It is enough for every interval, whatever the
 * number of runs.
 */
typedef struct claim_sample {
    double runs;
    const double *means;    /* K */
    const double *products; /* K x K: (x_j - mean_j) (x_k - mean_k), added up over runs */
} claim_sample;

claim_result claim_check(const claim *c, const claim_sample *s);

const char *claim_verdict_name(claim_verdict verdict); /* "holds", "fails", "undecided" */

#endif
