/* SPDX-License-Identifier: MIT */
/*
 * Tests of decisions: their ids, their points, and their rewards, which may come late, in any order, wrongly, or never.
 */
#include <float.h>
#include <math.h>

#include "menagerie.h"

/* ------------------------------------------- decisions and rewards --------------------------------------------- */

LAW(ids_count_from_one) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (uint64_t id = 1; id <= 100; id++) {
        posse_decision d = decided(p);
        assert_int_equal(d.id, id);
        assert_int_equal(posse_pending_count(p), id);
        assert_true(d.probability > 0.0 && d.probability <= 1.0);
        assert_null(d.point);
    }
    posse_free(p);
}

/*
 * Forty decisions, then their rewards in any order. The final state depends on that order alone: a posse that is saved
 * and loaded between any two rewards, so that its table of pending decisions differs, ends in the same state.
 */
static void late_is_as_good(const habitat *h, posse_part selector) {
    enum { ROUNDS = 40 };
    uint64_t source = 3;
    posse_decision made[ROUNDS];
    posse *late = habitat_posse(h, selector), *other = habitat_posse(h, selector);
    for (int n = 0; n < ROUNDS; n++) {
        made[n] = decided(late);
        posse_decision same = decided(other);
        assert_true(same.learner == made[n].learner && same.arm == made[n].arm);
    }
    for (int left = ROUNDS; left > 0; left--) {
        int k = (int)random_below(&source, (uint64_t)left);
        posse_decision d = made[k];
        made[k] = made[left - 1];
        assert_int_equal(posse_learn(late, d.id, parade_reward(h->unit, &d)), POSSE_OK);
        saved s = saved_from(other);
        posse_free(other);
        other = saved_loaded(&s);
        saved_drop(&s);
        assert_int_equal(posse_learn(other, d.id, parade_reward(h->unit, &d)), POSSE_OK);
    }
    saved a = saved_from(late), b = saved_from(other);
    assert_true(saved_equal(&a, &b));
    saved_drop(&a);
    saved_drop(&b);
    posse_free(late);
    posse_free(other);
}

LAW(rewards_may_come_late_and_in_any_order) {
    for_every_team(late_is_as_good);
}

/* Rewards are learned in the order in which they come. Two posses with the same sequence of (decision, reward)
 * agree, however many decisions were pending at once. */
