/* SPDX-License-Identifier: MIT */
/*
 * Tests of every selector in the registry: its probabilities, its labels, the learners that it prefers, rewards outside
 * of its range, and what its definition must have. The formulas of the rivals are tested in test_rivals.c, new learners
 * in test_newcomers.c, balancing in test_balancing.c, and pairs of rounds in test_pairs.c.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/tally.h"

/* On five independent arms. */
static void for_every_selector(void (*law)(const posse_part *selector)) {
    int count;
    menagerie_add_examples();
    const specimen *all = menagerie(POSSE_FAMILY_SELECTOR, &count);
    assert_menagerie_complete(POSSE_FAMILY_SELECTOR);
    for (int i = 0; i < count; i++)
        if (specimen_fits(&all[i].part, &habitats[ARMS_5])) law(&all[i].part);
}

/* ---------------------------------------------- probabilities -------------------------------------------------- */

#define CROWD 24

static void check_decision(const posse *p, const posse_decision *d) {
    double chances[CROWD], sum = 0.0;
    assert_true(posse_learner_active(p, d->learner));
    assert_true(d->probability > 0.0 && d->probability <= 1.0);
    assert_int_equal(posse_probabilities(p, chances), POSSE_OK);
    for (int i = 0; i < posse_learner_count(p); i++) {
        assert_that(chances[i] >= 0.0 && chances[i] <= 1.0, "%s takes learner %d with probability %.17g",
                    p->selector_recipe->kind, i, chances[i]);
        sum += chances[i];
    }
    assert_that(fabs(sum - 1.0) <= 1e-12, "%s: probabilities add up to 1 %+g", p->selector_recipe->kind, sum - 1.0);
    assert_that(chances[d->learner] == d->probability, "%s says %.17g of a choice, and then %.17g",
                p->selector_recipe->kind, d->probability, chances[d->learner]);
}

static int active_count(const posse *p) {
    int count = 0;
    for (int i = 0; i < posse_learner_count(p); i++) count += posse_learner_active(p, i);
    return count;
}

static void come_or_go(posse *p, uint64_t *source, const posse_part *crew, int kinds) {
    uint64_t fate = random_below(source, 20);
    int count = posse_learner_count(p), who = (int)random_below(source, (uint64_t)count);
    if (fate == 0 && count < CROWD)
        assert_int_equal(posse_learner_add(p, &crew[count % kinds], NULL), POSSE_OK);
    else if (fate == 1 && posse_learner_active(p, who) && active_count(p) > 1)
        assert_int_equal(posse_learner_retire(p, who), POSSE_OK);
}

/* Rewards come at once, late or never, while learners are added and retired. */
static void live_a_life(const habitat *h, posse_part selector, uint64_t seed) {
    posse_part crew[TEAM_MAX];
    posse_decision open[OPEN_MAX];
    int open_count = 0, kinds = habitat_team(h, crew);
    posse_def def = habitat_def(h);
    def.selector = selector;
    def.learners = crew;
    def.learner_count = kinds;
    posse *p = posse_made(&def);
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        check_decision(p, &d);
        uint64_t fate = random_below(&seed, 10);
        if (fate < 6)
            assert_int_equal(posse_learn(p, d.id, parade_reward(h->unit, &d)), POSSE_OK);
        else if (fate < 7)
            assert_int_equal(posse_forget(p, d.id), POSSE_OK);
        else if (open_count < OPEN_MAX)
            open[open_count++] = d;
        if (open_count > 0 && fate % 3 == 0) {
            posse_decision *late = &open[random_below(&seed, (uint64_t)open_count)];
            assert_int_equal(posse_learn(p, late->id, parade_reward(h->unit, late)), POSSE_OK);
            *late = open[--open_count];
        }
        come_or_go(p, &seed, crew, kinds);
    }
    posse_free(p);
}

static void chances_add_up(const posse_part *selector) {
    for (int h = 0; h < HABITATS; h++)
        for (int variant = 0; variant < 4 && specimen_fits(selector, &habitats[h]); variant++) {
            posse_part told = with_option(*selector, (posse_option)NUMBER("share", variant % 2));
            told = with_option(told, (posse_option)NUMBER("batch", variant < 2 ? 1 : 4));
            live_a_life(&habitats[h], told, (uint64_t)(4 * h + variant + 1));
        }
}

LAW(probabilities_add_up_whatever_happens) {
    for_every_selector(chances_add_up);
}

