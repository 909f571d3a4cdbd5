/* SPDX-License-Identifier: MIT */
/*
 * The rules that balance regret, `balancing` and `dynamic-balancing`: what they do with coefficients, weights and
 * biases, and which learners they drop and take back.
 */
#include <math.h>

#include "menagerie.h"

/* A new learner plays next, and has the largest coefficient. */
LAW(newcomers_are_balanced_by_the_largest_coefficient) {
    static const double three[] = {1.0, 3.0, 0.5};
    static const char *const kinds[] = {"balancing", "dynamic-balancing"};
    const posse_option given[] = {LIST("coefficients", three), NUMBER("coefficients", 2.0)};
    for (int k = 0; k < 4; k++) {
        posse *p = fixed_team((posse_part){.kind = kinds[k / 2], .options = {given[k % 2]}}, 3);
        double potentials[5];
        for (int next = 3; next < 5; next++) {
            play_plainly(p, 50);
            assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
            assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
            assert_true(potentials[next] == 0.0);
            assert_int_equal(decided(p).learner, next);
            assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
            assert_true(potentials[next] == (k % 2 == 0 ? 3.0 : 2.0));
        }
        posse_free(p);
    }
}

/* Learner 4 is the best by far, and the others are dropped. When it retires, they are all active again. */
LAW(dropped_learners_come_back_when_nobody_is_left) {
    posse *p = fixed_team((posse_part){.kind = "balancing", .options = {NUMBER("coefficients", 0.2)}}, 5);
    double potentials[5];
    play_plainly(p, 3000);
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    for (int i = 0; i < 5; i++) assert_int_equal(potentials[i] == INFINITY, i < 4);
    assert_int_equal(posse_learner_retire(p, 2), POSSE_OK); /* the retirement of a dropped learner brings none back */
    for (int n = 0; n < 10; n++) assert_int_equal(decided(p).learner, 4);
    assert_int_equal(posse_learner_retire(p, 4), POSSE_OK);
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    for (int i = 0; i < 5; i++) assert_int_equal(potentials[i] == INFINITY, i == 2 || i == 4);
    assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
    assert_int_equal(decided(p).learner, 5);
    posse_free(p);
}

/* Of two learners with equal rewards, the one with four times the weight plays a sixteenth as often: v_i sqrt(n_i)
 * is balanced. */
LAW(weights_say_who_plays_less) {
    static const double uneven[] = {4.0, 1.0};
    posse_part selector = {.kind = "dynamic-balancing",
                           .options = {NUMBER("coefficients", 1), LIST("weights", uneven)}};
    posse *p = fixed_team(selector, 2);
    uint64_t plays[2];
    for (int n = 0; n < 1700; n++) assert_int_equal(posse_learn(p, decided(p).id, 0.5), POSSE_OK);
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_that(plays[0] == 100 && plays[1] == 1600, "%d and %d plays", (int)plays[0], (int)plays[1]);
    posse_free(p);
}

/* A bias is subtracted from the rewards of a learner. If it is large enough, the best learner is dropped. */
LAW(biases_are_held_against_a_learner) {
    static const double biases[][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 2.0}};
    for (int k = 0; k < 2; k++) {
        posse_part selector = {.kind = "dynamic-balancing",
                               .options = {NUMBER("coefficients", 0.2), LIST("bias", biases[k])}};
        posse *p = fixed_team(selector, 3);
        double potentials[3];
        play_plainly(p, 3000);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        assert_int_equal(isinf(potentials[0]), true); /* arm 0 pays the least, arm 2 the most */
        assert_int_equal(isinf(potentials[1]), k == 0);
        assert_int_equal(isinf(potentials[2]), k == 1);
        posse_free(p);
    }
}

/* Under dynamic-balancing, a dropped learner plays again when the better one earns no more. Under balancing it does
 * not. */
LAW(nobody_is_dropped_for_good) {
    for (int k = 0; k < 2; k++) {
        posse_part selector = {.kind = k == 0 ? "balancing" : "dynamic-balancing",
                               .options = {NUMBER("coefficients", 0.2)}};
        posse *p = fixed_team(selector, 2);
        bool passed_over = false;
        uint64_t before[2], after[2];
        for (int n = 0; n < 4000; n++) {
            posse_decision d = decided(p);
            if (n == 1000) assert_int_equal(posse_plays(p, before), POSSE_OK);
            double potentials[2];
            assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
            passed_over = passed_over || (n < 1000 && potentials[0] == INFINITY);
            assert_int_equal(posse_learn(p, d.id, d.arm == 0 ? 0.4 : n < 1000 ? 0.9 : 0.0), POSSE_OK);
        }
        assert_int_equal(posse_plays(p, after), POSSE_OK);
        assert_true(passed_over);
        assert_int_equal(after[0] > before[0], k == 1);
        posse_free(p);
    }
}
