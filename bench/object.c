/* SPDX-License-Identifier: MIT */
/*
 * bench_object: what a posse that an application holds costs, as the rows of bench/object.csv. The posses have 5 arms;
 * in rounds with features, every arm has 5. `created` is the memory of a posse that was created, `first` adds its first
 * pending decision, and `used` is after 20,000 decisions, when streams have become as large as the posse needs them.
 * Times are the least of several repeats: microseconds to create a posse beside many others, and nanoseconds of a
 * decision with its reward, from the first one on.
 */
#include <stdio.h>
#include <stdlib.h>

#include "posse.h"
#include "purse.h"
#include "report.h"

#define REPEATS 9
#define POSSES 2000
#define DECISIONS 20000
#define LEARNERS_MOST 12
#define ARMS 5
#define FEATURES 5

/* ------------------------------------------------- the posses -------------------------------------------------- */

typedef struct object {
    const char *prior, *selector;
    int learners;
    bool share, features;
    uint32_t propensity_draws;
} object;

static const object objects[] = {
    {"gaussian", "bms", 1, false, false, 0},      {"gaussian", "bms", 3, true, false, 0},
    {"gaussian", "bms", 6, false, false, 0},      {"gaussian", "bms", 6, true, false, 0},
    {"gaussian", "bms", 12, false, false, 0},     {"gaussian", "bms", 12, true, false, 0},
    {"beta", "bms", 1, false, false, 0},          {"beta", "bms", 3, true, false, 0},
    {"beta", "bms", 6, false, false, 0},          {"beta", "bms", 6, true, false, 0},
    {"beta", "bms", 12, false, false, 0},         {"beta", "bms", 12, true, false, 0},
    {"gaussian", "bms-plus", 1, true, false, 0},  {"gaussian", "bms-plus", 3, true, false, 0},
    {"gaussian", "bms-plus", 6, false, false, 0}, {"gaussian", "bms-plus", 6, true, false, 0},
    {"gaussian", "bms-plus", 12, true, false, 0}, {"beta", "bms-plus", 1, true, false, 0},
    {"beta", "bms-plus", 3, true, false, 0},      {"beta", "bms-plus", 6, false, false, 0},
    {"beta", "bms-plus", 6, true, false, 0},      {"beta", "bms-plus", 12, true, false, 0},
    {"linear", "bms", 1, true, true, 0},          {"linear", "bms", 6, true, true, 0},
    {"linear", "bms-plus", 1, true, true, 0},     {"linear", "bms-plus", 6, true, true, 0},
    {"gaussian", "bms-plus", 6, true, false, 10}};

/* Two of each kind in six learners, the second one with another option where the kind has one. */
static void fill_crew(const object *o, posse_part *crew) {
    static const posse_part plain[] = {{.kind = "ucb"},
                                       {.kind = "thompson"},
                                       {.kind = "epsilon-greedy"},
                                       {.kind = "ucb", .options = {{.key = "width", .number = 0.5}}},
                                       {.kind = "thompson"},
                                       {.kind = "epsilon-greedy", .options = {{.key = "epsilon", .number = 0.05}}}};
    static const posse_part linear[] = {
        {.kind = "linear-ucb"}, {.kind = "linear-thompson"}, {.kind = "epsilon-greedy"}};
    for (int i = 0; i < o->learners; i++) crew[i] = o->features ? linear[i % 3] : plain[i % 6];
}

static posse *made(const object *o, posse_allocator allocator) {
    posse_part crew[LEARNERS_MOST];
    posse_def def = posse_default_def();
    posse *p;
    fill_crew(o, crew);
    def.arms = ARMS;
    def.dim = o->features ? FEATURES : 0;
    def.prior.kind = o->prior;
    def.selector = (posse_part){.kind = o->selector, .options = {{.key = "share", .number = o->share}}};
    def.learners = crew;
    def.learner_count = o->learners;
    def.propensity_draws = o->propensity_draws;
    def.host.allocator = allocator;
    if (posse_create(&def, &p) != POSSE_OK) abort();
    return p;
}

static void decide(const object *o, posse *p, posse_decision *d) {
    static const double points[ARMS * FEATURES] = {[0] = 1.0, [6] = 0.8, [12] = 0.6, [18] = 0.4, [24] = 0.2};
    posse_context context = {.points = points};
    if ((o->features ? posse_decide(p, &context, d) : posse_decide(p, NULL, d)) != POSSE_OK) abort();
}

static void decide_and_learn(const object *o, posse *p, int decisions) {
    for (int i = 0; i < decisions; i++) {
        posse_decision d;
        decide(o, p, &d);
        if (posse_learn(p, d.id, 0.1 * d.arm + 0.01 * (i % 7)) != POSSE_OK) abort();
    }
}

/* ------------------------------------------------- measuring --------------------------------------------------- */

static void print_memory(const object *o) {
    purse c = {0};
    posse_decision d;
    size_t saved;
    posse *p = made(o, purse_host(&c).allocator);
    if (posse_save(p, NULL, &saved) != POSSE_OK) abort();
    printf(",%zu,%zu", c.bytes, c.calls);
    decide(o, p, &d);
    printf(",%zu,%zu", c.bytes, c.calls);
    if (posse_learn(p, d.id, 0.5) != POSSE_OK) abort();
    decide_and_learn(o, p, DECISIONS);
    printf(",%zu,%zu,%zu", c.bytes, c.calls, saved);
    posse_free(p);
}

static double creation(const object *o) {
    static posse *all[POSSES];
    double least = 1e300;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = seconds();
        for (int i = 0; i < POSSES; i++) all[i] = made(o, (posse_allocator){0});
        double each = 1e6 * (seconds() - begin) / POSSES;
        if (each < least) least = each;
        for (int i = 0; i < POSSES; i++) posse_free(all[i]);
    }
    return least;
}

static double decision(const object *o) {
    double least = 1e300;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        posse *p = made(o, (posse_allocator){0});
        double begin = seconds();
        decide_and_learn(o, p, DECISIONS);
        double each = 1e9 * (seconds() - begin) / DECISIONS;
        if (each < least) least = each;
        posse_free(p);
    }
    return least;
}

int main(void) {
    puts("prior,selector,learners,share,features,propensity_draws,created_bytes,created_allocations,first_bytes,"
         "first_allocations,used_bytes,used_allocations,saved_bytes,create_us,decide_and_learn_ns");
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const object *o = &objects[i];
        printf("%s,%s,%d,%d,%d,%u", o->prior, o->selector, o->learners, o->share, o->features ? FEATURES : 0,
               o->propensity_draws);
        print_memory(o);
        printf(",%.2f,%.1f\n", creation(o), decision(o));
        fflush(stdout);
    }
    return 0;
}