/* Probabilities are those of the latest choice until the next one. A learner that was added after it has 0. */
static void chances_stay(const posse_part *selector) {
    double before[9], after[9];
    posse *p = fixed_team(*selector, 8); /* the ninth makes the selector grow */
    assert_int_equal(posse_probabilities(p, before), POSSE_ERROR_ABSENT);
    for (int n = 0; n < 50; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, parade_reward(true, &d)), POSSE_OK);
    }
    posse_decision last = decided(p);
    assert_int_equal(posse_probabilities(p, before), POSSE_OK);
    assert_int_equal(posse_learn(p, last.id, 0.9), POSSE_OK);
    for (int event = 0; event < 3; event++) {
        if (event == 1) assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        if (event == 2) assert_int_equal(posse_learner_retire(p, last.learner == 0 ? 1 : 0), POSSE_OK);
        assert_int_equal(posse_probabilities(p, after), POSSE_OK);
        static const char *const events[] = {"its reward", "a newcomer", "one that leaves"};
        for (int i = 0; i < posse_learner_count(p); i++)
            assert_that(after[i] == (i < 8 ? before[i] : 0.0), "%s: after %s, the choice before has %g of %d, not %g",
                        selector->kind, events[event], after[i], i, i < 8 ? before[i] : 0.0);
    }
    posse_free(p);
}

LAW(probabilities_are_those_of_the_latest_choice) {
    for_every_selector(chances_stay);
}

/* -------------------------------------------------- labels ----------------------------------------------------- */

/* A selector that the test drives: it chooses, but the test decides which learner plays. */
typedef struct puppet {
    posse *p;
    double chances[5];
    int chosen;
    int named; /* the arm that the selector names itself, or -1 */
    bool tied; /* a tie decided the choice */
} puppet;

static bool least_is_shared(const chooser *c) {
    double potentials[5], least = INFINITY;
    int count = 0;
    if (c->ops->potentials == NULL) return false;
    c->ops->potentials(c->part.plan, c->state, 5, potentials);
    for (int i = 0; i < 5; i++) least = fmin(least, potentials[i]);
    for (int i = 0; i < 5; i++) count += potentials[i] == least;
    return count > 1;
}

static void puppet_choose(puppet *t) {
    const chooser *c = &t->p->selector;
    double probability;
    t->chosen = c->ops->choose(c->part.plan, c->state, t->p->selector_draw, t->p->ties_draw, &probability);
    t->named = c->ops->probe != NULL ? c->ops->probe(c->part.plan, c->state, t->chosen, t->p->selector_draw) : -1;
    t->tied = probability == 1.0 && least_is_shared(c);
    memset(t->chances, 0, sizeof t->chances);
    if (probability < 1.0)
        c->ops->probabilities(c->part.plan, c->state, 5, t->chances);
    else
        t->chances[t->chosen] = 1.0;
}

static void puppet_play(puppet *t, int learner, int arm, double reward) {
    const chooser *c = &t->p->selector;
    double chance = t->chances[learner] > 0.0 ? t->chances[learner] : 1.0;
    if (t->named >= 0) arm = t->named;
    posse_outcome o = {learner, arm, NULL, reward, chance, t->named >= 0};
    c->ops->played(c->part.plan, c->state, learner, arm, NULL);
    c->ops->learn(c->part.plan, c->state, &o);
}

static const int label[5] = {3, 0, 4, 1, 2};

static void compare_puppets(const puppet *plain, const puppet *renamed) {
    assert_int_equal(plain->tied, renamed->tied);
    assert_int_equal(plain->named, renamed->named);
    for (int i = 0; i < 5 && !plain->tied; i++)
        assert_that(fabs(plain->chances[i] - renamed->chances[label[i]]) <= 1e-9,
                    "%s: %.17g for %d, but as %d it has %.17g", plain->p->selector_recipe->kind, plain->chances[i], i,
                    label[i], renamed->chances[label[i]]);
}

/*
 * The same history with the learners in another order. Each learner plays once. After that, the chosen learner plays
 * half of the time, and otherwise a random one. Rewards are continuous, so that means never tie. Sums over learners are
 * added in another order, which at first changes the last bit. In corral, whose losses are divided by its own
 * probabilities, the difference grows to about 1e-12 in 400 rounds.
 *
 * `thompson` draws a number for each learner, in the order of their places, so with other labels the learners get other
 * numbers. test_rivals.c compares it with its formula, in which no label occurs.
 */
