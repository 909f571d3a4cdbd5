/* SPDX-License-Identifier: MIT */
/*
 * Help for tests of whole posses: functions that create objects and must succeed, sample moments with their z scores,
 * and a *twin*, a second copy of a posse's belief, which the test updates and which draws from the same stream.
 */
#ifndef HELPERS_H
#define HELPERS_H

#include "belief/belief.h"
#include "law.h"
#include "object/run.h"

#define LENGTH(list) ((int)(sizeof(list) / sizeof((list)[0])))

/* Options in brief. */
#define NUMBER(key_, number_)                                                                                          \
    { .key = key_, .number = number_ }
#define WORD(key_, word_)                                                                                              \
    { .key = key_, .word = word_ }
#define LIST(key_, list_)                                                                                              \
    { .key = key_, .list = list_, .count = sizeof(list_) / sizeof((list_)[0]) }

/* ---- creation: the test fails if it fails ---- */

posse_environment *environment_made(const posse_part *description, uint64_t seed);
posse *posse_made(const posse_def *def);
/* Plays for an external learner: the arm is the id modulo the number of arms. */
void act_outside(posse *p, posse_decision *d);

posse_decision decided(posse *p);

/* B-MS over these learners in an environment. belief NULL: the environment's prior. */
typedef struct team {
    const posse_part *learners;
    int count;
    const posse_part *belief;
    bool share;
    int batch; /* 0 means 1 */
} team;

/* B-MS as in the paper. It is not the default selector. */
extern const posse_part algorithm_1;

posse *team_made(const posse_environment *e, const team *t);

/* The team of the paper's experiment with UCB. Some of these learners hardly explore, so that their plays often
 * differ in the best arm only. */
#define PAPER_TEAM 6
extern const posse_part paper_team[PAPER_TEAM];

/* The definition of a posse with one learner and no selector. It points to the part. */
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

/* The error of the mean in standard errors; 0 if nothing varies and the mean is right. */
double moments_z(const moments *m, double expected);

/*
 * The bound on |z| for a test with up to a few hundred z scores. In a right program, one beyond 4.5 has probability
 * 7e-6, so that a test with a fixed seed fails by chance once in a thousand.
 */
#define Z_MAX 4.5

#define assert_mean(m, expected)                                                                                       \
    assert_that(fabs(moments_z((m), (expected))) < Z_MAX, "mean %.6g, not %.6g: z = %.2f", moments_mean(m),            \
                (double)(expected), moments_z((m), (expected)))

/*
 * The same for tests of samplers, where draws are cheap. All seeds are fixed, so that a test that succeeds once always
 * succeeds. With a new seed, a right sampler would fail once in a million, and a wrong one is off by far more.
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

/* description NULL: the prior of def. The twin starts before the first round, with the selector's stream. */
void twin_open(twin *t, const posse_def *def, const posse_part *description);
void twin_close(twin *t);

/* Resets the twin to its prior, at the beginning of a stream in a run. */
void twin_begin(twin *t, uint32_t run, uint64_t stream);
void twin_learn(twin *t, const posse_decision *d, double reward);

/* Draws a world and returns its best arm; -1 on the ball, where the best point is in t->point. */
int twin_draw(twin *t);

/* The value of an arm in the world last drawn, summed term by term. point: its coordinates, NULL for independent
 * arms. */
long double twin_value(const twin *t, int arm, const double *point);

/* ---- choices ---- */

/*
 * The first of the largest values. `called` is the choice of the library, which computes in double and in another
 * order. So `called` is returned instead if its value is less than `slack` below the largest. But among exactly equal
 * values the lowest index must be called.
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