LAW(pending_decisions_do_not_disturb_each_other) {
    posse_part fixed[] = {{.kind = "fixed", .options = {NUMBER("arm", 3)}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = fixed;
    def.learner_count = 1;
    posse *crowded = posse_made(&def), *prompt = posse_made(&def);
    uint64_t ids[500];
    for (int n = 0; n < 500; n++) ids[n] = decided(crowded).id;
    for (int n = 499; n >= 0; n--) {
        assert_int_equal(posse_learn(crowded, ids[n], 0.01 * n), POSSE_OK);
        assert_int_equal(posse_learn(prompt, decided(prompt).id, 0.01 * n), POSSE_OK);
    }
    double a[5], b[5];
    assert_int_equal(posse_means(crowded, NULL, a), POSSE_OK);
    assert_int_equal(posse_means(prompt, NULL, b), POSSE_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(posse_pending_count(crowded), 0);
    posse_free(crowded);
    posse_free(prompt);
}

/*
 * A posse that needs nothing else decides by a short way (posse.plain). The long way, of posses with a report, with an
 * expiry that never comes, or with modes that are set while they play, leads to the same decisions.
 */
static void extras_change_nothing(const habitat *h, posse_part selector) {
    enum { ROUNDS = 60, MODES_AT = 30 };
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew), longer = def;
    longer.report = true;
    longer.expire_after = UINT64_C(1) << 40;
    posse *p = posse_made(&def), *q = posse_made(&longer), *r = posse_made(&def);
    for (int n = 0; n < ROUNDS; n++) {
        posse_modes off = posse_modes_of(r);
        if (n == MODES_AT && posse_arm_count(r) > 0) assert_int_equal(posse_set_modes(r, &off), POSSE_OK);
        posse *const all[] = {p, q, r};
        posse_decision d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = decided(all[i]);
            assert_true(d[i].id == d[0].id && d[i].learner == d[0].learner && d[i].arm == d[0].arm);
            assert_true(d[i].probability == d[0].probability && d[i].probe == d[0].probe);
            if (n % 4 != 3) assert_int_equal(posse_learn(all[i], d[i].id, parade_reward(h->unit, &d[i])), POSSE_OK);
        }
    }
    posse_free(p);
    posse_free(q);
    posse_free(r);
}

LAW(what_a_posse_does_not_need_changes_no_decision) {
    for_every_team(extras_change_nothing);
}

/* An external learner among the others determines its arms outside, from when it joins until it retires. */
LAW(external_learners_may_come_and_go) {
    static const posse_part external = {.kind = "external", .name = "outside"};
    posse *p = two_ucbs(selector_part("uniform", false, 1));
    for (int life = 0; life < 3; life++) {
        int place = -1, untold = 0;
        for (int n = 0; n < 20; n++) assert_int_equal(posse_learn(p, decided(p).id, 0.5), POSSE_OK);
        posse_part newcomer = external;
        newcomer.name = (const char *const[]){"first", "second", "third"}[life];
        assert_int_equal(posse_learner_add(p, &newcomer, &place), POSSE_OK);
        for (int n = 0; n < 40; n++) {
            posse_decision d;
            assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
            assert_int_equal(d.arm == POSSE_ARM_UNTOLD, d.learner == place);
            untold += d.arm == POSSE_ARM_UNTOLD;
            assert_int_equal(posse_forget(p, d.id), POSSE_OK);
        }
        assert_in_range(untold, 1, 39);
        assert_int_equal(posse_learner_retire(p, place), POSSE_OK);
    }
    posse_free(p);
}

/* Ids are found again whatever was added and removed in between. */
LAW(pending_decisions_are_found) {
    enum { OPEN = 3000 };
    posse *p = two_ucbs(selector_part("bms", false, 1));
    static uint64_t open[OPEN];
    int count = 0;
    uint64_t source = 77;
    for (int n = 0; n < 30000; n++) {
        if (count < OPEN && random_below(&source, 100) < 52) {
            open[count++] = decided(p).id;
        } else if (count > 0) {
            int at = (int)random_below(&source, (uint64_t)count);
            assert_int_equal(posse_learn(p, open[at], 1.0), POSSE_OK);
            assert_int_equal(posse_learn(p, open[at], 1.0), POSSE_ERROR_SETTLED);
            open[at] = open[--count];
        }
        assert_int_equal(posse_pending_count(p), count);
    }
    while (count > 0) assert_int_equal(posse_forget(p, open[--count]), POSSE_OK);
    posse_free(p);
}

static void wrong_rewards(const habitat *h, posse_part selector) {
    posse *p = habitat_posse(h, selector);
    posse_decision first = decided(p), second = decided(p);
    assert_refused(p, posse_learn(p, 0, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_learn(p, 3, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_learn(p, UINT64_MAX, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_forget(p, 0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_forget(p, 3), POSSE_ERROR_UNKNOWN);
    static const double rewards[] = {NAN, INFINITY, -INFINITY, 1e101, -1e101, DBL_MAX};
    for (int i = 0; i < LENGTH(rewards); i++)
        assert_refused(p, posse_learn(p, first.id, rewards[i]), POSSE_ERROR_REWARD);
    assert_int_equal(posse_learn(p, first.id, 1.0), POSSE_OK);
    assert_refused(p, posse_learn(p, first.id, 1.0), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_learn(p, first.id, NAN), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_forget(p, first.id), POSSE_ERROR_SETTLED);
    assert_int_equal(posse_forget(p, second.id), POSSE_OK);
    assert_refused(p, posse_learn(p, second.id, 0.0), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_forget(p, second.id), POSSE_ERROR_SETTLED);
    assert_int_equal(posse_pending_count(p), 0);
    posse_free(p);
}

LAW(wrong_rewards_change_nothing) {
    for_every_team(wrong_rewards);
}

/* A beta belief of the selector or of a learner restricts rewards to [0, 1]. */
LAW(beta_beliefs_want_rewards_between_0_and_1) {
    static const posse_part beta = {.kind = "beta"};
    posse_part greedy = {.kind = "epsilon-greedy"}, thompson = {.kind = "thompson"};
    posse_def def = habitat_def(&habitats[COINS_4]);
    def.learner_count = 1;
    for (int who = 0; who < 2; who++) {
        def.learners = who == 0 ? &greedy : &thompson;
        if (who == 1) {
            def.prior = (posse_part){.kind = "gaussian"};
            thompson.options[0] = (posse_option){.key = "belief", .part = &beta};
        }
        posse *p = posse_made(&def);
        posse_decision d = decided(p);
        assert_refused(p, posse_learn(p, d.id, -0x1p-60), POSSE_ERROR_REWARD);
        assert_refused(p, posse_learn(p, d.id, 1.0 + 0x1p-52), POSSE_ERROR_REWARD);
        assert_refused(p, posse_learn(p, d.id, 7.0), POSSE_ERROR_REWARD);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
        assert_int_equal(posse_learn(p, decided(p).id, 0.0), POSSE_OK);
        assert_int_equal(posse_learn(p, decided(p).id, 1.0), POSSE_OK);
        posse_free(p);
    }
}

/* When the learner that needs rewards in [0, 1] has retired, any reward is accepted. */
LAW(unit_rewards_end_with_who_needs_them) {
    static const posse_part beta = {.kind = "beta"};
    const posse_part learners[] = {{.kind = "ucb"},
                                   {.kind = "thompson", .options = {{.key = "belief", .part = &beta}}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    posse_decision d = decided(p);
    assert_refused(p, posse_learn(p, d.id, 2.0), POSSE_ERROR_REWARD);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 2.0), POSSE_OK);
    posse_free(p);
}

/* A gamma belief rejects rewards below 0, and the log names the learner that has it. */
LAW(rewards_outside_of_a_range_are_refused) {
    static const posse_part gamma = {.kind = "gamma"};
    const posse_part learners[] = {{.kind = "ucb"},
                                   {.kind = "thompson", .options = {{.key = "belief", .part = &gamma}}}};
    notes log = {0};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = learners;
    def.learner_count = 2;
    def.host.log = notes_logger(&log);
    posse *p = posse_made(&def);
    assert_false(posse_unit_rewards(p));
    assert_true(posse_reward_range(p).low == 0.0 && posse_reward_range(p).high == 1e100);
    posse_decision d = decided(p);
    static const double wrong[] = {-1.0, -1e-300, NAN, INFINITY, 1.1e100};
    for (int i = 0; i < LENGTH(wrong); i++) assert_refused(p, posse_learn(p, d.id, wrong[i]), POSSE_ERROR_REWARD);
    assert_noted(&log, "learners[1]: a reward of -1, but it learns only from those of at least 0");
    assert_refused(p, posse_teach(p, &(posse_action){.arm = 0}, -2.0), POSSE_ERROR_REWARD);
    assert_noted(&log, "learners[1]: a reward of -2");
    assert_noted(&log, "a reward of inf, but it learns only from those between 0 and 1e+100");
    assert_int_equal(posse_learn(p, d.id, 2.5), POSSE_OK);
    d = decided(p);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, -2.5), POSSE_OK);
    posse_free(p);
}

/* A forgotten decision teaches nothing, but its play is counted. */
LAW(forgotten_decisions_stay_on_record) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (int n = 0; n < 10; n++) assert_int_equal(posse_forget(p, decided(p).id), POSSE_OK);
    uint64_t plays[2];
    double means[5];
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_int_equal(plays[0] + plays[1], 10);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_true(means[a] == 0.0);
    posse_free(p);
}

/* -------------------------------------------------- the ball --------------------------------------------------- */

LAW(decisions_on_the_ball_are_points_of_it) {
    posse *p = habitat_posse(&habitats[BALL_3], selector_part("bms", true, 1));
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_int_equal(d.arm, -1);
        assert_non_null(d.point);
        double norm = 0.0;
        for (int j = 0; j < 3; j++) norm += d.point[j] * d.point[j];
        assert_close(norm, 1.0, 1e-14); /* the best point of a linear model is on the surface */
        assert_int_equal(posse_learn(p, d.id, d.point[0] - 0.5 * d.point[1]), POSSE_OK);
    }
    double theta[3];
    assert_int_equal(posse_means(p, NULL, theta), POSSE_OK);
    assert_close(theta[0], 1.0, 0.1); /* rewards were without noise; the prior N(0, 1) pulls by some 1 / 100 */
    assert_close(theta[1], -0.5, 0.1);
    assert_close(theta[2], 0.0, 0.1);
    posse_free(p);
}

LAW(decisions_name_their_points) {
    const habitat *h = &habitats[POINTS_7];
    posse *p = habitat_posse(h, selector_part("bms", false, 1));
    for (int n = 0; n < 50; n++) {
        posse_decision d = decided(p);
        assert_memory_equal(d.point, h->points + 3 * d.arm, 3 * sizeof(double));
        assert_int_equal(posse_learn(p, d.id, 0.0), POSSE_OK);
    }
    posse_free(p);
}

/* ------------------------------------------------- before the calls -------------------------------------------- */

/* A check returns what the call would, and changes nothing. */
LAW(checks_return_what_the_calls_return) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    const posse_action right = {.arm = 1}, wrong = {.arm = 99};
    const posse_context context = {.count = 1};
    posse_decision d = decided(p);
    assert_refused(p, posse_check_decide(p, NULL), POSSE_OK);
    assert_refused(p, posse_check_decide(p, &context), posse_decide(p, &context, &d));
    assert_refused(p, posse_check_teach(p, &right, 0.5), POSSE_OK);
    assert_refused(p, posse_check_teach(p, &right, NAN), posse_teach(p, &right, NAN));
    assert_refused(p, posse_check_teach(p, &wrong, 0.5), posse_teach(p, &wrong, 0.5));
    assert_refused(p, posse_check_learn(p, 99, 0.5), posse_learn(p, 99, 0.5));
    assert_refused(p, posse_check_learn(p, d.id, INFINITY), posse_learn(p, d.id, INFINITY));
    assert_refused(p, posse_check_learn(p, d.id, 0.5), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    assert_refused(p, posse_check_learn(p, d.id, 0.5), posse_learn(p, d.id, 0.5));
    assert_int_equal(posse_check_decide(NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_check_learn(NULL, 1, 0.5), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_check_teach(NULL, &right, 0.5), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_check_teach(p, NULL, 0.5), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

LAW(a_check_knows_of_plays_that_were_not_reported) {
    posse_part crew[] = {{.kind = "external", .name = "rule"}};
    posse_def def = posse_default_def();
    def.arms = 3;
    def.selector.kind = NULL;
    def.learners = crew;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    posse_decision d;
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
    assert_refused(p, posse_check_learn(p, d.id, 0.5), POSSE_ERROR_UNTOLD);
    posse_free(p);
}
