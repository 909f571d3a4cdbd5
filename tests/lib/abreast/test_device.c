/* SPDX-License-Identifier: MIT */
/*
 * Runs on a device: the source of the device, compiled for the processor, plays the same runs as posse_play, to the
 * last bit. Curves that are reduced are those of the runs, added in order.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 1
#include "abreast/device/play.h"
#include "helpers.h"
#include "posse_device.h"
#include "posse_inside.h"

extern const device_ops posse_device_ops; /* tests/support/device_on_host.c */

#define MOST 100 /* learners, and arms */
#define RUNS 24
#define BLOCK 10

/* Kinds that only the library plays. */
typedef struct scene {
    posse_part environment, selector, learners[4];
    bool moves; /* true charges are not those of counts and means at the end */
} scene;

/* A comparison: an environment, the posse that plays it, and the number of rounds. */
typedef struct match {
    int arms;
    enum { UCB, THOMPSON, FIXED, MIXED } learners;
    int count; /* number of learners; 0: one without a selector */
    bool share;
    size_t rounds;
    uint64_t seed;
    double patience;    /* 0: endless */
    const scene *scene; /* other kinds; NULL: those above */
} match;

static const double *list_of(int shift, double low, double step) {
    static double lists[8][MOST];
    for (int a = 0; a < MOST; a++) lists[shift][a] = low + step * ((a * 7 + shift * 3) % 5);
    return lists[shift];
}

static posse_environment *environment_of(const match *m) {
    if (m->scene != NULL) return environment_made(&m->scene->environment, m->seed);
    posse_part e = {.kind = "gaussian", .options = {NUMBER("arms", m->arms), NUMBER("noise", 1.25)}};
    e.options[2] = (posse_option){.key = "prior.mean", .list = list_of(0, -0.2, 0.1), .count = (size_t)m->arms};
    return environment_made(&e, m->seed);
}

/* Beliefs have one sd for all arms, or a list. */
static posse_part belief_of(int arms, int i) {
    posse_part b = {.kind = "gaussian",
                    .options = {{.key = "mean", .list = list_of(1 + i % 3, -0.1, 0.1), .count = (size_t)arms},
                                {.key = "noise", .number = 1.0 + 0.5 * (i % 3)},
                                {.key = "sd", .number = 0.5 + 0.1 * i}}};
    if (i % 2 == 1) b.options[2] = (posse_option){.key = "sd", .list = list_of(5, 0.25, 0.125), .count = (size_t)arms};
    return b;
}

static posse *posse_of_scene(const match *m, const posse_environment *e) {
    posse_def def = posse_environment_def(e);
    def.learners = m->scene->learners;
    def.learner_count = m->count > 0 ? m->count : 1;
    def.selector = m->scene->selector;
    def.rounds = m->rounds;
    return posse_made(&def);
}

static posse *posse_of(const match *m, const posse_environment *e) {
    static char names[MOST][8];
    if (m->scene != NULL) return posse_of_scene(m, e);
    static posse_part beliefs[MOST + 1], learners[MOST];
    int count = m->count > 0 ? m->count : 1;
    for (int i = 0; i <= count; i++) beliefs[i] = belief_of(m->arms, i);
    for (int i = 0; i < count; i++) {
        int kind = m->learners == MIXED ? i % 3 : (int)m->learners;
        snprintf(names[i], sizeof names[i], "%d", i);
        if (kind == UCB) learners[i] = (posse_part){.kind = "ucb", .options = {NUMBER("width", 0.2 * i)}};
        if (kind == THOMPSON)
            learners[i] = (posse_part){.kind = "thompson", .options = {{.key = "belief", .part = &beliefs[i]}}};
        if (kind == FIXED) learners[i] = (posse_part){.kind = "fixed", .options = {NUMBER("arm", i % m->arms)}};
        learners[i].name = names[i];
    }
    posse_part bms = {.kind = "bms",
                      .options = {{.key = "belief", .part = &beliefs[count]}, NUMBER("share", m->share ? 1 : 0)}};
    if (m->patience > 0.0) bms.options[2] = (posse_option)NUMBER("patience", m->patience);
    posse_def def = posse_environment_def(e);
    def.learners = learners;
    def.learner_count = count;
    def.rounds = m->rounds;
    def.selector = m->count > 0 ? bms : (posse_part){0};
    return posse_made(&def);
}

