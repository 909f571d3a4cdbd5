/* SPDX-License-Identifier: MIT */
/*
 * Tests of what is known where posse alone does not choose the arm, or the same visitors come again: plays of another
 * rule have no propensity, and verdicts hold although a visitor's rewards are alike. Visitors are simulated here, from a
 * source of random numbers that the library does not use.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

#define ARMS 2

static posse *clicks_made(double floor_, uint32_t draws, uint64_t seed) {
    static const posse_part learners[] = {{.kind = "thompson"}, {.kind = "ucb"}};
    static posse_part selector = {.kind = "bms-plus"};
    posse_def def = posse_default_def();
    selector.options[0] = floor_ > 0.0 ? (posse_option)NUMBER("floor", floor_) : (posse_option)NUMBER(NULL, 0.0);
    def.arms = ARMS;
    def.prior = (posse_part){.kind = "beta"};
    def.selector = selector;
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    def.propensity_draws = draws;
    def.report = true;
    def.seed = seed;
    return posse_made(&def);
}

static void set_modes(posse *p, posse_modes m) {
    assert_int_equal(posse_set_modes(p, &m), POSSE_OK);
}

static posse_decision visited(posse *p, posse_visit v) {
    posse_decision d;
    assert_int_equal(posse_decide_for(p, &v, &d), POSSE_OK);
    return d;
}

/* ---------------------------------------------- plays of another rule ------------------------------------------- */

static double propensity_of(const posse *p, uint64_t id) {
    posse_pending waiting;
    assert_int_equal(posse_pending_find(p, id, &waiting), POSSE_OK);
    return waiting.propensity;
}

static posse *passed_on(posse *p) {
    saved s = saved_from(p);
    posse_free(p);
    p = saved_loaded(&s);
    saved_drop(&s);
    return p;
}

/* In shadow mode a rule plays, and nobody knows with which probability, also where it plays what was suggested. */
LAW(plays_of_a_rule_have_no_propensity) {
    for (int variant = 0; variant < 2; variant++) {
        posse *p = clicks_made(variant ? 0.0 : 0.3, variant ? 20 : 0, 4);
        assert_true(decided(p).propensity > 0.0);
        set_modes(p, (posse_modes){.control = -1, .shadow = true});
        for (int n = 0; n < 60; n++) {
            posse_decision seen, d;
            double logged = 0.5;
            assert_int_equal(posse_peek(p, &(posse_visit){0}, &seen), POSSE_OK);
            d = visited(p, (posse_visit){.logged = n % 2 ? &logged : NULL, .defer = n % 5 == 0});
            assert_true(seen.propensity == 0.0 && d.propensity == 0.0 && seen.arm == d.arm);
            if (n == 30) p = passed_on(p);
            posse_action played = {.arm = n % 3 ? 0 : d.arm};
            assert_int_equal(n % 4 ? posse_acted(p, d.id, &played) : posse_activate(p, d.id), POSSE_OK);
            assert_true(propensity_of(p, d.id) == 0.0);
            assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
        }
        posse_free(p);
    }
}

/* A deferred decision that is shown was drawn by posse. If another arm was played, it was not. */
LAW(deferred_decisions_keep_their_propensity_if_they_are_shown) {
    for (int variant = 0; variant < 2; variant++) {
        posse *p = clicks_made(variant ? 0.0 : 0.3, variant ? 20 : 0, 4);
        for (int n = 0; n < 60; n++) {
            posse_decision d = visited(p, (posse_visit){.defer = true});
            posse_action played = {.arm = n % 3 ? d.arm : 1 - d.arm};
            bool activates = n % 3 == 1;
            assert_true(d.propensity > 0.0 && propensity_of(p, d.id) == d.propensity);
            assert_int_equal(activates ? posse_activate(p, d.id) : posse_acted(p, d.id, &played), POSSE_OK);
            assert_true(propensity_of(p, d.id) == (n % 3 ? d.propensity : 0.0));
            assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
        }
        posse_free(p);
    }
}
