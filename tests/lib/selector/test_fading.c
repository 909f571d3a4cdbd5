/* SPDX-License-Identifier: MIT */
/*
 * B-MS with a discount, compared with a slow version that stores every play and weighs all of them anew for every
 * choice.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "patience.h"

#define EPISODES 10000
#define CREW 5
#define ARMS_MANY 12

/* All plays, and the charges of the latest choice, computed from scratch. */
typedef struct slow_fading {
    patience_rule rule;
    double discount;
    bool patient;
    int length, dim, learners[EPISODES], arms[EPISODES];
    long double faded[EPISODES]; /* discount^k */
    long double plays[CREW], charge[CREW];
    twin belief;
} slow_fading;

static void slow_charges(slow_fading *s, int best) {
    long double counts[CREW][ARMS_MANY] = {{0}};
    memset(s->plays, 0, sizeof s->plays);
    for (int k = 0; k < s->length; k++) counts[s->learners[k]][s->arms[k]] += s->faded[s->length - k];
    for (int i = 0; i < CREW; i++) {
        s->charge[i] = 0.0L;
        for (int a = 0; a < s->belief.space->arms; a++) {
            const double *x = posse_space_point(s->belief.space, a), *top = posse_space_point(s->belief.space, best);
            s->plays[i] += counts[i][a];
            if (a == best) continue;
            s->charge[i] += counts[i][a] * (twin_value(&s->belief, best, top) - twin_value(&s->belief, a, x));
        }
        if (s->patient) s->charge[i] /= patience_divisor(s->rule, s->dim, CREW, 1.0L, s->plays[i]);
    }
}

/* Charges are sums of some hundreds of relevant terms of the order of 1. If the belief is linear, records are on a
 * grid of 2^-32, and differences on one of 2^-42 / (1 - discount). */
static void check_choice(const slow_fading *s, const posse *p, const posse_decision *d, int *ties_seen) {
    bool one_hot = s->belief.belief.shape.one_hot;
    long double least = INFINITY, total = 0.0L;
    int zeros = 0, faint = 0; /* faint: charges that may underflow to 0 in a double */
    double potentials[CREW];
    for (int i = 0; i < CREW; i++) {
        least = fminl(least, s->charge[i]);
        zeros += s->charge[i] == 0.0L;
        faint += s->charge[i] > 0.0L && s->charge[i] < 1e-280L;
        total += s->plays[i];
    }
    long double doubt = one_hot ? 1e-12L * least + 1e-280L : 1e-7L * (1.0L + total);
    assert_that(s->charge[d->learner] <= least + doubt, "round %d: %Lg is chosen, not %Lg", s->length,
                s->charge[d->learner], least);
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    for (int i = 0; i < CREW; i++)
        assert_close(potentials[i], (double)s->charge[i],
                     (double)(one_hot ? 1e-11L * (s->charge[i] + 1e-200L) : doubt));
    if (!one_hot || faint > 0) return;
    assert_true(d->probability == (zeros > 1 ? 1.0 / zeros : 1.0));
    *ties_seen += zeros > 1;
}

/* Rewards come up to 20 rounds late; the posse and the twin's belief learn them in the same order. */
static void check_fading(const posse_part *world, const posse_part *crew, patience_rule rule, bool patient,
                         double discount) {
    static slow_fading s;
    posse_environment *e = environment_made(world, 8);
    posse_def def = posse_environment_def(e);
    def.learners = crew;
    def.learner_count = CREW;
    def.selector = patient ? bms_with(rule) : algorithm_1;
    def.selector = with_option(def.selector, (posse_option)NUMBER("discount", discount));
    posse *p = posse_made(&def);
    s = (slow_fading){.rule = rule, .discount = discount, .patient = patient};
    twin_open(&s.belief, &def, NULL);
    s.dim = s.belief.belief.shape.dim;
    for (int k = 0; k < EPISODES; k++) s.faded[k] = k == 0 ? 1.0L : s.faded[k - 1] * discount;
    enum { LATE = 20 };
    posse_decision late[LATE];
    double rewards[LATE];
    int open = 0, ties_seen = 0;
    uint64_t source = 31;
    for (; s.length < EPISODES; s.length++) {
        posse_decision d = decided(p);
        if (s.length < CREW) assert_int_equal(d.learner, s.length);
        if (s.length >= CREW) {
            slow_charges(&s, twin_draw(&s.belief));
            check_choice(&s, p, &d, &ties_seen);
        }
        s.learners[s.length] = d.learner, s.arms[s.length] = d.arm;
        late[open] = d, rewards[open++] = posse_environment_reward(e, &d);
        while (open == LATE || (open > 0 && random_below(&source, 2) == 0)) {
            int k = (int)random_below(&source, (uint64_t)open);
            assert_int_equal(posse_learn(p, late[k].id, rewards[k]), POSSE_OK);
            twin_learn(&s.belief, &late[k], rewards[k]);
            open--;
            late[k] = late[open], rewards[k] = rewards[open];
        }
    }
    print_message("%s, discount %g: %d ties\n", world->kind, discount, ties_seen);
    twin_close(&s.belief);
    posse_free(p);
    posse_environment_free(e);
}

