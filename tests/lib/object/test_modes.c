/* SPDX-License-Identifier: MIT */
/*
 * Tests of the modes: decisions that are only looked at, the holdback, pauses, shadow mode, deferred decisions and
 * units. What they must not change is compared bit for bit with a posse that has no modes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "visitors.h"

#define ARMS 4

static double uniform(uint64_t *source) {
    return (double)(random_below(source, (uint64_t)1 << 53)) / 9007199254740992.0;
}

static const double click_rates[ARMS] = {0.2, 0.35, 0.5, 0.3};

static double clicked(uint64_t *source, int arm) {
    return uniform(source) < click_rates[arm] ? 1.0 : 0.0;
}

static posse_def clicks_def(double floor_, uint32_t draws, uint64_t seed) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}};
    return clicks_def_of(&(clicks_team){ARMS, LENGTH(learners), learners}, floor_, draws, seed);
}

static posse *clicks_made(double floor_, uint32_t draws, uint64_t seed) {
    posse_def def = clicks_def(floor_, draws, seed);
    return posse_made(&def);
}

static posse_visit visit_of(const char *unit, uint64_t now) {
    return (posse_visit){.unit = unit, .unit_length = strlen(unit), .now = now};
}

static void assert_same_choice(const posse_decision *a, const posse_decision *b) {
    assert_that(a->learner == b->learner && a->arm == b->arm && a->probe == b->probe && a->floor == b->floor &&
                    a->mode == b->mode && a->probability == b->probability && a->propensity == b->propensity,
                "learner %d arm %d mode %d, and learner %d arm %d mode %d", a->learner, a->arm, a->mode, b->learner,
                b->arm, b->mode);
}

/* ------------------------------------------------------ looking ------------------------------------------------- */

/* Whatever the parts are: a look changes nothing that is saved, and the next decision is what was seen. */
static void look_is_next(const habitat *h, posse_part selector) {
    parade r;
    parade_begin(&r, h, habitat_posse(h, selector), 29);
    posse *p = r.marchers[0];
    for (int n = 0; n < 40; n++) {
        staged x;
        posse_decision seen, made;
        bool features = posse_feature_count(p) > 0;
        if (features) stage_round(p, posse_decision_count(p), &x);
        posse_visit v = {.context = features ? &x.context : NULL};
        assert_refused(p, posse_peek(p, &v, &seen), POSSE_OK);
        assert_true(seen.id == 0);
        assert_int_equal(posse_decide_for(p, &v, &made), POSSE_OK);
        assert_same_choice(&seen, &made);
        act_outside(p, &made);
        assert_int_equal(posse_learn(p, made.id, parade_reward(h->unit, &made)), POSSE_OK);
    }
    parade_leave(&r);
}

LAW(looks_change_nothing) {
    for_every_team(look_is_next);
    for (int variant = 0; variant < 4; variant++) {
        posse *p = clicks_made(variant % 2 ? 0.2 : 0.0, variant / 2 ? 40 : 0, 5);
        uint64_t source = 3;
        set_modes(p, (posse_modes){.control = 1, .holdback = 0.3, .units = 10, .sticky_rounds = 8});
        for (int n = 0; n < 300; n++) {
            char unit[16];
            snprintf(unit, sizeof unit, "u%d", n % 7);
            posse_visit v = n % 3 ? visit_of(unit, 0) : (posse_visit){0};
            posse_decision seen, made;
            assert_refused(p, posse_peek(p, &v, &seen), POSSE_OK);
            made = visited(p, v);
            assert_same_choice(&seen, &made);
            assert_int_equal(posse_learn(p, made.id, clicked(&source, made.arm)), POSSE_OK);
        }
        posse_free(p);
    }
}

/* ----------------------------------------------------- holdback ------------------------------------------------- */

/*
 * The share is right, the sum of 1 / propensity over the rounds of an arm is as large as the number of rounds, and the
 * mean of reward / propensity is the arm's mean: the propensities are right for all arms, the control too.
 */
