/* SPDX-License-Identifier: MIT */
/*
 * A simulation: a posse and the environment it plays, run after run.
 */
#ifndef BENCH_SIMULATION_H
#define BENCH_SIMULATION_H

#include <stddef.h>
#include <stdint.h>

#include "posse_all.h"
#include "workload.h"

typedef struct simulation {
    posse *p;
    posse_environment *e;
    uint32_t rounds; /* of a run */
    double *regrets; /* of each round of the latest run */
} simulation;

/* The learners of a workload under a selector or, where that is NULL, the learner `solo` alone. Aborts on an error. */
simulation simulation_make(const workload *w, const posse_part *selector, int solo);
void simulation_free(simulation *s);

/* Plays a run as experiments do, and returns its regret. */
double simulation_play(simulation *s, uint32_t run);

/* The same through posse_decide and posse_learn. */
double simulation_decide(simulation *s, uint32_t run);

/*
 * Lets every competitor of a group play `rounds` rounds of its runs, as experiments do. sums: competitors x width, the
 * regret of each competitor in each run.
 */
void abreast_play(posse_abreast *a, int competitors, uint32_t rounds, uint32_t first, double *sums);

#endif
