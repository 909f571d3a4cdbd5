/* SPDX-License-Identifier: MIT */
/*
 * B-MS in contexts, compared with its formulas over the stored history of all rounds. Learners are external, and the
 * tests play for them. Learners that are asked in every round are compared with the same learners without a selector.
 */
#include <math.h>
#include <string.h>

#include "rounds.h"

/* ----------------------------------------- a slow version of the rule ------------------------------------------ */

#define SLOTS_MAX 1000

/* The options of the rule. */
typedef struct rule {
    double patience, commitment; /* patience 0: unlimited */
    int memory;                  /* 0: all plays */
    double recency, hold, hold_most;
    bool considers;
} rule;

/*
 * B-MS with the whole history: the active learners, the plays that are stored, the world that is held and until when.
 * Sums are computed anew at every choice.
 */
typedef struct slow {
    rule rule;
    twin belief;
    posse_draw ties;
    chronicle past;
    int count;
    bool active[CREW_MAX];
    int kept[CREW_MAX], slots[CREW_MAX][SLOTS_MAX]; /* entries of the chronicle */
    double plays[CREW_MAX], choices, until;
} slow;

static void slow_open(slow *t, const posse_def *def, const rule *r) {
    *t = (slow){.rule = *r, .count = def->learner_count};
    twin_open(&t->belief, def, NULL);
    draw_open(&t->ties, def->seed, def->run, stream_named(STREAM_TIES, NULL), 0);
    chronicle_open(&t->past, def);
    for (int i = 0; i < t->count; i++) t->active[i] = true;
}

static void slow_close(slow *t) {
    twin_close(&t->belief);
    chronicle_close(&t->past);
}

static int slow_unplayed(const slow *t) {
    for (int i = 0; i < t->count; i++)
        if (t->active[i] && t->plays[i] == 0.0) return i;
    return -1;
}

/* The formula of patience.h for rounds with features. */
static double slow_share(const slow *t, int learner) {
    double there = 0.0;
    for (int i = 0; i < t->count; i++) there += t->active[i];
    if (t->rule.considers) return 1.0 / t->plays[learner];
    if (t->rule.patience == 0.0) return 1.0;
    double b = fmax(2.0, t->rule.patience / there);
    if (t->plays[learner] <= b) return 1.0;
    double s = sqrt(t->plays[learner] / b);
    return 1.0 / (s * (1.0 + t->rule.commitment * posse_log(s)));
}

static double slow_potential(const slow *t, int learner) {
    double sum = 0.0;
    for (int k = 0; k < t->kept[learner]; k++)
        sum += chronicle_regret(&t->past, &t->past.entries[t->slots[learner][k]], &t->belief.belief, t->belief.world);
    return slow_share(t, learner) * (sum * (t->plays[learner] / t->kept[learner]));
}

static int slow_choose(slow *t, double *potentials, double *probability) {
    int unplayed = slow_unplayed(t), tied = 0;
    double now = t->choices++, least = INFINITY;
    *probability = 1.0;
    if (unplayed >= 0) return unplayed;
    if (now >= t->until) {
        belief_draw(&t->belief.belief, t->belief.state, &t->belief.draw, t->belief.world);
        t->until = now + fmin(t->rule.hold_most, 1.0 + floor(t->rule.hold * now));
    }
    for (int i = 0; i < t->count; i++) {
        potentials[i] = t->active[i] ? slow_potential(t, i) : INFINITY;
        tied = potentials[i] < least ? 1 : tied + (potentials[i] == least);
        least = fmin(least, potentials[i]);
    }
    *probability = 1.0 / tied;
    uint64_t rank = tied > 1 ? posse_draw_index(&t->ties, (uint64_t)tied) : 0;
    for (int i = 0; i < t->count; i++)
        if (potentials[i] == least && rank-- == 0) return i;
    return -1;
}

/* The draw for a learner's play of this number: the slot, or -1 if the play is not stored. Learners with equal
 * numbers share it. */
typedef struct lottery {
    double plays;
    int slot;
} lottery;