static void propensities_hold(double floor_, uint32_t draws, bool units) {
    enum { ROUNDS = 6000 };
    posse *p = clicks_made(floor_, draws, 11);
    uint64_t source = 7;
    moments weights[ARMS] = {{0}}, held = {0};
    uint64_t plays[3], charged = 0, apart = 0;
    set_modes(p, (posse_modes){.control = 3, .holdback = 0.25});
    for (int n = 0; n < ROUNDS; n++) {
        char unit[16];
        snprintf(unit, sizeof unit, "visitor %d", n);
        posse_decision d = visited(p, units ? visit_of(unit, 0) : (posse_visit){0});
        posse_pending waiting;
        assert_int_equal(posse_pending_find(p, d.id, &waiting), POSSE_OK);
        assert_true(waiting.mode == d.mode && waiting.propensity == d.propensity);
        assert_true((d.mode == POSSE_HELD_BACK) <= (d.arm == 3) && d.propensity > 0.0 && d.propensity <= 1.0);
        moments_add(&held, d.mode == POSSE_HELD_BACK);
        apart += d.mode == POSSE_HELD_BACK || d.floor;
        for (int a = 0; a < ARMS; a++) moments_add(&weights[a], d.arm == a ? 1.0 / d.propensity : 0.0);
        assert_int_equal(posse_learn(p, d.id, clicked(&source, d.arm)), POSSE_OK);
    }
    assert_mean(&held, 0.25);
    for (int a = 0; a < ARMS && floor_ > 0.0; a++) assert_mean(&weights[a], 1.0);
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    for (int i = 0; i < 3; i++) charged += plays[i];
    assert_true(charged + apart == ROUNDS);
    posse_free(p);
}

LAW(holdback_is_a_share_with_right_propensities) {
    propensities_hold(0.2, 0, false);
    propensities_hold(0.2, 0, true);
    propensities_hold(0.0, 30, false);
}

/* Estimated propensities of all arms have the holdback in them, and are those of the decisions. */
LAW(propensities_count_the_holdback) {
    posse *p = clicks_made(0.0, 0, 2), *q = clicks_made(0.0, 0, 2);
    double with[ARMS], without[ARMS];
    set_modes(p, (posse_modes){.control = 0, .holdback = 0.4});
    assert_int_equal(posse_propensities(p, NULL, 500, &(posse_propensity){.arms = with}), POSSE_OK);
    assert_int_equal(posse_propensities(q, NULL, 500, &(posse_propensity){.arms = without}), POSSE_OK);
    for (int a = 0; a < ARMS; a++) assert_true(fabs(with[a] - (0.6 * without[a] + (a == 0 ? 0.4 : 0.0))) < 1e-12);
    set_modes(p, (posse_modes){.control = 2, .paused = true});
    assert_int_equal(posse_propensities(p, NULL, 500, &(posse_propensity){.arms = with}), POSSE_OK);
    for (int a = 0; a < ARMS; a++) assert_true(with[a] == (a == 2 ? 1.0 : 0.0));
    posse_free(p);
    posse_free(q);
}

/* The reward of a round that was held back teaches what posse_teach does, and charges nobody. */
LAW(holdback_teaches_as_data_do) {
    posse *p = clicks_made(0.0, 0, 4);
    uint64_t source = 5, plays[2][3];
    int seen = 0;
    set_modes(p, (posse_modes){.control = 2, .holdback = 0.5});
    for (int n = 0; n < 200; n++) {
        posse_decision d = visited(p, (posse_visit){0});
        double reward = clicked(&source, d.arm), means[2][ARMS];
        saved s = saved_from(p);
        posse *q = saved_loaded(&s);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        if (d.mode == POSSE_HELD_BACK) {
            seen++;
            assert_int_equal(posse_forget(q, d.id), POSSE_OK);
            assert_int_equal(posse_teach(q, &(posse_action){.arm = 2}, reward), POSSE_OK);
            assert_int_equal(posse_means(p, NULL, means[0]), POSSE_OK);
            assert_int_equal(posse_means(q, NULL, means[1]), POSSE_OK);
            assert_int_equal(posse_plays(p, plays[0]), POSSE_OK);
            assert_int_equal(posse_plays(q, plays[1]), POSSE_OK);
            assert_memory_equal(means[0], means[1], sizeof means[0]);
            assert_memory_equal(plays[0], plays[1], sizeof plays[0]);
            for (int k = 0; k < 20; k++) {
                posse_decision a = visited(p, (posse_visit){0}), b = visited(q, (posse_visit){0});
                assert_same_choice(&a, &b);
            }
        }
        posse_free(q);
        saved_drop(&s);
    }
    assert_true(seen > 50);
    posse_free(p);
}

