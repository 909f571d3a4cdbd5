/* SPDX-License-Identifier: MIT */
/*
 * Proposition 14 of docs/theory.md: an instance on which no selector has less regret than (d sqrt(M T) - M) / 4. The
 * best of all selectors is computed for small teams, and every selector of the registry plays a larger one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"

/* r(k): the regret of learner j in world j after k plays. */
static int owed(double d, int k) {
    return (int)fmin(k, d * sqrt(k));
}

static double least_regret(double d, int learners, int plays) {
    return 0.25 * (d * sqrt((double)learners * learners * plays) - learners);
}

/* ------------------------------------ the best of all selectors, for small teams ------------------------------- */

/*
 * Learners that have not crossed have up to N plays, and each of them is as likely the true one. At every crossing
 * the selector is shown whether that was the true one. From then on it pays nothing, which is less than it would pay.
 */
typedef struct search {
    int learners, plays;
    double d, *known; /* the least regret to come by state, below 0: not computed */
} search;

#define CROSSED (-1)

static size_t search_index(const search *o, const int *counts, int left) {
    size_t index = (size_t)left;
    for (int i = 0; i < o->learners; i++) index = index * (size_t)(o->plays + 2) + (size_t)(counts[i] + 1);
    return index;
}

static double search_least(search *o, int *counts, int left);

/* The least regret if learner i plays next. */
static double search_play(search *o, int *counts, int left, int i) {
    int before = counts[i], uncrossed = 0;
    if (before == CROSSED) return 1.0 + search_least(o, counts, left - 1);
    if (before < o->plays) {
        counts[i]++;
        double rest = search_least(o, counts, left - 1);
        counts[i] = before;
        return owed(o->d, before + 1) - owed(o->d, before) + rest;
    }
    for (int j = 0; j < o->learners; j++) uncrossed += counts[j] != CROSSED;
    double found = owed(o->d, before + 1) - owed(o->d, before), chance = 1.0 / uncrossed;
    if (uncrossed == 1) return found;
    counts[i] = CROSSED;
    double rest = search_least(o, counts, left - 1);
    counts[i] = before;
    return chance * found + (1.0 - chance) * (1.0 + rest);
}

static double search_least(search *o, int *counts, int left) {
    if (left == 0) return 0.0;
    double *known = &o->known[search_index(o, counts, left)], least = INFINITY;
    if (*known >= 0.0) return *known;
    for (int i = 0; i < o->learners; i++) least = fmin(least, search_play(o, counts, left, i));
    return *known = least;
}

static double best_selector(double d, int learners, int plays) {
    size_t states = (size_t)learners * (size_t)plays + 1;
    for (int i = 0; i < learners; i++) states *= (size_t)plays + 2;
    search o = {learners, plays, d, malloc(states * sizeof(double))};
    int counts[4] = {0};
    assert_non_null(o.known);
    for (size_t i = 0; i < states; i++) o.known[i] = -1.0;
    double least = search_least(&o, counts, learners * plays);
    free(o.known);
    return least;
}

/* The best selector has at least the regret of the proposition, and less than three times as much somewhere. */
LAW(best_of_all_selectors_is_above_the_bound) {
    double nearest = INFINITY;
    for (int learners = 2; learners <= 4; learners++)
        for (int plays = 4; plays <= (learners == 2 ? 64 : learners == 3 ? 25 : 9); plays += learners == 2 ? 12 : 5)
            for (double d = 0.5; d <= sqrt(plays); d += 0.5) {
                double best = best_selector(d, learners, plays), bound = least_regret(d, learners, plays);
                assert_that(best >= bound, "M %d, N %d, d %g: %g < %g", learners, plays, d, best, bound);
                if (bound > 1.0) nearest = fmin(nearest, best / bound);
            }
    print_message("the best selector has %.2f times the bound, at the least\n", nearest);
    assert_true(nearest < 3.0);
}

/* ------------------------------------------ every selector of the registry ------------------------------------- */

#define TEAM 16
#define PLAYS 100
#define ARMS (TEAM + 2)
static const double coefficient = 4.0;

/* The arm of learner i at its play k: 1 if it must err, otherwise 0, which is always right, or its own arm. */
static int investor_arm(int i, int k) {
    if (owed(coefficient, k) > owed(coefficient, k - 1)) return 1;
    return k <= PLAYS ? 0 : 2 + i;
}

static double instance_reward(int world, int arm) {
    return arm == 0 || arm == 2 + world;
}

/* Selectors with the right belief, a uniform prior on the worlds, over learners that the test plays. */
static posse *instance_posse(posse_part selector, uint32_t run) {
    static double worlds_of[TEAM][ARMS];
    static char names[TEAM][8];
    posse_part crew[TEAM];
    for (int j = 0; j < TEAM; j++) {
        for (int a = 0; a < ARMS; a++) worlds_of[j][a] = instance_reward(j, a);
        snprintf(names[j], sizeof names[j], "%d", j);
        crew[j] = (posse_part){.kind = "external", .name = names[j]};
    }
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.prior =
        (posse_part){.kind = "hypotheses",
                     .options = {{.key = "table", .list = worlds_of[0], .count = TEAM * ARMS}, NUMBER("noise", 0.1)}};
    def.selector = selector;
    def.learners = crew;
    def.learner_count = TEAM;
    def.rounds = TEAM * PLAYS;
    def.run = run;
    return posse_made(&def);
}

static double instance_regret(posse_part selector, int world) {
    int counts[TEAM] = {0};
    double sum = 0.0;
    posse *p = instance_posse(selector, (uint32_t)world);
    for (int t = 0; t < TEAM * PLAYS; t++) {
        posse_decision d;
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        int arm = investor_arm(d.learner, ++counts[d.learner]);
        double reward = instance_reward(world, arm);
        assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = arm}), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        sum += 1.0 - reward;
    }
    posse_free(p);
    return sum;
}

LAW(every_selector_is_above_the_bound) {
    double bound = least_regret(coefficient, TEAM, PLAYS);
    int played = 0;
    for (int k = 0; k < posse_kind_count(POSSE_FAMILY_SELECTOR); k++) {
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, k);
        if (strcmp(kind, "stochastic-corral") == 0)
            continue; /* it picks arms itself, and external learners do not fit */
        moments regrets = {0};
        for (int world = 0; world < TEAM; world++)
            moments_add(&regrets, instance_regret(selector_part(kind, false, 1), world));
        print_message("%-20s %6.0f, at least %.0f\n", kind, moments_mean(&regrets), bound);
        assert_true(moments_mean(&regrets) >= bound);
        played++;
    }
    assert_true(played > 8);
}
