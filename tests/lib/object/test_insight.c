/* SPDX-License-Identifier: MIT */
/*
 * Tests of the functions that look inside a posse: propensities against repeated decisions, and the belief against
 * closed forms and its own draws. Looking changes nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

/* A posse after some rounds, which are the same at every call. */
static posse *experienced(const habitat *h, posse_part selector, int rounds) {
    posse *p = habitat_posse(h, selector);
    for (int n = 0; n < rounds; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, parade_reward(h->unit, &d)), POSSE_OK);
    }
    return p;
}

/* ------------------------------------------------ deviations --------------------------------------------------- */

/* A mixture has deviations if all of its components have: unknown-noise of the example plugins has none. */
LAW(a_mixture_has_deviations_if_its_components_have) {
    menagerie_add_examples();
    static const char *const kinds[] = {"gaussian", "unknown-noise"};
    for (int other = 0; other < 2; other++) {
        posse_part components[] = {{.kind = "gaussian"}, {.kind = kinds[other]}}, learner = {.kind = "ucb"};
        double weights[] = {1.0, 1.0}, numbers[5];
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.prior = (posse_part){.kind = "mixture",
                                 .options = {{.key = "components", .part = components, .list = weights, .count = 2}}};
        def.learners = &learner;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        assert_int_equal(posse_means(p, NULL, numbers), POSSE_OK);
        assert_int_equal(posse_deviations(p, NULL, numbers), other == 0 ? POSSE_OK : POSSE_ERROR_ABSENT);
        posse_free(p);
    }
}

/* ------------------------------------------------ propensities ------------------------------------------------- */

/* The share of each learner and arm in the next decision, repeated from the saved state with the streams of other
 * runs. */
static void count_choices(const saved *s, uint32_t times, double *learners, double *arms) {
    posse *p = saved_loaded(s);
    for (uint32_t i = 0; i < times; i++) {
        posse *again = saved_loaded(s);
        draw_start(again->selector_draw, p->seed, 1000 + i, stream_named(STREAM_SELECTOR, NULL), 0);
        draw_start(again->ties_draw, p->seed, 1000 + i, stream_named(STREAM_TIES, NULL), 0);
        for (int k = 0; k < again->count; k++) {
            member *m = &again->members[k];
            if (m->active) draw_start(m->draw, p->seed, 1000 + i, stream_named(STREAM_LEARNER, m->name), 0);
        }
        posse_decision d;
        assert_int_equal(stage_decide(again, &d), POSSE_OK);
        learners[d.learner] += 1.0 / times;
        if (d.arm >= 0) arms[d.arm] += 1.0 / times;
        posse_free(again);
    }
    posse_free(p);
}

/* The variance of a share of `times` trials. One success and one failure are added, so that a share of 0 has a
 * variance too. */
static double share_variance(double share, double times) {
    double p = (share * times + 1.0) / (times + 2.0);
    return p * (1.0 - p) / times;
}

static double worst_z(int count, const double *by_draws, double draws, const double *by_decisions, double times) {
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        double p = by_decisions[i], error = sqrt(share_variance(p, draws) + share_variance(p, times));
        worst = fmax(worst, fabs(by_draws[i] - p) / error);
    }
    return worst;
}

/* A reported error may be smaller than the binomial one, because a draw may count with probabilities instead of a
 * single outcome. It is never larger. */
static void assert_errors_are_sound(int count, const double *shares, const double *errors, double draws) {
    for (int i = 0; i < count; i++) {
        double most = sqrt(shares[i] * (1.0 - shares[i]) / draws);
        assert_true(errors[i] >= 0.0 && errors[i] <= most * (1.0 + 1e-9) + 1e-9);
    }
}

