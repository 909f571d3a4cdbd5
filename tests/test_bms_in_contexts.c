/* SPDX-License-Identifier: MIT */
/*
 * B-MS in contexts, held against the formulas with every round kept. Learners are external: the laws play for them.
 */
#include <math.h>
#include <string.h>

#include "rounds.h"

/* Which stream the laws draw rounds, picks and rewards from. */
#define LAW_STREAM 77

/* ---------------------------------------------------- stages --------------------------------------------------- */

typedef struct stage {
    const char *name;
    int arms, dim, context;
    posse_part belief;
    bool unit; /* rewards are in [0, 1] */
} stage;

static const posse_part two_linears[] = {{.kind = "linear", .options = {NUMBER("precision", 0.5)}},
                                         {.kind = "linear", .options = {NUMBER("noise", 1.5)}}};
static const double halves[] = {0.5, 0.5};

/* Every form in which plays are kept, and every model. */
static const stage stages[] = {
    {"joint", 6, 3, 0, {.kind = "linear"}, false},
    {"joint, own and shared", 5, 2, 1, {.kind = "linear"}, false},
    {"disjoint, shared", 4, 0, 3, {.kind = "linear"}, false},
    {"disjoint, own", 5, 2, 1, {.kind = "linear", .options = {WORD("model", "disjoint")}}, false},
    {"one-hot", 6, 3, 0, {.kind = "gaussian"}, false},
    {"one-hot, shared", 8, 0, 2, {.kind = "beta"}, true},
    {"mixture",
     6,
     3,
     0,
     {.kind = "mixture", .options = {{.key = "components", .part = two_linears, .list = halves, .count = 2}}},
     false},
    {"robust", 4, 0, 3, {.kind = "linear", .options = {NUMBER("robust", 1)}}, false},
};

static posse_def stage_def(const stage *s, const posse_part *learners, int count) {
    posse_def def = posse_default_def();
    def.arms = s->arms;
    def.dim = s->dim;
    def.context = s->context;
    def.prior = s->belief;
    def.learners = learners;
    def.learner_count = count;
    def.seed = 5;
    return def;
}

#define CREW_MAX 12
static const posse_part crew[CREW_MAX] = {
    {.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}, {.kind = "external", .name = "c"},
    {.kind = "external", .name = "d"}, {.kind = "external", .name = "e"}, {.kind = "external", .name = "f"},
    {.kind = "external", .name = "g"}, {.kind = "external", .name = "h"}, {.kind = "external", .name = "i"},
    {.kind = "external", .name = "j"}, {.kind = "external", .name = "k"}, {.kind = "external", .name = "l"}};

static const posse_part full_history = {.kind = "bms",
                                        .options = {WORD("memory", "all"), NUMBER("recency", 1), NUMBER("hold", 0)}};

/* ------------------------------------------- a posse and its rounds -------------------------------------------- */

typedef struct play {
    posse_def def;
    posse *p;
    posse_draw draw; /* of the law */
    brought now;
    posse_decision d;
    int place;
} play;

static void play_open(play *s, const posse_def *def) {
    s->def = *def;
    s->p = posse_made(def);
    draw_open(&s->draw, def->seed, def->run, LAW_STREAM, 0);
}

/* Learner i plays among the first 1 + i arms that are there, so that learners differ. */
static int place_picked(play *s) {
    int count = s->now.context.count, few = s->d.learner + 1 < count ? s->d.learner + 1 : count;
    return (int)posse_draw_index(&s->draw, (uint64_t)few);
}

static void play_decide(play *s, bool all) {
    brought_draw(&s->now, &s->def, all, &s->draw);
    assert_int_equal(posse_decide_in(s->p, &s->now.context, &s->d), POSSE_OK);
}

static void play_act(play *s) {
    s->place = place_picked(s);
    s->d.arm = s->now.arms[s->place];
    assert_int_equal(posse_acted_in(s->p, s->d.id, &s->now.context, s->d.arm), POSSE_OK);
}

static double play_learn(play *s, bool unit) {
    double reward = unit ? (double)posse_draw_index(&s->draw, 2) : 0.3 * s->d.arm + posse_draw_normal(&s->draw);
    assert_int_equal(posse_learn(s->p, s->d.id, reward), POSSE_OK);
    return reward;
}

/* --------------------------------------- (a) full history, to the bit ------------------------------------------ */

/* Algorithm 1 with every round kept, and who is there. */
typedef struct slow {
    twin belief;
    posse_draw ties;
    chronicle past;
    int count;
    bool active[CREW_MAX];
    double patience, commitment; /* patience 0: endless */
} slow;

static void slow_open(slow *t, const posse_def *def) {
    *t = (slow){.count = def->learner_count};
    twin_open(&t->belief, def, NULL);
    draw_open(&t->ties, def->seed, def->run, stream_named(STREAM_TIES, NULL), 0);
    chronicle_open(&t->past, def);
    for (int i = 0; i < t->count; i++) t->active[i] = true;
}