static void hear_nothing(void *context, uint64_t rounds) {
    *(uint64_t *)context += rounds;
}

static bool matches(const match *m) {
    return m->count > 0 && (m->scene == NULL || !m->scene->moves);
}

/* A device with one competitor, whose curve has every round. */
static posse_device *device_of(const match *m, const posse_environment *e, const posse *p, posse_error expected) {
    static int places[MOST];
    static const uint64_t matching[] = {1, 40, 150};
    uint64_t *points = malloc(m->rounds * sizeof *points);
    const uint64_t watched[] = {7, m->rounds};
    char why[POSSE_DEVICE_TEXT];
    posse_device *d = NULL;
    assert_true(points != NULL);
    for (size_t t = 0; t < m->rounds; t++) points[t] = t + 1;
    for (int i = 0; i < MOST; i++) places[i] = i;
    posse_device_record record = {.rounds = m->rounds,
                                  .tail = m->rounds / 10,
                                  .points = points,
                                  .point_count = (int)m->rounds,
                                  .watched = watched,
                                  .watched_count = 2,
                                  .learners = m->count > 0 ? m->count : 1,
                                  .selectors = m->count > 0 ? 1 : 0,
                                  .block_runs = BLOCK};
    posse_device_competitor competitor = {.player = p, .places = places};
    if (matches(m)) competitor.matching = matching, competitor.matching_count = 3;
    assert_int_equal(posse_device_create(&posse_device_ops, e, &record, &competitor, 1, &d, why), expected);
    assert_true((d != NULL) == (expected == POSSE_OK) && (why[0] == '\0') == (expected == POSSE_OK));
    free(points);
    return d;
}

/* What a run is when it is played alone. */
typedef struct story {
    int32_t *learners, *arms;
    double *regrets;
} story;

static story story_of(const match *m, posse *p, posse_environment *e, uint32_t run) {
    story s = {malloc(m->rounds * sizeof *s.learners), malloc(m->rounds * sizeof *s.arms),
               malloc(m->rounds * sizeof *s.regrets)};
    posse_trace trace = {.learners = s.learners, .arms = s.arms, .regrets = s.regrets};
    assert_true(s.learners != NULL && s.arms != NULL && s.regrets != NULL);
    posse_environment_begin(e, run);
    assert_int_equal(posse_restart(p, run), POSSE_OK);
    assert_int_equal(posse_play(p, e, m->rounds, &trace), POSSE_OK);
    return s;
}

static void forget(story *s) {
    free(s->learners);
    free(s->arms);
    free(s->regrets);
}

static void assert_same_number(double a, double b, const char *what, const match *m, uint32_t run, size_t t) {
    assert_that(memcmp(&a, &b, sizeof a) == 0,
                "%s: %d arms, %d learners (%d), share %d, run %u, round %zu: %.17g, not %.17g", what, m->arms, m->count,
                m->learners, m->share, run, t, a, b);
}

