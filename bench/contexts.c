/* SPDX-License-Identifier: MIT */
/*
 * What B-MS+ costs in rounds with features: nanoseconds of the selector in a round (the choice of a learner, noting its
 * play, learning the reward, the belief's update included), microseconds of its worst round, and bytes of its state.
 *
 *     bench_contexts [NAME]     prints lines of: NAME ROUNDS NANOSECONDS WORST_MICROSECONDS BYTES; of one NAME alone
 *
 * The plays of each learner are recorded first, while it plays the same rounds alone. So the selector has learners that
 * differ as real ones do, and the figures do not include the work of the learners.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/object.h"
#include "report.h"

#define FEATURES 10
#define ARMS 20
#define LEARNERS 6
#define ROUNDS_MOST 30000

#define NUMBERS ((size_t)ARMS * FEATURES)

static const posse_part team[LEARNERS] = {
    {.kind = "linear-ucb", .name = "narrow", .options = {{.key = "width", .number = 0.25}}},
    {.kind = "linear-ucb", .name = "wide", .options = {{.key = "width", .number = 2.0}}},
    {.kind = "linear-thompson", .name = "sampling", .options = {{.key = "width", .number = 0.3}}},
    {.kind = "epsilon-greedy", .name = "greedy"},
    {.kind = "ucb", .name = "blind"},
    {.kind = "linear-ucb", .name = "middle", .options = {{.key = "width", .number = 1.0}}},
};

/* Rounds, and in each the arm that a learner would play and its reward. */
typedef struct script {
    bool shared;
    uint32_t rounds;
    double *features; /* NUMBERS for each round, or FEATURES where they are shared */
    double *noise;
    double theta[ARMS * FEATURES]; /* the weights of each arm; the first for all if arms have their own features */
    int *arms[LEARNERS];
} script;

static void *room_for(size_t count, size_t size) {
    void *room = calloc(count, size);
    if (room == NULL) abort();
    return room;
}

static size_t numbers_of(const script *s) {
    return s->shared ? FEATURES : NUMBERS;
}

static double reward_of(const script *s, uint32_t round, int arm) {
    const double *x = s->features + round * numbers_of(s), *theta = s->theta;
    if (s->shared)
        theta += arm * FEATURES;
    else
        x += arm * FEATURES;
    return dot(theta, x, FEATURES) + s->noise[round];
}

static posse_def def_of(const script *s, uint32_t rounds) {
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = s->shared ? 0 : FEATURES;
    def.context = s->shared ? FEATURES : 0;
    def.prior.kind = "linear";
    def.rounds = rounds;
    return def;
}

static posse *made(const posse_def *def) {
    posse *p;
    if (posse_create(def, &p) != POSSE_OK) abort();
    return p;
}

static posse_context context_of(const script *s, uint32_t round) {
    const double *x = s->features + round * numbers_of(s);
    return (posse_context){.shared = s->shared ? x : NULL, .points = s->shared ? NULL : x};
}

static void record_learner(script *s, int learner) {
    posse_def def = def_of(s, s->rounds);
    def.selector = (posse_part){0};
    def.learners = &team[learner];
    def.learner_count = 1;
    posse *p = made(&def);
    s->arms[learner] = room_for(s->rounds, sizeof(int));
    for (uint32_t t = 0; t < s->rounds; t++) {
        posse_context c = context_of(s, t);
        posse_decision d;
        if (posse_decide(p, &c, &d) != POSSE_OK) abort();
        s->arms[learner][t] = d.arm;
        if (posse_learn(p, d.id, reward_of(s, t, d.arm)) != POSSE_OK) abort();
    }
    posse_free(p);
}

/* Half of an arm's features is its own and stays, the other half changes every round; their length is about 1. */
static void script_write(script *s, bool shared, uint32_t rounds) {
    static posse_draw draw;
    *s = (script){.shared = shared, .rounds = rounds};
    size_t numbers = numbers_of(s);
    s->features = room_for(rounds * numbers, sizeof(double));
    s->noise = room_for(rounds, sizeof(double));
    draw_open(&draw, 1, 0, 1, 0);
    double lasting[NUMBERS];
    posse_draw_normals(&draw, s->theta, shared ? NUMBERS : FEATURES);
    posse_draw_normals(&draw, lasting, NUMBERS);
    posse_draw_normals(&draw, s->noise, rounds);
    for (uint32_t t = 0; t < rounds; t++)
        for (size_t i = 0; i < numbers; i++)
            s->features[t * numbers + i] =
                (posse_draw_normal(&draw) + (shared ? 0.0 : lasting[i])) / sqrt(2.0 * FEATURES);
    for (int i = 0; i < LEARNERS; i++) record_learner(s, i);
}

static void script_free(script *s) {
    free(s->features);
    free(s->noise);
    for (int i = 0; i < LEARNERS; i++) free(s->arms[i]);
}