static void slow_store(slow *t, const play *s, int learner, int place, lottery *l) {
    int latest = t->past.length, *kept = &t->kept[learner];
    chronicle_add(&t->past, &s->def, &s->now, learner, place);
    double n = ++t->plays[learner], odds = t->rule.recency * t->rule.memory / n;
    if (t->rule.memory == 0 || *kept < t->rule.memory) {
        t->slots[learner][(*kept)++] = latest;
        return;
    }
    bool drawn = l->plays == n;
    if (!drawn && odds < 1.0 && posse_draw_uniform(&t->belief.draw) >= odds)
        *l = (lottery){n, -1};
    else if (!drawn)
        *l = (lottery){n, (int)posse_draw_index(&t->belief.draw, (uint64_t)t->rule.memory)};
    if (l->slot >= 0) t->slots[learner][l->slot] = latest;
}

static void slow_played(slow *t, const play *s) {
    slow_store(t, s, s->d.learner, s->place, &(lottery){0});
}

static void slow_learn(slow *t, const play *s, double reward) {
    double x[ROUND_WIDTH];
    brought_features(&s->now, &s->def, s->place, x);
    belief_update(&t->belief.belief, t->belief.state, s->d.arm, x, reward);
}

/* ---------------------------------------- the rule equals it to the bit ---------------------------------------- */

