/* SPDX-License-Identifier: MIT */
/*
 * What the rule for newcomers is worth: three learners play for some rounds, a fourth one joins, and all four continue.
 * A newcomer may be good among poor ones, and the selector must find that out. Or it may be poor among good ones, and
 * then every play that tries it costs regret. Prints, over runs, the mean regret of the rounds after it joined, with
 * its standard error, and the mean of the newcomer's plays; for B-MS and for two variants of B-MS+ own plays. The
 * numbers are the same on every machine.
 *
 *     bench_newcomers [RUNS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "posse_inside.h"
#include "posse_simulate.h"

#define FOUNDERS 3
#define ROUNDS_BEFORE 2000
#define ROUNDS_AFTER 3000

#define UCB(width_)                                                                                                    \
    {                                                                                                                  \
        .kind = "ucb", .options = { {.key = "width", .number = width_} }                                               \
    }
#define FIXED(arm_)                                                                                                    \
    {                                                                                                                  \
        .kind = "fixed", .options = { {.key = "arm", .number = arm_} }                                                 \
    }

typedef struct scene {
    const char *name;
    posse_part founders[FOUNDERS], newcomer;
} scene;

static const scene scenes[] = {
    {"a good one joins poor ones", {UCB(5.0), UCB(10.0), FIXED(0)}, UCB(0.5)},
    {"a good one joins fixed arms", {FIXED(0), FIXED(1), FIXED(2)}, UCB(0.5)},
    {"a poor one joins good ones", {UCB(0.3), UCB(0.5), UCB(1.0)}, UCB(10.0)},
    {"a fixed arm joins good ones", {UCB(0.3), UCB(0.5), UCB(1.0)}, FIXED(0)},
    {"a good one joins good ones", {UCB(0.3), UCB(0.7), UCB(1.0)}, UCB(0.5)},
};

static const struct {
    const char *name;
    posse_part part;
} selectors[] = {
    {"B-MS", {.kind = "bms"}},
    {"B-MS+ commitment 1 own plays",
     {.kind = "bms-plus", .options = {{.key = "commitment", .number = 1.0}, {.key = "share", .number = 0.0}}}},
    {"B-MS+ forgetting own plays",
     {.kind = "bms-plus", .options = {{.key = "forgetting", .number = 1.0}, {.key = "share", .number = 0.0}}}},
};

static const posse_part environment = {.kind = "gaussian", .options = {{.key = "arms", .number = 5.0}}};

static void check(posse_error error) {
    if (error == POSSE_OK) return;
    fprintf(stderr, "bench_newcomers: %s\n", posse_error_name(error));
    exit(1);
}

/*
 * Plays a run from its first round. Returns the regret after the newcomer has joined, and writes the newcomer's plays.
 */
static double play(posse_environment *e, const posse_def *def, const posse_part *newcomer, double *plays) {
    static double regrets[ROUNDS_AFTER];
    uint64_t all[FOUNDERS + 1];
    double sum = 0.0;
    posse *p;
    posse_environment_begin(e, def->run);
    check(posse_create(def, &p));
    check(posse_play(p, e, ROUNDS_BEFORE, NULL));
    check(posse_learner_add(p, newcomer, NULL));
    check(posse_play(p, e, ROUNDS_AFTER, &(posse_trace){.regrets = regrets}));
    check(posse_plays(p, all));
    posse_free(p);
    for (int t = 0; t < ROUNDS_AFTER; t++) sum += regrets[t];
    *plays = (double)all[FOUNDERS];
    return sum;
}

static void measure(posse_environment *e, const scene *s, const posse_part *selector, uint32_t runs) {
    double sum = 0.0, squares = 0.0, plays = 0.0;
    posse_def def = posse_environment_def(e);
    def.selector = *selector;
    def.learners = s->founders;
    def.learner_count = FOUNDERS;
    for (def.run = 0; def.run < runs; def.run++) {
        double played, regret = play(e, &def, &s->newcomer, &played);
        sum += regret;
        squares += regret * regret;
        plays += played;
    }
    double mean = sum / runs, error = sqrt((squares / runs - mean * mean) / (runs - 1.0));
    printf(" %10.1f ± %5.1f %9.1f", mean, error, plays / runs);
}

int main(int argc, char **argv) {
    uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 400;
    posse_environment *e;
    if (runs < 2) return 2;
    check(posse_environment_create(&environment, 1, NULL, &e));
    printf("%-28s", "regret after, its plays");
    for (size_t k = 0; k < sizeof selectors / sizeof *selectors; k++) printf(" %28s", selectors[k].name);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        printf("\n%-28s", scenes[i].name);
        for (size_t k = 0; k < sizeof selectors / sizeof *selectors; k++)
            measure(e, &scenes[i], &selectors[k].part, runs);
    }
    printf("\n");
    posse_environment_free(e);
    return 0;
}