static void labels_are_names(const posse_part *selector) {
    if (strcmp(selector->kind, "thompson") == 0) return;
    puppet plain = {.p = fixed_team(*selector, 5)}, renamed = {.p = fixed_team(*selector, 5)};
    uint64_t source = 8;
    int told = 0;
    for (int n = 0; n < 400; n++) {
        puppet_choose(&plain);
        puppet_choose(&renamed);
        if (n >= 5) compare_puppets(&plain, &renamed);
        told += n >= 5 && !plain.tied;
        int who = n < 5 ? n : random_below(&source, 2) ? plain.chosen : (int)random_below(&source, 5);
        if (plain.named >= 0) who = plain.chosen; /* the selector names an arm for the chosen learner only */
        int arm = (int)random_below(&source, 5);
        double reward = 0.1 * who + 0.5 * random_uniform(&source);
        puppet_play(&plain, who, arm, reward);
        puppet_play(&renamed, label[who], arm, reward);
    }
    assert_that(told > 100, "%s nearly always ties: this law says nothing", selector->kind);
    posse_free(plain.p);
    posse_free(renamed.p);
}

LAW(labels_do_not_matter) {
    for_every_selector(labels_are_names);
}

/* ------------------------------------------- which learner is found -------------------------------------------- */

#define SHOW_ROUNDS 100000

/* The share of the last tenth of the rounds in which the better of two learners plays. Their arms have means 0.25
 * and 0.75. */
static double better_played(posse_part selector, int better, uint64_t seed) {
    static int32_t who[SHOW_ROUNDS];
    const double means[] = {0.25, 0.75};
    posse_part coin = {.kind = "bernoulli", .options = {NUMBER("arms", 2), LIST("means", means)}};
    posse_part learners[] = {{.kind = "fixed", .name = "a", .options = {NUMBER("arm", better == 0)}},
                             {.kind = "fixed", .name = "b", .options = {NUMBER("arm", better == 1)}}};
    posse_environment *e = environment_made(&coin, seed);
    posse_def def = posse_environment_def(e);
    def.selector = selector;
    def.learners = learners;
    def.learner_count = 2;
    def.rounds = SHOW_ROUNDS;
    posse *p = posse_made(&def);
    posse_trace trace = {.learners = who};
    assert_int_equal(posse_play(p, e, SHOW_ROUNDS, &trace), POSSE_OK);
    int count = 0;
    for (int n = SHOW_ROUNDS - SHOW_ROUNDS / 10; n < SHOW_ROUNDS; n++) count += who[n] == better;
    posse_free(p);
    posse_environment_free(e);
    return count / (0.1 * SHOW_ROUNDS);
}

LAW(the_better_learner_is_found) {
    static const posse_part beta = {.kind = "beta"};
    static const posse_part able[] = {{.kind = "bms", .options = {{.key = "belief", .part = &beta}}},
                                      {.kind = "d3rb"},
                                      {.kind = "ed2rb"},
                                      {.kind = "bd3rb", .options = {NUMBER("best", 0.75)}},
                                      {.kind = "perfect-balancing", .options = {NUMBER("best", 0.75)}},
                                      {.kind = "balancing", .options = {NUMBER("coefficients", 1)}},
                                      {.kind = "dynamic-balancing", .options = {NUMBER("coefficients", 1)}},
                                      {.kind = "corral"},
                                      {.kind = "stochastic-corral"},
                                      {.kind = "exp3p"},
                                      {.kind = "ucb"},
                                      {.kind = "thompson"},
                                      {.kind = "thompson", .options = {WORD("model", "beta")}},
                                      {.kind = "thompson", .options = {WORD("model", "gamma")}},
                                      {.kind = "thompson", .options = {NUMBER("discount", 0.99)}}};
    for (int s = 0; s < LENGTH(able); s++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            for (int better = 0; better < 2; better++) {
                double part_ = better_played(able[s], better, seed);
                assert_that(part_ > 0.8, "%s plays the better learner, %d, in %g of the last rounds", able[s].kind,
                            better, part_);
            }
}

/* Each plays half of the time, with a standard deviation of 0.005. */
LAW(uniform_finds_nobody) {
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int better = 0; better < 2; better++)
            assert_close(better_played((posse_part){.kind = "uniform"}, better, seed), 0.5, 0.01);
}