/* The lift over the holdback is in its interval at every time one looks, in at least 95 of 100 posses. */
LAW(lift_over_the_holdback_holds) {
    int wrong = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        posse *p = clicks_made(0.1, 0, seed);
        uint64_t source = seed * 77;
        double expected = 0.0;
        int count = 0;
        bool missed = false;
        set_modes(p, (posse_modes){.control = 0, .holdback = 0.2});
        posse_comparison c;
        assert_int_equal(posse_holdback(p, &c), POSSE_ERROR_ABSENT);
        for (int n = 0; n < 400; n++) {
            posse_decision d = visited(p, (posse_visit){0});
            if (d.mode != POSSE_HELD_BACK) expected += click_rates[d.arm], count++;
            assert_int_equal(posse_learn(p, d.id, clicked(&source, d.arm)), POSSE_OK);
            if (posse_holdback(p, &c) != POSSE_OK || count == 0) continue;
            double lift = expected / count - click_rates[0];
            missed = missed || c.posse.lift_low > lift || c.posse.lift_high < lift;
            assert_true(c.posse.rewards == (uint64_t)count && c.posse.lift == c.posse.mean - c.control.mean);
        }
        wrong += missed;
        posse_free(p);
    }
    assert_that(wrong <= 5, "%d of 100 lifts were outside of their intervals", wrong);
}

/* ------------------------------------------------------- pause -------------------------------------------------- */