/* Plays and regrets of each learner, and the true regrets before the matching rounds. */
static void assert_same_team(const match *m, const posse_environment *e, const story *s, const double *slip,
                             double clipped, uint32_t run) {
    static const size_t matching[] = {1, 40, 150};
    double means[MOST], best = -INFINITY, plays[MOST] = {0}, regret[MOST] = {0}, square[MOST] = {0};
    double record[MOST][MOST] = {{0}};
    size_t matched = 0;
    posse_environment_means(e, means);
    for (int a = 0; a < m->arms; a++) best = means[a] > best ? means[a] : best;
    const double *after = slip + 4 + 3 * m->count;
    assert_same_number(*after++, clipped, "rewards clipped", m, run, m->rounds);
    for (size_t t = 0; t < m->rounds; t++) {
        int l = s->learners[t];
        if (matches(m) && matched < 3 && matching[matched] == t + 1) {
            assert_same_number(*after++, (double)l, "learner chosen", m, run, t);
            for (int i = 0; i < m->count; i++) {
                double charge = 0.0;
                for (int a = 0; a < m->arms; a++) charge += record[i][a] * (best - means[a]);
                assert_same_number(*after++, charge, "true charge", m, run, t);
                assert_same_number(*after++, plays[i], "plays so far", m, run, t);
            }
            matched++;
        }
        plays[l] += 1.0;
        record[l][s->arms[t]] += 1.0;
        regret[l] += s->regrets[t];
        if (regret[l] * regret[l] > square[l] * plays[l]) square[l] = regret[l] * regret[l] / plays[l];
    }
    for (int i = 0; i < m->count; i++) {
        assert_same_number(slip[4 + i], plays[i], "plays", m, run, 0);
        assert_same_number(slip[4 + m->count + i], regret[i], "regret of a learner", m, run, 0);
        assert_same_number(slip[4 + 2 * m->count + i], square[i], "coefficient", m, run, 0);
    }
}

static void assert_same_run(const match *m, const posse_device_results *r, const story *s, size_t i, uint32_t run) {
    const double *slip = r->slips + i * r->slip_count;
    double sum = 0.0, optimal = 0.0;
    for (size_t t = 0; t < m->rounds; t++) {
        sum += s->regrets[t];
        if (t >= m->rounds - m->rounds / 10) optimal += s->regrets[t] == 0.0;
        assert_same_number(r->regrets[t * RUNS + i], sum, "regret", m, run, t);
        assert_int_equal(r->marks[t * RUNS + i], s->regrets[t] == 0.0);
        if (m->count > 0) assert_int_equal(r->choices[t * RUNS + i], s->learners[t]);
        if (t == 6) assert_same_number(slip[2], sum, "watched regret", m, run, t);
    }
    assert_same_number(slip[0], sum, "final regret", m, run, m->rounds);
    assert_same_number(slip[1], optimal, "optimal rounds", m, run, m->rounds);
    assert_same_number(slip[3], sum, "watched regret", m, run, m->rounds);
}

/* The mean and the sum of squares of a block, by Welford's recursion over its runs. */
static void assert_reduced(const match *m, const posse_device_results *r) {
    for (size_t block = 0; block * BLOCK < RUNS; block++)
        for (size_t t = 0; t < m->rounds; t++) {
            double mean = 0.0, m2 = 0.0, n = 0.0;
            uint32_t optimal = 0, first = 0;
            for (size_t i = block * BLOCK; i < RUNS && i < (block + 1) * BLOCK; i++) {
                double x = r->regrets[t * RUNS + i], d = x - mean;
                mean += d * (1.0 / ++n);
                m2 += d * (x - mean);
                optimal += r->marks[t * RUNS + i];
                if (m->count > 0) first += r->choices[t * RUNS + i] == 0;
            }
            assert_same_number(r->mean[block * m->rounds + t], mean, "mean", m, (uint32_t)block, t);
            assert_same_number(r->m2[block * m->rounds + t], m2, "m2", m, (uint32_t)block, t);
            assert_int_equal(r->optimal[block * m->rounds + t], optimal);
            if (m->count > 0) assert_int_equal(r->shares[(block * m->rounds + t) * (size_t)m->count], first);
        }
}