/* ------------------------------------------------- restarting -------------------------------------------------- */

/* A restarted posse has its active learners, and not the retired ones. */
static void gone_for_good(const posse_part *selector) {
    posse *p = fixed_team(*selector, 4);
    play_plainly(p, 20);
    assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_restart(p, 3), POSSE_OK);
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_that(d.learner != 1, "%s brings back a retired learner", selector->kind);
        assert_int_equal(posse_learn(p, d.id, parade_reward(true, &d)), POSSE_OK);
    }
    posse_free(p);
}

LAW(starting_over_brings_nobody_back) {
    for_every_selector(gone_for_good);
}

/* -------------------------------------------------- ranges ----------------------------------------------------- */

static const double narrow[] = {-1.0, 3.0};

/* The ends of the range are inside. Rewards that are refused or never come are not counted. */
LAW(rewards_outside_the_range_are_counted) {
    static const char *const kinds[] = {"corral", "exp3p", "stochastic-corral"};
    static const double rewards[] = {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 3.0, 3.5, 1e99, -1e99};
    for (int k = 0; k < LENGTH(kinds); k++)
        for (int told = 0; told < 2; told++) {
            posse_part selector = {.kind = kinds[k]};
            if (told) selector.options[0] = (posse_option)LIST("range", narrow);
            double low = told ? -1.0 : 0.0, high = told ? 3.0 : 1.0;
            posse *p = fixed_team(selector, 2);
            uint64_t clipped = 99, expected = 0;
            assert_int_equal(posse_clipped(p, &clipped), POSSE_OK);
            assert_int_equal(clipped, 0);
            for (int i = 0; i < LENGTH(rewards); i++) {
                posse_decision d = decided(p);
                assert_int_equal(posse_learn(p, d.id, 1e101), POSSE_ERROR_REWARD);
                assert_int_equal(posse_learn(p, d.id, rewards[i]), POSSE_OK);
                assert_int_equal(posse_forget(p, decided(p).id), POSSE_OK);
                expected += rewards[i] < low || rewards[i] > high;
                assert_int_equal(posse_clipped(p, &clipped), POSSE_OK);
                assert_int_equal(clipped, expected);
            }
            posse_free(p);
        }
}

LAW(others_have_no_range) {
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s);
        bool ranged = false;
        for (const posse_param *q = posse_kind_params(POSSE_FAMILY_SELECTOR, s); q->name != NULL; q++)
            ranged = ranged || strcmp(q->name, "range") == 0;
        posse *p = fixed_team(selector_part(kind, false, 1), 2);
        uint64_t clipped;
        assert_int_equal(posse_clipped(p, &clipped), ranged ? POSSE_OK : POSSE_ERROR_ABSENT);
        posse_free(p);
    }
}

/* Rewards that are clipped by the test or by the selector, or moved into [0, 1], lead to the same decisions. */
LAW(clipping_is_clipping) {
    static const char *const kinds[] = {"corral", "exp3p", "stochastic-corral"};
    for (int k = 0; k < LENGTH(kinds); k++) {
        posse_part ranged = {.kind = kinds[k], .options = {LIST("range", narrow)}}, unit = {.kind = kinds[k]};
        posse *raw = fixed_team(ranged, 3), *clipped = fixed_team(ranged, 3), *moved = fixed_team(unit, 3);
        uint64_t source = 4;
        for (int n = 0; n < 1000; n++) {
            posse_decision d = decided(raw), e = decided(clipped), f = decided(moved);
            assert_true(d.learner == e.learner && d.learner == f.learner);
            assert_true(d.probability == e.probability && d.probability == f.probability);
            double reward = d.arm - 2.0 + 5.0 * random_uniform(&source), within = fmin(fmax(reward, -1.0), 3.0);
            assert_int_equal(posse_learn(raw, d.id, reward), POSSE_OK);
            assert_int_equal(posse_learn(clipped, e.id, within), POSSE_OK);
            assert_int_equal(posse_learn(moved, f.id, (within + 1.0) / 4.0), POSSE_OK);
        }
        posse_free(raw);
        posse_free(clipped);
        posse_free(moved);
    }
}

