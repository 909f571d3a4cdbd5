/* SPDX-License-Identifier: MIT */
#include "object.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "posse.h"
#include "report.h"

#define REPEATS 9
#define POSSES 2000
#define DECISIONS 200000

/* Counts the memory that the library asks for. */
typedef struct counter {
    size_t bytes, calls;
} counter;

typedef union label {
    size_t size;
    max_align_t align;
} label;

static void *counted_resize(void *context, void *block, size_t size) {
    counter *c = context;
    label *old = block != NULL ? (label *)block - 1 : NULL;
    c->bytes -= old != NULL ? old->size : 0;
    if (size == 0) {
        free(old);
        return NULL;
    }
    label *now = realloc(old, sizeof *now + size);
    if (now == NULL) abort();
    now->size = size;
    c->bytes += size;
    c->calls++;
    return now + 1;
}

static posse *made(const posse_def *def) {
    posse *p;
    if (posse_create(def, &p) != POSSE_OK) abort();
    return p;
}

/* Microseconds to create a posse beside many others, and the bytes of its saved state. */
static double creation(const posse_def *def, size_t *saved) {
    static posse *all[POSSES];
    double least = 1e300;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = seconds();
        for (int i = 0; i < POSSES; i++) all[i] = made(def);
        double each = 1e6 * (seconds() - begin) / POSSES;
        if (each < least) least = each;
        if (posse_save(all[0], NULL, saved) != POSSE_OK) abort();
        for (int i = 0; i < POSSES; i++) posse_free(all[i]);
    }
    return least;
}

/* Nanoseconds of a decision with its reward, from the first one on. */
static double decision(const posse_def *def) {
    double least = 1e300;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        posse *p = made(def);
        double begin = seconds();
        for (int i = 0; i < DECISIONS; i++) {
            posse_decision d;
            if (posse_decide(p, NULL, &d) != POSSE_OK || posse_learn(p, d.id, 0.1 * d.arm + 0.01 * (i % 7)) != POSSE_OK)
                abort();
        }
        double each = 1e9 * (seconds() - begin) / DECISIONS;
        if (each < least) least = each;
        posse_free(p);
    }
    return least;
}

static void print_object(const char *prior, int learners) {
    static const posse_part crew[] = {{.kind = "ucb"},
                                      {.kind = "thompson"},
                                      {.kind = "epsilon-greedy"},
                                      {.kind = "ucb", .options = {{.key = "width", .number = 0.5}}},
                                      {.kind = "thompson"},
                                      {.kind = "epsilon-greedy", .options = {{.key = "epsilon", .number = 0.05}}}};
    counter c = {0};
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior.kind = prior;
    def.learners = crew;
    def.learner_count = learners;
    def.host.allocator = (posse_allocator){counted_resize, &c};
    posse *p = made(&def);
    size_t bytes = c.bytes, calls = c.calls, saved;
    posse_free(p);
    def.host.allocator = (posse_allocator){0};
    double created = creation(&def, &saved);
    printf("%-12s %d learners %23s %9zu %9zu %9.2f %9zu %9.1f\n", prior, learners, "", bytes, calls, created, saved,
           decision(&def));
    fflush(stdout);
}

void bench_object(void) {
    printf("\n%-47s %9s %9s %9s %9s %9s\n", "an object: 5 arms, default selector", "bytes", "allocs", "us", "saved",
           "ns");
    print_object("gaussian", 3);
    print_object("gaussian", 6);
    print_object("beta", 3);
}