static void propensities_are_shares(const habitat *h, posse_part selector) {
    const uint32_t draws = (uint32_t)(20000 * law_effort()), times = (uint32_t)(4000 * law_effort());
    if (h->arms == 0) return;
    posse *p = experienced(h, selector, 60);
    saved before = saved_from(p);
    double learners[TEAM_MAX], learner_errors[TEAM_MAX], arms[16], arm_errors[16], sum = 0.0;
    posse_propensity out = {learners, learner_errors, arms, arm_errors};
    assert_int_equal(stage_propensities(p, draws, &out), POSSE_OK);
    saved after = saved_from(p);
    assert_true(saved_equal(&before, &after));
    double seen_learners[TEAM_MAX] = {0}, seen_arms[16] = {0};
    count_choices(&before, times, seen_learners, seen_arms);
    double z = worst_z(p->count, learners, draws, seen_learners, times);
    double arm_z = worst_z(h->arms, arms, draws, seen_arms, times);
    assert_errors_are_sound(p->count, learners, learner_errors, draws);
    assert_errors_are_sound(h->arms, arms, arm_errors, draws);
    assert_that(z < 5.0 && arm_z < 5.0, "%s at %s: |z| of learners %.2f, of arms %.2f", selector.kind, h->name, z,
                arm_z);
    for (int i = 0; i < p->count; i++) sum += learners[i];
    assert_close(sum, 1.0, 1e-9);
    saved_drop(&before);
    saved_drop(&after);
    posse_free(p);
}

/* Of some 500 z scores none is beyond 5. */
LAW(propensities_are_those_of_repeated_decisions) {
    for_every_team(propensities_are_shares);
}

/* Resets states and counts of a posse to those of `start`, which was loaded from the same bytes. */
static void put_back(posse *p, const posse *start) {
    memcpy(p->selector.state, start->selector.state, start->selector.part.state_size);
    for (int i = 0; i < p->count; i++) {
        memcpy(p->members[i].state, start->members[i].state, start->members[i].part.state_size);
        p->members[i].plays = start->members[i].plays;
    }
    p->batch_left = start->batch_left;
    p->current = start->current;
    p->probability = start->probability;
}

/*
 * Two samples of a million: chi-square of the arms with 4 degrees of freedom, beyond 18.5 once in a thousand. The
 * streams are not reset between decisions, so that each decision is a new draw.
 */
LAW(propensities_pass_chi_square_at_a_million_decisions) {
    const uint32_t times = (uint32_t)(1000000 * law_effort());
    static const posse_part learners[] = {
        {.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}}};
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 3;
    posse *p = posse_made(&def);
    for (int n = 0; n < 40; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, parade_reward(true, &d)), POSSE_OK);
    }
    saved s = saved_from(p);
    posse *start = saved_loaded(&s);
    double by_draws[5], chosen[3], seen[5] = {0}, seen_learners[3] = {0}, chi_square = 0.0;
    assert_int_equal(posse_propensities(p, NULL, times, &(posse_propensity){.arms = by_draws, .learners = chosen}),
                     POSSE_OK);
    for (uint32_t n = 0; n < times; n++) {
        posse_decision d = decided(p);
        seen[d.arm] += 1.0;
        seen_learners[d.learner] += 1.0 / times;
        assert_int_equal(posse_forget(p, d.id), POSSE_OK);
        put_back(p, start);
    }
    for (int a = 0; a < 5; a++) {
        double drawn = by_draws[a] * times, difference = drawn - seen[a];
        chi_square += drawn + seen[a] > 0.0 ? difference * difference / (drawn + seen[a]) : 0.0;
    }
    double z = worst_z(3, chosen, times, seen_learners, times);
    print_message("chi-square of arms %.2f, worst |z| of learners %.2f\n", chi_square, z);
    assert_that(chi_square < 18.5 && z < 4.5, "chi-square %.2f, |z| %.2f", chi_square, z);
    saved_drop(&s);
    posse_free(start);
    posse_free(p);
}

