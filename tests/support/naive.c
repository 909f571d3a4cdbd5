/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"

static size_t cell(const naive *n, int who, uint32_t run, uint64_t round) {
    const experiment *e = n->agenda->experiment;
    return ((size_t)who * e->runs + run) * e->rounds + (round - 1);
}

static const double *gaps_at(const naive *n, uint32_t run, uint64_t round) {
    return n->gaps + ((size_t)run * n->agenda->experiment->rounds + (round - 1)) * (size_t)n->agenda->arms;
}

/* The first round of the task of a round. Rounds count from 1. */
static uint64_t task_begin(const naive *n, uint64_t round) {
    uint64_t rounds = n->agenda->experiment->rounds / n->agenda->experiment->tasks;
    return (round - 1) / rounds * rounds + 1;
}

/* The index in the experiment of the learner with this name. */
static int place_of(const experiment *e, const char *name) {
    int m = 0;
    while (strcmp(e->learners[m].name, name) != 0) m++;
    return m;
}

/* Records the gaps of all arms in the round whose reward was paid last. */
static void measure_gaps(naive *n, const posse_environment *environment, uint32_t run, uint64_t round) {
    int arms = n->agenda->arms;
    double *gaps = (double *)(uintptr_t)gaps_at(n, run, round), best = -INFINITY;
    if (arms == 0) return;
    posse_environment_means(environment, gaps);
    for (int i = 0; i < arms; i++) best = fmax(best, gaps[i]);
    for (int i = 0; i < arms; i++) gaps[i] = best - gaps[i];
}

static void play(naive *n, posse_environment *environment, posse *p, int who, uint32_t run) {
    for (uint64_t t = 1; t <= n->agenda->experiment->rounds; t++) {
        posse_decision d;
        if (t > 1 && task_begin(n, t) == t) {
            assert_int_equal(posse_environment_next_task(environment), POSSE_OK);
            assert_int_equal(posse_next_task(p), POSSE_OK);
        }
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        size_t at = cell(n, who, run, t);
        double reward = posse_environment_reward(environment, &d);
        n->regret[at] = posse_environment_regret(environment, &d); /* the regret now, because means may move */
        measure_gaps(n, environment, run, t);
        n->learner[at] = place_of(n->agenda->experiment, posse_learner_name(p, d.learner));
        n->arm[at] = d.arm;
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
    }
}

/* A new posse for every run, so that nothing of an earlier run can remain. */
static posse *make_posse(const experiment *e, const posse_environment *environment, int who, uint32_t run) {
    posse_def def = posse_environment_def(environment);
    bool alone = who >= e->selector_count;
    def.run = run;
    def.rounds = e->rounds / e->tasks;
    posse_part crew[64];
    def.selector = alone ? (posse_part){0} : e->selectors[who];
    def.learners = alone ? &e->learners[who - e->selector_count] : crew;
    def.learner_count = alone ? 1 : e->teams[who].count;
    for (int k = 0; k < def.learner_count && !alone; k++) crew[k] = e->learners[e->teams[who].learners[k]];
    return posse_made(&def);
}

static void play_all(naive *n, posse_environment *environment, uint32_t run) {
    for (int c = 0; c < n->agenda->selectors + n->agenda->solos; c++) {
        posse *p = make_posse(n->agenda->experiment, environment, c, run);
        posse_environment_begin(environment, run);
        play(n, environment, p, c, run);
        posse_free(p);
    }
}

static void find_oracle(naive *n, uint32_t run) {
    const agenda *a = n->agenda;
    int best = a->selectors;
    for (int c = a->selectors; c < a->selectors + a->solos; c++)
        if (naive_sum(n, c, run, a->experiment->rounds) < naive_sum(n, best, run, a->experiment->rounds)) best = c;
    n->oracle[run] = best;
}

naive naive_run(const agenda *a) {
    const experiment *e = a->experiment;
    size_t count = (size_t)(a->selectors + a->solos) * e->runs * e->rounds;
    naive n = {a,
               calloc(count, sizeof(double)),
               calloc(count, sizeof(int)),
               calloc(count, sizeof(int)),
               calloc((size_t)e->runs * e->rounds * (size_t)a->arms + 1, sizeof(double)),
               calloc(e->runs, sizeof(int)),
               calloc((size_t)a->selectors + 1, sizeof(posse *))};
    posse_environment *environment = environment_made(&e->environment, e->seed);
    for (int s = 0; s < a->selectors; s++) n.posses[s] = make_posse(e, environment, s, 0);
    for (uint32_t run = 0; run < e->runs; run++) {
        posse_environment_begin(environment, run);
        play_all(&n, environment, run);
        if (a->oracle >= 0) find_oracle(&n, run);
    }
    posse_environment_free(environment);
    return n;
}