/* A pause leaves no trace but its decisions: afterwards, choices are those of a posse that was never paused. */
LAW(pause_changes_nothing) {
    posse *p = clicks_made(0.2, 0, 6), *q = clicks_made(0.2, 0, 6);
    uint64_t sources[2] = {9, 9}, late;
    for (int n = 0; n < 400; n++) {
        posse_decision a = visited(p, (posse_visit){0}), b = decided(q);
        assert_same_choice(&a, &b);
        assert_int_equal(posse_learn(p, a.id, clicked(&sources[0], a.arm)), POSSE_OK);
        assert_int_equal(posse_learn(q, b.id, clicked(&sources[1], b.arm)), POSSE_OK);
        if (n % 100 != 50) continue;
        a = decided(p);
        b = decided(q);
        set_modes(p, (posse_modes){.control = 1, .paused = true});
        posse_decision d = decided(p), e = decided(p);
        late = e.id;
        assert_true(d.arm == 1 && d.mode == POSSE_PAUSED && d.propensity == 1.0);
        assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_ERROR_SETTLED);
        assert_int_equal(posse_learn(p, a.id, 1.0), POSSE_OK); /* of before, but it comes in the pause */
        assert_int_equal(posse_forget(q, b.id), POSSE_OK);
        set_modes(p, (posse_modes){.control = 1});
        assert_int_equal(posse_learn(p, late, 1.0), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
}

/* ------------------------------------------------------- shadow ------------------------------------------------- */

/* If the rule plays what is suggested, shadow mode is the posse itself; so are decisions that are activated. */
static void suggestions_are_decisions(const habitat *h, posse_part selector) {
    if (h == &habitats[BALL_3]) return;
    for (int deferred = 0; deferred < 2; deferred++) {
        posse *p = habitat_posse(h, selector), *q = habitat_posse(h, selector);
        if (!deferred) set_modes(p, (posse_modes){.control = -1, .shadow = true});
        for (int n = 0; n < 60; n++) {
            staged x;
            posse_decision a, b;
            bool features = posse_feature_count(p) > 0;
            if (features) stage_round(p, posse_decision_count(p), &x);
            posse_visit v = {.context = features ? &x.context : NULL, .defer = deferred};
            assert_int_equal(posse_decide_for(p, &v, &a), POSSE_OK);
            assert_int_equal(stage_decide(q, &b), POSSE_OK);
            assert_true(a.learner == b.learner && a.arm == b.arm && a.floor == b.floor && a.id == b.id);
            if (a.arm != POSSE_ARM_UNTOLD) {
                assert_int_equal(a.mode, POSSE_SUGGESTED);
                assert_int_equal(posse_suggestion(p, a.id), a.arm);
                assert_int_equal(posse_learn(p, a.id, 0.0), POSSE_ERROR_UNTOLD);
                posse_action played = {.arm = a.arm, .context = v.context};
                assert_int_equal(deferred ? posse_activate(p, a.id) : posse_acted(p, a.id, &played), POSSE_OK);
                assert_int_equal(posse_activate(p, a.id), POSSE_ERROR_SETTLED);
            }
            act_outside(p, &a);
            act_outside(q, &b);
            assert_int_equal(posse_learn(p, a.id, parade_reward(h->unit, &b)), POSSE_OK);
            assert_int_equal(posse_learn(q, b.id, parade_reward(h->unit, &b)), POSSE_OK);
        }
        posse_free(p);
        posse_free(q);
    }
}

LAW(suggestions_that_are_played_are_decisions) {
    for_every_team(suggestions_are_decisions);
}

/* A suggestion of shadow mode that is not played expires without learning anything. */
LAW(suggestions_expire_without_a_reward) {
    posse_def def = clicks_def(0.0, 0, 3);
    def.expire_after = 2;
    def.expire_learns = true;
    posse *p = posse_made(&def);
    double before[ARMS], after[ARMS];
    set_modes(p, (posse_modes){.control = -1, .shadow = true});
    assert_int_equal(posse_means(p, NULL, before), POSSE_OK);
    for (int n = 0; n < 10; n++) visited(p, (posse_visit){0});
    assert_int_equal(posse_means(p, NULL, after), POSSE_OK);
    assert_memory_equal(before, after, sizeof before);
    assert_true(posse_pending_count(p) == 2);
    posse_free(p);
}

/*
 * A rule plays arms by its own habits. In at least 95 of 100 simulations, what the suggestions would have earned is in
 * the interval, and so is how often both agree, at every time one looks. Given a suggestion, the rule plays it with a
 * known probability.
 */
LAW(shadow_tells_what_it_would_have_earned) {
    int wrong = 0, unlike = 0;
    moments errors = {0}, widths = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        posse *p = clicks_made(0.0, 0, seed);
        uint64_t source = seed * 131, agreed = 0;
        double expected = 0.0, alike = 0.0;
        bool missed = false, missed_share = false;
        posse_trial t;
        set_modes(p, (posse_modes){.control = -1, .shadow = true});
        assert_int_equal(posse_shadow(p, &t), POSSE_ERROR_ABSENT);
        for (int n = 1; n <= 300; n++) {
            posse_decision d = visited(p, (posse_visit){0});
            int played = (int)random_below(&source, 10) < 6 ? 0 : (int)random_below(&source, ARMS);
            assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = played}), POSSE_OK);
            assert_int_equal(posse_learn(p, d.id, clicked(&source, played)), POSSE_OK);
            expected += click_rates[d.arm];
            agreed += d.arm == played;
            alike += (d.arm == 0 ? 0.6 : 0.0) + 0.4 / ARMS;
            assert_int_equal(posse_shadow(p, &t), POSSE_OK);
            assert_true(t.rounds == (uint64_t)n && t.agreed == agreed && t.low <= t.high);
            missed = missed || t.low > expected / n || t.high < expected / n;
            missed_share = missed_share || t.agreed_low > alike / n || t.agreed_high < alike / n;
        }
        moments_add(&widths, t.agreed_high - t.agreed_low);
        moments_add(&errors, fabs(t.estimate - expected / 300));
        assert_true(t.estimate >= t.low && t.estimate <= t.high);
        wrong += missed;
        unlike += missed_share;
        posse_free(p);
    }
    assert_that(wrong <= 5, "%d of 100 were outside of their intervals", wrong);
    assert_that(unlike <= 5, "%d of 100 shares were outside of their intervals", unlike);
    assert_that(moments_mean(&widths) < 0.25, "intervals of shares have width %g", moments_mean(&widths));
    assert_that(moments_mean(&errors) < 0.1, "estimates are wrong by %g", moments_mean(&errors));
}

