/* SPDX-License-Identifier: MIT */
/*
 * The pairs of rounds of `stochastic-corral`: in the first round of a pair the learner plays. In the second, the
 * selector itself plays an arm of the learner's past, as a probe.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/tally.h"

static posse *smoothed_team(bool share, int batch) {
    static const posse_part crew[] = {{.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}},
                                      {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 1.0)}},
                                      {.kind = "epsilon-greedy"}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector_part("stochastic-corral", share, batch);
    def.learners = crew;
    def.learner_count = 3;
    return posse_made(&def);
}

/* A pair, a batch of first rounds and one of second rounds, has one learner and one probability. Only second rounds
 * are probes. */
LAW(pairs_are_of_one_learner) {
    for (int batch = 1; batch <= 3; batch++) {
        posse *p = smoothed_team(false, batch);
        for (int pair = 0; pair < 200; pair++) {
            posse_decision first = {0};
            for (int k = 0; k < 2 * batch; k++) {
                posse_decision d = decided(p);
                if (k == 0) first = d;
                assert_true(d.learner == first.learner && d.probability == first.probability);
                assert_int_equal(d.probe, k >= batch);
                assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
            }
        }
        posse_free(p);
    }
}

/*
 * Given the past, a second round plays arm a with probability f_a, the share of the learner's first rounds that played
 * it. The sum of 1[arm = a] - f_a has the variance of the sum of f_a (1 - f_a), and 4.5 standard deviations happen once
 * in 150000 times: an arm drawn in 2% of the rounds too many would show.
 */
LAW(second_rounds_play_the_past_again) {
    posse *p = smoothed_team(false, 1);
    double counts[3][5] = {{0}}, firsts[3] = {0}, excess[5] = {0}, variance[5] = {0};
    for (int n = 0; n < 20000; n++) {
        posse_decision d = decided(p);
        for (int a = 0; a < 5 && d.probe; a++) {
            double part_ = counts[d.learner][a] / firsts[d.learner];
            assert_true(part_ > 0.0 || d.arm != a);
            excess[a] += (d.arm == a) - part_;
            variance[a] += part_ * (1.0 - part_);
        }
        if (!d.probe) counts[d.learner][d.arm] += 1.0;
        if (!d.probe) firsts[d.learner] += 1.0;
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
    }
    for (int a = 0; a < 5; a++) {
        assert_true(variance[a] > 100.0); /* otherwise this tests nothing */
        assert_that(fabs(excess[a]) < 4.5 * sqrt(variance[a]), "arm %d is drawn %g standard deviations too often", a,
                    excess[a] / sqrt(variance[a]));
    }
    posse_free(p);
}

/* The reward of a probe changes the selector and no learner, with shared data or without, at once or late. */
LAW(nobody_learns_from_a_probe) {
    for (int share = 0; share < 2; share++) {
        posse *p = smoothed_team(share, 1), *other = smoothed_team(share, 1);
        double sums[3][5] = {{0}}, chances[3], elsewhere[3];
        posse_decision late = {0};
        for (int n = 0; n < 500; n++) {
            posse_decision d = decided(p);
            double reward = parade_reward(false, &d);
            for (int i = 0; i < 3 && !d.probe; i++)
                if (share || i == d.learner) sums[i][d.arm] += reward;
            if (n == 101)
                late = d;
            else
                assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        }
        assert_true(late.probe);
        assert_int_equal(posse_learn(p, late.id, 1e50), POSSE_OK);
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 5; a++) assert_true(((const tally *)p->members[i].state)[a].sum == sums[i][a]);
        for (int n = 0; n < 3; n++) { /* a pair, and the draw after it */
            posse_decision d = decided(other);
            if (d.probe) assert_int_equal(posse_learn(other, d.id, 0.0), POSSE_OK);
            assert_int_equal(posse_probabilities(other, n == 0 ? chances : elsewhere), POSSE_OK);
        }
        assert_true(memcmp(chances, elsewhere, sizeof chances) != 0);
        posse_free(p);
        posse_free(other);
    }
}

/* The rewards of first rounds do not change the distribution. */
LAW(first_rounds_move_no_distribution) {
    posse *a = smoothed_team(false, 1), *b = smoothed_team(false, 1);
    for (int n = 0; n < 400; n++) {
        posse_decision d = decided(a), e = decided(b);
        assert_true(d.learner == e.learner && d.probability == e.probability && d.probe == e.probe);
        assert_int_equal(posse_learn(a, d.id, d.probe ? 0.1 * d.learner : 0.0), POSSE_OK);
        if (e.probe)
            assert_int_equal(posse_learn(b, e.id, 0.1 * e.learner), POSSE_OK);
        else
            assert_int_equal(posse_forget(b, e.id), POSSE_OK);
    }
    posse_free(a);
    posse_free(b);
}

/* A pair is finished although a learner is added, also if places must grow, or another learner retires. */
LAW(pairs_outlast_who_comes_and_goes) {
    for (int event = 0; event < 3; event++)
        for (int batch = 1; batch <= 3; batch += 2) {
            posse *p = fixed_team(selector_part("stochastic-corral", false, batch), event == 2 ? 8 : 4);
            for (int n = 0; n < 40 * batch; n++) decided(p);
            posse_decision first = decided(p);
            assert_false(first.probe);
            int gone = first.learner == 0 ? 1 : 0;
            if (event == 0) assert_int_equal(posse_learner_retire(p, gone), POSSE_OK);
            if (event > 0) assert_int_equal(posse_learner_add(p, &fixed_newcomer, NULL), POSSE_OK);
            for (int k = 1; event == 0 && k < batch; k++) assert_false(decided(p).probe);
            for (int k = 0; k < batch; k++) { /* a newcomer cuts the first batch short, not the second */
                posse_decision second = decided(p);
                assert_true(second.probe && second.learner == first.learner);
                assert_true(second.probability == first.probability);
            }
            assert_false(decided(p).probe);
            posse_free(p);
        }
}

/* If the learner of a pair retires, the pair ends, and the next round is the first of another pair. */
LAW(pairs_end_with_their_learner) {
    for (int when = 1; when < 6; when++) { /* after one to three first rounds, and one or two second ones */
        posse *p = fixed_team(selector_part("stochastic-corral", false, 3), 4);
        posse_decision d = decided(p);
        for (int n = 1; n < when; n++) assert_int_equal(decided(p).learner, d.learner);
        assert_int_equal(posse_learner_retire(p, d.learner), POSSE_OK);
        posse_decision next = decided(p);
        assert_true(!next.probe && next.learner != d.learner);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
        posse_free(p);
    }
}

LAW(second_rounds_need_arms_to_count) {
    posse_def def = habitat_def(&habitats[BALL_3]);
    static const posse_part learner = {.kind = "thompson"};
    def.selector = (posse_part){.kind = "stochastic-corral"};
    def.learners = &learner;
    def.learner_count = 1;
    notes log = {0};
    def.host.log = notes_logger(&log);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&log, "selector: stochastic-corral needs a finite set of arms");
}