void naive_free(naive *n) {
    for (int s = 0; s < n->agenda->selectors; s++) posse_free(n->posses[s]);
    free(n->regret), free(n->learner), free(n->arm), free(n->gaps), free(n->oracle), free(n->posses);
}

double naive_at(const naive *n, int who, uint32_t run, uint64_t round) {
    if (who == n->agenda->oracle) who = n->oracle[run];
    return n->regret[cell(n, who, run, round)];
}

long double naive_sum(const naive *n, int who, uint32_t run, uint64_t round) {
    long double sum = 0.0L;
    for (uint64_t t = 1; t <= round; t++) sum += naive_at(n, who, run, t);
    return sum;
}

int naive_choice(const naive *n, int selector, uint32_t run, uint64_t round) {
    return n->learner[cell(n, selector, run, round)];
}

/* The weight, in a later round of the same task, of a play in round t. The task began in round `begin`. */
static double counts_for(const posse *p, uint64_t begin, uint64_t t, uint64_t round) {
    return posse_play_weight(p, (double)(t - begin)) * pow(posse_play_discount(p), (double)(round - t));
}

/* weigh: plays are weighed as the selector does, in the world of that round, and *plays is the sum of weights. */
static long double inside(const naive *n, int selector, uint32_t run, int learner, uint64_t round, bool weigh,
                          double *plays) {
    const agenda *a = n->agenda;
    double counts[64] = {0};
    long double sum = 0.0L, charged = 0.0L;
    *plays = 0.0;
    uint64_t begin = weigh ? task_begin(n, round) : 1;
    for (uint64_t t = begin; t < round; t++) {
        size_t at = cell(n, selector, run, t);
        if (n->learner[at] != learner) continue;
        double weight = weigh ? counts_for(n->posses[selector], begin, t, round) : 1.0;
        *plays += weight;
        sum += weight * n->regret[at];
        if (a->arms > 0) counts[n->arm[at]] += weight;
    }
    /* Summed by arms, so that learners that differ only in plays of the best arm tie. */
    for (int i = 0; i < a->arms && weigh; i++) charged += counts[i] * (long double)gaps_at(n, run, round)[i];
    return a->arms > 0 && weigh ? charged : sum;
}

long double naive_inside(const naive *n, int selector, uint32_t run, int learner, uint64_t round, uint64_t *plays) {
    double counted;
    long double regret = inside(n, selector, run, learner, round, false, &counted);
    *plays = (uint64_t)counted;
    return regret;
}

long double naive_charge(const naive *n, int selector, uint32_t run, int learner, uint64_t round) {
    double plays;
    long double regret = inside(n, selector, run, learner, round, true, &plays);
    return regret * posse_charge_share(n->posses[selector], (double)(round - task_begin(n, round)), plays);
}

long double naive_coefficient(const naive *n, int selector, uint32_t run, int learner) {
    long double sum = 0.0L, most = 0.0L, plays = 0.0L;
    for (uint64_t t = 1; t <= n->agenda->experiment->rounds; t++) {
        size_t at = cell(n, selector, run, t);
        if (n->learner[at] != learner) continue;
        plays += 1.0L;
        sum += n->regret[at];
        most = fmaxl(most, sum / sqrtl(plays));
    }
    return most;
}

long double naive_mean(const long double *x, uint32_t runs) {
    long double sum = 0.0L;
    for (uint32_t r = 0; r < runs; r++) sum += x[r];
    return sum / runs;
}

long double naive_ci95(const long double *x, uint32_t runs) {
    long double mean = naive_mean(x, runs), squares = 0.0L;
    for (uint32_t r = 0; r < runs; r++) squares += (x[r] - mean) * (x[r] - mean);
    return runs > 1 ? 1.96L * sqrtl(squares / (runs - 1)) / sqrtl(runs) : NAN;
}

static int ascending(const void *a, const void *b) {
    long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

long double naive_quantile(long double *x, uint32_t runs) {
    qsort(x, runs, sizeof *x, ascending);
    long double h = 0.95L * (runs - 1), low = floorl(h + 1e-9L);
    size_t i = (size_t)low;
    return i + 1 < runs ? x[i] + (h - low) * (x[i + 1] - x[i]) : x[i];
}
