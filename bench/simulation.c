/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include <stdlib.h>
#include <string.h>

simulation simulation_make(const workload *w, const posse_part *selector, int solo) {
    simulation s = {.rounds = w->rounds, .regrets = malloc(w->rounds * sizeof *s.regrets)};
    if (s.regrets == NULL || posse_environment_create(&w->environment, 1, NULL, &s.e) != POSSE_OK) abort();
    posse_def def = posse_environment_def(s.e);
    def.selector = selector != NULL ? *selector : (posse_part){0};
    def.rounds = w->rounds;
    def.learners = selector != NULL ? w->learners : &w->learners[solo];
    def.learner_count = selector != NULL ? w->learner_count : 1;
    if (posse_create(&def, &s.p) != POSSE_OK) abort();
    return s;
}

void simulation_free(simulation *s) {
    posse_free(s->p);
    posse_environment_free(s->e);
    free(s->regrets);
}

static void begin(simulation *s, uint32_t run) {
    posse_environment_begin(s->e, run);
    if (posse_restart(s->p, run) != POSSE_OK) abort();
}

double simulation_play(simulation *s, uint32_t run) {
    posse_trace trace = {.regrets = s->regrets};
    double regret = 0.0;
    begin(s, run);
    if (posse_play(s->p, s->e, s->rounds, &trace) != POSSE_OK) abort();
    for (uint32_t t = 0; t < s->rounds; t++) regret += s->regrets[t];
    return regret;
}

double simulation_decide(simulation *s, uint32_t run) {
    double regret = 0.0;
    begin(s, run);
    for (uint32_t t = 0; t < s->rounds; t++) {
        posse_decision d;
        if (posse_decide(s->p, NULL, &d) != POSSE_OK) abort();
        if (posse_learn(s->p, d.id, posse_environment_reward(s->e, &d)) != POSSE_OK) abort();
        regret += posse_environment_regret(s->e, &d);
    }
    return regret;
}

/*
 * The sums of a block of runs stay in registers, so that playing is measured and not adding. Widths are multiples of
 * BLOCK.
 */
#define BLOCK 8

static void add_block(const double *regrets, size_t width, size_t rounds, double *sums) {
    double block[BLOCK];
    memcpy(block, sums, sizeof block);
    for (size_t t = 0; t < rounds; t++)
        for (size_t run = 0; run < BLOCK; run++) block[run] += regrets[t * width + run];
    memcpy(sums, block, sizeof block);
}

static void play_stretch(posse_abreast *a, int competitor, size_t rounds, double *regrets, double *sums) {
    size_t width = posse_abreast_width(a);
    if (width % BLOCK != 0) abort();
    if (posse_abreast_play(a, competitor, rounds, &(posse_trace){.regrets = regrets}) != POSSE_OK) abort();
    for (size_t run = 0; run < width; run += BLOCK) add_block(regrets + run, width, rounds, sums + run);
}

void abreast_play(posse_abreast *a, int competitors, uint32_t rounds, uint32_t first, double *sums) {
    size_t width = posse_abreast_width(a), stretch = posse_abreast_stretch(a);
    double *regrets = malloc(stretch * width * sizeof *regrets);
    if (regrets == NULL || posse_abreast_begin(a, first) != POSSE_OK) abort();
    memset(sums, 0, (size_t)competitors * width * sizeof *sums);
    for (size_t done = 0, now; done < rounds; done += now) {
        now = rounds - done < stretch ? rounds - done : stretch;
        for (int c = 0; c < competitors; c++) play_stretch(a, c, now, regrets, sums + (size_t)c * width);
    }
    free(regrets);
}