static void assert_same(const match *m) {
    posse_environment *e = environment_of(m);
    posse *p = posse_of(m, e);
    posse_device *d = device_of(m, e, p, POSSE_OK);
    posse_device_results *r = posse_device_results_make(d, RUNS);
    uint32_t runs[RUNS];
    uint64_t heard = 0;
    char why[POSSE_DEVICE_TEXT];
    assert_true(r != NULL && posse_device_width(d) >= RUNS);
    for (uint32_t i = 0; i < RUNS; i++) runs[i] = i < BLOCK ? i : 1000 + i; /* blocks of one rank among several */
    assert_int_equal(posse_device_play(d, runs, RUNS, RUNS, r, hear_nothing, &heard, why), POSSE_OK);
    assert_true(heard == RUNS * m->rounds);
    for (uint32_t i = 0; i < RUNS; i++) {
        story s = story_of(m, p, e, runs[i]);
        assert_same_run(m, r, &s, i, runs[i]);
        uint64_t clipped;
        double lost = posse_clipped(p, &clipped) == POSSE_OK ? (double)clipped : NAN;
        if (m->count > 0) assert_same_team(m, e, &s, r->slips + i * r->slip_count, lost, runs[i]);
        forget(&s);
    }
    assert_reduced(m, r);
    posse_device_results_free(d, r);
    posse_device_free(d);
    posse_free(p);
    posse_environment_free(e);
}

static const int some_arms[] = {1, 2, 3, 5, 8, 9, 32};

LAW(a_learner_alone_is_the_same_on_a_device) {
    for (int k = 0; k < LENGTH(some_arms); k++)
        for (int kind = UCB; kind <= FIXED; kind++)
            assert_same(&(match){.arms = some_arms[k], .learners = kind, .rounds = 300, .seed = (uint64_t)k << 40 | 3});
}

LAW(a_team_is_the_same_on_a_device) {
    static const int some_learners[] = {1, 2, 6, 16};
    for (int k = 0; k < LENGTH(some_arms); k++)
        for (int i = 0; i < LENGTH(some_learners); i++)
            for (int kind = UCB; kind <= MIXED; kind++)
                assert_same(&(match){.arms = some_arms[k],
                                     .learners = kind,
                                     .count = some_learners[i],
                                     .share = (k + i + kind) % 2 == 1,
                                     .rounds = 200,
                                     .seed = (uint64_t)(k * 100 + i),
                                     .patience = i % 2 == 1 ? 3.0 : 0.0});
}

LAW(a_long_run_is_the_same_on_a_device) {
    for (int kind = UCB; kind <= MIXED; kind++)
        assert_same(&(match){.arms = 3, .learners = kind, .count = 3, .rounds = 4000, .seed = 9});
}

static const double thirds[] = {0.2, 0.3, 0.5}, some_range[] = {-3.0, 4.0};
static const posse_part normal_gamma = {.kind = "normal-gamma"};
static const posse_part sides[] = {{.kind = "gaussian", .options = {NUMBER("sd", 0.3)}},
                                   {.kind = "gaussian", .options = {NUMBER("mean", 0.5)}},
                                   {.kind = "gaussian", .options = {NUMBER("sd", 3)}}};
static const posse_part several = {.kind = "mixture",
                                   .options = {{"components", .part = sides, .list = thirds, .count = 3}}};

#define NORMAL                                                                                                         \
    {                                                                                                                  \
        .kind = "gaussian", .options = { NUMBER("arms", 5), NUMBER("noise", 0.8) }                                     \
    }
#define CLICKS                                                                                                         \
    {                                                                                                                  \
        .kind = "bernoulli", .options = { NUMBER("arms", 4) }                                                          \
    }
#define THREE                                                                                                          \
    {                                                                                                                  \
        {.kind = "ucb", .name = "one"}, {.kind = "thompson", .name = "two"}, {                                         \
            .kind = "epsilon-greedy", .name = "three"                                                                  \
        }                                                                                                              \
    }
#define UNDER(...)                                                                                                     \
    { .environment = NORMAL, .selector = {__VA_ARGS__}, .learners = THREE }