/* Estimates for neighbouring decisions have errors of their own, even if an estimate takes many draws. */
LAW(neighbouring_estimates_share_no_draws) {
    enum { ARMS = 16, DECISIONS = 60 };
    static double shares[DECISIONS][ARMS];
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.prior = (posse_part){.kind = "gaussian"};
    def.learners = &(posse_part){.kind = "thompson"};
    def.learner_count = 1;
    posse *p = posse_made(&def);
    for (int n = 0; n < DECISIONS; n++) {
        assert_int_equal(posse_propensities(p, NULL, 10000, &(posse_propensity){.arms = shares[n]}), POSSE_OK);
        decided(p); /* nothing is learned: every share is 1 / ARMS */
    }
    double products = 0.0, squares = 0.0, mean = 1.0 / ARMS;
    for (int n = 1; n < DECISIONS; n++)
        for (int a = 0; a < ARMS; a++) {
            products += (shares[n][a] - mean) * (shares[n - 1][a] - mean);
            squares += (shares[n][a] - mean) * (shares[n][a] - mean);
        }
    assert_that(fabs(products / squares) < 0.2, "errors of neighbours have correlation %.2f", products / squares);
    posse_free(p);
}

/* The bytes of a posse with estimates as format 3 had them: pending decisions without a propensity. */
static saved in_format_3(const saved *s, size_t waiting) {
    enum { HEADER = 32, ENTRY = 7 * 8 };
    saved old = {malloc(s->length), HEADER};
    size_t list = s->length - waiting * ENTRY;
    memcpy(old.bytes, s->bytes, list);
    old.length = list;
    for (size_t i = 0; i < waiting; i++, old.length += ENTRY - 8)
        memcpy(old.bytes + old.length, s->bytes + list + i * ENTRY, ENTRY - 8);
    writer w = {old.bytes + 8, 0};
    write_word(&w, 3);
    write_word(&w, old.length - HEADER);
    write_word(&w, saved_checksum(3, old.bytes + HEADER, old.length - HEADER));
    return old;
}

LAW(estimated_propensities_stay_with_pending_decisions) {
    enum { DECISIONS = 50 };
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[COINS_4], selector_part("bms", false, 1), crew);
    def.propensity_draws = 20;
    posse *p = posse_made(&def), *copy = posse_made(&def);
    posse_decision made[DECISIONS], again;
    for (int n = 0; n < DECISIONS; n++) {
        made[n] = decided(p);
        assert_int_equal(posse_decide_again(copy, NULL, made[n].propensity, &again), POSSE_OK);
        assert_true(again.id == made[n].id && again.arm == made[n].arm && again.propensity == made[n].propensity);
    }
    saved s = saved_from(p), of_copy = saved_from(copy), old = in_format_3(&s, DECISIONS);
    assert_true(saved_equal(&s, &of_copy));
    posse *loaded = saved_loaded(&s), *from_old = saved_loaded(&old);
    for (int n = 0; n < DECISIONS; n++) {
        posse_pending kept, before, earlier;
        assert_int_equal(posse_pending_find(p, made[n].id, &kept), POSSE_OK);
        assert_int_equal(posse_pending_find(loaded, made[n].id, &before), POSSE_OK);
        assert_int_equal(posse_pending_find(from_old, made[n].id, &earlier), POSSE_OK);
        assert_true(made[n].propensity > 0.0 && kept.propensity == made[n].propensity);
        assert_true(before.propensity == made[n].propensity);
        assert_true(earlier.propensity == 0.0 && earlier.arm == made[n].arm);
    }
    assert_int_equal(posse_decide_again(copy, NULL, 1.5, &again), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_decide_again(copy, NULL, NAN, &again), POSSE_ERROR_ARGUMENT);
    saved_drop(&s);
    saved_drop(&of_copy);
    saved_drop(&old);
    posse *all[] = {p, copy, loaded, from_old};
    for (int i = 0; i < LENGTH(all); i++) posse_free(all[i]);
}

