/* SPDX-License-Identifier: MIT */
/*
 * Nanoseconds of a round on a GPU, in the paper's experiment with UCB learners (K = 5, M = 6, T = 1000), over many
 * runs. Fewer rounds are for tools that watch every access to memory, which take long. The device reports when it has
 * played a competitor, so that the time of one is that between two reports. Each competitor is there twice, and the
 * second one counts: the first one also waits for the copies before it.
 *
 *     bench_gpu posse_cuda.so [runs [rounds]]
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "posse_device.h"

#define LEARNERS 6
#define COMPETITORS 6 /* three, each of them twice */

static const posse_part learners[LEARNERS] = {
    {.kind = "ucb", .name = "c=0.01", .options = {{.key = "width", .number = 0.01}}},
    {.kind = "ucb", .name = "c=0.1", .options = {{.key = "width", .number = 0.1}}},
    {.kind = "ucb", .name = "c=1", .options = {{.key = "width", .number = 1.0}}},
    {.kind = "ucb", .name = "c=2", .options = {{.key = "width", .number = 2.0}}},
    {.kind = "ucb", .name = "c=5", .options = {{.key = "width", .number = 5.0}}},
    {.kind = "ucb", .name = "c=10", .options = {{.key = "width", .number = 10.0}}},
};

static const char *const what[] = {"B-MS", "B-MS shared", "UCB"};

/* When the device has reported, and how much time passed before each report. */
typedef struct reports {
    double last, seconds[COMPETITORS];
    int count;
} reports;

static void gpu_told(void *context, uint64_t rounds) {
    (void)rounds;
    reports *r = context;
    double now = clock_now();
    r->seconds[r->count++ % COMPETITORS] += now - r->last;
    r->last = now;
}

static void gpu_fail(const char *text) {
    fprintf(stderr, "bench_gpu: %s\n", text);
    exit(1);
}

static posse *competitor_made(const posse_environment *e, int i, uint64_t rounds) {
    posse_def def = posse_environment_def(e);
    posse *p = NULL;
    def.rounds = rounds;
    def.learners = i < 2 ? learners : &learners[2];
    def.learner_count = i < 2 ? LEARNERS : 1;
    def.selector = (posse_part){0};
    if (i < 2) def.selector = (posse_part){.kind = "bms", .options = {{.key = "share", .number = i}}};
    if (posse_create(&def, &p) != POSSE_OK) gpu_fail("no posse");
    return p;
}

static posse_device *device_made(const void *ops, const posse_environment *e, posse **posses, const uint64_t *rounds) {
    static const int places[LEARNERS] = {0, 1, 2, 3, 4, 5};
    posse_device_record record = {.rounds = *rounds,
                                  .tail = *rounds / 10,
                                  .points = rounds,
                                  .point_count = 1,
                                  .learners = LEARNERS,
                                  .selectors = 4,
                                  .block_runs = 64};
    posse_device_competitor competitors[COMPETITORS] = {0};
    posse_device *d = NULL;
    char why[POSSE_DEVICE_TEXT];
    for (int i = 0; i < COMPETITORS; i++) {
        competitors[i].player = posses[i / 2];
        competitors[i].places = places;
    }
    if (posse_device_create(ops, e, &record, competitors, COMPETITORS, &d, why) != POSSE_OK) gpu_fail(why);
    return d;
}

/* The sums of the regrets of a competitor, and of their squares. */
typedef struct regrets {
    double sum, squares;
} regrets;

/* Plays all runs. */
static void gpu_play(posse_device *d, uint32_t runs, reports *times, regrets *all) {
    char why[POSSE_DEVICE_TEXT];
    uint32_t width = posse_device_width(d), *numbers = malloc(width * sizeof *numbers);
    posse_device_results *results = posse_device_results_make(d, 0);
    if (numbers == NULL || results == NULL) gpu_fail("out of memory");
    for (uint32_t first = 0; first < runs; first += width) {
        uint32_t count = runs - first < width ? runs - first : width;
        for (uint32_t i = 0; i < count; i++) numbers[i] = first + i;
        times->last = clock_now();
        if (posse_device_play(d, numbers, count, 0, results, gpu_told, times, why) != POSSE_OK) gpu_fail(why);
        for (int c = 0; c < COMPETITORS; c++)
            for (uint32_t i = 0; i < count; i++) {
                double regret = results->slips[i * results->slip_count + posse_device_slip(d, c)];
                all[c].sum += regret;
                all[c].squares += regret * regret;
            }
    }
    posse_device_results_free(d, results);
    free(numbers);
}

int main(int argc, char **argv) {
    if (argc < 2) gpu_fail("usage: bench_gpu posse_cuda.so [runs [rounds]]");
    void *file = dlopen(argv[1], RTLD_NOW);
    const void *ops = file != NULL ? dlsym(file, "posse_device_ops") : NULL;
    if (ops == NULL) gpu_fail(dlerror());
    uint32_t runs = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000000;
    const posse_part arms = {.kind = "gaussian", .options = {{.key = "arms", .number = 5.0}}};
    const uint64_t rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000;
    posse_environment *e = NULL;
    posse *posses[3];
    reports times = {0};
    regrets all[COMPETITORS] = {0};
    if (posse_environment_create(&arms, 1, NULL, &e) != POSSE_OK) gpu_fail("no environment");
    for (int i = 0; i < 3; i++) posses[i] = competitor_made(e, i, rounds);
    posse_device *d = device_made(ops, e, posses, &rounds);
    fprintf(stderr, "%s, %u runs, %u at a time\n", posse_device_name(d), runs, posse_device_width(d));
    gpu_play(d, runs, &times, all);
    printf("what,ns_per_round,mean_regret,standard_error\n");
    for (int i = 1; i < COMPETITORS; i += 2) {
        double mean = all[i].sum / runs, variance = all[i].squares / runs - mean * mean;
        printf("%s,%.4f,%.3f,%.3f\n", what[i / 2], times.seconds[i] * 1e9 / ((double)runs * (double)rounds), mean,
               sqrt(variance / runs));
    }
    posse_device_free(d);
    for (int i = 0; i < 3; i++) posse_free(posses[i]);
    posse_environment_free(e);
    return 0;
}
