/* SPDX-License-Identifier: MIT */
/*
 * Thompson sampling over learners, without arms. test_rivals.c compares each choice with its formula; here are closed
 * forms, and what the rule is for.
 */
#include <math.h>

#include "menagerie.h"

static const posse_part rules[] = {{.kind = "external", .name = "first"},
                                   {.kind = "external", .name = "second"},
                                   {.kind = "external", .name = "third"}};

static posse *rules_made(posse_part selector, int count, uint32_t run) {
    posse_def def = posse_default_def();
    def.selector = selector;
    def.learners = rules;
    def.learner_count = count;
    def.run = run;
    return posse_made(&def);
}

static posse_part sampler(const char *model) {
    return (posse_part){.kind = "thompson", .options = {WORD("model", model)}};
}

/* Gives a learner rewards: decisions of other learners are forgotten. */
static void reward_learner(posse *p, int learner, const double *rewards, int count) {
    for (int n = 0; n < count;) {
        posse_decision d = decided(p);
        if (d.learner == learner)
            assert_int_equal(posse_learn(p, d.id, rewards[n++]), POSSE_OK);
        else
            assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    }
}

/* How often each of two learners is chosen, if nothing more is learned. */
static double share_of_first(posse *p, int draws) {
    int first = 0;
    for (int n = 0; n < draws; n++) {
        posse_decision d = decided(p);
        first += d.learner == 0;
        assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    }
    return (double)first / draws;
}

static double log_beta(double a, double b) {
    return lgamma(a) + lgamma(b) - lgamma(a + b);
}

/*
 * P(X > Y) of independent X ~ Beta(a, b) and Y ~ Beta(c, d), whole numbers: the sum over i < a of
 * B(c + i, b + d) / ((b + i) B(1 + i, b) B(c, d)).
 */
static double chance_above(int a, int b, int c, int d) {
    double sum = 0.0;
    for (int i = 0; i < a; i++) sum += exp(log_beta(c + i, b + d) - log(b + i) - log_beta(1 + i, b) - log_beta(c, d));
    return sum;
}

#define DRAWS 40000
#define DEVIATIONS 4.5 /* of a share of DRAWS */

static void assert_share(double share, double expected) {
    double sd = sqrt(expected * (1.0 - expected) / DRAWS);
    assert_that(fabs(share - expected) < DEVIATIONS * sd, "the first learner is chosen in %g, not in %g", share,
                expected);
}

LAW(clicks_are_chosen_by_their_posteriors) {
    static const double three_of_five[] = {1, 0, 1, 1, 0}, one_of_seven[] = {0, 0, 0, 1, 0, 0, 0};
    posse *p = rules_made(sampler("beta"), 2, 0);
    assert_share(share_of_first(p, DRAWS), 0.5);
    reward_learner(p, 1, one_of_seven, 7);
    assert_share(share_of_first(p, DRAWS), chance_above(1, 1, 2, 7));
    reward_learner(p, 0, three_of_five, 5);
    assert_share(share_of_first(p, DRAWS), chance_above(4, 3, 2, 7));
    posse_free(p);
}

/*
 * X ~ Gamma(a, rate r) and Y ~ Gamma(b, rate s): r X / (r X + s Y) ~ Beta(a, b), and X > Y where it is above r / (r +
 * s). For whole a and b the chance is a sum of binomials.
 */
LAW(counts_are_chosen_by_their_posteriors) {
    static const double low[] = {0, 2, 1}, high[] = {3, 2};
    posse *p = rules_made(sampler("gamma"), 2, 0);
    reward_learner(p, 0, low, 3);
    reward_learner(p, 1, high, 2);
    double mean = 8.0 / 5.0, r = 1.0 / mean + 3.0, s = 1.0 / mean + 2.0, x = r / (r + s), chance = 0.0;
    int a = 1 + 3, b = 1 + 5;
    for (int k = 0; k < a; k++) /* P(Beta(a, b) > x) = P(Binomial(a + b - 1, x) < a) */
        chance += exp(lgamma(a + b) - lgamma(k + 1) - lgamma(a + b - k)) * pow(x, k) * pow(1.0 - x, a + b - 1 - k);
    assert_share(share_of_first(p, DRAWS), chance);
    posse_free(p);
}

/* Powers of two change no rounding. */
LAW(the_unit_of_rewards_does_not_matter) {
    posse *plain = rules_made((posse_part){.kind = "thompson"}, 3, 4);
    posse *large = rules_made((posse_part){.kind = "thompson"}, 3, 4);
    uint64_t source = 3;
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(plain), e = decided(large);
        double reward = 0.1 * d.learner + random_uniform(&source);
        assert_int_equal(d.learner, e.learner);
        assert_int_equal(posse_learn(plain, d.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(large, e.id, 0x1p40 * reward), POSSE_OK);
    }
    posse_free(plain);
    posse_free(large);
}

/* While all rewards are equal, every learner is as likely as the others. Sums of 0.5 are exact. */
LAW(equal_rewards_are_ties) {
    posse *p = rules_made((posse_part){.kind = "thompson"}, 3, 0);
    int count[3] = {0};
    for (int n = 0; n < 3000; n++) {
        posse_decision d = decided(p);
        assert_true(d.probability == 1.0 / 3.0);
        count[d.learner]++;
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    }
    for (int i = 0; i < 3; i++) assert_close(count[i] / 3000.0, 1.0 / 3.0, 0.04);
    posse_free(p);
}

