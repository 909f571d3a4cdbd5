/* SPDX-License-Identifier: MIT */
/*
 * How well the logistic belief estimates its own uncertainty. In each of RUNS instances with 50 arms on the unit sphere
 * of R^10, theta ~ N(0, sd^2 I), Thompson sampling with the belief plays. After 30, 200 and 2000 rewards, 199 draws of
 * theta are compared with the truth:
 *
 *     coverage   how often a coordinate of the truth is in the middle 90% of the draws
 *     excess     the mean of |theta - m|^2 / 10 over draws, less that of the truth, in the metric of Laplace's H and m:
 *                0 if draws are as far out as the truth is, below 0 if the belief is too sure
 *
 *     bench_coverage RUNS [SEED]     prints a table as CSV; errors are standard errors over instances
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "belief/logistic_counts.h"
#include "environment/environment.h"
#include "numeric/elementary.h"
#include "random/stream.h"

#define DIM 10
#define ARMS 50
#define DRAWS 199
#define OUTSIDE 10 /* of the 200 places among the draws, those that count as outside at either end */
#define CANDIDATES 16
#define STEPS 10

static const int looks[] = {30, 200, 2000};
#define LOOKS ((int)(sizeof looks / sizeof looks[0]))

typedef enum inference { LAPLACE, EXACT, LANGEVIN, VARIATIONAL, INFERENCES } inference;
static const char *const names[INFERENCES] = {"laplace", "exact", "langevin", "variational"};

/* A sum over instances, one number from each. */
typedef struct tally_of {
    double sum, squares;
} tally_of;

static void count(tally_of *t, double x) {
    t->sum += x;
    t->squares += x * x;
}

static double mean_of(const tally_of *t, int runs) {
    return t->sum / runs;
}

static double error_of(const tally_of *t, int runs) {
    double mean = mean_of(t, runs);
    return sqrt((t->squares / runs - mean * mean) / (runs - 1));
}

typedef struct look {
    tally_of coverage, excess, acceptance;
} look;

/* A belief, and Laplace's approximation from the same rewards, which defines distances. */
typedef struct student {
    inference by;
    logistic_counts counts, plain;
    double *state, *measure;
} student;

static int draw_theta(const student *s, posse_draw *draw, double *theta) {
    int taken = 0;
    if (s->by == EXACT)
        logistic_counts_resample(&s->counts, s->state, CANDIDATES, draw, theta);
    else if (s->by == LANGEVIN)
        logistic_counts_walk(&s->counts, s->state, STEPS, draw, theta, &taken);
    else
        regression_draw(logistic_counts_normal(&s->counts, s->state), DIM, 1.0, draw, theta);
    return taken;
}

/* |S^-1 (theta - m)|^2 / DIM, S being upper triangular. */
static double distance(const student *s, const double *theta) {
    const double *mean = logistic_counts_normal(&s->plain, s->measure), *root = mean + DIM;
    double y[DIM];
    for (int i = DIM - 1; i >= 0; i--) {
        y[i] = theta[i] - mean[i];
        for (int j = i + 1; j < DIM; j++) y[i] -= root[j * DIM + i] * y[j];
        y[i] /= root[i * DIM + i];
    }
    return dot(y, y, DIM) / DIM;
}

static void take_look(const student *s, const double *truth, posse_draw *draw, look *l) {
    int below[DIM] = {0}, taken = 0, inside = 0;
    double theta[DIM], far = 0.0;
    for (int n = 0; n < DRAWS; n++) {
        taken += draw_theta(s, draw, theta);
        far += distance(s, theta);
        for (int j = 0; j < DIM; j++) below[j] += theta[j] < truth[j];
    }
    for (int j = 0; j < DIM; j++) inside += below[j] >= OUTSIDE && below[j] < DRAWS + 1 - OUTSIDE;
    count(&l->coverage, (double)inside / DIM);
    count(&l->excess, far / DRAWS - distance(s, truth));
    count(&l->acceptance, (double)taken / (DRAWS * STEPS));
}

static void learn(const student *s, int arm, double reward) {
    logistic_counts_learn(&s->counts, s->state, arm, reward);
    logistic_counts_learn(&s->plain, s->measure, arm, reward);
}

/* One instance. */
static void play(const student *s, double sd, uint64_t seed, uint32_t run, look all[LOOKS]) {
    static posse_draw world, draw;
    const posse_space *space = s->counts.space;
    double truth[DIM], theta[DIM], value;
    const double *x;
    draw_open(&world, seed, run, stream_named(STREAM_INSTANCE, NULL), 0);
    draw_open(&draw, seed, run, stream_named(STREAM_LEARNER, names[s->by]), 0);
    for (int j = 0; j < DIM; j++) truth[j] = sd * posse_draw_normal(&world);
    logistic_counts_start(&s->counts, s->state);
    logistic_counts_start(&s->plain, s->measure);
    for (int n = 0, l = 0; l < LOOKS; n++) {
        if (n == looks[l]) take_look(s, truth, &draw, &all[l++]);
        draw_theta(s, &draw, theta);
        int arm = space_best(space, theta, &value, &x, theta);
        learn(s, arm, posse_draw_uniform(&world) < sigmoid(dot(truth, x, DIM)) ? 1.0 : 0.0);
    }
}

static void measure(const posse_space *space, double sd, inference by, uint64_t seed, int runs) {
    look all[LOOKS] = {0};
    student s = {.by = by, .plain = {space, 1.0 / (sd * sd), 0.0, false}};
    s.counts = s.plain;
    s.counts.variational = by == VARIATIONAL;
    s.state = malloc(logistic_counts_size(&s.counts));
    s.measure = malloc(logistic_counts_size(&s.plain));
    if (s.state == NULL || s.measure == NULL) abort();
    for (int run = 0; run < runs; run++) play(&s, sd, seed, (uint32_t)run, all);
    for (int l = 0; l < LOOKS; l++) {
        printf("%g,%s,%d,%.4f,%.4f,%.3f,%.3f,", sd, names[by], looks[l], mean_of(&all[l].coverage, runs),
               error_of(&all[l].coverage, runs), mean_of(&all[l].excess, runs), error_of(&all[l].excess, runs));
        if (by == LANGEVIN) printf("%.3f", mean_of(&all[l].acceptance, runs));
        printf("\n");
    }
    fflush(stdout);
    free(s.state);
    free(s.measure);
}

int main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    posse_part sphere = {.kind = "logistic",
                         .options = {{"dim", DIM}, {"arms.set", .word = "sphere"}, {"arms.count", ARMS}}};
    posse_environment *e;
    if (runs < 2) return fprintf(stderr, "usage: bench_coverage RUNS [SEED]\n"), 2;
    if (posse_environment_create(&sphere, seed, NULL, &e) != POSSE_OK) abort();
    printf("sd,inference,rewards,coverage,coverage_error,excess,excess_error,acceptance\n");
    for (int sd = 1; sd <= 3; sd += 2)
        for (int by = 0; by < INFERENCES; by++) measure(e->space, sd, (inference)by, seed, runs);
    posse_environment_free(e);
    return 0;
}