static const posse_part drifting_world = {.kind = "drifting", .options = {NUMBER("arms", 5), NUMBER("drift", 0.02)}};
static const posse_part points_world = {
    .kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", ARMS_MANY)}};
static const posse_part arms_crew[CREW] = {{.kind = "ucb", .name = "0.1", .options = {NUMBER("width", 0.1)}},
                                           {.kind = "ucb", .options = {NUMBER("window", 100)}},
                                           {.kind = "thompson"},
                                           {.kind = "fixed", .options = {NUMBER("arm", 2)}},
                                           {.kind = "fixed", .name = "alike", .options = {NUMBER("arm", 2)}}};
static const posse_part points_crew[CREW] = {{.kind = "linear-thompson"},
                                             {.kind = "linear-ucb"},
                                             {.kind = "ucb"},
                                             {.kind = "thompson"},
                                             {.kind = "fixed", .options = {NUMBER("arm", 2)}}};

LAW(a_discount_is_the_history_with_weights) {
    const patience_rule commits = {5, 1, false}, level = {40, 0, false};
    check_fading(&drifting_world, arms_crew, level, false, 0.99);
    check_fading(&drifting_world, arms_crew, commits, true, 0.997);
    check_fading(&points_world, points_crew, level, false, 0.97);
    check_fading(&points_world, points_crew, level, true, 0.995);
}

LAW(a_steep_discount_is_the_history_with_weights) {
    check_fading(&drifting_world, arms_crew, (patience_rule){5, 1, false}, true, 0.3);
    check_fading(&drifting_world, arms_crew, (patience_rule){5, 1, false}, false, 0.8);
}

/* Learners that have only played the best arm of the world drawn are all charged 0, whatever the rounding of their
 * sums. */
LAW(ties_on_paper_are_ties_where_plays_fade) {
    static const double points[] = {0.3, 0.7, -0.6, 0.11, 0.77, -0.23};
    const posse_part world = {.kind = "linear", .options = {NUMBER("dim", 2), LIST("arms.points", points)}};
    const posse_part crew[] = {{.kind = "fixed", .name = "one", .options = {NUMBER("arm", 0)}},
                               {.kind = "fixed", .name = "same", .options = {NUMBER("arm", 0)}},
                               {.kind = "fixed", .name = "third", .options = {NUMBER("arm", 0)}},
                               {.kind = "fixed", .name = "other", .options = {NUMBER("arm", 1)}}};
    static const double discounts[] = {0.3, 0.9, 0.999, 0.99999};
    for (int k = 0; k < LENGTH(discounts); k++) {
        posse_environment *e = environment_made(&world, 6);
        posse_def def = posse_environment_def(e);
        def.learners = crew;
        def.learner_count = LENGTH(crew);
        def.selector = (posse_part){.kind = "bms", .options = {NUMBER("discount", discounts[k])}};
        posse *p = posse_made(&def);
        twin t;
        twin_open(&t, &def, NULL);
        int best_is_theirs = 0;
        for (int n = 0; n < 5000; n++) {
            posse_decision d = decided(p);
            int best = n < LENGTH(crew) ? -1 : twin_draw(&t);
            /* The fourth learner ties only if its plays have faded completely. */
            if (best == 0) assert_true(d.probability == 1.0 / 3.0 || d.probability == 1.0 / 4.0);
            best_is_theirs += best == 0;
            assert_int_equal(posse_learn(p, d.id, 0.1 * (n % 7) - 0.3), POSSE_OK);
            twin_learn(&t, &d, 0.1 * (n % 7) - 0.3);
        }
        assert_true(best_is_theirs > 100);
        twin_close(&t);
        posse_free(p);
        posse_environment_free(e);
    }
}

/* Plays whose weight underflows to 0 still count as plays. */
LAW(faint_plays_are_plays) {
    const posse_part crew[] = {{.kind = "fixed", .name = "good", .options = {NUMBER("arm", 0)}},
                               {.kind = "fixed", .name = "bad", .options = {NUMBER("arm", 1)}}};
    static const posse_part sure = {.kind = "gaussian", .options = {NUMBER("sd", 1e-9)}};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior = sure;
    def.learners = crew;
    def.learner_count = 2;
    def.selector = (posse_part){.kind = "bms", .options = {NUMBER("discount", 1e-6)}};
    posse *p = posse_made(&def);
    for (int n = 0; n < 3000; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, d.arm == 0 ? 1.0 : -1.0), POSSE_OK);
    }
    saved s = saved_from(p);
    posse *q = saved_loaded(&s);
    for (int n = 0; n < 100; n++) assert_int_equal(decided(p).learner, decided(q).learner);
    saved_drop(&s);
    posse_free(p);
    posse_free(q);
}
