/*
 * posse as a contender: plays B-MS over the learners of a workload, and every learner alone, in this process and on one
 * core, and prints what report.h says.
 *
 *     bench_contender describe WORKLOAD ROUNDS                  what rivals are given; ROUNDS 0: the workload's own
 *     bench_contender VARIANT WORKLOAD ROUNDS RUNS REPEATS      exit status 2 where the processor has no such kernels
 */
#include <stdlib.h>
#include <string.h>

#include "numeric/kernels.h"
#include "numeric/sketch.h"
#include "report.h"
#include "simulation.h"

/* A variant is a way to set the library up before it plays. What else can be switched gets a member here. */
typedef struct variant {
    const char *name;
    const char *kernels; /* NULL: what the library takes by itself */
    bool all_arms;       /* of a linear model are computed, none ruled out by their sketch */
    bool one_run;        /* at a time is played, none side by side */
} variant;

static const variant variants[] = {
    {.name = "posse"},
    {"posse-avx2", .kernels = "avx2"},
    {"posse-baseline", .kernels = "baseline"},
    {"posse-scalar", .kernels = "scalar"},
    {"posse-all-arms", .all_arms = true},
    {"posse-one-run", .one_run = true},
};

/* The variant of a name, set up; NULL: there is none, or this processor cannot run it. */
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
    posse_lanes *lanes; /* for all of them, or NULL */
} contest;

static void play_one_by_one(void *context, uint32_t first, uint32_t runs, double *regrets) {
    contest *c = context;
    for (uint32_t run = 0; run < runs; run++)
        for (int i = 0; i < c->competitors; i++) *regrets++ = simulation_play(&c->simulations[i], first + run);
}

static void play_side_by_side(void *context, uint32_t first, uint32_t runs, double *regrets) {
    contest *c = context;
    double sums[COMPETITORS_MAX][POSSE_LANES];
    lanes_play(c->lanes, c->competitors, c->simulations[0].rounds, first, sums);
    for (uint32_t run = 0; run < runs; run++)
        for (int i = 0; i < c->competitors; i++) *regrets++ = sums[i][run];
}

static posse_lanes *lanes_for(const contest *c) {
    posse_lanes *lanes = NULL;
    posse_error error = posse_lanes_create(c->simulations[0].e, &lanes);
    for (int i = 0; i < c->competitors && error == POSSE_OK; i++) error = posse_lanes_add(lanes, c->simulations[i].p);
    if (error == POSSE_OK) return lanes;
    posse_lanes_free(lanes);
    return NULL;
}

static void contend(const variant *v, const workload *w, uint32_t runs, uint32_t repeats) {
    static const posse_part bms = {.kind = "bms"};
    contest c = {.competitors = w->learner_count + 1};
    for (int i = 0; i < c.competitors; i++) c.simulations[i] = simulation_make(w, i == 0 ? &bms : NULL, i - 1);
    if (!v->one_run) c.lanes = lanes_for(&c);
    char note[64];
    snprintf(note, sizeof note, "%s kernels", kernels_active()->name);
    report(&(plan){.competitors = c.competitors,
                   .rounds = w->rounds,
                   .runs = runs,
                   .repeats = repeats,
                   .together = c.lanes != NULL ? POSSE_LANES : 1,
                   .play = c.lanes != NULL ? play_side_by_side : play_one_by_one,
                   .context = &c,
                   .note = note});
    posse_lanes_free(c.lanes);
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
