/* SPDX-License-Identifier: MIT */
/*
 * The matching lemma in contexts: with a right prior and its whole history, B-MS chooses each learner as often as that
 * learner has the least true regret so far.
 */
#include <math.h>
#include <string.h>

#include "rounds.h"

#define TEAM 4
#define ROUNDS 32
static const int looks[] = {TEAM, 7, 12, 20, ROUNDS - 1};

/* A world drawn from the prior, and the plays in it. */
typedef struct trial {
    play s;
    chronicle past;
    twin truth; /* its world is the true one */
    moments apart[LENGTH(looks)][TEAM + 1];
} trial;

static posse_def trial_def(const stage *st) {
    posse_def def = stage_def(st, TEAM);
    def.rounds = ROUNDS;
    def.selector =
        (posse_part){.kind = "bms", .options = {WORD("memory", "all"), NUMBER("recency", 1), NUMBER("hold", 0)}};
    return def;
}

/* The noise of all beliefs here is 1. */
static void pay(trial *t) {
    play *s = &t->s;
    const entry *e = &t->past.entries[t->past.length - 1];
    const posse_belief *b = &t->truth.belief;
    const double *world = t->truth.world;
    double mean = b->shape.one_hot    ? world[s->d.arm]
                  : b->model.disjoint ? dot(world + s->d.arm * t->past.width, e->features[e->place], t->past.width)
                                      : dot(world, e->features[e->place], t->past.width);
    assert_int_equal(posse_learn(s->p, s->d.id, mean + posse_draw_normal(&s->draw)), POSSE_OK);
}

/*
 * Adds chosen - share of each learner, where learners with the least true regret share 1. The lemma holds given the
 * history. So it also holds for the learner with the least regret in the mean of the belief, which a belief that is too
 * certain would choose too often.
 */
static void look(trial *t, moments *apart) {
    double regret[TEAM], expected[TEAM], plays, least = INFINITY, tied = 0.0;
    for (int i = 0; i < TEAM; i++) {
        regret[i] = chronicle_sum(&t->past, i, &t->truth.belief, t->truth.world, &plays);
        tied = regret[i] < least ? 1.0 : tied + (regret[i] == least);
        least = fmin(least, regret[i]);
    }
    int likely = 0;
    assert_int_equal(posse_regrets(t->s.p, expected), POSSE_OK);
    for (int i = 0; i < TEAM; i++) {
        double off = (t->s.d.learner == i) - (regret[i] == least) / tied;
        moments_add(&apart[i], off);
        if (expected[i] < expected[likely]) likely = i;
    }
    moments_add(&apart[TEAM], (t->s.d.learner == likely) - (regret[likely] == least) / tied);
}

static void try_once(trial *t, uint32_t run) {
    assert_int_equal(posse_restart(t->s.p, run), POSSE_OK);
    play_begin(&t->s, run);
    t->past.length = 0;
    belief_draw(&t->truth.belief, t->truth.state, &t->s.draw, t->truth.world);
    for (int round = 0; round < ROUNDS; round++) {
        play_decide(&t->s, false);
        for (int i = 0; i < LENGTH(looks); i++)
            if (round == looks[i]) look(t, t->apart[i]);
        play_act(&t->s);
        chronicle_add(&t->past, &t->s.def, &t->s.now, t->s.d.learner, t->s.place);
        pay(t);
    }
}

static void check_matching(const stage *st, int runs) {
    static trial t;
    memset(&t, 0, sizeof t);
    posse_def def = trial_def(st);
    play_open(&t.s, &def);
    chronicle_open(&t.past, &def);
    twin_open(&t.truth, &def, NULL);
    for (int run = 0; run < runs; run++) try_once(&t, (uint32_t)run);
    for (int i = 0; i < LENGTH(looks); i++)
        for (int k = 0; k <= TEAM; k++)
            assert_that(fabs(moments_z(&t.apart[i][k], 0.0)) < Z_MAX,
                        "%s, round %d, learner %d (%d: the likely one): %.4f apart, z = %.2f", st->name, looks[i], k,
                        TEAM, moments_mean(&t.apart[i][k]), moments_z(&t.apart[i][k], 0.0));
    twin_close(&t.truth);
    chronicle_close(&t.past);
    play_close(&t.s);
}

#define RUNS 20000

LAW(matching_holds_with_joint_weights) {
    check_matching(&stages[STAGE_JOINT], (int)(RUNS * law_effort()));
}

LAW(matching_holds_with_disjoint_weights) {
    check_matching(&stages[STAGE_SHARED], (int)(RUNS * law_effort()));
}

LAW(matching_holds_with_one_hot_beliefs) {
    check_matching(&stages[STAGE_ONE_HOT], (int)(RUNS * law_effort()));
}