/* With features, the bounds hold too: the truth depends on the context, and so does the rule. */
LAW(shadow_is_bounded_where_rounds_have_features) {
    static const posse_part learners[] = {{.kind = "linear-thompson"}, {.kind = "linear-ucb"}};
    int wrong = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        posse_def def = posse_default_def();
        def.arms = 2;
        def.context = 2;
        def.prior = (posse_part){.kind = "logistic"};
        def.learners = learners;
        def.learner_count = 2;
        def.report = true;
        def.seed = seed;
        posse *p = posse_made(&def);
        uint64_t source = seed * 17;
        double expected = 0.0;
        posse_trial t;
        set_modes(p, (posse_modes){.control = -1, .shadow = true});
        for (int n = 1; n <= 100; n++) {
            double x[2] = {1.0, uniform(&source) < 0.5 ? 1.0 : -1.0};
            posse_context context = {.shared = x};
            posse_decision d = visited(p, (posse_visit){.context = &context});
            int played = x[1] > 0.0 || uniform(&source) < 0.2 ? 0 : 1;
            double rates[2] = {0.5 + 0.3 * x[1], 0.5 - 0.2 * x[1]};
            posse_action action = {.arm = played, .context = &context};
            assert_int_equal(posse_acted(p, d.id, &action), POSSE_OK);
            assert_int_equal(posse_learn(p, d.id, uniform(&source) < rates[played] ? 1.0 : 0.0), POSSE_OK);
            expected += rates[d.arm];
        }
        assert_int_equal(posse_shadow(p, &t), POSSE_OK);
        assert_true(isnan(t.estimate) && t.rounds == 100);
        wrong += t.low > expected / 100 || t.high < expected / 100;
        posse_free(p);
    }
    assert_that(wrong <= 5, "%d of 100 were outside of their intervals", wrong);
}

/* -------------------------------------------------------- units ------------------------------------------------- */

#define UNITS 40
#define MOST 12

/* What a unit keeps, by a list that is searched. */
typedef struct naive_unit {
    int unit, arm;
    uint64_t number, since;
} naive_unit;

static int naive_find(const naive_unit *list, int count, int unit) {
    int i = count - 1;
    while (i >= 0 && list[i].unit != unit) i--;
    return i;
}

static int naive_put(naive_unit *list, int count, naive_unit one) {
    int at = naive_find(list, count, one.unit);
    if (at < 0 && count == MOST) at = 0;
    if (at >= 0) memmove(list + at, list + at + 1, (size_t)(--count - at) * sizeof *list);
    list[count] = one;
    return count + 1;
}

/* Units come at random, arms are retired, the posse is saved and loaded: the table is that of the list. */
LAW(units_keep_their_arms) {
    for (int by_seconds = 0; by_seconds < 2; by_seconds++) {
        posse_def def = clicks_def(0.3, 0, 8);
        def.arms = 9;
        posse *p = posse_made(&def);
        naive_unit list[MOST];
        int count = 0, kept = 0;
        uint64_t source = 21, now = 1000;
        set_modes(p, (posse_modes){.control = -1,
                                   .units = MOST,
                                   .sticky_rounds = by_seconds ? 0 : 30,
                                   .sticky_seconds = by_seconds ? 30 : 0});
        for (int n = 0; n < 3000; n++) {
            char name[16];
            int unit = (int)(random_below(&source, UNITS) * random_below(&source, UNITS) / UNITS);
            uint64_t number = posse_decision_count(p);
            now += random_below(&source, 3);
            snprintf(name, sizeof name, "unit-%d", unit);
            int at = naive_find(list, count, unit);
            bool over = at >= 0 && (by_seconds ? now - list[at].since >= 30 : number - list[at].number >= 30);
            bool keeps = at >= 0 && !over && posse_arm_active(p, list[at].arm);
            posse_decision d = visited(p, visit_of(name, now));
            assert_int_equal(d.mode, keeps ? POSSE_KEPT : POSSE_MODE_NONE);
            if (keeps) assert_int_equal(d.arm, list[at].arm);
            kept += keeps;
            if (!keeps) count = naive_put(list, count, (naive_unit){unit, d.arm, number + 1, now});
            assert_int_equal(posse_unit_count(p), (size_t)count);
            assert_int_equal(posse_learn(p, d.id, (double)random_below(&source, 2)), POSSE_OK);
            if (n % 500 == 250) assert_int_equal(posse_arm_retire(p, n / 500), POSSE_OK);
            if (n % 400 == 100) {
                saved s = saved_from(p);
                posse_free(p);
                assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &p), POSSE_OK);
                saved again = saved_from(p);
                assert_true(saved_equal(&s, &again));
                saved_drop(&s);
                saved_drop(&again);
            }
        }
        assert_true(kept > 200);
        assert_true(posse_unit_forget(p, "unit-0", 6) == (naive_find(list, count, 0) >= 0));
        assert_false(posse_unit_forget(p, "unit-0", 6));
        posse_free(p);
    }
}