static const scene scenes[] = {
    UNDER(.kind = "bms-plus"),
    UNDER(.kind = "bms-plus", .options = {NUMBER("share", 0), NUMBER("patience", 2)}),
    UNDER(.kind = "bms", .options = {{"belief", .part = &several}, NUMBER("batch", 3)}),
    UNDER(.kind = "bms-plus", .options = {{"belief", .part = &normal_gamma}}),
    UNDER(.kind = "thompson"),
    UNDER(.kind = "d3rb"),
    UNDER(.kind = "ed2rb", .options = {NUMBER("share", 1)}),
    UNDER(.kind = "balancing", .options = {NUMBER("coefficients", 1)}),
    UNDER(.kind = "dynamic-balancing", .options = {NUMBER("coefficients", 1)}),
    UNDER(.kind = "corral", .options = {{"range", .list = some_range, .count = 2}}),
    UNDER(.kind = "stochastic-corral", .options = {{"range", .list = some_range, .count = 2}}),
    UNDER(.kind = "exp3p", .options = {{"range", .list = some_range, .count = 2}}),
    UNDER(.kind = "ucb"),
    UNDER(.kind = "greedy"),
    UNDER(.kind = "uniform"),
    {NORMAL, {.kind = "bms", .options = {NUMBER("floor", 0.2)}}, THREE, .moves = true},
    {NORMAL, {.kind = "bms", .options = {NUMBER("discount", 0.98)}}, THREE, .moves = true},
    {.environment = CLICKS,
     .selector = {.kind = "bms-plus"},
     .learners = {{.kind = "thompson", .name = "a"},
                  {.kind = "ucb", .name = "b"},
                  {.kind = "fixed", .options = {NUMBER("arm", 2)}}}},
    {.environment = CLICKS, .learners = {{.kind = "thompson", .name = "alone"}}},
    {.environment = CLICKS, .learners = {{.kind = "epsilon-greedy", .name = "alone"}}},
    {.environment = {.kind = "information-lock", .options = {NUMBER("arms", 8), NUMBER("noise", 1)}},
     .selector = {.kind = "bms"},
     .learners = {{.kind = "information-lock", .name = "solver"}, {.kind = "thompson"}, {.kind = "ucb"}}},
    {{.kind = "drifting", .options = {NUMBER("arms", 4), NUMBER("drift", 0.05)}},
     {.kind = "bms"},
     THREE,
     .moves = true},
    {{.kind = "shifting", .options = {NUMBER("arms", 4), NUMBER("every", 60)}}, {.kind = "bms"}, THREE, .moves = true},
    {.environment = {.kind = "linear",
                     .options = {NUMBER("dim", 4), NUMBER("arms.count", 80), WORD("arms.set", "sphere")}},
     .selector = {.kind = "bms-plus"},
     .learners = {{.kind = "linear-thompson", .name = "draws"},
                  {.kind = "linear-ucb", .name = "bounds"},
                  {.kind = "ucb"}}},
};

LAW(every_kind_is_the_same_on_a_device) {
    for (int i = 0; i < LENGTH(scenes); i++) {
        const scene *s = &scenes[i];
        posse_environment *e = environment_made(&s->environment, 1);
        int arms = posse_environment_def(e).arms;
        posse_environment_free(e);
        assert_same(&(match){.arms = arms,
                             .count = s->selector.kind != NULL ? 3 : 0,
                             .rounds = 400,
                             .seed = 70 + (uint64_t)i,
                             .scene = s});
    }
}

/* A quotient as a GPU makes it, from 1 / n and the remainder (wide_divide, play.h). */
LAW(a_corrected_quotient_is_rounded_once) {
    uint64_t word = 88172645463325252u;
    for (int i = 0; i < 2000000; i++) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        double sum = ldexp((double)(int64_t)word, (int)(word % 120) - 120), n = (double)(word >> 17 & 0xffff) + 1.0;
        double inverse = 1.0 / n, near = sum * inverse, corrected = fma(fma(-near, n, sum), inverse, near);
        assert_that(corrected == sum / n, "%.17g / %.0f: %.17g, not %.17g", sum, n, corrected, sum / n);
    }
}

