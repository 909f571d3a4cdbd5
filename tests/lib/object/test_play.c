/* SPDX-License-Identifier: MIT */
/*
 * Tests of posse_play: a posse that plays in an environment makes the same decisions as with posse_decide and
 * posse_learn.
 */
#include <math.h>

#include "helpers.h"

/* Playing in stretches is the same as deciding and learning round by round. A restarted posse is the same as a new
 * one. */
LAW(playing_is_deciding_and_learning) {
    enum { ROUNDS = 300 };
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    posse_part bandit = {.kind = "gaussian", .options = {NUMBER("arms", 4)}};
    posse_environment *e = environment_made(&bandit, 5);
    posse_def def = posse_environment_def(e);
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    posse *played = posse_made(&def);
    for (def.run = 0; def.run < 3; def.run++) {
        int32_t who[ROUNDS], what[ROUNDS];
        double regrets[ROUNDS];
        posse_environment_begin(e, def.run);
        assert_int_equal(posse_restart(played, def.run), POSSE_OK);
        for (int at = 0; at < ROUNDS; at += 100) {
            posse_trace trace = {.learners = who + at, .arms = what + at, .regrets = regrets + at};
            assert_int_equal(posse_play(played, e, 100, &trace), POSSE_OK);
        }
        posse *stepped = posse_made(&def);
        posse_environment_begin(e, def.run);
        for (int t = 0; t < ROUNDS; t++) {
            posse_decision d;
            assert_int_equal(posse_decide(stepped, NULL, &d), POSSE_OK);
            assert_int_equal(posse_learn(stepped, d.id, posse_environment_reward(e, &d)), POSSE_OK);
            assert_int_equal(d.learner, who[t]);
            assert_int_equal(d.arm, what[t]);
            assert_true(posse_environment_regret(e, &d) == regrets[t]);
        }
        posse_free(stepped);
    }
    assert_int_equal(posse_play(played, e, 10, NULL), POSSE_OK);
    assert_int_equal(posse_play(NULL, e, 1, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_restart(NULL, 0), POSSE_ERROR_ARGUMENT);
    posse_free(played);
    posse_environment_free(e);
}

/* A posse with a beta belief cannot play an environment with normal rewards: the first reward outside [0, 1] stops
 * it. */
LAW(playing_stops_at_a_reward_that_does_not_fit) {
    static const posse_part learners[] = {{.kind = "thompson"}}, rates = {.kind = "beta"};
    posse_part bandit = {.kind = "gaussian", .options = {NUMBER("arms", 2)}};
    posse_environment *e = environment_made(&bandit, 1);
    posse_def def = alone_def(e, &learners[0]);
    def.prior = rates;
    posse *p = posse_made(&def);
    posse_trace nothing = {0};
    assert_int_equal(posse_play(p, e, 1000, &nothing), POSSE_ERROR_REWARD);
    posse_free(p);
    posse_environment_free(e);
}

/* A posse with other arms is refused, and the reward of a decision with other arms is NaN. */
LAW(posse_and_environment_must_have_the_same_arms) {
    posse_part narrow = {.kind = "gaussian", .options = {NUMBER("arms", 2)}};
    posse_part broad = {.kind = "gaussian", .options = {NUMBER("arms", 5)}};
    posse_part points = {.kind = "linear",
                         .options = {NUMBER("dim", 2), WORD("arms.set", "ball"), NUMBER("arms.count", 5)}};
    posse_part learner = {.kind = "fixed", .options = {NUMBER("arm", 4)}};
    posse_environment *two = environment_made(&narrow, 1), *five = environment_made(&broad, 1);
    posse_environment *plane = environment_made(&points, 1);
    posse *p = alone_made(five, &learner);
    assert_int_equal(posse_play(p, five, 1, NULL), POSSE_OK);
    assert_int_equal(posse_play(p, two, 1, NULL), POSSE_ERROR_FIT);
    assert_int_equal(posse_play(p, plane, 1, NULL), POSSE_ERROR_FIT);
    posse_decision d;
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
    assert_true(isnan(posse_environment_reward(two, &d)) && isnan(posse_environment_regret(two, &d)));
    assert_true(isnan(posse_environment_reward(plane, &d)) && isnan(posse_environment_regret(plane, &d)));
    posse_free(p);
    posse_environment_free(two);
    posse_environment_free(five);
    posse_environment_free(plane);
}