LAW(a_decision_knows_its_propensity) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[COINS_4], selector_part("bms", false, 1), crew);
    posse *plain = posse_made(&def);
    def.propensity_draws = 200;
    posse *p = posse_made(&def);
    double inverse = 0.0, rounds = 2000.0;
    for (int n = 0; n < rounds; n++) {
        double shares[4];
        assert_int_equal(posse_propensities(p, NULL, 200, &(posse_propensity){.arms = shares}), POSSE_OK);
        posse_decision d = decided(p), same = decided(plain);
        assert_true(d.arm == same.arm && d.learner == same.learner && same.propensity == 0.0);
        assert_true(d.propensity == (200.0 * shares[d.arm] + 1.0) / 201.0);
        inverse += 1.0 / d.propensity / rounds;
        double reward = parade_reward(true, &d);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(plain, same.id, reward), POSSE_OK);
    }
    /* The mean of 1 / propensity is the mean number of arms that could be played: between 1 and 4. */
    assert_that(inverse > 1.0 && inverse < 4.5, "inverse propensities have mean %.2f", inverse);
    saved s = saved_from(p);
    posse *again = saved_loaded(&s);
    assert_int_equal(posse_propensity_draws(again), 200);
    assert_int_equal(posse_propensity_draws(plain), 0);
    assert_int_equal(posse_propensity_draws(NULL), 0);
    saved_drop(&s);
    posse_free(again);
    posse_free(plain);
    posse_free(p);
    def.propensity_draws = 10001;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_ARGUMENT);
}

LAW(propensities_of_the_ball_are_those_of_learners) {
    posse *p = experienced(&habitats[BALL_3], selector_part("bms", false, 1), 40);
    double learners[TEAM_MAX], arm;
    assert_int_equal(posse_propensities(p, NULL, 100, &(posse_propensity){.learners = learners}), POSSE_OK);
    assert_int_equal(posse_propensities(p, NULL, 100, &(posse_propensity){.arms = &arm}), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_propensities(p, NULL, 0, &(posse_propensity){.learners = learners}), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_propensities(p, NULL, 1, NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

/* ------------------------------------------------- the belief -------------------------------------------------- */

/* Means and deviations, and the probability that an arm is best, against worlds drawn from the belief by the test. */
static void belief_is_what_it_draws(const specimen *s) {
    const posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &s->part}}};
    if (brings_features(s->home)) return; /* means depend on the round: test_contexts.c, test_logistic.c */
    const posse_option *inference = posse_part_option(&s->part, "inference");
    bool better = inference != NULL && strcmp(inference->word, "variational") != 0;
    if (better) return; /* draws are more exact than the moments: test_clicks.c */
    posse *p = experienced(s->home, selector, 50);
    const int arms = s->home->arms, draws = (int)(20000 * law_effort());
    double means[16], sds[16], best[16], shares[16] = {0}, world[16];
    moments seen[16] = {{0}};
    const void *state;
    const posse_belief *b = p->selector.ops->belief(p->selector.part.plan, p->selector.state, &state);
    posse_error error = posse_deviations(p, NULL, sds);
    if (arms == 0 || b->ops->moments == NULL) {
        assert_int_equal(error, POSSE_ERROR_ABSENT);
        posse_free(p);
        return;
    }
    assert_int_equal(error, POSSE_OK);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    assert_int_equal(posse_best_probabilities(p, (uint32_t)draws, best), POSSE_OK);
    posse_draw draw;
    draw_open(&draw, 77, 5, stream_named(STREAM_LEARNER, "judge"), 0);
    for (int n = 0; n < draws; n++) {
        belief_draw(b, state, &draw, world);
        int top = 0;
        double values[16];
        for (int a = 0; a < arms; a++) {
            values[a] = b->shape.one_hot ? world[a] : dot(world, space_point(p->space, a), p->space->dim);
            moments_add(&seen[a], values[a]);
            if (values[a] > values[top]) top = a;
        }
        shares[top] += 1.0 / draws;
    }
    for (int a = 0; a < arms; a++) {
        double mean = moments_mean(&seen[a]), sd = sqrt(seen[a].squares / seen[a].count - mean * mean);
        assert_that(fabs(mean - means[a]) < 5.0 * sds[a] / sqrt(draws) + 1e-9, "%s: mean of arm %d is %g, drawn %g",
                    s->part.kind, a, means[a], mean);
        assert_that(fabs(sd / sds[a] - 1.0) < 0.08 || sds[a] < 0.02, "%s: deviation of arm %d is %g, drawn %g",
                    s->part.kind, a, sds[a], sd);
        double error_of_share = sqrt(2.0 * share_variance(shares[a], draws));
        assert_that(fabs(best[a] - shares[a]) < 5.0 * error_of_share, "%s: arm %d is best by %g, drawn %g",
                    s->part.kind, a, best[a], shares[a]);
    }
    posse_free(p);
}