/* The rule of random/index.c, with products of 128 bits. */
static void assert_index(uint64_t word, uint64_t count) {
    __extension__ typedef unsigned __int128 product;
    product whole_product = (product)word * count;
    bool again;
    uint32_t index = index_of(word, (uint32_t)count, &again);
    assert_int_equal(again, (uint64_t)whole_product < (0 - count) % count);
    assert_int_equal(index, (uint32_t)(whole_product >> 64));
}

LAW(an_index_on_a_device_is_that_of_the_library) {
    for (uint64_t count = 1; count < 300; count++)
        for (uint64_t i = 0; i < count; i++) {
            uint64_t first =
                UINT64_MAX / count * i; /* about where the i-th index begins: words around it are rejected */
            for (uint64_t word = first - 2; word != first + 400; word++) assert_index(word, count);
        }
}

/* A product as a GPU makes it, from n + 2^52 (charge_more, play.h). */
LAW(a_product_with_a_count_is_rounded_once) {
    uint64_t word = 362436069u;
    for (int i = 0; i < 2000000; i++) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        double gap = ldexp((double)(word >> 1), (int)(word % 200) - 160), n = (double)(word >> 20 & 0xffff);
        assert_true(fma(n + 0x1p52, gap, -(0x1p52 * gap)) == n * gap);
    }
}

/* ---------------------------------------- which posses can take part ----------------------------------------- */

/* library: whether the device has the library. */
static void assert_refused_by(bool library, posse_part environment, posse_part selector, posse_part learner,
                              size_t rounds, const char *reason) {
    posse_environment *e = environment_made(&environment, 1);
    posse_part learners[] = {learner, {.kind = "ucb", .name = "other"}};
    posse_def def = posse_environment_def(e);
    const uint64_t last = rounds;
    static const int places[] = {0, 1};
    char why[POSSE_DEVICE_TEXT];
    posse_device *d = NULL;
    def.selector = selector;
    def.learners = learners;
    def.learner_count = 2;
    def.rounds = rounds;
    posse *p = posse_made(&def);
    posse_device_record record = {
        .rounds = rounds, .tail = 1, .points = &last, .point_count = 1, .learners = 2, .selectors = 1, .block_runs = 4};
    posse_device_competitor competitor = {.player = p, .places = places};
    device_ops loops_alone = posse_device_ops;
    loops_alone.has_library = library;
    posse_error error = posse_device_create(&loops_alone, e, &record, &competitor, 1, &d, why);
    assert_int_equal(error, POSSE_ERROR_ABSENT);
    assert_that(strstr(why, reason) != NULL, "\"%s\" does not have \"%s\"", why, reason);
    posse_free(p);
    posse_environment_free(e);
}

static void assert_refused(posse_part environment, posse_part selector, posse_part learner, size_t rounds,
                           const char *reason) {
    assert_refused_by(false, environment, selector, learner, rounds, reason);
}

LAW(a_device_refuses_what_the_library_cannot_play) {
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, bms = {.kind = "bms"};
    const posse_part features = {.kind = "contextual", .options = {NUMBER("arms", 3), NUMBER("dim", 2)}};
    const posse_part outside = {.kind = "external", .name = "outside"};
    assert_refused_by(true, features, bms, (posse_part){.kind = "linear-ucb", .name = "first"}, 9,
                      "rounds have features");
    assert_refused_by(true, arms, bms, outside, 9, "the learner \"outside\" is of the kind external");
}

