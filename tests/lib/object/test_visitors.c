/* SPDX-License-Identifier: MIT */
/*
 * Tests of what is known where posse alone does not choose the arm, or the same visitors come again: plays of another
 * rule have no propensity, and verdicts hold although a visitor's rewards are alike. Visitors are simulated here, from
 * a source of random numbers that the library does not use.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "visitors.h"

#define ARMS 2

static posse *clicks_made(double floor_, uint32_t draws, uint64_t seed) {
    static const posse_part learners[] = {{.kind = "thompson"}, {.kind = "ucb"}};
    posse_def def = clicks_def_of(&(clicks_team){ARMS, LENGTH(learners), learners}, floor_, draws, seed);
    return posse_made(&def);
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

/* -------------------------------------------- visitors who come again ------------------------------------------- */

#define POSSES 100
#define VISITS 2000

static double uniform(uint64_t *source) {
    return (double)(random_below(source, (uint64_t)1 << 53)) / 9007199254740992.0;
}

/* Visitors who click often or hardly ever, whatever they see: no arm is better than another. */
typedef struct crowd {
    double rates[100];
    int count;
    uint64_t source;
} crowd;

static crowd gathered(int count, uint64_t seed) {
    crowd c = {.count = count, .source = seed * 7919};
    for (int i = 0; i < count; i++) c.rates[i] = random_below(&c.source, 2) ? 0.9 : 0.1;
    return c;
}

/* A visitor comes, is shown an arm, and clicks or not. */
static posse_decision come(crowd *c, posse *p, int visitor) {
    char unit[24];
    snprintf(unit, sizeof unit, "visitor %d", visitor);
    posse_decision d = visited(p, (posse_visit){.unit = unit, .unit_length = strlen(unit)});
    assert_int_equal(posse_learn(p, d.id, uniform(&c->source) < c->rates[visitor] ? 1.0 : 0.0), POSSE_OK);
    return d;
}

static int anybody(crowd *c) {
    return (int)random_below(&c->source, (uint64_t)c->count);
}

/* A twin that keeps every visitor counts what may count: new visitors for the lift, arms that were chosen anew. */
LAW(first_rewards_of_visitors_count) {
    enum { CROWD = 80, ROOM = 60 };
    for (int sticky = 0; sticky < 2; sticky++) {
        posse *p = clicks_made(0.5, 0, 3);
        crowd c = gathered(CROWD, 8);
        bool known[CROWD] = {false};
        uint64_t met = 0, held = 0, others = 0, chosen[ARMS] = {0};
        set_modes(p, (posse_modes){.control = 0, .holdback = 0.3, .units = ROOM, .sticky_rounds = sticky ? 500 : 0});
        for (int n = 0; n < 1500; n++) {
            int visitor = anybody(&c);
            posse_decision d = come(&c, p, visitor);
            bool new = !known[visitor] && met < ROOM, holds = d.mode == POSSE_HELD_BACK;
            met += !known[visitor];
            known[visitor] = true;
            held += new &&holds;
            others += new && !holds;
            chosen[d.arm] += d.mode == POSSE_MODE_NONE || (new &&holds);
            if (n % 100 == 50) p = passed_on(p);
        }
        posse_comparison found;
        posse_finding arms[ARMS];
        assert_int_equal(posse_holdback(p, &found), POSSE_OK);
        assert_int_equal(posse_report_make(p, &(posse_report){.control = -1, .arms = arms}), POSSE_OK);
        assert_int_equal(met, CROWD);
        assert_true(found.control.rewards == held && found.posse.rewards == others);
        for (int a = 0; a < ARMS; a++) assert_true(arms[a].rewards == chosen[a]);
        posse_free(p);
    }
}

static bool is_decided(const posse *p) {
    posse_report r = {.control = -1};
    assert_int_equal(posse_report_make(p, &r), POSSE_OK);
    return r.verdict == POSSE_DECIDED;
}

static bool lift_is_wrong(const posse *p) {
    posse_comparison c;
    return posse_holdback(p, &c) == POSSE_OK && (c.posse.lift_low > 0.0 || c.posse.lift_high < 0.0);
}

/* How many of the posses were ever wrong, looked at after every reward. */
static int wrong_ever(posse_modes m, bool (*is_wrong)(const posse *p)) {
    int wrong = 0;
    for (uint64_t seed = 1; seed <= POSSES; seed++) {
        posse *p = clicks_made(0.5, 0, seed);
        crowd c = gathered(30, seed);
        bool ever = false;
        set_modes(p, m);
        for (int n = 0; n < VISITS && !ever; n++) {
            come(&c, p, anybody(&c));
            ever = is_wrong(p);
        }
        wrong += ever;
        posse_free(p);
    }
    return wrong;
}

/* Whatever is kept, and for how long: with and without a holdback, and if some visitors are forgotten. */
static const posse_modes crowded[] = {
    {.control = -1, .units = 1000, .sticky_rounds = 1000000},
    {.control = -1, .units = 1000, .sticky_rounds = 300},
    {.control = -1, .units = 20, .sticky_rounds = 1000000},
    {.control = 0, .holdback = 0.3},
    {.control = 0, .holdback = 0.3, .units = 1000},
    {.control = 0, .holdback = 0.3, .units = 20},
    {.control = 0, .holdback = 0.3, .units = 1000, .sticky_rounds = 1000000},
    {.control = 0, .holdback = 0.3, .units = 20, .sticky_rounds = 1000000},
};

static void assert_rarely_wrong(const char *what, bool (*is_wrong)(const posse *p)) {
    for (size_t i = 0; i < LENGTH(crowded); i++) {
        int wrong = wrong_ever(crowded[i], is_wrong);
        print_message("%s with modes %zu: wrong in %d of %d posses\n", what, i, wrong, POSSES);
        assert_that(wrong <= POSSES / 20, "%s with modes %zu is wrong in %d of %d posses", what, i, wrong, POSSES);
    }
}

LAW(verdicts_hold_if_visitors_come_again) {
    assert_rarely_wrong("decided", is_decided);
}

LAW(lift_holds_if_visitors_come_again) {
    assert_rarely_wrong("the lift", lift_is_wrong);
}
