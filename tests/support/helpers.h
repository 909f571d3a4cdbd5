/* SPDX-License-Identifier: MIT */
/*
 * Help for the laws about whole posses: making things that must come out well, sample moments with their z scores, and
 * a *twin*, a belief of the test's own that is kept beside a posse and draws from the same stream.
 */
#ifndef HELPERS_H
#define HELPERS_H

#include "belief/belief.h"
#include "law.h"
#include "object/round.h"

#define LENGTH(list) ((int)(sizeof(list) / sizeof((list)[0])))

/* Options in brief. */
#define NUMBER(key_, number_)                                                                                          \
    { .key = key_, .number = number_ }
#define WORD(key_, word_)                                                                                              \
    { .key = key_, .word = word_ }
#define LIST(key_, list_)                                                                                              \
    { .key = key_, .list = list_, .count = sizeof(list_) / sizeof((list_)[0]) }

/* ---- making things: the law fails if they cannot be made ---- */

posse_environment *environment_made(const posse_part *description, uint64_t seed);
posse *posse_made(const posse_def *def);
/* An external learner plays the arm that is the id, modulo the arms. */
void act_outside(posse *p, posse_decision *d);

posse_decision decided(posse *p);

/* B-MS over these learners in an environment. belief NULL: the environment's prior. */
typedef struct team {
    const posse_part *learners;
    int count;
    const posse_part *belief;
    bool share;
    int batch; /* 0: 1 */
} team;

/* B-MS as the paper has it; a posse that names no selector has another one. */
extern const posse_part algorithm_1;

posse *team_made(const posse_environment *e, const team *t);

/* The team of the paper's experiment with UCB. Some of it hardly explore, so that their plays often differ in the best
 * arm only. */
#define PAPER_TEAM 6
extern const posse_part paper_team[PAPER_TEAM];

/* The definition of one learner alone; it points to the part. */
posse_def alone_def(const posse_environment *e, const posse_part *learner);
posse *alone_made(const posse_environment *e, const posse_part *learner);

/* ---- sample moments ---- */

typedef struct moments {
    double count, sum, squares;
} moments;

static inline void moments_add(moments *m, double x) {
    m->count += 1.0;
    m->sum += x;
    m->squares += x * x;
}

double moments_mean(const moments *m);
double moments_error(const moments *m); /* the standard error of the mean */

/* How many standard errors the mean is off; 0 where nothing varies and it is right. */
double moments_z(const moments *m, double expected);

/*
 * The bound on |z| for a law that looks at up to a few hundred of them: one beyond 4.5 has probability 7e-6 in a right
 * program, so that a fixed seed fails such a law by bad luck once in a thousand.
 */
#define Z_MAX 4.5

#define assert_mean(m, expected)                                                                                       \
    assert_that(fabs(moments_z((m), (expected))) < Z_MAX, "mean %.6g, not %.6g: z = %.2f", moments_mean(m),            \
                (double)(expected), moments_z((m), (expected)))

/*
 * The same for laws about randomness itself, where draws are cheap. All seeds are fixed, so that a law that holds once
 * holds always: a right sampler with a fresh seed would fail one in a million, and a wrong one fails by far more.
 */
#define SIGMAS 5.0

/* Chi-square as a standard normal. E. B. Wilson, M. M. Hilferty, The distribution of chi-square, PNAS 17 (1931). */
double chi_square_z(double chi_square, double freedom);

/* ---- twins ---- */

typedef struct twin {
    arena memory;
    posse_space *space;
    posse_belief belief;
    void *state;
    double *world, *point;
    uint64_t seed;
    posse_draw draw;
} twin;

/* description NULL: the prior of def. Before the first round and at the selector's stream. */
void twin_open(twin *t, const posse_def *def, const posse_part *description);
void twin_close(twin *t);

/* Starts over, at the beginning of a run of a stream. */
void twin_begin(twin *t, uint32_t run, uint64_t stream);
void twin_learn(twin *t, const posse_decision *d, double reward);

/* Draws a world and returns its best arm, -1 on the ball, where t->point is it. */
int twin_draw(twin *t);

/* The value of an arm in the world last drawn, term by term. point: its coordinates, NULL for independent arms. */
long double twin_value(const twin *t, int arm, const double *point);

/* ---- choices ---- */

/*
 * The first of the largest values. Who called one works in double and in another order, so a value less than `slack`
 * below the largest may be called, unless it is exactly as large: then the lowest index has to be.
 */
int called_largest(const long double *values, int count, int called, double slack, int *close_calls);

/* ---- linear algebra from scratch ---- */

#define SOLVE_MAX 16

/* The Cholesky factor, row by row in the lower half, of a symmetric positive matrix. */
void cholesky(int dim, long double matrix[SOLVE_MAX][SOLVE_MAX]);
/* Solves (L L^T) x = b in place. */
void cholesky_solve(int dim, long double factor[SOLVE_MAX][SOLVE_MAX], long double *b);

/* Ridge regression by its normal equations: V = precision I + sum x x^T, b = sum x r, solved anew whenever asked. */
typedef struct ridge {
    int dim;
    long double v[SOLVE_MAX][SOLVE_MAX];
    long double b[SOLVE_MAX];
} ridge;

void ridge_start(ridge *r, int dim, double precision);
void ridge_learn(ridge *r, const double *x, double reward, double noise);
void ridge_mean(const ridge *r, long double *mean);
long double ridge_variance(const ridge *r, const double *x); /* x^T V^-1 x */

#endif
