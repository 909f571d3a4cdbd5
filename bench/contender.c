/* SPDX-License-Identifier: MIT */
/*
 * posse as a contender: plays B-MS over the learners of a workload, and every learner alone, in this process and on one
 * core, and prints the lines of report.h.
 *
 *     bench_contender describe WORKLOAD ROUNDS                  what rivals read; ROUNDS 0: the workload's own
 *     bench_contender VARIANT WORKLOAD ROUNDS RUNS REPEATS      exit status 2 if the processor has no such kernels
 */
#include <stdlib.h>
#include <string.h>

#include "numeric/kernels.h"
#include "numeric/sketch.h"
#include "report.h"
#include "simulation.h"

/* A variant is a way to set the library up before it plays. A new switch becomes a member here. */
typedef struct variant {
    const char *name;
    const char *kernels; /* NULL: those that the library chooses by itself */
    bool all_arms;       /* all arms of a linear model are computed; the sketch excludes none */
    bool one_run;        /* runs are played one at a time, not abreast */
} variant;

static const variant variants[] = {
    {.name = "posse"},
    {"posse-avx2", .kernels = "avx2"},
    {"posse-baseline", .kernels = "baseline"},
    {"posse-scalar", .kernels = "scalar"},
    {"posse-all-arms", .all_arms = true},
    {"posse-one-run", .one_run = true},
};

/* Finds and sets up a variant; NULL: no variant has this name, or this processor cannot run it. */
static const variant *use(const char *name) {
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const variant *v = &variants[i];
        if (strcmp(v->name, name) != 0) continue;
        sketches_use(!v->all_arms);
        return v->kernels == NULL || kernels_use(v->kernels) ? v : NULL;
    }
    return NULL;
}

typedef struct contest {
    simulation simulations[COMPETITORS_MAX];
    int competitors;
    posse_abreast *abreast; /* all competitors; NULL: they play one run at a time */
    size_t width;           /* runs at once */
    double *sums;           /* competitors x width */
} contest;

static void play_one_by_one(void *context, uint32_t first, uint32_t runs, double *regrets) {
    contest *c = context;
    for (uint32_t run = 0; run < runs; run++)
        for (int i = 0; i < c->competitors; i++) *regrets++ = simulation_play(&c->simulations[i], first + run);
}

static void play_abreast(void *context, uint32_t first, uint32_t runs, double *regrets) {
    contest *c = context;
    abreast_play(c->abreast, c->competitors, c->simulations[0].rounds, first, c->sums);
    for (uint32_t run = 0; run < runs; run++)
        for (int i = 0; i < c->competitors; i++) *regrets++ = c->sums[(size_t)i * c->width + run];
}

/* Puts all competitors abreast, if all of them can be. */
static void make_abreast(contest *c) {
    posse_error error = posse_abreast_create(c->simulations[0].e, &c->abreast);
    for (int i = 0; i < c->competitors && error == POSSE_OK; i++)
        error = posse_abreast_add(c->abreast, c->simulations[i].p);
    if (error == POSSE_OK) {
        c->width = posse_abreast_width(c->abreast);
        c->sums = calloc((size_t)c->competitors * c->width, sizeof *c->sums);
        if (c->sums == NULL) abort();
    } else {
        posse_abreast_free(c->abreast);
        c->abreast = NULL;
    }
}

static void contend(const variant *v, const workload *w, uint32_t runs, uint32_t repeats) {
    static const posse_part bms = {.kind = "bms"};
    contest c = {.competitors = w->learner_count + 1, .width = 1};
    for (int i = 0; i < c.competitors; i++) c.simulations[i] = simulation_make(w, i == 0 ? &bms : NULL, i - 1);
    if (!v->one_run) make_abreast(&c);
    char note[64];
    snprintf(note, sizeof note, "%s kernels", kernels_active()->name);
    report(&(plan){.competitors = c.competitors,
                   .rounds = w->rounds,
                   .runs = runs,
                   .repeats = repeats,
                   .together = (uint32_t)c.width,
                   .play = c.abreast != NULL ? play_abreast : play_one_by_one,
                   .context = &c,
                   .note = note});
    posse_abreast_free(c.abreast);
    free(c.sums);
    for (int i = 0; i < c.competitors; i++) simulation_free(&c.simulations[i]);
}

int main(int argc, char **argv) {
    const workload *named = argc > 2 ? workload_named(argv[2]) : NULL;
    uint32_t numbers[3] = {0};
    for (int i = 3; i < argc && i < 6; i++) numbers[i - 3] = (uint32_t)strtoul(argv[i], NULL, 10);
    if (named != NULL && argc == 4 && strcmp(argv[1], "describe") == 0) {
        workload_describe(named, numbers[0], stdout);
        return 0;
    }
    const variant *v = argc > 1 ? use(argv[1]) : NULL;
    if (named == NULL || argc != 6 || numbers[1] == 0 || v == NULL) {
        fprintf(stderr, "usage: %s describe WORKLOAD ROUNDS\n       %s VARIANT WORKLOAD ROUNDS RUNS REPEATS\n", argv[0],
                argv[0]);
        return 2;
    }
    workload w = *named;
    if (numbers[0] > 0) w.rounds = numbers[0];
    contend(v, &w, numbers[1], numbers[2]);
    return 0;
}