LAW(loops_refuse_what_they_cannot_play) {
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, bms = {.kind = "bms"};
    const posse_part ucb = {.kind = "ucb", .name = "first"};
    assert_refused(arms, (posse_part){.kind = "uniform"}, ucb, 9, "the selector is of the kind uniform");
    assert_refused(arms, (posse_part){.kind = "bms", .options = {NUMBER("batch", 2)}}, ucb, 9, "batches");
    assert_refused(arms, (posse_part){.kind = "bms", .options = {NUMBER("floor", 0.1)}}, ucb, 9, "a floor");
    assert_refused(arms, (posse_part){.kind = "bms", .options = {NUMBER("discount", 0.9)}}, ucb, 9, "these options");
    assert_refused(arms, (posse_part){.kind = "bms", .options = {NUMBER("patience", 2), NUMBER("forgetting", 1)}}, ucb,
                   9, "forgets");
    assert_refused(arms, bms, (posse_part){.kind = "epsilon-greedy", .name = "first"}, 9, "learner \"first\"");
    assert_refused(arms, bms, ucb, 70000, "more than 65535 rounds");
    assert_refused((posse_part){.kind = "gaussian", .options = {NUMBER("arms", 33)}}, bms, ucb, 9, "33 arms");
    assert_refused((posse_part){.kind = "bernoulli", .options = {NUMBER("arms", 3)}}, bms, ucb, 9, "kind bernoulli");
}

/* An experiment whose time was measured on both (docs/gpu.md). */
typedef struct race {
    const char *selector; /* bms: the loops play it; others: the library does */
    int competitors;
    uint32_t runs, rounds;
    int threads;
    bool device; /* was faster */
} race;

#define COMPETITORS_MOST 26

static bool device_takes_part(const race *of) {
    const posse_part arms = {.kind = "gaussian", .options = {NUMBER("arms", 3)}},
                     learner = {.kind = "ucb", .name = "one"};
    posse_environment *e = environment_made(&arms, 1);
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){.kind = of->selector};
    def.learners = &learner;
    def.learner_count = 1;
    def.rounds = of->rounds;
    posse *p = posse_made(&def);
    const uint64_t last = of->rounds;
    const int place = 0;
    posse_device_competitor competitors[COMPETITORS_MOST];
    for (int i = 0; i < of->competitors; i++) competitors[i] = (posse_device_competitor){.player = p, .places = &place};
    posse_device_record record = {.runs = of->runs,
                                  .rounds = of->rounds,
                                  .tail = 1,
                                  .points = &last,
                                  .point_count = 1,
                                  .learners = 1,
                                  .selectors = of->competitors,
                                  .block_runs = 4,
                                  .threads = of->threads};
    posse_device *d = NULL;
    char why[POSSE_DEVICE_TEXT];
    posse_error error = posse_device_create(&posse_device_ops, e, &record, competitors, of->competitors, &d, why);
    assert_int_equal(error, d != NULL ? POSSE_OK : POSSE_ERROR_ABSENT);
    if (d == NULL) assert_non_null(strstr(why, "threads are expected to take less time"));
    bool taken = d != NULL;
    posse_device_free(d);
    posse_free(p);
    posse_environment_free(e);
    return taken;
}

LAW(a_device_is_refused_where_threads_are_faster) {
    static const race races[] = {
        {"bms", 8, 20000, 1000, 16, false},     {"bms", 8, 200000, 1000, 16, true},
        {"bms", 8, 1000000, 1000, 16, true},    {"uniform", 26, 20000, 1000, 16, true},
        {"uniform", 26, 20000, 1000, 2, true},  {"uniform", 26, 100000, 1000, 16, true},
        {"uniform", 11, 500, 10000, 16, false}, {"uniform", 12, 4000, 1000, 2, true},
        {"uniform", 12, 4000, 1000, 16, false}, {"bms", 1, 1, 60000, 1, false},
        {"uniform", 11, 5000, 10000, 16, true}, /* competitors that the library plays are side by side */
        {"uniform", 11, 500, 10000, 0, true},   /* threads do not matter */
    };
    for (int i = 0; i < LENGTH(races); i++)
        assert_that(device_takes_part(&races[i]) == races[i].device, "race %d is decided otherwise", i);
}