/* Learners get the reward itself, whatever the selector makes of it. */
LAW(learners_learn_the_raw_reward) {
    static const posse_part learner = {.kind = "epsilon-greedy"};
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.selector = selector_part(posse_kind_name(POSSE_FAMILY_SELECTOR, s), false, 1);
        def.learners = &learner;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        double sums[5] = {0};
        for (int n = 0; n < 100; n++) {
            posse_decision d = decided(p);
            double reward = 0.5 * n - 20.0;
            if (!d.probe) sums[d.arm] += reward;
            assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        }
        const tally *learned = p->members[0].state;
        for (int a = 0; a < 5; a++) assert_true(learned[a].sum == sums[a]);
        posse_free(p);
    }
}

/* -------------------------------------------- required definitions --------------------------------------------- */

static posse_error attempt(const posse_def *def, notes *log) {
    posse_def told = *def;
    posse *p = NULL;
    memset(log, 0, sizeof *log);
    told.host.log = notes_logger(log);
    posse_error error = posse_create(&told, &p);
    assert_int_equal(p == NULL, error != POSSE_OK);
    posse_free(p);
    return error;
}

LAW(horizons_are_needed_by_those_who_plan_with_them) {
    static const posse_part learner = {.kind = "ucb"};
    for (int s = 0; s < posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s);
        bool needs = strstr(kind, "corral") != NULL || strcmp(kind, "exp3p") == 0;
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.selector = selector_part(kind, false, 1);
        def.learners = &learner;
        def.learner_count = 1;
        notes log;
        for (def.rounds = 0; def.rounds < 4; def.rounds++)
            assert_int_equal(attempt(&def, &log), needs && def.rounds == 0 ? POSSE_ERROR_FIT : POSSE_OK);
        def.rounds = 0;
        attempt(&def, &log);
        if (needs) assert_noted(&log, "rounds");
    }
}

/* Horizons of one or two rounds, and very long ones, are accepted. */
LAW(any_horizon_will_do) {
    static const char *const kinds[] = {"corral", "exp3p", "stochastic-corral"};
    static const uint64_t horizons[] = {1, 2, 3, 1000000000, UINT64_MAX};
    static const posse_part crew[] = {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}};
    for (int k = 0; k < LENGTH(kinds); k++)
        for (int h = 0; h < LENGTH(horizons); h++) {
            posse_def def = habitat_def(&habitats[COINS_4]);
            def.selector = (posse_part){.kind = kinds[k]};
            def.learners = crew;
            def.learner_count = 3;
            def.rounds = horizons[h];
            posse *p = posse_made(&def);
            for (int n = 0; n < 300; n++) {
                posse_decision d = decided(p);
                check_decision(p, &d);
                assert_int_equal(posse_learn(p, d.id, parade_reward(true, &d)), POSSE_OK);
            }
            posse_free(p);
        }
}

/* A list has one number for each initial learner. More learners may be added later, also to a saved posse. */
LAW(coefficients_are_of_the_founders) {
    static const double list[] = {1.0, 3.0, 0.5, 2.0};
    static const posse_part crew[] = {{.kind = "ucb"}, {.kind = "ucb"}, {.kind = "ucb"}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = crew;
    def.learner_count = 3;
    static const struct {
        const char *kind, *key;
    } lists[] = {{"dynamic-balancing", "weights"},
                 {"dynamic-balancing", "bias"},
                 {"dynamic-balancing", "coefficients"},
                 {"balancing", "coefficients"}};
    for (int k = 0; k < LENGTH(lists); k++)
        for (size_t given = 1; given <= 4; given++) {
            notes log;
            def.selector = with_option(specimen_of(POSSE_FAMILY_SELECTOR, lists[k].kind)->part,
                                       (posse_option){.key = lists[k].key, .list = list, .count = given});
            assert_int_equal(attempt(&def, &log), given == 3 ? POSSE_OK : POSSE_ERROR_FIT);
            char excerpt[96];
            snprintf(excerpt, sizeof excerpt, "selector.%s: a list of %zu numbers, but there are 3 learners",
                     lists[k].key, given);
            if (given != 3) assert_noted(&log, excerpt);
        }
    def.selector.options[0].count = 3;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 6);
    parade_join(&r);
    for (int next = 3; next < 20; next++) {
        for (int i = 0; i < r.count; i++) assert_int_equal(posse_learner_add(r.marchers[i], &crew[0], NULL), POSSE_OK);
        parade_march(&r, 20);
        if (next % 6 == 0 && r.count < MARCHERS_MAX) parade_join(&r);
    }
    parade_leave(&r);
}