/* Otherwise, a unit would keep its arm for ever. */
LAW(a_unit_needs_a_time_if_arms_are_kept_for_seconds) {
    posse *p = clicks_made(0.0, 0, 8);
    posse_decision d;
    posse_visit late = visit_of("ann", 0);
    set_modes(p, (posse_modes){.control = -1, .units = 9, .sticky_seconds = 30});
    assert_refused(p, posse_decide_for(p, &late, &d), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_peek(p, &late, &d), POSSE_ERROR_ARGUMENT);
    visited(p, visit_of("ann", 1));
    assert_int_equal(visited(p, visit_of("ann", 30)).mode, POSSE_KEPT);
    visited(p, (posse_visit){0}); /* nobody keeps this arm */
    set_modes(p, (posse_modes){.control = -1, .units = 9, .sticky_rounds = 30});
    visited(p, late);
    posse_free(p);
}

/*
 * Without a time, a unit has its decision until that is settled. The same id may be asked for again and again, unless
 * the visit asks for a new one.
 */
LAW(units_keep_their_decisions_until_settled) {
    posse *p = clicks_made(0.2, 0, 3), *q = clicks_made(0.2, 0, 3);
    set_modes(p, (posse_modes){.control = -1, .units = 100});
    for (int n = 0; n < 50; n++) {
        char name[16];
        snprintf(name, sizeof name, "event %d", n % 10);
        posse_decision first = visited(p, visit_of(name, 0)), plain = decided(q), again;
        posse_visit v = visit_of(name, 0);
        assert_same_choice(&first, &plain);
        assert_refused(p, posse_decide_for(p, &v, &again), POSSE_OK);
        assert_same_choice(&first, &again);
        assert_true(again.id == first.id);
        v.anew = n % 2;
        assert_int_equal(posse_peek(p, &v, &again), POSSE_OK);
        assert_true(again.id == (v.anew ? 0 : first.id));
        if (v.anew) {
            posse_decision newer = visited(p, v), other = decided(q);
            assert_same_choice(&newer, &other);
            assert_int_equal(posse_learn(p, newer.id, 0.0), POSSE_OK);
            assert_int_equal(posse_learn(q, other.id, 0.0), POSSE_OK);
        }
        assert_int_equal(posse_learn(p, first.id, 1.0), POSSE_OK);
        assert_int_equal(posse_learn(q, plain.id, 1.0), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
}

/*
 * A unit whose arm is retired, or not available in this round, gets another decision. The one before stays pending, and
 * the unit keeps the newer one. Looking returns what deciding does, and what a log has of it is decided again.
 */
LAW(units_keep_only_arms_that_are_there) {
    static const posse_part learners[] = {{.kind = "linear-thompson"}, {.kind = "linear-ucb"}};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.context = 2;
    def.prior = (posse_part){.kind = "linear"};
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def), *again = posse_made(&def);
    uint64_t source = 5;
    uint64_t last[3] = {0};
    int arm_of[3], anew = 0, kept = 0;
    posse_modes m = {.control = -1, .units = 10};
    set_modes(p, m);
    set_modes(again, m);
    for (int n = 0; n < 300; n++) {
        static const char *const names[] = {"ann", "bob", "cleo"};
        double x[2] = {1.0, uniform(&source)}, logged = 0.0;
        int lone = (int)random_below(&source, 3), unit = (int)random_below(&source, 3);
        posse_context context = {.count = n % 3 == 1, .arms = n % 3 == 1 ? &lone : NULL, .shared = x};
        posse_visit v = visit_of(names[unit], 0);
        posse_decision seen;
        v.context = &context;
        v.defer = n % 5 == 0;
        assert_int_equal(posse_peek(p, &v, &seen), POSSE_OK);
        posse_decision d = visited(p, v);
        bool there = last[unit] > 0 && (n % 3 == 1 ? lone == arm_of[unit] : posse_arm_active(p, arm_of[unit]));
        assert_true((d.id == last[unit]) == there);
        assert_true(seen.id == (there ? d.id : 0) && seen.arm == d.arm);
        assert_true(n % 3 == 1 ? d.arm == lone : posse_arm_active(p, d.arm));
        anew += last[unit] > 0 && !there;
        kept += there;
        assert_true(posse_pending_count(p) == posse_decision_count(p));
        v.logged = &logged;
        if (!there) assert_true(visited(again, v).id == d.id);
        last[unit] = d.id;
        arm_of[unit] = d.arm;
        if (n == 200) {
            assert_int_equal(posse_arm_retire(p, ARMS - 1), POSSE_OK);
            assert_int_equal(posse_arm_retire(again, ARMS - 1), POSSE_OK);
        }
    }
    assert_that(anew > 20 && kept > 20, "%d were decided anew, and %d kept", anew, kept);
    saved one = saved_from(p), other = saved_from(again);
    assert_true(saved_equal(&one, &other));
    saved_drop(&one);
    saved_drop(&other);
    posse_free(p);
    posse_free(again);
}

/* A visitor is in the holdback for good, or never. */
LAW(units_stay_in_the_holdback) {
    posse *p = clicks_made(0.1, 0, 12);
    moments held = {0};
    set_modes(p, (posse_modes){.control = 1, .holdback = 0.3, .units = 500, .sticky_rounds = 100});
    for (int unit = 0; unit < 2000; unit++) {
        char name[16];
        snprintf(name, sizeof name, "%d", unit);
        posse_decision first = visited(p, visit_of(name, 0)), second = visited(p, visit_of(name, 0));
        moments_add(&held, first.mode == POSSE_HELD_BACK);
        assert_int_equal(second.arm, first.arm);
        assert_int_equal(second.mode, first.mode == POSSE_HELD_BACK ? POSSE_HELD_BACK : POSSE_KEPT);
    }
    assert_mean(&held, 0.3);
    posse_free(p);
}

/* --------------------------------------------- what is refused, and saved --------------------------------------- */

LAW(modes_that_do_not_fit_are_refused) {
    static const posse_modes wrong[] = {{.control = ARMS},
                                        {.control = -2},
                                        {.control = 0, .holdback = 1.0},
                                        {.control = 0, .holdback = NAN},
                                        {.control = -1, .holdback = 0.1},
                                        {.control = -1, .paused = true},
                                        {.control = 0, .paused = true, .shadow = true},
                                        {.control = 0, .holdback = 0.1, .shadow = true},
                                        {.control = -1, .sticky_rounds = 5},
                                        {.control = -1, .units = 4000000000}};
    notes messages = {0};
    posse_def def = clicks_def(0.0, 0, 1);
    def.host.log = notes_logger(&messages);
    posse *p = posse_made(&def);
    for (int i = 0; i < LENGTH(wrong); i++) {
        saved before = saved_from(p);
        assert_int_not_equal(posse_set_modes(p, &wrong[i]), POSSE_OK);
        assert_int_equal(messages.count, i + 1);
        saved after = saved_from(p);
        assert_true(saved_equal(&before, &after));
        saved_drop(&before);
        saved_drop(&after);
    }
    set_modes(p, (posse_modes){.control = 2, .holdback = 0.1});
    assert_refused(p, posse_arm_retire(p, 2), POSSE_ERROR_FIT);
    assert_noted(&messages, "is the control");
    posse_free(p);
    posse *ball = habitat_posse(&habitats[BALL_3], (posse_part){.kind = "bms"});
    posse_decision d;
    assert_int_equal(posse_set_modes(ball, &(posse_modes){.control = -1, .shadow = true}), POSSE_ERROR_FIT);
    assert_int_equal(posse_decide_for(ball, &(posse_visit){.defer = true}, &d), POSSE_ERROR_FIT);
    posse_free(ball);
}

static posse_modes modes_at(int n) {
    static const posse_modes all[] = {{.control = 1, .holdback = 0.3, .units = 6, .sticky_rounds = 9},
                                      {.control = 1, .paused = true},
                                      {.control = -1, .shadow = true, .units = 5},
                                      {.control = 0, .holdback = 0.1},
                                      {.control = -1, .units = 9, .sticky_seconds = 4}};
    return all[n % LENGTH(all)];
}

/* One step of a posse whose modes change, with decisions that are deferred, reported and settled at random. */
static void modes_step(posse *p, uint64_t *source, int n) {
    char name[16];
    snprintf(name, sizeof name, "%d", (int)random_below(source, 12));
    posse_visit v = random_below(source, 3) > 0 ? visit_of(name, (uint64_t)n) : (posse_visit){0};
    v.defer = random_below(source, 5) == 0;
    posse_decision d = visited(p, v);
    posse_pending waiting;
    assert_int_equal(posse_pending_find(p, d.id, &waiting), POSSE_OK);
    uint64_t fate = random_below(source, 6);
    if (waiting.arm == POSSE_ARM_UNTOLD && fate > 1)
        assert_int_equal(posse_acted(p, d.id, &(posse_action){.arm = (int)random_below(source, ARMS)}), POSSE_OK);
    if (fate > 2) assert_int_equal(posse_learn(p, d.id, (double)random_below(source, 2)), POSSE_OK);
}

/* Saved and loaded at any time, in every mode, a posse continues with the same bytes. */
LAW(saved_is_same_in_every_mode) {
    posse *p = clicks_made(0.1, 0, 31), *q = NULL;
    uint64_t sources[2] = {41, 41};
    for (int n = 0; n < 600; n++) {
        if (n % 60 == 0) {
            set_modes(p, modes_at(n / 60));
            if (q != NULL) set_modes(q, modes_at(n / 60));
        }
        if (n % 35 == 0) {
            saved s = saved_from(p);
            posse_free(q);
            assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &q), POSSE_OK);
            saved_drop(&s);
            sources[1] = sources[0];
        }
        modes_step(p, &sources[0], n);
        modes_step(q, &sources[1], n);
        saved a = saved_from(p), b = saved_from(q);
        assert_that(saved_equal(&a, &b), "they differ after step %d", n);
        saved_drop(&a);
        saved_drop(&b);
    }
    posse_free(p);
    posse_free(q);
}

