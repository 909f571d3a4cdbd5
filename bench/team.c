/* SPDX-License-Identifier: MIT */
/*
 * What a decision costs where all arms share many features, as in tables of real data: microseconds of deciding and
 * learning, on one core, of the recommended team for clicks, and of the team {logistic-ucb 0.1, 0.3 and 1, linear-ucb
 * 0.25, ucb} under B-MS+ with a logistic belief, every learner asked in every round. Its three logistic learners share
 * one model. Beside them is one of these learners alone, and the second team with a model for each learner: their
 * precisions differ by less than a millionth.
 *
 *     bench_team [FEATURES]     prints lines of: FEATURES ARMS RECOMMENDED TEAM ALONE APART; those of one size alone
 *
 * Rounds are drawn before the clock starts: normal features, and a reward of 1 for one arm of each round, that of the
 * largest linear score. The rounds are played several times, and each one counts by the least of its times, so that
 * other programs on the machine hardly matter.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "numeric/vectors.h"
#include "object/object.h"

#define ROUNDS 2000
#define REPEATS 15
#define LEARNERS 5

static const struct { int features, arms; } sizes[] = {{17, 26}, {62, 10}, {181, 3}};

typedef struct table {
    int features, arms;
    double *rows; /* ROUNDS of them */
    int labels[ROUNDS];
} table;

static void *room_for(size_t count, size_t size) {
    void *room = calloc(count, size);
    if (room == NULL) abort();
    return room;
}

static table table_draw(int features, int arms) {
    static posse_draw draw;
    size_t width = (size_t)features;
    table t = {.features = features, .arms = arms, .rows = room_for(ROUNDS * width, sizeof(double))};
    double *weights = room_for((size_t)arms * width, sizeof(double)), *scores = room_for((size_t)arms, sizeof(double));
    draw_open(&draw, 1, 0, 1, 0);
    posse_draw_normals(&draw, weights, (size_t)arms * width);
    posse_draw_normals(&draw, t.rows, ROUNDS * width);
    for (size_t i = 0; i < ROUNDS; i++) {
        for (int a = 0; a < arms; a++) scores[a] = dot(weights + (size_t)a * width, t.rows + i * width, features);
        t.labels[i] = largest(scores, arms);
    }
    free(weights);
    free(scores);
    return t;
}

#define LOGISTIC(width_, precision_)                                                                                   \
    {                                                                                                                  \
        .kind = "logistic-ucb", .options = {                                                                           \
            {.key = "width", .number = width_},                                                                        \
            {.key = "precision", .number = precision_}                                                                 \
        }                                                                                                              \
    }
#define OTHERS                                                                                                         \
    {.kind = "linear-ucb", .options = {{.key = "width", .number = 0.25}, {.key = "precision", .number = 1.0}}}, {      \
        .kind = "ucb"                                                                                                  \
    }

static const posse_part team[LEARNERS] = {LOGISTIC(0.1, 1.0), LOGISTIC(0.3, 1.0), LOGISTIC(1.0, 1.0), OTHERS};
static const posse_part apart[LEARNERS] = {LOGISTIC(0.1, 1.0), LOGISTIC(0.3, 1.0 + 1e-7), LOGISTIC(1.0, 1.0 + 2e-7),
                                           OTHERS};

/* learners: NULL for the recommended ones, under the recommended selector. */
static posse *posse_of(const table *t, const posse_part *learners, int count) {
    posse_def def = posse_default_def();
    def.arms = t->arms;
    def.context = t->features;
    def.prior = (posse_part){.kind = "logistic", .options = {{.key = "precision", .number = 1.0}}};
    if (count == 1) def.selector = (posse_part){0};
    if (count > 1) def.selector = (posse_part){.kind = "bms-plus", .options = {{.key = "consider", .number = 1.0}}};
    def.learners = learners;
    def.learner_count = count;
    posse_part room[POSSE_RECOMMENDED_LEARNERS];
    if (learners == NULL && posse_recommend(&def, POSSE_REWARDS_CLICKS, room) != POSSE_OK) abort();
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) abort();
    return p;
}

/* Seconds of the wall clock. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double microseconds(const table *t, const posse_part *learners, int count) {
    double *least = room_for(ROUNDS, sizeof *least), sum = 0.0;
    posse *p = posse_of(t, learners, count);
    for (int i = 0; i < ROUNDS; i++) least[i] = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        if (posse_restart(p, 0) != POSSE_OK) abort();
        for (int i = 0; i < ROUNDS; i++) {
            posse_context c = {.shared = t->rows + (size_t)i * (size_t)t->features};
            posse_decision d;
            double begin = now();
            if (posse_decide(p, &c, &d) != POSSE_OK) abort();
            if (posse_learn(p, d.id, d.arm == t->labels[i]) != POSSE_OK) abort();
            least[i] = fmin(least[i], now() - begin);
        }
    }
    for (int i = 0; i < ROUNDS; i++) sum += least[i];
    posse_free(p);
    free(least);
    return 1e6 * sum / ROUNDS;
}

int main(int count, char **words) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (count > 1 && atoi(words[1]) != sizes[i].features) continue;
        table t = table_draw(sizes[i].features, sizes[i].arms);
        double recommended = microseconds(&t, NULL, 0), of_team = microseconds(&t, team, LEARNERS);
        double alone = microseconds(&t, team, 1), separate = microseconds(&t, apart, LEARNERS);
        printf("%3d %2d %7.2f %7.2f %7.2f %7.2f\n", t.features, t.arms, recommended, of_team, alone, separate);
        fflush(stdout);
        free(t.rows);
    }
    return 0;
}