LAW(a_belief_says_what_it_draws) {
    int count;
    const specimen *beliefs = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) belief_is_what_it_draws(&beliefs[i]);
}

/* Bayes' rule over two point hypotheses by hand: after these rewards the odds are the ratio of the likelihoods. */
LAW(weights_of_a_mixture_follow_bayes) {
    static const double low[] = {0.0, 0.0}, high[] = {1.0, 1.0}, prior[] = {3.0, 1.0};
    static const posse_part components[] = {
        {.kind = "gaussian", .options = {LIST("mean", low), NUMBER("sd", 1e-6), NUMBER("noise", 1.0)}},
        {.kind = "gaussian", .options = {LIST("mean", high), NUMBER("sd", 1e-6), NUMBER("noise", 1.0)}}};
    static const posse_part learners[] = {{.kind = "ucb"}};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior =
        (posse_part){.kind = "mixture", .options = {{"components", .part = components, .list = prior, .count = 2}}};
    def.learners = learners;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    double weights[2], odds = 3.0, sum = 0.0;
    assert_int_equal(posse_component_count(p), 2);
    for (int n = 0; n < 12; n++) {
        double reward = 0.1 * n;
        sum += reward;
        assert_int_equal(posse_teach(p, &(posse_action){.arm = n % 2}, reward), POSSE_OK);
        odds = 3.0 * exp(-(sum - 0.5 * (n + 1)));
        assert_int_equal(posse_weights(p, weights), POSSE_OK);
        assert_close(weights[0], odds / (1.0 + odds), 1e-6);
        assert_close(weights[0] + weights[1], 1.0, 1e-12);
    }
    posse_free(p);
    p = two_ucbs(selector_part("bms", false, 1));
    assert_int_equal(posse_component_count(p), 0);
    assert_int_equal(posse_weights(p, weights), POSSE_ERROR_ABSENT);
    posse_free(p);
}

/* Regrets are those of the plays that the test has counted, in the world of the posterior means. */
LAW(regrets_are_those_of_the_plays_in_the_mean_world) {
    static const int homes[] = {ARMS_5, POINTS_7, COINS_4};
    for (int h = 0; h < LENGTH(homes); h++) {
        const habitat *home = &habitats[homes[h]];
        posse *p = habitat_posse(home, selector_part("bms", true, 1));
        double plays[TEAM_MAX][16] = {{0}}, means[16], regrets[TEAM_MAX], best = -INFINITY;
        for (int n = 0; n < 400; n++) {
            posse_decision d = decided(p);
            plays[d.learner][d.arm] += 1.0;
            assert_int_equal(posse_learn(p, d.id, parade_reward(home->unit, &d)), POSSE_OK);
        }
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        assert_int_equal(posse_regrets(p, regrets), POSSE_OK);
        for (int a = 0; a < home->arms; a++) best = fmax(best, means[a]);
        for (int i = 0; i < posse_learner_count(p); i++) {
            double regret = 0.0;
            for (int a = 0; a < home->arms; a++) regret += plays[i][a] * (best - means[a]);
            assert_close(regrets[i], regret, 1e-6);
        }
        posse_free(p);
    }
}

LAW(selectors_without_a_belief_have_nothing_to_show) {
    posse *p = two_ucbs(selector_part("exp3p", false, 1));
    double numbers[16];
    assert_int_equal(posse_deviations(p, NULL, numbers), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_weights(p, numbers), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_regrets(p, numbers), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_best_probabilities(p, 10, numbers), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_best_probabilities(p, 0, numbers), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_component_count(NULL), 0);
    posse_free(p);
}