/* Without a model, the rewards of the prior decide. */
LAW(the_prior_chooses_the_model) {
    static const struct {
        const char *prior;
        double refused;
    } cases[] = {{"beta", 1.5}, {"gamma", -1.0}, {"gaussian", 1e101}, {"normal-gamma", 1e101}};
    for (int i = 0; i < LENGTH(cases); i++) {
        posse_def def = posse_default_def();
        def.arms = 3;
        def.prior = (posse_part){.kind = cases[i].prior};
        def.selector = (posse_part){.kind = "thompson"};
        def.learners = rules;
        def.learner_count = 2;
        posse *p = posse_made(&def);
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, cases[i].refused), POSSE_ERROR_REWARD);
        assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
        posse_free(p);
    }
}

/* Three rules with 5, 6 and 9 clicks in a hundred. The share of the best one in 8000 rounds, as a mean of some runs. */
static double best_rule_share(posse_part selector, int runs) {
    static const double rates[] = {0.05, 0.06, 0.09};
    int best = 0;
    for (int run = 0; run < runs; run++) {
        posse *p = rules_made(selector, 3, (uint32_t)run);
        uint64_t source = (uint64_t)run + 1;
        for (int n = 0; n < 8000; n++) {
            posse_decision d = decided(p);
            best += d.learner == 2;
            assert_int_equal(posse_learn(p, d.id, random_uniform(&source) < rates[d.learner]), POSSE_OK);
        }
        posse_free(p);
    }
    return best / (8000.0 * runs);
}

LAW(the_best_of_three_rules_is_found) {
    static const char *const models[] = {"beta", "gamma", "normal-gamma"};
    for (int i = 0; i < LENGTH(models); i++) {
        double share = best_rule_share(sampler(models[i]), 40);
        print_message("%s: the best rule gets %.3f of the rounds\n", models[i], share);
        assert_that(share > 0.85, "with %s, the best rule gets %g of the rounds", models[i], share);
    }
    double share = best_rule_share((posse_part){.kind = POSSE_RECOMMENDED}, 40);
    print_message("no selector named: the best rule gets %.3f\n", share);
    assert_that(share > 0.85, "if no selector is named, the best rule gets %g of the rounds", share);
}

/* If all learners are external and there is no prior, nothing but rewards is known. */
LAW(it_is_recommended_for_rewards_alone) {
    static const posse_part mixed[] = {{.kind = "external"}, {.kind = "ucb"}};
    static const posse_part beta = {.kind = "beta"};
    static const struct {
        const posse_part *learners;
        int arms;
        bool prior;
        const char *kind;
    } cases[] = {{rules, 0, false, "thompson"},
                 {rules, 3, false, "thompson"},
                 {rules, 3, true, "bms-plus"},
                 {mixed, 3, true, "bms-plus"}};
    for (int i = 0; i < LENGTH(cases); i++) {
        posse_def def = posse_default_def();
        def.arms = cases[i].arms;
        if (cases[i].prior) def.prior = beta;
        def.learners = cases[i].learners;
        def.learner_count = 2;
        posse *p = posse_made(&def);
        assert_string_equal(posse_selector(p), cases[i].kind);
        posse_free(p);
    }
    posse_def alone = posse_default_def();
    alone.arms = 3;
    alone.selector.kind = NULL;
    alone.learners = &mixed[1];
    alone.learner_count = 1;
    posse *p = posse_made(&alone);
    assert_null(posse_selector(p));
    posse_free(p);
}

/* The rules change places half-way. With a discount, the new best one is found. */
LAW(a_discount_follows_change) {
    posse_part fading = {.kind = "thompson", .options = {WORD("model", "beta"), NUMBER("discount", 0.995)}};
    posse *p = rules_made(fading, 2, 0);
    uint64_t source = 7;
    int late = 0;
    for (int n = 0; n < 20000; n++) {
        posse_decision d = decided(p);
        double rate = (d.learner == 0) == (n < 10000) ? 0.6 : 0.4;
        late += n >= 15000 && d.learner == 1;
        assert_int_equal(posse_learn(p, d.id, random_uniform(&source) < rate), POSSE_OK);
    }
    assert_that(late > 4000, "after the change, the better rule gets %d of 5000 rounds", late);
    posse_free(p);
}

/* A new learner has the prior alone, and a better one takes over. */
LAW(a_better_newcomer_takes_over) {
    posse *p = rules_made((posse_part){.kind = "thompson"}, 2, 0);
    uint64_t source = 9;
    int late = 0;
    for (int n = 0; n < 6000; n++) {
        if (n == 2000) assert_int_equal(posse_learner_add(p, &rules[2], NULL), POSSE_OK);
        posse_decision d = decided(p);
        late += n >= 5000 && d.learner == 2;
        assert_int_equal(posse_learn(p, d.id, random_uniform(&source) < 0.3 + 0.1 * d.learner), POSSE_OK);
    }
    assert_that(late > 900, "the newcomer gets %d of the last 1000 rounds", late);
    posse_free(p);
}