static void slow_close(slow *t) {
    twin_close(&t->belief);
    chronicle_close(&t->past);
}

static double plays_of(const slow *t, int learner) {
    double plays = 0.0;
    for (int l = 0; l < t->past.length; l++) plays += t->past.entries[l].learner == learner;
    return plays;
}

static int slow_unplayed(const slow *t) {
    for (int i = 0; i < t->count; i++)
        if (t->active[i] && plays_of(t, i) == 0.0) return i;
    return -1;
}

/* patience.h, written out again. */
static double slow_share(const slow *t, double plays) {
    double there = 0.0;
    for (int i = 0; i < t->count; i++) there += t->active[i];
    if (t->patience == 0.0) return 1.0;
    double b = t->belief.belief.shape.dim * fmax(2.0, t->patience / there);
    if (plays <= b) return 1.0;
    double s = sqrt(plays / b);
    return 1.0 / (s * (1.0 + t->commitment * posse_log(s)));
}

static int slow_choose(slow *t, double *potentials, double *probability) {
    int unplayed = slow_unplayed(t), tied = 0;
    *probability = 1.0;
    if (unplayed >= 0) return unplayed;
    belief_draw(&t->belief.belief, t->belief.state, &t->belief.draw, t->belief.world);
    double least = INFINITY, plays;
    for (int i = 0; i < t->count; i++) {
        potentials[i] = INFINITY;
        if (!t->active[i]) continue;
        double sum = chronicle_sum(&t->past, i, &t->belief.belief, t->belief.world, &plays);
        potentials[i] = slow_share(t, plays) * sum;
        tied = potentials[i] < least ? 1 : tied + (potentials[i] == least);
        least = fmin(least, potentials[i]);
    }
    *probability = 1.0 / tied;
    uint64_t rank = tied > 1 ? posse_draw_index(&t->ties, (uint64_t)tied) : 0;
    for (int i = 0; i < t->count; i++)
        if (potentials[i] == least && rank-- == 0) return i;
    return -1;
}

static void slow_learn(slow *t, const play *s, double reward) {
    double x[ROUND_WIDTH];
    brought_features(&s->now, &s->def, s->place, x);
    belief_update(&t->belief.belief, t->belief.state, s->d.arm, x, reward);
}

/* Learners come, at first into places that there are and then into new ones, and go. */
static void people_change(play *s, slow *t, int round) {
    if (round % 150 == 60 && t->count < CREW_MAX) {
        assert_int_equal(posse_learner_add(s->p, &crew[t->count], NULL), POSSE_OK);
        t->active[t->count++] = true;
    }
    if (round == 333 || round == 600) {
        int leaver = round / 300;
        assert_int_equal(posse_learner_retire(s->p, leaver), POSSE_OK);
        t->active[leaver] = false;
    }
}

static void check_round(const stage *st, const play *s, slow *t, int round) {
    double potentials[CREW_MAX], ours[CREW_MAX], probability;
    bool charged = slow_unplayed(t) < 0;
    int expected = slow_choose(t, potentials, &probability);
    assert_that(s->d.learner == expected, "%s, round %d: %d plays, not %d", st->name, round, s->d.learner, expected);
    assert_true(s->d.probability == probability);
    assert_int_equal(posse_potentials(s->p, ours), POSSE_OK);
    for (int i = 0; i < t->count && charged; i++)
        assert_that(ours[i] == potentials[i], "%s, round %d: phi(%d) = %.17g, by history %.17g", st->name, round, i,
                    ours[i], potentials[i]);
}

static void check_full_history(const stage *st, double patience, int rounds) {
    posse_def def = stage_def(st, crew, 3);
    def.rounds = (uint64_t)rounds;
    def.selector = full_history;
    if (patience > 0.0) {
        def.selector.options[3] = (posse_option)NUMBER("patience", patience);
        def.selector.options[4] = (posse_option)NUMBER("commitment", 0.5);
    }
    play s;
    slow t;
    play_open(&s, &def);
    slow_open(&t, &def);
    t.patience = patience;
    t.commitment = 0.5;
    for (int round = 0; round < rounds; round++) {
        people_change(&s, &t, round);
        play_decide(&s, false);
        check_round(st, &s, &t, round);
        play_act(&s);
        chronicle_add(&t.past, &def, &s.now, s.d.learner, s.place);
        slow_learn(&t, &s, play_learn(&s, st->unit));
    }
    slow_close(&t);
    posse_free(s.p);
}

LAW(full_history_is_algorithm_1_in_contexts) {
    for (int i = 0; i < LENGTH(stages); i++) check_full_history(&stages[i], 0.0, 1000);
}

LAW(full_history_has_patience_in_contexts) {
    for (int i = 0; i < LENGTH(stages); i++) check_full_history(&stages[i], 8.0, 500);
}