/* Learners are added, first at existing places and then at new ones, and others retire. */
static void people_change(play *s, slow *t, int round) {
    if (round % 150 == 60 && t->count < CREW_MAX) {
        assert_int_equal(posse_learner_add(s->p, &crew[t->count], NULL), POSSE_OK);
        t->active[t->count++] = true;
        t->until = 0.0;
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

static posse_part selector_of(const rule *r) {
    posse_part bms = {.kind = "bms",
                      .options = {NUMBER("recency", r->recency), NUMBER("hold", r->hold),
                                  NUMBER("hold-most", r->hold_most), WORD("candidates", "all"),
                                  NUMBER("memory", r->memory), WORD("patience", "endless")}};
    if (r->memory == 0) bms.options[4] = (posse_option)WORD("memory", "all");
    int given = 6;
    if (r->considers) {
        bms.options[given++] = (posse_option)NUMBER("share", 1);
        bms.options[given++] = (posse_option)NUMBER("consider", 1);
    }
    if (r->patience == 0.0) return bms;
    bms.options[5] = (posse_option)NUMBER("patience", r->patience);
    bms.options[given] = (posse_option)NUMBER("commitment", r->commitment);
    return bms;
}

static void check_rule(const stage *st, const rule *r, int rounds) {
    posse_def def = stage_def(st, 3);
    def.rounds = (uint64_t)rounds;
    def.selector = selector_of(r);
    play s;
    slow t;
    play_open(&s, &def);
    slow_open(&t, &def, r);
    for (int round = 0; round < rounds; round++) {
        people_change(&s, &t, round);
        play_decide(&s, false);
        check_round(st, &s, &t, round);
        play_act(&s);
        slow_played(&t, &s);
        slow_learn(&t, &s, play_learn(&s, st->unit));
    }
    slow_close(&t);
    play_close(&s);
}

static void check_rule_everywhere(const rule *r, int rounds) {
    for (int i = 0; i < STAGES; i++) check_rule(&stages[i], r, rounds);
}

LAW(full_history_is_algorithm_1_in_contexts) {
    check_rule_everywhere(&(rule){.recency = 1.0, .hold_most = 1.0}, 1000);
}

LAW(full_history_has_patience_in_contexts) {
    check_rule_everywhere(&(rule){.patience = 8.0, .commitment = 0.5, .recency = 1.0, .hold_most = 256.0}, 500);
}

LAW(reservoirs_are_as_the_formulas_say) {
    check_rule_everywhere(&(rule){.memory = 1, .recency = 1.0, .hold = 0.02, .hold_most = 256.0}, 300);
    check_rule_everywhere(&(rule){.memory = 5, .recency = 2.0, .hold = 0.1, .hold_most = 10.0}, 1000);
    check_rule_everywhere(&(rule){8.0, 1.0, 20, 4.0, 0.02, 256.0, false}, 1000);
}

/* ------------------------------------------- every learner is asked -------------------------------------------- */

/* Learners that can be asked. The last ones are added later. */
static const posse_part askable[] = {{.kind = "linear-ucb", .name = "a", .options = {NUMBER("width", 0.3)}},
                                     {.kind = "linear-thompson", .name = "b"},
                                     {.kind = "epsilon-greedy", .name = "c", .options = {NUMBER("epsilon", 0.3)}},
                                     {.kind = "ucb", .name = "d"},
                                     {.kind = "linear-ucb", .name = "e", .options = {NUMBER("width", 3)}},
                                     {.kind = "thompson", .name = "f"}};
enum { ASKABLE = LENGTH(askable), ASKED_FIRST = 3 };

/* Each learner without a selector. It decides in the same rounds and learns the same rewards. */
typedef struct alone {
    posse *p[ASKABLE];
    int count;
} alone;

static void alone_join(alone *a, const posse_def *def) {
    posse_def one = *def;
    one.selector = (posse_part){0};
    one.learners = &askable[a->count];
    one.learner_count = 1;
    a->p[a->count++] = posse_made(&one);
}

static int alone_pick(alone *a, int learner, const play *s) {
    posse_decision d;
    assert_int_equal(posse_decide(a->p[learner], &s->now.context, &d), POSSE_OK);
    assert_int_equal(posse_forget(a->p[learner], d.id), POSSE_OK);
    int place_ = 0;
    while (s->now.arms[place_] != d.arm) place_++;
    return place_;
}

static void alone_learn(alone *a, const play *s, double reward) {
    for (int i = 0; i < a->count; i++)
        assert_int_equal(posse_teach(a->p[i], &(posse_action){.arm = s->d.arm, .context = &s->now.context}, reward),
                         POSSE_OK);
}

static void alone_close(alone *a) {
    for (int i = 0; i < a->count; i++) posse_free(a->p[i]);
}

static void slow_considered(slow *t, alone *a, const play *s) {
    lottery l = {0};
    for (int i = 0; i < t->count; i++) {
        if (!t->active[i]) continue;
        int place_ = alone_pick(a, i, s);
        if (i == s->d.learner) assert_int_equal(s->now.arms[place_], s->d.arm);
        slow_store(t, s, i, place_, &l);
    }
}

static void askable_change(play *s, slow *t, alone *a, int round) {
    if (round % 100 == 40 && t->count < ASKABLE) {
        assert_int_equal(posse_learner_add(s->p, &askable[t->count], NULL), POSSE_OK);
        t->active[t->count++] = true;
        t->until = 0.0;
        alone_join(a, &s->def);
    }
    if (round == 200) {
        assert_int_equal(posse_learner_retire(s->p, 1), POSSE_OK);
        t->active[1] = false;
    }
}

static void check_considered(const stage *st, const rule *r, int rounds) {
    posse_def def = stage_def(st, ASKED_FIRST);
    def.rounds = (uint64_t)rounds;
    def.learners = askable;
    def.selector = selector_of(r);
    play s;
    slow t;
    alone a = {0};
    play_open(&s, &def);
    slow_open(&t, &def, r);
    while (a.count < ASKED_FIRST) alone_join(&a, &def);
    for (int round = 0; round < rounds; round++) {
        askable_change(&s, &t, &a, round);
        play_decide(&s, false);
        check_round(st, &s, &t, round);
        slow_considered(&t, &a, &s);
        s.place = 0;
        while (s.now.arms[s.place] != s.d.arm) s.place++;
        double reward = play_learn(&s, st->unit);
        slow_learn(&t, &s, reward);
        alone_learn(&a, &s, reward);
    }
    alone_close(&a);
    slow_close(&t);
    play_close(&s);
}

LAW(learners_that_are_asked_are_charged_for_their_picks) {
    for (int i = 0; i < STAGES; i++) {
        check_considered(&stages[i], &(rule){.recency = 1.0, .hold_most = 1.0, .considers = true}, 250);
        check_considered(&stages[i], &(rule){8.0, 1.0, 20, 2.0, 0.02, 256.0, true}, 400);
    }
}

/* ------------------------------------ a trial decides whether learners are asked ------------------------------- */

#define TRIAL 64

/* The rewards of a trial, and a linear belief about them. */
typedef struct trial {
    double noise, precision;
    int width, count, arm[TRIAL];
    double x[TRIAL][ROUND_WIDTH], reward[TRIAL];
    double misfit, spread, signal; /* sums */
} trial;

/* Solves the linear equations a y = b for a positive definite matrix, which is overwritten. */
static void solve(int n, double a[ROUND_WIDTH][ROUND_WIDTH], const double *b, double *y) {
    memcpy(y, b, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++)
        for (int row = i + 1; row < n; row++) {
            double factor = a[row][i] / a[i][i];
            for (int j = i; j < n; j++) a[row][j] -= factor * a[i][j];
            y[row] -= factor * y[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) y[i] -= a[i][j] * y[j];
        y[i] /= a[i][i];
    }
}

/* The mean and the variance of an arm's mean reward, given all rewards so far: x' A^-1 X' r / noise^2 and x' A^-1 x. */
static void trial_predict(const trial *t, int arm, const double *x, double *mean, double *variance) {
    double a[ROUND_WIDTH][ROUND_WIDTH] = {{0.0}}, y[ROUND_WIDTH], square = t->noise * t->noise;
    for (int i = 0; i < t->width; i++) a[i][i] = t->precision;
    for (int n = 0; n < t->count; n++)
        for (int i = 0; i < t->width && t->arm[n] == arm; i++)
            for (int j = 0; j < t->width; j++) a[i][j] += t->x[n][i] * t->x[n][j] / square;
    solve(t->width, a, x, y);
    *mean = *variance = 0.0;
    for (int i = 0; i < t->width; i++) *variance += x[i] * y[i];
    for (int n = 0; n < t->count; n++)
        for (int i = 0; i < t->width && t->arm[n] == arm; i++) *mean += y[i] * t->x[n][i] * t->reward[n] / square;
}

static void trial_add(trial *t, const play *s, double reward) {
    double mean, variance, *x = t->x[t->count];
    brought_features(&s->now, &s->def, s->place, x);
    trial_predict(t, s->d.arm, x, &mean, &variance);
    double spread = variance + t->noise * t->noise;
    t->misfit += (reward - mean) * (reward - mean) / spread;
    t->spread += spread;
    t->signal += variance;
    t->arm[t->count] = s->d.arm;
    t->reward[t->count++] = reward;
}

/* The rule of docs/algorithm-in-contexts.md. */
static bool trial_verdict(const trial *t) {
    double misfit = t->misfit / t->count, noise = t->spread / t->signal - 1.0;
    return misfit < 2.0 / 3.0 || (misfit <= 1.5 && noise >= 9.0);
}

/* The record starts anew, and has other defaults from now on. */
static void slow_begin_to_ask(slow *t) {
    t->rule.considers = true;
    t->rule.memory = 64;
    t->rule.recency = 2.0;
    t->until = 0.0;
    for (int i = 0; i < t->count; i++) t->plays[i] = t->kept[i] = 0;
}

static void check_tried(const stage *st, double noise, double precision, bool expected) {
    posse_part belief = {
        .kind = "linear",
        .options = {NUMBER("noise", noise), NUMBER("precision", precision), WORD("model", "disjoint")}};
    posse_def def = stage_def(st, ASKED_FIRST);
    def.prior = belief;
    def.learners = askable;
    def.selector = (posse_part){.kind = "bms-plus",
                                .options = {WORD("candidates", "all"), NUMBER("patience", 8), NUMBER("commitment", 1)}};
    play s;
    slow t;
    alone a = {0};
    trial tried = {.noise = noise, .precision = precision, .width = def.dim + def.context};
    play_open(&s, &def);
    slow_open(&t, &def, &(rule){8.0, 1.0, 32, 4.0, 0.02, 256.0, false});
    while (a.count < ASKED_FIRST) alone_join(&a, &def);
    for (int round = 0; round < 400; round++) {
        askable_change(&s, &t, &a, round);
        play_decide(&s, false);
        check_round(st, &s, &t, round);
        s.place = t.rule.considers ? -1 : alone_pick(&a, s.d.learner, &s);
        if (t.rule.considers)
            slow_considered(&t, &a, &s);
        else
            slow_played(&t, &s);
        for (s.place = 0; s.now.arms[s.place] != s.d.arm;) s.place++;
        double reward = play_learn(&s, st->unit);
        if (round < TRIAL) trial_add(&tried, &s, reward);
        slow_learn(&t, &s, reward);
        alone_learn(&a, &s, reward);
        if (round == TRIAL - 1 && trial_verdict(&tried)) slow_begin_to_ask(&t);
    }
    assert_that(t.rule.considers == expected, "%s, noise %g, precision %g: misfit %g, noise to signal %g", st->name,
                noise, precision, tried.misfit / TRIAL, tried.spread / tried.signal - 1.0);
    alone_close(&a);
    slow_close(&t);
    play_close(&s);
}

/* In fact the noise is 1. The mean rewards are at most 1.2, and have nothing to do with the features. */
LAW(a_trial_decides_whether_learners_are_asked) {
    static const int places[] = {STAGE_SHARED, STAGE_DISJOINT};
    for (int i = 0; i < LENGTH(places); i++) {
        const stage *st = &stages[places[i]];
        check_tried(st, 1.0, 3.0, false);   /* about right */
        check_tried(st, 4.0, 1.0, true);    /* too much noise */
        check_tried(st, 1.0, 0.01, false);  /* too wide weights, but so few that they are soon learned */
        check_tried(st, 1.2, 60.0, true);   /* about right that most of a reward is noise */
        check_tried(st, 0.5, 400.0, false); /* as much noise to the signal, but too little of both */
        check_tried(st, 0.2, 1.0, false);   /* too little noise */
    }
}

static bool is_considering(const stage *st, bool share) {
    posse_def def = stage_def(st, 2);
    def.selector = (posse_part){.kind = "bms", .options = {NUMBER("share", share)}};
    posse *p = posse_made(&def);
    bool answer = p->selector.picks != NULL;
    posse_free(p);
    return answer;
}

LAW(learners_are_asked_where_they_share_data_and_a_theta) {
    for (int i = 0; i < STAGES; i++) {
        bool joint = i == STAGE_JOINT || i == STAGE_BOTH || i == STAGE_MIXTURE || i == STAGE_LOGISTIC;
        assert_int_equal(is_considering(&stages[i], true), joint);
        assert_false(is_considering(&stages[i], false));
    }
}

/* ------------------------------------------- which plays are stored -------------------------------------------- */

#define PLAYS 120

/*
 * In the round of play s, arm 1 has feature s and arm 0, which is played, has none. So in the world that is 1 at
 * coordinate s and 0 elsewhere, only play s has regret.
 */
static void play_numbered(posse *p, int number) {
    static double points[2 * PLAYS];
    memset(points, 0, sizeof points);
    points[PLAYS + number] = 1.0;
    posse_context c = {.points = points};
    posse_decision d;
    assert_int_equal(posse_decide(p, &c, &d), POSSE_OK);
    assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = 0, .context = &c}), POSSE_OK);
    assert_int_equal(posse_forget(p, d.id), POSSE_OK);
}