/* Every changed byte gives a posse or an error, and never a posse that cannot continue. */
LAW(damaged_modes_are_refused) {
    posse *p = clicks_made(0.1, 0, 31);
    uint64_t source = 3;
    for (int n = 0; n < 120; n++) {
        if (n % 40 == 0) set_modes(p, modes_at(n / 40));
        modes_step(p, &source, n);
    }
    saved s = saved_from(p);
    int refused = 0;
    for (size_t i = SAVED_HEADER; i < s.length; i++) {
        uint8_t old = s.bytes[i];
        posse *q;
        s.bytes[i] ^= (uint8_t)(1 + random_below(&source, 255));
        saved_seal(&s);
        posse_error error = posse_load(s.bytes, s.length, NULL, &q);
        refused += error != POSSE_OK;
        posse_decision d;
        if (error == POSSE_OK) (void)posse_decide(q, NULL, &d);
        posse_free(error == POSSE_OK ? q : NULL);
        s.bytes[i] = old;
    }
    assert_true(refused > 100);
    saved_drop(&s);
    posse_free(p);
}

/* Every allocation may fail: the call then has no effect, and a second attempt succeeds. */
LAW(modes_survive_no_memory) {
    purse mine = {0};
    posse_def def = clicks_def(0.0, 10, 9);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    for (int n = 0; n < 300; n++) {
        char name[16];
        snprintf(name, sizeof name, "%d", n);
        posse_visit v = visit_of(name, (uint64_t)n + 1);
        v.defer = n % 7 == 0;
        posse_decision d, seen;
        posse_modes m = modes_at(n / 60);
        m.units = n / 60 == 1 ? 0 : 1000;
        for (int call = 0; call < 3; call++) {
            posse_error error = POSSE_ERROR_MEMORY;
            for (size_t k = 1; error != POSSE_OK; k++) {
                saved before = saved_from(p);
                mine.fail_at = mine.calls + k;
                error = call == 0   ? posse_set_modes(p, &m)
                        : call == 1 ? posse_peek(p, &v, &seen)
                                    : posse_decide_for(p, &v, &d);
                mine.fail_at = 0;
                saved after = saved_from(p);
                assert_true(error == POSSE_OK || error == POSSE_ERROR_MEMORY);
                bool same = saved_equal(&before, &after);
                if (error == POSSE_ERROR_MEMORY && !(v.defer && call == 2)) assert_true(same);
                saved_drop(&before);
                saved_drop(&after);
            }
        }
        if (n % 2) assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    }
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
}
