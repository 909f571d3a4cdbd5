/* SPDX-License-Identifier: MIT */
/*
 * What beliefs cost: nanoseconds to draw a world and learn a reward, nanoseconds of a whole round of B-MS with the
 * belief over six learners (the environment included), and bytes of its state.
 *
 *     bench_beliefs [NAME]     of all beliefs, under a heading, or of one alone
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "belief/belief.h"
#include "object/object.h"
#include "report.h"

#define ARMS 10
#define CLICK_ARMS 50
#define DIM 10
#define COMPONENTS 12
#define ROWS 1000
#define REPEATS 5

/* Plausible numbers for options that need many: points, covariances of rank ARMS, rows. */
static double points[ARMS * DIM], click_points[CLICK_ARMS * DIM], covariances[COMPONENTS][ARMS * ARMS],
    rows[ROWS * ARMS];
static double means[COMPONENTS][ARMS], ones[COMPONENTS];
static posse_part components[COMPONENTS];

static void write_covariance(posse_draw *draw, double *out) {
    double root[ARMS * ARMS];
    posse_draw_normals(draw, root, ARMS * ARMS);
    for (int i = 0; i < ARMS; i++)
        for (int j = 0; j < ARMS; j++) out[i * ARMS + j] = dot(root + i * ARMS, root + j * ARMS, ARMS) / ARMS;
}

static void write_numbers(void) {
    static posse_draw draw;
    draw_open(&draw, 1, 0, 1, 0);
    posse_draw_normals(&draw, points, ARMS * DIM);
    posse_draw_normals(&draw, rows, ROWS * ARMS);
    for (int c = 0; c < COMPONENTS; c++) {
        write_covariance(&draw, covariances[c]);
        posse_draw_normals(&draw, means[c], ARMS);
        ones[c] = 1.0;
        components[c] = (posse_part){.kind = "joint-gaussian",
                                     .options = {{"mean", .list = means[c], .count = ARMS},
                                                 {"covariance", .list = covariances[c], .count = ARMS * ARMS}}};
    }
    posse_draw_normals(&draw, click_points, CLICK_ARMS * DIM);
}

static const struct subject {
    const char *name;
    posse_part belief;
    enum { ARMS_ALONE, COINS, POINTS, CLICKS } home;
} subjects[] = {
    {"gaussian", {.kind = "gaussian"}, ARMS_ALONE},
    {"normal-gamma", {.kind = "normal-gamma"}, ARMS_ALONE},
    {"beta", {.kind = "beta"}, COINS},
    {"gamma", {.kind = "gamma"}, COINS},
    {"linear", {.kind = "linear"}, POINTS},
    {"linear-unknown", {.kind = "linear", .options = {{"noise.shape", 2.0}}}, POINTS},
    {"joint-gaussian",
     {.kind = "joint-gaussian", .options = {{"covariance", .list = covariances[0], .count = ARMS * ARMS}}},
     ARMS_ALONE},
    {"mixture-12",
     {.kind = "mixture", .options = {{"components", .part = components, .list = ones, .count = COMPONENTS}}},
     ARMS_ALONE},
    {"hierarchical", {.kind = "hierarchical"}, ARMS_ALONE},
    {"hierarchical-1", {.kind = "hierarchical", .options = {{"spread", 0.5}}}, ARMS_ALONE},
    {"particles-1000", {.kind = "particles", .options = {{"table", .list = rows, .count = ROWS * ARMS}}}, ARMS_ALONE},
    {"kernel-1000",
     {.kind = "particles", .options = {{"table", .list = rows, .count = ROWS * ARMS}, {"kernel", 0.3}}},
     ARMS_ALONE},
    {"laplace", {.kind = "logistic"}, CLICKS},
    {"exact", {.kind = "logistic", .options = {{"inference", .word = "exact"}}}, CLICKS},
    {"langevin", {.kind = "logistic", .options = {{"inference", .word = "langevin"}}}, CLICKS},
    {"variational", {.kind = "logistic", .options = {{"inference", .word = "variational"}}}, CLICKS},
};