static bool is_stored(const posse *p, int number, double memory) {
    double world[PLAYS] = {0.0}, regret;
    world[number] = 1.0;
    p->selector.ops->regrets(p->selector.part.plan, p->selector.state, world, 1, &regret);
    assert_true(regret == 0.0 || regret == PLAYS / memory);
    return regret > 0.0;
}

/* Play s is stored with probability min(1, c B / s), and stays if no later stored play takes its slot. */
static double chance_to_stay(int s, double memory, double recency) {
    double chance = s <= memory ? 1.0 : fmin(1.0, recency * memory / s);
    for (int u = s + 1; u <= PLAYS; u++)
        if (u > memory) chance *= 1.0 - fmin(1.0, recency * memory / u) / memory;
    return chance;
}

static void check_stored(double memory, double recency, int runs) {
    double stored[PLAYS] = {0.0};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.dim = PLAYS;
    def.prior.kind = "linear";
    def.learners = crew;
    def.learner_count = 1;
    def.selector = (posse_part){.kind = "bms",
                                .options = {NUMBER("memory", memory), NUMBER("recency", recency), NUMBER("hold", 1)}};
    posse *p = posse_made(&def);
    for (int run = 0; run < runs; run++) {
        assert_int_equal(posse_restart(p, (uint32_t)run), POSSE_OK);
        for (int s = 0; s < PLAYS; s++) play_numbered(p, s);
        for (int s = 0; s < PLAYS; s++) stored[s] += is_stored(p, s, memory);
    }
    for (int s = 1; s <= PLAYS; s++) {
        double chance = chance_to_stay(s, memory, recency),
               nearly = fmin(1.0, recency * memory / s) * pow((double)s / PLAYS, recency);
        double spread = sqrt(runs * chance * (1.0 - chance)), off = stored[s - 1] - runs * chance;
        assert_that(fabs(off) <= Z_MAX * spread + 3.0, "play %d of %d: stored %g times, chance %g", s, PLAYS,
                    stored[s - 1], chance);
        if (s > recency * memory)
            assert_that(fabs(chance / nearly - 1.0) < recency * recency / s, "play %d: %g, nearly %g", s, chance,
                        nearly);
    }
    posse_free(p);
}

LAW(recency_says_what_is_stored) {
    int runs = (int)(1000 * law_effort());
    check_stored(16, 1, runs);
    check_stored(16, 3, runs);
    check_stored(5, 4, runs);
}
