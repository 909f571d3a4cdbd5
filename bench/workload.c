/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---------------------------------------------------- the table ------------------------------------------------ */

#define DELTA 0.05
#define UCB(c) .kind = "ucb", .name = "c=" #c, .options = {{"width", c}, {"delta", DELTA}}
static const posse_part ucb_learners[] = {{UCB(0.01)}, {UCB(0.1)}, {UCB(1)}, {UCB(2)}, {UCB(5)}, {UCB(10)}};

#define LINEAR(c) .kind = "linear-thompson", .name = "c=" #c, .options = {{"width", c}}
static const posse_part linear_learners[] = {{LINEAR(0)}, {LINEAR(0.16)}, {LINEAR(2.5)}, {LINEAR(5)}, {LINEAR(25)}};

static const double means[][2] = {{0, 0}, {0, 0.1}, {0, -0.1}, {0.2, 0.1}};
#define BELIEF(i) .kind = "gaussian", .options = {{"mean", .list = means[i], .count = 2}, {"sd", 0.05}, {"noise", 1}}
static const posse_part beliefs[] = {{BELIEF(0)}, {BELIEF(1)}, {BELIEF(2)}, {BELIEF(3)}};
#define THOMPSON(i) .kind = "thompson", .options = {{"belief", .part = &beliefs[i]}}
static const posse_part thompson_learners[] = {
    {.name = "[0, 0]", THOMPSON(0)},
    {.name = "[0, 0.1]", THOMPSON(1)},
    {.name = "[0, -0.1]", THOMPSON(2)},
    {.name = "[0.2, 0.1]", THOMPSON(3)},
};

const workload workloads[] = {
    {.name = "ucb",
     .environment = {.kind = "gaussian", .options = {{"arms", 5}}},
     .learners = ucb_learners,
     .learner_count = COUNT(ucb_learners),
     .rounds = 1000},
    {.name = "thompson",
     .environment = {.kind = "gaussian",
                     .options = {{"arms", 2}, {"prior.mean", .list = means[1], .count = 2}, {"prior.sd", 0.05}}},
     .learners = thompson_learners,
     .learner_count = COUNT(thompson_learners),
     .rounds = 5000},
    {.name = "linear",
     .environment = {.kind = "linear", .options = {{"dim", 10}, {"arms.set", .word = "ball"}, {"arms.count", 1000}}},
     .learners = linear_learners,
     .learner_count = COUNT(linear_learners),
     .rounds = 15000},
};
const int workload_count = COUNT(workloads);

const workload *workload_named(const char *name) {
    for (int i = 0; i < workload_count; i++)
        if (strcmp(workloads[i].name, name) == 0) return &workloads[i];
    return NULL;
}

/* ------------------------------------------------- for the rivals ---------------------------------------------- */

static void number(FILE *out, const char *key, double x) {
    fprintf(out, "%s 1 %.17g\n", key, x);
}

static void numbers(FILE *out, const char *key, const double *x, int count) {
    fprintf(out, "%s %d", key, count);
    for (int i = 0; i < count; i++) fprintf(out, " %.17g", x[i]);
    fprintf(out, "\n");
}

/* The one option in which the learners differ: a number, or the prior means of a belief. */
static void settings(FILE *out, const workload *w) {
    const posse_option *first = &w->learners[0].options[0];
    int each = first->part != NULL ? (int)first->part->options[0].count : 1;
    fprintf(out, "settings %d", w->learner_count * each);
    for (int i = 0; i < w->learner_count; i++) {
        const posse_option *o = &w->learners[i].options[0];
        const double *x = o->part != NULL ? o->part->options[0].list : &o->number;
        for (int k = 0; k < each; k++) fprintf(out, " %.17g", x[k]);
    }
    fprintf(out, "\n");
}

static const posse_option *option_named(const posse_part *part, const char *key) {
    for (const posse_option *o = part->options; o < part->options + POSSE_OPTIONS_MAX && o->key != NULL; o++)
        if (strcmp(o->key, key) == 0) return o;
    return NULL;
}

static void prior(FILE *out, const workload *w, int arms) {
    const posse_option *mean = option_named(&w->environment, "prior.mean"),
                       *sd = option_named(&w->environment, "prior.sd");
    const double zero = 0.0;
    fprintf(out, "prior_mean %d", arms);
    for (int i = 0; i < arms; i++) fprintf(out, " %.17g", mean != NULL ? mean->list[i] : zero);
    fprintf(out, "\n");
    number(out, "prior_sd", sd != NULL ? sd->number : 1.0);
}

void workload_describe(const workload *w, uint32_t rounds, FILE *out) {
    posse_environment *e;
    if (posse_environment_create(&w->environment, 1, NULL, &e) != POSSE_OK) abort();
    posse_def def = posse_environment_def(e);
    fprintf(out, "kind %s\n", w->name);
    number(out, "rounds", rounds > 0 ? rounds : w->rounds);
    number(out, "arms", def.arms);
    number(out, "dim", def.dim);
    number(out, "learners", w->learner_count);
    number(out, "delta", DELTA);
    prior(out, w, def.dim > 0 ? def.dim : def.arms);
    settings(out, w);
    int count = def.dim > 0 ? def.arms * def.dim : 0;
    double *grid = malloc((size_t)(count + 1) * sizeof *grid);
    if (grid == NULL) abort();
    for (int i = 0; i < count; i++) grid[i] = round(def.points[i] * 0x1p32) * 0x1p-32;
    numbers(out, "points", grid, count);
    free(grid);
    posse_environment_free(e);
}
