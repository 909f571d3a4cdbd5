/* SPDX-License-Identifier: MIT */
#include "experiment/record/results.h"

#include <math.h>
#include <stdlib.h>

#include "common/carve.h"

static void results_lay(results *r, carving *c) {
    const agenda *a = r->agenda;
    size_t competitors = (size_t)a->competitors, points = (size_t)a->point_count, selectors = (size_t)a->selectors;
    size_t places = selectors * (size_t)a->learners;
    carve(c, 1, sizeof *r);
    r->regret = carve(c, competitors, sizeof *r->regret);
    r->optimal = carve(c, competitors, sizeof *r->optimal);
    r->regret_curve = carve(c, competitors * points, sizeof *r->regret_curve);
    r->optimal_curve = carve(c, competitors * points, sizeof *r->optimal_curve);
    r->effective = carve(c, competitors, sizeof *r->effective);
    r->effective_curve = carve(c, competitors * points, sizeof *r->effective_curve);
    r->pairs = carve(c, competitors * (competitors - 1) / 2, sizeof *r->pairs);
    r->task_regret = carve(c, competitors * (size_t)a->tasks, sizeof *r->task_regret);
    r->share = carve(c, places * points, sizeof *r->share);
    r->learner_plays = carve(c, places, sizeof *r->learner_plays);
    r->learner_regret = carve(c, places, sizeof *r->learner_regret);
    r->learner_coefficient = carve(c, places, sizeof *r->learner_coefficient);
    r->d_star_largest = carve(c, selectors, sizeof *r->d_star_largest);
    r->d_star_95 = carve(c, selectors, sizeof *r->d_star_95);
    r->clipped = carve(c, selectors, sizeof *r->clipped);
    r->surprise = carve(c, selectors, sizeof *r->surprise);
    r->surprise_limit = carve(c, selectors, sizeof *r->surprise_limit);
    r->matching_chosen = carve(c, places * MATCHING_ROUNDS, sizeof *r->matching_chosen);
    r->matching_best = carve(c, places * MATCHING_ROUNDS, sizeof *r->matching_best);
    r->matching_z = carve(c, places * MATCHING_ROUNDS, sizeof *r->matching_z);
    r->claims = carve(c, (size_t)a->experiment->claim_count, sizeof *r->claims);
}

results *results_make(const agenda *a) {
    results shape = {.agenda = a};
    carving c = {0};
    results_lay(&shape, &c);
    results *r = calloc(1, c.used);
    if (r == NULL) return NULL;
    r->agenda = a;
    c = (carving){.base = (char *)r};
    results_lay(r, &c);
    for (int s = 0; s < a->selectors; s++) r->surprise[s] = NAN; /* unless some runs are watched */
    return r;
}

void results_free(results *r) {
    free(r);
}