/* A round of the selector alone. Its features are in `x`, as if an application had just computed them. */
static void selector_round(posse *p, const script *s, uint32_t t, posse_round *round, const double *x) {
    const chooser *c = &p->selector;
    posse_outcome o = {.probability = 1.0};
    o.learner = c->ops->choose(c->part.plan, c->state, p->selector_draw, p->ties_draw, &o.probability);
    o.arm = s->arms[o.learner][t];
    o.point = x + (s->shared ? 0 : o.arm * FEATURES);
    o.reward = reward_of(s, t, o.arm);
    round->features = x;
    if (c->picks != NULL) {
        for (int i = 0; i < LEARNERS; i++) c->picks[i] = s->arms[i][t];
        c->ops->considered(c->part.plan, c->state, round, c->picks, p->selector_draw);
    } else
        c->ops->played_in(c->part.plan, c->state, o.learner, round, o.arm, p->selector_draw);
    c->ops->learn(c->part.plan, c->state, &o);
}

/* Seconds of the wall clock. Reading it takes little time, and each round counts by the least of several repeats. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Seconds of a run; each: those of each round, or NULL. idle: features and rewards are made, but the selector is not
 * called.
 */
static double play(posse *p, const script *s, uint32_t rounds, double *each, bool idle) {
    double x[NUMBERS], volatile_sum = 0.0;
    posse_round round = {.count = ARMS, .arms = p->space->every, .width = FEATURES, .stride = s->shared ? 0 : FEATURES};
    if (posse_restart(p, 0) != POSSE_OK) abort();
    double begin = seconds();
    for (uint32_t t = 0; t < rounds; t++) {
        memcpy(x, s->features + t * numbers_of(s), numbers_of(s) * sizeof *x);
        __asm__ volatile("" : : "r"(x) : "memory");
        double start = each != NULL ? now() : 0.0;
        if (idle)
            volatile_sum += reward_of(s, t, (int)(t % ARMS));
        else
            selector_round(p, s, t, &round, x);
        if (each != NULL) each[t] = fmin(each[t], now() - start);
    }
    __asm__ volatile("" : : "r"(&volatile_sum) : "memory");
    return seconds() - begin;
}

static double least_of(posse *p, const script *s, uint32_t rounds, bool idle, int repeats) {
    double least = INFINITY;
    for (int i = 0; i < repeats; i++) least = fmin(least, play(p, s, rounds, NULL, idle));
    return least;
}

static double worst_round(posse *p, const script *s, uint32_t rounds, int repeats) {
    double *each = room_for(rounds, sizeof *each), worst = 0.0;
    for (uint32_t t = 0; t < rounds; t++) each[t] = INFINITY;
    for (int i = 0; i < repeats; i++) play(p, s, rounds, each, false);
    for (uint32_t t = 0; t < rounds; t++) worst = fmax(worst, each[t]);
    free(each);
    return worst;
}

static void measure(const char *name, const script *s, uint32_t rounds, const posse_part *selector, int repeats) {
    static const posse_part crew[LEARNERS] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"},
                                              {.kind = "external", .name = "c"}, {.kind = "external", .name = "d"},
                                              {.kind = "external", .name = "e"}, {.kind = "external", .name = "f"}};
    posse_def def = def_of(s, rounds);
    def.selector = *selector;
    def.learners = crew;
    def.learner_count = LEARNERS;
    posse *p = made(&def);
    double idle = least_of(p, s, rounds, true, repeats), busy = least_of(p, s, rounds, false, repeats);
    printf("%-17s %6u %10.1f %8.2f %9zu\n", name, rounds, 1e9 * (busy - idle) / rounds,
           1e6 * worst_round(p, s, rounds, repeats), p->selector.part.state_size);
    fflush(stdout);
    posse_free(p);
}

#define OWN_PLAYS                                                                                                      \
    { .key = "share", .number = 0 }

static const posse_part plus = {.kind = "bms-plus"};
static const posse_part own_plays = {.kind = "bms-plus", .options = {OWN_PLAYS}};
static const posse_part history = {
    .kind = "bms-plus",
    .options = {
        OWN_PLAYS, {.key = "memory", .word = "all"}, {.key = "recency", .number = 1}, {.key = "hold", .number = 0}}};

/* The cases that are measured. Their numbers of repeats make them take about the same time. */
static const struct {
    const char *name;
    bool shared;
    const posse_part *selector;
    uint32_t rounds;
    int repeats;
} cases[] = {{"own-plays", false, &own_plays, 3000, 40},
             {"own-plays", false, &own_plays, 30000, 8},
             {"bms-plus", false, &plus, 3000, 40},
             {"bms-plus", false, &plus, 30000, 8},
             {"own-plays-vector", true, &own_plays, 3000, 40},
             {"own-plays-vector", true, &own_plays, 30000, 8},
             {"own-plays-history", false, &history, 3000, 3}};

int main(int count, char **words) {
    script scripts[2];
    for (int shared = 0; shared < 2; shared++) script_write(&scripts[shared], shared, ROUNDS_MOST);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (count < 2 || strcmp(cases[i].name, words[1]) == 0)
            measure(cases[i].name, &scripts[cases[i].shared], cases[i].rounds, cases[i].selector, cases[i].repeats);
    for (int shared = 0; shared < 2; shared++) script_free(&scripts[shared]);
    return 0;
}
