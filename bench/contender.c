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
} variant;

static const variant variants[] = {
    {"posse", NULL, false},
    {"posse-avx2", "avx2", false},
    {"posse-baseline", "baseline", false},
    {"posse-scalar", "scalar", false},
    {"posse-all-arms", NULL, true},
};

/* Whether there is such a variant, and this processor can run it. */
static bool use(const char *name) {
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const variant *v = &variants[i];
        if (strcmp(v->name, name) != 0) continue;
        sketches_use(!v->all_arms);
        return v->kernels == NULL || kernels_use(v->kernels);
    }
    return false;
}

static double play(void *context, int competitor, uint32_t run) {
    return simulation_play((simulation *)context + competitor, run);
}

static void contend(const workload *w, uint32_t runs, uint32_t repeats) {
    static const posse_part bms = {.kind = "bms"};
    simulation simulations[COMPETITORS_MAX];
    int competitors = w->learner_count + 1;
    simulations[0] = simulation_make(w, &bms, 0);
    for (int i = 1; i < competitors; i++) simulations[i] = simulation_make(w, NULL, i - 1);
    char note[64];
    snprintf(note, sizeof note, "%s kernels", kernels_active()->name);
    report(&(plan){competitors, w->rounds, runs, repeats, play, simulations, note});
    for (int i = 0; i < competitors; i++) simulation_free(&simulations[i]);
}

int main(int argc, char **argv) {
    const workload *named = argc > 2 ? workload_named(argv[2]) : NULL;
    uint32_t numbers[3] = {0};
    for (int i = 3; i < argc && i < 6; i++) numbers[i - 3] = (uint32_t)strtoul(argv[i], NULL, 10);
    if (named != NULL && argc == 4 && strcmp(argv[1], "describe") == 0) {
        workload_describe(named, numbers[0], stdout);
        return 0;
    }
    if (named == NULL || argc != 6 || numbers[1] == 0 || !use(argv[1])) {
        fprintf(stderr, "usage: %s describe WORKLOAD ROUNDS\n       %s VARIANT WORKLOAD ROUNDS RUNS REPEATS\n", argv[0],
                argv[0]);
        return 2;
    }
    workload w = *named;
    if (numbers[0] > 0) w.rounds = numbers[0];
    contend(&w, numbers[1], numbers[2]);
    return 0;
}
