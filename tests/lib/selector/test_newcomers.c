/* SPDX-License-Identifier: MIT */
/*
 * What each rival selector does with learners that are added when others have played, that retire, or whose rewards
 * never come. The balancing rules are in test_balancing.c.
 */
#include <math.h>

#include "menagerie.h"

/* d3rb and ed2rb: a new learner starts as all did, and nothing changes for the others. It then plays until it has
 * caught up. */
LAW(newcomers_begin_at_the_least_potential) {
    static const char *const kinds[] = {"d3rb", "ed2rb"};
    for (int k = 0; k < 2; k++) {
        posse_part selector = {.kind = kinds[k], .options = {NUMBER("dmin", 0.3), NUMBER("confidence", 0.1)}};
        double before[4], after[4];
        posse *p = fixed_team(selector, 3);
        play_plainly(p, 300);
        assert_int_equal(posse_potentials(p, before), POSSE_OK);
        assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        assert_int_equal(posse_potentials(p, after), POSSE_OK);
        assert_memory_equal(before, after, 3 * sizeof *before);
        assert_true(after[3] == 0.3 && fmin(fmin(after[0], after[1]), after[2]) > 0.6);
        for (int n = 0; n < 4; n++) assert_int_equal(decided(p).learner, 3); /* 0.3 sqrt(4) = 0.6 */
        posse_free(p);
    }
}

/* The probabilities of a choice whose play teaches nothing. */
static void chances_now(posse *p, double *chances) {
    posse_decision d = decided(p);
    assert_int_equal(posse_probabilities(p, chances), POSSE_OK);
    assert_int_equal(posse_forget(p, d.id), POSSE_OK);
}

/* corral: a new learner gets probability 1 / M, and the others keep theirs in proportion, as they do when one
 * retires. q = (1 - gamma) p + gamma / M, and the proportions of p are kept. */
LAW(corral_shares_in_proportion) {
    double gamma = 1e-3, q[4][5], p_[4][5]; /* gamma: the habitats have 1000 rounds */
    posse *p = fixed_team((posse_part){.kind = "corral", .options = {NUMBER("rate", 0.2)}}, 3);
    play_plainly(p, 300);
    const double crowd[] = {3.0, 4.0, 3.0};
    for (int k = 0; k < 3; k++) {
        if (k == 1) assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        if (k == 2) assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
        chances_now(p, q[k]);
        for (int i = 0; i < 3 + (k > 0); i++) p_[k][i] = (q[k][i] - gamma / crowd[k]) / (1.0 - gamma);
    }
    assert_true(fabs(p_[0][2] - p_[0][0]) > 0.1); /* otherwise this tests nothing */
    assert_close(q[1][3], 0.25, 1e-12);
    for (int i = 0; i < 3; i++) assert_close(p_[1][i], 0.75 * p_[0][i], 1e-12);
    assert_true(q[2][1] == 0.0);
    for (int i = 0; i < 4; i++)
        if (i != 1) assert_close(p_[2][i], p_[1][i] / (1.0 - p_[1][1]), 1e-12);
    posse_free(p);
}

/* exp3p: a new learner gets probability 1 / M, whatever the others have. */
LAW(newcomers_get_their_share_of_the_weights) {
    posse *p = fixed_team((posse_part){.kind = "exp3p"}, 3);
    double chances[8];
    for (int next = 3; next < 8; next++) {
        play_plainly(p, 300);
        chances_now(p, chances);
        assert_true(fabs(chances[next - 1] - chances[0]) > 0.01); /* otherwise this tests nothing */
        assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        chances_now(p, chances);
        assert_close(chances[next], 1.0 / (next + 1), 1e-12);
    }
    posse_free(p);
}

/* Before the first play, selectors that draw choose uniformly, however many learners were added or retired.
 * `uniform` always does. */
LAW(nobody_is_favoured_before_the_first_play) {
    static const char *const kinds[] = {"corral", "exp3p", "uniform", "stochastic-corral"};
    for (int k = 0; k < LENGTH(kinds); k++) {
        posse *p = fixed_team((posse_part){.kind = kinds[k]}, 3);
        assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        assert_int_equal(posse_learner_retire(p, 0), POSSE_OK);
        double chances[5];
        for (int n = 0; n < (k == 2 ? 100 : 1); n++) {
            chances_now(p, chances);
            for (int i = 0; i < 5; i++) assert_close(chances[i], i == 0 ? 0.0 : 0.25, 1e-15);
        }
        posse_free(p);
    }
}

/* A learner without rewards is not tried again at once while others have rewards, but a new learner is. */
LAW(silent_learners_wait) {
    static const posse_part selectors[] = {{.kind = "ucb", .options = {NUMBER("width", 0.01)}}, {.kind = "greedy"}};
    for (int k = 0; k < 2; k++) {
        posse *p = fixed_team(selectors[k], 3);
        assert_int_equal(decided(p).learner, 0); /* its reward never comes */
        play_plainly(p, 2);
        for (int n = 0; n < 3; n++) { /* due when twice the rewards and one per learner have come: at 2 x 0 + 3 */
            posse_decision d = decided(p);
            assert_int_equal(d.learner, n == 1 ? 0 : 2);
            if (n == 0) assert_int_equal(posse_learn(p, d.id, 0.9), POSSE_OK);
        }
        assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
        assert_int_equal(decided(p).learner, 3);
        posse_free(p);
    }
}