static posse_environment *environment_of(const struct subject *s) {
    const posse_part homes[] = {
        [ARMS_ALONE] = {.kind = "gaussian", .options = {{"arms", ARMS}}},
        [COINS] = {.kind = "bernoulli", .options = {{"arms", ARMS}}},
        [POINTS] = {.kind = "linear", .options = {{"dim", DIM}, {"arms.points", .list = points, .count = ARMS * DIM}}},
        [CLICKS] = {.kind = "logistic",
                    .options = {{"dim", DIM}, {"arms.points", .list = click_points, .count = CLICK_ARMS * DIM}}}};
    posse_environment *e;
    if (posse_environment_create(&homes[s->home], 1, NULL, &e) != POSSE_OK) abort();
    return e;
}

static posse *posse_of(const struct subject *s, const posse_environment *e, posse_part *learners, int count) {
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){.kind = "bms", .options = {{"belief", .part = &s->belief}}};
    def.learners = learners;
    def.learner_count = count;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) abort();
    return p;
}

/* Nanoseconds of a world and a reward. The belief is that of a posse that has played a while. */
static double draw_and_learn(posse *p, bool whole, size_t rounds) {
    const void *state;
    const posse_belief *b = p->selector.ops->belief(p->selector.part.plan, p->selector.state, &state);
    double *copy = malloc(b->part.state_size), world[CLICK_ARMS], sum = 0.0, least = INFINITY;
    if (copy == NULL) abort();
    for (int r = 0; r < REPEATS; r++) {
        memcpy(copy, state, b->part.state_size);
        double begin = seconds();
        for (size_t n = 0; n < rounds; n++) {
            int arm = (int)(n % (size_t)p->space->arms);
            belief_draw(b, copy, p->selector_draw, world);
            sum += world[0];
            belief_update(b, copy, arm, space_point(p->space, arm), whole ? (double)(n % 2) : 0.1 * (double)(n % 7));
        }
        least = fmin(least, seconds() - begin);
    }
    __asm__ volatile("" : : "r"(&sum) : "memory");
    free(copy);
    return 1e9 * least / (double)rounds;
}

static double round_of_bms(posse *p, posse_environment *e, size_t rounds) {
    double least = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        posse_environment_begin(e, 0);
        if (posse_restart(p, 0) != POSSE_OK) abort();
        double begin = seconds();
        if (posse_play(p, e, rounds, NULL) != POSSE_OK) abort();
        least = fmin(least, seconds() - begin);
    }
    return 1e9 * least / (double)rounds;
}

static void measure(const struct subject *s) {
    posse_part learners[6];
    for (int i = 0; i < 6; i++) learners[i] = (posse_part){.kind = "ucb", .options = {{"width", 0.1 * (i + 1)}}};
    posse_environment *e = environment_of(s);
    posse *p = posse_of(s, e, learners, 6);
    size_t rounds = s->home == CLICKS || strstr(s->name, "1000") != NULL ? 5000 : 100000;
    double round = round_of_bms(p, e, rounds);
    const void *state;
    const posse_belief *b = p->selector.ops->belief(p->selector.part.plan, p->selector.state, &state);
    printf("%-16s %4d %10.1f %10.1f %9zu\n", s->name, p->space->arms,
           draw_and_learn(p, s->home == COINS || s->home == CLICKS, rounds), round, b->part.state_size);
    fflush(stdout);
    posse_free(p);
    posse_environment_free(e);
}

int main(int argc, char **argv) {
    write_numbers();
    if (argc < 2) printf("\n%-16s %4s %10s %10s %9s\n", "belief", "arms", "draw, ns", "round, ns", "bytes");
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        if (argc < 2 || strcmp(argv[1], subjects[i].name) == 0) measure(&subjects[i]);
    return 0;
}
